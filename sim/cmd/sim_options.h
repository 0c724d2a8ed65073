/* sim_options.h - the command line of tan-sim
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CMD_SIM_OPTIONS_H
#define SIM_CMD_SIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli.h"
#include "sim/schedule/params.h"
#include "sim/schedule/tree_wave.h"

enum { TAN_SIM_OPERANDS = 3 };

enum tan_sim_model { TAN_SIM_BY_OPTIONS, TAN_SIM_LOGGOPS, TAN_SIM_TAN };

struct tan_sim_config {
    /* where the schedule comes from */
    const char *operands[TAN_SIM_OPERANDS];
    int n_operands;
    const char *file, *topo, *pattern;
    int64_t bytes; /* -1: not given */
    int64_t waves; /* 0: not given */
    enum tan_sweep sweep;
    bool sweep_given;

    /* what things cost */
    struct tan_sim_params params;
    const char *within, *between; /* NULL: not given */
    bool costs_given, eager_given, control_given;
    enum tan_sim_model model;
    const char *machine, *map, *noise;
    int64_t seed;
    bool compatible;

    /* what comes of it */
    const char *goal, *json, *svg, *trace, *to;
    bool critical_path, timing;
};

/* What `tan-sim` starts from; strings are borrowed from argv. */
#define TAN_SIM_CONFIG_INIT                                                                        \
    {                                                                                              \
        .params = tan_sim_defaults, .bytes = -1, .sweep = TAN_SWEEP_UP, .seed = 1                  \
    }

/* Fills a struct tan_sim_config. */
extern const struct tan_cli tan_sim_cli;
/* Once all options are read: take "convert IN OUT" apart, and refuse what does not go together. */
int tan_sim_config_check(struct tan_sim_config *c, struct tan_error *e);

bool tan_sim_is_stdout(const char *path);

#endif
