/* sim_options.h - the command line of tan-sim
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CMD_SIM_OPTIONS_H
#define SIM_CMD_SIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli.h"
#include "sim/schedule/params.h"
#include "sim/schedule/tree_wave.h"

/* What convert writes. */
enum tan_sim_format { TAN_SIM_GOAL, TAN_SIM_BINARY, TAN_SIM_BY_NAME };

enum tan_sim_model { TAN_SIM_BY_OPTIONS, TAN_SIM_LOGGOPS, TAN_SIM_TAN };

struct tan_sim_config {
    /* where the schedule comes from */
    const char *operands[2]; /* a schedule; of convert also the file to write */
    int n_operands;
    const char *file, *topo, *pattern;
    int64_t bytes;        /* -1: not given */
    int64_t waves;        /* 0: not given */
    enum tan_sweep sweep; /* 0: not given */

    /* what things cost */
    struct tan_sim_params params;
    const char *within, *between;         /* NULL: not given */
    int64_t eager, ranks_per_host, cores; /* -1, 0, 0: not given */
    bool costs_given, control_given;
    enum tan_sim_model model;
    const char *machine, *map, *noise;
    int64_t seed;
    bool compatible;

    /* what comes of it */
    const char *json, *svg, *trace;
    bool critical_path, timing;

    /* of convert */
    const char *output;
    enum tan_sim_format to;
};

/* What `tan-sim` starts from; strings are borrowed from argv. */
#define TAN_SIM_CONFIG_INIT                                                                        \
    {                                                                                              \
        .params = tan_sim_defaults, .bytes = -1, .eager = -1, .seed = 1, .to = TAN_SIM_BY_NAME     \
    }

/* Fills a struct tan_sim_config. */
extern const struct tan_cli tan_sim_cli;
/* Once all options of `command` are read: sort the operands, and refuse what does not go together.
 */
int tan_sim_config_check(struct tan_sim_config *c, const struct tan_command *command,
                         struct tan_error *e);

#endif
