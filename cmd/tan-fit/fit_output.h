/* fit_output.h - a run of tan-fit, its fits, and its results as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_FIT_FIT_OUTPUT_H
#define TAN_CMD_TAN_FIT_FIT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "design/measured/measured.h"
#include "model/fit/cross.h"
#include "model/fit/overlap_fit.h"
#include "model/fit/tree_fit.h"
#include "model/wave/wave.h"

enum { METHODS = 2 };

/* Of the resamplings. */
enum { FIT_SEED = 1 };

/* The command line. */
struct config {
    const char *input, *output, *json, *report, *name;
    enum tan_method method;
    double latency;           /* seconds; NaN: not given */
    struct tan_measured file; /* options that describe the input */
    bool oversubscribed;
};

/* A model with fitted parameters. The first is TAN. If all trees were fitted, tan-overlap may
 * follow; otherwise the other models that are sums of levels follow, in the order of tan_models;
 * then TAN by the method that was not requested; then tan-overlap, if it was fitted. */
enum { MOST_PREDICTORS = TAN_MODELS + 1 };
struct fit_predictor {
    const struct tan_model *model; /* NULL for tan-overlap */
    enum tan_method method;        /* TAN_METHOD_OVERLAP for tan-overlap */
    char name[24];                 /* "tan", "logp", ... "tan-paper" */
};

/* A tree with its times of half a round trip, in seconds. */
struct line {
    const struct tan_wave_group *group; /* borrowed from the session's waves */
    double median;                      /* measured */
    double predicted[MOST_PREDICTORS];  /* by predictor; n_predictors entries are set */
};

/* A run of the program; the arrays are owned. */
struct session {
    const struct config *config;
    struct tan_waves waves;
    struct tan_measured_notes notes; /* about the input */
    struct tan_fit fit[METHODS];     /* by method */
    struct tan_overlap_fit overlap;  /* valid if overlap_known */
    bool overlap_known;
    bool general; /* all trees are fitted, not only chains and N-to-1 trees; then fit[] has the
                     joint method only, and the next three members are set */
    struct tan_path_fit paths;    /* the fit by terms */
    struct tan_tree_waves *trees; /* of every group except the latency's, in their order */
    size_t n_trees;
    const struct tan_wave_group *uneven; /* tree used by tan-overlap's fit only; may be NULL */
    struct tan_latency latency;
    struct fit_predictor predictor[MOST_PREDICTORS];
    int n_predictors;
    struct line *fitted, *held_out;
    size_t n_fitted, n_held_out;
    struct tan_tree **tree;   /* by group of `waves`, where they were needed; owned */
    struct tan_checks checks; /* empty if all trees were fitted, without tan-overlap */
};

void fit_output_print(const struct session *s, FILE *to);
/* The report as tan-fit/1: a new reference. NULL if memory is short. */
json_t *fit_output_json(const struct session *s, const struct tan_machine *machine);

/* Fit it to the chains, the N-to-1 trees and the first uneven tree, if any, which becomes
 * s->uneven: sets s->overlap. Returns 0 without a fit, and leaves s->overlap_known false, if there
 * are fewer chains and N-to-1 trees than parameters, or if some tree has too many processes to
 * simulate. */
int fit_overlap(struct session *s, struct tan_error *e);
/* Which fits use a tree. */
enum tan_fit_role fit_overlap_role(const struct session *s, const struct tan_wave_group *group);

/* Whether chains and N-to-1 trees alone do not determine the parameters, but there are other trees
 * or several message sizes; then all of them are fitted. */
bool fit_trees_wanted(const struct session *s);
/* Fit them: set s->fit[TAN_METHOD_JOINT], s->paths and s->trees, s->fitted with the predictions,
 * and TAN as the only predictor. */
int fit_trees(struct session *s, struct tan_error *e);
/* The tree of a group, built once and borrowed from s->tree. Errors name the group's line in the
 * input. */
const struct tan_tree *fit_trees_of(const struct session *s, const struct tan_wave_group *group,
                                    struct tan_error *e);
/* Release s->trees, s->tree and s->paths. */
void fit_trees_clear(struct session *s);

#endif
