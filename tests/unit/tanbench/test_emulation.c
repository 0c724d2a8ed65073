/* test_emulation.c - sleep times of processes that emulate a machine file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/wave.h"
#include "tanbench/plan/emulation.h"

#include "tests/unit/check.h"

#include <stdlib.h>
#include <unistd.h>

#include "topo/spec.h"

static struct emulation load(const char *path)
{
    struct emulation emulation;
    struct tan_error e = TAN_ERROR_INIT;

    assert_int_equal(tan_emulation_load(&emulation, path, &e), 0);
    assert_no_error(e);
    return emulation;
}

static struct emulated_way way_in(const struct emulation *emulation, const char *spec, int32_t node)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    const struct emulated_way way = tan_emulation_way(emulation, tree, NULL, node);
    tan_tree_destroy(tree);
    return way;
}

/* Table I of the TAN paper, by hand. */
TEST(ways)
{
    struct emulation cab = load("configs/cab-joint.json");
    assert_string_equal(cab.name, "Cab");
    assert_true(emulation_on(&cab));
    static const struct {
        const char *tree;
        double beyond_us; /* L + 2a */
    } rows[] = {{"chain:1", 0},
                {"nto1:2", 0.783 + 3 * 0.157},
                {"nto1:128", 127 * 0.783 + 2572.131}}; /* 16383 c */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        at_row("rows[%zu]", i);
        const struct emulated_way way = way_in(&cab, rows[i].tree, 1);
        assert_close(way.seconds, (98 + 2 * 49.3 + rows[i].beyond_us) * 1e-6, 1e-12);
        assert_close(way.latency, 98e-6, 1e-15);
        assert_false(way.drawn);
        assert_close(way_in(&cab, rows[i].tree, 0).seconds, 0, 0); /* the root has no parent */
    }
    cab.params[0].value[TAN_C0] = 7e-6; /* of a leaf */
    assert_close(way_in(&cab, "chain:2", 1).seconds, 196.6e-6, 1e-12);
    assert_close(way_in(&cab, "chain:2", 2).seconds, 203.6e-6, 1e-12);

    cab = load("configs/cab.json"); /* L + o(x + 1) = L + a + 3 b + 9 c */
    assert_close(way_in(&cab, "nto1:2", 2).seconds, (98 + 49.3 + 3 * 0.783 + 9 * 0.157) * 1e-6,
                 1e-12);

    const struct emulation links = tan_emulation_links(&cab);
    assert_close(way_in(&links, "nto1:3", 1).seconds, 98e-6, 1e-15);

    const struct emulation none = {.n_tiers = 0};
    assert_false(emulation_on(&none));
    assert_close(way_in(&none, "nto1:7", 1).seconds, 0, 0);
}

/* The longest way from the root to a leaf: half a round trip, whose ways down and up are alike. */
static double longest(const struct emulation *emulation, const struct tan_tree *tree,
                      const struct tan_sites *sites)
{
    const int32_t n = tan_tree_size(tree);
    double *at = calloc((size_t)n, sizeof *at);
    double most = 0;

    assert_non_null(at);
    for (int32_t i = 1; i < n; i++) {
        at[i] = at[tan_tree_parent(tree, i)] + tan_emulation_way(emulation, tree, sites, i).seconds;
        most = fmax(most, at[i]);
    }
    free(at);
    return most;
}

TEST(half_a_round_trip_is_the_recursion)
{
    static const char *const trees[] = {"chain:1",     "chain:32",    "nto1:128",
                                        "twolevel:32", "binomial:32", "binary:32",
                                        "random:40:3", "random:90:8", "levels:3x4x5"};
    for (int method = 0; method < 2; method++) {
        struct emulation cab = load(method == 0 ? "configs/cab-joint.json" : "configs/cab.json");
        cab.params[0].value[TAN_C0] = 7e-6;
        cab.params[0].value[TAN_G] = 2e-6;
        for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
            at_row("trees[%zu]", i);
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_tree *tree = tan_spec_build(trees[i], &e);
            assert_no_error(e);
            double wave = tan_wave_time(&tan_models[TAN_MODEL_TAN], &cab.params[0], tree);
            assert_true(wave > 98e-6);
            assert_close(longest(&cab, tree, NULL), wave, 1e-9 * wave);
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
            const struct tan_tiers tiers = {.n = 2, .params = {&both.params[0], &both.params[1]}};
            const double mixed = tan_wave_time_at(&tan_models[TAN_MODEL_TAN], &tiers, &sites, tree);
            assert_true(mixed < wave);
            assert_close(longest(&both, tree, &sites), mixed, 1e-9 * wave);
            tan_tree_destroy(tree);
        }
    }
}

TEST(draws)
{
    enum { DRAWS = 100000 };
    struct emulation emulation = {
        .n_peaks = 3,
        .peak = {{.share = 3, .mean = 1e-6}, {.share = 1, .mean = 5e-6}, {.share = 1, .mean = 0}}};
    int count[3] = {0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    assert_non_null(rng);
    for (int i = 0; i < DRAWS; i++) {
        double drawn = tan_emulation_draw(&emulation, rng);
        count[0] += fabs(drawn - 1e-6) < 1e-13;
        count[1] += fabs(drawn - 5e-6) < 1e-13;
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
    assert_close(sum / DRAWS, 1e-6 * 1.08331, 1e-6 * 0.02);
    gsl_rng_free(rng);

    emulation = load("configs/cab-two-modes.json");
    assert_int_equal(emulation.n_peaks, 3);
    double mean = 0;
    for (int i = 0; i < 3; i++) {
        mean += emulation.peak[i].share * emulation.peak[i].mean;
    }
    assert_close(mean, emulation.params[0].value[TAN_L],
                 0.05e-6); /* L is what is drawn on average */
}

TEST(says_what_it_cannot_read)
{
    struct emulation emulation;
    struct tan_error e = TAN_ERROR_INIT;

    assert_int_equal(tan_emulation_load(&emulation, "results/emulated-cab/paper-32.json", &e), -1);
    assert_error(e, TAN_FAILED, "schema must be");
}

RUN_TESTS(NULL, NULL)
