/* heal.h - waves on a tree of which a process falls silent, and which heals
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HEAL_HEAL_H
#define TAN_TANBENCH_HEAL_HEAL_H

#include "tanbench/overlay/overlay.h"
#include "tanbench/plan/settings.h"
#include "tanbench/ranks/wait.h"
#include "tanbench/sampling/sampling.h"

/* A wave: the request goes down, and the answers with the leaves' packets come up. A process gives
 * a child up that has not answered within FAIL_SECONDS for each level from itself down to the
 * lowest process below that child, so that it has had the time to give up its own children, and
 * answers with what it has. The root then knows who is silent and which leaves are missing. It
 * tells all processes the new tree, by a request without payload, and asks the leaves that are
 * missing again. A process that fails keeps reading its messages, since MPI libraries end jobs
 * whose processes end. */
struct heal;

/* This process's part, on every rank of the tree, of a shape with the tree before the failure, and
 * a filter whose payload does not grow. `waiter` is borrowed. NULL with an error. */
struct heal *heal_create(struct waiter *waiter, const struct overlay_shape *shape,
                         const struct failure *failure, struct tan_error *e);
void heal_destroy(struct heal *h);

/* Root. All return -1 with an error, also on a request to stop. */

/* A whole wave, numbered `wave`. In the one in which the process fails, *recovery, zero before,
 * gets its node and all else; a process found silent that has not failed is an error. *seconds is
 * the time from the request to the result. The result is verified: it holds all leaves that live,
 * once each, with their values for this wave. */
int heal_wave(struct heal *h, int32_t wave, double *seconds, struct recovery *recovery,
              struct tan_error *e);
/* End it on all ranks. */
int heal_end(struct heal *h, struct tan_error *e);

/* Every other rank: take part until the root ends it. */
int heal_follow(struct heal *h, struct tan_error *e);

#endif
