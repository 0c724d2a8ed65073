/* results_table.c - results as tables
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "tanbench/results/results.h"

static void print_result(struct tan_table *table, const struct results *r,
                         const struct result *result)
{
    static const enum tan_model_row predicted[] = {TAN_MODEL_LOGP, TAN_MODEL_TAN,
                                                   TAN_MODEL_OVERLAP};
    const struct tan_summary *s = &result->round_trip;
    tan_results_print_topology(table, result);
    tan_table_cell(table, "%s",
                   r->plan->settings.n_sizes > 1 ? tan_size_text(result->cell->bytes).text : "");
    tan_table_cell(table, "%d", result->cell->processes);
    tan_table_cell(table, result->tree != NULL ? "%d" : "-", result->cell->height);
    tan_table_cell(table, "%zu", result->waves.n);
    double spread = tan_results_print_median(table, s, half(1));
    tan_table_cell(table, "%s", tan_value_text(half(s->p95) * 1e6, spread).text);
    for (int i = 0; i < 3; i++) {
        const struct tan_model *model = &tan_models[predicted[i]];
        if (tan_predict_knows(r, model)) {
            const double seconds = tan_predict_wave(r, result, model);
            tan_results_print_time(table, seconds, 0);
            tan_table_error(table, seconds / half(s->median) - 1);
        } else {
            tan_table_cell(table, "%s", "");
            tan_table_cell(table, "%s", "");
        }
    }
}

static void print_waves(const struct results *r, FILE *to)
{
    static const char *const headings[] = {"<topology", "bytes", "processes",   "height", "n",
                                           "wave us",   "95 %",  "p95",         "LogP",   "error",
                                           "TAN",       "error", "tan-overlap", "error"};
    int shortened = 0;
    for (int i = 0; i < r->n; i++) {
        const enum stop_reason why = r->list[i].waves.stopped;
        shortened += why == STOP_WAVES || why == STOP_TIME;
    }
    tan_results_print_rows(r, headings, sizeof headings / sizeof *headings, print_result, to);
    if (shortened && r->plan->settings.precision > 0 && !tan_results_simulated(r)) {
        fputc('\n', to);
        tan_text_say(to,
                     "%d of %d measurements reached --max-waves or --max-time before their "
                     "interval was within %g %%.",
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
    if (tan_predict_disturbed(r)) {
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
    if (tan_predict_lacks_racks(r)) {
        tan_text_say(
            to, "\nPredictions take all hosts to be in different racks; tan-design --racks FILE "
                "knows theirs.");
    }
    tan_cell_doubts_print(r, to);
    tan_results_print_answer(r, to);
}
