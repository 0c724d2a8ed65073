/* results_table.c - results as tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "tanbench/results/cell_doubts.h"
#include "tanbench/results/predict.h"
#include "tanbench/results/results.h"

/* Columns of predictions, from left to right; shown if the machine file has the parameters. */
static const struct predicted {
    const char *heading;
    enum tan_model_row model;
} predicted[] = {
    {"LogP", TAN_MODEL_LOGP}, {"TAN", TAN_MODEL_TAN}, {"tan-overlap", TAN_MODEL_OVERLAP}};
enum { PREDICTED = sizeof predicted / sizeof *predicted };

static bool is_shown(const struct results *r, const struct predicted *p)
{
    return tan_predict_knows(r, &tan_models[p->model]);
}

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
    if (result->tree != NULL) {
        tan_table_cell(table, "%d", result->cell->height);
    } else {
        tan_table_cell(table, "-");
    }
    tan_table_cell(table, "%zu", result->waves.n);
    double spread = tan_results_print_median(table, s, half(1));
    tan_table_cell(table, "%s", tan_format_value(half(s->p95) * 1e6, spread, p95, sizeof p95));
    for (int i = 0; i < PREDICTED; i++) {
        if (is_shown(r, &predicted[i])) {
            const double seconds = tan_predict_wave(r, result, &tan_models[predicted[i].model]);
            tan_results_print_prediction(table, seconds, half(s->median));
        }
    }
}

static struct tan_table *create_table(const struct results *r)
{
    static const char *const headings[] = {"<topology", "bytes",   "processes", "height",
                                           "n",         "wave us", "95 %",      "p95"};
    enum { BYTES = 1, MEASURED = sizeof headings / sizeof *headings };
    const char *shown[MEASURED + 2 * PREDICTED];
    int columns = 0;

    for (int i = 0; i < MEASURED; i++) {
        if (i != BYTES || r->plan->settings.n_sizes > 1) {
            shown[columns++] = headings[i];
        }
    }
    for (int i = 0; i < PREDICTED; i++) {
        if (is_shown(r, &predicted[i])) {
            shown[columns++] = predicted[i].heading;
            shown[columns++] = "error";
        }
    }
    return tan_table_create(shown, columns);
}

static void print_waves(const struct results *r, FILE *to)
{
    struct tan_table *table = create_table(r);
    int shortened = 0;

    for (int i = 0; i < r->n; i++) {
        const enum stop_reason why = r->list[i].waves.stopped;
        shortened += why == STOP_WAVES || why == STOP_TIME;
    }
    tan_results_print_rows(r, table, print_result, to);
    if (shortened && r->plan->settings.precision > 0 && !tan_results_simulated(r)) {
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
        [MODE_FAILURES] = tan_results_print_failures,
    };

    print[r->plan->settings.mode](r, to);
    if (r->machine != NULL && r->plan->settings.sync.kind != SYNC_ALL) {
        tan_text_say(
            to,
            "\nThere are no predictions: the models' waves wait for all children (--sync all).");
    } else if (tan_predict_disturbed(r)) {
        tan_text_say(
            to,
            "\nPredictions for messages of other than %lld bytes are doubtful: the machine "
            "file's single messages were measured while other programs used the cores.",
            (long long)r->machine->tan.bytes);
    } else if (tan_predict_handshakes(r)) {
        tan_text_say(
            to,
            "\nPredictions of tan-overlap are doubtful: some messages are sent by rendezvous, as "
            "no measured one was, and the handshake is taken for a longer way.");
    }
    tan_cell_doubts_print(r, to);
}
