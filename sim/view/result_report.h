/* result_report.h - results of a simulation as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_VIEW_RESULT_REPORT_H
#define TAN_SIM_VIEW_RESULT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "model/machine/machine.h"
#include "sim/engine/deadlock.h"
#include "sim/engine/simulation.h"
#include "sim/loggopsim/compatible.h"
#include "sim/schedule/message_models.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"
#include "sim/view/critical_path.h"

struct json_t;
struct tan_json_writer;

/* Changes to the costs of messages, and what they are compared with. Times are seconds, factors
 * multiples of the run time; NaN: unknown. */
struct tan_sim_change {
    const char *const *settings; /* "L=+100us"; borrowed */
    size_t n;
    double unchanged;        /* simulated without them */
    double traced;           /* of a program that was traced without them */
    double least, most;      /* of the factors under all models without assumptions about overlap */
    struct tan_link between; /* the costs without them */
};

/* A simulation and its source; owns nothing. */
struct tan_sim_report {
    const char *source;                /* file or spec */
    const char *sweep;                 /* for trees: the direction of the wave; else NULL */
    const struct tan_machine *machine; /* origin of the parameters; NULL: options */
    const char *machine_file;
    const struct tan_doubts *doubts;       /* about the machine; borrowed */
    const struct tan_message_model *model; /* LogGOPS by these messages; NULL: TAN with this
                                              machine's parameters */
    uint64_t bytes; /* size of the messages whose costs are `between` and `within` of params; 0: the
                       costs of every size */
    bool defaults;  /* LogGOPS with LogGOPSim's default parameters */
    const struct tan_schedule *schedule;
    const struct tan_sim_params *params;
    uint64_t waiting; /* the answer depends on S, which is that of a host's memory, since messages
                         up to this size wait for their receivers; 0: it does not */
    const char *map;  /* file with the hosts of ranks; NULL: none */
    struct {
        const char *spec; /* NULL: none */
        uint64_t seed;
    } noise;
    const struct tan_simulation *simulation;
    const struct tan_compatible_times *compatible; /* with --compatible; else NULL */
    const struct tan_stuck *stuck;                 /* NULL: the job has finished */
    const struct tan_critical_path *path;          /* NULL: not requested */
    bool table; /* the answer has one: it says neither the costs of sizes, nor after a change when
                   the last rank finishes */
    struct tan_sim_change change; /* n is 0: none */
    struct {
        double read, prepare, simulate;
    } seconds; /* of the program itself */
};

/* Maximum number of listed steps of a critical path, except with --details. */
enum { TAN_SIM_LISTED = 40 };

/* Lines about model, hosts and noise. */
void tan_sim_parameters_print(const struct tan_sim_report *r, FILE *to);
/* The run time as a multiple of the unchanged one, which is the answer, since both are simulated;
 * and of the traced one if the simulation, changed or not, lacks the same time. NaN: unknown. */
double tan_sim_change_factor(const struct tan_sim_report *r);
double tan_sim_change_traced_factor(const struct tan_sim_report *r);
/* The settings of --set, what they change and how sure that is, if known; nothing without --set. */
void tan_sim_change_print(const struct tan_sim_report *r, FILE *to);
/* Schedule, parameters, finish times (of every rank if there are few). */
void tan_sim_report_print(const struct tan_sim_report *r, FILE *to);
/* Messages never received, receives never matched, operations never started, and the chain of
 * waits. */
void tan_sim_report_stuck(const struct tan_sim_report *r, FILE *to);
/* The same in a sentence: "2 messages are never received, ..." */
struct tan_text tan_sim_stuck_text(const struct tan_simulation *s, const struct tan_stuck *stuck);
/* Fill `object` with the parameters. */
void tan_sim_parameters_json(struct tan_json_writer *w, struct json_t *object,
                             const struct tan_sim_report *r);
/* The same about --set, as a member "change" of `object`; none without --set. */
void tan_sim_change_json(struct tan_json_writer *w, struct json_t *object,
                         const struct tan_sim_report *r);
/* Begin the "answer" (base/reply.h) of a document with what is printed about --set and the
 * parameters; returns it, borrowed. And when the last rank finishes, of a traced program next to
 * the traced time, or why it never does. */
struct json_t *tan_sim_answer(struct tan_json_writer *w, struct json_t *document,
                              const struct tan_sim_report *r);
void tan_sim_finish_say(struct tan_json_writer *w, struct json_t *answer,
                        const struct tan_sim_report *r);
/* Everything as `tan-sim/1`; the caller owns the reference. NULL if memory is short or a text is
 * not UTF-8. */
struct json_t *tan_sim_report_json(const struct tan_sim_report *r);

#endif
