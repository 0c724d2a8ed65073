/* results_table.c - results as tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/results_table.h"

#include <math.h>

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "bench/results/predict.h"
#include "bench/results/results_modes.h"
#include "bench/results/verdict.h"

static void print_result(struct tan_table *table, const struct results *r,
                         const struct result *result)
{
    const struct tan_summary *s = &result->round_trip;
    char p95[32];
    char size[32];

    tan_results_print_topology(table, result);
    if (r->plan->settings.n_sizes > 1) {
        tan_table_cell(table, "%s", tan_format_size(result->cell->bytes, size, sizeof size));
    }
    tan_table_cell(table, "%d", result->cell->processes);
    if (result->tree) {
        tan_table_cell(table, "%d", result->cell->height);
    } else {
        tan_table_cell(table, "-");
    }
    tan_table_cell(table, "%zu", result->waves.n);
    double spread = tan_results_print_median(table, s, half(1));
    if (links_on(&r->plan->settings.links)) {
        tan_results_print_rest(table, half(s->median), tan_predict_wave(r, result, &tan_models[0]),
                               tan_predict_known(r, result), &result->waves.lateness);
        return;
    }
    tan_table_cell(table, "%s", tan_format_value(half(s->p95) * 1e6, spread, p95, sizeof p95));
    tan_results_print_prediction(table, tan_predict_wave(r, result, &tan_models[1]),
                                 half(s->median));
    tan_results_print_prediction(table, tan_predict_wave(r, result, &tan_models[0]),
                                 half(s->median));
}

/* A line has room for two models, or for one and what links take. */
static void print_waves(const struct results *r, FILE *to)
{
    static const struct {
        const char *text;
        enum { ALWAYS, SEVERAL_SIZES, WITH_LINKS, WITH_LOGP } when;
    } headings[] = {
        {"<topology", ALWAYS}, {"bytes", SEVERAL_SIZES},
        {"processes", ALWAYS}, {"height", ALWAYS},
        {"n", ALWAYS},         {"wave us", ALWAYS},
        {"95 %", ALWAYS},      {"p95", WITH_LOGP},
        {"LogP", WITH_LOGP},   {"error", WITH_LOGP},
        {"known", WITH_LINKS}, {"rest", WITH_LINKS},
        {"TAN", ALWAYS},       {"error", ALWAYS},
        {"late", WITH_LINKS},
    };
    const bool links = links_on(&r->plan->settings.links);
    const char *shown[sizeof headings / sizeof *headings];
    const bool hidden[] = {[SEVERAL_SIZES] = r->plan->settings.n_sizes == 1,
                           [WITH_LINKS] = !links,
                           [WITH_LOGP] = links};
    int columns = 0;
    int shortened = 0;

    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (!hidden[headings[i].when]) {
            shown[columns++] = headings[i].text;
        }
    }
    struct tan_table *table = tan_table_create(shown, columns);

    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = tan_results_at(r, order);
        if (result) {
            print_result(table, r, result);
            shortened += result->waves.stopped == STOP_WAVES || result->waves.stopped == STOP_TIME;
        }
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
    if (shortened && !tan_results_simulated(r)) {
        fprintf(
            to,
            "\n%d of %d measurements reached --max-waves or --max-time before their interval was "
            "within %g %%.\n",
            shortened, r->n, r->plan->settings.precision * 100);
    }
}

void tan_results_print(const struct results *r, FILE *to)
{
    static void (*const print[MODES])(const struct results *r, FILE *to) = {
        [MODE_WAVES] = print_waves,
        [MODE_ONEWAY] = tan_results_print_oneway,
        [MODE_STREAM] = tan_results_print_stream,
    };

    print[r->plan->settings.mode](r, to);
    char text[256] = "";
    if (r->machine != NULL && r->plan->settings.sync.kind != SYNC_ALL) {
        snprintf(
            text, sizeof text,
            "\nThere are no predictions: the models' waves wait for all children (--sync all).");
    } else if (tan_predict_lacks_sizes(r)) {
        snprintf(text, sizeof text,
                 "\nPredictions are for messages of %lld bytes: the machine file does not say what "
                 "others cost (tanbench p2p calibrate FILE adds it).",
                 (long long)r->machine->tan.bytes);
    }
    if (*text) {
        tan_text_wrap(to, text, 0, 0);
    }
    tan_verdict_print(r, to);
}
