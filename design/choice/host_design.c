/* host_design.c - the best trees for processes that share the cores of one host (model tan-host)
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A simulated wave is no sum over levels, so that no shortest path finds the best tree: every tree
 * is simulated. */
#include "design/choice/host_design.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "design/search/limits.h"
#include "design/search/search.h"
#include "sim/host/host_wave.h"
#include "topo/spec.h"

/* Best trees of the problem's model that are simulated where not all trees are. */
enum { BEST_OF_MODEL = 64 };
/* Limit of the work: level-uniform trees times the square of their leaves, some seconds. */
static const double most_work = 2e8;
/* Least share that counts as a difference. */
static const double least_tie = 0.05;
/* Waves of one tree that was found twice differ by rounding only. */
static const double same = 1e-9;

struct search {
    struct tan_host_design *design;
    size_t allocated; /* choices */
    int64_t fanouts[TAN_PLAN_LEVELS];
    struct tan_error *e;
};

int tan_host_check(const struct tan_machine *m, const char *file, int64_t bytes, bool grow,
                   struct tan_error *e)
{
    if (m->host.n == 0 && file == NULL) {
        return tan_fail_usage(
            e, "--model tan-host needs a machine file with a host block: --machine FILE");
    }
    if (m->host.n == 0) {
        return tan_fail(e,
                        "%s: there is no host block, which --model tan-host needs: it comes from "
                        "tanbench calibrate on a host with fewer cores than ranks",
                        file);
    }
    if (m->cores_per_host < 1) {
        return tan_fail(e, "%s: --model tan-host needs cores_per_host, the cores of a host", file);
    }
    if (grow || (bytes > 0 && bytes != m->tan.bytes)) {
        return tan_fail_usage(e,
                              "--model tan-host predicts messages as measured, %" PRId64
                              " bytes everywhere: leave out --bytes and --growth",
                              m->tan.bytes);
    }
    return 0;
}

int tan_host_predict(const struct tan_machine *machine, const struct tan_tree *tree, double *wave,
                     struct tan_error *e)
{
    if (tan_tree_size(tree) > TAN_HOST_PROCESSES) {
        return tan_fail_usage(e,
                              "--model tan-host simulates up to %d processes of one host, not %d",
                              TAN_HOST_PROCESSES, tan_tree_size(tree));
    }
    struct tan_placement *placement =
        tan_placement_spread((uint32_t)tan_tree_size(tree), (uint32_t)machine->cores_per_host, e);
    const int result =
        placement == NULL ? -1 : tan_host_wave(tree, placement, &machine->host, wave, e);
    free(placement);
    return result;
}

static int simulate(const struct tan_machine *machine, struct tan_host_tree *t, struct tan_error *e)
{
    struct tan_tree *tree = tan_spec_build(t->spec, e);
    const int result = tree == NULL ? -1 : tan_host_predict(machine, tree, &t->wave, e);
    tan_tree_destroy(tree);
    return result;
}

/* The same tree is among the choices: one of the same size, height and wave. */
static bool known(const struct tan_host_design *d, const struct tan_host_tree *t)
{
    for (size_t i = 0; i < d->n_choices; i++) {
        const struct tan_host_tree *c = &d->choices[i];
        if (c->plan.processes == t->plan.processes && c->plan.height == t->plan.height &&
            fabs(c->wave - t->wave) <= same * t->wave) {
            return true;
        }
    }
    return false;
}

static int add(struct search *s, const struct tan_host_tree *t)
{
    struct tan_host_design *d = s->design;
    if (d->n_choices == s->allocated) {
        const size_t wanted = 2 * s->allocated + 256;
        struct tan_host_tree *larger = realloc(d->choices, wanted * sizeof *larger);
        if (larger == NULL) {
            return tan_fail_nomem(s->e);
        }
        d->choices = larger;
        s->allocated = wanted;
    }
    d->choices[d->n_choices++] = *t;
    return 0;
}

/* A level-uniform tree, unless it breaks the limits or is too large. */
static int add_levels(struct search *s, const int64_t *fanouts, int height)
{
    const struct tan_problem *p = &s->design->problem;
    struct tan_host_tree t = {.within_limits = true};
    tan_plan_levels(&t.plan, p->leaves, fanouts, height);
    if (!tan_limits_allow(p, t.plan.max_fanout, t.plan.height, t.plan.processes) ||
        t.plan.processes > TAN_HOST_PROCESSES) {
        return 0;
    }
    /* the name that people know */
    if (t.plan.height == 1) {
        snprintf(t.spec, sizeof t.spec, "nto1:%" PRId64, p->leaves);
    } else {
        tan_plan_spec(&t.plan, t.spec, sizeof t.spec);
    }
    return simulate(s->design->machine, &t, s->e) < 0 ? -1 : add(s, &t);
}

/* The largest number of leaves below `below` that a child of a node with `leaves` can have:
 * ceil(leaves / x) for some fanout x; 0 after single leaves. */
static int64_t next_below(int64_t leaves, int64_t below)
{
    if (below == 1) {
        return 0;
    }
    const int64_t fanout = (leaves + below - 2) / (below - 1);
    return (leaves + fanout - 1) / fanout;
}

/* Number of level-uniform trees below a node with `leaves`, of at most `height` levels. */
static double count(int64_t leaves, int64_t height)
{
    double n = leaves == 1 ? 1 : 0;
    for (int64_t below = next_below(leaves, leaves); height > 0 && below > 0;
         below = next_below(leaves, below)) {
        n += count(below, height - 1);
    }
    return n;
}

/* Every tree that continues the first `level` fanouts, where a node has `leaves`. */
static int enumerate(struct search *s, int64_t leaves, int level, int64_t height)
{
    if (leaves == 1) {
        return add_levels(s, s->fanouts, level);
    }
    for (int64_t below = next_below(leaves, leaves); level < height && below > 0;
         below = next_below(leaves, below)) {
        s->fanouts[level] = (leaves + below - 1) / below;
        if (enumerate(s, below, level + 1, height) < 0) {
            return -1;
        }
    }
    return 0;
}

static int64_t binary_height(int64_t leaves)
{
    int64_t height = 0;
    while (INT64_C(1) << height < leaves) {
        height++;
    }
    return height;
}

/* All level-uniform trees, or those with as few levels as there is time for. */
static int add_all_levels(struct search *s)
{
    struct tan_host_design *d = s->design;
    const int64_t leaves = d->problem.leaves;
    const double most = most_work / ((double)leaves * (double)leaves);
    const int64_t tallest = binary_height(leaves);
    const int64_t limit = d->problem.max_height;
    const int64_t wanted = limit > 0 && limit < tallest ? limit : tallest;
    int64_t height = 1;
    if (leaves == 1) {
        return add_levels(s, &leaves, 1);
    }
    while (height < wanted && count(leaves, height + 1) <= most) {
        height++;
    }
    d->height = height < wanted ? height : 0;
    return enumerate(s, leaves, 0, height);
}

static int add_best_of_model(struct search *s)
{
    struct tan_plans plans;
    if (tan_search(&s->design->problem, BEST_OF_MODEL, &plans, s->e) < 0) {
        return -1;
    }
    int result = 0;
    for (size_t i = 0; i < plans.n && result == 0; i++) {
        if (plans.plan[i].height > s->design->height) {
            result = add_levels(s, plans.plan[i].fanout, plans.plan[i].height);
        }
    }
    tan_plans_clear(&plans);
    return result;
}

/* What rules of thumb build; trees within the limits can be chosen, too. */
static int add_rules(struct search *s)
{
    struct tan_host_design *d = s->design;
    struct tan_thumb thumbs[TAN_THUMBS];
    const size_t n = tan_thumbs(thumbs);
    d->rules = calloc(n, sizeof *d->rules);
    if (d->rules == NULL) {
        return tan_fail_nomem(s->e);
    }
    for (; d->n_rules < n; d->n_rules++) {
        struct tan_host_tree *t = &d->rules[d->n_rules];
        t->rule = thumbs[d->n_rules].name;
        tan_thumb_tree(&thumbs[d->n_rules], d->problem.leaves, &t->plan, t->spec, sizeof t->spec);
        t->within_limits =
            tan_limits_allow(&d->problem, t->plan.max_fanout, t->plan.height, t->plan.processes);
        if (simulate(d->machine, t, s->e) < 0 ||
            (t->within_limits && !known(d, t) && add(s, t) < 0)) {
            return -1;
        }
    }
    return 0;
}

static void weigh(const struct tan_host_design *d, struct tan_host_tree *t, double fastest)
{
    t->slower = fastest > 0 ? (t->wave - fastest) / fastest : 0;
    t->tied = fabs(t->slower) <= d->tie;
}

/* Ties first, fewest processes first; then by wave time. */
static int by_rank(const void *left, const void *right)
{
    const struct tan_host_tree *a = left;
    const struct tan_host_tree *b = right;
    if (a->tied != b->tied) {
        return a->tied ? -1 : 1;
    }
    if (a->tied && a->plan.processes != b->plan.processes) {
        return a->plan.processes < b->plan.processes ? -1 : 1;
    }
    return a->wave != b->wave ? (a->wave > b->wave ? 1 : -1) : strcmp(a->spec, b->spec);
}

static void choose(struct tan_host_design *d)
{
    double fastest = INFINITY;
    for (size_t i = 0; i < d->n_choices; i++) {
        fastest = fmin(fastest, d->choices[i].wave);
    }
    for (size_t i = 0; i < d->n_choices; i++) {
        weigh(d, &d->choices[i], fastest);
        d->n_tied += d->choices[i].tied;
    }
    for (size_t i = 0; i < d->n_rules; i++) {
        weigh(d, &d->rules[i], fastest);
    }
    qsort(d->choices, d->n_choices, sizeof *d->choices, by_rank);
    while (d->choices[d->fastest].wave > fastest) {
        d->fastest++;
    }
}

int tan_host_design(const struct tan_problem *problem, const struct tan_machine *machine,
                    struct tan_host_design *out, struct tan_error *e)
{
    struct search s = {.design = out, .e = e};
    *out = (struct tan_host_design){
        .problem = *problem, .machine = machine, .tie = fmax(2 * machine->host.error, least_tie)};
    if (problem->leaves > TAN_HOST_LEAVES) {
        return tan_fail_usage(e,
                              "--model tan-host simulates every process of one host: --leaves must "
                              "be at most %d, not %" PRId64,
                              TAN_HOST_LEAVES, problem->leaves);
    }
    if (tan_limits_check(problem, e) < 0 || add_all_levels(&s) < 0 ||
        (out->height > 0 && machine->tan_known && add_best_of_model(&s) < 0) || add_rules(&s) < 0) {
        goto failed;
    }
    if (out->n_choices == 0) {
        tan_limits_fail(problem, e);
        goto failed;
    }
    choose(out);
    return 0;

failed:
    tan_host_design_clear(out);
    return -1;
}

void tan_host_design_clear(struct tan_host_design *d)
{
    free(d->choices);
    free(d->rules);
    *d = (struct tan_host_design){0};
}
