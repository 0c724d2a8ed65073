/* fit_output.h - what tan-fit found, as text and as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_CMD_FIT_OUTPUT_H
#define MODEL_CMD_FIT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "model/fit/waves.h"
#include "model/wave/links.h"

enum {
    METHODS = 2,
    MAX_PERCENT_OFF = 30, /* mean absolute error of predictions, beyond which there are doubts */
};

/* The command line. */
struct config {
    const char *input, *output, *json, *name, *links;
    enum tan_method method;
    double latency; /* seconds; NaN: not given */
    int64_t bootstrap, seed, bytes;
    bool oversubscribed;
};

/* A topology with its measured and predicted times, in seconds. */
struct line {
    const struct tan_wave_group *group;
    double median;
    double known; /* of which links take; 0: not known */
    double logp, tan[METHODS];
};

struct session {
    const struct config *config;
    struct tan_waves waves;
    struct links links;
    double *rest;                /* waves that are fitted, less what their links take */
    struct tan_fit fit[METHODS]; /* by method */
    struct tan_latency latency;
    struct line *fitted, *held_out;
    size_t n_fitted, n_held_out;
};

/* Means of the absolute errors of predictions in percent: of waves, and of what is left of them
 * without the latency that is known, which is all where none is. `method` is that of TAN's
 * parameters, or LOGP. */
enum { LOGP = -1 };
struct mean_off {
    double all, rest;
};
struct mean_off fit_output_mean_off(const struct line *lines, size_t n, int method);

void fit_output_print(const struct session *s, FILE *to);
/* NULL when memory is short. */
json_t *fit_output_json(const struct session *s, const struct tan_machine *machine);

#endif
