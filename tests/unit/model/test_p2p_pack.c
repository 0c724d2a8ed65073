/* test_p2p_pack.c - packing costs recovered, and none found where there are none
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "model/fit/p2p_fit.h"

enum { SIZES = 4, SAMPLES = 60 };
static const int64_t bytes[SIZES] = {576, 4608, 36864, 294912};

struct timings {
    double row[SIZES][SAMPLES], spread[SIZES][SAMPLES];
    struct tan_p2p_pack_samples samples[SIZES];
};

/* 2 us + 0.1 ns a byte if contiguous; `message` and `byte` more if not; half-normal noise. */
static void make(struct timings *t, double message, double byte, double noise, unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    for (int i = 0; i < SIZES; i++) {
        const double k = (double)bytes[i];
        for (int j = 0; j < SAMPLES; j++) {
            const double row = 2e-6 + 1e-10 * k;
            t->row[i][j] = row * (1 + fabs(gsl_ran_gaussian(rng, noise)));
            t->spread[i][j] = (row + message + byte * k) * (1 + fabs(gsl_ran_gaussian(rng, noise)));
        }
        t->samples[i] = (struct tan_p2p_pack_samples){bytes[i], SAMPLES, t->row[i], t->spread[i]};
    }
    gsl_rng_free(rng);
}

TEST(found_again)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct timings t;
    struct tan_p2p_pack pack;
    make(&t, 0.5e-6, 4e-10, 0, 1);
    assert_int_equal(tan_p2p_pack_fit(t.samples, SIZES, 1, &pack, &e), 0);
    assert_close(pack.message.value, 0.5e-6, 1e-12);
    assert_close(pack.byte.value, 4e-10, 1e-16);
    make(&t, 0.5e-6, 4e-10, 0.05, 1);
    assert_int_equal(tan_p2p_pack_fit(t.samples, SIZES, 1, &pack, &e), 0);
    assert_close(pack.byte.value, 4e-10, 0.4e-10);
    assert_true(pack.byte.ci95.low <= pack.byte.value && pack.byte.value <= pack.byte.ci95.high);
    assert_true(pack.byte.ci95.low > 0);
}

/* The most samples of the first size. */
TEST(unequal_numbers)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct timings t;
    struct tan_p2p_pack pack;
    make(&t, 0.5e-6, 4e-10, 0, 1);
    for (int i = 1; i < SIZES; i++) {
        t.samples[i].n = 4;
    }
    assert_int_equal(tan_p2p_pack_fit(t.samples, SIZES, 1, &pack, &e), 0);
    assert_close(pack.message.value, 0.5e-6, 1e-12);
    assert_close(pack.byte.value, 4e-10, 1e-16);
}

/* Where nothing is added, or less is needed, nothing is claimed. The 95 % of an interval that ends
 * above 0 leave room for a few of the 50. */
TEST(nothing_added)
{
    struct tan_error e = TAN_ERROR_INIT;
    int claimed = 0;
    for (unsigned long seed = 1; seed <= 50; seed++) {
        struct timings t;
        struct tan_p2p_pack pack;
        make(&t, 0, 0, 0.05, seed);
        assert_int_equal(tan_p2p_pack_fit(t.samples, SIZES, seed, &pack, &e), 0);
        claimed += pack.message.value > 0;
        claimed += pack.byte.value > 0;
        make(&t, -1e-6, -0.5e-10, 0.01, seed);
        assert_int_equal(tan_p2p_pack_fit(t.samples, SIZES, seed, &pack, &e), 0);
        assert_true(isnan(pack.message.value) && isnan(pack.byte.value));
        assert_true(pack.byte.ci95.low > pack.byte.ci95.high);
    }
    assert_in_range(claimed, 0, 10);
}

RUN_TESTS(NULL, NULL)
