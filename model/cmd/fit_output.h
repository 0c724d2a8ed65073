/* fit_output.h - what tan-fit found, as text and as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_CMD_FIT_OUTPUT_H
#define MODEL_CMD_FIT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "model/fit/waves.h"
#include "model/wave/links.h"
#include "model/wave/wave.h"

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

/* What predicts: every row of tan_models with the parameters of the method that was asked for, then
 * TAN with the other one's. */
enum { MOST_PREDICTORS = 8 };
struct fit_predictor {
    const struct tan_model *model;
    enum tan_method method;
    char name[24]; /* "tan", "logp", ... "tan-paper" */
};

/* A topology with its measured and predicted times, in seconds. */
struct line {
    const struct tan_wave_group *group;
    double median;
    double known; /* of which links take; 0: not known */
    double predicted[MOST_PREDICTORS];
};

struct session {
    const struct config *config;
    struct tan_waves waves;
    struct links links;
    double *rest;                /* waves that are fitted, less what their links take */
    struct tan_fit fit[METHODS]; /* by method */
    struct tan_latency latency;
    struct fit_predictor predictor[MOST_PREDICTORS];
    int n_predictors;
    struct line *fitted, *held_out;
    size_t n_fitted, n_held_out;
};

/* Errors of TAN, the first predictor, in percent of what is left of waves without the latency that
 * is known, which is all where none is: mean of absolute values. */
double fit_output_mean_off(const struct line *lines, size_t n);

void fit_output_print(const struct session *s, FILE *to);
/* NULL when memory is short. */
json_t *fit_output_json(const struct session *s, const struct tan_machine *machine);

#endif
