/* test_plan.c - contents of a run: specs, sizes, order, errors
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/plan.h"

#include <stdlib.h>
#include <unistd.h>

#include "tanbench/plan/calibration_plan.h"
#include "tests/unit/check.h"

/* The cell at this position in the command line. */
static int find_cell(const struct plan *plan, int order)
{
    int i = 0;
    while (plan->cells[i].order != order) {
        i++;
    }
    return i;
}

static struct plan empty(void)
{
    struct plan plan = {.n_cells = 0};

    tan_settings_default(&plan.settings);
    return plan;
}

static struct plan of_specs(const char *const specs[])
{
    struct plan plan = empty();
    struct tan_error e = TAN_ERROR_INIT;

    for (int i = 0; specs[i] != NULL; i++) {
        assert_int_equal(tan_plan_add(&plan, specs[i], &e), 0);
    }
    assert_no_error(e);
    return plan;
}

/* --- cells --- */

/* The root's children are 1 and 4, in place of 1 and 2; what is no tree stays none. */
TEST(trees_by_depth)
{
    static const char *const specs[] = {"levels:2x2", "mpi:4", NULL};
    static const int32_t wanted[] = {-1, 0, 1, 1, 0, 4, 4};
    struct plan plan = of_specs(specs);
    struct tan_error e = TAN_ERROR_INIT;
    int32_t parents[7];
    assert_int_equal(tan_plan_by_depth(&plan, &e), 0);
    tan_tree_parents(plan.trees[0], parents);
    assert_memory_equal(parents, wanted, sizeof wanted);
    assert_null(plan.trees[1]);
    tan_plan_clear(&plan);
}

TEST(cells_of_specs)
{
    static const struct {
        const char *spec;
        enum cell_kind kind;
        int processes, leaves, height, max_fanout;
    } rows[] = {
        {"chain:3", CELL_TREE, 4, 1, 3, 1},      {"nto1:5", CELL_TREE, 6, 5, 1, 5},
        {"levels:2x3", CELL_TREE, 9, 6, 2, 3},   {"mpi:7", CELL_COLLECTIVE, 7, 0, 0, 0},
        {"pingpong", CELL_PINGPONG, 2, 0, 0, 0},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    struct plan plan = empty();
    struct tan_error e = TAN_ERROR_INIT;

    for (int i = 0; i < ROWS; i++) {
        assert_int_equal(tan_plan_add(&plan, rows[i].spec, &e), 0);
        const struct cell *cell = &plan.cells[i];
        assert_int_equal(plan.n_cells, i + 1);
        assert_string_equal(cell->spec, rows[i].spec);
        assert_int_equal(cell->kind, rows[i].kind);
        assert_int_equal(cell->processes, rows[i].processes);
        assert_int_equal(cell->leaves, rows[i].leaves);
        assert_int_equal(cell->height, rows[i].height);
        assert_int_equal(cell->max_fanout, rows[i].max_fanout);
        assert_int_equal(cell->order, i);
        assert_int_equal(plan.trees[i] != NULL, rows[i].kind == CELL_TREE);
    }
    assert_no_error(e);
    assert_int_equal(tan_plan_largest(&plan)->processes, 9);
    tan_plan_clear(&plan);
}

TEST(specs_that_name_nothing)
{
    char long_spec[CELL_SPEC_MAX + 1];
    struct plan plan = empty();
    struct tan_error e = TAN_ERROR_INIT;

    assert_int_equal(tan_plan_add(&plan, "ring:4", &e), -1);
    assert_error(e, TAN_USAGE, "ring");
    assert_int_equal(tan_plan_add(&plan, "mpi:1", &e), -1);
    assert_error(e, TAN_USAGE, "mpi:N");
    assert_int_equal(tan_plan_add(&plan, "mpi", &e), -1);
    assert_error(e, TAN_USAGE, "mpi:N");
    assert_int_equal(tan_plan_add(&plan, "pingpong:2", &e), -1);
    assert_error(e, TAN_USAGE, "pingpong takes no argument");
    memset(long_spec, 'x', CELL_SPEC_MAX);
    long_spec[CELL_SPEC_MAX] = '\0';
    assert_int_equal(tan_plan_add(&plan, long_spec, &e), -1);
    assert_error(e, TAN_USAGE, "at most 511 characters");
    assert_int_equal(plan.n_cells, 0);
    tan_plan_clear(&plan);
}

/* A cell for each topology and size; `order` counts sizes within topologies. */
TEST(cells_of_sizes)
{
    static const char *const specs[] = {"chain:2", "nto1:3", NULL};
    struct plan plan = of_specs(specs);
    struct tan_error e = TAN_ERROR_INIT;

    plan.settings.n_sizes = 3;
    for (int k = 0; k < 3; k++) {
        plan.settings.sizes[k] = 8 << k;
    }
    assert_int_equal(tan_plan_add_sizes(&plan, &e), 0);
    assert_no_error(e);
    assert_int_equal(plan.n_cells, 6);
    for (int order = 0; order < 6; order++) {
        const struct cell *cell = &plan.cells[find_cell(&plan, order)];
        assert_int_equal(cell->order, order);
        assert_string_equal(cell->spec, specs[order / 3]);
        assert_int_equal(cell->bytes, 8 << order % 3);
    }
    tan_plan_clear(&plan);
}

/* --- order --- */

enum { SHUFFLED = 24 };

static struct plan many(uint64_t seed)
{
    struct plan plan = empty();
    struct tan_error e = TAN_ERROR_INIT;

    plan.settings.seed = seed;
    for (int i = 0; i < SHUFFLED; i++) {
        char spec[16];
        snprintf(spec, sizeof spec, "nto1:%d", i + 1);
        tan_plan_add(&plan, spec, &e);
    }
    assert_no_error(e);
    return plan;
}

static bool same_order(const struct plan *a, const struct plan *b)
{
    bool same = true;

    for (int i = 0; i < SHUFFLED; i++) {
        same &= a->cells[i].order == b->cells[i].order;
    }
    return same;
}

TEST(shuffled_cells)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct plan sorted = many(5);
    struct plan plan = many(5);
    struct plan again = many(5);
    struct plan next_launch = many(5);
    struct plan other_seed = many(6);
    bool seen[SHUFFLED] = {false};

    assert_int_equal(tan_plan_shuffle(&plan, 0, &e), 0);
    assert_int_equal(tan_plan_shuffle(&again, 0, &e), 0);
    assert_int_equal(tan_plan_shuffle(&next_launch, 1, &e), 0);
    assert_int_equal(tan_plan_shuffle(&other_seed, 0, &e), 0);
    assert_no_error(e);
    /* Every cell is there once, and its tree is still its own. */
    for (int i = 0; i < SHUFFLED; i++) {
        const struct cell *cell = &plan.cells[i];
        assert_false(seen[cell->order]);
        seen[cell->order] = true;
        assert_int_equal(tan_tree_leaves(plan.trees[i]), cell->order + 1);
        assert_int_equal(cell->leaves, cell->order + 1);
    }
    assert_false(same_order(&plan, &sorted));
    assert_true(same_order(&plan, &again));
    assert_false(same_order(&plan, &next_launch));
    assert_false(same_order(&plan, &other_seed));
    tan_plan_clear(&sorted);
    tan_plan_clear(&plan);
    tan_plan_clear(&again);
    tan_plan_clear(&next_launch);
    tan_plan_clear(&other_seed);
}

/* Every cell comes to every place equally often: each of 720 orders of 6 cells has the probability
 * 1/720, so a place gets a cell in 1/6 of 1200 launches: 200, standard deviation 12.9. */
TEST(shuffles_are_even)
{
    static const char *const specs[] = {"nto1:1", "nto1:2", "nto1:3", "nto1:4",
                                        "nto1:5", "nto1:6", NULL};
    struct tan_error e = TAN_ERROR_INIT;
    int times[6][6] = {{0}};

    for (int launch = 0; launch < 1200; launch++) {
        struct plan plan = of_specs(specs);
        assert_int_equal(tan_plan_shuffle(&plan, launch, &e), 0);
        for (int i = 0; i < 6; i++) {
            times[i][plan.cells[i].order]++;
        }
        tan_plan_clear(&plan);
    }
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) {
            assert_in_range(times[i][k], 200 - 65, 200 + 65); /* 5 standard deviations */
        }
    }
}

/* All passes keep a number of waves that is given between them, the last one no less. */
TEST(fixed_waves)
{
    struct plan plan = empty();
    const struct cell free_cell = {.waves = 0};
    const struct cell fixed = {.waves = 500};

    plan.settings.passes = 4;
    assert_int_equal(tan_plan_fixed_waves(&plan.settings, &free_cell), 0);
    assert_int_equal(tan_plan_fixed_waves(&plan.settings, &fixed), 125);
    plan.settings.passes = 7;
    assert_int_equal(tan_plan_fixed_waves(&plan.settings, &fixed), 72);
}

/* --- what does not go together --- */

static void assert_refused(const struct plan *plan, const char *said)
{
    struct tan_error e = TAN_ERROR_INIT;

    assert_int_equal(tan_plan_check(plan, &e), -1);
    assert_error(e, TAN_USAGE, said);
}

TEST(plans_that_are_refused)
{
    static const char *const specs[] = {"chain:2", "mpi:4", NULL};
    struct tan_error e = TAN_ERROR_INIT;
    struct plan plan = of_specs(specs);
    struct settings *s = &plan.settings;
    const struct settings good = plan.settings;

    assert_int_equal(tan_plan_check(&plan, &e), 0);
    assert_no_error(e);
    s->n_sizes = 2;
    s->sizes[1] = 12;
    assert_refused(&plan, "--bytes: 12 is not a multiple of 8");
    *s = good;
    s->mode = MODE_STREAM;
    assert_refused(&plan, "mpi:4 has no leaves for mode stream");
    *s = good;
    s->min_waves = 11;
    s->max_waves = 10;
    assert_refused(&plan, "--max-waves 10 is less than --min-waves 11");
    s->max_waves = 11;
    assert_int_equal(tan_plan_check(&plan, &e), 0);
    *s = good;
    strcpy(s->filter, "mode");
    assert_refused(&plan, "mode");
    *s = good;
    /* Emulation plays whole waves on trees. */
    s->emulation.n_tiers = 1;
    assert_refused(&plan, "mpi:4 is MPI's own and cannot be emulated");
    plan.n_cells = 1;
    assert_int_equal(tan_plan_check(&plan, &e), 0);
    s->work = 1e-6;
    assert_refused(&plan, "drop --work");
    s->work = 0;
    s->mode = MODE_FAILURES;
    assert_refused(&plan, "drop --fail");
    s->mode = MODE_WAVES;
    plan.n_cells = 2;
    tan_plan_clear(&plan);
}

/* --- calibration --- */

/* The plan's specs, each with a blank behind it. */
static char *listed(const struct plan *plan)
{
    char *text = calloc(1, 8192);

    assert_non_null(text);
    for (int i = 0; i < plan->n_cells; i++) {
        strcat(strcat(text, plan->cells[i].spec), " ");
    }
    return text;
}

TEST(trees_of_calibrations)
{
    static const struct {
        int64_t leaves, ranks;
        const char *after; /* chains of height 1 to 4, as far as the rest is told */
        int chains;        /* up to that height without a gap */
    } rows[] = {
        {4, 5, "nto1:2 nto1:3 nto1:4 ", 4},
        /* As many ranks as the trees need; or a check tree over all there are. */
        {4, 0, "nto1:2 nto1:3 nto1:4 binomial:4 levels:4x4 levels:2x2x2 ", 32},
        {4, 100, "nto1:2 nto1:3 nto1:4 binomial:4 levels:4x4 levels:2x2x2 levels:5x5x5:69 ", 32},
        {4, 6, "nto1:2 nto1:3 nto1:4 ", 5},
        {4, 1230, "nto1:2 nto1:3 nto1:4 binomial:4 levels:4x4 levels:2x2x2 levels:6x6x6x6:971 ",
         32},
        /* Fanouts double in two steps; the widest that fits ends them. */
        {100, 11, "nto1:2 nto1:3 nto1:4 nto1:6 nto1:8 nto1:10 binomial:4 levels:2x2 ", 10},
        {128, 33,
         "nto1:2 nto1:3 nto1:4 nto1:6 nto1:8 nto1:12 nto1:16 nto1:24 nto1:32 "
         "binomial:16 levels:5x5 levels:2x2x2 knomial:3:9 random:16:16 binary:16 ",
         32},
        {128, 129,
         "nto1:2 nto1:3 nto1:4 nto1:6 nto1:8 nto1:12 nto1:16 "
         "nto1:24 nto1:32 nto1:48 nto1:64 nto1:96 nto1:128 "
         "binomial:64 levels:10x10 levels:4x4x4 knomial:3:81 random:64:16 binary:64 ",
         32},
    };
    struct tan_error e = TAN_ERROR_INIT;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct plan plan = empty();
        char wanted[1024] = "pingpong ";
        assert_int_equal(
            tan_calibration_plan(&plan, rows[i].leaves, MAX_CHAIN_HEIGHT, rows[i].ranks, &e), 0);
        assert_no_error(e);
        for (int h = 1; h <= rows[i].chains; h++) {
            const size_t used = strlen(wanted);
            snprintf(wanted + used, sizeof wanted - used, "chain:%d ", h);
        }
        strcat(wanted, rows[i].after);
        char *found = listed(&plan);
        assert_string_equal(found, wanted);
        assert_int_equal(plan.cells[0].waves, 500);
        assert_int_equal(plan.cells[1].waves, 0);
        assert_int_equal(tan_plan_largest(&plan)->processes,
                         rows[i].ranks > 0 ? rows[i].ranks : 33);
        free(found);
        tan_plan_clear(&plan);
    }
}

/* 3 hosts with 3 ranks each, in the order "apart": only the largest trees have links within a host,
 * and of these the one that checks the models is kept. */
TEST(calibrations_of_tiers)
{
    static const int32_t hosts[] = {0, 1, 2, 1, 2, 1, 2, 0, 0};
    static const char *const specs[] = {
        "pingpong",   "chain:1",       "chain:2",      "chain:3",      "chain:4",    "chain:5",
        "chain:6",    "chain:7",       "nto1:2",       "nto1:3",       "nto1:4",     "nto1:6",
        "levels:2x2", "pingpong@host", "chain:1@host", "chain:2@host", "nto1:2@host"};
    enum { CELLS = sizeof specs / sizeof *specs };
    struct tan_error e = TAN_ERROR_INIT;
    struct plan plan = {.n_cells = 0};
    struct peer peers[9] = {0};

    for (int i = 0; i < 9; i++) {
        peers[i].host_index = hosts[i];
    }
    tan_settings_default(&plan.settings);
    assert_true(tan_calibration_has_tiers(peers, 9));
    assert_false(tan_calibration_has_tiers(peers, 8)); /* two ranks on rank 0's host */
    assert_int_equal(tan_calibration_plan(&plan, 128, MAX_CHAIN_HEIGHT, 9, &e), 0);
    assert_int_equal(tan_plan_add_sizes(&plan, &e), 0);
    assert_int_equal(tan_plan_shuffle(&plan, 0, &e), 0);
    assert_int_equal(tan_calibration_plan_tiers(&plan, MAX_CHAIN_HEIGHT, peers, 9, &e), 0);
    assert_no_error(e);
    assert_int_equal(plan.n_cells, CELLS);
    for (int i = 0; i < CELLS; i++) { /* orders count from 0 without gaps */
        const struct cell *cell = &plan.cells[find_cell(&plan, i)];
        const bool near = i >= 13;
        print_message("%s\n", cell->spec);
        assert_string_equal(cell->spec, specs[i]);
        assert_int_equal(cell->near, near);
        assert_int_equal(cell->bytes, 1024);
        assert_int_equal(cell->waves, strncmp(cell->spec, "pingpong", 8) ? 0 : LATENCY_SAMPLES);
    }
    assert_int_equal(plan.cells[find_cell(&plan, 15)].processes, 3);
    assert_int_equal(tan_plan_add(&plan, "mpi:4@host", &e), -1);
    assert_error(e, TAN_USAGE, "mpi:4@host: only trees and pingpong can be on one host");
    e = (struct tan_error)TAN_ERROR_INIT;
    plan.settings.mode = MODE_ONEWAY;
    assert_int_equal(tan_plan_check(&plan, &e), -1);
    tan_plan_clear(&plan);
}

/* The largest trees within the ranks are found without building those beyond, of up to 4368^3. */
TEST(calibrations_of_many_ranks)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct plan plan = empty();

    assert_int_equal(tan_calibration_plan(&plan, 4368, MAX_CHAIN_HEIGHT, 4369, &e), 0);
    assert_string_equal(plan.cells[plan.n_cells - 6].spec, "binomial:2048");
    assert_string_equal(plan.cells[plan.n_cells - 5].spec, "levels:65x65");
    assert_string_equal(plan.cells[plan.n_cells - 4].spec, "levels:16x16x16");
    tan_plan_clear(&plan);
}

TEST(calibrations_without_tall_chains)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct plan plan = empty();

    assert_int_equal(tan_calibration_plan(&plan, 6, 4, 100, &e), 0);
    char *found = listed(&plan);
    assert_string_equal(found,
                        "pingpong chain:1 chain:2 chain:3 chain:4 nto1:2 nto1:3 nto1:4 nto1:6 "
                        "levels:2x2 levels:5x5x5:69 ");
    assert_int_equal(tan_plan_largest(&plan)->processes, 100);
    free(found);
    tan_plan_clear(&plan);
}

TEST(calibrations_that_are_too_small)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct plan plan = empty();

    assert_int_equal(tan_calibration_plan(&plan, 128, MAX_CHAIN_HEIGHT, 4, &e), -1);
    assert_error(e, TAN_USAGE, "5 ranks, not 4");
    assert_int_equal(tan_calibration_plan(&plan, 3, MAX_CHAIN_HEIGHT, 100, &e), -1);
    assert_error(e, TAN_USAGE, "at least 4 sizes");
    assert_int_equal(plan.n_cells, 0);
    assert_int_equal(tan_calibration_default_leaves(1), 32);
    assert_int_equal(tan_calibration_default_leaves(3), 96);
    assert_int_equal(tan_calibration_default_leaves(4), 128);
    assert_int_equal(tan_calibration_default_leaves(512), 128);
    tan_plan_clear(&plan);
}

RUN_TESTS(NULL, NULL)
