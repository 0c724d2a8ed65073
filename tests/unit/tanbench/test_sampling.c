/* test_sampling.c - number of waves, batch size, and clock resolution
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/sampling/sampling.h"

#include "tests/unit/check.h"

/* Time is what waves take. */
static double time_passed;

static double now(void)
{
    return time_passed;
}

static bool stop;

static bool stop_requested(void)
{
    return stop;
}

/* A machine whose waves take what a list says, again and again. */
struct machine {
    const double *seconds;
    int n, at;
    int64_t waves; /* that were asked for */
    int fail_at;   /* call that fails; 0: none */
    int stop_at;   /* call during which a signal comes; 0: none */
    int calls;
    const bool *used; /* what looks at the cores show, the last one for ever; NULL: nobody looks */
    int looks, n_used;
    double look_takes; /* seconds */
};

static bool look_at_cores(void *context)
{
    struct machine *m = context;

    m->looks++;
    time_passed += m->look_takes;
    return m->used[m->looks < m->n_used ? m->looks - 1 : m->n_used - 1];
}

static int wave(void *context, int64_t waves, double *seconds, struct tan_error *e)
{
    struct machine *m = context;

    m->waves += waves;
    *seconds = 0;
    for (int64_t i = 0; i < waves; i++) {
        *seconds += m->seconds[m->at++ % m->n];
    }
    time_passed += *seconds;
    m->calls++;
    stop = m->calls == m->stop_at;
    return m->calls == m->fail_at ? tan_fail(e, "broken") : 0;
}

static const struct timer coarse = {.cost = 1e-6, .resolution = 1e-6};

static struct measurement run(struct machine *m, const struct settings *s, int64_t fixed,
                              int expected)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct measurement waves;
    const struct cell cell = {.waves = fixed};
    struct settings one_pass = *s;

    one_pass.passes = 1;
    stop = false;
    const struct sampling_ops ops = {.sample = wave,
                                     .disturbed = m->used ? look_at_cores : NULL,
                                     .stopped = stop_requested,
                                     .now = now,
                                     .context = m};
    assert_int_equal(tan_sampling_run(&one_pass, &cell, &coarse, &ops, &waves, &e), expected);
    if (expected) {
        assert_error(e, TAN_FAILED, "broken");
    } else {
        assert_no_error(e);
    }
    return waves;
}

TEST(batches)
{
    const struct timer t = {.cost = 28e-9, .resolution = 1e-9};
    /* 20 readings are 560 ns */
    assert_int_equal(tan_timer_batch(&t, 1e-3), 1);
    assert_int_equal(tan_timer_batch(&t, 561e-9), 1);
    assert_int_equal(tan_timer_batch(&t, 559e-9), 2);
    assert_int_equal(tan_timer_batch(&t, 100e-9), 6);
    assert_int_equal(tan_timer_batch(&t, 0), 560);
    /* ten ticks of a coarse clock are more than that */
    const struct timer ticking = {.cost = 28e-9, .resolution = 1e-6};
    assert_int_equal(tan_timer_batch(&ticking, 4e-6), 3);
    assert_int_equal(tan_timer_batch(&ticking, 1e-12), 1000);
}

TEST(calibrates)
{
    struct timer t = tan_timer_calibrate();
    assert_true(t.cost > 0 && t.cost < 1e-3);
    assert_true(t.resolution > 0 && t.resolution <= 1e-3);
}

TEST(waves_one_by_one)
{
    static const double seconds[] = {3e-3, 1e-3, 1e-3};
    struct settings s = {
        .warmup = 3, .min_waves = 10, .max_waves = 50, .max_seconds = 100, .precision = 0.01};
    struct machine m = {.seconds = seconds + 1, .n = 1};
    /* all alike: the first look is enough */
    struct measurement w = run(&m, &s, 0, 0);
    assert_int_equal(w.stopped, STOP_PRECISE);
    assert_int_equal(w.n, 10);
    assert_int_equal(w.warmup, 3);
    assert_int_equal(w.batch, 1);
    assert_int_equal(m.waves, 13);
    tan_measurement_clear(&w);
    /* a third of the waves is slow: the median is sure, its interval soon is */
    m = (struct machine){.seconds = seconds, .n = 3};
    w = run(&m, &s, 0, 0);
    assert_close(w.round_trips[0], 3e-3, 0);
    assert_close(w.round_trips[1], 1e-3, 0);
    tan_measurement_clear(&w);
    /* a number of its own */
    m = (struct machine){.seconds = seconds, .n = 3};
    w = run(&m, &s, 7, 0);
    assert_int_equal(w.stopped, STOP_FIXED);
    assert_int_equal(w.n, 7);
    tan_measurement_clear(&w);
}

/* Samples that come in long runs are worth few: the same values in another order are enough. */
TEST(waits_for_independent_waves)
{
    enum { N = 400 };
    double runs[N];
    double mixed[N];
    struct settings s = {
        .warmup = 0, .min_waves = N, .max_waves = N, .max_seconds = 100, .precision = 0.05};
    for (int i = 0; i < N; i++) {
        /* values 1..1.3 in 5 runs; the same mixed up */
        runs[i] = 1e-3 * (1 + 0.3 * ((i / 80) * 2 % 5) / 5.0 + 0.01 * (i % 7));
        mixed[(i * 149) % N] = runs[i];
    }
    struct machine m = {.seconds = mixed, .n = N};
    struct measurement w = run(&m, &s, 0, 0);
    assert_int_equal(w.stopped, STOP_PRECISE);
    tan_measurement_clear(&w);
    m = (struct machine){.seconds = runs, .n = N};
    w = run(&m, &s, 0, 0);
    assert_int_equal(w.stopped, STOP_WAVES);
    tan_measurement_clear(&w);
}

/* `few` waves of one length among waves of 1 ms, in no order; the interval of the median of 400
 * goes from the 181st to the 220th at least. */
static enum stop_reason why_stopped(int few, double seconds_of_few)
{
    enum { N = 400 };
    double seconds[N];
    unsigned random = 1;
    const struct settings s = {
        .min_waves = N, .max_waves = N, .max_seconds = 100, .precision = 0.05};
    for (int i = 0; i < N; i++) {
        seconds[i] = i < few ? seconds_of_few : 1e-3;
    }
    for (unsigned i = N - 1; i > 0; i--) {
        random = random * 1664525 + 1013904223;
        const unsigned j = (random >> 8) % (i + 1);
        const double swapped = seconds[i];
        seconds[i] = seconds[j];
        seconds[j] = swapped;
    }
    struct machine m = {.seconds = seconds, .n = N};
    struct measurement w = run(&m, &s, 0, 0);
    const enum stop_reason why = w.stopped;
    assert_int_equal(w.n, N);
    tan_measurement_clear(&w);
    return why;
}

/* The interval must be short on both sides of the median. */
TEST(precise_on_both_sides)
{
    assert_int_equal(why_stopped(120, 0.8e-3), STOP_PRECISE);
    assert_int_equal(why_stopped(120, 1.2e-3), STOP_PRECISE);
    assert_int_equal(why_stopped(195, 0.8e-3), STOP_WAVES);
    assert_int_equal(why_stopped(195, 1.2e-3), STOP_WAVES);
    /* within 5 % all the same, and just beyond */
    assert_int_equal(why_stopped(195, 0.96e-3), STOP_PRECISE);
    assert_int_equal(why_stopped(195, 1.04e-3), STOP_PRECISE);
    assert_int_equal(why_stopped(195, 0.94e-3), STOP_WAVES);
    assert_int_equal(why_stopped(195, 1.06e-3), STOP_WAVES);
}

TEST(short_waves_together)
{
    static const double seconds[] = {4e-6, 6e-6};
    struct settings s = {
        .warmup = 2, .min_waves = 10, .max_waves = 10, .max_seconds = 100, .precision = 0.01};
    struct machine m = {.seconds = seconds, .n = 2};
    /* 20 us are the least that 1 us may be a twentieth of: 5 of the shortest wave */
    struct measurement w = run(&m, &s, 0, 0);
    assert_int_equal(w.batch, 5);
    assert_int_equal(w.n, 10);
    assert_int_equal(m.waves, 2 + 50);
    assert_close(w.round_trips[0], 24e-6 / 5, 1e-12);
    assert_close(w.round_trips[1], 26e-6 / 5, 1e-12);
    tan_measurement_clear(&w);
}

TEST(broken_off)
{
    static const double seconds[] = {1e-3};
    struct settings s = {.warmup = 1, .min_waves = 10, .max_waves = 10, .max_seconds = 100};
    struct machine m = {.seconds = seconds, .n = 1, .fail_at = 5};
    struct measurement w = run(&m, &s, 0, -1);
    assert_int_equal(w.stopped, STOP_INTERRUPTED);
    assert_int_equal(w.n, 3);
    tan_measurement_clear(&w);
    m = (struct machine){.seconds = seconds, .n = 1, .stop_at = 5};
    w = run(&m, &s, 0, 0);
    assert_int_equal(w.stopped, STOP_INTERRUPTED);
    assert_int_equal(w.n, 4);
    tan_measurement_clear(&w);
}

/* Waves of 4 ms, so that there is a look after every third. */
TEST(undisturbed_waves)
{
    static const double seconds[] = {4e-3};
    static const bool used[] = {true};
    static const bool unused[] = {false};
    static const bool used_at_first[] = {true, false};
    struct settings s = {.warmup = 1, .min_waves = 10, .max_waves = 50, .max_seconds = 100};
    struct machine m = {.seconds = seconds, .n = 1, .used = unused, .n_used = 1};
    struct measurement w = run(&m, &s, 10, 0);
    assert_int_equal(w.n, 10);
    assert_int_equal(m.waves, 1 + 10);
    assert_int_equal(w.excluded, 0);
    assert_false(w.disturbed);
    assert_int_equal(m.looks, 1 + 3 + 1);
    tan_measurement_clear(&w);
    /* The first three are left out. */
    m = (struct machine){.seconds = seconds, .n = 1, .used = used_at_first, .n_used = 2};
    w = run(&m, &s, 10, 0);
    assert_int_equal(w.n, 10);
    assert_int_equal(w.excluded, 3);
    assert_int_equal(w.stopped, STOP_FIXED);
    assert_false(w.disturbed);
    tan_measurement_clear(&w);
    /* Twice as many, and still none. */
    m = (struct machine){.seconds = seconds, .n = 1, .used = used, .n_used = 1};
    w = run(&m, &s, 10, 0);
    assert_int_equal(m.waves, 1 + 20);
    assert_int_equal(w.n, 10);
    assert_int_equal(w.excluded, 0);
    assert_true(w.disturbed);
    tan_measurement_clear(&w);
    /* The same where the interval decides. */
    m = (struct machine){.seconds = seconds, .n = 1, .used = used, .n_used = 1};
    s.precision = 0.01;
    w = run(&m, &s, 0, 0);
    assert_int_equal(w.stopped, STOP_PRECISE);
    assert_int_equal(w.n, 20);
    assert_true(w.disturbed);
    tan_measurement_clear(&w);
    /* With 0 it does not decide, though all waves take the same time. */
    m = (struct machine){.seconds = seconds, .n = 1};
    s.precision = 0;
    w = run(&m, &s, 0, 0);
    assert_int_equal(w.stopped, STOP_WAVES);
    assert_int_equal(w.n, s.max_waves);
    tan_measurement_clear(&w);
    s.precision = 0.01;
    /* A few good ones, if not precise, are better than many others. */
    static const bool unused_at_first[] = {false, false, true};
    m = (struct machine){.seconds = seconds, .n = 1, .used = unused_at_first, .n_used = 3};
    s.min_waves = 3;
    s.max_waves = 10;
    w = run(&m, &s, 0, 0);
    assert_int_equal(w.n, 3);
    assert_int_equal(w.excluded, 17);
    assert_int_equal(w.stopped, STOP_DISTURBED);
    assert_false(w.disturbed);
    tan_measurement_clear(&w);
    /* Broken off before anybody has looked again. */
    m = (struct machine){.seconds = seconds, .n = 1, .used = unused, .n_used = 1, .stop_at = 3};
    w = run(&m, &s, 0, 0);
    assert_int_equal(w.stopped, STOP_INTERRUPTED);
    assert_int_equal(w.n, 2);
    assert_false(w.disturbed);
    tan_measurement_clear(&w);
}

/* A look that takes 1 ms is worth one in 50 ms: after the third wave (4 ms each, the first look is
 * due after 10 ms), the 16th, the 29th and the last. One that takes no time is made after every
 * third. Neither counts as time of the waves. */
TEST(looks_are_rare)
{
    static const double seconds[] = {4e-3};
    static const bool unused[] = {false};
    const struct settings s = {.max_waves = 50, .max_seconds = 100};
    struct machine m = {.seconds = seconds, .n = 1, .used = unused, .n_used = 1};
    struct measurement w = run(&m, &s, 30, 0);
    assert_int_equal(m.looks, 1 + 10);
    assert_close(w.period, 4e-3, 1e-12);
    tan_measurement_clear(&w);
    m = (struct machine){
        .seconds = seconds, .n = 1, .used = unused, .n_used = 1, .look_takes = 1e-3};
    w = run(&m, &s, 30, 0);
    assert_int_equal(m.looks, 1 + 4);
    assert_int_equal(w.n, 30);
    assert_close(w.period, 4e-3, 1e-12);
    tan_measurement_clear(&w);
}

RUN_TESTS(NULL, NULL)
