/* sim_run.h - command line and state of a run of tan-sim; private to the program
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_CMD_SIM_RUN_H
#define TAN_SIM_CMD_SIM_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli.h"
#include "sim/engine/link_options.h"
#include "sim/engine/simulation.h"
#include "sim/loggopsim/compatible.h"
#include "sim/schedule/message_models.h"
#include "sim/schedule/params.h"
#include "sim/schedule/patterns.h"
#include "sim/schedule/tree_wave.h"
#include "sim/sensitivity/cost.h"
#include "sim/sensitivity/response.h"
#include "sim/trace/trace_report.h"
#include "sim/view/path_shares.h"
#include "sim/view/result_report.h"

/* sim_options.c */

/* Models of messages; those after TAN_SIM_TAN are of a machine file's single messages. */
enum tan_sim_model {
    TAN_SIM_BY_OPTIONS, /* auto: chosen by other options and by what the machine file has */
    TAN_SIM_LOGGOPS,
    TAN_SIM_TAN,
    TAN_SIM_LOGGP,
    TAN_SIM_LOGGPO,
    TAN_SIM_FITTED,
    TAN_SIM_NO_OVERLAP,
    TAN_SIM_INDEPENDENT,
};
/* Names by enum tan_sim_model, terminated by NULL. */
extern const char *const tan_sim_models[];

/* Most values of a repeatable option. */
enum { TAN_SIM_VALUES = 16 };

/* The values of an option that may be given several times, in order. */
struct tan_sim_values {
    const char *text[TAN_SIM_VALUES];
    size_t n;
};

/* The command line of tan-sim; strings are borrowed from argv. */
struct tan_sim_config {
    const char *operands[2]; /* a schedule or a trace; for convert also the output */
    int n_operands;
    struct {
        const char *file, *topo, *pattern, *traced; /* one of them; traced: folder of a trace */
        const struct tan_algorithm *algorithms;     /* of a collective to compare; NULL: none */
        int64_t bytes;                              /* -1: not given */
        enum tan_sweep sweep;                       /* 0: not given */
    } source;
    struct {
        const char *set;              /* NULL: not given */
        struct tan_sim_values chosen; /* "bcast=binary-broadcast" */
    } collectives;                    /* of a trace */

    /* parameters */
    struct tan_sim_params params;
    struct tan_sim_values within, settings; /* the last: of --set */
    int64_t eager, ranks_per_host;          /* -1, 0: not given */
    bool costs_given;
    enum tan_sim_model model;
    const char *machine, *map;
    struct {
        const char *spec;
        int64_t seed;
    } noise;
    bool compatible;

    bool critical_path, details;
    struct tan_cost_range sensitivity[TAN_COSTS];
    size_t n_sensitivity;
    struct {
        const char *json, *trace;
        const char *converted; /* of convert */
    } output;
};

/* Fills a struct tan_sim_config. */
extern const struct tan_cli tan_sim_cli;
/* Whether the requested output needs the history of every operation. */
bool tan_sim_keeps_history(const struct tan_sim_config *c);
/* After all options of `command` have been read: refuse conflicting options, and set what follows
 * from several of them, such as whether the operand is a trace, and the model. */
int tan_sim_config_check(struct tan_sim_config *c, const struct tan_command *command,
                         struct tan_error *e);

/* The run */

/* Default of --bytes. */
enum { DEFAULT_BYTES = 8 };

/* State of a run. Unless noted, pointers are owned and NULL if there is no such thing. */
struct run {
    const struct tan_sim_config *c; /* borrowed */
    const char *pattern;            /* borrowed; of the command line, or one of those compared */
    struct tan_sim_params params;
    struct {
        struct tan_link within, between;
        struct tan_simulation simulation; /* of the same model; empty: not simulated */
        struct tan_path_shares shares;
    } unchanged;                     /* without --set */
    struct tan_change_effect effect; /* of --set */
    struct {
        struct tan_machine *machine;
        char *path;
    } file;
    struct tan_doubts doubts; /* about the machine, for this schedule */
    struct tan_noise *noise;
    uint32_t *host_of;            /* per rank, from --map */
    struct tan_sized_link *links; /* costs by message size */
    struct tan_schedule *schedule;
    struct tan_trace trace; /* empty: a schedule */
    struct {
        struct tan_trace_outcome list[TAN_TRACE_OUTCOMES];
        size_t n; /* 0: models were not compared */
    } outcomes;   /* of a trace, under each model */
    struct tan_simulation simulation;
    struct tan_compatible_times compatible;
    struct tan_stuck stuck;
    struct tan_critical_path path;
    struct tan_path_shares shares;           /* with --critical-path, --sensitivity or --set */
    struct tan_response response[TAN_COSTS]; /* of --sensitivity, in its order */
    struct tan_sim_report report;
};

/* Unless stated otherwise, functions return 0, or -1 with an error; what they have set in the run
 * is released by run_clear_schedule and, at the end, by tan-sim.c, even after a failure. */

/* tan-sim.c */

/* Simulate the schedule that was made. */
int run_simulate(struct run *r, struct tan_error *e);

/* sim_costs.c */

/* The model of the machine file's messages; NULL if costs are TAN's or given by options. */
const struct tan_message_model *run_model(const struct run *r);
/* The size of --bytes, or its default. */
uint64_t run_bytes(const struct run *r);
/* Read the machine file, and the costs given by options. */
int run_load_costs(struct run *r, struct tan_error *e);
/* Set the costs in `params` under a model, for all message sizes in the schedule, but keep its
 * `within` and `between`. *links: malloc'd storage of the sizes, freed by the caller even after a
 * failure. */
int run_set_sizes(const struct run *r, const struct tan_message_model *model,
                  struct tan_sim_params *params, struct tan_sized_link **links,
                  struct tan_error *e);
/* Apply --set to the links of `params` and its sizes; `effect` may be NULL. */
int run_change_links(const struct tan_sim_config *c, struct tan_sim_params *params,
                     struct tan_sized_link *sizes, struct tan_change_effect *effect,
                     struct tan_error *e);

/* sim_schedule.c */

/* Build the schedule, the costs of its messages, and the report's header. */
int run_make_schedule(struct run *r, struct tan_error *e);
/* Release everything that belongs to the current schedule. */
void run_clear_schedule(struct run *r);
/* If some operations never finished, find out why, for the report. If a trace was cut, that is the
 * reason: only add a doubt. */
int run_find_stuck(struct run *r, struct tan_error *e);

/* sim_compare.c */

/* Simulate all algorithms of a collective operation, and print and write the comparison. */
int run_compare_algorithms(struct run *r, struct tan_error *e);

/* sim_traces.c */

/* Whether a traced program can be compared with the simulation: it has finished, and not as
 * --compatible, whose times are LogGOPSim's. */
bool run_has_traced(const struct run *r);
/* Whether it is to be said where --set adds time: on the critical paths with and without it. */
bool run_compares_paths(const struct run *r);
/* Simulate without --set, for the report. */
int run_simulate_unchanged(struct run *r, struct tan_error *e);
/* Simulate a trace under every model of the machine file's messages, for r->outcome. */
int run_compare_models(struct run *r, struct tan_error *e);

/* sim_outputs.c */

/* Write what was read to the output of `convert`. */
int run_convert(const struct run *r, struct tan_error *e);
/* Print the results, of a traced program and with --sensitivity one screen of them, and write the
 * requested files. Fails for a deadlock, after that. */
int run_write_results(struct run *r, struct tan_error *e);

#endif
