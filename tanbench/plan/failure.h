/* failure.h - the process that falls silent during a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_PLAN_FAILURE_H
#define TAN_TANBENCH_PLAN_FAILURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "topo/tree.h"

/* Instead of a node: drawn at random. */
enum { FAIL_INTERNAL = -1, FAIL_LEAF = -2 };
/* The first wave in which a process may fail: recovery is compared with the waves before it. */
enum { FAIL_FIRST_WAVE = 2 };
/* A process is given up if it has not answered after so many seconds for each level below its
 * parent: longer than any delay of a living one, on a busy host, too. */
enum { FAIL_SECONDS = 1 };

/* Process `node` no longer answers from wave `wave` on, counted from 1 after the warm-up. Wave 0:
 * none does. */
struct failure {
    int32_t node;
    int32_t wave;
};

/* "3@20" or "leaf@20"; `what` names the option or key in errors (TAN_USAGE). */
int tan_failure_parse(const char *what, const char *text, struct failure *failure,
                      struct tan_error *e);
/* The text that tan_failure_parse reads; empty if there is none. Returns `buffer`. */
const char *tan_failure_format(const struct failure *failure, char *buffer, size_t size);

/* The failure with a node in place of FAIL_INTERNAL and FAIL_LEAF, drawn with `seed`; the same for
 * the same arguments. -1 with an error (TAN_USAGE) that names `spec`, the tree's name, if it has no
 * such node. */
int tan_failure_draw(const struct failure *failure, const struct tan_tree *tree, const char *spec,
                     uint64_t seed, struct failure *drawn, struct tan_error *e);

#endif
