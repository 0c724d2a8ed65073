/* test_tree.c - a tree worked out by hand, and invalid trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>

#include "topo/edges.h"
#include "topo/names.h"
#include "topo/tree.h"

/*         0
 *       / | \
 *      1  2  4
 *     /|     |
 *    3 6     5      */
static const int32_t parents[] = {-1, 0, 0, 1, 0, 4, 1};
enum { NODES = sizeof parents / sizeof parents[0] };

TEST(by_hand)
{
    static const int32_t fanouts[NODES] = {3, 2, 0, 0, 1, 0, 0};
    static const int32_t children[NODES][3] = {{1, 2, 4}, {3, 6}, {0}, {0}, {5}};
    static const int32_t leaves[NODES] = {4, 2, 1, 1, 1, 1, 1};
    static const int32_t sizes[NODES] = {7, 3, 1, 1, 2, 1, 1};
    static const int32_t depths[NODES] = {0, 1, 1, 2, 1, 2, 2};
    static const int32_t depth_first[NODES] = {0, 1, 4, 2, 5, 6, 3};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *t = tan_tree_create(parents, NODES, NULL, &e);
    assert_no_error(e);
    assert_int_equal(tan_tree_size(t), NODES);
    assert_int_equal(tan_tree_leaves(t), 4);
    assert_int_equal(tan_tree_height(t), 2);
    assert_int_equal(tan_tree_max_fanout(t), 3);
    assert_int_equal(tan_tree_max_below(t), 2);
    int32_t counted[NODES];
    tan_tree_leaf_counts(t, counted);
    assert_memory_equal(counted, leaves, sizeof leaves);
    tan_tree_subtree_sizes(t, counted);
    assert_memory_equal(counted, sizes, sizeof sizes);
    tan_tree_depth_first(t, counted);
    assert_memory_equal(counted, depth_first, sizeof depth_first);
    tan_tree_depths(t, counted);
    assert_memory_equal(counted, depths, sizeof depths);
    for (int32_t i = 0; i < NODES; i++) {
        assert_int_equal(tan_tree_parent(t, i), parents[i]);
        assert_int_equal(tan_tree_fanout(t, i), fanouts[i]);
        assert_memory_equal(tan_tree_children(t, i), children[i],
                            (size_t)fanouts[i] * sizeof children[i][0]);
        assert_null(tan_tree_name(t, i));
    }
    tan_tree_destroy(t);
    tan_tree_destroy(NULL);
}

TEST(names_are_copied)
{
    char first[] = "root:0";
    const char *const names[] = {first, "leaf:10"};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *t = tan_tree_create(parents, 2, names, &e);
    assert_no_error(e);
    memset(first, 'x', sizeof first - 1);
    assert_string_equal(tan_tree_name(t, 0), "root:0");
    assert_string_equal(tan_tree_name(t, 1), "leaf:10");
    tan_tree_destroy(t);
}

/* Names and all: the subtrees 1 (3 5 6), of which 3 has two leaves, and 2 (4) become consecutive.
 */
TEST(numbered_by_depth)
{
    static const int32_t level[] = {-1, 0, 0, 1, 2, 3, 3};
    static const int32_t wanted[] = {-1, 0, 1, 2, 2, 0, 5};
    static const char *const names[] = {"a", "b", "f", "c", "g", "d", "e"};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *t = tan_tree_create(level, 7, names, &e);
    struct tan_tree *numbered = tan_tree_by_depth(t, &e);
    assert_no_error(e);
    for (int32_t i = 0; i < 7; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        assert_int_equal(tan_tree_parent(numbered, i), wanted[i]);
        assert_string_equal(tan_tree_name(numbered, i), name);
    }
    tan_tree_destroy(numbered);
    tan_tree_destroy(t);
}

TEST(no_trees)
{
    static const struct {
        int32_t parents[3];
        int32_t size;
        const char *error;
    } rows[] = {
        {{-1}, 1, "at least two nodes"},
        {{-1}, 0, "at least two nodes"},
        {{-1}, TAN_TREE_MAX_NODES + 1, "at most 16777216 nodes"},
        {{0, 0}, 2, "node 0 must be the root"},
        {{-1, 1}, 2, "the parent of node 1 must be from 0 to 0, not 1"},
        {{-1, 0, -1}, 3, "the parent of node 2 must be from 0 to 1, not -1"},
        {{-1, 2, 0}, 3, "the parent of node 1 must be from 0 to 0, not 2"},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_null(tan_tree_create(rows[i].parents, rows[i].size, NULL, &e));
        assert_error(e, TAN_FAILED, rows[i].error);
    }
}

TEST(too_high)
{
    enum { NODES_OF_CHAIN = TAN_TREE_MAX_HEIGHT + 2 };
    struct tan_error e = TAN_ERROR_INIT;
    int32_t *above = malloc(NODES_OF_CHAIN * sizeof *above);
    assert_non_null(above);
    for (int32_t i = 0; i < NODES_OF_CHAIN; i++) {
        above[i] = i - 1;
    }
    assert_null(tan_tree_create(above, NODES_OF_CHAIN, NULL, &e));
    assert_error(e, TAN_FAILED, "at most 1048576 levels below its root, not 1048577");
    free(above);
}

/* The tree above with its nodes shuffled: assembling numbers it breadth first. */
TEST(assembled)
{
    static const char *const names[NODES] = {"g", "root", "c", "b", "a", "d", "f"};
    static const int32_t shuffled[NODES] = {4, -1, 1, 1, 1, 4, 2};
    static const int32_t sequence[NODES - 1] = {4, 3, 2, 5, 0, 6};
    static const char wanted[] = "root a b c d g f ";
    int32_t cycle;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *t = tan_assemble(shuffled, sequence, NODES, names, &cycle, &e);
    assert_no_error(e);
    assert_int_equal(cycle, -1);
    char found[64] = "";
    for (int32_t i = 0; i < NODES; i++) {
        strcat(strcat(found, tan_tree_name(t, i)), " ");
    }
    assert_string_equal(found, wanted);
    assert_int_equal(tan_tree_fanout(t, 0), 3);
    assert_int_equal(tan_tree_fanout(t, 1), 2);
    assert_int_equal(tan_tree_fanout(t, 3), 1);
    tan_tree_destroy(t);

    static const int32_t cyclic[] = {-1, 0, 4, 2, 3, 4}; /* 2 - 4 - 3 - 2, and 5 hangs below it */
    static const int32_t any[] = {1, 2, 3, 4, 5};
    assert_null(tan_assemble(cyclic, any, 6, NULL, &cycle, &e));
    assert_no_error(e);
    assert_in_range(cycle, 2, 4);
}

TEST(names_to_numbers)
{
    enum { MANY = 100000 };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_names *names = tan_names_create(&e);
    assert_non_null(names);
    char name[32];
    for (int round = 0; round < 2; round++) {
        for (int32_t i = 0; i < MANY; i++) {
            snprintf(name, sizeof name, "localhost:%d", (int)i);
            assert_int_equal(tan_names_add(names, name, &e), i);
        }
    }
    assert_int_equal(tan_names_count(names), MANY);
    assert_string_equal(tan_names_list(names)[MANY - 1], name);
    tan_names_destroy(names);
}

RUN_TESTS(NULL, NULL)
