/* cell_doubts.c - doubts about measured cells
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/reply.h"
#include "base/text.h"
#include "base/units.h"
#include "tanbench/plan/settings.h"

/* Minimum number of samples for tests of their order. */
enum { MIN_SAMPLES = 30 };

/* Level of the tests for drift and autocorrelation. */
#define SIGNIFICANCE 0.01
/* Relative drift of the median, beyond the width of its interval, above which it is a doubt rather
 * than a note. */
#define MAX_DRIFT 0.2
/* Effective over actual sample size, below which autocorrelation is reported. */
#define MIN_EFFECTIVE_SHARE 0.5
/* Relative standard deviation of the launches' medians, above which they do not predict the next
 * one. */
#define MAX_SPREAD 0.5
/* Uncertainty of the clocks, as a share of the times measured with them. */
#define MAX_CLOCK_SHARE 0.05
/* The part with the most samples; NULL if these are too few for a test. */
static const struct part *largest_part(const struct result *result)
{
    const struct part *found = NULL;
    for (int i = 0; i < result->n_parts; i++) {
        const struct part *part = &result->parts[i];
        if (part->series.n >= MIN_SAMPLES && (found == NULL || part->n > found->n)) {
            found = part;
        }
    }
    return found;
}

/* The part with the largest significant drift above `least`, or NULL. */
static const struct part *worst_drift(const struct result *result, double least)
{
    const struct part *worst = NULL;
    for (int i = 0; i < result->n_parts; i++) {
        const struct part *part = &result->parts[i];
        double drift = fabs(part->series.drift);
        if (part->series.n >= MIN_SAMPLES && part->series.drift_p < SIGNIFICANCE && drift > least) {
            worst = part;
            least = drift;
        }
    }
    return worst;
}

static enum tan_severity judge_drift(const struct results *r, const struct result *result,
                                     char *text, size_t size)
{
    /* a drift that rounds to 0 % is not reported */
    const struct part *part = worst_drift(result, fmax(r->plan->settings.precision, 0.005));
    struct tan_interval ci = result->round_trip.median_ci95;
    if (part == NULL) {
        return TAN_NO_DOUBT;
    }
    double drift = part->series.drift;
    const double covered = ci.low <= ci.high ? (ci.high - ci.low) / result->round_trip.median : 0;
    snprintf(text, size, "%+.0f %%", drift * 100);
    return fabs(drift) > MAX_DRIFT + covered ? TAN_DOUBT : TAN_NOTE;
}

static enum tan_severity judge_autocorrelation(const struct results *r, const struct result *result,
                                               char *text, size_t size)
{
    const struct part *part = largest_part(result);
    (void)r;
    if (part == NULL || part->series.lag1_p >= SIGNIFICANCE ||
        part->series.n_effective >= MIN_EFFECTIVE_SHARE * (double)part->n) {
        return TAN_NO_DOUBT;
    }
    bool known = part->series.median_ci95.low <= part->series.median_ci95.high;
    snprintf(text, size, known ? "%.0f of %zu" : "%.0f of %zu, too few for an interval",
             part->series.n_effective, part->n);
    return known ? TAN_NOTE : TAN_DOUBT;
}

static enum tan_severity judge_launches(const struct results *r, const struct result *result,
                                        char *text, size_t size)
{
    (void)r;
    if (largest_part(result) == NULL || result->launches.spread <= MAX_SPREAD) {
        return TAN_NO_DOUBT;
    }
    snprintf(text, size, "%.0f %%", result->launches.spread * 100);
    return TAN_DOUBT;
}

static enum tan_severity judge_interference(const struct results *r, const struct result *result,
                                            char *text, size_t size)
{
    int n = 0;
    (void)r;
    for (int i = 0; i < result->n_parts; i++) {
        n += result->parts[i].disturbed && tan_results_counts(result, &result->parts[i]);
    }
    snprintf(text, size, "%d of %d passes", n, result->n_parts);
    return n > 0 ? TAN_NOTE : TAN_NO_DOUBT;
}

static enum tan_severity judge_batch(const struct results *r, const struct result *result,
                                     char *text, size_t size)
{
    (void)r;
    snprintf(text, size, "%lld", (long long)result->waves.batch);
    return result->waves.batch > 1 ? TAN_NOTE : TAN_NO_DOUBT;
}

/* The shortest time that was measured with synchronised clocks. */
static double shortest_time(const struct measurement *m)
{
    if (m->up == NULL) {
        return tan_results_median(m->round_trips, m->n);
    }
    return fmin(tan_results_median(m->up, m->n), tan_results_median(m->down, m->n));
}

static enum tan_severity judge_clocks(const struct results *r, const struct result *result,
                                      char *text, size_t size)
{
    const struct clock_quality *q = &result->waves.clocks;
    double shortest = shortest_time(&result->waves);
    (void)r;
    if (q->shared >= q->ranks || q->accuracy < MAX_CLOCK_SHARE * shortest) {
        return TAN_NO_DOUBT;
    }
    snprintf(text, size, "%.1f us of %.1f us", q->accuracy * 1e6, shortest * 1e6);
    return TAN_DOUBT;
}

/* The largest number of children that a process has on its own host: they answer at the same
 * time. */
static int32_t most_senders(const struct results *r, const struct result *result)
{
    const struct tan_tree *tree = result->tree;
    const bool apart = r->host_of != NULL && !result->cell->near;
    int32_t most = 0;
    for (int32_t node = 0; tree != NULL && node < tan_tree_size(tree); node++) {
        const int32_t *children = tan_tree_children(tree, node);
        int32_t n = 0;
        for (int32_t i = 0; i < tan_tree_fanout(tree, node); i++) {
            n += !apart || r->host_of[children[i]] == r->host_of[node];
        }
        most = n > most ? n : most;
    }
    return most;
}

static enum tan_severity judge_queue(const struct results *r, const struct result *result,
                                     char *text, size_t size)
{
    /* share of the places for answers; the request and messages not yet received take the rest */
    const double usable = 0.75;
    const int32_t n = r->queue_places > 0 ? most_senders(r, result) : 0;
    snprintf(text, size, "%d children", (int)n);
    return n > usable * r->queue_places ? TAN_DOUBT : TAN_NO_DOUBT;
}

/* Without intervals nobody knows whether waves on the healed tree take longer. */
static enum tan_severity judge_healed(const struct results *r, const struct result *result,
                                      char *text, size_t size)
{
    const struct heal_result *heal = &result->waves.heal;
    const struct tan_interval before = result->round_trip.median_ci95;
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_summary after;
    if (heal->n_healed == 0 || tan_results_simulated(r) ||
        tan_results_summarize(result, heal->healed, &after, &ignored) < 0 ||
        (before.low <= before.high && after.median_ci95.low <= after.median_ci95.high)) {
        return TAN_NO_DOUBT;
    }
    if (result->n_parts > 1) {
        snprintf(text, size, "%d passes", result->n_parts);
    } else {
        snprintf(text, size, "%zu waves before, %zu after", result->waves.n, heal->n_healed);
    }
    return TAN_NOTE;
}

static enum tan_severity judge_size(const struct results *r, const struct result *result,
                                    char *text, size_t size)
{
    if (!tan_predict_lacks_size(r, result)) {
        return TAN_NO_DOUBT;
    }
    snprintf(text, size, "not %s", tan_size_text(r->machine->tan.bytes).text);
    return TAN_NOTE;
}

/* Each judge writes its finding to `text`, in a few words that complete `meaning`. */
static const struct {
    const char *kind;
    const char *meaning;
    enum tan_severity (*judge)(const struct results *, const struct result *, char *text,
                               size_t size);
} judges[] = {
    {"drift",
     "The median of the last third of the waves differs from that of the first:", judge_drift},
    {"autocorrelation",
     "Consecutive waves are correlated, so intervals are those of fewer, independent waves:",
     judge_autocorrelation},
    {"launches", "The medians of the launches have a standard deviation of:", judge_launches},
    {"interference",
     "Others used the cores at the same time, which makes waves longer:", judge_interference},
    {"batch", "Waves are too short to time one by one; samples are means of:", judge_batch},
    {"clocks", "The clocks are synchronised no better than to 5 % of what was measured with them:",
     judge_clocks},
    {"queue",
     "The library's queue for messages of ranks on the same host is full before all children have "
     "answered, which makes waves many times longer (set UCX_SYSV_FIFO_SIZE, and "
     "UCX_POSIX_FIFO_SIZE, to a power of two that is twice as large as the widest tree):",
     judge_queue},
    {"healed",
     "Too few waves or passes for intervals, so how much longer waves take on the healed tree is "
     "uncertain:",
     judge_healed},
    {"size",
     "There are no predictions, since the machine file does not say what messages of this size "
     "cost (tanbench p2p calibrate FILE adds it):",
     judge_size},
};
enum { JUDGES = sizeof judges / sizeof *judges };

void tan_cell_doubts_set(struct tan_json_writer *w, json_t *cell, const struct results *r,
                         const struct result *result, bool run_trusted)
{
    json_t *warnings = json_array();
    bool trusted = run_trusted;
    for (int i = 0; i < JUDGES; i++) {
        char finding[64];
        const enum tan_severity severity = judges[i].judge(r, result, finding, sizeof finding);
        if (severity != TAN_NO_DOUBT) {
            tan_json_append(w, warnings, json_sprintf("%s: %s", judges[i].kind, finding));
        }
        trusted &= severity != TAN_DOUBT;
    }
    tan_json_set_bool(w, cell, "trustworthy", trusted);
    tan_json_set(w, cell, "warnings", warnings);
}

/* Most cells that a sentence names. */
enum { NAMED = 5 };

/* A judge's findings of at least that severity in all cells, as one sentence; malloc'd, "" if there
 * are none, NULL if memory is short. */
static char *list_findings(const struct results *r, int judge, enum tan_severity least)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    int found = 0;
    for (int order = 0; to != NULL && order < r->plan->n_cells; order++) {
        const struct result *result = tan_results_at(r, order);
        char what[64];
        if (result != NULL && judges[judge].judge(r, result, what, sizeof what) >= least &&
            found++ < NAMED) {
            fprintf(to, "%s %s", found > 1 ? "," : judges[judge].meaning, result->cell->spec);
            if (r->plan->settings.n_sizes > 1) {
                fprintf(to, " of %s", tan_size_text(result->cell->bytes).text);
            }
            fprintf(to, " (%s)", what);
        }
    }
    if (to != NULL && found > NAMED) {
        fprintf(to, " and %d more", found - NAMED);
    }
    if (to != NULL && fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

void tan_doubt_cells(const struct results *r, enum tan_severity least, struct tan_doubts *doubts)
{
    for (int i = 0; i < JUDGES; i++) {
        char *text = list_findings(r, i, least);
        if (text == NULL) {
            doubts->incomplete = true;
        } else if (text[0] != '\0') {
            tan_doubts_add(doubts, least, judges[i].kind, NAN, TAN_TOUCHES_ALL, "%s", text);
        }
        free(text);
    }
}

void tan_doubt_run(const struct results *r, struct tan_doubts *doubts)
{
    int trees = 0;
    int disturbed = 0;
    for (int i = 0; i < r->n; i++) {
        trees += r->list[i].tree != NULL;
        disturbed += r->list[i].tree != NULL && tan_results_disturbed(&r->list[i]);
    }
    tan_doubts_join(doubts, &r->doubts);
    if (2 * disturbed > trees) {
        tan_doubts_add(doubts, TAN_DOUBT, "disturbed", (double)disturbed / trees, TAN_TOUCHES_ALL,
                       "others used the cores while %s, which makes waves longer: repeat this when "
                       "they are idle",
                       trees > 1
                           ? tan_printed("%d of %d trees were measured", disturbed, trees).text
                           : "it was measured");
    }
}

/* Whether the median of a cell's passes has no interval, since too few of them count. */
static bool lacks_passes(const struct result *result)
{
    const struct tan_interval ci = result->round_trip.median_ci95;
    return result->n_parts > 1 && result->launches.n == 1 && ci.low > ci.high;
}

/* Print what the times are, and what the intervals are valid for: a single launch does not predict
 * the next, except in a simulation. */
static void print_scope(const void *results, FILE *to)
{
    const struct results *r = results;
    size_t most = 0;
    double spread = 0;
    int lacking = 0;
    for (int i = 0; i < r->n; i++) {
        most = r->list[i].launches.n > most ? r->list[i].launches.n : most;
        spread = fmax(spread, r->list[i].launches.spread);
        lacking += lacks_passes(&r->list[i]);
    }
    if (most == 0 || tan_modes[r->plan->settings.mode].pushes) {
        return;
    }
    fprintf(to, "\nWaves are half round trips.");
    if (tan_results_simulated(r)) {
        lacking = 0;
    } else if (most > 1) {
        fprintf(to,
                " Intervals are for the median of a next launch, from those of %zu launches, which "
                "differ by up to %.0f %% (standard deviation).",
                most, spread * 100);
    } else {
        fprintf(to,
                " Intervals hold for this one launch; the median of a next one may lie outside of "
                "them: --launches 5 shows by how much.");
    }
    if (lacking > 0) {
        fprintf(to, " -: no interval, for which at least six passes must count.");
    }
    fputc('\n', to);
}

void tan_cell_doubts_print(const struct results *r, FILE *to)
{
    struct tan_doubts doubts = {.n = 0};
    tan_text_wrap_printed(to, print_scope, r);
    tan_doubt_cells(r, TAN_NOTE, &doubts);
    for (size_t i = 0; i < doubts.n; i++) {
        tan_text_say(to, "\n%s", doubts.row[i].text);
    }
    tan_doubts_clear(&doubts);
}

void tan_cell_doubts_say(struct tan_json_writer *w, json_t *answer, const struct results *r,
                         const struct tan_doubts *said)
{
    struct tan_doubts doubts = {.n = 0};
    tan_reply_say_printed(w, answer, TAN_PART_REMARKS, print_scope, r);
    tan_doubt_cells(r, TAN_NOTE, &doubts);
    for (size_t i = 0; i < doubts.n; i++) {
        if (tan_doubts_find(said, doubts.row[i].kind) == NULL) {
            tan_reply_say(w, answer, TAN_PART_REMARKS, "%s.", doubts.row[i].text);
        }
    }
    tan_doubts_clear(&doubts);
}
