/* test_clock_model.c - offset and drift of clocks with known truth
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/sampling/clock_model.h"

#include <stdlib.h>

#include "base/clock.h"
#include "tests/unit/check.h"

/* A clock that shows real * (1 + rate) + ahead, asked over paths that take `there` and `back`. */
struct simulated {
    double ahead, rate;
};

static struct clock_reading ask(const struct simulated *s, double real, double there, double back)
{
    return (struct clock_reading){.sent = real,
                                  .answered = (real + there) * (1 + s->rate) + s->ahead,
                                  .received = real + there + back};
}

/* A small generator of its own, so that the test says the same everywhere. */
static double uniform(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 4294967296.0;
}

/* Bursts of 16 exchanges of 10 us each way; most are delayed, each way on its own. */
static struct clock_history observe(const struct simulated *s, int bursts, double gap)
{
    struct clock_history h = {.n = 0};
    uint32_t random = 7;

    for (int b = 0; b < bursts; b++) {
        struct clock_reading readings[16];
        for (int i = 0; i < 16; i++) {
            double there = 10e-6 + (i % 4 ? 200e-6 * uniform(&random) : 0);
            double back = 10e-6 + (i % 4 ? 200e-6 * uniform(&random) : 0);
            readings[i] = ask(s, 1000 + b * gap + i * 1e-3, there, back);
        }
        tan_clock_history_add(&h, tan_clock_best(readings, 16));
    }
    return h;
}

TEST(finds_offset_and_drift)
{
    static const struct simulated clocks[] = {
        {0, 0}, {0.5, 0}, {-3600, 50e-6}, {12345.678, -200e-6}};

    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        at_row("clocks[%zu]", i);
        struct clock_history h = observe(&clocks[i], 20, 0.05);
        struct clock_model m = tan_clock_fit(&h);
        assert_close(m.drift, clocks[i].rate, 1e-9 + fabs(clocks[i].rate) * 1e-3);
        assert_close(tan_clock_shortest(&h), 20e-6, 1e-10);
        assert_true(tan_clock_residual(&h, &m) < 1e-8);
        /* A second after the last exchange. */
        double real = 1002;
        double local = real * (1 + clocks[i].rate) + clocks[i].ahead;
        assert_close(tan_clock_to_root(&m, local), real, 1e-7);
        assert_close(tan_clock_from_root(&m, tan_clock_to_root(&m, local)), local, 1e-9);
    }
}

/* Without a drift in the model the error after a second at 50 ppm would be 50 us. */
TEST(drift_matters)
{
    struct simulated s = {1, 50e-6};
    struct clock_history h = observe(&s, 20, 0.05);
    struct clock_model m = tan_clock_fit(&h);

    m.drift = 0;
    assert_true(fabs(tan_clock_to_root(&m, 1002 * (1 + s.rate) + s.ahead) - 1002) > 40e-6);
    assert_true(tan_clock_residual(&h, &m) > 20e-6);
}

/* An asymmetric path shifts the offset by half of the difference, which no residual shows, and the
 * shortest round trip bounds. */
TEST(asymmetry_is_bounded)
{
    struct simulated s = {2, 0};
    struct clock_history h = {.n = 0};

    for (int b = 0; b < 5; b++) {
        struct clock_reading r = ask(&s, 10 + b, 30e-6, 10e-6);
        tan_clock_history_add(&h, tan_clock_best(&r, 1));
    }
    struct clock_model m = tan_clock_fit(&h);
    assert_close(m.offset, 2 + 10e-6, 1e-9);
    assert_true(tan_clock_residual(&h, &m) < 1e-9);
    assert_true(fabs(m.offset - 2) <= tan_clock_shortest(&h) / 2);
}

/* Worked by hand: offsets 1, 2, 4 at 0, 1, 2: slope 3/2 through (1, 7/3). */
TEST(fits_a_line)
{
    struct clock_history h = {
        .n = 4, .points = {{0, 1, 1}, {1, 2, 1}, {2, 4, 1}, {1, 100, 2} /* delayed: left out */}};
    struct clock_model m = tan_clock_fit(&h);

    assert_close(m.reference, 1, 1e-12);
    assert_close(m.offset, 7.0 / 3, 1e-12);
    assert_close(m.drift, 1.5, 1e-12);
    assert_close(tan_clock_residual(&h, &m), 1.0 / 3, 1e-12);
    assert_close(tan_clock_error(&m, &h.points[3]), 100 - 7.0 / 3, 1e-12);
    h.n = 2;
    m = tan_clock_fit(&h);
    assert_close(m.offset, 1.5, 1e-12);
    assert_true(m.drift == 0);
}

TEST(old_points_go)
{
    struct clock_history h = {.n = 0};

    for (int i = 0; i < CLOCK_POINTS + 3; i++) {
        tan_clock_history_add(&h, (struct clock_point){.at = i, .offset = 5, .round_trip = 1});
    }
    assert_int_equal(h.n, CLOCK_POINTS);
    assert_true(h.points[0].at == 3);
    assert_true(h.points[CLOCK_POINTS - 1].at == CLOCK_POINTS + 2);
}

TEST(hosts_can_be_skewed)
{
    setenv("TANBENCH_SKEW_CLOCK", "0.5:100", 1);
    struct local_clock first = tan_local_clock_of(0);
    struct local_clock third = tan_local_clock_of(2);
    unsetenv("TANBENCH_SKEW_CLOCK");
    assert_true(first.ahead == 0 && first.rate == 0);
    assert_true(third.ahead == 1);
    assert_close(third.rate, 200e-6, 1e-12);
    assert_close(tan_local_clock_real(&third, 1001.2), 1000, 1e-9);
    struct local_clock plain = tan_local_clock_of(2);
    assert_true(plain.ahead == 0 && plain.rate == 0);
}

/* A rank sleeps, without using its core, until its clock shows the root's instant: here 2 s more
 * than the host's. */
TEST(sleeps_until_an_instant)
{
    const struct rank_clock clock = {.local = {.ahead = 5}, .model = {.offset = 3}};
    assert_close(tan_rank_clock_now(&clock) - tan_clock_seconds(), 2, 1);
    for (int spin = 0; spin < 2; spin++) {
        const double until = tan_rank_clock_now(&clock) + 0.4;
        const double used = tan_clock_cpu_seconds();
        tan_rank_clock_sleep(&clock, until, spin);
        assert_true(tan_rank_clock_now(&clock) >= until);
        assert_true(tan_clock_cpu_seconds() - used < 0.2);
    }
}

RUN_TESTS(NULL, NULL)
