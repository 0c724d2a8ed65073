/* test_p2p_fit.c - breaks and parameters are found again in curves made from known ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "model/p2p_fit.h"
#include "model/segments.h"

enum { POINTS = 40, SAMPLES = 30, SIZES = 45, TRAIN = 9 };
static const double us = 1e-6;

/* Three lines over x = 1, 2, ..., with jumps before points 13 and 27, and relative noise. */
static void three_lines(gsl_rng *rng, double noise, double *x, double *y, double *w)
{
    for (int i = 0; i < POINTS; i++) {
        x[i] = i + 1;
        y[i] = i < 13 ? 10 + x[i] : i < 27 ? 40 + 0.5 * x[i] : 20 + 3 * x[i];
        y[i] *= 1 + gsl_ran_gaussian(rng, noise);
        w[i] = 1 / (y[i] * y[i]);
    }
}

static void finds_breaks(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double x[POINTS], y[POINTS], w[POINTS];
    struct tan_segments s;
    for (int noisy = 0; noisy < 2; noisy++) {
        three_lines(rng, noisy ? 0.01 : 0, x, y, w);
        assert_int_equal(tan_segments_find(x, y, w, POINTS, 0, &s, &e), 0);
        assert_int_equal(s.n, 3);
        assert_int_equal(s.start[0], 0);
        assert_int_equal(s.start[1], 13);
        assert_int_equal(s.start[2], 27);
    }
    gsl_rng_free(rng);
}

/* Noise about one line is taken for a break about as often as the test allows. Choosing the best of
 * many places makes it more than one in a hundred. */
static void few_false_breaks(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double x[POINTS], y[POINTS], w[POINTS];
    int wrong = 0;
    for (int trial = 0; trial < 200; trial++) {
        struct tan_segments s;
        for (int i = 0; i < POINTS; i++) {
            x[i] = i * i + 1;
            y[i] = (5 + 0.1 * x[i]) * (1 + gsl_ran_gaussian(rng, 0.02));
            w[i] = 1 / (y[i] * y[i]);
        }
        assert_int_equal(tan_segments_find(x, y, w, POINTS, 0, &s, &e), 0);
        wrong += s.n > 1;
    }
    assert_in_range(wrong, 0, 20);
    gsl_rng_free(rng);
}

static void holds_the_fixed_break(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    double x[POINTS], y[POINTS], w[POINTS];
    struct tan_segments s;
    for (int i = 0; i < POINTS; i++) {
        x[i] = i + 1;
        y[i] = 7 + 2 * x[i];
        w[i] = 1;
    }
    assert_int_equal(tan_segments_find(x, y, w, POINTS, 20, &s, &e), 0);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.start[1], 20);
    assert_int_equal(tan_segments_find(x, y, w, POINTS, 2, &s, &e), 0); /* too near the end */
    assert_int_equal(s.n, 1);
    assert_int_equal(tan_segments_find(x, y, w, 3, 0, &s, &e), 0);
    assert_int_equal(s.n, 1);
    assert_int_equal(tan_segments_find(x, y, w, 0, 0, &s, &e), 0);
}

/* A library with an eager limit of 4040 bytes, whose parameters are known. */
struct truth {
    double L, o_s, O_s, o_r, O_r, g, G;
};
static const struct truth eager_truth = {2, 0.5, 1e-4, 0.4, 2e-4, 0.6, 3e-4};
static const struct truth long_truth = {6, 2.0, 2e-4, 1.5, 1e-4, 2.5, 4e-4};

static const struct truth *truth_of(int64_t bytes)
{
    return bytes <= 4040 ? &eager_truth : &long_truth;
}

struct job {
    double room[SIZES][TAN_P2P_TIMINGS][SAMPLES];
    struct tan_p2p_samples samples[SIZES];
    size_t n;
};

/* Timings of every size, later than undisturbed by half-normal noise. */
static struct job *measure(double noise)
{
    struct job *job = test_calloc(1, sizeof *job);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int64_t k = 1; k <= 1 << 20; k = k == 2048   ? 4040
                                          : k == 4040 ? 4041
                                          : k == 4041 ? 4096
                                                      : 2 * k) {
        for (int64_t b = k; b <= k + k / 2 && job->n < SIZES; b += k / 2 + (k < 2)) {
            if (b != k && (k < 4 || (k >= 2048 && k < 4096))) {
                break;
            }
            const struct truth *t = truth_of(b);
            const double s = t->o_s + t->O_s * (double)b;
            const double r = t->o_r + t->O_r * (double)b;
            const double gap = t->g + t->G * (double)(b - 1);
            const double half = fmax(s, t->g + t->G * (double)b) + t->L + r;
            const double time[TAN_P2P_TIMINGS] = {half, 2 * half, 2 * half + (TRAIN - 1) * gap,
                                                  2 * half + (TRAIN - 1) * s, r};
            struct tan_p2p_samples *sample = &job->samples[job->n];
            *sample = (struct tan_p2p_samples){.bytes = b, .n = SAMPLES, .train = TRAIN};
            for (int i = 0; i < TAN_P2P_TIMINGS; i++) {
                double *to = job->room[job->n][i];
                for (int j = 0; j < SAMPLES; j++) {
                    to[j] = time[i] * us * (1 + fabs(gsl_ran_gaussian(rng, noise)));
                }
                sample->sample[i] = to;
            }
            job->n++;
        }
    }
    gsl_rng_free(rng);
    return job;
}

static void parameters_return(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct job *job = measure(0);
    struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, 4040, 1, &e);
    assert_no_error(e);
    assert_int_equal(p->eager, 4040);
    assert_int_equal(p->n_sections, 2);
    assert_int_equal(p->section[0].to, 4040);
    assert_int_equal(p->section[1].from, 4041);
    for (int i = 0; i < 2; i++) {
        const struct truth *t = i == 0 ? &eager_truth : &long_truth;
        const double wanted[TAN_P2P_PARAMS] = {t->L, t->o_s, t->O_s, t->o_r, t->O_r, t->g, t->G};
        for (int v = 0; v < TAN_P2P_PARAMS; v++) {
            assert_close(p->section[i].value[v] / us, wanted[v], 1e-6 * wanted[v]);
        }
    }
    assert_close(tan_p2p_at(p, TAN_P2P_SEND, 4041) / us, 2 + 4041 * 2e-4, 1e-9);
    tan_p2p_destroy(p);
    test_free(job);
}

/* With noise: values within their intervals' reach, nothing negative or undefined that claims to be
 * known, and the best model predicts what was measured. */
static void noise(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct job *job = measure(0.02);
    struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, 4040, 1, &e);
    assert_no_error(e);
    for (size_t i = 0; i < p->n_sections; i++) {
        for (int v = 0; v < TAN_P2P_PARAMS; v++) {
            const double value = p->section[i].value[v];
            const struct tan_interval ci = p->section[i].ci95[v];
            assert_true(isnan(value) || value >= 0);
            assert_true(ci.low > ci.high || (ci.low <= value && value <= ci.high));
        }
    }
    for (size_t i = 0; i < p->n_sizes; i++) {
        const struct truth *t = truth_of(p->size[i].bytes);
        const double k = (double)p->size[i].bytes;
        const double half = fmax(t->o_s + t->O_s * k, t->g + t->G * k) + t->L + t->o_r + t->O_r * k;
        assert_close(p->size[i].value[TAN_P2P_HALF] / us, half, 0.03 * half);
    }
    tan_p2p_destroy(p);
    test_free(job);
}

/* A train that is no longer than one round trip tells nothing of overhead or gap. */
static void not_identifiable(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct job *job = measure(0);
    for (size_t i = 0; i < job->n; i++) {
        for (int j = 0; j < SAMPLES; j++) {
            job->room[i][TAN_P2P_TRAIN][j] = job->room[i][TAN_P2P_ONE][j];
            job->room[i][TAN_P2P_SPACED][j] = 0.5 * job->room[i][TAN_P2P_ONE][j];
        }
    }
    struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, -1, 1, &e);
    assert_no_error(e);
    for (size_t i = 0; i < p->n_sizes; i++) {
        assert_true(isnan(p->size[i].value[TAN_P2P_SEND]));
        assert_true(isnan(p->size[i].value[TAN_P2P_INTERVAL]));
        assert_true(p->size[i].value[TAN_P2P_RECEIVE] > 0);
    }
    assert_true(isnan(p->section[0].value[TAN_P2P_O_S]));
    assert_true(isnan(p->section[0].value[TAN_P2P_L]));
    assert_string_equal(tan_p2p_best(p)->name, "plogp");
    tan_p2p_destroy(p);
    assert_null(tan_p2p_fit(job->samples, 0, -1, 1, &e));
    assert_error(e, TAN_FAILED, "no messages");
    test_free(job);
}

static void undisturbed(void **state)
{
    (void)state;
    double samples[101];
    double scratch[101];
    for (int i = 0; i < 101; i++) {
        samples[i] = (i * 37) % 101; /* 0..100, mixed */
    }
    assert_close(tan_p2p_undisturbed(samples, 101, scratch), 25, 1e-12);
    assert_close(tan_p2p_undisturbed(scratch, 101, NULL), 25, 1e-12);
    assert_close(tan_p2p_undisturbed(samples, 1, scratch), 0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_breaks),
        cmocka_unit_test(few_false_breaks),
        cmocka_unit_test(holds_the_fixed_break),
        cmocka_unit_test(parameters_return),
        cmocka_unit_test(noise),
        cmocka_unit_test(not_identifiable),
        cmocka_unit_test(undisturbed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
