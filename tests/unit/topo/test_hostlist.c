/* test_hostlist.c - host names in Slurm's notation: expanding and folding
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "topo/hostlist.h"

struct pair {
    const char *text, *names;
};

/* The names of a list with blanks between them. */
static const char *joined(const struct tan_hostlist *list, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < list->n; i++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " " : "", list->names[i]);
        assert_true(used < size);
    }
    return text;
}

static void expect_names(const char *text, const char *names)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_hostlist list;
    char all[1024];
    assert_int_equal(tan_hostlist_expand(text, &list, &e), 0);
    assert_no_error(e);
    assert_string_equal(joined(&list, all, sizeof all), names);
    tan_hostlist_clear(&list);
}

/* As `scontrol show hostnames` of Slurm 22.05 has them, but for characters behind brackets, which
 * it does not take. */
TEST(names_of_a_list)
{
    static const struct pair rows[] = {
        {"login", "login"},
        {"a,b", "a b"},
        {"a,,b", "a b"},
        {",a,", "a"},
        {"a b\nc\td\r\n", "a b c d"},
        {"a, b", "a b"},
        {"node[001-003],login", "node001 node002 node003 login"},
        {"n[8-11]", "n8 n9 n10 n11"},
        {"n[1]n[1]n[1]n[1]n[1]n[1]n[1]n[1]", "n1n1n1n1n1n1n1n1"},
        {"n[098-101]", "n098 n099 n100 n101"},
        {"n[00-02]", "n00 n01 n02"},
        {"n[0-2]", "n0 n1 n2"},
        {"n[0,9-11]", "n0 n9 n10 n11"},
        {"n[0-11]", "n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11"},
        {"n[2,1]", "n2 n1"},
        {"n[1,1]", "n1 n1"},
        {"n[5,1-3,9]", "n5 n1 n2 n3 n9"},
        {"n[8-10,011]", "n8 n9 n10 n011"},
        {"[1-3]", "1 2 3"},
        {"r[1-2]n[1-3]", "r1n1 r1n2 r1n3 r2n1 r2n2 r2n3"},
        {"r[1-2]n[1,3]b[0-1]", "r1n1b0 r1n1b1 r1n3b0 r1n3b1 r2n1b0 r2n1b1 r2n3b0 r2n3b1"},
        {"gpu[1,3-5]-ib0", "gpu1-ib0 gpu3-ib0 gpu4-ib0 gpu5-ib0"},
        {"n[1-2].x.org,n9.x.org", "n1.x.org n2.x.org n9.x.org"},
        {"n[7]", "n7"},
        {"a-b_c", "a-b_c"},
        {"n[999999999999999998-999999999999999999]", "n999999999999999998 n999999999999999999"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect_names(rows[i].text, rows[i].names);
    }
}

TEST(many_names)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_hostlist list;
    assert_int_equal(tan_hostlist_expand("r[01-50]n[001-200],x", &list, &e), 0);
    assert_int_equal(list.n, 10001);
    assert_string_equal(list.names[0], "r01n001");
    assert_string_equal(list.names[199], "r01n200");
    assert_string_equal(list.names[200], "r02n001");
    assert_string_equal(list.names[9999], "r50n200");
    assert_string_equal(list.names[10000], "x");
    tan_hostlist_clear(&list);
}

/* As many as there may be; one more is an error (errors_name_the_place). */
TEST(most_names)
{
    static const char *const texts[] = {"n[0-1048575]", "r[0-1023]n[0-1023]",
                                        "n[0-524287,0-524287]", "n[0-524287] n[0-524287]"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_hostlist list;
        at_row("%s", texts[i]);
        assert_int_equal(tan_hostlist_expand(texts[i], &list, &e), 0);
        assert_int_equal(list.n, 1048576);
        tan_hostlist_clear(&list);
    }
}

/* 255 characters and one more, which are those of the longest of the numbers. */
TEST(longest_name)
{
    static const char *const numbers[] = {"[1]", "[01]", "[1,01]", "[9-10]", "[1,2-3]"};
    static const int digits[] = {1, 2, 2, 2, 1};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_hostlist list;
        char text[TAN_HOSTLIST_NAME + 16];
        at_row("%s", numbers[i]);
        memset(text, 'n', TAN_HOSTLIST_NAME + 1);
        strcpy(text + TAN_HOSTLIST_NAME - digits[i], numbers[i]);
        assert_int_equal(tan_hostlist_expand(text, &list, &e), 0);
        tan_hostlist_clear(&list);
        strcpy(text + TAN_HOSTLIST_NAME - digits[i] + 1, numbers[i]);
        text[TAN_HOSTLIST_NAME - digits[i]] = 'n';
        assert_int_equal(tan_hostlist_expand(text, &list, &e), -1);
        assert_error(e, TAN_FAILED, "a name has at most 255 characters");
    }
}

TEST(errors_name_the_place)
{
    static const struct {
        const char *text, *part;
        int line, column;
    } rows[] = {
        {"", "no host name", 1, 1},
        {" ,\n", "no host name", 1, 1},
        {"a,n[1-2", "\"[\" has no \"]\"", 1, 4},
        {"n[1-2 ]", "\"[\" has no \"]\"", 1, 2},
        {"a\nb,n[1,\n2]", "\"[\" has no \"]\"", 2, 4},
        {"n[", "\"[\" has no \"]\"", 1, 2},
        {"a n1]", "\"]\" has no \"[\"", 1, 5},
        {"n[1-2]]", "\"]\" has no \"[\"", 1, 7},
        {"n[[1-2]]", "number is missing", 1, 3},
        {"n[]", "brackets are empty", 1, 2},
        {"n[1-]", "number is missing", 1, 5},
        {"n[-2]", "number is missing", 1, 3},
        {"n[1,]", "number is missing", 1, 5},
        {"n[1,,2]", "number is missing", 1, 5},
        {"n[a-c]", "number is missing", 1, 3},
        {"n[1-2-3]", "\"-\" is in brackets", 1, 6},
        {"n[1x]", "\"x\" is in brackets", 1, 4},
        {"a,b[3-1]", "the range 3-1 falls", 1, 5},
        {"n[1,08-100]", "the range 08-100 have different widths", 1, 5},
        {"n[1-010]", "the range 1-010 have different widths", 1, 3},
        {"n[0000000000000000001]", "more than 18 digits", 1, 3},
        {"n[0-1048576]", "more than 1048576 names", 1, 2},
        {"n[0-8388608,0-8388608]", "more than 1048576 names", 1, 2},
        {"n[0-524287,0-524288]", "more than 1048576 names", 1, 2},
        {"n[1-999999999999999999]", "more than 1048576 names", 1, 2},
        {"n[1-999999999999999999,1-999999999999999999]", "more than 1048576 names", 1, 2},
        {"h4[0-9][0-9][0-9][0-9][0-9][0-9][0-9]", "more than 1048576 names", 1, 1},
        {"r[0-1023]n[0-1024]", "more than 1048576 names", 1, 1},
        {"r[0-1023]n[0-1023]b[0-1]", "more than 1048576 names", 1, 1},
        {"a,r[0-1023]n[0-1023]", "more than 1048576 names", 1, 3},
        {"r[0-1023]n[0-1023],a", "more than 1048576 names", 1, 20},
        {"n[0-524287]\nn[0-524288]", "more than 1048576 names", 2, 1},
        {"n[1]n[1]n[1]n[1]n[1]n[1]n[1]n[1]n", "more than 16 parts", 1, 1},
        {"a\001", "control character", 1, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_hostlist list;
        assert_int_equal(tan_hostlist_expand(rows[i].text, &list, &e), -1);
        assert_error(e, TAN_FAILED, rows[i].part);
        assert_string_equal(e.source, "");
        if (e.line != rows[i].line || e.column != rows[i].column) {
            fail_msg("\"%s\": %d:%d", rows[i].text, e.line, e.column);
        }
        assert_null(list.names);
    }
}

static char *folded(const char *names, struct tan_error *e)
{
    const char *name[64];
    size_t n = 0;
    char *copy = strdup(names);
    for (char *next, *rest = copy; (next = strsep(&rest, " ")) != NULL;) {
        name[n++] = next;
    }
    char *text = tan_hostlist_fold(name, n, e);
    free(copy);
    return text;
}

/* The first of them as `scontrol show hostlist` of Slurm 22.05 writes them; the others by hand. */
TEST(names_are_folded)
{
    static const struct {
        const char *names, *text;
    } rows[] = {
        {"n1 n2 n3", "n[1-3]"},
        {"n1 n3 n2", "n[1,3,2]"},
        {"a1 b1 b2", "a1,b[1-2]"},
        {"n01 n2 n3", "n[01,2-3]"},
        {"n8 n9 n10", "n[8-10]"},
        {"r1n1 r1n2 r2n1 r2n2", "r1n[1-2],r2n[1-2]"},
        {"gpu1-ib0 gpu2-ib0", "gpu[1-2]-ib0"},
        {"login", "login"},
        {"login login", "login,login"},
        {"n1 n1", "n[1,1]"},
        {"n08 n09 n10 n11", "n[08-11]"},
        {"n08 n09 n10 n011", "n[08-10,011]"},
        {"n98 n99 n100", "n[98-100]"},
        {"n098 n099 n100", "n[098-100]"},
        {"n99 n0100", "n[99,0100]"},
        {"n09 n10 n100", "n[09-10,100]"},
        {"n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10", "n[0-10]"},
        {"n00 n01 n02 n3", "n[00-02,3]"},
        {"n3 n2 n1", "n[3,2,1]"},
        {"n1 x n2", "n1,x,n2"},
        {"7 8 9 x", "[7-9],x"},
        {"n1.x n2.x n2.y", "n[1-2].x,n2.y"},
        {"r1n1-a r1n2-a r2n2-a", "r1n[1-2]-a,r2n2-a"},
        /* a name that fits two pairs of brackets is in the first */
        {"a1b1 a1b2 a2b2 a3b2", "a1b[1-2],a[2-3]b2"},
        {"a1b1 a1b2 a1b3 a2b3", "a1b[1-3],a2b3"},
        {"a1b1 a1b2 a2b2 a2b3", "a1b[1-2],a2b[2-3]"},
        {"a1b1 a1b2 a1b3 a2b3 a3b3", "a1b[1-3],a[2-3]b3"},
        {"n1a n1 n2", "n1a,n[1-2]"},
        {"n1234567890123456789 n1234567890123456790", "n1234567890123456789,n1234567890123456790"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        char *text = folded(rows[i].names, &e);
        assert_no_error(e);
        assert_string_equal(text, rows[i].text);
        expect_names(text, rows[i].names);
        free(text);
    }
}

TEST(names_that_no_list_holds)
{
    static const char *const rows[] = {"", "a b", "a,b", "n[1]", "a\n"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        const char *names[] = {"n1", rows[i]};
        assert_null(tan_hostlist_fold(names, 2, &e));
        assert_error(e, TAN_USAGE, rows[i][0] == '\0' ? "empty" : "cannot contain");
    }
}

/* Fewest items, by trying every way to cut the list: brackets may hold names[first .. last] where
 * all of them are one text with one number in it. */
static bool can_share(char name[][16], int first, int last)
{
    for (int start = 0; name[first][start] != '\0'; start++) {
        if (start > 0 && name[first][start - 1] >= '0' && name[first][start - 1] <= '9') {
            continue;
        }
        const size_t digits = strspn(name[first] + start, "0123456789");
        bool all = digits > 0;
        for (int i = first + 1; i <= last && all; i++) {
            const size_t others = strspn(name[i] + start, "0123456789");
            all = strncmp(name[i], name[first], (size_t)start) == 0 && others > 0 &&
                  strcmp(name[i] + start + others, name[first] + start + digits) == 0;
        }
        if (all) {
            return true;
        }
    }
    return false;
}

static int fewest_items(char name[][16], int n)
{
    int least[33] = {0};
    for (int last = 0; last < n; last++) {
        least[last + 1] = least[last] + 1;
        for (int first = 0; first < last; first++) {
            if (can_share(name, first, last) && least[first] + 1 < least[last + 1]) {
                least[last + 1] = least[first] + 1;
            }
        }
    }
    return least[n];
}

TEST(random_lists_come_back_with_fewest_items)
{
    uint64_t random = 11;
    for (int round = 0; round < 3000; round++) {
        char name[32][16];
        const char *names[32];
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_hostlist list;
        const int n = 1 + round % 32;
        int number[3] = {1, 8, 1};
        for (int i = 0; i < n; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            const int which = (int)((random >> 33) % 8);
            number[which % 3] += which < 6 ? 1 : 7;
            snprintf(name[i], sizeof name[i], round % 2 == 0 ? "r%dn%02d-%d" : "r%dn%d-%d",
                     number[0], number[1], number[2]);
            names[i] = name[i];
        }
        char *text = tan_hostlist_fold(names, (size_t)n, &e);
        assert_no_error(e);
        assert_int_equal(tan_hostlist_expand(text, &list, &e), 0);
        assert_int_equal(list.n, n);
        int items = 1;
        bool inside = false;
        for (const char *c = text; *c != '\0'; c++) {
            inside = *c == '[' || (inside && *c != ']');
            items += *c == ',' && !inside;
        }
        for (int i = 0; i < n; i++) {
            assert_string_equal(list.names[i], names[i]);
        }
        if (items != fewest_items(name, n)) {
            fail_msg("%s: not %d items", text, fewest_items(name, n));
        }
        tan_hostlist_clear(&list);
        free(text);
    }
}

RUN_TESTS(NULL, NULL)
