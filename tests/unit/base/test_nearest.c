/* test_nearest.c - which name a mistyped word is taken for
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <string.h>

#include "tests/unit/check.h"

static const char *nearest_of(const char *word, const char *const *names)
{
    struct tan_nearest nearest = tan_nearest_to(word, strlen(word));
    for (; *names != NULL; names++) {
        tan_nearest_try(&nearest, *names);
    }
    return nearest.name;
}

TEST(finds_the_name)
{
    static const char *const names[] = {"leaves",    "max-fanout", "max-height",  "max-leaves",
                                        "topo",      "slurm",      "slurm@24.05", "prrte",
                                        "calibrate", "nto1",       NULL};
    static const struct {
        const char *word, *name; /* NULL: none is near */
    } rows[] = {
        {"leaves", "leaves"},
        {"leafs", "leaves"},
        {"leaf", "leaves"},
        {"leavse", "leaves"},
        {"laeves", "leaves"},
        {"max-heigth", "max-height"},
        {"max_fanout", "max-fanout"},
        {"MaxFanout", "max-fanout"},
        {"maxleaves", "max-leaves"},
        {"topology", "topo"},
        {"Slurm", "slurm"},
        {"slurm-25.05", "slurm"},
        {"slurm@24.5", "slurm@24.05"},
        {"calib", "calibrate"},
        {"prte", "prrte"},
        {"ntoone", "nto1"},
        {"prefer", NULL}, /* a third of its characters are edits of prrte */
        {"width", NULL},
        {"x", NULL},
        {"", NULL},
        {"max-connections", NULL},
        {"flux", NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *name = nearest_of(rows[i].word, names);
        if (rows[i].name == NULL ? name != NULL : name == NULL || strcmp(name, rows[i].name) != 0) {
            fail_msg("%s: %s", rows[i].word, name != NULL ? name : "none");
        }
    }
}

/* Edits by hand: swaps count once, and a part that is swapped is not edited again. */
TEST(counts_edits)
{
    static const struct {
        const char *word, *name;
        int distance;
    } rows[] = {
        {"sitting-room", "kitten-room", 3}, {"abcdef", "bacdef", 1}, {"abcdefg", "badcefg", 2},
        {"cadefghijk", "abcdefghijk", 3},   {"abcdef", "ABCDEF", 0}, {"ab", "ab", 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_nearest nearest = tan_nearest_to(rows[i].word, strlen(rows[i].word));
        tan_nearest_try(&nearest, rows[i].name);
        assert_non_null(nearest.name);
        assert_int_equal(nearest.distance, rows[i].distance);
    }
}

/* Only `length` characters are the word, the first of equally near names is taken, and lengths
 * beyond the limit are never near. */
TEST(keeps_within_bounds)
{
    char longest[64], longer[65];
    memset(longest, 'a', sizeof longest);
    memset(longer, 'a', sizeof longer);
    longest[63] = longer[64] = '\0';
    static const char *const equal[] = {"park", "bark", NULL};
    static const char *const initial[] = {"orte", "prrte", NULL};

    struct tan_nearest option = tan_nearest_to("leafs=4096", 5);
    tan_nearest_try(&option, "leaves");
    assert_string_equal(option.name, "leaves");
    assert_string_equal(nearest_of("dark", equal), "park");
    assert_string_equal(nearest_of("prte", initial), "prrte");
    const char *const at_limit[] = {longest, NULL};
    const char *const beyond[] = {longer, NULL};
    assert_string_equal(nearest_of(longest, at_limit), longest);
    assert_null(nearest_of(longer, beyond));
}

RUN_TESTS(NULL, NULL)
