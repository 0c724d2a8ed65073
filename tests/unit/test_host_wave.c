/* test_host_wave.c - waves of processes that share cores, against sums worked by hand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/host/host_wave.h"

#include <stdlib.h>

#include "tests/unit/check.h"
#include "topo/spec.h"

/* Seconds, to the nanosecond. */
#define assert_time(value, wanted) assert_true(fabs((value) - (wanted)) < 1e-9)

enum { MOST = 64 };

/* Everything on one core, or every node on its own, or halves on two. */
static const uint32_t one_host[MOST];
static uint32_t own_pool[MOST], half_pool[MOST], own_host[MOST], single[MOST];

static const struct tan_host_params known = {
    .n = 1,
    .value = {[TAN_HOST_SWITCH] = 1.5e-6,
              [TAN_HOST_COLD] = 5e-6,
              [TAN_HOST_REACH] = 3,
              [TAN_HOST_GROWTH] = 0.1e-6,
              [TAN_HOST_CHILD] = 0.7e-6,
              [TAN_HOST_LEAF] = 0.2,
              [TAN_HOST_IDLE] = 9e-6,
              [TAN_HOST_BETWEEN] = 40e-6},
};

static int prepare(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MOST; i++) {
        own_pool[i] = own_host[i] = i;
        half_pool[i] = i * 2 / MOST;
        single[i] = 1;
    }
    return 0;
}

static double wave(const char *spec, const struct tan_placement *placement)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    double seconds = 0;

    assert_non_null(tree);
    assert_int_equal(tan_host_wave(tree, placement, &known, &seconds, &e), 0);
    tan_tree_destroy(tree);
    return seconds;
}

/* What a process costs after `d` others. */
static double hop(int d)
{
    return 1.5e-6 + 5e-6 * (1 - exp(-(d - 1) / 3.0)) + 0.1e-6 * (d - 1);
}

/* Down and up a chain, an inner node meets the H - i processes below it and the i above it; root
 * and leaf meet all H others. */
static void test_chain_on_one_core(void **state)
{
    const struct tan_placement shared = {one_host, one_host, 1, single};
    const int heights[] = {1, 2, 7, 31};

    (void)state;
    for (size_t k = 0; k < sizeof heights / sizeof *heights; k++) {
        char spec[32];
        double sum = 0;
        for (int d = 1; d <= heights[k]; d++) {
            sum += hop(d);
        }
        snprintf(spec, sizeof spec, "chain:%d", heights[k]);
        assert_time(wave(spec, &shared), sum);
    }
}

/* Every process meets the 8 others once a round; leaves cost a fifth; 7 further children are sent
 * to and received from. */
static void test_leaves_on_one_core(void **state)
{
    const struct tan_placement shared = {one_host, one_host, 1, single};

    (void)state;
    assert_time(wave("nto1:8", &shared), (hop(8) * (1 + 8 * 0.2) + 2 * 7 * 0.7e-6) / 2);
}

/* A core of its own is warm: only waking it takes time. */
static void test_cores_of_their_own(void **state)
{
    const struct tan_placement near = {one_host, own_pool, MOST, single};
    const struct tan_placement far = {own_host, own_pool, MOST, single};

    (void)state;
    assert_time(wave("chain:5", &near), 5 * 9e-6);
    assert_time(wave("chain:5", &far), 5 * (9e-6 + 40e-6));
    /* The last of four children is sent to after three others; three are received after it. */
    assert_time(wave("nto1:4", &near), (2 * 9e-6 + 2 * 3 * 0.7e-6) / 2);
}

/* Two cores of one pool are worth more than one, and no less than one core each way. */
static void test_more_cores(void **state)
{
    const uint32_t two[1] = {2};
    const struct tan_placement one = {one_host, one_host, 1, single};
    const struct tan_placement pair = {one_host, one_host, 1, two};

    (void)state;
    assert_true(wave("levels:8x1x1x1", &pair) < 0.8 * wave("levels:8x1x1x1", &one));
    assert_true(wave("levels:8x1x1x1", &pair) >= 0.5 * wave("levels:8x1x1x1", &one));
}

/* From waves of chains and N-to-1 trees the fit finds what predicts other trees. */
static void test_fit(void **state)
{
    static const char *const seen[] = {"chain:1",  "chain:2",  "chain:4",  "chain:8", "chain:16",
                                       "chain:31", "chain:48", "chain:63", "nto1:2",  "nto1:4",
                                       "nto1:8",   "nto1:16",  "nto1:31",  "nto1:48", "nto1:63"};
    static const char *const unseen[] = {"binary:32", "levels:7x7", "binomial:16", "twolevel:50"};
    enum { SEEN = sizeof seen / sizeof *seen };
    const struct tan_placement halves = {one_host, half_pool, 2, single};
    struct tan_host_observation observations[SEEN];
    struct tan_host_params fitted;
    struct tan_error e = TAN_ERROR_INIT;

    (void)state;
    for (int i = 0; i < SEEN; i++) {
        observations[i].tree = tan_spec_build(seen[i], &e);
        observations[i].placement = &halves;
        observations[i].wave = wave(seen[i], &halves);
    }
    assert_int_equal(tan_host_fit(observations, TAN_HOST_MIN_TREES - 1, 0, &fitted, &e), -1);
    assert_error(e, TAN_FAILED, "at least 8 trees");
    assert_int_equal(tan_host_fit(observations, SEEN, 0, &fitted, &e), 0);
    assert_int_equal(fitted.n, SEEN);
    assert_true(fitted.error > 0 && fitted.error < 0.03);
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        struct tan_tree *tree = tan_spec_build(unseen[i], &e);
        double predicted;
        assert_int_equal(tan_host_wave(tree, &halves, &fitted, &predicted, &e), 0);
        assert_true(fabs(predicted / wave(unseen[i], &halves) - 1) < 0.03);
        tan_tree_destroy(tree);
    }
    /* Every other time is three times what can be: the fit follows one half, or lies between. */
    for (int i = 0; i < SEEN; i += 2) {
        observations[i].wave *= 3;
    }
    assert_int_equal(tan_host_fit(observations, SEEN, 0, &fitted, &e), 0);
    assert_true(fitted.error > 0.25);
    for (int i = 0; i < SEEN; i++) {
        tan_tree_destroy((struct tan_tree *)observations[i].tree);
    }
}

/* As many processes on every core, in the order of the nodes; few share all cores. */
static void test_spread(void **state)
{
    struct tan_error e = TAN_ERROR_INIT;
    static const uint32_t halves[] = {0, 0, 0, 1, 1};

    (void)state;
    struct tan_placement *five = tan_placement_spread(5, 2, &e);
    assert_int_equal(five->pools, 2);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(five->pool_of[i], halves[i]);
        assert_int_equal(five->host_of[i], 0);
    }
    assert_int_equal(five->cores[0], 1);
    assert_int_equal(five->cores[1], 1);
    free(five);
    struct tan_placement *two = tan_placement_spread(2, 2, &e);
    assert_int_equal(two->pools, 1);
    assert_int_equal(two->cores[0], 2);
    assert_int_equal(two->pool_of[1], 0);
    free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_on_one_core),
        cmocka_unit_test(test_leaves_on_one_core),
        cmocka_unit_test(test_cores_of_their_own),
        cmocka_unit_test(test_more_cores),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_spread),
    };

    return cmocka_run_group_tests(tests, prepare, NULL);
}
