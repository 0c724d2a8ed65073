/* test_validate.c - trees used to judge the models, and judgements of hand-made results
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tests/unit/check.h"
#include "topo/spec.h"

static const double us = 1e-6;

/* --- the plan --- */

static struct plan drawn(uint64_t seed, int64_t shapes, int64_t least, int64_t most)
{
    const struct validation v = {.shapes = shapes, .least_ranks = least, .ranks = most};
    struct plan plan = {.n_cells = 0};
    struct tan_error e = TAN_ERROR_INIT;

    tan_settings_default(&plan.settings);
    plan.settings.seed = seed;
    assert_int_equal(tan_validate_plan(&plan, &v, &e), 0);
    assert_no_error(e);
    return plan;
}

static int32_t processes_of(const char *shape, int64_t leaves)
{
    struct tan_error e = TAN_ERROR_INIT;
    char spec[CELL_SPEC_MAX];

    snprintf(spec, sizeof spec, "%s:%" PRId64, shape, leaves);
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    const int32_t processes = tan_tree_size(tree);
    tan_tree_destroy(tree);
    return processes;
}

/* Random trees first, then the references, then of every named shape the largest that fits. */
TEST(trees_to_judge_by)
{
    enum { SHAPES = 40, LEAST = 6, MOST = 20 };
    static const char *const named[] = {"binary", "binomial", "twolevel",
                                        "kary:4", "kary:8",   "knomial:3"};
    static const char *const references[] = {"chain:5", "chain:19", "nto1:5", "nto1:19"};
    struct plan plan = drawn(3, SHAPES, LEAST, MOST);
    int sizes[MOST + 1] = {0};
    int different = 0;
    int i = 0;

    assert_int_equal(plan.n_cells, SHAPES + 4 + 6);
    for (; i < SHAPES; i++) {
        assert_memory_equal(plan.cells[i].spec, "random:", 7);
        assert_in_range(plan.cells[i].processes, LEAST, MOST);
        different += sizes[plan.cells[i].processes]++ == 0;
    }
    assert_true(different >= 8); /* not all of one size */
    for (int k = 0; k < 4; k++) {
        assert_string_equal(plan.cells[i++].spec, references[k]);
    }
    for (int k = 0; k < 6; k++) {
        const struct cell *cell = &plan.cells[i++];
        assert_memory_equal(cell->spec, named[k], strlen(named[k]));
        assert_in_range(cell->processes, LEAST, MOST);
        assert_true(processes_of(named[k], cell->leaves + 1) > MOST);
    }
    tan_plan_clear(&plan);
}

static bool same_cells(const struct plan *a, const struct plan *b)
{
    bool same = a->n_cells == b->n_cells;

    for (int i = 0; same && i < a->n_cells; i++) {
        same = strcmp(a->cells[i].spec, b->cells[i].spec) == 0;
    }
    return same;
}

TEST(seeds)
{
    struct plan plan = drawn(3, 5, 6, 20);
    struct plan again = drawn(3, 5, 6, 20);
    struct plan other = drawn(4, 5, 6, 20);

    assert_true(same_cells(&plan, &again));
    assert_false(same_cells(&plan, &other));
    tan_plan_clear(&plan);
    tan_plan_clear(&again);
    tan_plan_clear(&other);
}

/* Processes as many as asked for: no range of them, so one reference of each kind. */
TEST(trees_of_one_size)
{
    struct plan plan = drawn(1, 6, 9, 9);
    int chains = 0;

    for (int i = 0; i < plan.n_cells; i++) {
        assert_int_equal(plan.cells[i].processes, 9);
        chains += strcmp(plan.cells[i].spec, "chain:8") == 0;
    }
    assert_int_equal(chains, 1);
    tan_plan_clear(&plan);
}

/* Up to 9 processes, kary:8 is N-to-1, which fits use; of 3 processes every tree is, or a chain. */
TEST(trees_that_fits_use)
{
    struct plan plan = drawn(1, 60, 4, 9);
    int references = 0;

    for (int i = 0; i < plan.n_cells; i++) {
        references += plan.cells[i].height == 1 || plan.cells[i].max_fanout == 1;
        assert_null(strstr(plan.cells[i].spec, "kary:8"));
    }
    assert_int_equal(references, 4);
    assert_int_equal(plan.n_cells, 60 + 4 + 5);
    tan_plan_clear(&plan);
}

TEST(ranges_without_trees)
{
    const struct validation v = {.shapes = 1, .least_ranks = 3, .ranks = 3};
    struct plan plan = {.n_cells = 0};
    struct tan_error e = TAN_ERROR_INIT;

    tan_settings_default(&plan.settings);
    assert_int_equal(tan_validate_plan(&plan, &v, &e), -1);
    assert_error(e, TAN_USAGE, "none with 3 to 3 processes that is neither a chain");
    tan_plan_clear(&plan);
}

/* --- the judgement --- */

/* L = 10, a = 5, b = 2.5: a level of fanout 1 costs 10 + 5 + 2 * 2.5 = 20 us by tan, and any level
 * 15 by logp. */
static const struct tan_machine machine = {
    .tan_known = true,
    .tan = {.method = TAN_METHOD_PAPER, .bytes = 1024, .value = {10e-6, 5e-6, 2.5e-6, 0, 0, 0}}};

/* What cells are called decides what they are for, their trees what is predicted. Waves in us. */
static const struct {
    const char *spec, *tree;
    double wave_us;
} rows[] = {
    {"random:1:1", "chain:1", 27.5}, {"pingpong", NULL, 3},         {"random:1:2", "chain:2", 22},
    {"chain:5", "chain:5", 121},     {"random:1:3", "chain:3", 60}, {"nto1:5", "nto1:5", 30},
    {"random:1:4", "chain:4", 88},   {"binary:2", "chain:2", 44},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct bench {
    struct plan plan;
    struct results results;
    struct result list[ROWS];
};

static struct bench *judged(void)
{
    struct bench *b = calloc(1, sizeof *b);
    struct tan_error e = TAN_ERROR_INIT;

    assert_non_null(b);
    tan_settings_default(&b->plan.settings);
    for (int i = 0; i < ROWS; i++) {
        tan_plan_add(&b->plan, rows[i].tree ? rows[i].tree : rows[i].spec, &e);
        strcpy(b->plan.cells[i].spec, rows[i].spec);
    }
    tan_plan_add_sizes(&b->plan, &e);
    assert_no_error(e);
    for (int i = 0; i < ROWS; i++) {
        b->list[i] =
            (struct result){.cell = &b->plan.cells[i], .tree = b->plan.trees[i], .complete = true};
        b->list[i].round_trip.median = 2 * rows[i].wave_us * us;
        b->list[i].round_trip.median_ci95 = TAN_INTERVAL_UNKNOWN;
    }
    b->list[0].round_trip.median_ci95 = (struct tan_interval){50 * us, 60 * us};
    b->results = (struct results){
        .plan = &b->plan, .machine = &machine, .wait = "park", .list = b->list, .n = ROWS};
    return b;
}

static void end(struct bench *b)
{
    tan_plan_clear(&b->plan);
    free(b);
}

static double number(const json_t *object, const char *key)
{
    assert_true(json_is_number(json_object_get(object, key)));
    return json_number_value(json_object_get(object, key));
}

/* tan says 20, 40, 60, 80 us of trees that took 27.5, 22, 60, 88: errors of -3/11, +9/11, 0 and
 * -1/11. It puts one of the six pairs in the wrong order, and takes the first tree to be the
 * fastest, which takes 27.5/22 as long as the second. That the references took 1.21 times and
 * exactly what it says of them changes no prediction. */
TEST(judgement)
{
    struct bench *b = judged();
    json_t *document = json_object();
    struct tan_json_writer w = {.failed = false};

    tan_validate_set_json(&w, document, &b->results);
    assert_false(w.failed);
    assert_null(json_object_get(document, "slowness"));
    const json_t *models = json_object_get(document, "models");
    const json_t *tan = json_object_get(models, "tan");
    assert_int_equal(number(tan, "trees"), 4);
    assert_close(number(tan, "mean_abs_error"), 13 / 44.0, 1e-6);
    assert_close(number(tan, "median_abs_error"), 2 / 11.0, 1e-6);
    assert_close(number(tan, "worst_abs_error"), 9 / 11.0, 1e-6);
    assert_close(number(tan, "mean_error"), 5 / 44.0, 1e-6);
    assert_close(number(tan, "kendall_tau"), 4 / 6.0, 1e-6);
    assert_close(number(tan, "regret"), 0.25, 1e-6);
    /* 15, 30, 45, 60: -5/11, +4/11, -1/4, -7/22 */
    const json_t *logp = json_object_get(models, "logp");
    assert_close(number(logp, "mean_abs_error"), (20 + 16 + 11 + 14) / 176.0, 1e-6);
    assert_close(number(logp, "regret"), 0.25, 1e-6);
    assert_int_equal(
        number(json_object_get(json_object_get(document, "reference_models"), "tan"), "trees"), 2);
    /* One named tree: no order to tell. */
    const json_t *named = json_object_get(json_object_get(document, "named"), "tan");
    assert_int_equal(number(named, "trees"), 1);
    assert_close(number(named, "mean_error"), -1 / 11.0, 1e-6);
    assert_true(json_is_null(json_object_get(named, "kendall_tau")));
    json_decref(document);
    end(b);
}

/* How long references take changes nothing else. */
TEST(other_references)
{
    struct bench *b = judged();
    json_t *before = json_object();
    json_t *after = json_object();
    struct tan_json_writer w = {.failed = false};

    tan_validate_set_json(&w, before, &b->results);
    for (int i = 0; i < ROWS; i++) {
        if (!strncmp(rows[i].spec, "chain", 5) || !strncmp(rows[i].spec, "nto1", 4)) {
            b->list[i].round_trip.median *= 3;
        }
    }
    tan_validate_set_json(&w, after, &b->results);
    assert_false(w.failed);
    assert_false(json_equal(json_object_get(before, "reference_models"),
                            json_object_get(after, "reference_models")));
    assert_true(json_equal(json_object_get(before, "named"), json_object_get(after, "named")));
    assert_true(json_equal(json_object_get(before, "models"), json_object_get(after, "models")));
    json_decref(before);
    json_decref(after);
    end(b);
}

TEST(table)
{
    struct bench *b = judged();
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    char model[32], trees[32], mean[32], median[32], worst[32], bias[32], tau[32];
    char regret[32];
    int n;

    assert_non_null(to);
    tan_validate_print(&b->results, to);
    fclose(to);
    const char *line = strstr(text, "\ntan ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "%31s %31s %d %31s %% %31s %% %31s %% %31s %% %31s %31s", model,
                            trees, &n, mean, median, worst, bias, tau, regret),
                     9);
    assert_string_equal(trees, "random");
    assert_int_equal(n, 4);
    assert_string_equal(mean, "29.5");
    assert_string_equal(median, "18.2");
    assert_string_equal(worst, "81.8");
    assert_string_equal(bias, "+11.4");
    assert_string_equal(tau, "0.67");
    assert_string_equal(regret, "25.0");
    /* 100 us of 121 and 20 of 20 */
    line = strstr(text, "reference ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "%*s %d %31s", &n, mean), 2);
    assert_int_equal(n, 2);
    assert_string_equal(mean, "8.7");
    free(text);
    end(b);
}

RUN_TESTS(NULL, NULL)
