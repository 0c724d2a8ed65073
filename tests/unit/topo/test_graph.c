/* test_graph.c - trees checked by igraph; DOT and GraphML
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <igraph.h>
#include <stdlib.h>

#include "topo/file.h"
#include "topo/spec.h"

static struct tan_tree *build(const char *spec)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    return tree;
}

/* Whether igraph finds the edges of parents and children to be a tree out of node 0. */
static bool is_tree(const struct tan_tree *tree)
{
    const int32_t size = tan_tree_size(tree);
    igraph_vector_int_t edges;
    igraph_t graph;
    assert_int_equal(igraph_vector_int_init(&edges, 0), IGRAPH_SUCCESS);
    for (int32_t i = 0; i < size; i++) {
        for (int32_t c = 0; c < tan_tree_fanout(tree, i); c++) {
            igraph_vector_int_push_back(&edges, i);
            igraph_vector_int_push_back(&edges, tan_tree_children(tree, i)[c]);
        }
    }
    assert_int_equal(igraph_create(&graph, &edges, size, IGRAPH_DIRECTED), IGRAPH_SUCCESS);
    igraph_bool_t result = false;
    igraph_integer_t root = -1;
    assert_int_equal(igraph_is_tree(&graph, &result, &root, IGRAPH_OUT), IGRAPH_SUCCESS);
    igraph_destroy(&graph);
    igraph_vector_int_destroy(&edges);
    return result && root == 0;
}

TEST(all_shapes)
{
    static const char *const specs[] = {
        "chain:%d",    "nto1:%d",     "binary:%d",    "binomial:%d",   "twolevel:%d",
        "kary:2:%d",   "kary:5:%d",   "knomial:3:%d", "knomial:10:%d", "levels:3x4x5x200:%d",
        "random:%d:1", "random:%d:2", "random:%d:3",
    };
    static const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 100, 1000, 4096, 10007};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
            char before[32];
            char spec[64];
            snprintf(before, sizeof before, "%.*s", (int)strcspn(specs[i], "%"), specs[i]);
            snprintf(spec, sizeof spec, "%s%d%s", before, sizes[n], strchr(specs[i], '%') + 2);
            struct tan_tree *tree = build(spec);
            assert_true(is_tree(tree));
            tan_tree_destroy(tree);
        }
    }
}

static char *written(const struct tan_tree *tree, const char *name)
{
    const struct tan_format *format = tan_file_formats;
    while (strcmp(format->name, name) != 0) {
        format++;
    }
    struct tan_error e = TAN_ERROR_INIT;
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    assert_int_equal(format->write(tree, to, &e), 0);
    fclose(to);
    assert_int_equal(strlen(text), length);
    return text;
}

TEST(dot)
{
    const int32_t parents[] = {-1, 0, 0};
    const char *const names[] = {"n-1:0", "a\"b\\:1", "igr\303\244ph:2"};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_tree_create(parents, 3, names, &e);
    assert_no_error(e);
    char *text = written(tree, "dot");
    assert_non_null(strstr(text, "digraph"));
    assert_non_null(strstr(text, "label=\"n-1:0\""));
    assert_non_null(strstr(text, "label=\"a\\\"b\\\\:1\""));
    assert_non_null(strstr(text, "0 -> 1;"));
    assert_non_null(strstr(text, "0 -> 2;"));
    assert_null(strstr(text, "1 -> "));
    char *again = written(tree, "dot");
    assert_string_equal(text, again);
    free(again);
    free(text);
    tan_tree_destroy(tree);
}

/* What was written, read back by igraph itself. */
TEST(graphml)
{
    struct tan_tree *tree = build("binomial:32");
    char *text = written(tree, "graphml");
    igraph_attribute_table_t *table = igraph_set_attribute_table(&igraph_cattribute_table);
    igraph_t graph;
    FILE *from = fmemopen(text, strlen(text), "r");
    assert_non_null(from);
    assert_int_equal(igraph_read_graph_graphml(&graph, from, 0), IGRAPH_SUCCESS);
    fclose(from);
    assert_int_equal(igraph_vcount(&graph), 64);
    int32_t counts[64];
    int32_t depths[64];
    tan_tree_leaf_counts(tree, counts);
    tan_tree_depths(tree, depths);
    for (int32_t i = 0; i < 64; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", (int)i);
        assert_string_equal(VAS(&graph, "name", i), name);
        assert_int_equal((int)VAN(&graph, "leaves", i), counts[i]);
        assert_int_equal((int)VAN(&graph, "depth", i), depths[i]);
        if (i > 0) {
            igraph_integer_t edge = -1;
            assert_int_equal(
                igraph_get_eid(&graph, &edge, tan_tree_parent(tree, i), i, true, false),
                IGRAPH_SUCCESS);
            assert_true(edge >= 0);
        }
    }
    igraph_destroy(&graph);
    igraph_set_attribute_table(table);
    free(text);
    tan_tree_destroy(tree);
}

/* Names with what XML marks up or cannot hold. */
TEST(graphml_names)
{
    const int32_t parents[] = {-1, 0};
    const char *const names[] = {"a<&>\":0", "b\001\303\274:0"};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_tree_create(parents, 2, names, &e);
    assert_no_error(e);
    char *text = written(tree, "graphml");
    igraph_attribute_table_t *table = igraph_set_attribute_table(&igraph_cattribute_table);
    igraph_t graph;
    FILE *from = fmemopen(text, strlen(text), "r");
    assert_int_equal(igraph_read_graph_graphml(&graph, from, 0), IGRAPH_SUCCESS);
    fclose(from);
    assert_string_equal(VAS(&graph, "name", 0), names[0]);
    assert_string_equal(VAS(&graph, "name", 1), "b?\303\274:0");
    igraph_destroy(&graph);
    igraph_set_attribute_table(table);
    free(text);
    tan_tree_destroy(tree);
}

RUN_TESTS(NULL, NULL)
