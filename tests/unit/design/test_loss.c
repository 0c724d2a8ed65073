/* test_loss.c - designs from calibrations with known truth: coverage of intervals and bounds
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_randist.h>
#include <stdlib.h>

#include "design/choice/design.h"
#include "model/fit/fit.h"

enum { MOST_CELLS = 24, MOST_WAVES = 30, LATENCIES = 100 };

static const int heights[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
static const int fanouts[] = {1, 2, 4, 8, 16, 32, 64, 96, 128};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A machine and one calibration of it. */
struct calibration {
    struct tan_params truth;
    struct tan_observation cell[MOST_CELLS];
    double waves[MOST_CELLS][MOST_WAVES];
    double latency[LATENCIES];
    size_t n;
};

static double log_uniform(gsl_rng *rng, double low, double high)
{
    return low * exp(gsl_rng_uniform(rng) * log(high / low));
}

/* From memory on one host to TCP between hosts; per child from a hundredth of a level to half. */
static void make_truth(struct tan_params *truth, gsl_rng *rng)
{
    *truth = (struct tan_params){.method = TAN_METHOD_JOINT, .bytes = 1024};
    truth->value[TAN_L] = log_uniform(rng, 1e-6, 200e-6);
    truth->value[TAN_A] = truth->value[TAN_L] * log_uniform(rng, 0.1, 2);
    const double level = truth->value[TAN_L] + 2 * truth->value[TAN_A];
    truth->value[TAN_B] = level * log_uniform(rng, 0.002, 0.3);
    truth->value[TAN_C2] =
        gsl_rng_uniform(rng) < 0.3 ? 0 : truth->value[TAN_B] * log_uniform(rng, 0.001, 0.3);
    truth->value[TAN_C0] = gsl_rng_uniform(rng) < 0.5 ? 0 : level * gsl_rng_uniform(rng);
}

/* How many sizes of an experiment a calibration has. */
struct coverage {
    const char *name;
    size_t least_chains, least_nto1s;
    double share; /* of the sizes, at least; at most 0.6 more */
    double most_doubted;
};

/* Waves of some of the `sizes`, at least `least` of them. */
static void measure(struct calibration *c, enum tan_experiment experiment, const int *sizes,
                    size_t n_sizes, size_t least, double share, const double noise[2], gsl_rng *rng)
{
    const size_t waves = 5 + gsl_rng_uniform_int(rng, MOST_WAVES - 4);
    const double kept = share + 0.6 * gsl_rng_uniform(rng);
    for (size_t i = 0, left = n_sizes; i < n_sizes; i++, left--) {
        const bool needed = left <= least;
        if (!needed && gsl_rng_uniform(rng) > kept) {
            continue;
        }
        least -= least > 0;
        const bool chain = experiment == TAN_CHAIN;
        const double level =
            tan_level_cost(&tan_models[TAN_MODEL_TAN], &c->truth, chain ? 1 : sizes[i], 1, 0);
        const double wave = c->truth.value[TAN_C0] + (chain ? sizes[i] * level : level);
        const double time = wave * (1 + gsl_ran_gaussian(rng, noise[1]));
        for (size_t k = 0; k < waves; k++) {
            c->waves[c->n][k] = time * gsl_ran_lognormal(rng, 0, noise[0]);
        }
        c->cell[c->n] = (struct tan_observation){
            .experiment = experiment, .size = sizes[i], .waves = c->waves[c->n], .n = waves};
        c->n++;
    }
}

/* Noise of 1 to 15 % a wave, and of 0.1 to 4 % that all waves of a topology share. */
static void calibrate(struct calibration *c, const struct coverage *of, gsl_rng *rng)
{
    const double noise[2] = {log_uniform(rng, 0.01, 0.15), log_uniform(rng, 0.001, 0.04)};
    *c = (struct calibration){.n = 0};
    make_truth(&c->truth, rng);
    measure(c, TAN_CHAIN, heights, COUNT(heights), of->least_chains, of->share, noise, rng);
    measure(c, TAN_NTO1, fanouts, COUNT(fanouts), of->least_nto1s, of->share, noise, rng);
    for (size_t i = 0; i < LATENCIES; i++) {
        c->latency[i] = c->truth.value[TAN_L] * gsl_ran_lognormal(rng, 0, noise[0]);
    }
}

static struct tan_fit fit(const struct calibration *c)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_fit f;
    const struct tan_fit_input input = {.observations = c->cell,
                                        .n_observations = c->n,
                                        .latency = c->latency,
                                        .n_latency = LATENCIES,
                                        .L = NAN,
                                        .method = TAN_METHOD_JOINT,
                                        .bytes = 1024,
                                        .bootstrap = thorough() ? 200 : 100,
                                        .seed = 1};
    tan_fit(&input, &f, &e);
    assert_no_error(e);
    return f;
}

static double best_wave(const struct tan_problem *p, int *height)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_plans plans;
    tan_search(p, 1, &plans, &e);
    assert_no_error(e);
    const double wave = plans.plan[0].wave;
    *height = plans.plan[0].height;
    tan_plans_clear(&plans);
    return wave;
}

/* What came true of the designs. */
struct score {
    int inside;  /* the best tree's true time lies in the interval */
    int bounded; /* the recommended tree's true loss is within its bound */
    int named;   /* the best tree's height is among those that cannot be excluded */
    int undecided, doubted;
};

static void judge(const struct calibration *c, const struct tan_fit *f, int64_t leaves,
                  struct score *score)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_design d;
    int height;
    const struct tan_problem seen = {
        .leaves = leaves, .model = &tan_models[TAN_MODEL_TAN], .params = &f->params};
    struct tan_problem true_problem = seen;
    true_problem.params = &c->truth;
    tan_design(&seen, 5, &d, &e);
    assert_no_error(e);
    const struct tan_choice *choice = &d.choices[0];
    const double best = best_wave(&true_problem, &height);
    const double taken = tan_plan_wave(&choice->plan, &tan_models[TAN_MODEL_TAN], &c->truth);
    bool named = false;
    for (int k = 0; k < d.levels.n; k++) {
        named = named || d.levels.height[k].plan.height == height;
    }
    score->inside += choice->ci95.low <= best && best <= choice->ci95.high;
    score->bounded += taken / best - 1 <= choice->loss + 1e-9;
    score->named += named;
    score->undecided += d.levels.n > 1;
    score->doubted += f->doubts.n > 0;
    tan_design_clear(&d);
}

/* Of the best trees' true times 95 in 100 lie in the intervals of the recommended trees; at most 5
 * in 100 of those lose more than their bounds say, or have a height that was excluded. Also where a
 * calibration has one chain and no N-to-1 tree, but then nearly all are doubted. */
TEST(holds)
{
    static const int64_t leaves[] = {64, 250, 1000, 4096, 20000};
    static const struct coverage rows[] = {{"many sizes", 4, 4, 0.4, 3},
                                           {"few sizes", 1, 0, 0.05, 100}};
    const int n = getenv("TEST_FULL") != NULL ? 600 : 120;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct calibration *c = malloc(sizeof *c);
    for (size_t row = 0; row < COUNT(rows); row++) {
        struct score score = {.inside = 0};
        for (int i = 0; i < n; i++) {
            calibrate(c, &rows[row], rng);
            struct tan_fit f = fit(c);
            judge(c, &f, leaves[i % 5], &score);
            tan_fit_clear(&f);
        }
        const double percent = 100.0 / n;
        print_message("%s: wave in the interval %.1f %%, loss within its bound %.1f %%, height "
                      "named %.1f %%; undecided %.1f %%, doubted %.1f %%\n",
                      rows[row].name, score.inside * percent, score.bounded * percent,
                      score.named * percent, score.undecided * percent, score.doubted * percent);
        assert_true(score.inside * percent >= 92 && score.inside * percent <= 98);
        assert_true(score.bounded * percent >= 95 && score.named * percent >= 95);
        assert_true(score.doubted * percent <= rows[row].most_doubted);
    }
    free(c);
    gsl_rng_free(rng);
}

/* L and b of two draws. Of four leaves, the flat tree takes L + 3 b, 7 and 6, and 2x2 takes
 * 2 L + 2 b, 6 and 8. */
static struct tan_params two_draws(double draws[2 * TAN_PARAMS])
{
    memset(draws, 0, 2 * TAN_PARAMS * sizeof *draws);
    draws[TAN_L] = 1;
    draws[TAN_B] = 2;
    draws[TAN_PARAMS + TAN_L] = 3;
    draws[TAN_PARAMS + TAN_B] = 1;
    struct tan_params params = {.method = TAN_METHOD_JOINT, .draws = draws, .n_draws = 2};
    params.value[TAN_L] = 2;
    params.value[TAN_B] = 1.5;
    return params;
}

TEST(two_draws_by_hand)
{
    struct tan_error e = TAN_ERROR_INIT;
    double draws[2 * TAN_PARAMS];
    const struct tan_params params = two_draws(draws);
    const struct tan_problem problem = {
        .leaves = 4, .model = &tan_models[TAN_MODEL_TAN], .params = &params};
    static const struct {
        int64_t fanout[2];
        int height;
        double most; /* of its two losses, of which the other is 0 */
    } rows[] = {{{4}, 1, 1.0 / 6}, {{2, 2}, 2, 2.0 / 6}};
    struct tan_plans known;
    struct tan_loss loss;
    assert_int_equal(tan_search(&problem, 1, &known, &e), 0);
    assert_int_equal(tan_loss_create(&problem, &known, &loss, &e), 0);
    assert_int_equal(loss.n, 2);
    assert_close(loss.best[0], 6, 1e-12);
    assert_close(loss.best[1], 6, 1e-12);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tan_plan plan;
        struct tan_regret regret;
        tan_plan_levels(&plan, 4, rows[i].fanout, rows[i].height);
        assert_int_equal(tan_loss_regret(&loss, &problem, &plan, &regret, &e), 0);
        assert_close(regret.mean, rows[i].most / 2, 1e-12);
        assert_close(regret.bound, 0.95 * rows[i].most, 1e-12); /* 95 % of the way from 0 */
        assert_close(regret.none, 0.5, 0);
    }
    tan_loss_clear(&loss);
    tan_plans_clear(&known);
}

/* Of the draws above, with at most five processes: no draw is searched, so the flat tree is
 * compared with itself, and takes 7 and 6. */
TEST(only_known_trees_under_a_limit)
{
    struct tan_error e = TAN_ERROR_INIT;
    double draws[2 * TAN_PARAMS];
    const struct tan_params params = two_draws(draws);
    const struct tan_problem problem = {
        .leaves = 4, .model = &tan_models[TAN_MODEL_TAN], .params = &params, .max_processes = 5};
    struct tan_plans known;
    struct tan_loss loss;
    assert_int_equal(tan_search(&problem, 1, &known, &e), 0);
    assert_int_equal(tan_loss_create(&problem, &known, &loss, &e), 0);
    assert_int_equal(loss.plans.n, 1);
    assert_close(loss.best[0], 7, 1e-12);
    assert_close(loss.best[1], 6, 1e-12);
    tan_loss_clear(&loss);
    tan_plans_clear(&known);
}

/* Where a draw has no costs all trees take 0, and the one with the fewest processes is the best:
 * the flat one, though 2x2 is it by the values, and is known. By the other draw the flat tree
 * takes 1. */
TEST(fewest_processes_of_equal_trees)
{
    struct tan_error e = TAN_ERROR_INIT;
    double draws[2 * TAN_PARAMS] = {[TAN_L] = 1};
    struct tan_params params = {.method = TAN_METHOD_JOINT, .draws = draws, .n_draws = 2};
    params.value[TAN_L] = 1;
    params.value[TAN_B] = 2;
    const struct tan_problem problem = {
        .leaves = 4, .model = &tan_models[TAN_MODEL_TAN], .params = &params};
    struct tan_plans known;
    struct tan_loss loss;
    assert_int_equal(tan_search(&problem, 1, &known, &e), 0);
    assert_int_equal(known.plan[0].height, 2);
    assert_int_equal(tan_loss_create(&problem, &known, &loss, &e), 0);
    assert_int_equal(loss.plans.n, 1);
    assert_int_equal(loss.plans.plan[0].height, 1);
    assert_close(loss.share[0], 1, 1e-12);
    /* Each is the best where all are equal, but neither beats the other there. */
    assert_close(tan_loss_beats(&loss, &problem, &loss.plans.plan[0], &known.plan[0]), 0.5, 0);
    assert_close(tan_loss_beats(&loss, &problem, &known.plan[0], &loss.plans.plan[0]), 0, 0);
    tan_loss_clear(&loss);
    tan_plans_clear(&known);
}

RUN_TESTS(NULL, NULL)
