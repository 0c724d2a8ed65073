/* sim_run.h - state of a run of tan-sim; private to the program
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TAN_SIM_SIM_RUN_H
#define CMD_TAN_SIM_SIM_RUN_H

#include "cmd/tan-sim/sim_options.h"
#include "sim/engine/link_options.h"
#include "sim/engine/simulate.h"
#include "sim/loggopsim/compatible.h"
#include "sim/schedule/message_models.h"
#include "sim/trace/trace_programs.h"
#include "sim/view/result_report.h"

enum { DEFAULT_BYTES = 8, DEFAULT_FLOPS = 1000000000, TIMELINE_OPERATIONS = 1500 };

/* State of a run. */
struct run {
    const struct tan_sim_config *c;
    const char *pattern; /* of the command line, or one algorithm of it */
    struct tan_sim_params params;
    struct {
        struct tan_link within, between;
    } unchanged;                     /* those of `params` without --set */
    struct tan_change_effect effect; /* of --set */
    struct tan_machine *machine;
    char *machine_file;
    struct tan_doubts doubts; /* of the machine, about this schedule */
    struct tan_noise *noise, *compute_noise;
    uint32_t *host_of;
    struct tan_sized_link *links;
    struct tan_schedule *schedule;
    char *source;             /* names of the programs; NULL: no traces */
    struct tan_trace *traces; /* of the command's programs */
    struct tan_program_times *times;
    struct tan_simulation simulation;
    struct tan_compatible_times compatible;
    struct tan_stuck stuck;
    struct tan_critical_path path;
    struct tan_sim_report report;
};

/* Functions return -1 with an error, or 0, where nothing else is said. */

/* sim_costs.c */

/* The model of the machine file's messages; NULL: it is TAN, or given by options. */
const struct tan_message_model *run_model(const struct run *r);
/* Read the machine file, and what options say of costs. */
int run_load_costs(struct run *r, struct tan_error *e);
/* What messages of every size of the schedule cost under a model; the parameters of other
 * links stay. *links: malloc'd. */
int run_set_sizes(const struct run *r, const struct tan_message_model *model,
                  struct tan_sim_params *params, struct tan_sized_link **links,
                  struct tan_error *e);
/* --set; `effect` may be NULL. */
int run_change_link(const struct tan_sim_config *c, struct tan_link *link,
                    struct tan_change_effect *effect, struct tan_error *e);
/* --set, of every link that there is. */
int run_change_links(const struct tan_sim_config *c, struct tan_sim_params *params,
                     struct tan_sized_link *sizes, struct tan_change_effect *effect,
                     struct tan_error *e);

/* sim_schedule.c */

/* Seconds of a clock that only goes on. */
double run_seconds(void);
/* Options of traces. */
struct tan_trace_options run_trace_options(const struct run *r);
/* Room for the traces of the command's programs. */
int run_begin_traces(struct run *r, struct tan_error *e);
/* What is doubted of the traces. */
void run_doubt_traces(struct run *r);
/* What a report says before there are results. */
int run_begin_report(struct run *r, struct tan_error *e);
/* Make the schedule, what messages of it cost, and what a report says of it. */
int run_make_schedule(struct run *r, struct tan_error *e);
/* Release what belongs to one schedule. */
void run_clear_schedule(struct run *r);
/* The hosts of --map. */
int run_map_ranks(struct run *r, uint32_t ranks, struct tan_error *e);
/* Say what never happened. */
int run_find_stuck(struct run *r, struct tan_error *e);

/* sim_traces.c */

/* There are traces, and a simulation that can be held against them: one that has ended, and has not
 * the times of LogGOPSim. */
bool run_has_traced(const struct run *r);
/* What the programs of a simulated schedule took, each by itself, too. */
int run_time_programs(struct run *r, struct tan_error *e);
/* A trace under every model of the machine file's messages. */
int run_compare_models(struct run *r, struct tan_error *e);
/* Whether the trace can be simulated while it is read. */
bool run_may_be_fed(const struct tan_sim_config *c);
/* Do so. 1: the schedule is to be made as a whole. */
int run_simulate_fed(struct run *r, struct tan_error *e);

/* sim_outputs.c */

/* Whether the page has a timeline. */
bool run_draws_timeline(const struct run *r);
/* Write the schedule as GOAL. */
int run_write_goal(const struct run *r, struct tan_error *e);
/* Refuse --trace where it would be too large. */
int run_check_trace(const struct run *r, struct tan_error *e);
/* Whether there is JSON or a page to write. */
bool run_wants_document(const struct tan_sim_config *c);
/* Print and write the results. */
int run_put_out(struct run *r, struct tan_error *e);

#endif
