/* test_results_json.c - a complete results file, from known numbers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results.h"

#include <unistd.h>

#include "base/output.h"
#include "tests/unit/check.h"
#include "tests/unit/scratch_file.h"
#include "topo/spec.h"

static const double us = 1e-6;

/* A level of two children takes 10 + 2 * 5 + 3 + 3 * 0.5 = 24.5 us. */
static struct tan_machine machine = {
    .name = "m",
    .tan_known = true,
    .tan = {.method = TAN_METHOD_JOINT, .bytes = 16, .value = {10e-6, 5e-6, 3e-6, 0.5e-6, 0, 0}}};
static struct cell cells[] = {
    {.spec = "nto1:2", .leaves = 2, .processes = 3, .height = 1, .max_fanout = 2, .bytes = 16}};

static void add_launch(struct results *r, int launch, double median)
{
    struct tan_error e = TAN_ERROR_INIT;
    const double times[] = {median - 2 * us, median, median + 5 * us};
    double *copy = malloc(sizeof times);
    assert_non_null(copy);
    memcpy(copy, times, sizeof times);
    struct measurement m = {.round_trips = copy,
                            .n = 3,
                            .batch = 4,
                            .warmup = 7,
                            .excluded = launch,
                            .stopped = launch ? STOP_TIME : STOP_WAVES,
                            .period = 33 * us};
    assert_int_equal(tan_results_add(r, 0, launch, launch, &m, true, &e), 0);
    assert_no_error(e);
}

/* What the run's answer says first. */
static void assert_answer(const struct results *r, const char *wanted)
{
    struct tan_json_writer w = {.failed = false};
    const struct tan_doubts none = {.n = 0};
    json_t *document = tan_json_new_object(&w);
    tan_results_set_answer(&w, document, r, &none);
    assert_false(w.failed);
    char *text =
        json_dumps(json_object_get(json_object_get(document, "answer"), "first"), JSON_COMPACT);
    assert_string_equal(text, wanted);
    free(text);
    json_decref(document);
}

/* Half of 40 and of 90 us, whose logarithms differ by 2 ln 1.5: the centre is 30 us, the spread 2
 * ln 1.5 / sqrt(2) = 0.5734, and with Student's t of 12.7062 the centre lies within a factor of
 * exp(5.152), a next launch within exp(8.923). TAN says 24.5 us and 11 us of work. */
TEST(whole_file)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *trees[] = {tan_spec_build("nto1:2", &e)};
    struct plan plan = {
        .n_cells = 1,
        .cells = cells,
        .trees = trees,
        .settings = {.filter = "sum", .request_bytes = 16, .work = 11 * us, .seed = 5}};
    struct results r = {.plan = &plan, .machine = &machine, .wait = "park"};
    r.environment = json_pack("{s:s}", "hostname", "h");
    add_launch(&r, 0, 40 * us);
    add_launch(&r, 1, 90 * us);
    json_t *document = tan_results_to_json(&r);
    assert_non_null(document);
    char *text = json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(9));
    assert_string_equal(
        text,
        "{\"schema\":\"tan-results/"
        "1\",\"environment\":{\"hostname\":\"h\"},\"seed\":5,\"machine\":\"m\","
        "\"trustworthy\":true,\"answer\":{\"first\":[\"Measured 1 topology.\"],\"remarks\":["
        "\"Waves are half round trips. Intervals are for the median of a next launch, from those "
        "of "
        "2 launches, which differ by up to 57 % (standard deviation).\",\"Waves are too short to "
        "time one by one; samples are means of: nto1:2 (4).\"]},"
        "\"cells\":[{\"topo\":\"nto1:2\",\"leaves\":2,\"processes\":3,"
        "\"height\":1,\"max_fanout\":2,\"bytes\":16,\"request_bytes\":16,\"mode\":\"waves\","
        "\"filter\":\"sum\",\"work_us\":11.0,\"wait\":\"park\","
        "\"n\":6,"
        "\"batch\":4,\"warmup\":14,\"stopped\":\"--max-time\",\"complete\":true,\"trustworthy\":"
        "true,"
        "\"warnings\":[\"batch: 4\"],\"wave_us\":{\"median\":30.0,\"mean\":33.0,\"stddev\":13.788,"
        "\"min\":19.0,\"p5\":19.25,\"p25\":20.625,\"p75\":44.75,\"p95\":46.875,\"p99\":47.375,"
        "\"max\":47.5,\"ci95\":[0.004,225165.106],\"ci95_of\":\"next launch\","
        "\"centre_ci95\":[0.174,5182.9],\"launch_spread\":0.5734},\"launches\":[{\"launch\":0,"
        "\"pass\":0,\"waves\":3,\"stopped\":\"--max-waves\",\"excluded\":0,\"disturbed\":false,"
        "\"median_us\":20.0,\"n_effective\":3.0,\"lag1\":0.5,\"lag1_p\":0.0786,\"drift\":0.0,"
        "\"drift_p\":1.0},{\"launch\":1,\"pass\":1,\"waves\":3,\"stopped\":\"--max-time\","
        "\"excluded\":1,\"disturbed\":false,\"median_us\":45.0,\"n_effective\":3.0,\"lag1\":0.5,"
        "\"lag1_p\":0.0786,\"drift\":0.0,\"drift_p\":1.0}],\"period_us\":33.0,"
        "\"predicted_us\":{\"tan\":35.5,\"logp\":31.0,\"logp-serial\":36.0},\"error\":{\"tan\":0."
        "183333,\"logp\":0.033333,"
        "\"logp-serial\":0.2},"
        "\"samples_us\":[38.0,40.0,45.0,88.0,90.0,95.0]}]}");
    free(text);
    json_decref(document);
    /* A doubt about the run is one about each of its cells. */
    tan_doubts_add(&r.doubts, TAN_DOUBT, "disturbed", 1, TAN_TOUCHES_ALL, "others used the cores");
    document = tan_results_to_json(&r);
    const json_t *cell = json_array_get(json_object_get(document, "cells"), 0);
    assert_true(json_is_false(json_object_get(cell, "trustworthy")));
    json_decref(document);
    json_decref(r.environment);
    tan_doubts_clear(&r.doubts);
    tan_results_clear(&r);
    tan_tree_destroy(trees[0]);
}

/* Half of each round trip; launches and passes are counted from 1. */
TEST(raw_samples)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *trees[] = {tan_spec_build("nto1:2", &e)};
    struct plan plan = {.n_cells = 1, .cells = cells, .trees = trees};
    struct results r = {.plan = &plan};
    add_launch(&r, 0, 40 * us);
    add_launch(&r, 1, 90.25 * us);
    assert_int_equal(tan_results_save_raw(&r, path, &e), 0);
    char *text = tan_read_file(path, NULL, &e);
    assert_no_error(e);
    assert_string_equal(text, "topology,index,round_trip_us,wave_us,bytes,launch,pass\n"
                              "nto1:2,0,38.000,19.0000,16,1,1\n"
                              "nto1:2,1,40.000,20.0000,16,1,1\n"
                              "nto1:2,2,45.000,22.5000,16,1,1\n"
                              "nto1:2,3,88.250,44.1250,16,2,2\n"
                              "nto1:2,4,90.250,45.1250,16,2,2\n"
                              "nto1:2,5,95.250,47.6250,16,2,2\n");
    free(text);
    struct cell named = {.spec = "file:a,b.top", .processes = 3, .bytes = 16};
    r.list[0].cell = &named;
    assert_int_equal(tan_results_save_raw(&r, path, &e), 0);
    text = tan_read_file(path, NULL, &e);
    assert_no_error(e);
    assert_non_null(strstr(text, "\n\"file:a,b.top\",0,38.000,19.0000,16,1,1\n"));
    free(text);
    assert_int_equal(tan_results_save_raw(&r, "/nowhere/raw.csv", &e), -1);
    assert_error(e, TAN_FAILED, "/nowhere/raw.csv");
    tan_results_clear(&r);
    tan_tree_destroy(trees[0]);
}

/* Trees of four leaves take half of 60, 50 and 51 us, the last one within the second's interval. By
 * TAN nto1:4 takes 36.5 us and binary:4, with two levels, 49 us; by LogP 20 and 40 us. chain:1 has
 * no rival, and what is measured within a host none between hosts. */
TEST(fastest_tree)
{
    static const char *const specs[] = {"chain:1", "nto1:4", "binary:4", "kary:2:4"};
    static const double medians[] = {10, 60, 50, 51};
    struct tan_error e = TAN_ERROR_INIT;
    struct cell list[4];
    struct tan_tree *trees[4];
    struct result results[4];
    memset(results, 0, sizeof results);
    for (int i = 0; i < 4; i++) {
        trees[i] = tan_spec_build(specs[i], &e);
        list[i] = (struct cell){.leaves = i > 0 ? 4 : 1, .bytes = 16, .order = i};
        snprintf(list[i].spec, sizeof list[i].spec, "%s", specs[i]);
        results[i] = (struct result){
            .cell = &list[i],
            .tree = trees[i],
            .round_trip = {.median = medians[i] * us,
                           .median_ci95 = {(medians[i] - 2) * us, (medians[i] + 2) * us}}};
    }
    struct plan plan = {.cells = list, .trees = trees, .settings = {.request_bytes = 16}};
    struct results r = {.plan = &plan, .machine = &machine, .list = results, .n = 4};
    assert_answer(&r,
                  "[\"Of 3 measured trees with 4 leaves, binary:4 is the fastest: 25.0 us a "
                  "wave.\",\"By the 95 % intervals 1 other may be as fast.\",\"By LogP nto1:4 "
                  "would be the fastest; it takes 1.2 times as long.\",\"By TAN nto1:4 would be "
                  "the fastest; it takes 1.2 times as long.\"]");
    r.list[1].round_trip.median = 40 * us;
    r.list[1].round_trip.median_ci95 = (struct tan_interval){38 * us, 42 * us};
    assert_answer(&r, "[\"Of 3 measured trees with 4 leaves, nto1:4 is the fastest: 20 us a "
                      "wave.\",\"By LogP, TAN it would be the fastest, too.\"]");
    const struct cell within = {.spec = "kary:2:4", .leaves = 4, .bytes = 16, .near = true};
    r.list[3].cell = &within;
    assert_answer(&r, "[\"Of 2 measured trees with 4 leaves, nto1:4 is the fastest: 20 us a "
                      "wave.\",\"By LogP, TAN it would be the fastest, too.\"]");
    r.n = 2;
    assert_answer(&r, "[\"Measured 2 topologies.\"]");
    for (int i = 0; i < 4; i++) {
        tan_tree_destroy(trees[i]);
    }
}

RUN_TESTS(make_scratch, remove_scratch)
