/* any_shape.c - best tree of any shape, with overlapping requests and answers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/any_shape.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/wave/overlap.h"

/* Rows and columns are 1-based. Potentials of a row and a column sum to at least their weight, with
 * equality if they are matched. */
struct matching {
    const int64_t *weight;
    int32_t n;
    int64_t row[TAN_MATCH_MOST + 1], column[TAN_MATCH_MOST + 1]; /* potentials */
    int32_t matched[TAN_MATCH_MOST + 1]; /* row matched to a column; 0 if none */
};

static int64_t slack_of(const struct matching *m, int32_t row, int32_t column)
{
    return m->row[row] + m->column[column] - m->weight[(row - 1) * m->n + column - 1];
}

/* Match one more row: grow an alternating tree of columns by slack until it reaches a free one,
 * then flip the matching along the path. */
static void match_row(struct matching *m, int32_t row)
{
    int64_t lacks[TAN_MATCH_MOST + 1] = {0}; /* of a column: its least slack to a row of the tree */
    /* predecessor on the path from column 0, which stands for the new row */
    int32_t from[TAN_MATCH_MOST + 1] = {0};
    bool grown[TAN_MATCH_MOST + 1] = {false};
    int32_t at = 0;
    m->matched[0] = row;
    for (int32_t c = 1; c <= m->n; c++) {
        lacks[c] = INT64_MAX;
    }
    do {
        int32_t next = 0;
        grown[at] = true;
        for (int32_t c = 1; c <= m->n; c++) {
            if (grown[c]) {
                continue;
            }
            const int64_t slack = slack_of(m, m->matched[at], c);
            if (slack < lacks[c]) {
                lacks[c] = slack;
                from[c] = at;
            }
            next = next == 0 || lacks[c] < lacks[next] ? c : next;
        }
        const int64_t change = lacks[next];
        for (int32_t c = 0; c <= m->n; c++) {
            if (grown[c]) {
                m->row[m->matched[c]] -= change;
                m->column[c] += change;
            } else {
                lacks[c] -= change;
            }
        }
        at = next;
    } while (m->matched[at] != 0);
    for (; at != 0; at = from[at]) {
        m->matched[at] = m->matched[from[at]];
    }
}

int64_t tan_match(const int64_t *weight, int32_t n, int32_t *column)
{
    struct matching m = {.weight = weight, .n = n};
    int64_t sum = 0;
    for (int32_t i = 0; i < n * n; i++) { /* initial potentials */
        const int32_t row = i / n + 1;
        m.row[row] = i % n == 0 || weight[i] > m.row[row] ? weight[i] : m.row[row];
    }
    for (int32_t row = 1; row <= n; row++) {
        match_row(&m, row);
    }
    for (int32_t c = 1; c <= n; c++) {
        column[m.matched[c] - 1] = c - 1;
        sum += weight[(m.matched[c] - 1) * n + c - 1];
    }
    return sum;
}

/* A step of the Pareto front of time and leaves: the least time of a node, from the arrival of its
 * request until its answer begins, with more leaves than the previous step. Whole picoseconds. */
struct step {
    double time;
    int64_t leaves;
    int64_t fanout; /* 0: the node is a leaf */
};

struct shapes {
    int64_t leaves;              /* of the tree */
    int64_t widest;              /* largest fanout */
    struct tan_overlap_pace *at; /* by fanout, up to `leaves` */
    struct step *step;           /* n entries, ascending, with room for leaves + 1 */
    size_t n;
    int64_t *weight; /* scratch space for tan_match */
    int32_t *column;
};

/* A candidate node: the time it has once it has received its request, and its fanout. */
struct node {
    double time;
    int64_t x;
    bool root;
};

/* The most leaves a node can have within this time; 0 if not even a leaf is possible. */
static int64_t most_within(const struct shapes *s, double time)
{
    if (time < s->step[0].time) {
        return 0;
    }
    size_t low = 0;
    size_t high = s->n;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (s->step[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return s->step[low].leaves;
}

/* The most leaves below a child that is asked after `before` and answers before `after`
 * siblings. */
static int64_t leaves_within(const struct shapes *s, const struct node *node, int64_t before,
                             int64_t after)
{
    const struct tan_overlap_pace *pace = &s->at[node->x];
    return most_within(s, node->time - (double)before * pace->sends - pace->down - pace->up -
                              pace->receive - (double)after * pace->receives);
}

/* Whether the node's own processor and NIC finish in time, and every child could be a leaf. If
 * those asked first answer first, the first or the last child has the least time. */
static bool is_done(const struct shapes *s, const struct node *node)
{
    const struct tan_overlap_pace *pace = &s->at[node->x];
    const double others = (double)(node->x - 1);
    const double leaf = node->time - pace->down - pace->up - pace->receive -
                        others * fmax(pace->sends, pace->receives);
    return node->time >= (others + 1) * (pace->send + pace->receive) &&
           (node->root || node->time >= others * pace->sends + pace->nic) &&
           leaf >= s->step[0].time;
}

/* Leaves if the first child asked answers last (`nested`) or first; 0 if a child's time is too
 * short even for a leaf. */
static int64_t paired_leaves(const struct shapes *s, const struct node *node, bool nested)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < node->x; i++) {
        const int64_t leaves = leaves_within(s, node, i, nested ? i : node->x - 1 - i);
        if (leaves == 0) {
            return 0;
        }
        sum += leaves;
    }
    return sum;
}

/* An upper bound for the leaves of every matching: the children wait for requests only, or for
 * answers only. */
static int64_t leaf_bound(const struct shapes *s, const struct node *node)
{
    int64_t asked = 0;
    int64_t answered = 0;
    for (int64_t i = 0; i < node->x; i++) {
        asked += leaves_within(s, node, i, 0);
        answered += leaves_within(s, node, 0, i);
    }
    return asked < answered ? asked : answered;
}

/* The best matching: s->column[i] is the number of children that answer after child i. */
static int64_t matched_leaves(const struct shapes *s, const struct node *node)
{
    const size_t x = (size_t)node->x;
    for (size_t i = 0; i < x; i++) {
        for (size_t j = 0; j < x; j++) {
            const int64_t leaves = leaves_within(s, node, (int64_t)i, (int64_t)j);
            /* a child without time for a leaf outweighs all others, so that the sum is negative */
            s->weight[i * x + j] =
                leaves > 0 ? leaves : -(int64_t)TAN_ANY_SHAPE_LEAVES * TAN_MATCH_MOST;
        }
    }
    const int64_t sum = tan_match(s->weight, (int32_t)x, s->column);
    return sum > 0 ? sum : 0;
}

/* How the order of answers follows from the order of requests. */
enum order { NESTED, IN_TURN, MATCHED };

/* The most leaves below such a node, and the order of answers that gives them; at least `enough`
 * suffices (INT64_MAX: the maximum). */
static int64_t most_leaves(const struct shapes *s, const struct node *node, int64_t enough,
                           enum order *order)
{
    const int64_t each = leaves_within(s, node, 0, 0);
    if (leaves_within(s, node, node->x - 1, 0) == each &&
        leaves_within(s, node, 0, node->x - 1) == each) { /* then all children have `each` */
        *order = IN_TURN;
        return node->x * each;
    }
    const int64_t in_turn = paired_leaves(s, node, false);
    const int64_t nested = paired_leaves(s, node, true);
    int64_t best = in_turn > nested ? in_turn : nested;
    *order = in_turn > nested ? IN_TURN : NESTED;
    if (best < enough && node->x <= TAN_MATCH_MOST) {
        const int64_t most = leaf_bound(s, node);
        if (most > best && (enough == INT64_MAX || most >= enough)) {
            const int64_t found = matched_leaves(s, node);
            *order = found > best ? MATCHED : *order;
            best = found > best ? found : best;
        }
    }
    return best;
}

/* Whether the node can have that many leaves in its time. */
static bool has_leaves(const struct shapes *s, const struct node *node, int64_t leaves)
{
    enum order order;
    return is_done(s, node) && node->x * leaves_within(s, node, 0, 0) >= leaves &&
           most_leaves(s, node, leaves, &order) >= leaves;
}

/* Lower node->time, which suffices for `leaves`, to the least value above `low` that suffices. */
static void shorten_time(const struct shapes *s, struct node *node, double low, int64_t leaves)
{
    while (node->time - low > 1) {
        struct node tried = *node;
        tried.time = floor((low + node->time) / 2);
        if (has_leaves(s, &tried, leaves)) {
            *node = tried;
        } else {
            low = tried.time;
        }
    }
}

/* The fewest children for `leaves` leaves with at most `each` below a child. */
static int64_t fewest_children(int64_t leaves, int64_t each)
{
    const int64_t x = each > 0 ? tan_ceil_div(leaves, each) : leaves;
    return x > 2 ? x : 2;
}

/* The node with at least `leaves` leaves and the least time, which is above `low`. Start near x,
 * the fanout of the previous step, which is usually close; any fanout gives an upper bound. */
static struct node fastest_node(const struct shapes *s, double low, int64_t leaves, int64_t x,
                                bool root)
{
    struct node best = {low, x, root};
    for (double width = 1; !has_leaves(s, &best, leaves); width *= 2) {
        const struct node more = {best.time, x + 1, root};
        if (x < s->widest && has_leaves(s, &more, leaves)) {
            best = more;
            break;
        }
        best.time += width;
    }
    shorten_time(s, &best, low, leaves);
    struct node tried = {best.time - 1, 2, root};
    const int64_t each = leaves_within(s, &tried, 0, 0); /* more children cannot increase it */
    for (tried.x = fewest_children(leaves, each); tried.x <= s->widest; tried.x++) {
        tried.time = best.time - 1;
        if (!is_done(s, &tried)) {
            break; /* more children take even longer */
        }
        if (has_leaves(s, &tried, leaves)) {
            best = tried;
            shorten_time(s, &best, low, leaves);
        }
    }
    return best;
}

static void find_steps(struct shapes *s, double leaf)
{
    s->step[0] = (struct step){leaf, 1, 0};
    s->n = 1;
    struct node node = {0, 2, false};
    while (s->step[s->n - 1].leaves < s->leaves) {
        enum order order;
        node = fastest_node(s, node.time, s->step[s->n - 1].leaves + 1, node.x, false);
        const int64_t leaves = most_leaves(s, &node, INT64_MAX, &order);
        s->step[s->n++] = (struct step){s->at[2].own + node.time, leaves, node.x};
    }
}

/* Distribute `wanted` leaves, at least 2, over the children: below[], which needs room for
 * node->x entries. Returns the number of children. */
static int64_t share_out(const struct shapes *s, const struct node *node, int64_t wanted,
                         int64_t *below)
{
    const int64_t x = node->x < wanted ? node->x : wanted;
    for (int64_t i = 0; i < x; i++) {
        below[i] = 1;
    }
    if (x == wanted) {
        return x;
    }
    enum order order;
    int64_t surplus = most_leaves(s, node, INT64_MAX, &order) - wanted;
    for (int64_t i = 0; i < x; i++) {
        const int64_t after = order == NESTED ? i : order == IN_TURN ? x - 1 - i : s->column[i];
        below[i] = leaves_within(s, node, i, after);
    }
    while (surplus > 0) { /* cut from the smallest first, turning them into leaves */
        int64_t least = -1;
        for (int64_t i = 0; i < x; i++) {
            if (below[i] > 1 && (least < 0 || below[i] < below[least])) {
                least = i;
            }
        }
        const int64_t cut = surplus < below[least] - 1 ? surplus : below[least] - 1;
        below[least] -= cut;
        surplus -= cut;
    }
    return x;
}

/* The fastest node below the root with at least that many leaves. */
static struct node node_of(const struct shapes *s, int64_t leaves)
{
    size_t i = 0;
    while (s->step[i].leaves < leaves) {
        i++;
    }
    return (struct node){s->step[i].time - s->at[2].own, s->step[i].fanout, false};
}

static struct tan_tree *build_tree(const struct shapes *s, const struct node *root,
                                   struct tan_error *e)
{
    const size_t most = 2 * (size_t)s->leaves;
    int32_t *parent = malloc(most * sizeof *parent);
    int64_t *leaves = malloc(most * sizeof *leaves);
    struct tan_tree *tree = NULL;
    if (parent == NULL || leaves == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    int32_t size = 1;
    parent[0] = -1;
    leaves[0] = s->leaves;
    for (int32_t i = 0; i < size; i++) {
        const struct node node = i == 0 ? *root : node_of(s, leaves[i]);
        if (i > 0 && leaves[i] == 1) {
            continue;
        }
        const int64_t x = share_out(s, &node, leaves[i], leaves + size);
        for (int64_t k = 0; k < x; k++) {
            parent[size++] = i;
        }
    }
    tree = tan_tree_create(parent, size, NULL, e);

done:
    free(parent);
    free(leaves);
    return tree;
}

static int check_problem(const struct tan_problem *p, struct tan_error *e)
{
    if (p->model->node == NULL) {
        return tan_fail_usage(
            e, "trees of any shape are found under model tan-overlap only: --model tan-overlap");
    }
    if (p->params->one_way != 0) {
        return tan_fail_usage(e, "trees of any shape are found for round trips only");
    }
    if (p->max_height > 0 || p->max_processes > 0 || p->max_loss > 0) {
        return tan_fail_usage(e, "trees of any shape are not found within limits on height, "
                                 "processes or loss");
    }
    if (p->leaves < 2 || p->leaves > TAN_ANY_SHAPE_LEAVES) {
        return tan_fail_usage(e, "trees of any shape have from 2 to %d leaves",
                              TAN_ANY_SHAPE_LEAVES);
    }
    if (p->max_fanout == 1) {
        return tan_fail_usage(e, "trees of any shape need nodes with at least two children");
    }
    if (p->params->payload != NULL) {
        return tan_fail_usage(
            e, "trees of any shape are found for messages of the measured size only");
    }
    return 0;
}

int tan_any_shape(const struct tan_problem *problem, struct tan_tree **tree, double *wave,
                  struct tan_error *e)
{
    struct shapes s = {.leaves = problem->leaves};
    int result = -1;
    *tree = NULL;
    if (check_problem(problem, e) < 0) {
        return -1;
    }
    const struct tan_tiers tiers = tan_tiers_of(problem->params);
    const struct tan_overlap overlap = tan_overlap_tiers(&tiers);
    const int64_t limit = problem->max_fanout;
    s.widest = limit > 0 && limit < s.leaves ? limit : s.leaves;
    const size_t n = (size_t)s.leaves + 1;
    const size_t square = (size_t)TAN_MATCH_MOST * TAN_MATCH_MOST;
    s.at = malloc(n * sizeof *s.at);
    s.step = malloc(n * sizeof *s.step);
    s.weight = malloc(square * sizeof *s.weight);
    s.column = malloc(TAN_MATCH_MOST * sizeof *s.column);
    if (s.at == NULL || s.step == NULL || s.weight == NULL || s.column == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    for (size_t x = 0; x < n; x++) {
        s.at[x] = tan_overlap_pace(&overlap, x > 1 ? (int64_t)x : 1, 1);
    }
    find_steps(&s, rint(tan_overlap_leaf(&overlap, TAN_OVERLAP_ROUND) / 1e-12));
    const struct node root = fastest_node(&s, 0, s.leaves, 2, true);
    *tree = build_tree(&s, &root, e);
    if (*tree != NULL) {
        *wave = tan_wave_time(problem->model, problem->params, *tree);
        result = 0;
    }

done:
    free(s.at);
    free(s.step);
    free(s.weight);
    free(s.column);
    return result;
}
