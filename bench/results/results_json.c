/* results_json.c - results as files: tan-results/1, raw samples as CSV
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/results_json.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/output.h"
#include "bench/plan/mode.h"
#include "bench/results/predict.h"
#include "bench/results/results_modes.h"
#include "bench/results/validate.h"
#include "bench/results/verdict.h"

/* Microseconds to the nanosecond: no clock here tells more. */
static json_t *microseconds(double seconds)
{
    return json_real(round(seconds * 1e9) / 1e3);
}

static void add_interval(json_t *o, const char *key, struct tan_interval interval, double factor)
{
    if (interval.low <= interval.high) {
        json_object_set_new(o, key,
                            json_pack("[o, o]", microseconds(factor * interval.low),
                                      microseconds(factor * interval.high)));
    }
}

/* Probabilities and the like: more digits would say nothing. */
static json_t *rounded(double value)
{
    return json_real(round(value * 1e4) / 1e4);
}

static json_t *launches_json(const struct result *result)
{
    json_t *launches = json_array();

    for (int i = 0; i < result->n_parts; i++) {
        const struct part *part = &result->parts[i];
        const struct tan_series *s = &part->series;
        json_t *o =
            json_pack("{s:i, s:i, s:I, s:s, s:I, s:b, s:o}", "launch", part->launch, "pass",
                      part->pass, "waves", (json_int_t)part->n, "stopped",
                      tan_stop_reason_names[part->stopped], "excluded", (json_int_t)part->excluded,
                      "disturbed", part->disturbed, "median_us", microseconds(half(part->median)));
        add_interval(o, "ci95_us", s->median_ci95, half(1));
        json_object_update_new(o, json_pack("{s:o, s:o, s:o, s:o, s:o}", "n_effective",
                                            rounded(s->n_effective), "lag1", rounded(s->lag1),
                                            "lag1_p", rounded(s->lag1_p), "drift",
                                            rounded(s->drift), "drift_p", rounded(s->drift_p)));
        json_array_append_new(launches, o);
    }
    return launches;
}

static void add_predictions(json_t *o, const struct results *r, const struct result *result)
{
    json_t *predicted = json_object();
    json_t *error = json_object();

    for (int m = 0; m < PREDICTORS; m++) {
        const struct tan_predictor *p = &tan_predictors[m];
        double seconds = tan_predict_wave(r, result, p);
        if (isfinite(seconds)) {
            double measured = half(result->round_trip.median);
            json_object_set_new(predicted, p->name, microseconds(seconds));
            json_object_set_new(error, p->name,
                                json_real(round((seconds / measured - 1) * 1e6) / 1e6));
        }
    }
    json_object_set_new(o, "predicted_us", predicted);
    json_object_set_new(o, "error", error);
}

/* What the root's own round trips say. */
static void add_round_trips(json_t *o, const struct results *r, const struct result *result)
{
    json_t *wave = tan_results_summary_json(&result->round_trip, half(1));

    json_object_set_new(wave, "ci95_of",
                        json_string(result->launches.n > 1 ? "next launch" : "this launch"));
    if (result->launches.n > 1) {
        add_interval(wave, "centre_ci95", result->launches.ci95, half(1));
        json_object_set_new(wave, "launch_spread", rounded(result->launches.spread));
    }
    json_object_set_new(o, "wave_us", wave);
    json_object_set_new(o, "launches", launches_json(result));
    json_object_set_new(o, "period_us", microseconds(result->waves.period));
    add_predictions(o, r, result);
}

static json_t *cell_json(const struct results *r, const struct result *result)
{
    const struct settings *s = &r->plan->settings;
    const struct cell *cell = result->cell;
    json_t *samples = json_array();
    char sync[64];
    json_t *o = json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:I, s:I, s:s, s:s, s:o, s:s, s:s, s:s, s:I, s:I, s:I, s:s, "
        "s:b}",
        "topo", cell->spec, "leaves", cell->leaves, "processes", cell->processes, "height",
        cell->height, "max_fanout", cell->max_fanout, "bytes", (json_int_t)cell->bytes,
        "request_bytes", (json_int_t)(s->request_bytes < 0 ? cell->bytes : s->request_bytes),
        "mode", tan_modes[s->mode].name, "filter", s->filter, "work_us", microseconds(s->work),
        "sync", tan_sync_policy_format(&s->sync, sync, sizeof sync), "type",
        tan_element_names[s->element], "wait", r->wait, "n", (json_int_t)result->waves.n, "batch",
        (json_int_t)result->waves.batch, "warmup", (json_int_t)result->waves.warmup, "stopped",
        tan_stop_reason_names[result->waves.stopped], "complete", result->complete);

    tan_verdict_add_json(r, result, o);
    if (!tan_modes[s->mode].pushes) {
        add_round_trips(o, r, result);
    }
    tan_results_add_mode(o, r, result);
    for (size_t i = 0; i < result->waves.n; i++) {
        json_array_append_new(samples, microseconds(result->waves.round_trips[i]));
    }
    json_object_set_new(o, "samples_us", samples);
    return o;
}

int tan_results_save(const struct results *r, const char *path, struct tan_error *e)
{
    json_t *cells = json_array();
    json_t *document =
        json_pack("{s:s, s:O, s:I, s:s, s:o}", "schema", "tan-results/1", "environment",
                  r->environment, "seed", (json_int_t)r->plan->settings.seed, "machine",
                  r->machine ? r->machine->name : "none", "cells", cells);
    int result = -1;

    for (int i = 0; document && i < r->n; i++) {
        json_array_append_new(cells, cell_json(r, &r->list[i]));
    }
    if (!document || (r->validates && tan_validate_add_json(r, document))) {
        tan_fail_nomem(e);
    } else {
        result = tan_json_save(path, document, e);
    }
    json_decref(document);
    return result;
}

int tan_results_save_raw(const struct results *r, const char *path, struct tan_error *e)
{
    struct tan_output *out = tan_output_open(path, e);

    if (!out) {
        return -1;
    }
    fprintf(tan_output_stream(out), "topology,index,round_trip_us,wave_us,bytes,launch,pass\n");
    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        size_t j = 0;
        for (int k = 0; k < result->n_parts; k++) {
            for (size_t end = j + result->parts[k].n; j < end; j++) {
                double us = result->waves.round_trips[j] * 1e6;
                fprintf(tan_output_stream(out), "%s,%zu,%.3f,%.4f,%lld,%d,%d\n", result->cell->spec,
                        j, us, half(us), (long long)result->cell->bytes,
                        result->parts[k].launch + 1, result->parts[k].pass + 1);
            }
        }
    }
    return tan_output_commit(out, e);
}
