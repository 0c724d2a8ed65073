/* test_goal_binary.c - LogGOPSim's binary schedules: the bytes' meaning, errors
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/goal/goal.h"
#include "tests/fuzz/goal_property.h"

/* A schedule worked out by hand from the description of the format; assert_as_by_hand has its text.
 */
static const unsigned char by_hand[] = {
    0x7f, 0x10, 0, 0, 0, 0, 0, 0, /* magic 4223 */
    2, 0, 0, 0, 2, 4,             /* ranks, highest CPU, highest NIC */
    38, 0, 0, 0, 0, 0, 0, 0,      /* rank 0 from 6 + 2 * 16, counted from byte 8 */
    179, 0, 0, 0, 0, 0, 0, 0,     /* to 38 + 8 + 4 + 3 * 39 + 3 * 4 */
    179, 0, 0, 0, 0, 0, 0, 0,     /* rank 1 */
    230, 0, 0, 0, 0, 0, 0, 0,     /* to 179 + 8 + 4 + 39 */

    3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, /* 46: 3 operations, 1 root: the first */
    /* 58: a waits for none, is a calculation of 5 on CPU 2; 1 waits for its end, 2 for its start */
    0, 0, 0, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2,
    0, 0, 0, 1, 0, 0, 0,
    /* 97: b waits for two, sends 513 to rank 1 with tag 3 */
    2, 0, 0, 0, 1, 1, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0,
    0, 0, 0, 3, 0, 0, 0,
    /* 136: c waits for one, is a calculation of 1 */
    1, 0, 0, 0, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0,
    0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, /* 175: b; c, b */

    1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, /* 187 */
    /* 199: a receive of 513 from any rank with any tag on NIC 4 */
    0, 0, 0, 0, 2, 255, 255, 255, 255, 1, 2, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 4, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

enum {
    TABLE = 14,
    BLOCK = 46,
    A = 58,
    B = 97,
    C = 136,
    LIST = 175,
    RECEIVE = 199,
    /* within a record */
    WAITS = 0,
    TYPE = 4,
    PEER = 5,
    AMOUNT = 9,
    CPU = 21,
    NIC = 22,
    FINISHES = 23,
    FIRST = 27,
    STARTS = 31,
    FIRST_START = 35
};

static struct tan_schedule *parse(const void *data, size_t length, struct tan_error *e)
{
    return tan_goal_parse(data, length, "t.bin", false, e);
}

/* What by_hand says, and nothing else. */
static void assert_as_by_hand(const unsigned char *binary, size_t length)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = parse(binary, length, &e);
    assert_no_error(e);
    struct tan_property_bytes back = tan_property_text(s);
    assert_string_equal(back.data, "num_ranks 2\n\nrank 0 {\nl1: calc 5 cpu 2\n"
                                   "l2: send 513b to 1 tag 3\nl3: calc 1\nl2 requires l1\n"
                                   "l3 irequires l1\nl2 irequires l1\n}\n\nrank 1 {\n"
                                   "recv 513b from -1 tag -1 nic 4\n}\n");
    free(back.data);
    tan_schedule_destroy(s);
}

TEST(reads_the_bytes)
{
    assert_as_by_hand(by_hand, sizeof by_hand);
}

/* Blocks may stand in any order, and a calculation's peer, tag and NIC mean nothing. */
TEST(read_although_unusual)
{
    unsigned char other[sizeof by_hand];
    const size_t block0 = 141;
    const size_t block1 = 51;
    memcpy(other, by_hand, sizeof by_hand);
    memcpy(other + BLOCK, by_hand + BLOCK + block0, block1);
    memcpy(other + BLOCK + block1, by_hand + BLOCK, block0);
    other[TABLE] = 38 + 51;
    other[TABLE + 8] = 230;
    other[TABLE + 16] = 38;
    other[TABLE + 24] = 38 + 51;
    other[A + block1 + PEER] = 77;
    other[A + block1 + NIC] = 3;
    assert_as_by_hand(other, sizeof other);
}

TEST(every_cut)
{
    for (size_t length = 8; length < sizeof by_hand; length++) {
        char wanted[64];
        struct tan_error e = TAN_ERROR_INIT;
        assert_null(parse(by_hand, length, &e));
        snprintf(wanted, sizeof wanted, "cut off: it ends after %zu bytes", length);
        assert_error(e, TAN_FAILED, wanted);
    }
    unsigned char longer[sizeof by_hand + 1] = {0};
    memcpy(longer, by_hand, sizeof by_hand);
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(parse(longer, sizeof longer, &e));
    assert_error(e, TAN_FAILED, "there is more after the last block");
}

TEST(refused)
{
    static const struct {
        int at;
        unsigned char byte;
        const char *part;
    } cases[] = {
        {8, 0, "the number of ranks must be from 1 to "},
        {11, 255, "the number of ranks must be from 1 to "},
        {TABLE, 37, "rank 0, before byte 30: its block cannot reach from offset 37 to 179"},
        {TABLE + 8, 37, "its block cannot reach from offset 38 to 37"},
        {TABLE + 8, 45, "its block cannot reach from offset 38 to 45"},
        {TABLE + 15, 255, "3 operations and 1 roots do not fit its block of 18374686479671623821"},
        {TABLE + 16, 178, "rank 1, before byte 187: its block overlaps another one's"},
        {TABLE + 8, 178,
         "rank 0, before byte 54: 3 operations and 1 roots do not fit its block of"},
        {TABLE + 8, 183, "of 4 entries in the list of dependents 1 belong to no operation"},
        {BLOCK, 4, "4 operations and 1 roots do not fit its block of 141 bytes"},
        {BLOCK + 3, 255, "do not fit its block"},
        {BLOCK + 4, 4, "3 operations and 4 roots do not fit"},
        {BLOCK + 8, 3, "3 cannot be root number 0: roots ascend and are below 3"},
        {BLOCK + 8, 1, "operation 0 has 0 dependencies and is not among the roots"},
        {A + WAITS, 1, "operation 0 has 1 dependencies and is among the roots"},
        {B + WAITS, 0, "operation 1 has 0 dependencies and is not among the roots"},
        {B + WAITS, 3, "operation 1 says that it has 1 dependencies more than there are"},
        {B + WAITS, 1, "operation 1 waits for 0 and so has more dependencies than it says"},
        {A + TYPE, 0, "operation 0 has the type 0; there are 1 (send), 2 (receive) and 3"},
        {A + TYPE, 4, "has the type 4"},
        {B + PEER, 2, "operation 1 names rank 2; ranks are 0 to 1"},
        {RECEIVE + PEER, 254, "names rank 4294967294; ranks are 0 to 1, or 4294967295 for any"},
        {A + AMOUNT + 7, 64, "operation 0 has 4611686018427387909 nanoseconds; at most"},
        {B + AMOUNT + 7, 128,
         "operation 1 has 9223372036854776321 bytes; at most 46116860184273879"},
        {B + CPU, 3,
         "operation 1 uses CPU 3 and NIC 0; the header says that 2 and 4 are the highest"},
        {B + NIC, 5, "operation 1 uses CPU 0 and NIC 5"},
        {A + FIRST, 1, "those who wait for operation 0 are not where the ones before end"},
        {A + FIRST_START, 2, "those who wait for operation 0"},
        {A + STARTS, 3, "those who wait for operation 0"},
        {A + STARTS + 3, 255, "those who wait for operation 0"},
        {A + STARTS, 1, "of 3 entries in the list of dependents 1 belong to no operation"},
        {B + FINISHES, 1, "those who wait for operation 1"},
        {LIST, 3, "operation 3, which is said to wait for 0, does not exist"},
        {LIST, 0, "operation 0 waits for 0 and so has more dependencies than it says"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char broken[sizeof by_hand];
        memcpy(broken, by_hand, sizeof by_hand);
        broken[cases[i].at] = cases[i].byte;
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_schedule *s = parse(broken, sizeof broken, &e);
        if (s != NULL) {
            print_error("byte %d as %d is taken\n", cases[i].at, cases[i].byte);
        }
        assert_null(s);
        assert_string_equal(e.source, "t.bin");
        assert_int_equal(e.line, 0);
        assert_error(e, TAN_FAILED, cases[i].part);
    }
}

TEST(spent)
{
    unsigned char other[sizeof by_hand];
    memcpy(other, by_hand, sizeof by_hand);
    other[0] = 2342 & 255;
    other[1] = 2342 >> 8;
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(parse(other, sizeof other, &e));
    assert_error(e, TAN_FAILED, "used up by a run of LogGOPSim");
}

/* b waits for c instead of a, and c for b */
TEST(cyclic)
{
    unsigned char other[sizeof by_hand];
    memcpy(other, by_hand, sizeof by_hand);
    other[B + WAITS] = 1;
    other[C + WAITS] = 2;
    other[A + FINISHES] = 1;
    other[A + STARTS] = 0;
    other[B + FINISHES] = 1;
    other[B + FIRST] = 1;
    other[C + FINISHES] = 1;
    other[C + FIRST] = 2;
    other[LIST] = 2;
    other[LIST + 4] = 2;
    other[LIST + 8] = 1;
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(parse(other, sizeof other, &e));
    assert_error(e, TAN_FAILED, "waits for itself through others");
}

static struct tan_property_bytes text_of(const char *path)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = tan_goal_load(path, true, &e);
    assert_no_error(e);
    struct tan_property_bytes text = tan_property_text(s);
    tan_schedule_destroy(s);
    return text;
}

/* Real schedules: their text says the same, and so does the binary of some. */
TEST(there_and_back)
{
    glob_t found;
    int binaries = 0;
    assert_int_equal(glob("sim/tests/oracle/loggopsim/*.goal*", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 100);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char path[256];
        struct tan_property_bytes text = text_of(found.gl_pathv[i]);
        const char *wrong = tan_property_again(&text);
        snprintf(path, sizeof path, "%.*s.bin.gz",
                 (int)(strstr(found.gl_pathv[i], ".goal") - found.gl_pathv[i]), found.gl_pathv[i]);
        if (access(path, R_OK) == 0) {
            struct tan_property_bytes binary = text_of(path);
            assert_string_equal(binary.data, text.data);
            free(binary.data);
            binaries++;
        }
        if (wrong != NULL) {
            print_error("%s: %s\n", found.gl_pathv[i], wrong);
        }
        assert_null(wrong);
        free(text.data);
    }
    assert_int_equal(binaries, 5);
    globfree(&found);
}

RUN_TESTS(NULL, NULL)
