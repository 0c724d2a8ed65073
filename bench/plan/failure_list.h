/* failure_list.h - processes that fall silent during a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_PLAN_FAILURE_LIST_H
#define TAN_BENCH_PLAN_FAILURE_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "topo/tree.h"

enum { MAX_FAILURES = 16 };
/* Instead of a node: drawn at random from those that are not named. */
enum { FAIL_INTERNAL = -1, FAIL_LEAF = -2 };
/* Instead of a wave: at the first message of a healing. */
enum { FAIL_HEALING = 0 };
/* The first wave in which a process may fail: recovery is compared with the waves before it. */
enum { FAIL_FIRST_WAVE = 2 };

/* Process `node` no longer answers from wave `wave` on, counted from 1 after the warm-up. */
struct failure {
    int32_t node;
    int32_t wave;
};

/* Plain data. */
struct failure_list {
    int n;
    struct failure list[MAX_FAILURES];
};

/* "3@20,leaf@20,internal@healing"; `what` names the option or key in errors (TAN_USAGE). */
int tan_failure_list_parse(const char *what, const char *text, struct failure_list *failures,
                           struct tan_error *e);
/* The text that tan_failure_list_parse reads. Returns `buffer`. */
const char *tan_failure_list_format(const struct failure_list *failures, char *buffer, size_t size);

/* The failures with nodes in place of FAIL_INTERNAL and FAIL_LEAF, drawn with `seed`; the same for
 * the same arguments. -1 with an error (TAN_USAGE) that names `spec`, the tree's name, if it has no
 * such node. */
int tan_failure_list_draw(const struct failure_list *failures, const struct tan_tree *tree,
                          const char *spec, uint64_t seed, struct failure_list *drawn,
                          struct tan_error *e);

/* The last of the waves, 0 if there is none. */
int32_t tan_failure_list_last(const struct failure_list *failures);
/* The first of the waves, 0 if there is none. */
int32_t tan_failure_list_first(const struct failure_list *failures);

#endif
