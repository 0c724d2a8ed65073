/* test_target_prrte.c - PRRTE and ORTE: their trees as subtree sizes and as parents
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/design/target_check.h"

#include "design/systems/knomial.h"
#include "design/systems/shape.h"

extern const struct tan_target tan_target_orte, tan_target_prrte, tan_target_prrte_4_1;

static const struct tan_target *const targets[] = {&tan_target_orte, &tan_target_prrte,
                                                   &tan_target_prrte_4_1};
enum { TARGETS = sizeof targets / sizeof targets[0], TEXT = 4096 };

struct known {
    int64_t radix;
    const char *parents; /* -1 is the root */
};

static char *text_of(const int32_t *parents, int32_t n, char text[TEXT])
{
    text[0] = '\0';
    for (int32_t i = 0; i < n; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, TEXT - used, "%s%d", i > 0 ? " " : "", (int)parents[i]);
    }
    return text;
}

/* Those of 4, 6 and 9 daemons with radix 2, 3 and 64 are what Open MPI 4.1.4 builds
 * (tests/hosts/targets-orte.sh). The others are worked by hand: with radix 2 the levels begin at 1,
 * 3, 7 and 15, with radix 3 at 1, 4 and 13, with 4 at 1, 5 and 21. */
TEST(known_trees)
{
    static const struct known rows[] = {
        {2, "-1"},
        {2, "-1 0"},
        {2, "-1 0 0"},
        {2, "-1 0 0 1"},
        {2, "-1 0 0 1 2 1"},
        {2, "-1 0 0 1 2 1 2"},
        {2, "-1 0 0 1 2 1 2 3 4"},
        {2, "-1 0 0 1 2 1 2 3 4 5 6 3 4 5 6 7"},
        {2, "-1 0 0 1 2 1 2 3 4 5 6 3 4 5 6 7 8 9 10 11 12 13 14 7"},
        {3, "-1 0 0 0"},
        {3, "-1 0 0 0 1 2"},
        {3, "-1 0 0 0 1 2 3 1 2"},
        {3, "-1 0 0 0 1 2 3 1 2 3 1 2 3 4 5"},
        {4, "-1 0 0 0 0 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4 5"},
        {64, "-1 0 0 0 0 0 0 0 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t n = 1;
        for (const char *c = rows[i].parents; *c != '\0'; c++) {
            n += *c == ' ';
        }
        int32_t parents[64];
        char text[TEXT];
        for (int t = 0; t < TARGETS; t++) {
            targets[t]->knobs[0].parents(rows[i].radix, n, parents);
            assert_string_equal(text_of(parents, n, text), rows[i].parents);
        }
    }
}

/* Radix 1, which ORTE and PRRTE up to 4.1 have: a chain. */
TEST(a_chain)
{
    int32_t parents[6];
    char text[TEXT];
    assert_int_equal(tan_target_orte.knobs[0].least, 1);
    assert_int_equal(tan_target_prrte_4_1.knobs[0].least, 1);
    assert_int_equal(tan_target_prrte.knobs[0].least, 2);
    tan_radix_tree_parents(1, 6, parents);
    assert_string_equal(text_of(parents, 6, text), "-1 0 1 2 3 4");
}

/* Where the default of 64 becomes a third level: 65 daemons are flat, 64 below the root; the
 * children of 1 are 65, 129, 193 ...; 4161 daemons fill three levels, and 4161 is below 65. */
TEST(the_default)
{
    enum { N = 4162 };
    int32_t parents[N];
    tan_radix_tree_parents(64, N, parents);
    assert_int_equal(parents[64], 0);
    assert_int_equal(parents[65], 1);
    assert_int_equal(parents[66], 2);
    assert_int_equal(parents[128], 64);
    assert_int_equal(parents[129], 1);
    assert_int_equal(parents[4160], 64);
    assert_int_equal(parents[4161], 65);
    const struct tan_shape shape = {.knob = tan_target_prrte.knobs,
                                    .value = tan_target_prrte.defaults[0].value,
                                    .population = tan_target_prrte.counts.population,
                                    .size = 65};
    struct tan_shape_walk walk = tan_shape_walk(&shape);
    assert_int_equal(tan_shape_descend(&walk), 64);
}

/* Cab, a level of r children: 98 + 49.3 + 0.783 (r + 1) + 0.157 (r + 1)^2 us. Ten children take
 * 174.91 us and one 149.494, so that each is (174.91 - 149.494) / 9 = 2.824 in the mean. A second
 * one costs 0.783 + 0.157 (9 - 4) = 1.568, which is also taken for radix 1. */
TEST(constants_of_its_formula)
{
    const double us = 1e-6;
    const struct tan_params cab = {.method = TAN_METHOD_PAPER,
                                   .bytes = 1024,
                                   .value = {98 * us, 49.3 * us, 0.783 * us, 0.157 * us}};
    const struct {
        int64_t radix;
        double value[4];
    } rows[] = {
        {10, {149.494 - 2.824, 2.824, NAN, 8.0}},
        {2, {149.494 - 1.568, 1.568, NAN, 8.0}},
        {1, {149.494 - 1.568, 1.568, NAN, 8.0}},
    };
    const struct tan_term *t = tan_target_prrte.own.terms;
    for (int row = 0; row < 3; row++) {
        for (int i = 0; i < 4; i++) {
            const double expected = rows[row].value[i];
            const double value = t[i].value(&tan_models[TAN_MODEL_TAN], &cab, rows[row].radix);
            assert_int_equal(isnan(value), isnan(expected));
            if (!isnan(value)) {
                assert_close(value, expected, 1e-9);
            }
        }
    }
    assert_null(t[4].name);
}

/* The depth and the size of the subtree of each process, as one number, sorted. */
static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void profile(const int32_t *parents, int32_t n, int64_t *out)
{
    int64_t size[512];
    int64_t depth[512];
    for (int32_t i = 0; i < n; i++) {
        size[i] = 1;
        depth[i] = i > 0 ? depth[parents[i]] + 1 : 0;
    }
    for (int32_t i = n - 1; i > 0; i--) {
        size[parents[i]] += size[i];
    }
    for (int32_t i = 0; i < n; i++) {
        out[i] = depth[i] * 1000000 + size[i];
    }
    qsort(out, (size_t)n, sizeof *out, ascending);
}

static void compare(const struct tan_target *target, const struct tan_knob *knob, int64_t value,
                    int32_t n)
{
    struct tan_knob by_split = *knob;
    by_split.parents = NULL;
    const struct tan_shape shape = {
        .knob = &by_split, .value = value, .population = target->counts.population, .size = n};
    int32_t processes;
    int32_t *split = shape_parents(&shape, &processes);
    assert_int_equal(processes, n);
    int32_t parents[512];
    knob->parents(value, n, parents);
    int64_t a[512];
    int64_t b[512];
    profile(split, n, a);
    profile(parents, n, b);
    assert_memory_equal(a, b, (size_t)n * sizeof *a);
    free(split);
}

TEST(sizes_are_those_of_the_parents)
{
    for (int t = 0; t < TARGETS; t++) {
        for (const struct tan_knob *knob = targets[t]->knobs; knob->name != NULL; knob++) {
            for (int32_t n = 2; n <= 300; n++) {
                for (int64_t radix = knob->least; radix <= 20; radix++) {
                    compare(targets[t], knob, radix, n);
                }
                compare(targets[t], knob, 64, n);
                compare(targets[t], knob, n - 1 > knob->least ? n - 1 : knob->least, n);
                compare(targets[t], knob, knob->most, n);
            }
        }
    }
}

TEST(branches_have_all_but_the_process)
{
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const int64_t size = 2 + (int64_t)(random >> 33) % 1000000000;
        const int64_t radix = 1 + (int64_t)(random >> 13) % (i % 2 == 0 ? 100 : TAN_RADIX_MOST);
        struct tan_branch branch[TAN_BRANCHES];
        const int n = tan_radix_tree_split(radix, size, 1, branch);
        int64_t sum = 0;
        int64_t count = 0;
        for (int b = 0; b < n; b++) {
            assert_true(branch[b].size >= 1 && branch[b].count >= 1);
            sum += branch[b].size * branch[b].count;
            count += branch[b].count;
        }
        assert_int_equal(sum, size - 1);
        assert_int_equal(count, radix < size - 1 ? radix : size - 1);
    }
}

/* A daemon of the third level looks for children up to radix^3 after itself, one of the second up
 * to radix^2: 1290^3 = 2146689000 and 46340^2 = 2147395600 are below 2^31 = 2147483648, 1291^3 and
 * 46341^2 are not. Of 216^4 = 2176782336 the same holds for the fourth level, from 46873 on. */
TEST(what_overflows)
{
    static const struct {
        int64_t radix, members;
        bool overflows;
    } rows[] = {
        {64, 1000000, false}, {1290, 5000, false}, {1291, 1292, false},    {1291, 1293, true},
        {2000, 2001, false},  {2000, 2002, true},  {46340, 46341, false},  {46340, 46342, true},
        {46341, 1, false},    {46341, 2, true},    {216, 46873, false},    {216, 46874, true},
        {215, 46873, false},  {1, 1000000, false}, {2, 1073741823, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (tan_radix_tree_overflows(rows[i].radix, rows[i].members) != rows[i].overflows) {
            fail_msg("radix %d with %d daemons", (int)rows[i].radix, (int)rows[i].members);
        }
    }
}

/* What is written but comments, each line's end as "|". */
static char *settings_of(const struct tan_target *target, struct tan_setting up,
                         struct tan_setting down, int64_t members, struct tan_error *e,
                         char text[TEXT])
{
    FILE *to = tmpfile();
    assert_non_null(to);
    const struct tan_answer answer = {.target = target, .up = up, .down = down, .members = members};
    const int result = target->write(&answer, to, e);
    assert_int_equal(result, e->status == TAN_DONE ? 0 : -1);
    rewind(to);
    text[0] = '\0';
    char line[512];
    while (fgets(line, sizeof line, to) != NULL) {
        assert_true(strlen(line) <= 101);
        if (strncmp(line, target->comment, strlen(target->comment)) != 0) {
            line[strcspn(line, "\n")] = '|';
            strncat(text, line, TEXT - strlen(text) - 1);
        }
    }
    fclose(to);
    return text;
}

TEST(the_lines_of_orte)
{
    struct tan_error e = TAN_ERROR_INIT;
    char text[TEXT];
    const struct tan_setting radix = {tan_target_orte.knobs, 16};
    settings_of(&tan_target_orte, radix, radix, 100, &e, text);
    assert_no_error(e);
    assert_string_equal(text, "routed_radix = 16|");
    const struct tan_setting wide = {tan_target_orte.knobs, 2000};
    settings_of(&tan_target_orte, wide, wide, 3000, &e, text);
    assert_error(e, TAN_INFEASIBLE, "routed_radix=2000 with 3000 daemons overflows");
    assert_string_equal(text, "");
}

TEST(the_lines_of_prrte)
{
    struct tan_error e = TAN_ERROR_INIT;
    char text[TEXT];
    const struct tan_knob *knobs = tan_target_prrte.knobs;
    const struct tan_setting none = {NULL, 0};
    const struct tan_setting up = {&knobs[0], 32};
    static const char *const one_tree = "rml_base_radix = 32|grpcomm_low_radix_release = false|";
    /* One radix both ways must be said: the way down has a tree of its own by default. */
    assert_string_equal(settings_of(&tan_target_prrte, up, up, 100, &e, text), one_tree);
    assert_string_equal(settings_of(&tan_target_prrte, up, none, 100, &e, text), one_tree);
    assert_string_equal(settings_of(&tan_target_prrte, none, up, 100, &e, text), one_tree);
    const struct tan_setting same = {&knobs[1], 32};
    assert_string_equal(settings_of(&tan_target_prrte, up, same, 100, &e, text), one_tree);
    const struct tan_setting down = {&knobs[1], 3};
    assert_string_equal(
        settings_of(&tan_target_prrte, up, down, 100, &e, text),
        "rml_base_radix = 32|grpcomm_low_radix_release = true|rml_base_radix2 = 3|");
    assert_string_equal(
        settings_of(&tan_target_prrte, none, down, 100, &e, text),
        "rml_base_radix = 64|grpcomm_low_radix_release = true|rml_base_radix2 = 3|");
    assert_string_equal(
        settings_of(&tan_target_prrte, down, down, 100, &e, text),
        "rml_base_radix = 64|grpcomm_low_radix_release = true|rml_base_radix2 = 3|");
    const struct tan_setting old = {tan_target_prrte_4_1.knobs, 32};
    assert_string_equal(settings_of(&tan_target_prrte_4_1, old, old, 100, &e, text),
                        "rml_base_radix = 32|");
    assert_no_error(e);
}

RUN_TESTS(NULL, NULL)
