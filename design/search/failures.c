/* failures.c - what failed processes cost a tree: leaves missing, and waiting
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * docs/models.md has the formulas. A process at depth d is reached with probability (1 - p)^d. The
 * longest wait exceeds j timeouts if any process is down of those for which it is that long, since
 * it is no shorter for those above; where the wait depends on the number of dead siblings, that is
 * a recursion over the tree. */
#include "design/search/failures.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/choice.h"
#include "base/units.h"
#include "topo/spec.h"

const struct tan_wait tan_waits[] = {
    [TAN_WAIT_ONCE] = {"once", "one, however many children are down"},
    [TAN_WAIT_LEVELS] = {"levels", "one for each level from itself to the leaves"},
    [TAN_WAIT_CHILDREN] = {"children", "one for each child that is down"},
    [TAN_WAIT_NODES] = {"nodes", "one, and if the child forwards two more for each F processes of "
                                 "its subtree (F: the largest fanout)"},
    {NULL, NULL},
};

double tan_any_down(double p, double n)
{
    return -expm1(n * log1p(-p));
}

static bool knows_timeout(const struct tan_failures *failures)
{
    return failures != NULL && !isnan(failures->timeout);
}

static bool knows_probability(const struct tan_failures *failures)
{
    return failures != NULL && !isnan(failures->p);
}

static struct tan_failure_cost unknown_cost(void)
{
    return (struct tan_failure_cost){.missing = NAN, .reached = NAN, .one_wait = NAN, .wait = NAN};
}

/* Timeouts one after the other */

/* Coefficients up to the power `most` of the product of `poly` and d x + a. */
static void multiply(double *poly, int most, double d, double a)
{
    for (int i = most; i > 0; i--) {
        poly[i] = poly[i] * a + poly[i - 1] * d;
    }
    poly[0] *= a;
}

/* The probability that no process of the tree which is reached has more than `most` dead children.
 * `leaves`: children of each node that are leaves. `within` and `poly` are scratch space: one entry
 * per node, and most + 1. The generating function of a node's dead children has the factor
 * p x + (1 - p) within(child) for each of them. */
static double no_more_dead(const struct tan_tree *tree, const int32_t *leaves, double p, int most,
                           double *within, double *poly)
{
    for (int32_t i = tan_tree_size(tree); i-- > 0;) {
        const int32_t *child = tan_tree_children(tree, i);
        const int32_t fanout = tan_tree_fanout(tree, i);
        if (fanout == 0) {
            continue;
        }
        for (int d = 0; d <= most; d++) {
            poly[d] = gsl_ran_binomial_pdf((unsigned)d, p, (unsigned)leaves[i]);
        }
        for (int32_t k = 0; k < fanout && leaves[i] < fanout; k++) {
            if (tan_tree_fanout(tree, child[k]) > 0) {
                multiply(poly, most, p, (1.0 - p) * within[child[k]]);
            }
        }
        within[i] = 0.0;
        for (int d = 0; d <= most; d++) {
            within[i] += poly[d];
        }
    }
    return fmin(1.0, within[0]);
}

/* The expected largest number of dead children of a process that is reached: the sum over m of the
 * probability that it is more than m, as far as that matters. */
static int most_dead(const struct tan_tree *tree, double p, double *expected, struct tan_error *e)
{
    const double enough = 1e-9;
    double last = 1.0;
    const int32_t widest = tan_tree_max_fanout(tree);
    const int32_t n = tan_tree_size(tree);
    int32_t *leaves = calloc((size_t)n, sizeof *leaves);
    double *within = malloc((size_t)n * sizeof *within);
    double *poly = malloc(((size_t)widest + 1) * sizeof *poly);
    int result = 0;
    *expected = 0.0;
    if (leaves == NULL || within == NULL || poly == NULL) {
        result = tan_fail_nomem(e);
    }
    for (int32_t i = 1; i < n && result == 0; i++) {
        leaves[tan_tree_parent(tree, i)] += tan_tree_fanout(tree, i) == 0;
    }
    for (int32_t m = 0; m < widest && result == 0; m++) {
        const double more = 1.0 - no_more_dead(tree, leaves, p, m, within, poly);
        if (more <= enough * *expected || (more >= last && last < 0.5)) { /* or only rounding */
            break;
        }
        *expected += more;
        last = more;
    }
    free(leaves);
    free(within);
    free(poly);
    return result;
}

/* Any tree */

/* The timeouts that a parent waits if only process i is down, for each. The root's are 0. */
static void single_waits(const struct tan_tree *tree, enum tan_wait_row wait, int32_t *timeouts)
{
    const int32_t n = tan_tree_size(tree);
    const int32_t fanout = tan_tree_max_fanout(tree);
    for (int32_t i = 0; i < n; i++) {
        timeouts[i] = 1;
    }
    if (wait == TAN_WAIT_NODES) {
        tan_tree_subtree_sizes(tree, timeouts);
    }
    for (int32_t i = n - 1; i > 0 && wait != TAN_WAIT_CHILDREN; i--) {
        int32_t *above = &timeouts[tan_tree_parent(tree, i)];
        if (wait == TAN_WAIT_NODES) {
            timeouts[i] = timeouts[i] > 1 ? 1 + 2 * (timeouts[i] / fanout) : 1;
        } else if (wait == TAN_WAIT_LEVELS && *above <= timeouts[i]) {
            *above = timeouts[i] + 1;
        }
    }
    timeouts[0] = 0;
}

/* Sum over j of the probability that the longest wait is more than j timeouts, of which no process
 * causes more than `longest`. */
static int expect_longest(const int32_t *timeouts, int32_t n, int32_t longest, double p,
                          double *expected, struct tan_error *e)
{
    int32_t *count = calloc((size_t)longest + 1, sizeof *count); /* processes by their timeouts */
    double processes = 0.0;
    double any = 0.0;
    if (count == NULL) {
        return tan_fail_nomem(e);
    }
    for (int32_t i = 1; i < n; i++) {
        count[timeouts[i]]++;
    }
    *expected = 0.0;
    for (int32_t t = longest; t > 0; t--) {
        if (count[t] > 0) {
            processes += count[t];
            any = tan_any_down(p, processes);
        }
        *expected += any;
    }
    free(count);
    return 0;
}

/* The longest wait for a single process, and the expected longest wait, in timeouts. The second is
 * NaN without p. */
static int tree_waits(const struct tan_tree *tree, const struct tan_failures *failures, double *one,
                      double *expected, struct tan_error *e)
{
    const int32_t n = tan_tree_size(tree);
    const double p = failures->p;
    int32_t longest = 0;
    int32_t *timeouts = malloc((size_t)n * sizeof *timeouts);
    if (timeouts == NULL) {
        return tan_fail_nomem(e);
    }
    single_waits(tree, failures->wait, timeouts);
    for (int32_t i = 1; i < n; i++) {
        longest = timeouts[i] > longest ? timeouts[i] : longest;
    }
    *one = longest;
    *expected = NAN;
    const int result = isnan(p) ? 0
                       : failures->wait == TAN_WAIT_CHILDREN
                           ? most_dead(tree, p, expected, e)
                           : expect_longest(timeouts, n, longest, p, expected, e);
    free(timeouts);
    return result;
}

/* Sum over all leaves of their depths, and of the probabilities that they are missing. Each is also
 * the sum over all processes of the leaves that they take with them, so counted. */
static int add_leaves(const struct tan_tree *tree, bool members, double p, double *depths,
                      double *missing, struct tan_error *e)
{
    const int32_t n = tan_tree_size(tree);
    int32_t *depth = malloc((size_t)n * sizeof *depth);
    if (depth == NULL) {
        return tan_fail_nomem(e);
    }
    tan_tree_depths(tree, depth);
    for (int32_t i = 1; i < n; i++) {
        if (members || tan_tree_fanout(tree, i) == 0) {
            *depths += depth[i];
            *missing += tan_any_down(p, depth[i]);
        }
    }
    free(depth);
    return 0;
}

/* The most members in a subtree below the root. */
static int64_t largest_subtree(const struct tan_tree *tree, struct tan_error *e)
{
    const int32_t n = tan_tree_size(tree);
    int32_t *size = malloc((size_t)n * sizeof *size);
    int64_t most = 0;
    if (size == NULL) {
        return tan_fail_nomem(e);
    }
    tan_tree_subtree_sizes(tree, size);
    for (int32_t i = 1; i < n; i++) {
        most = size[i] > most ? size[i] : most;
    }
    free(size);
    return most;
}

int tan_failures_tree(const struct tan_tree *tree, bool members,
                      const struct tan_failures *failures, struct tan_failure_cost *out,
                      struct tan_error *e)
{
    const double others = (double)tan_tree_size(tree) - 1.0;
    const double leaves = members ? others : (double)tan_tree_leaves(tree);
    double depths = 0.0;
    double missing = 0.0;
    double one;
    double expected;
    *out = unknown_cost();
    out->critical = tan_tree_size(tree) - 1 - tan_tree_leaves(tree);
    out->most_lost = members ? largest_subtree(tree, e) : tan_tree_max_below(tree);
    if (out->most_lost < 0 ||
        add_leaves(tree, members, failures == NULL ? 0.0 : failures->p, &depths, &missing, e) < 0) {
        return -1;
    }
    out->mean_lost = depths / others;
    if (knows_probability(failures)) {
        out->missing = missing;
        out->reached = 1.0 - missing / leaves;
    }
    if (knows_timeout(failures)) {
        if (tree_waits(tree, failures, &one, &expected, e) < 0) {
            return -1;
        }
        out->one_wait = failures->timeout * one;
        out->wait = failures->timeout * expected;
    }
    return 0;
}

/* Trees of even levels */

/* Both waits from the processes of each level; all leaves have the same depth. */
static void plan_waits(const struct tan_plan *plan, const struct tan_failures *failures,
                       double *one, double *expected)
{
    int64_t processes = 0; /* from the first level below the root on */
    int64_t nodes = 1;
    *one = failures->wait == TAN_WAIT_LEVELS ? plan->height : 1;
    *expected = 0.0;
    for (int i = 0; i < plan->height; i++) {
        nodes *= plan->fanout[i];
        nodes = nodes < plan->leaves ? nodes : plan->leaves;
        processes += nodes;
        if (failures->wait == TAN_WAIT_LEVELS || i == plan->height - 1) {
            *expected += tan_any_down(failures->p, (double)processes);
        }
    }
}

/* The same where the numbers of siblings or of processes below matter, if the tree can be built;
 * else NaN. */
static int built_waits(const struct tan_plan *plan, const struct tan_failures *failures,
                       double *one, double *expected, struct tan_error *e)
{
    enum { MOST = 1 << 20 };
    char spec[280];
    *one = failures->wait == TAN_WAIT_CHILDREN ? 1.0 : NAN;
    *expected = NAN;
    if (plan->processes > MOST) {
        return 0;
    }
    struct tan_tree *tree = tan_spec_build(tan_plan_spec(plan, spec, sizeof spec), e);
    const int result = tree == NULL ? -1 : tree_waits(tree, failures, one, expected, e);
    tan_tree_destroy(tree);
    return result;
}

int tan_failures_plan(const struct tan_plan *plan, const struct tan_failures *failures,
                      struct tan_failure_cost *out, struct tan_error *e)
{
    const double leaves = (double)plan->leaves;
    const double depth = plan->height;
    double one = NAN;
    double expected = NAN;
    *out = unknown_cost();
    out->critical = plan->internal;
    out->most_lost = plan->below[0];
    out->mean_lost = leaves * depth / (double)(plan->processes - 1);
    if (knows_probability(failures)) {
        out->reached = 1.0 - tan_any_down(failures->p, depth);
        out->missing = leaves * tan_any_down(failures->p, depth);
    }
    if (!knows_timeout(failures)) {
        return 0;
    }
    if (failures->wait == TAN_WAIT_ONCE || failures->wait == TAN_WAIT_LEVELS) {
        plan_waits(plan, failures, &one, &expected);
    } else if (built_waits(plan, failures, &one, &expected, e) < 0) {
        return -1;
    }
    out->one_wait = failures->timeout * one;
    out->wait = failures->timeout * expected;
    return 0;
}

/* Reading */

/* What is given: NaN if not. */
struct given {
    double p, mtbf, repair, timeout;
    enum tan_wait_row wait;
};

static int set_p(const char *what, const char *text, void *value, struct tan_error *e)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    double *p = value;
    return tan_parse_real(what, text, 0.0, 1.0, p, &ignored) < 0 || *p == 1.0
               ? tan_fail_usage(
                     e,
                     "%s must be a probability of at least 0 and below 1, such as 2e-4, not \"%s\"",
                     what, text)
               : 0;
}

static int set_lifetime(const char *what, const char *text, void *value, struct tan_error *e)
{
    return tan_parse_lifetime(what, text, value, e);
}

static int set_timeout(const char *what, const char *text, void *value, struct tan_error *e)
{
    return tan_parse_duration(what, text, value, e);
}

static int set_wait(const char *what, const char *text, void *value, struct tan_error *e)
{
    const int row = tan_choice_find(TAN_CHOICES(tan_waits), what, text, e);
    *(enum tan_wait_row *)value = row < 0 ? TAN_WAIT_ONCE : (enum tan_wait_row)row;
    return row < 0 ? -1 : 0;
}

#define AT(member) offsetof(struct given, member)
static const struct key {
    const char *name;
    int (*set)(const char *what, const char *text, void *value, struct tan_error *e);
    size_t offset;
} keys[] = {
    {"p", set_p, AT(p)},
    {"mtbf", set_lifetime, AT(mtbf)},
    {"repair", set_lifetime, AT(repair)},
    {"timeout", set_timeout, AT(timeout)},
    {"wait", set_wait, AT(wait)},
    {NULL, NULL, 0},
};
#undef AT

/* Read "key=value". */
static int read_pair(const char *what, char *pair, struct given *given, struct tan_error *e)
{
    char name[64];
    char *value = strchr(pair, '=');
    if (value == NULL) {
        return tan_fail_usage(e, "%s: \"%s\" is no KEY=VALUE such as p=1e-4", what, pair);
    }
    *value++ = '\0';
    const int row = tan_choice_find(TAN_CHOICES(keys), what, pair, e);
    if (row < 0) {
        return -1;
    }
    snprintf(name, sizeof name, "%.32s: %s", what, keys[row].name);
    return keys[row].set(name, value, (char *)given + keys[row].offset, e);
}

/* The probability from what is given. */
static int find_p(const char *what, const struct given *given, double *p, struct tan_error *e)
{
    const bool cycle = !isnan(given->mtbf) && !isnan(given->repair);
    if (isnan(given->p) == !cycle || isnan(given->mtbf) != isnan(given->repair)) {
        return tan_fail_usage(e,
                              "%s needs either p=PROBABILITY or mtbf=TIME,repair=TIME: how long a "
                              "process runs between failures, and how long it is down",
                              what);
    }
    if (cycle && !(given->mtbf > 0.0)) {
        return tan_fail_usage(e, "%s: mtbf must be more than 0", what);
    }
    *p = cycle ? given->repair / (given->mtbf + given->repair) : given->p;
    if (!(*p < 1.0)) {
        return tan_fail_usage(e, "%s: with this mtbf and repair a process is always down", what);
    }
    return 0;
}

int tan_failures_parse(const char *what, const char *text, struct tan_failures *out,
                       struct tan_error *e)
{
    struct given given = {NAN, NAN, NAN, out->timeout, out->wait};
    char *copy = strdup(text);
    char *rest = NULL;
    int result = copy == NULL ? tan_fail_nomem(e) : 0;
    for (char *pair = result < 0 ? NULL : strtok_r(copy, ",", &rest); pair != NULL && result == 0;
         pair = strtok_r(NULL, ",", &rest)) {
        result = read_pair(what, pair, &given, e);
    }
    free(copy);
    if (result < 0 || find_p(what, &given, &out->p, e) < 0) {
        return -1;
    }
    out->timeout = given.timeout;
    out->wait = given.wait;
    return 0;
}
