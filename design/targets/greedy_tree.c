/* greedy_tree.c - LogP's greedy broadcast tree, as MPICH's topology_wave builds it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/targets/greedy_tree.h"

#include "design/targets/shape.h"

/* Enough for 10^12 processes at the greatest latency. */
enum { TIMES = 4096, TURNS = 64 };

struct greedy_tree {
    int hop;                /* the time from sending a message to sending it on */
    int64_t reached[TIMES]; /* processes that an unlimited tree reaches by each time */
    int last;               /* the last time at which the tree still has all of these */
};

static int64_t reached_by(const struct greedy_tree *tree, int time)
{
    return time < 0 ? 0 : tree->reached[time];
}

static void grow_tree(struct greedy_tree *tree, int64_t latency, int64_t size)
{
    int t = 0;
    tree->hop = (int)latency + 2;
    tree->reached[0] = 1;
    while (tree->reached[t] <= size && t + 1 < TIMES) {
        t++;
        tree->reached[t] = tree->reached[t - 1] + reached_by(tree, t - tree->hop);
    }
    tree->last = t - 1;
}

/* The first `n` processes: all that are reached by time[0]; of those that are reached next the
 * children of all that are reached by time[1]; and so on, since processes of one time have the
 * order of their parents. */
struct first {
    int time[TURNS];
    int n;
};

static struct first first_processes(const struct greedy_tree *tree, int64_t n)
{
    struct first first = {.n = 0};
    int time = tree->last;
    while (n > 0) {
        while (tree->reached[time] > n) {
            time--;
        }
        n -= tree->reached[time];
        first.time[first.n++] = time;
    }
    return first;
}

/* How many of them are below the root's child of number `child`, from 0, which is reached at time
 * hop + child. */
static int64_t share_of_child(const struct greedy_tree *tree, const struct first *first, int child)
{
    int64_t share = 0;
    for (int i = 0; i < first->n; i++) {
        const bool is_child = i > 0 && first->time[i - 1] + 1 == tree->hop + child;
        share += reached_by(tree, first->time[i] - tree->hop - child) + is_child;
    }
    return share;
}

static int add_children(int64_t size, int64_t count, int n, struct tan_branch *out)
{
    if (n > 0 && out[n - 1].size == size) {
        out[n - 1].count += count;
        return n;
    }
    out[n] = (struct tan_branch){.size = size, .count = count};
    return n + 1;
}

int tan_greedy_tree_split(int64_t latency, int64_t size, int depth, struct tan_branch *out)
{
    struct greedy_tree tree;
    int n = 0;
    (void)depth;
    grow_tree(&tree, latency, size);
    const int64_t later = size - tree.reached[tree.last]; /* children of the first processes */
    const struct first first = first_processes(&tree, later);
    int64_t children = tree.last - tree.hop + 1 + (later > 0);
    int64_t left = size - 1;
    for (int c = 0; c + tree.hop <= tree.last && n + 2 < TAN_BRANCHES; c++) {
        const int64_t below =
            reached_by(&tree, tree.last - tree.hop - c) + share_of_child(&tree, &first, c);
        n = add_children(below, 1, n, out);
        left -= below;
        children--;
    }
    if (children == 1) {
        return add_children(left, 1, n, out);
    }
    return children == 0 ? n : n + tan_branches_even(left, children, out + n);
}

void tan_greedy_tree_parents(int64_t latency, int32_t n, int32_t *parents)
{
    struct greedy_tree tree;
    int32_t next = 1;
    grow_tree(&tree, latency, n);
    parents[0] = -1;
    for (int time = 0; next < n; time++) {
        for (int32_t parent = 0; parent < tree.reached[time] && next < n; parent++) {
            parents[next++] = parent;
        }
    }
}
