/* test_emulation.c - what processes and messages cost whose time is played
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/emulation.h"
#include "model/wave/wave.h"

#include "tests/unit/check.h"

#include <stdlib.h>
#include <unistd.h>

#include "topo/spec.h"

static struct emulation load(const char *path, double dilation)
{
    struct emulation emulation;
    struct tan_error e = TAN_ERROR_INIT;

    assert_int_equal(tan_emulation_load(&emulation, path, dilation, &e), 0);
    assert_no_error(e);
    return emulation;
}

static struct emulated_costs costs_in(const struct emulation *emulation, const char *spec,
                                      int32_t node)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    struct emulated_costs c = tan_emulation_costs(emulation, tree, NULL, node);
    tan_tree_destroy(tree);
    return c;
}

/* Table I of the TAN paper, by hand. */
static void costs(void **state)
{
    (void)state;
    struct emulation cab = load("configs/cab-joint.json", 20);
    assert_string_equal(cab.name, "Cab");
    assert_true(emulation_on(&cab));
    static const struct {
        const char *tree;
        double parent_us;
    } rows[] = {{"chain:1", 49.3},                            /* L + 2a a hop */
                {"nto1:2", 49.3 + 0.783 + 3 * 0.157},         /* 50.554 */
                {"nto1:128", 49.3 + 127 * 0.783 + 2572.131}}; /* 16383 c */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        at_row("rows[%zu]", i);
        struct emulated_costs c = costs_in(&cab, rows[i].tree, 1);
        assert_close(c.latency, 20 * 98e-6, 1e-12);
        assert_close(c.message, 20 * 49.3e-6, 1e-12);
        assert_close(c.parent, 20 * rows[i].parent_us * 1e-6, 1e-12);
    }

    cab = load("configs/cab.json", 1); /* o(x + 1) = a + 3 b + 9 c */
    assert_close(costs_in(&cab, "nto1:2", 2).parent, 3 * 0.783e-6 + 9 * 0.157e-6, 1e-15);

    struct emulation links = tan_emulation_links(&cab);
    struct emulated_costs c = costs_in(&links, "nto1:3", 1);
    assert_close(c.latency, 98e-6, 1e-15);
    assert_close(c.message, 0, 0);
    assert_close(c.parent, 0, 0);

    struct emulation none = {.dilation = 0};
    assert_false(emulation_on(&none));
    assert_close(costs_in(&none, "nto1:7", 1).parent, 0, 0);
}

/* Half a round trip, instant by instant: requests go down, answers come up. */
static double half_round_trip(const struct emulation *emulation, const struct tan_tree *tree,
                              const struct tan_sites *sites)
{
    int32_t n = tan_tree_size(tree);
    double *at = calloc((size_t)n, sizeof *at);

    assert_non_null(at);
    for (int32_t i = 0; i < n; i++) {
        struct emulated_costs c = tan_emulation_costs(emulation, tree, sites, i);
        at[i] = c.leaf;
        at[i] += i > 0 ? at[tan_tree_parent(tree, i)] + c.parent + c.latency + c.message : 0;
    }
    for (int32_t i = n - 1; i >= 0; i--) { /* by now at[i] is when the last child's answer is in */
        struct emulated_costs c = tan_emulation_costs(emulation, tree, sites, i);
        at[i] += c.leaf + c.message;
        if (i > 0) {
            int32_t parent = tan_tree_parent(tree, i);
            at[parent] = fmax(at[parent], at[i] + c.latency + c.parent);
        }
    }
    double half = at[0] / 2 / emulation->dilation;
    free(at);
    return half;
}

static void half_a_round_trip_is_the_recursion(void **state)
{
    static const char *const trees[] = {"chain:1",     "chain:32",    "nto1:128",
                                        "twolevel:32", "binomial:32", "binary:32",
                                        "random:40:3", "random:90:8", "levels:3x4x5"};
    (void)state;
    for (int method = 0; method < 2; method++) {
        struct emulation cab =
            load(method == 0 ? "configs/cab-joint.json" : "configs/cab.json", 50);
        cab.params[0].value[TAN_C0] = 7e-6;
        cab.params[0].value[TAN_G] = 2e-6;
        for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
            at_row("trees[%zu]", i);
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_tree *tree = tan_spec_build(trees[i], &e);
            assert_no_error(e);
            double wave = tan_wave_time(&tan_models[0], &cab.params[0], tree);
            assert_true(wave > 98e-6);
            assert_close(half_round_trip(&cab, tree, NULL), wave, 1e-9 * wave);
            /* on hosts of three processes, within which all takes a tenth */
            struct emulation both = cab;
            both.n_tiers = 2;
            both.params[1] = cab.params[0];
            for (int p = 0; p < TAN_PARAMS; p++) {
                both.params[0].value[p] /= 10;
            }
            int32_t host[200];
            for (int32_t node = 0; node < tan_tree_size(tree); node++) {
                host[node] = node / 3;
            }
            const struct tan_sites sites = {.at = {host}};
            const struct tan_tiers tiers = tan_emulation_tiers(&both);
            const double mixed = tan_wave_time_at(&tan_models[0], &tiers, &sites, tree);
            assert_true(mixed < wave);
            assert_close(half_round_trip(&both, tree, &sites), mixed, 1e-9 * wave);
            tan_tree_destroy(tree);
        }
    }
}

static void draws(void **state)
{
    enum { DRAWS = 100000 };
    struct emulation emulation = {
        .dilation = 10,
        .n_peaks = 3,
        .peak = {{.share = 3, .mean = 1e-6}, {.share = 1, .mean = 5e-6}, {.share = 1, .mean = 0}}};
    int count[3] = {0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    assert_non_null(rng);
    for (int i = 0; i < DRAWS; i++) {
        double drawn = tan_emulation_draw(&emulation, rng);
        count[0] += fabs(drawn - 10e-6) < 1e-12;
        count[1] += fabs(drawn - 50e-6) < 1e-12;
        count[2] += drawn == 0;
    }
    assert_int_equal(count[0] + count[1] + count[2], DRAWS);
    assert_close(count[0], 0.6 * DRAWS, 0.01 * DRAWS); /* 6 standard deviations */
    assert_close(count[1], 0.2 * DRAWS, 0.01 * DRAWS);

    emulation.n_peaks = 1;
    emulation.peak[0].stddev = 1e-6; /* the tail below 0 is not a time */
    double sum = 0;
    for (int i = 0; i < DRAWS; i++) {
        double drawn = tan_emulation_draw(&emulation, rng);
        assert_true(drawn >= 0);
        sum += drawn;
    }
    /* mean of max(0, N(1, 1)) = Phi(1) + phi(1) = 0.84134 + 0.24197 */
    assert_close(sum / DRAWS, 10e-6 * 1.08331, 10e-6 * 0.02);
    gsl_rng_free(rng);

    emulation = load("configs/cab-two-modes.json", 20);
    assert_int_equal(emulation.n_peaks, 3);
    double mean = 0;
    for (int i = 0; i < 3; i++) {
        mean += emulation.peak[i].share * emulation.peak[i].mean;
    }
    assert_close(mean, emulation.params[0].value[TAN_L],
                 0.05e-6); /* L is what is drawn on average */
}

static void counts_lateness(void **state)
{
    struct lateness a = {.waves = 0};
    struct lateness b = {.waves = 0};
    struct lateness all = {.waves = 0};

    (void)state;
    assert_close(tan_lateness_share(&a), 0, 0);
    assert_true(tan_lateness_add(&a, 1, 0.01, 0.002));
    assert_false(tan_lateness_add(&a, 1, 0.01, 0.02));
    assert_true(tan_lateness_add(&a, 2, 0.01, 0.004));
    assert_int_equal(a.waves, 3);
    assert_int_equal(a.behind, 1);
    assert_close(a.mean, 0.003, 1e-15);
    assert_close(a.most, 0.02, 0);
    assert_close(tan_lateness_share(&a), 0, 0); /* that one does not count */

    for (int tries = 1; tries < MAX_PLAYS; tries++) {
        assert_false(tan_lateness_add(&b, tries, 0.01, 0.5));
    }
    assert_true(tan_lateness_add(&b, MAX_PLAYS, 0.01, 0.5));
    assert_close(tan_lateness_share(&b), 1, 0);
    assert_true(tan_lateness_add(&b, 1, 0.01, 0.009));
    assert_close(tan_lateness_share(&b), 0.5, 0);

    tan_lateness_join(&all, &(struct lateness){.waves = 0});
    assert_close(all.mean, 0, 0);
    tan_lateness_join(&all, &a);
    tan_lateness_join(&all, &b);
    assert_int_equal(all.waves, 3 + MAX_PLAYS + 1);
    assert_int_equal(all.behind, 1 + MAX_PLAYS);
    assert_close(all.mean, 0.005, 1e-15); /* of 2, 4 and 9 ms */
    assert_close(all.most, 0.5, 0);
    assert_close(tan_lateness_share(&all), 0.25, 0); /* of four that count one is behind */
}

static void says_what_it_cannot_read(void **state)
{
    struct emulation emulation;
    struct tan_error e = TAN_ERROR_INIT;

    (void)state;
    assert_int_equal(tan_emulation_load(&emulation, "configs/paper-32.json", 20, &e), -1);
    assert_error(e, TAN_FAILED, "schema must be");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs),
        cmocka_unit_test(half_a_round_trip_is_the_recursion),
        cmocka_unit_test(draws),
        cmocka_unit_test(counts_lateness),
        cmocka_unit_test(says_what_it_cannot_read),
    };
    return cmocka_run_group_tests_name("emulation", tests, NULL, NULL);
}
