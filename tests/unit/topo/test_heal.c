/* test_heal.c - trees after a failure, against trees healed by hand and rules that must hold
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/tree.h"

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

TEST(by_hand)
{
    static const struct {
        int32_t failed;
        int32_t wanted[NODES];
    } rows[] = {
        {0, {-1, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5}},
        /* internal processes */
        {1, {-1, OUT, 0, 0, 0, 2, 3, 3, 4, 5, 5}},
        {3, {-1, 0, 0, OUT, 1, 2, 1, 1, 4, 5, 5}},
        {4, {-1, 0, 0, 1, OUT, 2, 3, 3, 1, 5, 5}},
        /* a leaf; one that was the only one of its parent, which has nothing left to do */
        {6, {-1, 0, 0, 1, 1, 2, OUT, 3, 4, 5, 5}},
        {8, {-1, 0, 0, 1, OUT, 2, 3, 3, OUT, 5, 5}},
    };
    struct tan_tree *tree = tree_of(example, NODES);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int32_t parents[NODES];
        at_row("rows[%zu]", i);
        tan_heal(tree, rows[i].failed, parents);
        assert_memory_equal(parents, rows[i].wanted, sizeof parents);
    }
    tan_tree_destroy(tree);
}

/* Every living leaf stays; nobody has a failed parent; each node that is in the tree has a living
 * leaf at or below it. */
static void check_rules(const struct tan_tree *tree, int32_t failed)
{
    const int32_t size = tan_tree_size(tree);
    int32_t parents[32];
    bool useful[32] = {false};
    assert_in_range(size, 1, 32);
    tan_heal(tree, failed, parents);
    assert_int_equal(parents[0], -1);
    for (int32_t leaf = 1; leaf < size; leaf++) {
        if (tan_tree_fanout(tree, leaf) == 0 && leaf != failed) {
            for (int32_t at = leaf; at > 0; at = parents[at]) {
                assert_in_range(parents[at], 0, at - 1);
                useful[at] = true;
            }
        }
    }
    for (int32_t node = 1; node < size; node++) {
        assert_int_equal(parents[node] != TAN_HEAL_OUT, useful[node]);
        assert_false(failed > 0 && parents[node] == failed);
    }
}

/* Every failure in some small trees. */
TEST(rules_hold)
{
    static const char *const specs[] = {"nto1:1",       "nto1:4",     "chain:5",       "binary:5",
                                        "levels:2x3x1", "binomial:4", "levels:1x1x2x1"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *tree = tan_spec_build(specs[i], &e);
        assert_no_error(e);
        at_row("specs[%zu]", i);
        for (int32_t failed = 0; failed < tan_tree_size(tree); failed++) {
            check_rules(tree, failed);
        }
        tan_tree_destroy(tree);
    }
}

TEST(heights)
{
    /* 0 - 1 - 3 - 4, 0 - 2, node 5 out */
    static const int32_t parents[] = {-1, 0, 0, 1, 3, OUT};
    static const int32_t wanted[] = {3, 2, 0, 1, 0, 0};
    int32_t found[6];
    tan_heal_heights(parents, 6, found);
    assert_memory_equal(found, wanted, sizeof found);
}

RUN_TESTS(NULL, NULL)
