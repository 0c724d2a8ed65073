/* test_tree_wave.c - simulated waves against TAN's recursion, and closed forms of LogGOPS
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>

#include "model/wave/wave.h"
#include "sim/engine/deadlock.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/tree_wave.h"
#include "topo/spec.h"

static const char *const specs[] = {
    "chain:1",     "chain:33",     "nto1:1",       "nto1:64",          "binary:2",
    "binary:100",  "binomial:1",   "binomial:64",  "twolevel:32",      "twolevel:128",
    "kary:3:50",   "knomial:4:60", "levels:3x4x5", "levels:16x16:200", "random:100:1",
    "random:77:2", "random:300:3", NULL,
};

/* Finish times of all ranks; the caller frees. */
static uint64_t *finishes(const struct tan_schedule *s, const struct tan_link *link)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sim_params p = tan_sim_defaults;
    struct tan_simulation r;
    p.within = p.between = *link;
    assert_int_equal(tan_simulate(s, &p, false, &r, &e), 0);
    assert_no_error(e);
    assert_true(tan_ended_well(&r));
    uint64_t *times = r.rank_finish;
    r.rank_finish = NULL;
    tan_simulation_clear(&r);
    return times;
}

static uint64_t finish(const struct tan_schedule *s, const struct tan_link *link)
{
    uint64_t *times = finishes(s, link);
    uint64_t latest = 0;
    for (uint32_t r = 0; r < s->ranks; r++) {
        latest = times[r] > latest ? times[r] : latest;
    }
    free(times);
    return latest;
}

static uint64_t ps(double seconds)
{
    return (uint64_t)llround(seconds * 1e12);
}

/* T of a node in whole picoseconds by the definition, from the root down. */
static uint64_t recursion(const struct tan_params *q, const struct tan_tree *tree, int32_t node)
{
    const double *v = q->value;
    const double x = tan_tree_fanout(tree, node);
    uint64_t latest = 0;
    if (tan_tree_fanout(tree, node) == 0) {
        return ps(v[TAN_C0]);
    }
    for (int32_t i = 0; i < tan_tree_fanout(tree, node); i++) {
        const uint64_t child = recursion(q, tree, tan_tree_children(tree, node)[i]);
        latest = child > latest ? child : latest;
    }
    const double overhead = q->method == TAN_METHOD_PAPER
                                ? v[TAN_A] + v[TAN_B] * (x + 1) + v[TAN_C2] * (x + 1) * (x + 1)
                                : 2 * v[TAN_A] + v[TAN_B] * (x - 1) + v[TAN_C2] * (x * x - 1);
    return latest + ps(v[TAN_L] + overhead + v[TAN_G]);
}

static const struct tan_params machines[] = {
    /* Table I of the paper: whole nanoseconds */
    {.method = TAN_METHOD_PAPER, .value = {98e-6, 49.3e-6, 0.783e-6, 0.157e-6, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {98e-6, 49.3e-6, 0.783e-6, 0.157e-6, 0, 0}},
    /* nothing is a whole picosecond */
    {.method = TAN_METHOD_PAPER,
     .value = {1.23456789012345e-6, 0.98765432109876e-6, 1.1111111111111e-8, 7.777777777777e-10,
               3.33333333333e-9, 5.55555555555e-7}},
    {.method = TAN_METHOD_JOINT,
     .value = {1.23456789012345e-6, 0.98765432109876e-6, 1.1111111111111e-8, 7.777777777777e-10,
               3.33333333333e-9, 5.55555555555e-7}},
    /* every part rounds up, their sum does not */
    {.method = TAN_METHOD_JOINT, .value = {0.6e-12, 0.7e-12, 0, 0, 0, 0}},
    {.method = TAN_METHOD_PAPER, .value = {0.6e-12, 0.6e-12, 0, 0, 0.6e-12, 0}},
    /* nothing at all but latency */
    {.method = TAN_METHOD_JOINT, .value = {1e-6, 0, 0, 0, 0, 0}},
};

/* Up: every node is done when the recursion says so, with its own share of the next level. Down:
 * the last leaf. A round trip: twice that. */
TEST(tan_recursion)
{
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        at_row("machines[%zu]", m);
        const struct tan_params *q = &machines[m];
        const uint64_t share = q->method == TAN_METHOD_JOINT ? ps(q->value[TAN_A]) : 0;
        for (const char *const *spec = specs; *spec != NULL; spec++) {
            struct tan_tree *tree = tan_spec_build(*spec, &e);
            struct tan_link link;
            assert_no_error(e);
            assert_int_equal(tan_wave_link(q, &link, &e), 0);
            const uint64_t wave = recursion(q, tree, 0);

            struct tan_schedule *s = tan_wave_schedule(tree, TAN_SWEEP_UP, 1024, q, &e);
            assert_no_error(e);
            uint64_t *times = finishes(s, &link);
            for (int32_t node = 0; node < tan_tree_size(tree); node++) {
                assert_int_equal(times[node], recursion(q, tree, node) + (node > 0 ? share : 0));
            }
            free(times);
            tan_schedule_destroy(s);

            s = tan_wave_schedule(tree, TAN_SWEEP_DOWN, 1024, q, &e);
            assert_int_equal(finish(s, &link), wave);
            tan_schedule_destroy(s);

            s = tan_wave_schedule(tree, TAN_SWEEP_ROUND, 1024, q, &e);
            assert_int_equal(finish(s, &link), 2 * wave);
            tan_schedule_destroy(s);

            /* what tan-design and tanbench predict: each level may be half a picosecond off */
            const double predicted = tan_wave_time(&tan_models[TAN_MODEL_TAN], q, tree);
            assert_close((double)wave, predicted * 1e12,
                         0.5 * (tan_tree_height(tree) + 1) + 1e-15 * predicted * 1e12);
            if (m < 2) {
                assert_int_equal(wave, ps(predicted));
            }
            tan_tree_destroy(tree);
        }
    }
}

TEST(loggops)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_link *link = &tan_sim_defaults.between;
    enum { MESSAGE = 5542, RECEIVE = 1542, SEND = 1500 }; /* of 8 bytes, nanoseconds */
    static const struct {
        const char *spec;
        enum tan_sweep sweep;
        uint64_t ns;
    } rows[] = {
        {"chain:1", TAN_SWEEP_UP, MESSAGE},
        {"chain:20", TAN_SWEEP_UP, 20 * MESSAGE},
        {"chain:20", TAN_SWEEP_DOWN, 20 * MESSAGE},
        {"chain:20", TAN_SWEEP_ROUND, 40 * MESSAGE},
        {"nto1:30", TAN_SWEEP_UP, MESSAGE + 29 * RECEIVE},
        {"nto1:30", TAN_SWEEP_DOWN, MESSAGE + 29 * SEND},
        /* the first of 3 levels of 4: a leaf's siblings come 1542 apart, and so do nodes */
        {"levels:4x4x4", TAN_SWEEP_UP, 3 * (MESSAGE + 3 * RECEIVE)},
        {"levels:4x4x4", TAN_SWEEP_DOWN, 3 * (MESSAGE + 3 * SEND)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_tree *tree = tan_spec_build(rows[i].spec, &e);
        struct tan_schedule *s = tan_wave_schedule(tree, rows[i].sweep, 8, NULL, &e);
        assert_no_error(e);
        assert_int_equal(finish(s, link), rows[i].ns * 1000);
        tan_schedule_destroy(s);
        tan_tree_destroy(tree);
    }
}

TEST(refused)
{
    struct tan_error e = TAN_ERROR_INIT;
    enum tan_sweep sweep = TAN_SWEEP_UP;
    assert_int_equal(tan_sweep_parse("round", &sweep, &e), 0);
    assert_int_equal(sweep, TAN_SWEEP_ROUND);
    assert_string_equal(tan_sweep_name(sweep), "round");
    assert_int_equal(tan_sweep_parse("sideways", &sweep, &e), -1);
    assert_error(e, TAN_USAGE, "\"sideways\" is not one of up, down, round");

    struct tan_tree *tree = tan_spec_build("nto1:2000", &e);
    /* 10 s x^2 for x = 2000: more than a year */
    const struct tan_params slow = {.method = TAN_METHOD_PAPER,
                                    .value = {98e-6, 49.3e-6, 0.783e-6, 10, 0, 0}};
    assert_null(tan_wave_schedule(tree, TAN_SWEEP_UP, 8, &slow, &e));
    assert_error(e, TAN_FAILED, "a level lasts");
    tan_tree_destroy(tree);
}

RUN_TESTS(NULL, NULL)
