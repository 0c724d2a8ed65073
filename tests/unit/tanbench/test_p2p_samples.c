/* test_p2p_samples.c - samples with interference are excluded if there are enough others
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "tanbench/sampling/p2p_samples.h"

enum { SIZES = 8, PASSES = 40 };
static const double us = 1e-6;

/* Probes of two cores, of which the second is half as fast. */
static const double quiet[2] = {5.0e-6, 10.2e-6};
static const double leader_used[2] = {5.6e-6, 10.0e-6};
static const double partner_used[2] = {5.0e-6, 16.0e-6};

static void see(struct p2p_measurement *m, size_t size, enum p2p_group group, size_t pass,
                const double probe[2])
{
    memcpy(tan_p2p_probe_of(m, size, group, pass), probe, 2 * sizeof *probe);
}

/* Sample `pass` of every timing of every size is pass us, and every one is quiet. */
static void setup(struct p2p_measurement *m)
{
    struct tan_error e = TAN_ERROR_INIT;
    *m = (struct p2p_measurement){
        .n_sizes = SIZES, .passes = {PASSES, PASSES}, .fastest = {5.0e-6, 10.0e-6}};
    assert_int_equal(tan_p2p_measurement_allocate(m, &e), 0);
    for (size_t i = 0; i < SIZES; i++) {
        for (size_t pass = 0; pass < PASSES; pass++) {
            for (int t = 0; t < TAN_P2P_TIMINGS; t++) {
                tan_p2p_samples_of(m, i, (enum tan_p2p_timing)t)[pass] = (double)pass * us;
            }
            see(m, i, P2P_TRIPS, pass, quiet);
            see(m, i, P2P_CALLS, pass, quiet);
        }
    }
}

TEST(all_quiet)
{
    struct p2p_measurement m;
    double sample[P2P_MAX_PASSES];
    setup(&m);
    assert_false(tan_p2p_disturbed(&m));
    assert_close(tan_p2p_quiet_share(&m), 1, 1e-12);
    assert_int_equal(tan_p2p_take(&m, 2, TAN_P2P_RECEIVER_COMPUTE, sample), PASSES);
    assert_close(tan_p2p_one_way_time(&m, 2), 39.0 / 4 * us, 1e-12);
    tan_p2p_measurement_clear(&m);
}

/* Either core that others use makes a sample disturbed, and those are left out. */
TEST(left_out)
{
    struct p2p_measurement m;
    double sample[P2P_MAX_PASSES];
    setup(&m);
    for (size_t pass = 8; pass < PASSES; pass++) {
        see(&m, 3, P2P_TRIPS, pass, pass % 2 ? leader_used : partner_used);
    }
    assert_true(tan_p2p_quiet(&m, 3, P2P_TRIPS, 7));
    assert_false(tan_p2p_quiet(&m, 3, P2P_TRIPS, 8));
    assert_false(tan_p2p_quiet(&m, 3, P2P_TRIPS, 9));
    assert_int_equal(tan_p2p_take(&m, 3, TAN_P2P_TRIP, sample), 8);
    assert_close(sample[7], 7 * us, 1e-12);
    assert_close(tan_p2p_one_way_time(&m, 3), 7.0 / 4 * us, 1e-12);
    assert_int_equal(tan_p2p_take(&m, 3, TAN_P2P_MANY, sample), PASSES); /* another group */
    assert_int_equal(tan_p2p_take(&m, 4, TAN_P2P_TRIP, sample), PASSES);
    assert_close(tan_p2p_quiet_share(&m), 1 - 32.0 / (2 * SIZES * PASSES), 1e-12);
    assert_false(tan_p2p_disturbed(&m));
    tan_p2p_measurement_clear(&m);
}

/* Of few passes a quarter is enough; when there are still fewer quiet ones, all count, and when
 * that is so for a quarter of the sizes, in either group, the measurement is disturbed. */
TEST(too_few)
{
    struct p2p_measurement m;
    double sample[P2P_MAX_PASSES];
    setup(&m);
    m.passes[P2P_TRIPS] = 12;
    for (size_t pass = 3; pass < 12; pass++) {
        see(&m, 0, P2P_TRIPS, pass, partner_used);
    }
    assert_int_equal(tan_p2p_take(&m, 0, TAN_P2P_TRIP, sample), 3);
    see(&m, 0, P2P_TRIPS, 2, leader_used);
    assert_int_equal(tan_p2p_take(&m, 0, TAN_P2P_TRIP, sample), 12);
    assert_false(tan_p2p_disturbed(&m)); /* one size of eight */
    for (size_t pass = 7; pass < PASSES; pass++) {
        see(&m, 1, P2P_CALLS, pass, leader_used);
    }
    assert_true(tan_p2p_disturbed(&m));
    m.passes[P2P_CALLS] = 0; /* not measured */
    assert_false(tan_p2p_disturbed(&m));
    tan_p2p_measurement_clear(&m);
}

/* One of five tries may be wrong; two are too many, as is one of fewer than five. */
TEST(tries_agree)
{
    assert_int_equal(tan_p2p_agreed((const int[]){3, 3, 3, 3, 3}, 5), 3);
    assert_int_equal(tan_p2p_agreed((const int[]){4, 3, 3, 3, 3}, 5), 3);
    assert_int_equal(tan_p2p_agreed((const int[]){3, 3, 3, 0, 3}, 5), 3);
    assert_int_equal(tan_p2p_agreed((const int[]){4, 3, 3, 4, 3}, 5), 0);
    assert_int_equal(tan_p2p_agreed((const int[]){4, 3, 3, 0, 3}, 5), 0);
    assert_int_equal(tan_p2p_agreed((const int[]){1, 2, 1, 1}, 4), 0);
    assert_int_equal(tan_p2p_agreed((const int[]){2}, 1), 2);
}

RUN_TESTS(NULL, NULL)
