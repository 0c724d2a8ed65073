/* targets.h - the options --target and --targets
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TAN_DESIGN_TARGETS_H
#define CMD_TAN_DESIGN_TARGETS_H

#include "design/report/report.h"

/* Strings are borrowed; NULL or 0: not given. */
struct target_request {
    const char *target;
    bool targets; /* all, in a table */
    const char *setting, *tree;
    int64_t leaves, members;
    const char *hosts; /* a file or a host list */
    const char *output, *json, *report;
};

/* Wrong combinations. */
int targets_check(const struct target_request *request, struct tan_error *e);
/* What waves cost. */
struct target_params {
    const struct tan_params *up, *down; /* of each way, with its payload; may be the same */
    /* Of round trips, for systems whose settings decide about both ways; NULL: the mean of both. */
    const struct tan_params *round;
    int ways; /* as in struct tan_target_problem */
};
/* Answer it. */
int targets_run(const struct target_request *request, const struct tan_provenance *from,
                const struct tan_model *model, const struct target_params *params,
                struct tan_error *e);

#endif
