/* test_graph.c - trees checked by igraph; DOT
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

RUN_TESTS(NULL, NULL)
