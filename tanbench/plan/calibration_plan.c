/* calibration_plan.c - trees measured to identify the parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/calibration_plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "topo/spec.h"

/* From 4 on two fanouts per octave, 4, 6, 8, 12, ...: enough to distinguish a parabola from a line
 * at any scale. */
static int64_t next_fanout(int64_t x)
{
    return x < 4 ? x + 1 : (x & (x - 1)) == 0 ? x * 3 / 2 : x / 3 * 4;
}

static int add_shape(struct plan *plan, const char *shape, int64_t size, const char *where,
                     struct tan_error *e)
{
    return tan_plan_add(plan, tan_printed("%s:%" PRId64 "%s", shape, size, where).text, e);
}

static int add_pingpong(struct plan *plan, const char *where, struct tan_error *e)
{
    if (tan_plan_add(plan, tan_printed("pingpong%s", where).text, e) < 0) {
        return -1;
    }
    plan->cells[plan->n_cells - 1].waves = LATENCY_SAMPLES;
    return 0;
}

static int add_chains(struct plan *plan, int64_t tallest, const char *where, struct tan_error *e)
{
    for (int64_t h = 1; h <= tallest; h++) {
        if (add_shape(plan, "chain", h, where, e) < 0) {
            return -1;
        }
    }
    return 0;
}

static int add_nto1(struct plan *plan, int64_t widest, const char *where, struct tan_error *e)
{
    for (int64_t x = 2; x < widest; x = next_fanout(x)) {
        if (add_shape(plan, "nto1", x, where, e) < 0) {
            return -1;
        }
    }
    return add_shape(plan, "nto1", widest, where, e);
}

static int64_t smaller_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* An uneven tree for the fit, then check trees. Each is enlarged, by the number in its spec, until
 * it no longer fits. In the random trees of seed 16 some processes have many leaves and one or two
 * deep subtrees below them, where errors are seen that even levels hide. Binary trees have most of
 * their links between distant ranks, at all levels. */
static const struct {
    const char *shape;
    int times;      /* how often the number is in the spec: 2 in "levels:3x3" */
    int64_t factor; /* from one number to the next; 0: all integers */
    int64_t least;  /* smallest number */
    const char *end;
} more_trees[] = {
    {"binomial", 1, 2, 4, ""},  {"levels", 2, 0, 2, ""},     {"levels", 3, 0, 2, ""},
    {"knomial:3", 1, 3, 9, ""}, {"random", 1, 2, 16, ":16"}, {"binary", 1, 2, 8, ""},
};
enum { UNEVEN = 1, MORE = sizeof more_trees / sizeof *more_trees };

/* "levels:3x3" */
static struct tan_text spec_of(const char *shape, int64_t number, int times)
{
    struct tan_text spec = tan_printed("%s:%" PRId64, shape, number);
    for (int i = 1; i < times; i++) {
        spec = tan_printed("%sx%" PRId64, spec.text, number);
    }
    return spec;
}

/* Limits for trees. */
struct room {
    int64_t leaves, ranks;
    const struct peer *peers; /* links must be between hosts; NULL: no restriction */
};

static bool has_near_link(const struct tan_tree *tree, const struct peer *peers)
{
    for (int32_t node = 1; tree != NULL && node < tan_tree_size(tree); node++) {
        if (peers[node].host_index == peers[tan_tree_parent(tree, node)].host_index) {
            return true;
        }
    }
    return false;
}

/* Add the largest tree that fits of each of the first `trees` kinds. */
static int add_more_trees(struct plan *plan, size_t trees, const struct room *room,
                          const char *where, struct tan_error *e)
{
    for (size_t i = 0; i < trees; i++) {
        const int64_t factor = more_trees[i].factor;
        struct tan_text largest = {""};
        for (int64_t n = more_trees[i].least; n <= room->leaves; n = factor ? n * factor : n + 1) {
            struct tan_error ignored = TAN_ERROR_INIT;
            const struct tan_text spec =
                tan_printed("%s%s", spec_of(more_trees[i].shape, n, more_trees[i].times).text,
                            more_trees[i].end);
            struct tan_tree *tree = tan_spec_build(spec.text, &ignored);
            const bool small = tree != NULL && tan_tree_size(tree) <= room->ranks;
            if (small && !(room->peers != NULL && has_near_link(tree, room->peers))) {
                largest = spec;
            }
            tan_tree_destroy(tree);
            if (!small) {
                break; /* building larger ones takes seconds */
            }
        }
        if (*largest.text != '\0' &&
            tan_plan_add(plan, tan_printed("%s%s", largest.text, where).text, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Number of nodes above the leaves of `levels` levels of n children. */
static int64_t nodes_above(int64_t n, int levels)
{
    int64_t nodes = 0;
    for (int level = 0; level < levels; level++) {
        nodes = nodes * n + 1;
    }
    return nodes;
}

/* Add a check tree over all ranks, of even levels with some six children each, as trees that
 * tan-design recommends: small trees do not load the links that all hosts share. */
static int add_largest(struct plan *plan, int64_t ranks, struct tan_error *e)
{
    const int levels = (int)fmax(2, round(log((double)ranks) / log(6)));
    int64_t n = 2;
    while (nodes_above(n, levels + 1) < ranks) {
        n++;
    }
    const int64_t leaves = ranks - nodes_above(n, levels);
    return add_shape(plan, spec_of("levels", n, levels).text, leaves, "", e);
}

enum tan_fit_role tan_calibration_role(const struct cell *cell)
{
    if (strncmp(cell->spec, "chain:", 6) == 0 || strncmp(cell->spec, "nto1:", 5) == 0) {
        return TAN_FITS_ALL;
    }
    return strncmp(cell->spec, "binomial:", 9) != 0 ? TAN_CHECKS : TAN_FITS_OVERLAP;
}

int tan_calibration_plan(struct plan *plan, int64_t max_leaves, int64_t max_height,
                         int64_t max_ranks, struct tan_error *e)
{
    const int64_t most = max_ranks > 0 ? max_ranks - 1 : INT64_MAX;
    const int64_t tallest = smaller_of(most, max_height);
    const int64_t widest = smaller_of(most, max_leaves);
    if (most < 4 || max_leaves < 4) {
        return tan_fail_usage(e,
                              "calibrate needs chains and N-to-1 trees of at least 4 sizes: 5 "
                              "ranks, not %" PRId64,
                              max_ranks);
    }
    if (add_pingpong(plan, "", e) < 0 || add_chains(plan, tallest, "", e) < 0 ||
        add_nto1(plan, widest, "", e) < 0) {
        return -1;
    }
    const int64_t ranks = (tallest > widest ? tallest : widest) + 1;
    const struct room room = {widest, ranks, NULL};
    if (emulation_on(&plan->settings.emulation)) {
        return 0;
    }
    if (add_more_trees(plan, MORE, &room, "", e) < 0) {
        return -1;
    }
    return max_ranks > ranks ? add_largest(plan, max_ranks, e) : 0;
}

enum { MIN_HOSTS = 3, MIN_NEAR = 3 };

static int32_t ranks_near(const struct peer *peers, int32_t ranks)
{
    return tan_peers_on(peers, ranks, peers[0].host_index);
}

bool tan_calibration_has_tiers(const struct peer *peers, int32_t ranks)
{
    int32_t hosts = 0;
    for (int32_t i = 0; i < ranks; i++) {
        hosts = peers[i].host_index >= hosts ? peers[i].host_index + 1 : hosts;
    }
    /* Four ranks on other hosts allow chains and N-to-1 trees of four sizes between hosts. */
    return hosts >= MIN_HOSTS && ranks_near(peers, ranks) >= MIN_NEAR &&
           ranks - ranks_near(peers, ranks) >= 4;
}

/* Drop the trees of the fits that have links within a host. The remaining cells keep their order
 * and are numbered from 0. */
static void drop_mixed(struct plan *plan, const struct peer *peers)
{
    int n = 0;
    for (int i = 0; i < plan->n_cells; i++) {
        if (tan_calibration_role(&plan->cells[i]) != TAN_CHECKS &&
            has_near_link(plan->trees[i], peers)) {
            for (int k = 0; k < plan->n_cells; k++) {
                plan->cells[k].order -= k != i && plan->cells[k].order > plan->cells[i].order;
            }
            plan->cells[i].order = -1;
        }
    }
    for (int i = 0; i < plan->n_cells; i++) {
        if (plan->cells[i].order < 0) {
            tan_tree_destroy(plan->trees[i]);
        } else {
            plan->cells[n] = plan->cells[i];
            plan->trees[n++] = plan->trees[i];
        }
    }
    plan->n_cells = n;
}

static bool has_uneven(const struct plan *plan)
{
    for (int i = 0; i < plan->n_cells; i++) {
        if (tan_calibration_role(&plan->cells[i]) == TAN_FITS_OVERLAP) {
            return true;
        }
    }
    return false;
}

int tan_calibration_plan_tiers(struct plan *plan, int64_t max_height, const struct peer *peers,
                               int32_t ranks, struct tan_error *e)
{
    const int64_t near = ranks_near(peers, ranks);
    const struct room between = {ranks - 1, ranks, peers};
    const struct room within = {near - 1, near, NULL};
    const bool emulated = emulation_on(&plan->settings.emulation);
    int first;
    drop_mixed(plan, peers);
    first = plan->n_cells;
    if (!emulated && ((!has_uneven(plan) && add_more_trees(plan, UNEVEN, &between, "", e) < 0) ||
                      add_more_trees(plan, UNEVEN, &within, TAN_SPEC_NEAR, e) < 0)) {
        return -1;
    }
    if (add_pingpong(plan, TAN_SPEC_NEAR, e) < 0 ||
        add_chains(plan, smaller_of(near - 1, max_height), TAN_SPEC_NEAR, e) < 0 ||
        add_nto1(plan, near - 1, TAN_SPEC_NEAR, e) < 0) {
        return -1;
    }
    for (int i = first; i < plan->n_cells; i++) {
        plan->cells[i].bytes = plan->settings.sizes[0];
    }
    return 0;
}

int64_t tan_calibration_default_leaves(int cores)
{
    const int64_t leaves = 32 * (int64_t)cores;
    return leaves < DEFAULT_MAX_FANOUT ? leaves : DEFAULT_MAX_FANOUT;
}
