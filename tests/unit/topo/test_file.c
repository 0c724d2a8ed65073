/* test_file.c - MRNet topology files and parent vectors: reading, writing, errors
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/output.h"
#include "tests/unit/scratch_file.h"
#include "topo/file.h"
#include "topo/spec.h"

static void assert_same(const struct tan_tree *a, const struct tan_tree *b)
{
    assert_int_equal(tan_tree_size(a), tan_tree_size(b));
    for (int32_t i = 0; i < tan_tree_size(a); i++) {
        assert_int_equal(tan_tree_parent(a, i), tan_tree_parent(b, i));
        assert_int_equal(tan_tree_name(a, i) == NULL, tan_tree_name(b, i) == NULL);
        if (tan_tree_name(a, i) != NULL) {
            assert_string_equal(tan_tree_name(a, i), tan_tree_name(b, i));
        }
    }
}

static char *written(const struct tan_tree *tree, const struct tan_format *format)
{
    struct tan_error e = TAN_ERROR_INIT;
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    assert_int_equal(format->write(tree, to, &e), 0);
    fclose(to);
    return text;
}

static struct tan_tree *parse(const char *text, struct tan_error *e)
{
    return text[0] == '{' || text[0] == '[' ? tan_parents_parse(text, "t", e)
                                            : tan_mrnet_parse(text, "t", e);
}

/* Names in the order of their numbers, and the parents. */
static void assert_tree(const struct tan_tree *t, const char *names, const char *parents)
{
    char found[2][256] = {"", ""};
    for (int32_t i = 0; i < tan_tree_size(t); i++) {
        char number[16];
        snprintf(number, sizeof number, "%d ", (int)tan_tree_parent(t, i));
        strcat(found[1], number);
        if (tan_tree_name(t, i) != NULL) {
            strcat(strcat(found[0], tan_tree_name(t, i)), " ");
        }
    }
    assert_string_equal(found[0], names);
    assert_string_equal(found[1], parents);
}

/* The first formats, MRNet's and JSON, are read, too. */
enum { READ_BACK = 2 };

/* Every file that mrnet_topgen wrote, through both formats and back. */
TEST(round_trips)
{
    glob_t files;
    assert_int_equal(glob("tests/data/mrnet/*.top", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 7);
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct tan_tree *tree = tan_file_read(files.gl_pathv[i], &e);
        assert_no_error(e);
        for (int f = 0; f < READ_BACK; f++) {
            char *text = written(tree, &tan_file_formats[f]);
            struct tan_tree *again = parse(text, &e);
            assert_no_error(e);
            assert_same(tree, again);
            tan_tree_destroy(again);
            free(text);
        }
        tan_tree_destroy(tree);
    }
    globfree(&files);
}

/* The files hold the shapes that their names say. */
TEST(known_files)
{
    static const struct {
        const char *path;
        int32_t size, leaves, height, fanout;
    } rows[] = {
        {"tests/data/mrnet/bin32.top", 63, 32, 5, 2},
        {"tests/data/mrnet/bino32.top", 64, 32, 6, 6},
        {"tests/data/mrnet/chain-16.top", 17, 1, 16, 1},
        {"tests/data/mrnet/flat-16.top", 17, 16, 1, 16},
        {"tests/data/mrnet/tl32-2x16.top", 35, 32, 2, 16},
        {"tests/data/mrnet/tl64-8x8.top", 73, 64, 2, 8},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_tree *t = tan_file_read(rows[i].path, &e);
        assert_no_error(e);
        assert_int_equal(tan_tree_size(t), rows[i].size);
        assert_int_equal(tan_tree_leaves(t), rows[i].leaves);
        assert_int_equal(tan_tree_height(t), rows[i].height);
        assert_int_equal(tan_tree_max_fanout(t), rows[i].fanout);
        tan_tree_destroy(t);
    }
}

TEST(good_mrnet)
{
    static const struct {
        const char *text, *names, *parents;
    } rows[] = {
        {"a:0=>b:1;", "a:0 b:1 ", "-1 0 "},
        /* children before parents, several rules for one parent, comments, loose blanks */
        {"# front end\nb-1.x_y:1 => d:4 ;;", NULL, NULL},
        {"b:1 => d:0 ;\na : 0 # the root\n =>\tc : 2;a:0=>b:1 e:9;c:2=>f:4294967295;",
         "a:0 c:2 b:1 e:9 f:4294967295 d:0 ", "-1 0 0 0 1 2 "},
        {"127.0.0.1:0 => 10.0.0.2:1 9-x_y.z:1 ;\r\n", "127.0.0.1:0 10.0.0.2:1 9-x_y.z:1 ",
         "-1 0 0 "},
        /* the same host with several indices, a lone mention of a node */
        {"b:0 ; a:0 => b:0 b:10 b:2 ; a:0 ;", "a:0 b:0 b:10 b:2 ", "-1 0 0 0 "},
        {"a:0 => b:0 ;# no newline at the end", "a:0 b:0 ", "-1 0 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *t = parse(rows[i].text, &e);
        if (rows[i].names == NULL) {
            assert_null(t);
            assert_error(e, TAN_FAILED, "found \";\"");
            continue;
        }
        assert_no_error(e);
        assert_tree(t, rows[i].names, rows[i].parents);
        tan_tree_destroy(t);
    }
}

TEST(bad_mrnet)
{
    static const struct {
        const char *text;
        int line, column;
        const char *error;
    } rows[] = {
        {"", 1, 1, "the file lists no node"},
        {"\n\n # nothing\n", 1, 1, "the file lists no node"},
        {"a:0 => b:1 c:2 ;\nb:1 => c:2 ;\n", 2, 8,
         "c:2 has two parents: b:1 here on line 2 and a:0 on line 1"},
        {"a:0 => b:1\n  b:1 ;\n", 2, 3, "b:1 is listed twice as a child of a:0, first on line 1"},
        {"a:0 => a:0 ;", 1, 8, "a:0 is listed as its own child"},
        {"a:0 => b:1 ;\nb:1 => c:2 ;\nc:2 => a:0 ;\n", 3, 8, "a:0 under c:2 closes a cycle"},
        {"c:2 => a:0 ;\na:0 => b:1 ;\nb:1 => c:2 ;\nr:0 => x:0 ;", 3, 8,
         "c:2 under b:1 closes a cycle"},
        {"a:0 => b:1 ;\nc:0 => d:1 ;\n", 2, 1, "c:0 is a second root: neither it nor a:0 (line 1)"},
        {"a:0 => b:1 ;\n\n  c:0 ;\n", 3, 3, "c:0 is a second root"},
        {"host:0 ;", 1, 1, "at least two nodes, and there is only host:0"},
        {"a:0 => ;", 1, 8, "the list of the children of a:0 is empty"},
        {"a:0 =>", 1, 7, "the list of the children of a:0 is empty"},
        {"a:0 => b:1\nb:1 => c:2 ;\n", 1, 11, "a \";\" is missing after b:1"},
        {"a:0 => b:1 c:2\n\n", 1, 15, "a \";\" is missing after c:2"},
        {"a:0", 1, 4, "a \";\" is missing after a:0"},
        {"a:0 => b:1 => c:2 ;", 1, 12, "expected a host:index or \";\", found \"=>\""},
        {"=> b:1 ;", 1, 1, "expected a host:index that starts a rule, found \"=>\""},
        {"a:0 b:1 ;", 1, 5, "expected \"=>\" or \";\" after the host:index, found \"b\""},
        {"a:0 => 12:1 ;", 1, 8, "a host name must not consist of digits only"},
        {"a:0 => b ;", 1, 10, "expected \":\" and an index after the host name, found \";\""},
        {"a:0 => b: ;", 1, 11, "expected an index (digits) after \":\", found \";\""},
        {"a:0 => b:x ;", 1, 10, "expected an index (digits) after \":\", found \"x\""},
        {"a:0 => b:1", 1, 11, "a \";\" is missing after b:1"},
        {"a:0 => b", 1, 9, "found the end of the file"},
        {"a:0 => b:01 ;", 1, 10, "an index must not start with a zero"},
        {"a:0 => b:4294967296 ;", 1, 10, "an index must be a number from 0 to 4294967295"},
        {"a:0 => b:99999999999999999999999 ;", 1, 10, "an index must be a number from 0 to"},
        {"a:0 = b:1 ;", 1, 5, "unexpected character \"=\""},
        {"a:0 => b:-1 ;", 1, 10, "unexpected character \"-\""},
        {"a:0 => *b:1 ;", 1, 8, "unexpected character \"*\""},
        {"\x7f"
         "ELF\x01",
         1, 1, "unexpected byte 0x7f"},
        {"a:0 =>\n\tb\xc3\xa4r:1 ;", 2, 3, "unexpected byte 0xc3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        assert_null(parse(rows[i].text, &e));
        assert_string_equal(e.source, "t");
        assert_int_equal(e.line, rows[i].line);
        assert_int_equal(e.column, rows[i].column);
        assert_error(e, TAN_FAILED, rows[i].error);
    }
}

TEST(longest_names)
{
    struct tan_error e = TAN_ERROR_INIT;
    char text[300];
    memset(text, 'x', 256);
    strcpy(text + 255, ":0 => b:0 ;");
    struct tan_tree *tree = tan_mrnet_parse(text, "t", &e);
    assert_no_error(e);
    FILE *to = fopen("/dev/null", "w");
    assert_non_null(to);
    assert_int_equal(tan_mrnet_write(tree, to, &e), 0);
    fclose(to);
    tan_tree_destroy(tree);
    strcpy(text + 255, "x:0 => b:0 ;");
    assert_null(tan_mrnet_parse(text, "t", &e));
    assert_error(e, TAN_FAILED, "a host name must not be longer than 255 characters");
}

TEST(good_json)
{
    static const struct {
        const char *text, *names, *parents;
    } rows[] = {
        {"[-1, 0, 0]", "", "-1 0 0 "},
        {"[2, 2, -1, 0]", "", "-1 0 0 1 "},
        {"{\"schema\": \"tan-tree/1\", \"parents\": [1, 2, -1]}", "", "-1 0 1 "},
        {"{\"schema\": \"tan-tree/1\", \"parents\": [2, 2, -1], \"names\": [\"c\", \"b\", \"a\"]}",
         "a c b ", "-1 0 0 "},
        {"{\"schema\": \"tan-tree/1\", \"parents\": [-1, 0], \"names\": null}", "", "-1 0 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *t = parse(rows[i].text, &e);
        assert_no_error(e);
        assert_tree(t, rows[i].names, rows[i].parents);
        tan_tree_destroy(t);
    }
}

#define TREE "{\"schema\": \"tan-tree/1\", \"parents\": "

TEST(bad_json)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"[]", "parents must have from 2 to 16777216 entries, one per node, not 0"},
        {"[-1]", "not 1"},
        {"[-1, -1]", "parents[1] is a second root (-1), after parents[0]"},
        {"[1, 0]", "parents has no root: one entry must be -1"},
        {"[-1, 1]", "parents[1] must not be the node itself"},
        {"[-1, 2]", "parents[1] must be a whole number from -1 to 1, not 2"},
        {"[-1, -2]", "not -2"},
        {"[-1, 99999999999]", "not 99999999999"},
        {"[-1, 0.0]", "not 0.0"},
        {"[-1, \"0\"]", "not a string"},
        {"[-1, null]", "parents[1] must not be null"},
        {"[-1, 2, 3, 1, 0]", "is part of a cycle"},
        {"[-1, 0", "not valid JSON"},
        {"{\"parents\": [-1, 0]}", "schema is missing"},
        {"{\"schema\": \"tan-tree/2\", \"parents\": [-1, 0]}", "schema must be \"tan-tree/1\""},
        {"{\"schema\": \"tan-tree/1\"}", "parents is missing"},
        {TREE "3}", "parents must be an array, not 3"},
        {TREE "[-1, 0], \"parents\": [-1, 0]}", "duplicate"},
        {TREE "[-1, 0], \"names\": [\"a\"]}",
         "names must have as many entries as parents, 2, not 1"},
        {TREE "[-1, 0], \"names\": [\"a\", \"a\"]}",
         "names[1] must not be the name of node 0, too: \"a\""},
        {TREE "[-1, 0], \"names\": [\"a\", \"\"]}", "names[1] must not be empty"},
        {TREE "[-1, 0], \"names\": [\"a\", null]}", "names[1] must not be empty"},
        {TREE "[-1, 0], \"names\": [\"a\", 1]}", "names[1] must be a string, not 1"},
        {TREE "[-1, 0], \"names\": [\"a\", \"b\\u202e\"]}",
         "the name \"b???\" has a control character"},
        {TREE "[-1, 0], \"names\": \"ab\"}", "names must be an array, not a string"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        assert_null(parse(rows[i].text, &e));
        assert_string_equal(e.source, "t");
        assert_error(e, TAN_FAILED, rows[i].error);
    }
}

TEST(written_text)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *t = tan_spec_build("binary:3", &e);
    assert_no_error(e);
    char *text = written(t, &tan_file_formats[0]);
    assert_string_equal(text, "localhost:0 =>\n\tlocalhost:1\n\tlocalhost:2 ;\n\n"
                              "localhost:1 =>\n\tlocalhost:3\n\tlocalhost:4 ;\n\n");
    free(text);
    text = written(t, &tan_file_formats[1]);
    assert_string_equal(text, "{\n  \"schema\": \"tan-tree/1\",\n  \"parents\": [\n"
                              "    -1, 0, 0, 1, 1\n  ]\n}\n");
    free(text);
    tan_tree_destroy(t);

    t = parse(TREE "[-1, 0], \"names\": [\"a\\\"\\\\\", \"b\\u00e4r\"]}", &e);
    assert_no_error(e);
    text = written(t, &tan_file_formats[1]);
    struct tan_tree *again = parse(text, &e);
    assert_no_error(e);
    assert_same(t, again);
    tan_tree_destroy(again);
    tan_tree_destroy(t);
    free(text);
}

/* Names that JSON holds and MRNet does not. */
TEST(not_for_mrnet)
{
    static const char *const names[] = {"a",     "a:",   ":0",           "a:x",  "a:01", "7:0",
                                        "a b:0", "a:0 ", "a:4294967296", "-a:0", "a:0:0"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const int32_t parents[] = {-1, 0};
        const char *const both[] = {"good:0", names[i]};
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *t = tan_tree_create(parents, 2, both, &e);
        assert_no_error(e);
        assert_int_equal(tan_mrnet_write(t, stdout, &e), -1);
        assert_error(e, TAN_FAILED, "the name of node 1, is not host:index as MRNet wants it");
        tan_tree_destroy(t);
    }
}

/* 100,001 nodes as a file, read from disk. */
TEST(large_file)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build("chain:100000", &e);
    assert_no_error(e);
    for (int f = 0; f < READ_BACK; f++) {
        struct tan_output *o = tan_output_open(path, &e);
        assert_no_error(e);
        assert_int_equal(tan_file_formats[f].write(tree, tan_output_stream(o), &e), 0);
        assert_int_equal(tan_output_commit(o, &e), 0);
        struct tan_tree *again = tan_file_read(path, &e);
        assert_no_error(e);
        assert_int_equal(tan_tree_size(again), 100001);
        assert_int_equal(tan_tree_height(again), 100000);
        tan_tree_destroy(again);
    }
    tan_tree_destroy(tree);
}

RUN_TESTS(make_scratch, remove_scratch)
