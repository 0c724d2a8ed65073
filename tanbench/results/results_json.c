/* results_json.c - results as files tan-results/1, and every sample as CSV
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results.h"

#include <math.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/output.h"
#include "tanbench/plan/settings.h"

/* Of probabilities and statistics, and of relative errors; more would be meaningless. */
enum { PROBABILITY_DECIMALS = 4, ERROR_DECIMALS = 6 };

static void append_part(struct tan_json_writer *w, json_t *launches, const struct part *part)
{
    const struct tan_series *s = &part->series;
    json_t *o = tan_json_append_object(w, launches);
    tan_json_set_int(w, o, "launch", part->launch);
    tan_json_set_int(w, o, "pass", part->pass);
    tan_json_set_int(w, o, "waves", (json_int_t)part->n);
    tan_json_set_string(w, o, "stopped", tan_stop_reason_names[part->stopped]);
    tan_json_set_int(w, o, "excluded", part->excluded);
    tan_json_set_bool(w, o, "disturbed", part->disturbed);
    tan_json_set_us(w, o, "median_us", half(part->median));
    tan_results_set_interval(w, o, "ci95_us", s->median_ci95, half(1));
    tan_json_set_fixed(w, o, "n_effective", s->n_effective, PROBABILITY_DECIMALS);
    tan_json_set_fixed(w, o, "lag1", s->lag1, PROBABILITY_DECIMALS);
    tan_json_set_fixed(w, o, "lag1_p", s->lag1_p, PROBABILITY_DECIMALS);
    tan_json_set_fixed(w, o, "drift", s->drift, PROBABILITY_DECIMALS);
    tan_json_set_fixed(w, o, "drift_p", s->drift_p, PROBABILITY_DECIMALS);
}

static void set_predictions(struct tan_json_writer *w, json_t *o, const struct results *r,
                            const struct result *result)
{
    json_t *predicted = tan_json_set_object(w, o, "predicted_us");
    json_t *error = tan_json_set_object(w, o, "error");
    for (int m = 0; m < TAN_MODELS; m++) {
        const struct tan_model *p = &tan_models[m];
        double seconds = tan_predict_wave(r, result, p);
        if (isfinite(seconds)) {
            double measured = half(result->round_trip.median);
            tan_json_set_us(w, predicted, p->name, seconds);
            tan_json_set_fixed(w, error, p->name, seconds / measured - 1, ERROR_DECIMALS);
        }
    }
}

/* Statistics of the round trips at the root. */
static void set_round_trips(struct tan_json_writer *w, json_t *o, const struct results *r,
                            const struct result *result)
{
    const struct tan_launches *all = &result->launches;
    json_t *wave = tan_json_set_object(w, o, "wave_us");
    tan_results_set_summary(w, wave, &result->round_trip, half(1));
    tan_json_set_string(w, wave, "ci95_of", all->n > 1 ? "next launch" : "this launch");
    if (all->n > 1) {
        tan_results_set_interval(w, wave, "centre_ci95", all->ci95, half(1));
        tan_json_set_fixed(w, wave, "launch_spread", all->spread, PROBABILITY_DECIMALS);
    }
    json_t *launches = tan_json_set_array(w, o, "launches");
    for (int i = 0; i < result->n_parts; i++) {
        append_part(w, launches, &result->parts[i]);
    }
    tan_json_set_us(w, o, "period_us", result->waves.period);
    set_predictions(w, o, r, result);
}

static void append_cell(struct tan_json_writer *w, json_t *cells, const struct results *r,
                        const struct result *result, bool run_trusted)
{
    const struct settings *s = &r->plan->settings;
    const struct cell *cell = result->cell;
    const struct measurement *m = &result->waves;
    json_t *o = tan_json_append_object(w, cells);
    tan_json_set_string(w, o, "topo", cell->spec);
    tan_json_set_int(w, o, "leaves", cell->leaves);
    tan_json_set_int(w, o, "processes", cell->processes);
    tan_json_set_int(w, o, "height", cell->height);
    tan_json_set_int(w, o, "max_fanout", cell->max_fanout);
    tan_json_set_int(w, o, "bytes", cell->bytes);
    tan_json_set_int(w, o, "request_bytes", s->request_bytes < 0 ? cell->bytes : s->request_bytes);
    tan_settings_write(w, o, s);
    tan_json_set_string(w, o, "wait", r->wait);
    tan_json_set_int(w, o, "n", (json_int_t)m->n);
    tan_json_set_int(w, o, "batch", m->batch);
    tan_json_set_int(w, o, "warmup", m->warmup);
    tan_json_set_string(w, o, "stopped", tan_stop_reason_names[m->stopped]);
    tan_json_set_bool(w, o, "complete", result->complete);
    tan_cell_doubts_set(w, o, r, result, run_trusted);
    if (!tan_modes[s->mode].pushes) {
        set_round_trips(w, o, r, result);
    }
    tan_results_set_mode(w, o, r, result);
    tan_results_set_samples(w, o, "samples_us", m->round_trips, m->n);
}

/* Whether the run and all its cells are trustworthy, and the doubts about the run and about the
 * parameters of its predictions. Returns whether there are none about the run. */
static bool set_doubts(struct tan_json_writer *w, json_t *document, const struct results *r)
{
    struct tan_doubts run = {.n = 0};
    struct tan_doubts cells = {.n = 0};
    tan_doubt_run(r, &run);
    tan_doubt_cells(r, TAN_DOUBT, &cells);
    const bool run_trusted = tan_doubts_trusted(&run);
    tan_json_set_bool(w, document, "trustworthy", run_trusted && tan_doubts_trusted(&cells));
    tan_doubts_set(w, document, "doubts", &run, TAN_DOUBT);
    tan_doubts_join(&cells, &run);
    if (r->machine != NULL) {
        tan_doubts_set(w, document, "machine_doubts", &r->machine->doubts, TAN_DOUBT);
        tan_doubts_join(&cells, &r->machine->doubts);
    }
    tan_results_set_answer(w, document, r, &cells);
    tan_doubts_clear(&run);
    tan_doubts_clear(&cells);
    return run_trusted;
}

json_t *tan_results_to_json(const struct results *r)
{
    struct tan_json_writer w = {.failed = false};
    json_t *document = tan_json_new_object(&w);
    tan_json_set_string(&w, document, "schema", "tan-results/1");
    tan_json_set(&w, document, "environment", json_incref(r->environment));
    tan_json_set_int(&w, document, "seed", (json_int_t)r->plan->settings.seed);
    tan_json_set_string(&w, document, "machine", r->machine != NULL ? r->machine->name : "none");
    const bool run_trusted = set_doubts(&w, document, r);
    json_t *cells = tan_json_set_array(&w, document, "cells");
    for (int i = 0; i < r->n; i++) {
        append_cell(&w, cells, r, &r->list[i], run_trusted);
    }
    if (r->validates) {
        tan_validate_set_json(&w, document, r);
    }
    return tan_json_finish(&w, document);
}

int tan_results_save(const struct results *r, const char *path, struct tan_error *e)
{
    return tan_json_save_new(path, tan_results_to_json(r), e);
}

int tan_results_save_raw(const struct results *r, const char *path, struct tan_error *e)
{
    struct tan_output *out = tan_output_open(path, e);
    if (out == NULL) {
        return -1;
    }
    FILE *to = tan_output_stream(out);
    fprintf(to, "topology,index,round_trip_us,wave_us,bytes,launch,pass\n");
    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        size_t j = 0;
        for (int k = 0; k < result->n_parts; k++) {
            for (size_t end = j + result->parts[k].n; j < end; j++) {
                double us = result->waves.round_trips[j] * 1e6;
                tan_csv_write_field(result->cell->spec, to); /* file:PATH may have commas */
                fprintf(to, ",%zu,%.3f,%.4f,%lld,%d,%d\n", j, us, half(us),
                        (long long)result->cell->bytes, result->parts[k].launch + 1,
                        result->parts[k].pass + 1);
            }
        }
    }
    return tan_output_commit(out, e);
}
