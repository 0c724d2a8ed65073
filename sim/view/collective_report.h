/* collective_report.h - comparison of the algorithms of a collective operation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_VIEW_COLLECTIVE_REPORT_H
#define TAN_SIM_VIEW_COLLECTIVE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/view/result_report.h"

enum { TAN_CONTESTANTS = 8 };

struct tan_contestant {
    char pattern[64]; /* "ring-allreduce:1000" */
    int64_t operations;
    bool simulated;  /* false: not enough memory */
    uint64_t finish; /* picoseconds */
};

struct tan_contest {
    const char *collective; /* "allreduce:1000" */
    int64_t bytes;
    int n;
    struct tan_contestant row[TAN_CONTESTANTS];
};

/* The fastest first, those not simulated last. */
void tan_contest_sort(struct tan_contest *contest);
/* A sorted contest, the first algorithm of which was simulated. `common`: any of the simulations,
 * for the parameters. */
void tan_contest_print(const struct tan_contest *contest, const struct tan_sim_report *common,
                       FILE *to);
/* The same as `tan-collective/1`; the caller owns the reference. NULL if memory is short. */
struct json_t *tan_contest_json(const struct tan_contest *contest,
                                const struct tan_sim_report *common);

#endif
