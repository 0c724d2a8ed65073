/* test_heal.c - trees after failures, against trees healed by hand and rules that must hold
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/heal.h"

#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

#include "topo/spec.h"

/*            0
 *        1       2
 *      3   4     5
 *     6 7  8    9 10     leaves: 6 to 10 */
enum { NODES = 11, OUT = TAN_HEAL_OUT };
static const int32_t example[NODES] = {-1, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5};

static struct tan_tree *tree_of(const int32_t *parents, int32_t size)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_tree_create(parents, size, NULL, &e);
    assert_no_error(e);
    return tree;
}

static void by_hand(void **state)
{
    (void)state;
    static const struct {
        int32_t dead[4]; /* up to a 0 */
        int32_t wanted[TAN_HEAL_POLICIES][NODES];
    } rows[] = {
        {{0},
         {{-1, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5},
          {-1, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5},
          {-1, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5},
          {-1, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5}}},
        /* an internal process: 4 takes its place, and 8 that of 4 */
        {{1},
         {{-1, OUT, 0, 0, 0, 2, 3, 3, 4, 5, 5},
          {-1, OUT, 0, 4, 0, 2, 3, 3, 4, 5, 5},
          {-1, OUT, 0, 0, 0, 2, 3, 3, 4, 5, 5},
          {-1, OUT, 0, OUT, OUT, 2, OUT, OUT, OUT, 5, 5}}},
        /* leaves of a process: one of them becomes a parent */
        {{3},
         {{-1, 0, 0, OUT, 1, 2, 1, 1, 4, 5, 5},
          {-1, 0, 0, OUT, 1, 2, 7, 1, 4, 5, 5},
          {-1, 0, 0, OUT, 1, 2, 0, 0, 4, 5, 5},
          {-1, 0, 0, OUT, 1, 2, OUT, OUT, 4, 5, 5}}},
        /* a leaf, the only one of its parent, which has nothing left to do */
        {{8},
         {{-1, 0, 0, 1, OUT, 2, 3, 3, OUT, 5, 5},
          {-1, 0, 0, 1, OUT, 2, 3, 3, OUT, 5, 5},
          {-1, 0, 0, 1, OUT, 2, 3, 3, OUT, 5, 5},
          {-1, 0, 0, 1, OUT, 2, 3, 3, OUT, 5, 5}}},
        /* parent and child: 7 takes the place of 3, below 4, which takes that of 1 */
        {{1, 3},
         {{-1, OUT, 0, OUT, 0, 2, 0, 0, 4, 5, 5},
          {-1, OUT, 0, OUT, 0, 2, 7, 4, 4, 5, 5},
          {-1, OUT, 0, OUT, 0, 2, 0, 0, 4, 5, 5},
          {-1, OUT, 0, OUT, OUT, 2, OUT, OUT, OUT, 5, 5}}},
        /* all children of a failed process: a grandchild takes its place */
        {{1, 3, 4},
         {{-1, OUT, 0, OUT, OUT, 2, 0, 0, 0, 5, 5},
          {-1, OUT, 0, OUT, OUT, 2, 7, 8, 0, 5, 5},
          {-1, OUT, 0, OUT, OUT, 2, 0, 0, 0, 5, 5},
          {-1, OUT, 0, OUT, OUT, 2, OUT, OUT, OUT, 5, 5}}},
        /* an only child and its only child: 10 and 9 take their places */
        {{2, 5},
         {{-1, 0, OUT, 1, 1, OUT, 3, 3, 4, 0, 0},
          {-1, 0, OUT, 1, 1, OUT, 3, 3, 4, 10, 0},
          {-1, 0, OUT, 1, 1, OUT, 3, 3, 4, 0, 0},
          {-1, 0, OUT, 1, 1, OUT, 3, 3, 4, OUT, OUT}}},
    };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tree_of(example, NODES);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int policy = 0; policy < TAN_HEAL_POLICIES; policy++) {
            bool dead[NODES] = {false};
            int32_t parents[NODES];
            at_row("rows, row and policy %zu", 10 * i + (size_t)policy);
            for (int k = 0; k < 4 && rows[i].dead[k] > 0; k++) {
                dead[rows[i].dead[k]] = true;
            }
            assert_int_equal(tan_heal(tree, dead, (enum tan_heal_policy)policy, parents, &e), 0);
            assert_memory_equal(parents, rows[i].wanted[policy], sizeof parents);
        }
    }
    tan_tree_destroy(tree);
}

/* Whether `node` reaches the root of a healed tree; no path is longer than the tree is large. */
static bool reaches_root(const int32_t *parents, int32_t size, int32_t node)
{
    for (int32_t steps = 0; node > 0 && steps < size; steps++) {
        node = parents[node];
    }
    return node == 0;
}

/* With any policy but none every living leaf stays; nobody has a failed parent; each node that is
 * in the tree has a living leaf at or below it. With none a leaf stays if all above it live. */
static void check_rules(const struct tan_tree *tree, const bool *dead, int policy)
{
    struct tan_error e = TAN_ERROR_INIT;
    const int32_t size = tan_tree_size(tree);
    int32_t *parents = malloc((size_t)size * sizeof *parents);
    bool *useful = calloc((size_t)size, sizeof *useful);
    assert_non_null(parents);
    assert_non_null(useful);
    assert_int_equal(tan_heal(tree, dead, (enum tan_heal_policy)policy, parents, &e), 0);
    assert_int_equal(parents[0], -1);
    for (int32_t leaf = 1; leaf < size; leaf++) {
        bool wanted = tan_tree_fanout(tree, leaf) == 0 && !dead[leaf];
        for (int32_t at = leaf; policy == TAN_HEAL_NONE && at > 0; at = tan_tree_parent(tree, at)) {
            wanted &= !dead[at];
        }
        if (wanted) {
            assert_true(reaches_root(parents, size, leaf));
            for (int32_t at = leaf; at > 0; at = parents[at]) {
                useful[at] = true;
            }
        }
    }
    for (int32_t node = 1; node < size; node++) {
        assert_int_equal(parents[node] != TAN_HEAL_OUT, useful[node]);
        assert_false(parents[node] >= 0 && dead[parents[node]]);
    }
    free(parents);
    free(useful);
}

/* Every set of failures of some small trees. */
static void rules_hold(void **state)
{
    (void)state;
    static const char *const specs[] = {"nto1:4", "chain:5", "binary:5", "levels:2x3x1",
                                        "binomial:4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *tree = tan_spec_build(specs[i], &e);
        assert_no_error(e);
        const int32_t size = tan_tree_size(tree);
        at_row("specs[%zu]", i);
        for (uint32_t set = 0; set < UINT32_C(1) << (size - 1); set++) {
            bool dead[32] = {false};
            for (int32_t node = 1; node < size; node++) {
                dead[node] = set >> (node - 1) & 1;
            }
            for (int policy = 0; policy < TAN_HEAL_POLICIES; policy++) {
                check_rules(tree, dead, policy);
            }
        }
        tan_tree_destroy(tree);
    }
}

static void heights(void **state)
{
    (void)state;
    /* 0 - 4 - 1 - 3, 0 - 2, node 5 out */
    static const int32_t parents[] = {-1, 4, 0, 1, 0, OUT};
    static const int32_t wanted[] = {3, 1, 0, 0, 2, 0};
    int32_t found[6];
    tan_heal_heights(parents, 6, found);
    assert_memory_equal(found, wanted, sizeof found);
}

static void numbered_anew(void **state)
{
    (void)state;
    static const int32_t parents[] = {-1, 4, 0, 1, 0, OUT};
    static const int32_t wanted_parents[] = {-1, 0, 0, 2, 3};
    static const int32_t wanted_numbers[] = {0, 2, 4, 1, 3};
    int32_t numbers[6];
    int32_t found[5];
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_heal_tree(parents, 6, numbers, &e);
    assert_no_error(e);
    assert_int_equal(tan_tree_size(tree), 5);
    tan_tree_parents(tree, found);
    assert_memory_equal(found, wanted_parents, sizeof found);
    assert_memory_equal(numbers, wanted_numbers, sizeof wanted_numbers);
    tan_tree_destroy(tree);

    static const int32_t alone[] = {-1, OUT, OUT};
    assert_null(tan_heal_tree(alone, 3, NULL, &e));
    assert_no_error(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(rules_hold),
        cmocka_unit_test(heights),
        cmocka_unit_test(numbered_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
