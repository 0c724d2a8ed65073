/* fit_trees.h - fit of all trees of a file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_FIT_FIT_TREES_H
#define TAN_CMD_TAN_FIT_FIT_TREES_H

#include "cmd/tan-fit/fit_output.h"

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
