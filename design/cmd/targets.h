/* targets.h - the options --target and --targets
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CMD_TARGETS_H
#define TAN_DESIGN_CMD_TARGETS_H

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
/* Answer it. `up`, `down`: the parameters, with the payloads of the two ways. */
int targets_run(const struct target_request *request, const struct tan_provenance *from,
                const struct tan_model *model, const struct tan_params *up,
                const struct tan_params *down, struct tan_error *e);

#endif
