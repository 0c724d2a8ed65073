/* fit_output.h - a run of tan-fit, its fits, and its results as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_FIT_FIT_OUTPUT_H
#define TAN_CMD_TAN_FIT_FIT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "design/measured/measured.h"
#include "model/fit/fit.h"
#include "model/wave/wave.h"

/* The command line. */
struct config {
    const char *input, *output, *json, *report, *name;
    enum tan_method method;
    double latency;           /* seconds; NaN: not given */
    struct tan_measured file; /* options that describe the input */
    bool oversubscribed;
    bool details; /* print notes, and the trees that are farthest off, too */
};

/* A model with fitted parameters. The first is TAN. If all trees were fitted, tan-overlap may
 * follow; otherwise the other models that are sums of levels follow, in the order of tan_models;
 * then TAN by the method that was not requested; then tan-overlap, if it was fitted. */
enum { MOST_PREDICTORS = TAN_MODELS + 1 };
struct fit_predictor {
    const struct tan_model *model;
    enum tan_method method;
    char name[24]; /* "tan", "logp", ... "tan-paper" */
};

/* A tree with its times of half a round trip, in seconds. */
struct line {
    const struct tan_wave_group *group; /* borrowed from the session's waves */
    struct tan_tree *tree;              /* NULL: not needed; owned */
    double median;                      /* measured */
    double predicted[MOST_PREDICTORS];  /* by predictor; n_predictors entries are set */
};

/* A run of the program; the arrays are owned. */
struct session {
    const struct config *config;
    struct tan_waves waves;
    struct tan_measured_notes notes; /* about the input */
    struct tan_latency latency;
    bool general;      /* all trees are fitted, not only chains and N-to-1 trees, and not by method
                          paper */
    struct line *line; /* every tree */
    struct tan_observation *seen;        /* the same, for the fits */
    size_t n, n_fitted;                  /* all, and those that TAN is fitted to */
    struct tan_fit_input input;          /* of all fits, but for the method */
    struct tan_fit fit[TAN_METHODS];     /* params.n == 0: not fitted */
    const struct tan_wave_group *uneven; /* tree used by tan-overlap's fit only; may be NULL */
    struct fit_predictor predictor[MOST_PREDICTORS];
    int n_predictors;
    struct tan_checks checks;
};

/* With the name of a machine file. */
#define FIT_NEXT "tan-design --machine %s --leaves N, or --members N --target NAME"

void fit_output_print(const struct session *s, FILE *to);
/* The report as tan-fit/1: a new reference. NULL if memory is short. */
json_t *fit_output_json(const struct session *s, const struct tan_machine *machine);

/* List the trees, fit TAN to chains and N-to-1 trees by both methods, or, if these alone do not
 * determine the parameters but there are other trees or several message sizes, to all; then
 * tan-overlap, with the first uneven tree, unless there are fewer chains and N-to-1 trees than
 * parameters, or some tree has too many processes to simulate; predict all trees, and judge the
 * models. Errors name the tree's line in the input. */
int fit_all(struct session *s, struct tan_error *e);
void fit_clear(struct session *s);
/* Whether TAN is fitted to the tree of a line. */
static inline bool fit_uses(const struct session *s, const struct line *line)
{
    return s->seen[line - s->line].role == TAN_FITS_ALL;
}
static inline bool fit_has_overlap(const struct session *s)
{
    return s->fit[TAN_METHOD_OVERLAP].params.n > 0;
}

#endif
