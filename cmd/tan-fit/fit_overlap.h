/* fit_overlap.h - fit of tan-overlap
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_FIT_FIT_OVERLAP_H
#define TAN_CMD_TAN_FIT_FIT_OVERLAP_H

#include "cmd/tan-fit/fit_output.h"
#include "model/fit/cross.h"

/* Fit it to the chains, the N-to-1 trees and the first uneven tree, if any, which becomes
 * s->uneven: sets s->overlap. Returns 0 without a fit, and leaves s->overlap_known false, if there
 * are fewer chains and N-to-1 trees than parameters, or if some tree has too many processes to
 * simulate. */
int fit_overlap(struct session *s, struct tan_error *e);
/* Which fits use a tree. */
enum tan_fit_role fit_overlap_role(const struct session *s, const struct tan_wave_group *group);

#endif
