/* any_shape.c - best tree of any shape, with overlapping requests and answers, or one way
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A node that answers within a time has the most leaves if its children have: one that is asked
 * after i others and answers before j others has what the waiting for both leaves of the time, and
 * as many leaves as that is enough for. Who answers when is a matching of the i and the j.
 *
 * Leaves are known for times on a grid. What a child has left is exact, and is rounded down to a
 * time of the grid only to look up its leaves, so that the tree exists; rounded up, they are a
 * bound. Children without leaves, which nobody waits for, are left out. Thus more children than
 * needed do no harm unless they slow the node down (c).
 *
 * Where all processes are counted, a node is one of its own "leaves". */
#include "design/search/any_shape.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "design/search/limits.h"
#include "model/machine/machine.h"
#include "model/wave/overlap.h"
#include "model/wave/payload.h"

#define PS 1e-12

enum { WIDEST = TAN_ANY_SHAPE_FANOUT };

/* Costs of a node with so many children, in picoseconds. */
struct pace {
    int64_t busy;            /* processor time per child */
    int64_t sends, receives; /* intervals between requests, and between answers */
    int64_t nic;             /* time that the last request occupies the NIC */
    int64_t way;             /* what an only child takes besides its own time */
};

/* The most leaves of nodes by time: a list by steps of the grid beyond the time of a leaf. */
struct front {
    int32_t *leaves; /* ascending */
    struct parent {
        int32_t fanout; /* of a node that has more leaves than at the step before */
        int32_t *below; /* its children's leaves in the order asked; NULL until children_of */
    } * parent;
};

struct shapes {
    const struct tan_problem *problem;
    int32_t most;                 /* leaves below a node other than the root */
    int32_t itself;               /* 1 if a node with children is counted, too; else 0 */
    int64_t own;                  /* a node's receive of its request */
    int64_t leaf;                 /* time of a leaf, from its request to its answer */
    struct pace pace[WIDEST + 1]; /* by fanout */
    int32_t widest;               /* largest fanout */
    int shift;                    /* a step of the grid has 2^shift picoseconds */
    int32_t steps;
    int64_t rounding; /* added to times before they are cut to steps */
    /* By height, of nodes below the root; a single one if that is unlimited. */
    struct front front[TAN_PLAN_LEVELS];
    int n_fronts;
    bool by_height;
    bool one_way; /* then it does not matter which child answers when, or is asked when */
    int32_t weight[WIDEST * WIDEST]; /* of a matching: x rows of x */
    /* x + 1 for each number x of children, kept for the next matching of as many */
    int32_t potential[(WIDEST + 1) * (WIDEST + 2) / 2];
    int32_t after[WIDEST]; /* how many answer after child i */
};

/* Matchings */

/* Kuhn-Munkres algorithm: rows are children as they are asked, columns places in the order of
 * answers, both from 1 on. Potentials of a row and a column are together at least their weight, and
 * equal to it if they are matched. So the sum of all is a bound for every matching, and the weight
 * of the best. */
struct matching {
    const int32_t *weight; /* n rows of n, here counted from 0 */
    int32_t n;
    int32_t row[WIDEST + 1];
    int32_t *column;
    int32_t matched[WIDEST + 1]; /* row of a column; 0 if none */
    int64_t sum;
};

/* Set the least potentials of rows. */
static void set_rows(struct matching *m)
{
    m->sum = 0;
    for (int32_t row = 1; row <= m->n; row++) {
        const int32_t *weight = m->weight + (row - 1) * m->n - 1;
        int32_t most = INT32_MIN;
        for (int32_t c = 1; c <= m->n; c++) {
            const int32_t value = weight[c] - m->column[c];
            most = value > most ? value : most;
        }
        m->row[row] = most;
        m->sum += (int64_t)most + m->column[row];
    }
}

/* Match one more row: grow an alternating tree of columns by slack until it reaches a free one,
 * then flip the matching along the path. */
static void match_row(struct matching *m, int32_t row)
{
    int32_t lacks[WIDEST + 1] = {0}; /* of a column: its least slack to a row of the tree */
    /* predecessor on the path from column 0, which stands for the new row */
    int32_t from[WIDEST + 1] = {0};
    bool grown[WIDEST + 1] = {false};
    int32_t at = 0;
    m->matched[0] = row;
    for (int32_t c = 1; c <= m->n; c++) {
        lacks[c] = INT32_MAX;
    }
    do {
        const int32_t *weight = m->weight + (m->matched[at] - 1) * m->n - 1;
        const int32_t potential = m->row[m->matched[at]];
        int32_t next = 0;
        grown[at] = true;
        for (int32_t c = 1; c <= m->n; c++) {
            if (grown[c]) {
                continue;
            }
            const int32_t slack = potential + m->column[c] - weight[c];
            if (slack < lacks[c]) {
                lacks[c] = slack;
                from[c] = at;
            }
            if (next == 0 || lacks[c] < lacks[next] ||
                (lacks[c] == lacks[next] && m->matched[c] == 0)) {
                next = c;
            }
        }
        const int32_t change = lacks[next];
        for (int32_t c = 0; c <= m->n && change > 0; c++) {
            if (grown[c]) {
                m->row[m->matched[c]] -= change;
                m->column[c] += change;
            } else {
                lacks[c] -= change;
            }
        }
        m->sum -= change;
        at = next;
    } while (m->matched[at] != 0);
    for (; at != 0; at = from[at]) {
        m->matched[at] = m->matched[from[at]];
    }
}

/* The largest weight of a matching of s->weight, which s->after is set to; `more` if it is not
 * above that. Starts with the potentials of the last one of as many children, which are usually
 * close: those of a step before. */
static int64_t match(struct shapes *s, int32_t x, int64_t more)
{
    struct matching m = {.weight = s->weight, .n = x, .column = s->potential + x * (x + 1) / 2};
    set_rows(&m);
    for (int32_t row = 1; row <= x && m.sum > more; row++) {
        match_row(&m, row);
    }
    if (m.sum <= more) {
        return more;
    }
    for (int32_t c = 1; c <= x; c++) {
        s->after[m.matched[c] - 1] = c - 1;
    }
    return m.sum;
}

/* Nodes */

/* A node that takes `time` after its own receive. */
struct node {
    const struct front *below; /* of its children */
    int64_t time;
    bool root;
    int32_t x; /* its fanout */
    const struct pace *pace;
};

/* Whether x children at this pace keep processor and NIC busy for no longer than the node has, and
 * the first and the last one asked have time for a leaf. */
static bool is_possible(const struct shapes *s, const struct node *node, int32_t x)
{
    const struct pace *pace = &s->pace[x];
    const int64_t others = x - 1;
    const int64_t slower = pace->sends > pace->receives ? pace->sends : pace->receives;
    return node->time >= x * pace->busy &&
           (node->root || node->time >= others * pace->sends + pace->nic) &&
           node->time >= pace->way + others * slower + s->leaf;
}

/* The most leaves of a child that is asked after `before` others and answers before `after`; 0 if
 * there is no time for any. */
static inline int32_t leaves_of(const struct shapes *s, const struct node *node, int64_t before,
                                int64_t after)
{
    const struct pace *pace = node->pace;
    const int64_t left =
        node->time - pace->way - s->leaf - before * pace->sends - after * pace->receives;
    return left < 0 ? 0 : node->below->leaves[(left + s->rounding) >> s->shift];
}

/* A bound for the leaves of every matching: of k + 1 children one is asked after k others, and one
 * answers before k others. One way, those of all. */
static int64_t leaf_bound(const struct shapes *s, const struct node *node)
{
    const struct pace *pace = node->pace;
    int64_t sum = 0;
    for (int32_t k = 0; k < node->x; k++) {
        sum += pace->sends > pace->receives ? leaves_of(s, node, k, 0) : leaves_of(s, node, 0, k);
    }
    return sum;
}

/* The most leaves of a node; `more` if it has no more than that. */
static int64_t matched_leaves(struct shapes *s, const struct node *node, int64_t more)
{
    const bool few = (int64_t)node->x * leaves_of(s, node, 0, 0) <= more;
    const int64_t bound = few ? more : leaf_bound(s, node);
    if (bound <= more) {
        return more;
    }
    int32_t *weight = s->weight;
    for (int32_t i = 0; i < node->x && s->one_way; i++) {
        s->after[i] = i;
    }
    if (s->one_way) {
        return bound;
    }
    for (int32_t i = 0; i < node->x; i++) {
        for (int32_t j = 0; j < node->x; j++) {
            *weight++ = leaves_of(s, node, i, j);
        }
    }
    return match(s, node->x, more);
}

/* The last of several fanouts, from `first` on, that are tried as one. */
static int32_t last_alike(const struct shapes *s, int32_t first)
{
    const int32_t last = first + first / 32;
    return last < s->widest ? last : s->widest;
}

/* Set fanout and pace of a node for those from `first` on: for a tree the last that is possible,
 * and for a bound as many children at the pace of the first. False if the next fanouts have the
 * same pace and include these. */
static bool set_fanout(const struct shapes *s, int32_t first, struct node *node)
{
    int32_t last = last_alike(s, first);
    if (last < s->widest && s->pace[last + 1].way == s->pace[first].way &&
        is_possible(s, node, last + 1)) {
        return false;
    }
    while (s->rounding == 0 && !is_possible(s, node, last)) {
        last--;
    }
    node->x = last;
    node->pace = &s->pace[s->rounding == 0 ? last : first];
    return true;
}

/* The most leaves of a node of the fanout that is then set; `more` if it has no more than that. */
static int64_t most_leaves(struct shapes *s, struct node *node, int64_t more)
{
    struct node tried = *node;
    int64_t most = more;
    for (int32_t x = 2 - s->itself; x <= s->widest && is_possible(s, node, x);
         x = last_alike(s, x) + 1) {
        const int64_t leaves = set_fanout(s, x, &tried) ? matched_leaves(s, &tried, most) : most;
        if (leaves > most) {
            most = leaves;
            *node = tried;
        }
    }
    return most;
}

/* Fronts */

static struct node node_at(const struct shapes *s, const struct front *below, int32_t step)
{
    return (struct node){.below = below, .time = s->leaf - s->own + ((int64_t)step << s->shift)};
}

/* Nodes whose children are those of another front, or of the same one, or, where it is NULL, only
 * leaves. */
static void fill_front(struct shapes *s, const struct front *below, struct front *front)
{
    front->leaves[0] = 1;
    for (int32_t t = 1; t < s->steps; t++) {
        struct node node = node_at(s, below, t);
        const int32_t last = front->leaves[t - 1];
        const int64_t leaves = below != NULL && last < s->most
                                   ? most_leaves(s, &node, last - s->itself) + s->itself
                                   : last;
        front->leaves[t] = leaves < s->most ? (int32_t)leaves : s->most;
        front->parent[t].fanout = node.x;
    }
}

/* The root of the least time, up to root->time, that has all leaves. False if there is none. */
static bool find_root(struct shapes *s, struct node *root)
{
    const int64_t leaves = s->problem->leaves - s->itself;
    const int64_t most = root->time;
    int64_t low = 0;
    *root = (struct node){.below = &s->front[s->n_fronts - 1], .time = most, .root = true};
    if (most_leaves(s, root, leaves - 1) < leaves) {
        return false;
    }
    while (root->time - low > 1) {
        struct node tried = *root;
        tried.time = low + (root->time - low) / 2;
        if (most_leaves(s, &tried, leaves - 1) < leaves) {
            low = tried.time;
        } else {
            *root = tried;
        }
    }
    return true;
}

/* The tree */

/* Set `below` to the leaves of the node's children, without those that have none; returns how many
 * there are. */
static int32_t set_below(struct shapes *s, const struct node *node, int32_t *below)
{
    int32_t n = 0;
    matched_leaves(s, node, 0);
    for (int32_t i = 0; i < node->x; i++) {
        below[n] = leaves_of(s, node, i, s->after[i]);
        n += below[n] > 0;
    }
    return n;
}

/* Take leaves from n children until `wanted` are left: those with the fewest first become leaves.
 * Returns how many children are left. */
static int32_t cut_surplus(int32_t *below, int32_t n, int32_t wanted)
{
    int64_t surplus = -(int64_t)wanted;
    n = n < wanted ? n : wanted;
    for (int32_t i = 0; i < n; i++) {
        surplus += below[i];
    }
    while (surplus > 0) {
        int32_t least = -1;
        for (int32_t i = 0; i < n; i++) {
            least = below[i] > 1 && (least < 0 || below[i] < below[least]) ? i : least;
        }
        const int64_t cut = surplus < below[least] - 1 ? surplus : below[least] - 1;
        below[least] -= (int32_t)cut;
        surplus -= cut;
    }
    return n;
}

/* The node of the least time with so many leaves, of those of this height: sets `below`, and
 * returns how many children it has; -1 if memory is short. */
static int32_t children_of(struct shapes *s, int32_t height, int32_t leaves, int32_t *below)
{
    struct front *front = &s->front[s->by_height ? height : 0];
    int32_t low = 0;
    int32_t t = s->steps - 1;
    while (t - low > 1) {
        const int32_t middle = low + (t - low) / 2;
        *(front->leaves[middle] < leaves ? &low : &t) = middle;
    }
    struct parent *parent = &front->parent[t];
    if (parent->below == NULL) {
        struct node node = node_at(s, s->by_height ? front - 1 : front, t);
        node.x = parent->fanout;
        node.pace = &s->pace[node.x];
        parent->below = malloc((size_t)node.x * sizeof *parent->below);
        if (parent->below == NULL) {
            return -1;
        }
        parent->fanout = set_below(s, &node, parent->below);
    }
    memcpy(below, parent->below, (size_t)parent->fanout * sizeof *below);
    return cut_surplus(below, parent->fanout, leaves - s->itself);
}

static struct tan_tree *build_tree(struct shapes *s, const struct node *root, struct tan_error *e)
{
    /* leaves, and nodes with several children or counted ones, are no more; and children are listed
     * before surplus is cut */
    const size_t most = 2 * (size_t)s->problem->leaves + WIDEST;
    int32_t *parent = malloc(most * sizeof *parent);
    int32_t *height = malloc(most * sizeof *height); /* that the node may have */
    int32_t *leaves = malloc(most * sizeof *leaves); /* below it */
    struct tan_tree *tree = NULL;
    int32_t size = 1;
    int32_t n = parent == NULL || height == NULL || leaves == NULL ? -1 : 0;
    if (n == 0) {
        parent[0] = -1;
        height[0] = s->n_fronts;
        leaves[0] = (int32_t)s->problem->leaves;
        n = cut_surplus(leaves + 1, set_below(s, root, leaves + 1), leaves[0] - s->itself);
    }
    for (int32_t i = 0; i < size && n >= 0; i++) {
        if (i > 0) {
            n = leaves[i] > 1 ? children_of(s, height[i], leaves[i], leaves + size) : 0;
        }
        for (int32_t k = 0; k < n; k++) {
            height[size] = height[i] - 1;
            parent[size++] = i;
        }
    }
    if (n < 0) {
        tan_fail_nomem(e);
    } else {
        tree = tan_tree_create(parent, size, NULL, e);
    }
    free(parent);
    free(height);
    free(leaves);
    return tree;
}

/* The search */

/* The pace of a node with x children. One way, what happens the other way takes no time. */
static struct pace pace_of(const struct tan_problem *p, const struct tan_overlap *overlap,
                           int64_t x)
{
    const struct tan_overlap_pace pace = tan_overlap_pace(overlap, x, 1);
    const bool up = p->params->one_way != TAN_DOWN, down = p->params->one_way != TAN_UP;
    return (struct pace){.busy = up && down ? llround(pace.send + pace.receive) : 0,
                         .sends = down ? llround(pace.sends) : 0,
                         .receives = up ? llround(pace.receives) : 0,
                         .nic = up && down ? llround(pace.nic) : 0,
                         .way =
                             llround((down ? pace.down : 0) + (up ? pace.up + pace.receive : 0))};
}

/* Set the paces up to the largest fanout that is possible for the root in this time. */
static void set_paces(struct shapes *s, const struct tan_overlap *overlap, int64_t time)
{
    const struct tan_problem *p = s->problem;
    const struct node root = {.time = time, .root = true};
    const int64_t most = p->max_fanout > 0 && p->max_fanout < p->leaves ? p->max_fanout : p->leaves;
    for (int32_t x = 1; x <= WIDEST && x <= most; x++) {
        s->pace[x] = pace_of(p, overlap, x);
        if (!is_possible(s, &root, x)) {
            break;
        }
        s->widest = x;
    }
}

/* At least so many steps where at most 64 children pay; fewer where more make matchings slow. The
 * time of a tree is exact in the end, that of the bound is not. */
enum steps { OF_TREE = 2048, OF_BOUND = 4096 };

/* Choose the steps: no longer than what a child takes besides its own time, so that longer times
 * follow from shorter ones. False if there would be too many. */
static bool set_grid(struct shapes *s, int64_t time, enum steps wanted)
{
    enum { MOST = 1 << 16, LEAST = 128, NARROW = 64 };
    const int64_t wide = s->widest > NARROW ? s->widest : NARROW;
    const int64_t fewer = (int64_t)wanted * NARROW * NARROW / (wide * wide);
    const int64_t span = time - s->leaf;
    s->shift = 0;
    while (span >> (s->shift + 1) >= (fewer > LEAST ? fewer : LEAST) &&
           INT64_C(2) << s->shift <= s->own + s->pace[1].way) {
        s->shift++;
    }
    s->steps = span >> s->shift < MOST ? (int32_t)(span >> s->shift) + 2 : 0;
    s->rounding = wanted == OF_BOUND ? (INT64_C(1) << s->shift) - 1 : 0;
    return s->steps > 0 && s->own + s->pace[1].way > 0;
}

static void free_fronts(struct shapes *s)
{
    for (int h = 0; h < s->n_fronts; h++) {
        struct front *front = &s->front[h];
        for (int32_t t = 0; t < s->steps && front->parent != NULL; t++) {
            free(front->parent[t].below);
        }
        free(front->leaves);
        free(front->parent);
    }
}

static int fill_fronts(struct shapes *s, struct tan_error *e)
{
    const size_t n = (size_t)s->steps;
    for (int h = 0; h < s->n_fronts; h++) {
        struct front *front = &s->front[h];
        front->leaves = calloc(n, sizeof *front->leaves);
        front->parent = calloc(n, sizeof *front->parent);
        if (front->leaves == NULL || front->parent == NULL) {
            return tan_fail_nomem(e);
        }
        fill_front(s, !s->by_height ? front : h > 0 ? front - 1 : NULL, front);
    }
    return 0;
}

/* The tree, or with `wanted` OF_BOUND the bound, within a time. */
static int search(struct shapes *s, int64_t time, enum steps wanted, struct tan_any_shape *out,
                  struct tan_error *e)
{
    struct node root = {.time = time};
    if (!set_grid(s, time, wanted)) {
        return 0;
    }
    int result = fill_fronts(s, e);
    if (result == 0) {
        const bool found = find_root(s, &root);
        if (wanted == OF_BOUND) {
            out->bound = (double)root.time * PS / tan_wave_ways(s->problem->params);
        } else if (found) {
            out->tree = build_tree(s, &root, e);
            result = out->tree == NULL ? -1 : 0;
        }
    }
    free_fronts(s);
    memset(s->front, 0, sizeof s->front);
    return result;
}

/* Whether messages wait for gaps: then answers may delay requests, in no known order, and times of
 * nodes are no bound. */
static bool has_gaps(const struct tan_params *params, const struct tan_overlap *overlap)
{
    const struct tan_overlap_pace pace = tan_overlap_pace(overlap, 1, 1);
    return pace.nic > fmin(fmin(pace.send, pace.receive), pace.own) &&
           (params->one_way == 0 || params->nic_shared);
}

static bool is_searched(const struct tan_problem *p)
{
    return p->model->node != NULL && !tan_payload_grows(p->params->payload) && p->leaves > 1 &&
           p->leaves <= TAN_ANY_SHAPE_LEAVES;
}

/* Whether the tree is faster than `wave`, by more than the model errs in both, and within all
 * limits; then `wave` is set to its time. */
static bool is_better(const struct tan_problem *p, const struct tan_tree *tree, double *wave)
{
    const double time = tan_wave_time(p->model, p->params, tree);
    const bool better = time * (1.0 + tan_checks_margin(p->error)) < *wave &&
                        tan_limits_allow(p, tan_tree_max_fanout(tree), tan_tree_height(tree),
                                         tan_tree_size(tree), tan_tree_max_below(tree));
    *wave = better ? time : *wave;
    return better;
}

int tan_any_shape(const struct tan_problem *problem, bool members, double wave,
                  struct tan_any_shape *out, struct tan_error *e)
{
    const struct tan_tiers tiers = tan_tiers_of(problem->params);
    const struct tan_overlap overlap = tan_overlap_tiers(&tiers);
    const int64_t height = problem->max_height;
    const enum tan_overlap_way way = tan_wave_way(problem->params);
    const int64_t time = llround(tan_wave_ways(problem->params) * wave / PS);
    *out = (struct tan_any_shape){.tree = NULL, .wave = wave, .bound = NAN};
    if (!is_searched(problem)) {
        return 0;
    }
    struct shapes *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return tan_fail_nomem(e);
    }
    s->problem = problem;
    s->most =
        (int32_t)(problem->max_loss > 0 && problem->max_loss < problem->leaves ? problem->max_loss
                                                                               : problem->leaves);
    s->itself = members ? 1 : 0;
    s->one_way = problem->params->one_way != 0;
    s->own = way == TAN_OVERLAP_UP ? 0 : llround(tan_overlap_pace(&overlap, 1, 1).own);
    s->leaf = llround(tan_overlap_leaf(&overlap, way) / PS);
    s->by_height = height > 0 && height <= TAN_PLAN_LEVELS;
    s->n_fronts = s->by_height ? (int)height : 1;
    set_paces(s, &overlap, time);
    int result = search(s, time, OF_TREE, out, e);
    if (result == 0 && s->widest < WIDEST && !has_gaps(problem->params, &overlap)) {
        result = search(s, time, OF_BOUND, out, e);
    }
    free(s);
    if (result < 0 || (out->tree != NULL && !is_better(problem, out->tree, &out->wave))) {
        tan_tree_destroy(out->tree);
        out->tree = NULL;
    }
    return result;
}
