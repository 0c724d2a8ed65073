/* test_rank_map.c - order of ranks by keywords and host files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>
#include <unistd.h>

#include "tanbench/plan/rank_map.h"
#include "tests/unit/scratch_file.h"
#include "topo/hostfile.h"

/* Ranks 0, 1 on a; 2, 3 on b; 4 on c. */
enum { RANKS = 5 };
static const struct peer peers[RANKS] = {
    {.host = "a", .host_index = 0, .local = 0}, {.host = "a", .host_index = 0, .local = 1},
    {.host = "b", .host_index = 1, .local = 0}, {.host = "b", .host_index = 1, .local = 1},
    {.host = "c", .host_index = 2, .local = 0},
};

static void write_map(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void check_order(const char *map, const int32_t wanted[RANKS])
{
    struct tan_error e = TAN_ERROR_INIT;
    int32_t order[RANKS];
    assert_int_equal(tan_rank_map_order(map, peers, RANKS, order, &e), 0);
    assert_memory_equal(order, wanted, sizeof order);
}

TEST(by_words)
{
    check_order("block", (const int32_t[]){0, 1, 2, 3, 4});
    check_order("depth", (const int32_t[]){0, 1, 2, 3, 4});
    check_order("cyclic", (const int32_t[]){0, 2, 4, 1, 3});
    check_order("apart", (const int32_t[]){0, 2, 4, 3, 1});
    assert_true(tan_rank_map_by_depth("depth"));
    assert_false(tan_rank_map_by_depth("block"));
    assert_false(tan_rank_map_by_depth(NULL));
}

/* The launcher dealt ranks out in turn, to hosts whose names are in another order: z has the ranks
 * 0, 3 and 5, m 1 and 4, a only 2. */
TEST(of_ranks_dealt_out)
{
    static const struct peer dealt[] = {
        {.host = "z", .host_index = 0, .local = 0}, {.host = "m", .host_index = 1, .local = 0},
        {.host = "a", .host_index = 2, .local = 0}, {.host = "z", .host_index = 0, .local = 1},
        {.host = "m", .host_index = 1, .local = 1}, {.host = "z", .host_index = 0, .local = 2},
    };
    static const int32_t block[] = {0, 3, 5, 1, 4, 2};
    static const int32_t cyclic[] = {0, 1, 2, 3, 4, 5};
    static const int32_t by_file[] = {0, 2, 1, 3, 4, 5};
    struct tan_error e = TAN_ERROR_INIT;
    int32_t order[6];

    assert_int_equal(tan_rank_map_order("block", dealt, 6, order, &e), 0);
    assert_memory_equal(order, block, sizeof order);
    assert_int_equal(tan_rank_map_order("cyclic", dealt, 6, order, &e), 0);
    assert_memory_equal(order, cyclic, sizeof order);
    write_map("z a.example.org m z m z\n");
    assert_int_equal(tan_rank_map_order(path, dealt, 6, order, &e), 0);
    assert_memory_equal(order, by_file, sizeof order);
    assert_no_error(e);
}

TEST(by_files)
{
    write_map("a\nc\nb\na\nb\n");
    check_order(path, (const int32_t[]){0, 4, 2, 1, 3});
    write_map("# racks\na c.example.org # root\n\n\tb\r\na b");
    check_order(path, (const int32_t[]){0, 4, 2, 1, 3});
    write_map(
        "\xef\xbb\xbfrank 2=b slot=0\nrank 0=a slot=0\nrank 1=c slot=0\nrank 3=a slot=1\nrank 4=b "
        "slot=1\n");
    check_order(path, (const int32_t[]){0, 4, 2, 1, 3});
    write_map("a slots=2\nme@b:2\nc max_slots=1\n");
    check_order(path, (const int32_t[]){0, 1, 2, 3, 4});
}

/* Names of hosts, which are short, have room for 63 characters, their domains any number. */
TEST(long_domains)
{
    write_map("a\nc.a-domain-that-is-longer-than-the-name-of-any-host-which-has-63-characters."
              "example.org\nb\na\nb\n");
    check_order(path, (const int32_t[]){0, 4, 2, 1, 3});
}

TEST(wrong_files)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"a\nb\n# c\n\nc\n\n", ":5: the file ends after 3 hosts, but there are 5 ranks"},
        {"a b\nc a\nb a", ":3: too many hosts: there are only 5 ranks"},
        {"b\na\na\nb\nc", ":1: the first host must be that of the launcher's rank 0"},
        {"a b c\na a", ":2: this job has no further rank on a"},
        {"a b\nd a b", ":2: this job has no ranks on \"d\", only on a, b, c"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        int32_t order[RANKS];
        write_map(rows[i].text);
        assert_int_equal(tan_rank_map_order(path, peers, RANKS, order, &e), -1);
        assert_error(e, TAN_USAGE, rows[i].error);
    }
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_rank_map_check(absent, RANKS, &e), -1);
    assert_error(e, TAN_USAGE,
                 "/absent\" is neither a file nor one of block, depth, cyclic, apart");
}

TEST(host_lists)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_hostfile list;
    write_map("# none\nx  y#z\n\r\n w");
    assert_int_equal(tan_hostfile_read(path, &list, &e), 0);
    assert_int_equal(list.n, 3);
    assert_string_equal(list.hosts[0].name, "x");
    assert_int_equal(list.hosts[0].line, 2);
    assert_string_equal(list.hosts[1].name, "y");
    assert_int_equal(list.hosts[1].line, 2);
    assert_string_equal(list.hosts[2].name, "w");
    assert_int_equal(list.hosts[2].line, 4);
    tan_hostfile_clear(&list);
    assert_int_equal(tan_hostfile_read(absent, &list, &e), -1);
    assert_error(e, TAN_FAILED, "No such file");
}

RUN_TESTS(make_scratch, remove_scratch)
