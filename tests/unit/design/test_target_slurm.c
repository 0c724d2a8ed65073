/* test_target_slurm.c - Slurm's ranges of hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/design/target_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design/systems/setting.h"
#include "design/systems/shape.h"
#include "model/machine/given.h"

/* The sizes of the subtrees below `head`, in the order of the hosts: "7 6". */
static void ranges(const char *target, int64_t width, int32_t nodes, int32_t head, char *text,
                   size_t room)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_target *t = tan_target_find(target, &e);
    const struct tan_setting setting = {&t->knobs[0], width};
    const struct tan_shape shape = tan_shape_of(t, &setting, nodes, NULL);
    int32_t n;
    int32_t *parents = shape_parents(&shape, &n);
    assert_int_equal(n, nodes + 1);
    text[0] = '\0';
    for (int32_t i = head + 1; i < n; i++) {
        if (parents[i] != head) {
            continue;
        }
        int size = 1;
        for (int32_t k = i + 1; k < n; k++) { /* preorder: a subtree is a range */
            int32_t up = k;
            while (up > i) {
                up = parents[up];
            }
            size += up == i;
        }
        snprintf(text + strlen(text), room - strlen(text), "%s%d", text[0] == '\0' ? "" : " ",
                 size);
    }
    free(parents);
}

/* The first three from the logs of Slurm 22.05.8; the others dealt out by hand: each range takes a
 * host and then W at a time, in turn. */
TEST(in_turn)
{
    static const struct {
        int64_t width;
        int32_t nodes, head;
        const char *sizes;
    } rows[] = {
        {4, 64, 0, "17 17 17 13"},
        {4, 64, 1, "5 5 5 1"},
        {4, 64, 18, "5 5 5 1"},
        {2, 13, 0, "7 6"},
        {2, 13, 1, "3 3"},
        {2, 13, 8, "3 2"},
        {4, 4, 0, "1 1 1 1"},
        {4, 5, 0, "5"},       /* 5 > 4: the first takes 1 + 4 */
        {4, 6, 0, "5 1"},     /* 1 is left for the three others */
        {4, 8, 0, "5 1 1 1"}, /* 3 are left for three: each on its own */
        {4, 9, 0, "5 4"},     /* 4 are left for three: one range */
        {3, 7, 0, "4 3"},     /* 3 left for two */
        {3, 12, 0, "4 4 4"},
        {3, 13, 0, "5 4 4"}, /* then in turn: 1 more for the first */
        {3, 16, 0, "7 5 4"}, /* 4 left: 3, then 1 */
        {50, 51, 0, "51"},
        {50, 101, 0, "51 50"}, /* 50 left for 49 */
        {16, 4368, 0, "273 273 273 273 273 273 273 273 273 273 273 273 273 273 273 273"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[400];
        ranges("slurm@24.05", rows[i].width, rows[i].nodes, rows[i].head, text, sizeof text);
        assert_string_equal(text, rows[i].sizes);
    }
}

/* Whole levels W, W^2, ..., the rest evenly, the first ranges one more. */
TEST(by_levels)
{
    static const struct {
        int64_t width;
        int32_t nodes;
        const char *sizes;
    } rows[] = {
        {4, 4, "1 1 1 1"},  {4, 5, "2 1 1 1"},      {4, 8, "2 2 2 2"},   {4, 20, "5 5 5 5"},
        {4, 21, "6 5 5 5"}, {4, 64, "16 16 16 16"}, {2, 13, "7 6"},      {3, 13, "5 4 4"},
        {3, 16, "6 5 5"},   {2, 3, "2 1"},          {5, 7, "2 2 1 1 1"}, {3, 40, "14 13 13"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[400];
        ranges("slurm", rows[i].width, rows[i].nodes, 0, text, sizeof text);
        assert_string_equal(text, rows[i].sizes);
    }
}

/* The lengths of the ranges into which `hosts` hosts are cut, as Slurm's own loops do it. */
typedef void cut_rule(int32_t hosts, int32_t width, int32_t *length);

static void cut_in_turn(int32_t hosts, int32_t width, int32_t *length)
{
    int32_t left = hosts;
    for (int32_t i = 0; left > 0; i = (i + 1) % width) {
        if (left > width) {
            const int32_t more = width + (length[i] == 0);
            length[i] += more;
            left -= more;
        } else if (length[i] == 0 && left <= width - i) {
            for (; left > 0; left--) { /* one range each */
                length[i++] = 1;
            }
            return;
        } else {
            length[i] += left;
            return;
        }
    }
}

static void cut_by_levels(int32_t hosts, int32_t width, int32_t *length)
{
    int32_t left = hosts;
    for (int64_t level = width; left > 0; level *= width) {
        const int32_t all = level < left ? (int32_t)level : left;
        for (int32_t i = 0; i < width; i++) {
            length[i] += all / width + (i < all % width);
        }
        left -= all;
    }
}

/* The branches of `split` are these ranges. */
static void check_ranges(const struct tan_knob *knob, cut_rule *cut, int32_t width, int32_t hosts)
{
    static int32_t length[65533];
    struct tan_branch branch[TAN_BRANCHES];
    const int used = knob->split(width, hosts + 1, 0, branch);
    int32_t i = 0;
    memset(length, 0, (size_t)width * sizeof *length);
    cut(hosts, width, length);
    for (int b = 0; b < used; b++) {
        for (int64_t k = 0; k < branch[b].count; k++) {
            assert_true(i < width);
            assert_int_equal(length[i++], branch[b].size);
        }
    }
    assert_true(i == width || length[i] == 0);
}

/* The branches of every host by `split` are its subtrees by `parents`, the larger ones first. */
static void check_branches(const struct tan_knob *knob, int64_t width, int32_t nodes)
{
    enum { MOST = 4370 };
    static int32_t parents[MOST];
    static int32_t size[MOST];
    static int32_t next[MOST]; /* the first child that has not been seen yet */
    const int32_t n = nodes + 1;
    assert_true(n <= MOST);
    knob->parents(width, n, parents);
    memset(size, 0, sizeof size);
    for (int32_t i = n - 1; i >= 0; i--) {
        next[i] = i + 1;
        size[i]++;
        if (i > 0) {
            assert_in_range(parents[i], 0, i - 1);
            size[parents[i]] += size[i];
        }
    }
    for (int32_t i = 0; i < n; i++) {
        struct tan_branch branch[TAN_BRANCHES];
        const int used = size[i] > 1 ? knob->split(width, size[i], i > 0, branch) : 0;
        for (int b = 0; b < used; b++) {
            for (int64_t k = 0; k < branch[b].count; k++) {
                assert_in_range(next[i], i + 1, i + size[i] - 1);
                assert_int_equal(parents[next[i]], i);
                assert_int_equal(size[next[i]], branch[b].size);
                next[i] += size[next[i]];
            }
        }
        assert_int_equal(next[i], i + size[i]);
    }
}

TEST(branches_and_parents)
{
    static const int64_t widths[] = {1,  2,  3,  4,  5,  6,  7,  8,   9,   11,  13,  16,
                                     17, 23, 32, 49, 50, 51, 99, 100, 299, 300, 301, 65533};
    static const int32_t larger[] = {1000, 1023, 2500, 2501, 2550, 2551, 4095, 4368, 4369};
    static const struct {
        const char *target;
        cut_rule *cut;
    } rows[] = {{"slurm", cut_by_levels},
                {"slurm@24.05", cut_in_turn},
                {"slurm-sbcast", cut_by_levels},
                {"slurm-sbcast@24.05", cut_in_turn}};
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t t = 0; t < sizeof rows / sizeof rows[0]; t++) {
        const struct tan_knob *knob = &tan_target_find(rows[t].target, &e)->knobs[0];
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            for (int32_t n = 1; n <= 300; n++) {
                check_branches(knob, widths[w], n);
                check_ranges(knob, rows[t].cut, (int32_t)widths[w], n);
            }
            for (size_t i = 0; i < sizeof larger / sizeof larger[0]; i++) {
                check_branches(knob, widths[w], larger[i]);
                check_ranges(knob, rows[t].cut, (int32_t)widths[w], larger[i]);
            }
        }
    }
}

/* sbcast of 1 MB to 31 nodes over links of 16 Mbit/s, 0.525 s a message with headers, in 22.05 with
 * --fanout equal to TreeWidth, which is the tree of one width on all hops: three measured times,
 * and what the tree comes to by hand. 31 nodes are cut into 16 and 15 by two (2 x (1 + 2) in turn,
 * then two at a time), and 8 into 4 4, so that 2 takes 2 + 2 + 2 + 2 + 1 = 9 messages if siblings
 * share the link. */
TEST(broadcasts)
{
    static const struct {
        int64_t width;
        double measured[3];
        int shared, in_turn; /* messages */
    } rows[] = {
        {2, {4.68, 4.70, 4.57}, 9, 8},
        {4, {5.81, 6.07, 5.84}, 12, 8},
        {8, {7.36, 7.99, 8.29}, 15, 11},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    const double message = 0.525;
    const struct tan_network network = {1050000 / message, 0, 1050000};
    struct tan_params params = {.method = TAN_METHOD_JOINT};
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_target *target = tan_target_find("slurm-sbcast@24.05", &e);
    int near = 0;
    tan_network_apply(&network, &params);
    for (int i = 0; i < ROWS; i++) {
        const struct tan_setting setting = {&target->knobs[0], rows[i].width};
        const struct tan_shape shape = tan_shape_of(target, &setting, 31, NULL);
        const double *t = rows[i].measured;
        const double median = fmax(fmin(t[0], t[1]), fmin(fmax(t[0], t[1]), t[2]));
        struct tan_shape_cost cost;
        assert_int_equal(tan_shape_cost(&shape, &tan_models[TAN_MODEL_TAN], &params, &cost), 0);
        assert_close(cost.wave, rows[i].shared * message, 1e-9);
        assert_close(cost.in_turn, rows[i].in_turn * message, 1e-9);
        assert_true(0.98 * cost.in_turn <= median && median <= 1.021 * cost.wave);
        near += fabs(cost.wave / median - 1.0) <= 0.05;
    }
    assert_int_equal(near, 2);
}

/* 24.11 changed the ranges; later versions are the newest row. 23.11 changed the default, and its
 * big_sys.html advises the cube root for any number of nodes; up to 23.02 that and slurm.conf(5)
 * advise the square root up to 2500 nodes. */
TEST(versions)
{
    static const struct {
        const char *name, *row;
        int64_t width; /* default of 1000 nodes */
        int64_t advised[2];
    } rows[] = {
        {"slurm", "slurm", 16, {10, 0}},
        {"slurm@26.11", "slurm", 16, {10, 0}},
        {"slurm@24.11", "slurm", 16, {10, 0}},
        {"slurm@24.11.3", "slurm", 16, {10, 0}},
        {"slurm@24.05.8", "slurm@24.05", 16, {10, 0}},
        {"slurm@23.11", "slurm@24.05", 16, {10, 0}},
        {"slurm@23.02.7", "slurm@23.02", 50, {32, 10}},
        {"slurm@22.05", "slurm@23.02", 50, {32, 10}},
        {"slurm@17", "slurm@23.02", 50, {32, 10}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_setting setting;
        const struct tan_target *t = tan_target_find(rows[i].name, &e);
        assert_no_error(e);
        assert_string_equal(t->name, rows[i].row);
        assert_null(tan_target_default(t, TAN_UP | TAN_DOWN, 1000, 1024, &setting));
        assert_int_equal(setting.value, rows[i].width);
        const struct tan_default *advised = &t->defaults[1];
        for (int k = 0; k < 2 && rows[i].advised[k] > 0; k++, advised++) {
            assert_int_equal(tan_setting_default(t, advised, 1000).value, rows[i].advised[k]);
        }
        assert_null(advised->name);
    }
    static const struct {
        const char *name, *wrong;
    } refused[] = {
        {"slurm@new", "after @ comes a version"},
        {"slurm@", "after @ comes a version"},
        {"slurm@24-05", "after @ comes a version"},
        {"slur@24.05", "is not one of"},
        {"slurm@27.02",
         "this version is not known; say one of slurm (Slurm since 24.11, to 26.11), "
         "slurm@23.02 (Slurm up to 23.02), slurm@24.05 (Slurm 23.11 to 24.05)"},
        {"prrte@5.1",
         "one of prrte (PRRTE since September 2026, to 5.0), prrte@4.1 (PRRTE 3 to 4.1)"},
        {"openmpi@6.1", "one of openmpi (Open MPI since 5.0 (coll/tuned), to 5.0), openmpi@4.1"},
        {"mpich@99", "not known"},
        {"ucc@2", "not known"},
        {"slurm-sbcast@99", "not known"},
        {"slurm-sbcast@23.02", "one of slurm-sbcast (Slurm's sbcast since 24.11, to 26.11), "
                               "slurm-sbcast@24.05 (Slurm's sbcast 23.11 to 24.05)"},
        {"mpich@4.0", "one of mpich (MPICH since 4.2, to 5.0), mpich@4.1 (MPICH 4.1)"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        assert_null(tan_target_find(refused[i].name, &e));
        assert_error(e, TAN_USAGE, refused[i].wrong);
    }
}

/* Versions of other systems: some with a row that is not out yet, some with one row for all. */
TEST(other_systems)
{
    static const struct {
        const char *name, *row;
        bool only_one;
    } rows[] = {
        {"openmpi", "openmpi", false},
        {"openmpi@4.1", "openmpi@4.1", false},
        {"openmpi@4.2", "openmpi", false},
        {"openmpi@5.0.9", "openmpi", false},
        {"openmpi@6.0", "openmpi@6.0", false},
        {"openmpi-rules@4.1", "openmpi-rules", false},
        {"openmpi-rules@6.0", "openmpi-rules@6.0", false},
        {"prrte@5.0", "prrte", false},
        {"prrte@3", "prrte@4.1", false},
        {"flux", "flux", false},
        {"flux@0.88", "flux", false},
        {"flux@0.60", "flux", true},
        {"flux@0.99", "flux", true},
        {"orte@4.1.4", "orte", false},
        {"mrnet", "mrnet", false},
        {"mrnet@5.0", "mrnet", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        at_row("%s", rows[i].name);
        const struct tan_target *t = tan_target_find(rows[i].name, &e);
        assert_non_null(t);
        assert_string_equal(t->name, rows[i].row);
        assert_int_equal(tan_target_only_one(t, rows[i].name), rows[i].only_one);
    }
    /* a system with several rows says up to which version the one without a version holds */
    for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
        char base[64];
        snprintf(base, sizeof base, "%.*s", (int)strcspn((*t)->name, "@"), (*t)->name);
        at_row("%s", (*t)->name);
        const struct tan_target *newest = tan_target_find(base, NULL);
        assert_non_null(newest);
        assert_true(newest == *t || newest->versions.newest != NULL);
    }
}

RUN_TESTS(NULL, NULL)
