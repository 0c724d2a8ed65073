/* trace_programs.h - traced programs side by side
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACE_TRACE_PROGRAMS_H
#define TAN_SIM_TRACE_TRACE_PROGRAMS_H

#include <stdio.h>

#include "sim/engine/simulation.h"
#include "sim/schedule/params.h"
#include "sim/trace/trace_report.h"
#include "sim/trace/trace_schedule.h"

struct json_t;
struct tan_json_writer;

/* Times in seconds since the program's first rank left MPI_Init. */
struct tan_program_times {
    double traced, simulated;
    double alone; /* simulated without the others; NaN: they do not affect it */
    /* Of a single program under each model; empty if models were not compared. */
    struct tan_trace_outcome outcome[TAN_TRACE_OUTCOMES];
    size_t n_outcomes;
};

/* The times of program `t` in a simulation of several. If programs share cores, they affect each
 * other; then the program is also simulated alone, on the same hosts. It is an error if that
 * simulation does not finish. O(its trace). */
int tan_program_times(const struct tan_trace *t, const struct tan_trace_options *options,
                      const struct tan_sim_params *params, const struct tan_simulation *s,
                      struct tan_program_times *out, struct tan_error *e);
/* A row per program, followed by the output of tan_trace_print for each; for a single program only
 * the latter. */
void tan_programs_print(const struct tan_trace *t, const struct tan_program_times *times, size_t n,
                        const struct tan_trace_runs *runs, FILE *to);
/* The same as members of `object`: "program", or a list "programs" if there are several. */
void tan_programs_set_json(struct tan_json_writer *w, struct json_t *object,
                           const struct tan_trace *t, const struct tan_program_times *times,
                           size_t n, const struct tan_trace_runs *runs);

#endif
