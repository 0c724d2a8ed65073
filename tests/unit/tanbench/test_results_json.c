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
                            .capacity = 3,
                            .batch = 4,
                            .warmup = 7,
                            .excluded = launch,
                            .stopped = launch ? STOP_TIME : STOP_WAVES,
                            .period = 33 * us};
    assert_int_equal(tan_results_add(r, 0, launch, launch, &m, true, &e), 0);
    assert_no_error(e);
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
        "\"trustworthy\":true,"
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

RUN_TESTS(make_scratch, remove_scratch)
