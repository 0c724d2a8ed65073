/* test_p2p_fit.c - breaks and parameters recovered from curves with known ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "model/fit/p2p_fit.h"
#include "model/stats/regression.h"

enum { POINTS = 40, SAMPLES = 30, SIZES = 45, FEW = 8, MANY = 32 };
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

TEST(finds_breaks)
{
    struct tan_error e = TAN_ERROR_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double x[POINTS], y[POINTS], w[POINTS];
    struct tan_segments s;
    for (int noisy = 0; noisy < 2; noisy++) {
        three_lines(rng, noisy ? 0.01 : 0, x, y, w);
        assert_int_equal(tan_segments_find(x, y, w, POINTS, NULL, 0, &s, &e), 0);
        assert_int_equal(s.n, 3);
        assert_int_equal(s.start[0], 0);
        assert_int_equal(s.start[1], 13);
        assert_int_equal(s.start[2], 27);
    }
    for (size_t i = 0; i < 23; i++) { /* three points are enough */
        x[i] = (double)i;
        y[i] = i < 10 ? 1 : i < 13 ? 2 + x[i] : 5;
        w[i] = 1;
    }
    assert_int_equal(tan_segments_find(x, y, w, 23, NULL, 0, &s, &e), 0);
    assert_int_equal(s.n, 3);
    assert_int_equal(s.start[1], 10);
    assert_int_equal(s.start[2], 13);
    gsl_rng_free(rng);
}

/* Noise about one line is taken for a break about as often as the test allows. Choosing the best of
 * many places makes it more than one in a hundred. */
TEST(few_false_breaks)
{
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
        assert_int_equal(tan_segments_find(x, y, w, POINTS, NULL, 0, &s, &e), 0);
        wrong += s.n > 1;
    }
    assert_in_range(wrong, 0, 20);
    gsl_rng_free(rng);
}

/* The weighted sum of squares about lines over [from, to), [to, ...), every place tried. */
static double least_squares(const double *x, const double *y, const double *w, size_t n, int lines)
{
    double c0, c1, cov00, cov01, cov11, chisq;
    if (lines == 1) {
        gsl_fit_wlinear(x, 1, w, 1, y, 1, n, &c0, &c1, &cov00, &cov01, &cov11, &chisq);
        return n < TAN_MIN_SEGMENT ? INFINITY : chisq;
    }
    double least = INFINITY;
    for (size_t i = TAN_MIN_SEGMENT; i + TAN_MIN_SEGMENT <= n; i++) {
        least = fmin(least, least_squares(x, y, w, i, lines - 1) +
                                least_squares(x + i, y + i, w + i, n - i, 1));
    }
    return least;
}

/* As many lines as an F test needs: of `n` points, 3 parameters for each further line, and a level
 * of 1 % divided by the number of ways to place the further breaks. */
static size_t lines_needed(const double *x, const double *y, const double *w, size_t n)
{
    int lines = 1;
    for (int more = 2; (size_t)more * TAN_MIN_SEGMENT <= n; more++) {
        const double left = (double)n - 3.0 * more + 1;
        const double extra = 3.0 * (more - lines);
        const double before = least_squares(x, y, w, n, lines);
        const double after = least_squares(x, y, w, n, more);
        const double ways = more - lines == 1 ? (double)n : (double)(n * (n - 1)) / 2;
        const double f = (before - after) / extra / (after / left);
        lines = left >= 1 && gsl_cdf_fdist_Q(f, extra, left) * ways < 0.01 ? more : lines;
    }
    return (size_t)lines;
}

/* Jumps and bumps of every height, so that some are beyond chance and others are not. */
TEST(as_many_as_needed)
{
    struct tan_error e = TAN_ERROR_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int found[4] = {0};
    for (int trial = 0; trial < 3000; trial++) {
        double x[11], y[11], w[11];
        const size_t n = trial % 2 == 0 ? 8 : 11;
        const double jump = trial % 300;
        for (size_t i = 0; i < n; i++) {
            x[i] = 1 + (double)i;
            w[i] = 1 + (double)(i % 2);
            y[i] = 10 + x[i] + gsl_ran_gaussian(rng, 1) +
                   (i < 4 || (trial % 4 == 1 && i > 7) ? 0 : jump);
        }
        struct tan_segments s;
        assert_int_equal(tan_segments_find(x, y, w, n, NULL, 0, &s, &e), 0);
        assert_int_equal(s.n, lines_needed(x, y, w, n));
        found[s.n]++;
    }
    assert_true(found[1] > 100 && found[2] > 100 && found[3] > 100);
    gsl_rng_free(rng);
}

TEST(holds_breaks)
{
    struct tan_error e = TAN_ERROR_INIT;
    double x[POINTS], y[POINTS], w[POINTS];
    struct tan_segments s;
    /* two too near to the ends, three with room, two too near to the first of them */
    static const size_t held[] = {2, POINTS - 2, 20, 21, 18, 10, 23};
    for (int i = 0; i < POINTS; i++) {
        x[i] = i + 1;
        y[i] = 7 + 2 * x[i];
        w[i] = 1;
    }
    assert_int_equal(tan_segments_find(x, y, w, POINTS, held, 7, &s, &e), 0);
    assert_int_equal(s.n, 4);
    assert_int_equal(s.start[1], 10);
    assert_int_equal(s.start[2], 20);
    assert_int_equal(s.start[3], 23);
    assert_int_equal(tan_segments_find(x, y, w, POINTS, held, 2, &s, &e), 0);
    assert_int_equal(s.n, 1);
    assert_int_equal(tan_segments_find(x, y, w, 3, NULL, 0, &s, &e), 0);
    assert_int_equal(s.n, 1);
    assert_int_equal(tan_segments_find(x, y, w, 0, NULL, 0, &s, &e), 0);
}

/* A held break is kept beside those that the data need. */
TEST(holds_and_finds)
{
    struct tan_error e = TAN_ERROR_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double x[POINTS], y[POINTS], w[POINTS];
    struct tan_segments s;
    static const size_t held[] = {20};
    three_lines(rng, 0.01, x, y, w);
    assert_int_equal(tan_segments_find(x, y, w, POINTS, held, 1, &s, &e), 0);
    assert_int_equal(s.n, 4);
    assert_int_equal(s.start[1], 13);
    assert_int_equal(s.start[2], 20);
    assert_int_equal(s.start[3], 27);
    gsl_rng_free(rng);
}

/* A library with an eager limit of 4040 bytes, whose parameters are known. */
struct truth {
    double L, L_byte, o_s, O_s, o_r, O_r, g, G, ack;
};
static const struct truth eager_truth = {2, 1e-5, 0.5, 1e-4, 0.4, 2e-4, 0.6, 3e-4, NAN};
/* both sides work at the same time for part of the message */
static const struct truth long_truth = {-1, -5e-5, 2.0, 2e-4, 1.5, 1e-4, 2.5, 4e-4, 1.5};
static const struct tan_p2p_limits limits = {.eager = 4040, .alone = -1};

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
            const double half = s + t->L + t->L_byte * (double)b + r;
            const double send = isnan(t->ack) ? s : half + t->ack;
            const double time[TAN_P2P_TIMINGS] = {half,
                                                  send,
                                                  s,
                                                  r,
                                                  2 * half + (FEW - 1) * gap,
                                                  2 * half + (MANY - 1) * gap,
                                                  2 * half + (FEW - 1) * 1.5 * gap,
                                                  2 * half + (MANY - 1) * 1.5 * gap,
                                                  0.5 * s,
                                                  0.25 * r};
            struct tan_p2p_samples *sample = &job->samples[job->n];
            *sample = (struct tan_p2p_samples){.bytes = b, .few = FEW, .many = MANY};
            for (int i = 0; i < TAN_P2P_TIMINGS; i++) {
                double *to = job->room[job->n][i];
                for (int j = 0; j < SAMPLES; j++) {
                    to[j] = time[i] * us * (1 + fabs(gsl_ran_gaussian(rng, noise)));
                }
                sample->sample[i] = to;
                sample->n[i] = SAMPLES;
            }
            job->n++;
        }
    }
    gsl_rng_free(rng);
    return job;
}

/* The largest |o_s + L + o_r - half| / half over the sizes of section `i`, with costs by lines. */
static double worst_delivery(const struct tan_p2p *p, size_t i)
{
    double worst = 0;
    for (size_t k = 0; k < p->n_sizes; k++) {
        const double half = p->size[k].value[TAN_P2P_HALF];
        if (p->size[k].bytes >= p->section[i].from && p->size[k].bytes <= p->section[i].to) {
            struct tan_loggpo_costs costs;
            tan_p2p_costs(p, p->size[k].bytes, &costs);
            worst = fmax(worst, fabs(costs.delivered - half) / half);
        }
    }
    return worst;
}

TEST(parameters_return)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct job *job = measure(0);
    struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, &limits, 1, &e);
    assert_no_error(e);
    assert_int_equal(p->eager, 4040);
    assert_int_equal(p->n_sections, 2);
    assert_int_equal(p->section[0].to, 4040);
    assert_int_equal(p->section[1].from, 4041);
    for (int i = 0; i < 2; i++) {
        const struct truth *t = i == 0 ? &eager_truth : &long_truth;
        const double wanted[TAN_P2P_PARAMS] = {t->L,   t->L_byte, t->o_s, t->O_s, t->o_r,
                                               t->O_r, t->g,      t->G,   t->ack};
        for (int v = 0; v < TAN_P2P_PARAMS; v++) {
            if (isnan(wanted[v])) {
                assert_true(isnan(p->section[i].value[v]));
            } else {
                assert_close(p->section[i].value[v] / us, wanted[v], 1e-6 * fabs(wanted[v]));
            }
        }
        assert_close(worst_delivery(p, (size_t)i), 0, 1e-9);
        assert_true(isfinite(p->section[i].value[TAN_P2P_G_BYTE]));
    }
    for (size_t i = 0; i < p->n_sizes; i++) {
        const struct truth *t = truth_of(p->size[i].bytes);
        const double k = (double)p->size[i].bytes;
        const double half = t->o_s + t->L + t->o_r + k * (t->O_s + t->L_byte + t->O_r);
        const double gap = t->g + (k - 1) * t->G;
        const double wanted[TAN_P2P_SERIES] = {
            [TAN_P2P_HALF] = half,
            [TAN_P2P_SEND] = t->o_s + k * t->O_s,
            [TAN_P2P_RECEIVE] = t->o_r + k * t->O_r,
            [TAN_P2P_INTERVAL] = gap,
            [TAN_P2P_BLOCKED] = isnan(t->ack) ? t->o_s + k * t->O_s : half + t->ack,
            [TAN_P2P_DUPLEX] = 1.5 * gap,
            [TAN_P2P_DUPLEX_FIRST] = 2 * half,
            [TAN_P2P_START] = 0.5 * (t->o_s + k * t->O_s),
            [TAN_P2P_COPY] = 0.25 * (t->o_r + k * t->O_r),
        };
        for (int v = 0; v < TAN_P2P_SERIES; v++) {
            assert_close(p->size[i].value[v] / us, wanted[v], 1e-9 * wanted[v]);
            assert_close(p->size[i].ci95[v].low / us, wanted[v], 1e-9 * wanted[v]);
            assert_close(p->size[i].ci95[v].high / us, wanted[v], 1e-9 * wanted[v]);
        }
    }
    /* Every size counts: half the time that one seems to take is half too little. */
    for (size_t i = 0; i < p->n_sizes; i++) {
        const size_t section = p->size[i].bytes > 4040;
        at_row("%zu bytes", (size_t)p->size[i].bytes);
        p->size[i].value[TAN_P2P_HALF] *= 2;
        assert_close(worst_delivery(p, section), 0.5, 1e-9);
        p->size[i].value[TAN_P2P_HALF] /= 2;
    }
    assert_string_equal(tan_p2p_best(p)->name, "fitted");
    assert_close(tan_p2p_at(p, TAN_P2P_SEND, 4041) / us, 2 + 4041 * 2e-4, 1e-9);
    assert_close(tan_p2p_at(p, TAN_P2P_DUPLEX, 4041) / us, 1.5 * (2.5 + 4040 * 4e-4), 1e-9);
    tan_p2p_destroy(p);
    test_free(job);
}

/* With noise: values within their intervals' reach, nothing negative or undefined that claims to be
 * known, and the best model predicts what was measured. */
TEST(noise)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct job *job = measure(0.02);
    struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, &limits, 1, &e);
    assert_no_error(e);
    for (size_t i = 0; i < p->n_sections; i++) {
        for (int v = 0; v < TAN_P2P_PARAMS; v++) {
            const double value = p->section[i].value[v];
            const struct tan_interval ci = p->section[i].ci95[v];
            assert_true(isnan(value) || value >= 0 || tan_p2p_params[v].may_be_negative);
            assert_true(ci.low > ci.high || (ci.low <= value && value <= ci.high));
        }
    }
    for (size_t i = 0; i < p->n_sizes; i++) {
        const struct truth *t = truth_of(p->size[i].bytes);
        const double k = (double)p->size[i].bytes;
        const double half = t->o_s + t->O_s * k + t->L + t->L_byte * k + t->o_r + t->O_r * k;
        assert_close(p->size[i].value[TAN_P2P_HALF] / us, half, 0.03 * half);
    }
    tan_p2p_destroy(p);
    test_free(job);
}

/* A machine that is a fifth slower in one eighth of the time: the interval reaches there. */
TEST(slow_times)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct job *job = measure(0);
    const double slower = 1.2;
    for (size_t i = 0; i < job->n; i++) {
        for (int j = SAMPLES * 7 / 8; j < SAMPLES; j++) {
            job->room[i][TAN_P2P_TRIP][j] *= slower;
        }
    }
    struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, &limits, 1, &e);
    assert_no_error(e);
    for (size_t i = 0; i < p->n_sizes; i++) {
        const struct tan_p2p_size *size = &p->size[i];
        assert_close(size->value[TAN_P2P_HALF], job->room[i][TAN_P2P_TRIP][0], 1e-15);
        assert_close(size->ci95[TAN_P2P_HALF].low, size->value[TAN_P2P_HALF], 1e-15);
        assert_close(size->ci95[TAN_P2P_HALF].high, slower * size->value[TAN_P2P_HALF], 1e-15);
    }
    tan_p2p_destroy(p);
    test_free(job);
}

/* Where the receiver fetches, the sender's overhead is one for all sizes, by the median: a few wild
 * ones do not matter. What it leaves is the latency's. */
TEST(fetched_messages)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct job *job = measure(0);
    struct tan_p2p_limits fetched = limits;
    fetched.transfer = TAN_TRANSFER_RTA;
    fetched.progress = TAN_PROGRESS_DEPENDENT;
    for (size_t i = 0; i < job->n; i++) {
        for (int j = 0; j < SAMPLES && job->samples[i].bytes > 4040; j++) {
            job->room[i][TAN_P2P_SENDER_COMPUTE][j] = (i % 5 == 0 ? 3 : 0.5) * us;
        }
    }
    struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, &fetched, 1, &e);
    assert_no_error(e);
    assert_int_equal(p->transfer, TAN_TRANSFER_RTA);
    assert_int_equal(p->progress, TAN_PROGRESS_DEPENDENT);
    const double *v = p->section[p->n_sections - 1].value;
    assert_close(v[TAN_P2P_O_S] / us, 0.5, 1e-9);
    assert_close(v[TAN_P2P_O_S_BYTE], 0, 1e-18);
    struct tan_loggpo_costs costs;
    tan_p2p_costs(p, 65536, &costs);
    const struct truth *t = &long_truth;
    const double whole = t->o_s + t->L + t->o_r + 65536 * (t->O_s + t->L_byte + t->O_r);
    assert_close(costs.delivered / us, whole, 1e-6 * whole);
    tan_p2p_destroy(p);
    test_free(job);
}

/* Gaps of 1.02 times the larger overhead, and thrice as long at the size `but`. */
static void close_gaps(struct job *job, int64_t but)
{
    for (size_t i = 0; i < job->n; i++) {
        for (int j = 0; j < SAMPLES; j++) {
            const double busier = fmax(job->room[i][TAN_P2P_SENDER_COMPUTE][j],
                                       job->room[i][TAN_P2P_RECEIVER_COMPUTE][j]);
            const double gap = (job->samples[i].bytes == but ? 3 : 1) * 1.02 * busier;
            job->room[i][TAN_P2P_MANY][j] = job->room[i][TAN_P2P_FEW][j] + (MANY - FEW) * gap;
        }
    }
}

/* Gaps that are the receiver's overhead tell nothing of the network, and are not written; a single
 * size, be it the last one, at which they are not makes them known. */
TEST(gaps_of_a_side)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct job *job = measure(0);
    close_gaps(job, 4040);
    struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, &limits, 1, &e);
    assert_no_error(e);
    assert_true(isfinite(p->section[0].value[TAN_P2P_G_BYTE]));
    tan_p2p_destroy(p);
    close_gaps(job, 0);
    p = tan_p2p_fit(job->samples, job->n, &limits, 1, &e);
    assert_no_error(e);
    for (size_t i = 0; i < p->n_sections; i++) {
        assert_true(isnan(p->section[i].value[TAN_P2P_G_BYTE]));
    }
    const struct truth *t = truth_of(100);
    assert_close(tan_p2p_interval_of(p, 100) / us, t->o_s + 100 * t->O_s, 1e-6);
    tan_p2p_destroy(p);
    test_free(job);
}

/* A window that takes no longer than a smaller one tells nothing of the gap. */
TEST(not_identifiable)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct job *job = measure(0);
    for (size_t i = 0; i < job->n; i++) {
        for (int j = 0; j < SAMPLES; j++) {
            job->room[i][TAN_P2P_MANY][j] = job->room[i][TAN_P2P_FEW][j];
        }
    }
    const struct tan_p2p_limits unknown = {.eager = -1, .alone = -1};
    struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, &unknown, 1, &e);
    assert_no_error(e);
    for (size_t i = 0; i < p->n_sizes; i++) {
        assert_true(isnan(p->size[i].value[TAN_P2P_INTERVAL]));
        assert_false(tan_interval_known(p->size[i].ci95[TAN_P2P_INTERVAL]));
        assert_true(p->size[i].value[TAN_P2P_RECEIVE] > 0);
    }
    assert_true(isnan(p->section[0].value[TAN_P2P_G_BYTE]));
    tan_p2p_destroy(p);
    assert_null(tan_p2p_fit(job->samples, 0, &unknown, 1, &e));
    assert_error(e, TAN_FAILED, "no messages");
    test_free(job);
}

/* Sides that take no time, in the second section or in both, or seem to take less than none: an
 * overhead of 0 is a value, L is the rest, and every model predicts. */
TEST(free_overheads)
{
    struct tan_error e = TAN_ERROR_INIT;
    for (int64_t from = 1; from <= 4041; from += 4040) {
        struct job *job = measure(0);
        for (size_t i = 0; i < job->n; i++) {
            for (int j = 0; j < SAMPLES && job->samples[i].bytes >= from; j++) {
                job->room[i][TAN_P2P_SENDER_COMPUTE][j] = from == 1 ? 0 : -1e-8;
                job->room[i][TAN_P2P_RECEIVER_COMPUTE][j] = j % 2 ? 0 : -1e-9;
            }
        }
        struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, &limits, 1, &e);
        assert_no_error(e);
        const struct truth *t = &long_truth;
        const double *v = p->section[p->n_sections - 1].value;
        assert_close(v[TAN_P2P_O_S] + v[TAN_P2P_O_S_BYTE], 0, 1e-18);
        assert_close(v[TAN_P2P_O_R] + v[TAN_P2P_O_R_BYTE], 0, 1e-18);
        assert_close(v[TAN_P2P_L] / us, t->o_s + t->L + t->o_r, 1e-6);
        assert_close(v[TAN_P2P_L_BYTE] / us, t->O_s + t->L_byte + t->O_r, 1e-9);
        assert_close(tan_p2p_at(p, TAN_P2P_SEND, 5000), 0, 1e-18);
        assert_string_equal(tan_p2p_best(p)->name, "fitted");
        for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
            assert_true(strcmp(m->name, "loggp-smp") == 0 || tan_p2p_lacks(p, m, 5000) == NULL);
        }
        const double half = t->o_s + t->L + t->o_r + 5000 * (t->O_s + t->L_byte + t->O_r);
        assert_close(tan_p2p_best(p)->predict(p, 5000).delivered / us, half, 1e-6 * half);
        assert_close(worst_delivery(p, p->n_sections - 1), 0, 1e-9);
        tan_p2p_destroy(p);
        test_free(job);
    }
}

/* Where nothing takes any time, that is what is predicted. */
TEST(free_messages)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct job *job = measure(0);
    memset(job->room, 0, sizeof job->room);
    struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, &limits, 1, &e);
    assert_no_error(e);
    assert_string_equal(tan_p2p_best(p)->name, "fitted");
    assert_close(tan_p2p_best(p)->predict(p, 300).delivered, 0, 1e-18);
    assert_close(tan_p2p_best(p)->predict(p, 5000).delivered, 0, 1e-18);
    tan_p2p_destroy(p);
    test_free(job);
}

TEST(undisturbed)
{
    double samples[101];
    double scratch[101];
    for (int i = 0; i < 101; i++) {
        samples[i] = (i * 37) % 101; /* 0..100, mixed */
    }
    assert_close(tan_p2p_undisturbed(samples, 101, scratch), 25, 1e-12);
    assert_close(tan_p2p_undisturbed(scratch, 101, NULL), 25, 1e-12);
    assert_close(tan_p2p_undisturbed(samples, 1, scratch), 0, 1e-12);
}

/* The interval of a quartile holds the true one in 95 of 100 experiments, by the binomial
 * distribution within 5 (6.6 standard deviations) of 95 % in 1000. */
TEST(quartile_interval)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double samples[200];
    int covered = 0;
    for (int trial = 0; trial < 1000; trial++) {
        for (int i = 0; i < 200; i++) {
            samples[i] = gsl_rng_uniform(rng);
        }
        const struct tan_p2p_estimate q = tan_p2p_estimate(samples, 200);
        assert_true(q.ci95.low <= q.value && q.value <= q.ci95.high);
        covered += q.ci95.low <= 0.25 && 0.25 <= q.ci95.high;
    }
    assert_in_range(covered, 920, 990);
    assert_true(tan_p2p_estimate(samples, 18).ci95.low > tan_p2p_estimate(samples, 18).ci95.high);
    assert_true(tan_p2p_estimate(samples, 19).ci95.low <= tan_p2p_estimate(samples, 19).ci95.high);
    gsl_rng_free(rng);
}

/* Every number below `value` is finite and, except for parameters that may be, not negative;
 * returns how many there are. */
static int check_numbers(const json_t *value, bool may_be_negative)
{
    const char *key;
    json_t *member;
    size_t i;
    int numbers = json_is_number(value);
    assert_true(!numbers || (isfinite(json_number_value(value)) &&
                             (may_be_negative || json_number_value(value) >= 0)));
    json_object_foreach((json_t *)value, key, member)
    {
        bool may = false;
        for (int v = 0; v < TAN_P2P_PARAMS; v++) {
            may = may ||
                  (tan_p2p_params[v].may_be_negative && strcmp(key, tan_p2p_params[v].key) == 0);
        }
        numbers += check_numbers(member, may);
    }
    json_array_foreach(value, i, member)
    {
        numbers += check_numbers(member, may_be_negative && json_is_number(member));
    }
    return numbers;
}

/* Timings that have nothing to do with each other, as no library has them: from nanoseconds to
 * seconds, falling with size, negative where pauses are taken off, 0 on a clock that stood still.
 */
static void nonsense(struct job *job, gsl_rng *rng, int way)
{
    for (size_t i = 0; i < job->n; i++) {
        for (int t = 0; t < TAN_P2P_TIMINGS; t++) {
            const double level = pow(10, gsl_ran_flat(rng, -9, 0));
            for (int j = 0; j < SAMPLES; j++) {
                job->room[i][t][j] = way == 0   ? level * gsl_ran_pareto(rng, 0.5, 1)
                                     : way == 1 ? 1e-6 * (double)(job->n - i) * gsl_rng_uniform(rng)
                                     : way == 2 ? (t == TAN_P2P_SENDER_COMPUTE ? -level : level)
                                     : way == 3 ? 1e-6 * (double)gsl_rng_uniform_int(rng, 2)
                                                : 0.0;
            }
        }
    }
}

/* Whatever the timings are, nothing negative and no NaN is written, and what is written can be read
 * and predicts nothing negative. */
TEST(never_negative)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct job *job = measure(0);
    for (int way = 0; way < 5; way++) {
        for (int trial = 0; trial < 4; trial++) {
            struct tan_error e = TAN_ERROR_INIT;
            nonsense(job, rng, way);
            const struct tan_p2p_limits some = {.eager = trial % 2 ? 4040 : -1,
                                                .alone = trial == 1 ? 64 : -1,
                                                .jump = {8, 128},
                                                .n_jumps = trial > 1 ? 2 : 0};
            struct tan_p2p *p = tan_p2p_fit(job->samples, job->n, &some, (uint64_t)trial, &e);
            assert_no_error(e);
            json_t *json = tan_p2p_to_json(p);
            assert_non_null(json);
            assert_true(check_numbers(json, false) > 0);
            struct tan_p2p *read = tan_p2p_parse(json, "test", &e);
            assert_no_error(e);
            for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
                for (int64_t k = 1; k <= 1 << 24; k *= 8) {
                    const struct tan_message message = m->predict(read, k);
                    assert_true(isnan(message.sender) || message.sender >= 0);
                    assert_true(isnan(message.delivered) || message.delivered >= 0);
                }
            }
            json_decref(json);
            tan_p2p_destroy(p);
            tan_p2p_destroy(read);
        }
    }
    test_free(job);
    gsl_rng_free(rng);
}

RUN_TESTS(NULL, NULL)
