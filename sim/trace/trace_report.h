/* trace_report.h - a traced program next to its simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACE_TRACE_REPORT_H
#define TAN_SIM_TRACE_TRACE_REPORT_H

#include <stdio.h>

#include "sim/engine/simulation.h"
#include "sim/schedule/message_models.h"
#include "sim/trace/trace_schedule.h"

struct json_t;
struct tan_json_writer;

/* Simulation under one model. */
struct tan_trace_outcome {
    const struct tan_message_model *model;
    double finish;    /* of the last rank, seconds; NaN: parameters are missing */
    double unchanged; /* without --set; NaN: not used */
};
enum { TAN_TRACE_OUTCOMES = 8 };

/* The simulations that a trace is compared with; borrowed. */
struct tan_trace_runs {
    const struct tan_simulation *simulation;
    bool changed; /* by --set: its differences from the trace are then no errors */
    const struct tan_simulation *unchanged; /* without --set; NULL: none, or not simulated */
};

/* From the first rank's start to the last one's end in the trace; seconds. */
double tan_trace_finish(const struct tan_trace *t);
/* For --details: each rank's traced and simulated run time; the program under `n` models (0: none),
 * including those about overlap, and the effect of --set on the traced time; the calls by time,
 * longest first, and which of them --set changes. */
void tan_trace_print(const struct tan_trace *t, const struct tan_trace_runs *runs,
                     const struct tan_trace_outcome *outcomes, size_t n, FILE *to);
/* The same as members of `object`. */
void tan_trace_set_json(struct tan_json_writer *w, struct json_t *object, const struct tan_trace *t,
                        const struct tan_trace_runs *runs, const struct tan_trace_outcome *outcomes,
                        size_t n);

#endif
