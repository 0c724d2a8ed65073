/* growing.c - lower bounds for even trees whose messages grow towards the root
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * However a node divides its leaves, it takes answers of all of them, one after the other, from the
 * first that arrives on: near the root that is most of the wave, and the same for all fanouts. So
 * bounds must count the leaves of all children, not those of the emptiest alone, to tell trees
 * apart. In particular requests come before all answers where none waits for the NIC, since the
 * processor is never free between two.
 *
 * Nodes that have n or n + 1 leaves have children with floor(n / x) leaves or one more. Fanouts
 * with which that is the same number differ in how many children have one more, so that sums over
 * the children are linear in the fanout, and least for the first or the last of them. */
#include "design/search/growing.h"

#include <math.h>
#include <stdlib.h>

#include "model/wave/overlap.h"

#define PS 1e-12

enum { KNOWN = 1 << 16 };

struct bounds {
    double least[2]; /* time of a node with as many leaves, and with one more */
    double above;    /* see tan_growing_above */
};

struct tan_growing {
    const struct tan_problem *problem;
    struct tan_overlap overlap; /* of a model with `node` */
    enum tan_overlap_way way;
    /* By the leaves below a child, of fanout 1; computed when it is first needed, and each time
     * where messages cost nothing. KNOWN entries. */
    struct tan_overlap_pace *pace;
    int64_t root;                 /* floor(sqrt(leaves)) */
    struct bounds *small, *large; /* of n = 1..root leaves, and of leaves / i for i = 1..root */
};

/* Costs of a child's messages if its parent's overheads are those of `fanout` children; at most a
 * picosecond less than tan_overlap_pace. */
static struct tan_overlap_pace pace_of(const struct tan_growing *g, int64_t fanout, int64_t leaves)
{
    struct tan_overlap_pace pace = leaves < KNOWN ? g->pace[leaves] : (struct tan_overlap_pace){0};
    if (!(pace.own + pace.down + pace.up > 0.0)) {
        pace = tan_overlap_pace(&g->overlap, 1, leaves);
    }
    if (leaves < KNOWN) {
        g->pace[leaves] = pace;
    }
    const double grown = floor(g->overlap.growth * (double)(fanout - 1) / PS) - 1.0;
    if (grown > 0.0) {
        pace.send += grown;
        pace.receive += grown;
        pace.down += grown;
    }
    pace.sends = fmax(pace.sends, pace.send);
    pace.receives = fmax(pace.receives, pace.receive);
    return pace;
}

/* A gap, if it is longer than the receive. */
static double gap_of(const struct tan_overlap_pace *pace)
{
    return pace->receives > pace->receive ? pace->receives : 0.0;
}

/* From the arrival of the first answer to the end of the last, of children of two kinds: nobody
 * waits for the NIC after it. One that is shared serves answers while the processor takes others.
 */
static double answers_time(const struct tan_overlap_pace *less, double x_less,
                           const struct tan_overlap_pace *more, double x_more, bool shared)
{
    if (!shared) {
        return x_less * less->receives + x_more * more->receives -
               fmax(less->receives - less->receive, more->receives - more->receive);
    }
    return x_less * gap_of(less) + x_more * gap_of(more) - fmax(gap_of(less), gap_of(more)) +
           fmin(less->receive, more->receive);
}

/* Children of a node. */
struct family {
    int64_t fanout;
    int64_t fuller; /* have one leaf more than the others */
};

/* Nodes from one family to another of at least as many children and no more fuller ones, with the
 * overheads of `grown` children. Each sum over the children is least at one of the ends. */
static struct tan_growing_node node_of(const struct tan_growing *g, int64_t grown, int64_t below,
                                       struct family from, struct family to)
{
    const struct tan_problem *p = g->problem;
    if (p->model->node == NULL) {
        return (struct tan_growing_node){.adds = tan_level_cost(p->model, p->params, from.fanout,
                                                                below, (from.fanout - 1) * below)};
    }
    const bool down = g->way != TAN_OVERLAP_UP, up = g->way != TAN_OVERLAP_DOWN;
    const bool shared = g->overlap.shared;
    const struct tan_overlap_pace less = pace_of(g, grown, below);
    const struct tan_overlap_pace more = from.fuller > 0 ? pace_of(g, grown, below + 1) : less;
    const double send = down ? less.send : 0.0;
    /* all requests, then all answers */
    const bool in_turn = !shared && (!down || less.sends <= less.send);
    double work = INFINITY, answers = INFINITY, busy = INFINITY, in_row = INFINITY;
    for (int end = 0; end < 2 && up; end++) {
        const struct family *f = end == 0 ? &from : &to;
        const double x = (double)f->fanout, x_more = (double)f->fuller, x_less = x - x_more;
        const double received = x_less * less.receive + x_more * more.receive;
        const double taken = answers_time(&less, x_less, &more, x_more, shared);
        work = fmin(work, received);
        answers = fmin(answers, taken);
        busy = fmin(busy, x * send + received);
        in_row = fmin(in_row, x * send + taken);
    }
    const double asked = down ? less.own + less.down : 0.0;
    const double others = (double)(from.fanout - 1);
    const double sends = down ? others * less.sends : 0.0;
    const double last = sends + fmin(less.receive, more.receive);
    const double rounding = (1.0 - 1e-12) * PS / tan_wave_ways(p->params);
    struct tan_growing_node node = {asked + sends, (others + 1.0) * send};
    if (up) {
        node.adds = asked + fmin(less.up, more.up) + fmax(last, fmax(work, answers));
        node.busy = in_turn ? fmax(busy, in_row) : busy;
    }
    return (struct tan_growing_node){node.adds * rounding, node.busy * rounding};
}

struct tan_growing_node tan_growing_node(const struct tan_growing *g, int64_t fanout, int64_t below,
                                         int64_t fuller)
{
    const struct family family = {fanout, fuller};
    return node_of(g, fanout, below, family, family);
}

static struct bounds *bounds_of(const struct tan_growing *g, int64_t leaves)
{
    return leaves <= g->root ? &g->small[leaves] : &g->large[g->problem->leaves / leaves];
}

/* A node over `leaves` + `more` leaves with `first` to `last` children, all of which have `below`
 * leaves or one more. Those that have one more are fewer the more children there are, and alone a
 * queue, too. */
static struct tan_growing_alike alike_from(const struct tan_growing *g, int64_t leaves, int more,
                                           int64_t first)
{
    const int64_t limit = g->problem->max_fanout;
    const int64_t below = leaves / first, widest = leaves / below;
    const int64_t last = limit > 0 && widest > limit ? limit : widest;
    const double *child = bounds_of(g, below)->least;
    const int64_t most = leaves + more - first * below, fewest = leaves + more - last * below;
    const struct family from = {first, most}, to = {last, fewest}, queue = {fewest, 0};
    struct tan_growing_alike a = {below, last, node_of(g, first, below, from, to), 0.0};
    const double least = most == 0                        ? child[0]
                         : most == first && last == first ? child[1]
                                                          : fmin(child[0], child[1]);
    const double fuller =
        fewest > 0 ? node_of(g, first, below + 1, queue, queue).adds + child[1] : 0.0;
    a.time = fmax(fmax(a.node.busy, a.node.adds + least), fuller);
    return a;
}

struct tan_growing_alike tan_growing_alike(const struct tan_growing *g, int64_t leaves,
                                           int64_t first)
{
    struct tan_growing_alike a = alike_from(g, leaves, 0, first);
    if (leaves < g->problem->leaves) {
        const struct tan_growing_alike more = alike_from(g, leaves, 1, first);
        a.node.adds = fmin(a.node.adds, more.node.adds);
        a.node.busy = fmin(a.node.busy, more.node.busy);
        a.time = fmin(a.time, more.time);
    }
    return a;
}

/* All leaves are at the same depth: children are leaves, or none is. */
static double least_time(const struct tan_growing *g, int64_t leaves, int more)
{
    const int64_t most = g->problem->max_fanout > 0 ? g->problem->max_fanout : INT64_MAX;
    const struct tan_growing_node flat = tan_growing_node(g, leaves + more, 1, 0);
    double least = leaves + more > most
                       ? INFINITY
                       : fmax(flat.busy, flat.adds + g->problem->params->value[TAN_C0]);
    struct tan_growing_alike a;
    for (int64_t x = 2; x <= leaves && x <= most; x = a.last + 1) {
        a = alike_from(g, leaves, more, x);
        least = fmin(least, a.time);
    }
    return least;
}

static void set_least(const struct tan_growing *g, int64_t leaves)
{
    for (int more = 0; more < 2; more++) {
        bounds_of(g, leaves)->least[more] = least_time(g, leaves, more);
    }
}

struct tan_growing *tan_growing_create(const struct tan_problem *problem, struct tan_error *e)
{
    const struct tan_tiers tiers = tan_tiers_of(problem->params);
    const int64_t root = (int64_t)sqrt((double)problem->leaves);
    struct tan_growing *g = calloc(1, sizeof *g);
    if (g == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    *g = (struct tan_growing){.problem = problem,
                              .overlap = tan_overlap_tiers(&tiers),
                              .way = tan_wave_way(problem->params),
                              .pace = calloc(KNOWN, sizeof *g->pace),
                              .root = root,
                              .small = calloc((size_t)root + 1, sizeof *g->small),
                              .large = calloc((size_t)root + 1, sizeof *g->large)};
    if (g->pace == NULL || g->small == NULL || g->large == NULL) {
        tan_fail_nomem(e);
        tan_growing_destroy(g);
        return NULL;
    }
    for (int64_t n = 1; n <= root; n++) {
        set_least(g, n);
    }
    for (int64_t i = root; i > 0; i--) {
        set_least(g, problem->leaves / i);
    }
    return g;
}

void tan_growing_destroy(struct tan_growing *g)
{
    if (g != NULL) {
        free(g->pace);
        free(g->small);
        free(g->large);
        free(g);
    }
}

double tan_growing_least(const struct tan_growing *g)
{
    return bounds_of(g, g->problem->leaves)->least[0];
}

double tan_growing_above(const struct tan_growing *g, int64_t leaves)
{
    return bounds_of(g, leaves)->above;
}

/* Find what the levels above the children of nodes add. */
static void go_below(const struct tan_growing *g, int64_t leaves, double most)
{
    const int64_t limit = g->problem->max_fanout;
    const struct bounds *own = bounds_of(g, leaves);
    const double least = own->above + fmin(own->least[0], own->least[1]);
    struct tan_growing_alike a;
    for (int64_t x = 2; x <= leaves && (limit == 0 || x <= limit) && least <= most;
         x = a.last + 1) {
        a = tan_growing_alike(g, leaves, x);
        double *above = &bounds_of(g, a.below)->above;
        *above = own->above + a.time <= most ? fmin(*above, own->above + a.node.adds) : *above;
    }
}

void tan_growing_limit(struct tan_growing *g, double most)
{
    for (int64_t i = 1; i <= g->root; i++) {
        g->small[i].above = g->large[i].above = INFINITY;
    }
    bounds_of(g, g->problem->leaves)->above = 0.0;
    for (int64_t i = 1; i <= g->root; i++) {
        go_below(g, g->problem->leaves / i, most);
    }
    for (int64_t n = g->root; n > 1; n--) {
        go_below(g, n, most);
    }
}
