/* test_fit.c - parameters recovered from synthetic waves, and coverage of their intervals
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/fit/fit.h"

enum { MOST_CELLS = 64, MOST_WAVES = 100, LATENCIES = 500 };

/* Waves made up from known parameters. */
struct synthetic {
    enum tan_method method;
    double value[TAN_PARAMS];
    struct tan_observation cell[MOST_CELLS];
    double waves[MOST_CELLS][MOST_WAVES];
    size_t n;
    double latency[LATENCIES];
};

static const double table_1[TAN_PARAMS] = {98e-6, 49.3e-6, 0.783e-6, 0.157e-6, 0, 0};

/* Written out here once more, from the definition of the two experiments. */
static double truth(const struct synthetic *s, enum tan_experiment experiment, double size)
{
    const double *v = s->value;
    if (experiment == TAN_CHAIN) {
        return size * (v[TAN_L] + 2 * v[TAN_A]) + v[TAN_C0];
    }
    if (s->method == TAN_METHOD_PAPER) {
        return v[TAN_L] + v[TAN_A] + v[TAN_B] * size + v[TAN_C2] * size * size;
    }
    return v[TAN_L] + 2 * v[TAN_A] + v[TAN_B] * (size - 1) + v[TAN_C2] * (size * size - 1) +
           v[TAN_C0];
}

/* Relative noise of one wave. */
typedef double noise_fn(gsl_rng *rng, double sigma);

static double none(gsl_rng *rng, double sigma)
{
    (void)rng;
    (void)sigma;
    return 1;
}
static double gaussian(gsl_rng *rng, double sigma)
{
    return 1 + gsl_ran_gaussian(rng, sigma);
}
static double lognormal(gsl_rng *rng, double sigma)
{
    return gsl_ran_lognormal(rng, 0, sigma);
}
static double with_outliers(gsl_rng *rng, double sigma)
{
    return gaussian(rng, sigma) *
           (gsl_rng_uniform(rng) < 0.04 ? 1 + gsl_ran_exponential(rng, 3) : 1);
}

static void add_cells(struct synthetic *s, enum tan_experiment experiment, const int *sizes,
                      size_t n_sizes)
{
    for (size_t i = 0; i < n_sizes; i++) {
        s->cell[s->n] = (struct tan_observation){
            .experiment = experiment, .size = sizes[i], .waves = s->waves[s->n], .n = 1};
        s->n++;
    }
}

static const int heights[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
static const int fanouts[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void make(struct synthetic *s, enum tan_method method, const double *value)
{
    *s = (struct synthetic){.method = method};
    for (int p = 0; p < TAN_PARAMS; p++) {
        s->value[p] = value[p];
    }
    add_cells(s, TAN_CHAIN, heights, COUNT(heights));
    add_cells(s, TAN_NTO1, fanouts, COUNT(fanouts));
}

/* `waves` waves a cell with noise of size `sigma`; `between`: relative error that all waves of a
 * cell share. */
static void measure(struct synthetic *s, size_t waves, noise_fn *noise, double sigma,
                    double between, gsl_rng *rng)
{
    for (size_t i = 0; i < s->n; i++) {
        struct tan_observation *cell = &s->cell[i];
        const double time =
            truth(s, cell->experiment, (double)cell->size) * (1 + gsl_ran_gaussian(rng, between));
        cell->n = waves;
        for (size_t k = 0; k < waves; k++) {
            s->waves[i][k] = fmax(time * noise(rng, sigma), 1e-9);
        }
    }
    for (size_t k = 0; k < LATENCIES; k++) {
        s->latency[k] = s->value[TAN_L] * gaussian(rng, sigma);
    }
}

static struct tan_fit_input input_of(const struct synthetic *s, int bootstrap)
{
    return (struct tan_fit_input){
        .observations = s->cell,
        .n_observations = s->n,
        .latency = s->latency,
        .n_latency = LATENCIES,
        .L = NAN,
        .method = s->method,
        .bytes = 1024,
        .bootstrap = bootstrap,
        .seed = 1,
    };
}

static struct tan_fit fit(const struct tan_fit_input *input)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_fit f;
    const int result = tan_fit(input, &f, &e);
    assert_no_error(e);
    assert_int_equal(result, 0);
    for (int p = 0; p < TAN_PARAMS; p++) {
        assert_true(f.params.value[p] >= 0 && isfinite(f.params.value[p]));
    }
    for (size_t i = 0; i < f.notes.n; i++) {
        assert_null(strstr(f.notes.row[i].text, "nan"));
        assert_null(strstr(f.notes.row[i].text, "inf"));
    }
    return f;
}

static bool inside(const struct tan_fit *f, int p, double value)
{
    return f->params.ci95[p].low <= value && value <= f->params.ci95[p].high;
}

static bool notes_say(const struct tan_fit *f, const char *part)
{
    for (size_t i = 0; i < f->notes.n; i++) {
        if (strstr(f->notes.row[i].text, part) != NULL) {
            return true;
        }
    }
    return false;
}

static const double cases[][TAN_PARAMS] = {
    {98e-6, 49.3e-6, 0.783e-6, 0.157e-6, 0, 0},     /* Table I */
    {98e-6, 49.3e-6, 0.783e-6, 0.157e-6, 0, 30e-6}, /* with one-time costs */
    {2e-6, 0.5e-6, 0, 0.001e-6, 0, 0},              /* b at its bound */
    {2e-6, 0.5e-6, 0.3e-6, 0, 0, 1e-6},             /* c at its bound */
    {1e-3, 2e-3, 5e-6, 1e-9, 0, 0.1},               /* slow, and C above all */
    {98e-6, 0, 0.783e-6, 0.157e-6, 0, 0},           /* a at its bound */
};

/* Without noise: six digits and more, and intervals that are tight and hold. */
TEST(recovers_exactly)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (int method = 0; method < 2; method++) {
            make(&s, (enum tan_method)method, cases[i]);
            measure(&s, i % 2 == 0 ? 10 : 1, none, 0, 0, rng);
            struct tan_fit_input input = input_of(&s, 300);
            if (i == 1) { /* a latency that is given, not measured */
                input.n_latency = 0;
                input.L = s.value[TAN_L];
            }
            struct tan_fit f = fit(&input);
            double largest = 0;
            for (int p = 0; p < TAN_PARAMS; p++) {
                const double value = s.value[p];
                const double off = fabs(f.params.value[p] - value);
                if (value > 0) {
                    largest = fmax(largest, off / value);
                    assert_true(off <= 1e-8 * value);
                } else {
                    assert_true(f.params.value[p] == 0);
                    assert_int_equal(f.at_bound[p], p != TAN_G && p != TAN_L);
                }
                if (p == TAN_G || (p == TAN_L && i == 1)) {
                    assert_true(f.params.ci95[p].low > f.params.ci95[p].high);
                } else {
                    assert_true(inside(&f, p, value));
                    assert_true(f.params.ci95[p].high - f.params.ci95[p].low <=
                                2e-5 * value + 1e-6 * s.value[TAN_L]);
                }
                assert_int_equal(f.identifiable[p], p != TAN_G);
            }
            print_message("case %zu, %s: off by at most %.1e\n", i, tan_method_name(s.method),
                          largest);
            if (s.method == TAN_METHOD_PAPER && s.value[TAN_A] == 0) {
                assert_true(isnan(f.r2_chain)); /* nothing is left to explain */
            } else {
                assert_close(f.r2_chain, 1, 1e-9);
            }
            assert_close(f.r2_nto1, 1, 1e-9);
            assert_int_equal(f.params.n, (i % 2 == 0 ? 10 : 1) * s.n);
            tan_fit_clear(&f);
        }
    }
    gsl_rng_free(rng);
}

/* Waves rounded to nanoseconds, as a text file may hold them. */
TEST(allows_for_rounding)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    int missed = 0;
    for (int trial = 0; trial < 100; trial++) {
        double value[TAN_PARAMS];
        for (int p = 0; p < TAN_PARAMS; p++) {
            value[p] = table_1[p] * gsl_ran_flat(rng, 0.5, 2);
        }
        make(&s, trial % 2 == 0 ? TAN_METHOD_JOINT : TAN_METHOD_PAPER, value);
        measure(&s, trial % 3 == 0 ? 1 : 10, none, 0, 0, rng);
        for (size_t i = 0; i < s.n; i++) {
            for (size_t k = 0; k < s.cell[i].n; k++) {
                s.waves[i][k] = round(s.waves[i][k] * 1e9) / 1e9;
            }
        }
        struct tan_fit_input input = input_of(&s, 200);
        input.n_latency = 0;
        input.L = value[TAN_L];
        struct tan_fit f = fit(&input);
        bool all = true;
        for (int p = TAN_A; p <= TAN_C2; p++) {
            all = all && inside(&f, p, value[p]);
            assert_close(f.params.value[p], value[p], 1e-3 * value[p]);
        }
        missed += !all || !inside(&f, TAN_C0, 0);
        tan_fit_clear(&f);
    }
    print_message("rounded to 1 ns: %d of 100 fits miss\n", missed);
    assert_true(missed <= 3);
    gsl_rng_free(rng);
}

/* Simulated waves are all alike but for a nanosecond, which clocks round away or not. However many
 * there are, and though no curve goes through them, they tell the same as one. */
TEST(rounding_is_no_scatter)
{
    static struct synthetic s;
    static const double small[TAN_PARAMS] = {2e-6, 1e-6, 0.3e-6, 0.001e-6, 0, 0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct tan_fit of[2];
    for (int many = 0; many < 2; many++) {
        make(&s, TAN_METHOD_JOINT, small);
        measure(&s, many ? 90 : 1, none, 0, 0, rng);
        for (size_t i = 0; i < s.n; i++) {
            const double bend = s.cell[i].experiment == TAN_NTO1 && s.cell[i].size > 8 ? 1.2 : 1;
            for (size_t k = 0; k < s.cell[i].n; k++) {
                s.waves[i][k] = s.waves[i][k] * bend + (k % 40 == i % 5 ? 1e-9 : 0);
            }
        }
        const struct tan_fit_input input = input_of(&s, 0);
        of[many] = fit(&input);
        assert_false(notes_say(&of[many], "outliers"));
    }
    for (int p = 0; p < TAN_PARAMS; p++) {
        assert_close(of[1].params.value[p], of[0].params.value[p], 2e-9);
    }
    tan_fit_clear(&of[0]);
    tan_fit_clear(&of[1]);
    gsl_rng_free(rng);
}

/* How often the truth is in the intervals: each parameter's, and all at once. In 200 repetitions 90
 * % is 3.2 standard deviations below 95 %, in 40 80 % is 4.4. */
TEST(intervals_hold)
{
    const int repetitions = thorough() ? 200 : 40;
    const double least = (thorough() ? 0.9 : 0.8) * repetitions;
    static const struct {
        const char *name;
        noise_fn *noise;
        size_t truth; /* index into cases */
        size_t waves;
        double sigma, between;
        bool paper; /* by method paper too */
    } rows[] = {
        {"gaussian 1 %", gaussian, 0, 100, 0.01, 0, false},
        {"gaussian 10 %", gaussian, 0, 10, 0.10, 0, true},
        {"lognormal 10 %", lognormal, 0, 10, 0.10, 0, true},
        {"lognormal 5 %, C", lognormal, 1, 30, 0.05, 0, false},
        {"outliers", with_outliers, 0, 10, 0.05, 0, true},
        {"b at its bound", gaussian, 2, 10, 0.05, 0, false},
        {"c at its bound", gaussian, 3, 10, 0.05, 0, false},
        {"one wave a cell", gaussian, 0, 1, 0.05, 0, true},
        {"cells 5 % off", gaussian, 0, 10, 0.05, 0.05, false},
    };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int method = rows[i].paper ? 0 : 1; method < 2; method++) {
            static const int told[] = {TAN_L, TAN_A, TAN_B, TAN_C2, TAN_C0};
            int held[COUNT(told)] = {0};
            int all = 0;
            make(&s, (enum tan_method)method, cases[rows[i].truth]);
            for (int repetition = 0; repetition < repetitions; repetition++) {
                measure(&s, rows[i].waves, rows[i].noise, rows[i].sigma, rows[i].between, rng);
                struct tan_fit_input input = input_of(&s, 300);
                input.seed = (uint64_t)repetition;
                struct tan_fit f = fit(&input);
                bool every = true;
                for (size_t k = 0; k < COUNT(told); k++) {
                    const bool in = inside(&f, told[k], s.value[told[k]]);
                    held[k] += in;
                    every = every && in;
                }
                all += every;
                tan_fit_clear(&f);
            }
            print_message("%-18s %s: L %5.1f a %5.1f b %5.1f c %5.1f C %5.1f, all %5.1f %%\n",
                          rows[i].name, tan_method_name(s.method), held[0] * 100.0 / repetitions,
                          held[1] * 100.0 / repetitions, held[2] * 100.0 / repetitions,
                          held[3] * 100.0 / repetitions, held[4] * 100.0 / repetitions,
                          all * 100.0 / repetitions);
            for (size_t k = 0; k < COUNT(told); k++) {
                assert_true(held[k] >= least);
            }
            assert_true(all >= least);
        }
    }
    gsl_rng_free(rng);
}

/* Scatter between cells that their waves do not show must widen the intervals. */
TEST(lack_of_fit_widens)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    double width[2];
    for (int rough = 0; rough < 2; rough++) {
        make(&s, TAN_METHOD_JOINT, table_1);
        measure(&s, 20, gaussian, 0.01, rough ? 0.1 : 0, rng);
        const struct tan_fit_input input = input_of(&s, 500);
        struct tan_fit f = fit(&input);
        width[rough] = f.params.ci95[TAN_C2].high - f.params.ci95[TAN_C2].low;
        assert_int_equal(notes_say(&f, "the intervals are widened"), rough);
        if (rough) {
            assert_close(f.scatter[TAN_CHAIN], 0.1, 0.05);
            assert_close(f.scatter[TAN_NTO1], 0.1, 0.05);
        } else {
            assert_true(f.scatter[TAN_CHAIN] < 0.005);
        }
        tan_fit_clear(&f);
    }
    assert_true(width[1] > 5 * width[0]);
    gsl_rng_free(rng);
}

/* Curves that ask for negative coefficients get the best one without, and a note. */
TEST(keeps_bounds)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    const double bent[TAN_PARAMS] = {98e-6, 49.3e-6, 20e-6, -0.02e-6, 0, -50e-6};
    make(&s, TAN_METHOD_JOINT, bent);
    measure(&s, 5, none, 0, 0, rng);
    struct tan_fit_input input = input_of(&s, 200);
    struct tan_fit f = fit(&input);
    assert_true(f.params.value[TAN_C2] == 0 && f.params.value[TAN_C0] == 0);
    assert_true(f.at_bound[TAN_C2] && f.at_bound[TAN_C0]);
    assert_false(f.at_bound[TAN_B]);
    assert_true(notes_say(&f, "c is at its bound 0"));
    assert_true(notes_say(&f, "C is at its bound 0"));
    tan_fit_clear(&f);

    /* A latency longer than a hop: a has nothing left. */
    make(&s, TAN_METHOD_JOINT, table_1);
    measure(&s, 5, none, 0, 0, rng);
    input = input_of(&s, 200);
    input.n_latency = 0;
    input.L = 250e-6;
    f = fit(&input);
    assert_true(f.at_bound[TAN_A]);
    assert_true(notes_say(&f, "a is at its bound 0"));
    tan_fit_clear(&f);
    gsl_rng_free(rng);
}

/* The wave times that the parameters of a fit predict. */
static double predicted(const struct tan_fit *f, enum tan_experiment experiment, double size)
{
    struct synthetic s = {.method = f->params.method};
    for (int p = 0; p < TAN_PARAMS; p++) {
        s.value[p] = f->params.value[p];
    }
    return truth(&s, experiment, size);
}

static void assert_doubts(const struct tan_fit *f, const char *wanted)
{
    char *text = tan_doubts_text(&f->doubts, TAN_DOUBT);
    assert_string_equal(text, wanted);
    free(text);
}

TEST(without_latency)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    make(&s, TAN_METHOD_JOINT, cases[1]);
    measure(&s, 3, none, 0, 0, rng);
    struct tan_fit_input input = input_of(&s, 200);
    input.n_latency = 0;
    struct tan_fit f = fit(&input);
    assert_false(f.identifiable[TAN_L]);
    assert_false(f.identifiable[TAN_A]);
    assert_true(f.identifiable[TAN_B] && f.identifiable[TAN_C2] && f.identifiable[TAN_C0]);
    assert_true(f.params.value[TAN_L] == 0);
    assert_close(f.params.value[TAN_A], (98e-6 + 2 * 49.3e-6) / 2, 1e-12);
    /* Any split of L + 2a agrees with the data: L may be nearly all of it, and so may 2a. */
    assert_true(f.params.ci95[TAN_L].low < 10e-6 && f.params.ci95[TAN_L].high > 185e-6);
    assert_true(f.params.ci95[TAN_A].low < 5e-6 && f.params.ci95[TAN_A].high > 92e-6);
    assert_true(f.params.unidentified[TAN_L] && !f.params.unidentified[TAN_A]);
    assert_true(notes_say(&f, "only L + 2a is known, the time of a hop, and"));
    assert_doubts(&f, "");
    for (int size = 1; size < 1000; size *= 3) {
        for (int x = 0; x < 2; x++) {
            const double time = truth(&s, (enum tan_experiment)x, size);
            assert_close(predicted(&f, (enum tan_experiment)x, size), time, 1e-8 * time);
        }
    }
    tan_fit_clear(&f);

    s.method = TAN_METHOD_PAPER;
    input.method = TAN_METHOD_PAPER;
    f = fit(&input);
    assert_false(f.identifiable[TAN_A] || f.identifiable[TAN_B]);
    assert_doubts(&f, "method paper needs a latency");
    tan_fit_clear(&f);
    gsl_rng_free(rng);
}

/* Too few sizes of either experiment: which parameters cannot be told, and no NaN. */
TEST(too_few_sizes)
{
    static const struct {
        size_t chains, nto1s;
        bool a, b, C; /* identifiable by the joint method */
        const char *note, *doubts;
    } rows[] = {
        {4, 4, true, true, true, NULL, ""},
        {3, 9, false, true, false, "fewer than 4 different chain heights (3)", "too few chains"},
        {1, 9, false, true, false, "fewer than 4 different chain heights (1)", "too few chains"},
        {0, 9, false, true, false, "without chains", "too few chains"},
        {10, 3, true, false, true, "fewer than 4 different fanouts (3)", "too few N-to-1 trees"},
        {10, 1, true, false, true, "fewer than 4 different fanouts (1)", "too few N-to-1 trees"},
        {10, 0, true, false, true, "without N-to-1", "too few N-to-1 trees"},
        {1, 1, false, false, false, "fewer than 4 different fanouts (1)",
         "too few chains; too few N-to-1 trees"},
        {0, 1, false, false, false, "without chains", "too few chains; too few N-to-1 trees"},
        {1, 0, false, false, false, "without N-to-1", "too few chains; too few N-to-1 trees"},
    };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int method = 0; method < 2; method++) {
            for (size_t waves = 1; waves < 12; waves += 5) {
                const bool joint = method == TAN_METHOD_JOINT;
                make(&s, (enum tan_method)method, table_1);
                s.n = 0;
                add_cells(&s, TAN_CHAIN, heights, rows[i].chains);
                add_cells(&s, TAN_NTO1, fanouts, rows[i].nto1s);
                measure(&s, waves, gaussian, 0.02, 0, rng);
                const struct tan_fit_input input = input_of(&s, 100);
                struct tan_fit f = fit(&input);
                const bool b = rows[i].b && (joint || rows[i].a);
                assert_true(f.identifiable[TAN_L]);
                assert_int_equal(f.identifiable[TAN_A], rows[i].a);
                assert_int_equal(f.identifiable[TAN_B], b);
                assert_int_equal(f.identifiable[TAN_C2], b);
                assert_int_equal(f.identifiable[TAN_C0], rows[i].C);
                for (int p = 0; p < TAN_PARAMS; p++) {
                    const struct tan_interval ci = f.params.ci95[p];
                    assert_true(ci.low > ci.high || ci.low >= 0);
                    /* What is not identifiable has the range that agrees with the data. */
                    const bool growth = p == TAN_B || p == TAN_C2;
                    if (joint && growth && !f.identifiable[p]) {
                        assert_true(ci.low <= s.value[p] && s.value[p] <= ci.high);
                    }
                    if (joint && rows[i].nto1s == 0 && growth) {
                        assert_true(f.params.unidentified[p]);
                        assert_true(f.params.value[p] == (p == TAN_B ? f.params.value[TAN_A] : 0));
                    }
                }
                if (rows[i].note != NULL) {
                    assert_true(notes_say(&f, rows[i].note));
                }
                if (joint && !(f.r2_chain < 0.8) && !(f.r2_nto1 < 0.8)) {
                    assert_doubts(&f, rows[i].doubts);
                }
                /* What was measured is predicted, whatever the parameters mean. */
                if (joint || rows[i].chains > 0) {
                    const struct tan_observation *last = &s.cell[s.n - 1];
                    const double time = truth(&s, last->experiment, (double)last->size);
                    assert_close(predicted(&f, last->experiment, (double)last->size), time,
                                 0.2 * time);
                }
                tan_fit_clear(&f);
            }
        }
    }
    gsl_rng_free(rng);
}

/* Whether a fit of the waves doubts something of that kind, and nothing else. */
static void assert_one_doubt(const struct synthetic *s, const char *what)
{
    const struct tan_fit_input input = input_of(s, 20);
    struct tan_fit f = fit(&input);
    char *text = tan_doubts_text(&f.doubts, TAN_DOUBT);
    print_message("%s: %s\n", what, text);
    free(text);
    assert_int_equal(f.doubts.n, what[0] == '\0' ? 0 : 1);
    assert_string_equal(what[0] == '\0' ? "" : f.doubts.row[0].kind, what);
    tan_fit_clear(&f);
}

static void scale(struct synthetic *s, size_t cell, double factor)
{
    for (size_t k = 0; k < s->cell[cell].n; k++) {
        s->waves[cell][k] *= factor;
    }
}

/* A ping-pong that takes as many times longer than a hop of the chains as it says. */
TEST(doubts_a_latency_that_contradicts_the_chains)
{
    static const struct {
        double factor;
        const char *what;
    } rows[] = {{1.2, ""}, {1.7, ""}, {2.4, "latency"}, {12, "latency"}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int method = 0; method <= TAN_METHOD_JOINT; method++) {
            make(&s, (enum tan_method)method, table_1);
            measure(&s, 30, lognormal, 0.05, 0, rng);
            const double hop = s.value[TAN_L] + 2 * s.value[TAN_A];
            for (size_t k = 0; k < LATENCIES; k++) {
                s.latency[k] *= rows[i].factor * hop / s.value[TAN_L];
            }
            const struct tan_fit_input input = input_of(&s, 20);
            struct tan_fit f = fit(&input);
            const struct tan_doubt *found = tan_doubts_find(&f.doubts, "latency");
            assert_int_equal(found != NULL, *rows[i].what != '\0');
            if (found != NULL) {
                assert_close(found->amount, 1 / rows[i].factor, 0.1 / rows[i].factor);
                assert_non_null(strstr(found->text, "contradicts the chains, where a hop takes "));
            }
            tan_fit_clear(&f);
        }
    }
    gsl_rng_free(rng);
}

/* Seven blocks of ping-pongs, one of which takes three times as long: the mean would be 29 % too
 * long. */
TEST(bears_a_disturbed_block)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    for (int method = 0; method <= TAN_METHOD_JOINT; method++) {
        make(&s, (enum tan_method)method, table_1);
        measure(&s, 30, lognormal, 0.01, 0, rng);
        for (size_t k = 0; k < LATENCIES / 7; k++) {
            s.latency[k] *= 3;
        }
        const struct tan_fit_input input = input_of(&s, 200);
        struct tan_fit f = fit(&input);
        assert_close(f.params.value[TAN_L], s.value[TAN_L], 0.005 * s.value[TAN_L]);
        assert_close(f.params.value[TAN_A], s.value[TAN_A], 0.01 * s.value[TAN_A]);
        assert_int_equal(f.doubts.n, 0);
        tan_fit_clear(&f);
    }
    gsl_rng_free(rng);
}

/* Over a slow network a hop takes 19.6 ms, all of it latency, and the only block of ping-pongs was
 * disturbed throughout: the chains know better. Their fit does not suffer. */
TEST(takes_latency_from_the_chains)
{
    const double slow[TAN_PARAMS] = {19.6e-3, 0, 10.5e-3, 0, 0, 0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    for (int method = 0; method <= TAN_METHOD_JOINT; method++) {
        make(&s, (enum tan_method)method, slow);
        measure(&s, 9, lognormal, 0.01, 0, rng);
        for (size_t k = 0; k < LATENCIES; k++) {
            s.latency[k] *= 27.0 / 19.6;
        }
        const struct tan_fit_input input = input_of(&s, 400);
        struct tan_fit f = fit(&input);
        assert_close(f.params.value[TAN_L], 19.6e-3, 0.2e-3);
        assert_close(f.params.value[TAN_A], 0, 0);
        assert_true(f.params.r2 > 0.99);
        assert_true(inside(&f, TAN_L, 19.6e-3));
        assert_true(f.params.ci95[TAN_L].high < 20.2e-3);
        assert_close(f.params.draws[TAN_L], 19.6e-3, 0.4e-3);
        assert_true(notes_say(&f, "the ping-pong took longer than a hop"));
        tan_fit_clear(&f);
    }
    gsl_rng_free(rng);
}

/* One fault each, in data that are not doubted without it. */
TEST(doubts_what_is_bad)
{
    enum { NTO1_16 = COUNT(heights) + 4, CHAIN_8 = 5, SEEDS = 20 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    for (int seed = 0; seed < SEEDS; seed++) {
        make(&s, TAN_METHOD_JOINT, table_1);
        measure(&s, 30, lognormal, 0.1, 0.03, rng);
        assert_one_doubt(&s, "");
    }
    scale(&s, NTO1_16, 2);
    assert_one_doubt(&s, "outlier");
    scale(&s, NTO1_16, 0.5);
    scale(&s, CHAIN_8, 0.4);
    assert_one_doubt(&s, "outlier");

    make(&s, TAN_METHOD_JOINT, table_1);
    measure(&s, 30, lognormal, 0.1, 0.03, rng);
    for (size_t i = 0; i < s.n; i++) {
        for (size_t k = 0; k < 13; k++) {
            s.waves[i][k] *= 6; /* 64 times as long messages, say */
        }
    }
    const struct tan_fit_input mixed = input_of(&s, 20);
    struct tan_fit f = fit(&mixed);
    assert_string_equal(f.doubts.row[0].kind, "two-groups");
    assert_int_equal(f.doubts.row[0].touches, TAN_TOUCHES_ALL);
    tan_fit_clear(&f);

    make(&s, TAN_METHOD_JOINT, table_1);
    measure(&s, 30, lognormal, 0.1, 0.45, rng);
    const struct tan_fit_input input = input_of(&s, 20);
    f = fit(&input);
    assert_true(f.doubts.n > 0);
    tan_fit_clear(&f);
    gsl_rng_free(rng);
}

/* Waves of two sizes, say: how many topologies and waves it takes, and how far they must be apart.
 */
TEST(two_groups)
{
    static const struct {
        size_t topologies, waves; /* those of the second group, of 18 and 20 */
        double factor;
        bool found;
    } rows[] = {
        {18, 8, 1.25, true}, {18, 8, 1.15, false}, {9, 8, 2.0, false},  {10, 8, 2.0, true},
        {18, 4, 2.0, true},  {18, 3, 2.0, false},  {18, 16, 2.0, true}, {18, 17, 2.0, false},
    };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    for (size_t row = 0; row < COUNT(rows); row++) {
        make(&s, TAN_METHOD_JOINT, table_1);
        measure(&s, 20, gaussian, 0.001, 0, rng);
        s.n = 18;
        for (size_t i = 0; i < rows[row].topologies; i++) {
            for (size_t k = 0; k < rows[row].waves; k++) {
                s.waves[i][k] *= rows[row].factor;
            }
        }
        const struct tan_fit_input input = input_of(&s, 0);
        struct tan_fit f = fit(&input);
        assert_int_equal(tan_doubts_find(&f.doubts, "two-groups") != NULL, rows[row].found);
        tan_fit_clear(&f);
    }
    gsl_rng_free(rng);
}

/* The prediction for chain `out` by the line through the others, and the two-sided probability that
 * it is that far off by chance, times the number of chains. */
static double predict_chain(const double *wave, size_t n, size_t out, double *chance)
{
    double sum = 0, x = 0, y = 0, xx = 0, xy = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double w = i != out, h = (double)(i + 1);
        sum += w;
        x += w * h;
        y += w * wave[i];
        xx += w * h * h;
        xy += w * h * wave[i];
    }
    const double spread = xx - x * x / sum, slope = (xy - x * y / sum) / spread;
    const double at = (double)(out + 1) - x / sum, freedom = sum - 2;
    for (size_t i = 0; i < n; i++) {
        const double off = wave[i] - y / sum - slope * ((double)(i + 1) - x / sum);
        squares += i != out ? off * off : 0;
    }
    const double predicted = y / sum + slope * at;
    const double t =
        fabs(wave[out] - predicted) / sqrt(squares / freedom * (1 + 1 / sum + at * at / spread));
    *chance = 2 * gsl_cdf_tdist_Q(t, freedom) * (double)n;
    return predicted;
}

/* A chain is doubted if it lies 20 % off what all others say, and by chance one of all would do so
 * in one case of a thousand. */
TEST(doubts_one_chain)
{
    enum { N = 10, OUT = 6 };
    static const double pattern[N] = {1, -1, 0.5, -0.7, 0.3, 0, 0.8, -1, 0.6, -0.5};
    int near_level = 0, near_off = 0;
    for (int i = 0; i < 4000; i++) {
        const double noise = 1e-6 * (i % 40 + 0.1) / 8, factor = 1 + 0.01 * (double)(i / 40);
        struct tan_observation cell[N];
        double wave[N], chance;
        for (size_t k = 0; k < N; k++) {
            wave[k] = 20e-6 + 10e-6 * (double)(k + 1) + noise * pattern[k];
            wave[k] *= k == OUT ? factor : 1;
            cell[k] = (struct tan_observation){
                .experiment = TAN_CHAIN, .size = (int64_t)k + 1, .waves = &wave[k], .n = 1};
        }
        const struct tan_fit_input input = {
            .observations = cell, .n_observations = N, .L = NAN, .method = TAN_METHOD_PAPER};
        struct tan_fit f = fit(&input);
        const double off = wave[OUT] / predict_chain(wave, N, OUT, &chance) - 1;
        at_row("%d: %.3f off, chance %g", i, off, chance);
        assert_int_equal(tan_doubts_find(&f.doubts, "outlier") != NULL,
                         off > 0.2 && chance < 0.001);
        near_off += chance < 0.001 && fabs(off - 0.2) < 0.02;
        near_level += off > 0.2 && fabs(log(chance / 0.001)) < 0.5;
        tan_fit_clear(&f);
    }
    assert_true(near_off > 10 && near_level > 10);
}

TEST(draws_and_seeds)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    make(&s, TAN_METHOD_JOINT, table_1);
    measure(&s, 10, gaussian, 0.05, 0, rng);
    struct tan_fit_input input = input_of(&s, 1000);
    struct tan_fit one = fit(&input);
    struct tan_fit two = fit(&input);
    assert_int_equal(one.params.n_draws, TAN_FIT_DRAWS);
    const size_t size = TAN_FIT_DRAWS * TAN_PARAMS * sizeof(double);
    assert_memory_equal(one.params.draws, two.params.draws, size);
    assert_memory_equal(one.params.ci95, two.params.ci95, sizeof one.params.ci95);
    double mean = 0;
    for (int i = 0; i < TAN_FIT_DRAWS; i++) {
        for (int p = 0; p < TAN_PARAMS; p++) {
            assert_true(one.params.draws[i * TAN_PARAMS + p] >= 0);
        }
        mean += one.params.draws[i * TAN_PARAMS + TAN_C2] / TAN_FIT_DRAWS;
    }
    assert_close(mean, one.params.value[TAN_C2], 0.01e-6);
    input.seed = 2;
    tan_fit_clear(&two);
    two = fit(&input);
    assert_memory_not_equal(one.params.draws, two.params.draws, size);
    for (int p = 0; p < TAN_PARAMS; p++) {
        assert_close(one.params.value[p], two.params.value[p], 1e-3 * table_1[TAN_A]);
    }
    tan_fit_clear(&one);
    tan_fit_clear(&two);
    input.bootstrap = 0;
    one = fit(&input);
    assert_null(one.params.draws);
    assert_true(one.params.ci95[TAN_A].low > one.params.ci95[TAN_A].high);
    tan_fit_clear(&one);
    gsl_rng_free(rng);
}

TEST(sets_outliers_aside)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    make(&s, TAN_METHOD_JOINT, table_1);
    measure(&s, 20, gaussian, 0.001, 0, rng);
    s.waves[0][3] = 1;
    s.waves[4][0] = 1;
    s.latency[7] = 1;
    const struct tan_fit_input input = input_of(&s, 0);
    struct tan_fit f = fit(&input);
    assert_true(notes_say(&f, "outliers set aside: 2 waves"));
    assert_close(f.params.value[TAN_L], 98e-6, 0.1e-6);
    assert_close(f.params.value[TAN_A], 49.3e-6, 0.1e-6);
    tan_fit_clear(&f);
    gsl_rng_free(rng);
}

/* Recorded where ranks slept past their messages: what such waves take off the medians of the
 * others is less than those. */
TEST(bears_waves_a_thousand_times_as_long)
{
    static const struct {
        enum tan_experiment experiment;
        int size;
        double us[10];
    } rows[] = {
        {TAN_CHAIN, 1, {10087, 10069.4, 10057.8, 63.6, 106.2, 57, 102.8, 55.8, 102.8, 60.8}},
        {TAN_CHAIN, 2, {10079.4, 10087.6, 169.9, 158.3, 106.4, 162.8, 108.3, 108.4, 106.1, 106.6}},
        {TAN_CHAIN, 3, {110.9, 216.1, 159.1, 159.4, 157.9, 158.6, 163, 157.9, 158.4, 163.3}},
        {TAN_CHAIN, 4, {316.5, 270.3, 218.2, 267, 261.6, 218.5, 263.9, 264.4, 278, 372.1}},
        {TAN_NTO1, 2, {6.1, 4.3, 4.1, 3.6, 10, 7.4, 9, 9.2, 3.7, 5.3}},
        {TAN_NTO1, 3, {7.5, 18.1, 12.1, 11.7, 5.2, 7, 12.8, 7.2, 8.2, 6.2}},
        {TAN_NTO1, 4, {10094.5, 306.9, 10059, 122.9, 95.5, 169.9, 212.3, 157.2, 118.5, 169.8}},
    };
    static double waves[COUNT(rows)][10];
    struct tan_observation cells[COUNT(rows)];
    double latency[] = {0.6, 0.5, 0.7, 0.6, 0.6, 2.1, 0.6, 0.6, 0.8, 1.4};
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (size_t k = 0; k < 10; k++) {
            waves[i][k] = rows[i].us[k] * 1e-6;
        }
        cells[i] = (struct tan_observation){
            .experiment = rows[i].experiment, .size = rows[i].size, .waves = waves[i], .n = 10};
    }
    for (size_t i = 0; i < COUNT(latency); i++) {
        latency[i] *= 1e-6;
    }
    const struct tan_fit_input input = {.method = TAN_METHOD_JOINT,
                                        .observations = cells,
                                        .n_observations = COUNT(rows),
                                        .latency = latency,
                                        .n_latency = COUNT(latency),
                                        .L = NAN,
                                        .bytes = 1024,
                                        .bootstrap = 200,
                                        .seed = 1};
    struct tan_fit f = fit(&input);
    for (int i = 0; i < f.params.n_draws * TAN_PARAMS; i++) {
        assert_true(isfinite(f.params.draws[i]));
    }
    assert_true(f.params.value[TAN_L] + 2 * f.params.value[TAN_A] > 10e-6);
    tan_fit_clear(&f);
}

TEST(refuses)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct synthetic s;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_fit f;
    make(&s, TAN_METHOD_JOINT, table_1);
    measure(&s, 2, none, 0, 0, rng);
    struct tan_fit_input input = input_of(&s, 10);
    input.n_observations = 0;
    assert_int_equal(tan_fit(&input, &f, &e), -1);
    assert_error(e, TAN_FAILED, "nothing to fit");
    input = input_of(&s, 10);
    input.n_latency = 0;
    input.L = -1;
    assert_int_equal(tan_fit(&input, &f, &e), -1);
    assert_error(e, TAN_FAILED, "latency");
    input = input_of(&s, 10);
    s.latency[3] = 0;
    assert_int_equal(tan_fit(&input, &f, &e), -1);
    assert_error(e, TAN_FAILED, "latency sample");
    s.latency[3] = 98e-6;
    s.waves[2][1] = -1e-6;
    assert_int_equal(tan_fit(&input, &f, &e), -1);
    assert_error(e, TAN_FAILED, "wave time must be greater than 0");
    s.waves[2][1] = NAN;
    assert_int_equal(tan_fit(&input, &f, &e), -1);
    assert_error(e, TAN_FAILED, "sample 2 is not a finite number");
    s.waves[2][1] = 1e-4;
    s.cell[2].n = 0;
    assert_int_equal(tan_fit(&input, &f, &e), -1);
    assert_error(e, TAN_FAILED, "no samples");
    s.cell[2].n = 2;
    s.cell[2].size = 0;
    assert_int_equal(tan_fit(&input, &f, &e), -1);
    assert_error(e, TAN_FAILED, "size of at least 1");
    gsl_rng_free(rng);
}

/* Trees within a host of four: c and C are those between hosts, L, a and b are fitted, each within
 * 5 % although there are three heights and two fanouts. */
TEST(takes_over_what_is_known)
{
    enum { DRAWS = 2 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct tan_params known = {.value = {200e-6, 20e-6, 6e-6, 0.2e-6, 0, 3e-6}};
    double draws[DRAWS * TAN_PARAMS];
    double waves[5][MOST_WAVES];
    double latency[LATENCIES];
    const double level = 20e-6; /* 10 + 2 * 5, b 2 */
    const double wave[5] = {level + 3e-6, 2 * level + 3e-6, 3 * level + 3e-6,
                            level + 3e-6 + 2e-6 + 3 * 0.2e-6, level + 3e-6 + 4e-6 + 8 * 0.2e-6};
    static const int64_t size[5] = {1, 2, 3, 2, 3};
    struct tan_observation cell[5];
    for (int d = 0; d < DRAWS; d++) {
        for (int p = 0; p < TAN_PARAMS; p++) {
            draws[d * TAN_PARAMS + p] = known.value[p] * (d == 0 ? 0.9 : 1.1);
        }
    }
    known.draws = draws;
    known.n_draws = DRAWS;
    known.ci95[TAN_C2] = (struct tan_interval){0.18e-6, 0.22e-6};
    known.unidentified[TAN_C0] = true;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < MOST_WAVES; k++) {
            waves[i][k] = wave[i] * exp(gsl_ran_gaussian(rng, 0.01));
        }
        cell[i] = (struct tan_observation){.experiment = i < 3 ? TAN_CHAIN : TAN_NTO1,
                                           .size = size[i],
                                           .waves = waves[i],
                                           .n = MOST_WAVES};
    }
    for (int k = 0; k < LATENCIES; k++) {
        latency[k] = 10e-6 * exp(gsl_ran_gaussian(rng, 0.01));
    }
    const struct tan_fit_input input = {.observations = cell,
                                        .n_observations = 5,
                                        .latency = latency,
                                        .n_latency = LATENCIES,
                                        .method = TAN_METHOD_JOINT,
                                        .known = &known,
                                        .bootstrap = 400,
                                        .seed = 1};
    struct tan_fit f = fit(&input);
    const double *v = f.params.value;
    print_message("L %.3f a %.3f b %.3f us\n", v[TAN_L] * 1e6, v[TAN_A] * 1e6, v[TAN_B] * 1e6);
    assert_close(v[TAN_L], 10e-6, 0.5e-6);
    assert_close(v[TAN_A], 5e-6, 0.25e-6);
    assert_close(v[TAN_B], 2e-6, 0.1e-6);
    assert_close(v[TAN_C2], 0.2e-6, 0);
    assert_close(v[TAN_C0], 3e-6, 0);
    assert_true(inside(&f, TAN_A, 5e-6) && inside(&f, TAN_B, 2e-6));
    assert_true(f.params.ci95[TAN_A].high < 6e-6 && f.params.ci95[TAN_B].high < 3e-6);
    assert_close(f.params.ci95[TAN_C2].high, 0.22e-6, 0);
    assert_true(f.params.unidentified[TAN_C0] && !f.params.unidentified[TAN_C2]);
    for (int d = 0; d < 4; d++) { /* as in the known draws */
        assert_close(f.params.draws[d * TAN_PARAMS + TAN_C0], draws[d % 2 * TAN_PARAMS + TAN_C0],
                     0);
    }
    assert_int_equal(f.doubts.n, 0);
    tan_fit_clear(&f);
    gsl_rng_free(rng);
}

RUN_TESTS(NULL, NULL)
