/* sim_options.h - command line of tan-sim
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_CMD_SIM_OPTIONS_H
#define TAN_SIM_CMD_SIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli.h"
#include "sim/schedule/params.h"
#include "sim/schedule/patterns.h"
#include "sim/schedule/tree_wave.h"
#include "sim/sensitivity/cost.h"

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
    /* source of the schedule */
    const char *operands[2]; /* a schedule or a trace; for convert also the output */
    int n_operands;
    const char *file, *topo, *pattern;
    const char *traced;                     /* folder of a trace; NULL: a schedule */
    const char *collectives;                /* NULL: not given */
    struct tan_sim_values collective;       /* "bcast=binary-broadcast" */
    const struct tan_algorithm *algorithms; /* of a collective operation to compare; NULL: none */
    int64_t bytes;                          /* -1: not given */
    enum tan_sweep sweep;                   /* 0: not given */

    /* parameters */
    struct tan_sim_params params;
    struct tan_sim_values within, settings; /* the last: of --set */
    int64_t eager, ranks_per_host;          /* -1, 0: not given */
    bool costs_given;
    enum tan_sim_model model;
    const char *machine, *map, *noise;
    int64_t seed;
    bool compatible;

    /* output */
    const char *json, *trace;
    bool critical_path;
    struct tan_cost_range sensitivity[TAN_COSTS];
    size_t n_sensitivity;

    /* of convert */
    const char *output;
};

/* Values before options are read. */
#define TAN_SIM_CONFIG_INIT                                                                        \
    {                                                                                              \
        .params = tan_sim_defaults, .bytes = -1, .eager = -1, .seed = 1                            \
    }

/* Fills a struct tan_sim_config. */
extern const struct tan_cli tan_sim_cli;
/* Whether the requested output needs the history of every operation. */
bool tan_sim_keeps_history(const struct tan_sim_config *c);
/* After all options of `command` have been read: refuse conflicting options, and set what follows
 * from several of them, such as whether the operand is a trace, and the model. */
int tan_sim_config_check(struct tan_sim_config *c, const struct tan_command *command,
                         struct tan_error *e);

#endif
