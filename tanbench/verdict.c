/* verdict.c - what must be said of a measured cell before anybody believes it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/verdict.h"

#include <math.h>
#include <string.h>

/* Fewer samples tell too little of their order. */
enum { FEWEST_SAMPLES = 30 };

/* A drift is worth a word when it is surely one (1 %) and larger than the precision that was asked
 * for, and spoils a cell from a fifth on. */
#define DRIFT_P      0.01
#define DRIFT_SPOILS 0.2
/* Waves that are worth less than half of as many independent ones. */
#define MEMORY_P     0.01
#define MEMORY_WORTH 0.5
/* Launches that differ by more than their own intervals explain are the rule; beyond this the next
 * one may be anything. */
#define LAUNCHES_SPOIL 0.5

enum severity { FINE, NOTE, UNTRUSTED };

/* The launch whose waves drifted most among those where the drift is sure. */
static const struct launch_part *worst_drift(const struct result *result, double least)
{
    const struct launch_part *worst = NULL;

    for (int i = 0; i < result->n_parts; i++) {
        const struct launch_part *part = &result->parts[i];
        double drift = fabs(part->series.drift);
        if (part->n >= FEWEST_SAMPLES && part->series.drift_p < DRIFT_P && drift > least &&
            (!worst || drift > fabs(worst->series.drift))) {
            worst = part;
        }
    }
    return worst;
}

static enum severity drift(const struct results *r, const struct result *result, char *text,
                           size_t size)
{
    const struct launch_part *part = worst_drift(result, r->plan->settings.precision);

    if (!part) {
        return FINE;
    }
    snprintf(text, size, "drifts: the last third of the waves is %.0f %% %s than the first",
             fabs(part->series.drift) * 100, part->series.drift > 0 ? "slower" : "faster");
    return fabs(part->series.drift) > DRIFT_SPOILS ? UNTRUSTED : NOTE;
}

static enum severity memory(const struct results *r, const struct result *result, char *text,
                            size_t size)
{
    (void)r;
    for (int i = 0; i < result->n_parts; i++) {
        const struct launch_part *part = &result->parts[i];
        const struct tan_series *s = &part->series;
        if (part->n < FEWEST_SAMPLES || s->lag1_p >= MEMORY_P ||
            s->n_effective >= MEMORY_WORTH * (double)s->n) {
            continue;
        }
        bool known = s->median_ci95.low <= s->median_ci95.high;
        snprintf(text, size,
                 "neighbouring waves are alike (lag 1: %.2f): %zu of them tell as much as %.0f "
                 "independent ones%s",
                 s->lag1, s->n, s->n_effective,
                 known ? ", and the interval allows for it" : ", too few for an interval");
        return known ? NOTE : UNTRUSTED;
    }
    return FINE;
}

static enum severity batched(const struct results *r, const struct result *result, char *text,
                             size_t size)
{
    (void)r;
    if (result->waves.batch <= 1) {
        return FINE;
    }
    snprintf(text, size,
             "waves are so short that %lld were timed together: each sample is their mean, and "
             "quantiles are of such means",
             (long long)result->waves.batch);
    return NOTE;
}

static enum severity launches(const struct results *r, const struct result *result, char *text,
                              size_t size)
{
    (void)r;
    if (result->launches.spread <= LAUNCHES_SPOIL) {
        return FINE;
    }
    snprintf(text, size, "medians of %d launches differ by %.0f %% (standard deviation)",
             result->n_parts, result->launches.spread * 100);
    return UNTRUSTED;
}

static enum severity (*const judges[])(const struct results *, const struct result *, char *text,
                                       size_t size) = {drift, memory, launches, batched};
enum { JUDGES = sizeof judges / sizeof *judges };

void verdict_add_json(const struct results *r, const struct result *result, json_t *cell)
{
    json_t *warnings = json_array();
    bool trustworthy = true;

    for (int i = 0; i < JUDGES; i++) {
        char text[256];
        enum severity severity = judges[i](r, result, text, sizeof text);
        trustworthy &= severity != UNTRUSTED;
        if (severity != FINE) {
            json_array_append_new(warnings, json_string(text));
        }
    }
    json_object_set_new(cell, "trustworthy", json_boolean(trustworthy));
    json_object_set_new(cell, "warnings", warnings);
}

bool verdict_untrusted(const struct results *r, char *text, size_t size)
{
    size_t length = 0;
    int more = 0;

    *text = '\0';
    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = results_at(r, order);
        for (int i = 0; result && i < JUDGES; i++) {
            char why[256];
            if (judges[i](r, result, why, sizeof why) != UNTRUSTED) {
                continue;
            }
            /* Three are enough to read; the table has them all. */
            if (length > size / 2) {
                more++;
                continue;
            }
            length += (size_t)snprintf(text + length, size - length, "%s%.60s %s",
                                       length ? "; " : "", result->cell->spec, why);
        }
    }
    if (more) {
        snprintf(text + length, size - length, "; and %d more", more);
    }
    return length > 0;
}

/* What the intervals are about: one launch tells nothing of the next. */
static void print_scope(const struct results *r, FILE *to)
{
    int most = 0;
    double spread = 0;

    for (int i = 0; i < r->n; i++) {
        most = r->list[i].n_parts > most ? r->list[i].n_parts : most;
        spread = fmax(spread, r->list[i].launches.spread);
    }
    if (most > 1) {
        fprintf(to,
                "\nIntervals are for the median of a next launch, from those of %d launches, which "
                "differ by up to %.0f %% (standard deviation).\n",
                most, spread * 100);
    } else if (most == 1) {
        fprintf(to, "\nIntervals are about this launch; the next one may lie outside of them: "
                    "--launches 5 tells by how much.\n");
    }
}

void verdict_print(const struct results *r, FILE *to)
{
    bool any = false;

    print_scope(r, to);
    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = results_at(r, order);
        for (int i = 0; result && i < JUDGES; i++) {
            char text[256];
            if (judges[i](r, result, text, sizeof text) != FINE) {
                fprintf(to, "%s%s: %s.\n", any ? "" : "\n", result->cell->spec, text);
                any = true;
            }
        }
    }
}
