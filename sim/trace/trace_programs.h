/* trace_programs.h - traced programs side by side
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_TRACE_TRACE_PROGRAMS_H
#define SIM_TRACE_TRACE_PROGRAMS_H

#include <stdio.h>

#include "sim/engine/simulation.h"
#include "sim/schedule/params.h"
#include "sim/trace/trace_report.h"
#include "sim/trace/trace_schedule.h"

struct json_t;
struct tan_json_writer;

/* Times in seconds, from the moment at which the program's first rank has left MPI_Init. */
struct tan_program_times {
    double traced, simulated;
    double alone; /* simulated without the others; NaN: they cannot disturb it */
    /* Of a single program, under each model; none where they were not compared. */
    struct tan_trace_outcome outcome[TAN_TRACE_OUTCOMES];
    size_t n_outcomes;
};

/* The times of program `t` of a simulation of several. Programs disturb each other where their
 * ranks share cores: then it is loaded and simulated alone, on the hosts that it has among the
 * others. A schedule that does not end then is an error. O(its trace). */
int tan_program_times(const struct tan_trace *t, const struct tan_trace_options *options,
                      const struct tan_sim_params *params, const struct tan_simulation *s,
                      struct tan_program_times *out, struct tan_error *e);
/* A row for each of the n programs, and then what tan_trace_print says of each; of a single one
 * only the latter. */
void tan_programs_print(const struct tan_trace *t, const struct tan_program_times *times, size_t n,
                        const struct tan_simulation *s, FILE *to);
/* The same as members of `object`: "program", or of several the list "programs". */
void tan_programs_set_json(struct tan_json_writer *w, struct json_t *object,
                           const struct tan_trace *t, const struct tan_program_times *times,
                           size_t n, const struct tan_simulation *s);

#endif
