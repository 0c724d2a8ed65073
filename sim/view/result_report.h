/* result_report.h - results of a simulation as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_VIEW_RESULT_REPORT_H
#define SIM_VIEW_RESULT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/machine/machine.h"
#include "sim/engine/deadlock.h"
#include "sim/engine/simulate.h"
#include "sim/loggopsim/compatible.h"
#include "sim/schedule/message_models.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"
#include "sim/view/critical_path.h"

struct json_t;
struct tan_json_writer;

/* A simulation and its source; nothing in it is owned. */
struct tan_sim_report {
    const char *source; /* the file or the spec */
    const char *sweep;  /* of a tree: the direction of its waves; else NULL */
    uint32_t waves;
    const struct tan_machine *machine; /* whose parameters are used; NULL: those of options */
    const char *machine_file;
    const struct tan_doubts *doubts;       /* of the machine; borrowed */
    bool tan;                              /* the model is TAN, with this machine; else LogGOPS */
    const struct tan_message_model *model; /* of the machine's messages; NULL: tan */
    bool defaults;                         /* of LogGOPS: LogGOPSim's parameters, none was given */
    uint32_t ranks;
    uint64_t operations;
    const struct tan_schedule *schedule; /* the whole, or what was left at the end; may be NULL
                                            where all has happened */
    const struct tan_sim_params *params;
    const char *map;                   /* the file with each rank's host; NULL: none */
    const char *noise, *compute_noise; /* their specs; NULL: none */
    uint64_t seed;
    const struct tan_simulation *simulation;
    const struct tan_compatible_times *compatible; /* of a simulation as LogGOPSim's; else NULL */
    const struct tan_stuck *stuck;                 /* NULL: the job has ended */
    const struct tan_critical_path *path;          /* NULL: not asked for */
    double read_s, prepare_s, simulate_s;          /* time of the program itself */
};

/* Maximum number of listed steps of a critical path. */
enum { TAN_SIM_LISTED = 40 };

/* The lines about model, hosts and noise. */
void tan_sim_parameters_print(const struct tan_sim_report *r, FILE *to);
/* Schedule, parameters, finish times (of every rank when there are few), the critical path. */
void tan_sim_report_print(const struct tan_sim_report *r, FILE *to);
/* Messages never received, receives never matched, operations never started, and the chain of
 * waits. */
void tan_sim_report_stuck(const struct tan_sim_report *r, FILE *to);
/* One sentence about the same: "2 messages are never received, ...". Returns `buffer`. */
const char *tan_sim_stuck_text(const struct tan_simulation *s, const struct tan_stuck *stuck,
                               char *buffer, size_t size);
/* Fill `object` with the parameters. */
void tan_sim_parameters_json(struct tan_json_writer *w, struct json_t *object,
                             const struct tan_sim_report *r);
/* Everything as `tan-sim/1`; the caller owns the reference. NULL when memory is short or a text is
 * no UTF-8. */
struct json_t *tan_sim_report_json(const struct tan_sim_report *r);

#endif
