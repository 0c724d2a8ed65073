/* failures.h - what failed processes cost a tree: leaves missing, and waiting
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_DESIGN_SEARCH_FAILURES_H
#define TAN_DESIGN_SEARCH_FAILURES_H

#include "design/search/plan.h"

TAN_BEGIN_DECLS

/* How long a parent waits for children that are down, with the timeout T. */
enum tan_wait_row {
    TAN_WAIT_ONCE,     /* T, however many there are: their timeouts run at the same time */
    TAN_WAIT_LEVELS,   /* T for each level from the parent down to the leaves below the child: every
                          parent grants those below it time to wait for theirs */
    TAN_WAIT_CHILDREN, /* T for each of them, one after the other */
    TAN_WAIT_NODES,    /* T, and for a child with processes below it 2 T for each F processes of its
                          subtree, where F is the largest fanout of the tree: the steps that a
                          message takes from one process to F at a time */
};
struct tan_wait {
    const char *name; /* NULL ends the table */
    const char *help;
};
extern const struct tan_wait tan_waits[]; /* by enum tan_wait_row */

/* Every process but the root is down with probability p when a wave begins, independently of all
 * others. */
struct tan_failures {
    double p;       /* 0 <= p < 1; NaN: not known */
    double timeout; /* T in seconds; NaN: not known */
    enum tan_wait_row wait;
};

/* Costs of a tree. "Leaves" are all processes but the root where all of them are members. A process
 * that is down takes all leaves below it out of a wave, itself included. */
struct tan_failure_cost {
    int64_t critical;  /* internal processes, without the root */
    int64_t most_lost; /* leaves that a single process takes with it */
    double mean_lost;  /* the same, mean of all processes but the root */
    /* NaN without p */
    double missing; /* expected number of leaves missing in a wave */
    double reached; /* expected share of leaves that it reaches */
    /* Seconds; NaN without a timeout */
    double one_wait; /* longest wait with a single process down */
    double wait;     /* expected value of the longest wait of a wave; NaN also without p, or if the
                        tree is too large to be computed */
};

/* The probability that one of `n` processes is down, which are so with probability p each. In a
 * tree of even levels under TAN_WAIT_LEVELS, the expected longest wait in timeouts is the sum of
 * this over all levels below the root, n being the processes from the first of them to that one. */
double tan_any_down(double p, double n);
/* The costs of a plan made by tan_plan_levels. `failures` may be NULL. O(height); under
 * TAN_WAIT_CHILDREN and TAN_WAIT_NODES that of its tree, up to 2^20 processes. Fails only when
 * memory is short. */
int tan_failures_plan(const struct tan_plan *plan, const struct tan_failures *failures,
                      struct tan_failure_cost *out, struct tan_error *e);
/* The costs of any tree; `members`: whether all its processes are members. O(nodes); under
 * TAN_WAIT_CHILDREN O(m (nodes + m internal nodes)), where m is the number of dead siblings that
 * still matters. Fails only when memory is short. */
int tan_failures_tree(const struct tan_tree *tree, bool members,
                      const struct tan_failures *failures, struct tan_failure_cost *out,
                      struct tan_error *e);

/* Read "p=1e-4", or "mtbf=1000h,repair=1h" for p = repair / (mtbf + repair), and "timeout=10s" and
 * "wait=NAME", separated by commas; the last two keep the values of *out if they are not given.
 * `what` names the option in errors. */
int tan_failures_parse(const char *what, const char *text, struct tan_failures *out,
                       struct tan_error *e);

TAN_END_DECLS

#endif
