/* test_results.c - medians and intervals of passes and launches, worked out by hand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/check.h"

static struct cell cells[] = {{.spec = "nto1:3", .order = 1}, {.spec = "chain:2", .order = 0}};
static struct tan_tree *trees[] = {NULL, NULL};
static struct plan plan = {.n_cells = 2, .cells = cells, .trees = trees};

/* Waves of `n` times. */
static struct measurement waves(const double *times, size_t n, bool disturbed)
{
    double *copy = malloc(n * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, times, n * sizeof *copy);
    return (struct measurement){
        .round_trips = copy, .n = n, .batch = 1, .warmup = 2, .period = 1, .disturbed = disturbed};
}

static void add(struct results *r, int launch, int pass, const double *times, size_t n,
                bool disturbed)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct measurement m = waves(times, n, disturbed);
    assert_int_equal(tan_results_add(r, 0, launch, pass, &m, true, &e), 0);
    assert_no_error(e);
    assert_null(m.round_trips);
}

/* A pass of three waves about `median`. */
static void add_pass(struct results *r, int launch, int pass, double median, bool disturbed)
{
    add(r, launch, pass, (double[]){median + 0.5, median, median - 0.25}, 3, disturbed);
}

static bool unknown(struct tan_interval i)
{
    return i.low > i.high;
}

TEST(one_part)
{
    struct results r = {.plan = &plan};
    /* In no order, so that they are worth 10: ranks 2 and 9 = floor and ceil of (10 -+ 6.2) / 2. */
    add(&r, 0, 0, (double[]){5, 9, 1, 7, 3, 10, 2, 8, 4, 6}, 10, false);
    const struct result *result = tan_results_at(&r, 1);
    assert_ptr_equal(result, &r.list[0]);
    assert_int_equal(result->n_parts, 1);
    assert_close(result->parts[0].median, 5.5, 0);
    assert_close(result->round_trip.median, 5.5, 0);
    assert_close(result->round_trip.mean, 5.5, 1e-15);
    assert_close(result->parts[0].series.median_ci95.low, 1, 0);
    assert_close(result->parts[0].series.median_ci95.high, 10, 0);
    assert_close(result->round_trip.median_ci95.low, 1, 0);
    assert_close(result->round_trip.median_ci95.high, 10, 0);
    assert_int_equal(result->launches.n, 1);
    tan_results_clear(&r);
    assert_null(tan_results_at(&r, 1));
}

/* Passes of one launch: the median of their medians, and only undisturbed ones count. */
TEST(passes)
{
    struct results r = {.plan = &plan};
    add_pass(&r, 0, 0, 10, false);
    add_pass(&r, 0, 1, 30, true);
    const struct result *result = tan_results_at(&r, 1);
    assert_close(result->round_trip.median, 10, 0);
    add_pass(&r, 0, 2, 14, false);
    result = tan_results_at(&r, 1);
    assert_int_equal(result->n_parts, 3);
    assert_close(result->round_trip.median, 12, 0);
    assert_true(unknown(result->round_trip.median_ci95));
    assert_close(result->round_trip.max, 30.5, 0); /* of all waves */
    assert_int_equal(result->round_trip.n, 9);
    assert_true(tan_results_counts(result, &result->parts[0]));
    assert_false(tan_results_counts(result, &result->parts[1]));
    assert_false(tan_results_disturbed(result));
    /* Six count: then the least and the greatest bound the median. */
    for (int pass = 3; pass < 7; pass++) {
        add_pass(&r, 0, pass, 10 + pass, false);
    }
    result = tan_results_at(&r, 1);
    assert_close(result->round_trip.median, 14, 0); /* of 10 13 14 14 15 16 */
    assert_close(result->round_trip.median_ci95.low, 10, 0);
    assert_close(result->round_trip.median_ci95.high, 16, 0);
    tan_results_clear(&r);
}

TEST(all_disturbed)
{
    struct results r = {.plan = &plan};
    add_pass(&r, 0, 0, 10, true);
    add_pass(&r, 0, 1, 20, true);
    const struct result *result = tan_results_at(&r, 1);
    assert_true(tan_results_disturbed(result));
    assert_true(tan_results_counts(result, &result->parts[0]));
    assert_close(result->round_trip.median, 15, 0);
    tan_results_clear(&r);
}

/* Launches with medians of 1 and 4: logarithms 0 and ln 4, so the centre is 2 and the spread ln 4 /
 * sqrt(2); Student's t of one degree of freedom is 12.7062. */
TEST(launches)
{
    struct results r = {.plan = &plan};
    add_pass(&r, 0, 0, 0.75, false);
    add_pass(&r, 0, 1, 1.25, false);
    add_pass(&r, 0, 2, 7, true); /* there are better ones in its launch */
    add_pass(&r, 1, 0, 3, true);
    add_pass(&r, 1, 1, 5, true); /* there are not */
    const struct result *result = tan_results_at(&r, 1);
    const double spread = log(4) / sqrt(2);
    const double next = 12.7062 * spread * sqrt(1.5);
    assert_int_equal(result->launches.n, 2);
    assert_close(result->launches.centre, 2, 1e-12);
    assert_close(result->launches.spread, spread, 1e-12);
    assert_close(result->round_trip.median, 2, 1e-12);
    assert_close(log(result->round_trip.median_ci95.low / 2), -next, 1e-4);
    assert_close(log(result->round_trip.median_ci95.high / 2), next, 1e-4);
    assert_close(result->round_trip.min, 0.5, 0);
    assert_false(tan_results_counts(result, &result->parts[2]));
    assert_true(tan_results_counts(result, &result->parts[3]));
    assert_false(tan_results_disturbed(result));

    /* Other times of the same waves are judged alike. */
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_summary other;
    double up[15];
    for (int i = 0; i < 15; i++) {
        up[i] = 10 * result->waves.round_trips[i];
    }
    assert_int_equal(tan_results_summarize(result, up, &other, &e), 0);
    assert_close(other.median, 20, 1e-11);
    assert_close(other.median_ci95.low, 10 * result->round_trip.median_ci95.low, 1e-12);
    /* Clocks that are far off: there is no ratio of medians. */
    for (int i = 0; i < 15; i++) {
        up[i] = i < 3 ? -1 : i;
    }
    assert_int_equal(tan_results_summarize(result, up, &other, &e), 0);
    assert_true(unknown(other.median_ci95));
    assert_close(other.median, 7, 0);
    tan_results_clear(&r);
}

/* Results of leaves that push come in no order: nothing but their quantiles. */
TEST(streams)
{
    struct plan pushed = plan;
    struct results r = {.plan = &pushed};
    pushed.settings.mode = MODE_STREAM;
    add(&r, 0, 0, (double[]){1, 2, 3, 4, 5, 6}, 6, false);
    assert_close(r.list[0].round_trip.median, 3.5, 0);
    assert_close(r.list[0].round_trip.median_ci95.low, 1, 0);
    assert_int_equal(r.list[0].parts[0].series.n, 0);
    tan_results_clear(&r);
}

TEST(what_is_there)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct results r = {.plan = &plan};
    struct measurement m = waves((double[]){2, 2, 2}, 3, false);
    add_pass(&r, 0, 1, 3, false);
    assert_true(tan_results_has(&r, 0, 0, 1));
    assert_false(tan_results_has(&r, 0, 0, 0));
    assert_false(tan_results_has(&r, 0, 1, 1));
    assert_false(tan_results_has(&r, 1, 0, 1));
    assert_non_null(tan_results_at(&r, 1)); /* places in the command line, not in the plan */
    assert_null(tan_results_at(&r, 0));
    assert_true(r.list[0].complete);
    m.period = 4;
    m.batch = 8;
    m.stopped = STOP_TIME;
    assert_int_equal(tan_results_add(&r, 0, 0, 2, &m, false, &e), 0);
    assert_false(tan_results_has(&r, 0, 0, 2)); /* a rank died after the last wave */
    assert_false(r.list[0].complete);
    add_pass(&r, 0, 3, 3, false);
    assert_false(r.list[0].complete);
    const struct measurement *all = &r.list[0].waves;
    assert_int_equal(all->n, 9);
    assert_int_equal(all->warmup, 6);
    assert_int_equal(all->batch, 8);
    assert_close(all->period, (3 * 1 + 3 * 4 + 3 * 1) / 9.0, 1e-15);
    assert_int_equal(r.list[0].parts[1].stopped, STOP_TIME);
    assert_int_equal(r.n, 1);
    m = waves((double[]){2, 2, 2}, 3, false);
    m.stopped = STOP_INTERRUPTED;
    assert_int_equal(tan_results_add(&r, 0, 0, 4, &m, false, &e), 0);
    assert_false(tan_results_has(&r, 0, 0, 4)); /* cut short: to be measured again */
    add_pass(&r, 0, 4, 3, false);
    assert_true(tan_results_has(&r, 0, 0, 4));
    m = waves((double[]){2, 2, 2}, 3, false);
    m.stopped = STOP_TIME;
    assert_int_equal(tan_results_add(&r, 0, 0, 5, &m, true, &e), 0);
    assert_true(tan_results_has(&r, 0, 0, 5)); /* as many waves as time allowed */
    tan_results_clear(&r);
    assert_close(tan_results_median((double[]){3, 1, 2}, 3), 2, 0);
    assert_close(tan_results_median(NULL, 0), 0, 0);
}

RUN_TESTS(NULL, NULL)
