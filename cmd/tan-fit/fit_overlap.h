/* fit_overlap.h - tan-overlap beside TAN: its fit, and what it predicts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TAN_FIT_FIT_OVERLAP_H
#define CMD_TAN_FIT_FIT_OVERLAP_H

#include "cmd/tan-fit/fit_output.h"

/* Fit it to the chains, the N-to-1 trees and the first uneven tree of the waves, which is then
 * s->uneven. Left out, so that s->overlap_known stays false, where these are fewer than it has
 * parameters, or of more processes than it can follow. */
int fit_overlap(struct session *s, struct tan_error *e);

/* What it predicts for a group's tree; `tree` is built for what is neither a chain nor an N-to-1
 * tree. NaN when memory is short. */
double fit_overlap_time(const struct session *s, const struct tan_wave_group *group,
                        const struct tan_tree *tree);

#endif
