/* test_rank_map.c - which rank becomes which node, by words and by files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/rank_map.h"

#include <stdlib.h>
#include <unistd.h>

#include "bench/plan/peer.h"
#include "tests/unit/check.h"

enum { RANKS = 6 };

/* The launcher dealt out ranks in turn, to hosts whose names are in another order: z has the ranks
 * 0, 3 and 5, m 1 and 4, a only 2. */
static const struct peer peers[RANKS] = {
    {.host = "z", .host_index = 0, .local = 0, .leader = 0},
    {.host = "m", .host_index = 1, .local = 0, .leader = 1},
    {.host = "a", .host_index = 2, .local = 0, .leader = 2},
    {.host = "z", .host_index = 0, .local = 1, .leader = 0},
    {.host = "m", .host_index = 1, .local = 1, .leader = 1},
    {.host = "z", .host_index = 0, .local = 2, .leader = 0},
};

static void assert_order(const char *map, const int32_t wanted[RANKS])
{
    struct tan_error e = TAN_ERROR_INIT;
    int32_t order[RANKS];

    assert_int_equal(tan_rank_map_check(map, RANKS, &e), 0);
    assert_int_equal(tan_rank_map_order(map, peers, RANKS, order, &e), 0);
    assert_no_error(e);
    assert_memory_equal(order, wanted, sizeof order);
}

static void words(void **state)
{
    (void)state;
    assert_order("block", (const int32_t[]){0, 3, 5, 1, 4, 2});
    assert_order("cyclic", (const int32_t[]){0, 1, 2, 3, 4, 5});
}

/* Dealt out host by host, cyclic is what differs. */
static void words_after_another_launcher(void **state)
{
    static const struct peer blocks[] = {
        {.host = "b", .host_index = 0, .local = 0}, {.host = "b", .host_index = 0, .local = 1},
        {.host = "b", .host_index = 0, .local = 2}, {.host = "c", .host_index = 1, .local = 0},
        {.host = "c", .host_index = 1, .local = 1},
    };
    struct tan_error e = TAN_ERROR_INIT;
    int32_t order[5];

    (void)state;
    assert_int_equal(tan_rank_map_order("block", blocks, 5, order, &e), 0);
    assert_memory_equal(order, ((int32_t[]){0, 1, 2, 3, 4}), sizeof order);
    assert_int_equal(tan_rank_map_order("cyclic", blocks, 5, order, &e), 0);
    assert_memory_equal(order, ((int32_t[]){0, 3, 1, 4, 2}), sizeof order);
    assert_no_error(e);
}

/* A file with this text; the path is valid until the next call. */
static const char *file(const char *text)
{
    static char path[32];

    if (*path != '\0') {
        unlink(path);
    }
    strcpy(path, "/tmp/tan-map-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    return path;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(file(""));
    return 0;
}

static void files(void **state)
{
    (void)state;
    assert_order(file("z\nm\na\nz\nm\nz\n"), (const int32_t[]){0, 1, 2, 3, 4, 5});
    assert_order(file("z\nz\nz\nm\nm\na"), (const int32_t[]){0, 3, 5, 1, 4, 2});
    /* Remarks, blank lines, blanks, returns, and the domain behind a name. */
    assert_order(file("# root\n z # here\n\n\ta.example.org\nm\r\nz\nm.example.org \nz\n#\n"),
                 (const int32_t[]){0, 2, 1, 3, 4, 5});
}

static void maps_that_are_refused(void **state)
{
    static const struct {
        const char *text, *said;
        bool at_once; /* before the hosts are known */
    } rows[] = {
        {"z\nm\na\nz\nm\n", ":5: the file ends after 5 hosts, and there are 6 ranks", true},
        {"z", ":1: the file ends after 1 host, and there are 6 ranks", true},
        {"", ":0: the file ends after 0 hosts", true},
        {"z\nm\na\nz\nm\nz\n\nz\n", ":8: a host too many: there are 6 ranks", true},
        {"z\nm a\na\nz\nm\nz\n", ":2: one host a line, not 'm a'", true},
        {"z\nm\na\nb\nm\nz\n", ":4: this job has no ranks on 'b', only on a, m, z", false},
        {"z\nm\nm\nm\na\nz\n", ":4: this job has only 2 ranks on m", false},
        {"z\na\na\nm\nm\nz\n", ":3: this job has only 1 rank on a", false},
        {"m\nz\na\nz\nm\nz\n", ":1: the first host must be that of the launcher's rank 0", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        int32_t order[RANKS];
        char said[128];
        const char *map = file(rows[i].text);
        snprintf(said, sizeof said, "%s%s", map, rows[i].said);
        assert_int_equal(tan_rank_map_check(map, RANKS, &e), rows[i].at_once ? -1 : 0);
        if (rows[i].at_once) {
            assert_error(e, TAN_USAGE, said);
        }
        assert_int_equal(tan_rank_map_order(map, peers, RANKS, order, &e), -1);
        assert_error(e, TAN_USAGE, said);
    }
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_rank_map_check("diagonal", RANKS, &e), -1);
    assert_error(e, TAN_USAGE, "--map: 'diagonal' is neither block nor cyclic, nor is it a file");
    assert_int_equal(tan_rank_map_check("/tmp", RANKS, &e), -1);
    assert_error(e, TAN_FAILED, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(words_after_another_launcher),
        cmocka_unit_test(files),
        cmocka_unit_test(maps_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, remove_file);
}
