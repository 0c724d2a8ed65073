/* test_tree_files.c - trees in files of ClusterShell, and in tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "design/systems/export.h"
#include "tests/unit/scratch_file.h"
#include "topo/file.h"
#include "topo/spec.h"

typedef struct tan_tree *parser(const char *text, const char *source, struct tan_error *e);

/* "a>b" for every node but the root, by their numbers; then "a" of the root alone. */
static void assert_edges(const struct tan_tree *t, const char *expected)
{
    char found[512] = "";
    for (int32_t i = 0; i < tan_tree_size(t); i++) {
        char edge[64];
        const int32_t parent = tan_tree_parent(t, i);
        if (tan_tree_name(t, i) == NULL) {
            snprintf(edge, sizeof edge, "%d ", (int)parent);
        } else {
            snprintf(edge, sizeof edge, "%s%s%s ", parent < 0 ? "" : tan_tree_name(t, parent),
                     parent < 0 ? "" : ">", tan_tree_name(t, i));
        }
        strcat(found, edge);
    }
    assert_string_equal(found, expected);
}

struct good {
    parser *parse;
    const char *text, *edges;
};

TEST(good)
{
    static const struct good rows[] = {
        {tan_clustershell_parse, "[routes]\nadm: g[1-2]\ng1: n[1-2]\ng2 = n3\n",
         "adm adm>g1 adm>g2 g1>n1 g1>n2 g2>n3 "},
        /* the old section, comments, another section, lines that go on, children first */
        {tan_clustershell_parse,
         "# x\n[Other]\na: b\n[Main]\ng1: n1,\n  n[5-6]\n; y\nadm: g1\n[More]\nq: r\n",
         "adm adm>g1 g1>n1 g1>n5 g1>n6 "},
        {tan_clustershell_parse, "[routes]\r\nadm: g1\r\n", "adm adm>g1 "},
        {tan_parent_table_parse, "process,parent\n0,-1\n1,0\n2,0\n3,1\n", "-1 0 0 1 "},
        {tan_parent_table_parse, "parent\n2\n2\n-1\n", "-1 0 0 "},
        {tan_parent_table_parse, "parent,process,host\n17,5,n1\n-1,17,\"n,0\"\n5,9,n2\n",
         "n,0 n,0>n1 n1>n2 "},
        {tan_parent_table_parse, "parent,host\n-1,a\n0,b\n0,a\n1,b\n",
         "a:0 a:0>b:0 a:0>a:1 b:0>b:1 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *t = rows[i].parse(rows[i].text, "t", &e);
        assert_no_error(e);
        assert_edges(t, rows[i].edges);
        tan_tree_destroy(t);
    }
}

TEST(bad)
{
    static const struct {
        parser *parse;
        const char *text;
        int line, column;
        const char *error;
    } rows[] = {
        {tan_clustershell_parse, "[routes]\n", 0, 0, "has no route"},
        {tan_clustershell_parse, "[routes]\nadm g1\n", 2, 1, "expected \"gateway: hosts\""},
        {tan_clustershell_parse, "[routes]\nadm: @gw\n", 2, 6, "groups of hosts are not known"},
        {tan_clustershell_parse, "[routes]\nadm: g[1-9]!g3\n", 2, 12, "only hosts and ranges"},
        {tan_clustershell_parse, "[routes]\ng[1-2]: n[1-9]\n", 2, 1,
         "several gateways is not a tree"},
        {tan_clustershell_parse, "[routes]\na: b[2-1]\n", 2, 6, "2-1"},
        {tan_clustershell_parse, "[routes]\na: b[1-1048576]\n", 2, 4,
         "these are more than 1048576 names"},
        {tan_clustershell_parse, "[routes]\na: b[1-9]\nb1: c[1-1048566]\n", 3, 5,
         "these are more than 1048576 names"},
        {tan_clustershell_parse, "[routes]\na: b\nc: b\n", 3, 4, "b has two parents: c here"},
        {tan_clustershell_parse, "[routes]\na: b\nb: a\n", 3, 4, "closes a cycle"},
        {tan_clustershell_parse, "[routes]\na: b\nc: d\n", 3, 1, "c is a second root"},
        {tan_parent_table_parse, "process,above\n0,-1\n", 0, 0,
         "the first line is process,parent or process,parent,host, and"},
        {tan_parent_table_parse, "process,parent\n", 0, 0, "no process below the headings"},
        {tan_parent_table_parse, "process,parent\n0,-1\n1,2\n", 3, 3,
         "process 2 is a parent, but has no row"},
        {tan_parent_table_parse, "process,parent\n0,-1\n0,0\n", 3, 1, "0 has a second row"},
        {tan_parent_table_parse, "process,parent\n0,-1\n1,x\n", 3, 3, "\"x\""},
        {tan_parent_table_parse, "process,parent\n0,x\n", 2, 3,
         "a parent (-1 for the root) must be a whole number from -1 to 2147483647, not \"x\""},
        {tan_parent_table_parse, "process,parent\nx,-1\n", 2, 1, "\"x\""},
        {tan_parent_table_parse, "process,parent\n0,-1\n1,-2\n", 3, 3, "-2"},
        {tan_parent_table_parse, "process,parent\n0,1\n1,0\n", 3, 3, "closes a cycle"},
        {tan_parent_table_parse, "process,parent\n0,-1\n1\n", 3, 0, "2 fields"},
        {tan_parent_table_parse, "parent,host\n-1,a\n0, \n0,b\n", 3, 4, "a host must not be empty"},
        {tan_parent_table_parse, "parent,host\n-1,a\n0,b\033[2J\n", 3, 3,
         "the name \"b?[2J\" has a control character"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        assert_null(rows[i].parse(rows[i].text, "t", &e));
        assert_string_equal(e.source, "t");
        assert_int_equal(e.line, rows[i].line);
        assert_int_equal(e.column, rows[i].column);
        assert_error(e, TAN_FAILED, rows[i].error);
    }
}

/* What is cut off anywhere is read or refused. */
TEST(cut_off)
{
    static const struct good rows[] = {
        {tan_clustershell_parse, "[routes]\nadm: g[1-2]\ng1: n[1-2],\n  x\n", NULL},
        {tan_parent_table_parse, "process,parent,host\n0,-1,\"a\"\n1,0,a\n", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t length = 0; length <= strlen(rows[i].text); length++) {
            char *text = strndup(rows[i].text, length);
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_tree *t = rows[i].parse(text, "t", &e);
            assert_int_equal(t == NULL, e.status != TAN_DONE);
            tan_tree_destroy(t);
            free(text);
        }
    }
}

/* Written, and found by what stands first in the file. */
TEST(formats_come_back)
{
    static const char *const specs[] = {"nto1:1", "chain:5", "levels:2x3x4", "kary:3:10"};
    for (const struct tan_format *f = tan_target_formats; f->name != NULL; f++) {
        if (strcmp(f->name, "flux") == 0) { /* is not read */
            continue;
        }
        for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_tree *tree = tan_spec_build(specs[i], &e);
            FILE *to = fopen(path, "w");
            assert_non_null(to);
            assert_int_equal(f->write(tree, to, &e), 0);
            fclose(to);
            struct tan_tree *again = tan_file_read(path, &e);
            assert_no_error(e);
            assert_int_equal(tan_tree_size(again), tan_tree_size(tree));
            for (int32_t node = 0; node < tan_tree_size(tree); node++) {
                assert_int_equal(tan_tree_parent(again, node), tan_tree_parent(tree, node));
            }
            tan_tree_destroy(again);
            tan_tree_destroy(tree);
        }
    }
}

TEST(hosts_of_names)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree_hosts hosts;
    static const char *const names[] = {"a:0", "a:12", "b", ":3", "c:", "d:1x"};
    static const char *const expected[] = {"a", "a", "b", ":3", "c:", "d:1x"};
    struct tan_tree *t = tan_tree_create((const int32_t[]){-1, 0, 0, 0, 0, 0}, 6, names, &e);
    assert_int_equal(tan_tree_hosts(t, &hosts, &e), 0);
    for (int i = 0; i < 6; i++) {
        assert_string_equal(hosts.host[i], expected[i]);
    }
    tan_tree_hosts_clear(&hosts);
    tan_tree_destroy(t);
}

RUN_TESTS(make_scratch, remove_scratch)
