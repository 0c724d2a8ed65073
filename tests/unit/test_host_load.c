/* test_host_load.c - what longer messages add to processes that share cores, worked by hand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/host/host_load.h"

#include <jansson.h>
#include <stdlib.h>

#include "tests/unit/check.h"
#include "topo/spec.h"

static const double us = 1e-6;
static const double near = 1e-12;
enum { MOST = 64 };
static const uint32_t together[MOST]; /* all on host 0, in pool 0 */
static const uint32_t one_core[1] = {1};
static const struct tan_placement shared = {together, together, 1, one_core};

static struct tan_p2p *machine(const char *more)
{
    struct tan_error e = TAN_ERROR_INIT;
    char text[2000];
    snprintf(text, sizeof text,
             "{\"eager_bytes\": 8000, \"sections\": [{\"L_us\": 1}], \"sizes\": ["
             "{\"bytes\": 1000, \"half_us\": 2, \"o_r_us\": 0.5, \"o_r_cold_us\": 1.5},"
             "{\"bytes\": 4000, \"half_us\": 5, \"o_r_us\": 2, \"o_r_cold_us\": 3},"
             "{\"bytes\": 16000, \"half_us\": 10, \"o_r_us\": 8, \"o_r_cold_us\": 20}]%s}",
             more);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    struct tan_p2p *p = tan_p2p_parse(json, "test", &e);
    assert_no_error(e);
    json_decref(json);
    return p;
}

static struct tan_host_load *placed(const char *spec, const struct tan_placement *placement,
                                    const struct tan_p2p *p, const struct tan_host_payload *payload)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    struct tan_host_load *load = tan_host_loads(tree, placement, p, payload, &e);
    assert_no_error(e);
    assert_non_null(load);
    tan_tree_destroy(tree);
    return load;
}

static struct tan_host_load *loads(const char *spec, const struct tan_p2p *p,
                                   const struct tan_host_payload *payload)
{
    return placed(spec, &shared, p, payload);
}

/* 4000 B are eager: of the 3 us more the receiver takes 1.5. */
static void eager(void **state)
{
    (void)state;
    struct tan_p2p *p = machine("");
    const struct tan_host_payload payload = {
        .base = 1000, .request = 4000, .answer = 4000, .rule = tan_payload_rules, .work = 1e-9};
    struct tan_host_load *load = loads("nto1:2", p, &payload);
    assert_close(load[0].request, 0, near);
    assert_close(load[0].ask, 1.5 * us, near);
    assert_close(load[0].answers, (2 * 1.5 + 3) * us, near); /* one is added to the other */
    assert_close(load[0].answer, 0, near);
    assert_close(load[1].request, 1.5 * us, near);
    assert_close(load[1].answer, 1.5 * us, near);
    assert_close(load[1].answers, 0, near);
    free(load);
    tan_p2p_destroy(p);
}

/* Beyond S all 8 us are the receiver's; answers of two leaves are twice as long. */
static void rendezvous_and_growth(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = machine("");
    const struct tan_host_payload payload = {
        .base = 1000, .request = 1000, .answer = 8000, .rule = tan_payload_rule_find("concat", &e)};
    struct tan_host_load *load = loads("levels:1x2", p, &payload); /* root, inner node, leaves */
    assert_close(load[0].ask, 0, near);
    assert_close(load[1].request, 0, near);
    assert_close(load[0].answers, 8 * us, near);
    assert_close(load[1].answer, 0, near);
    /* 8000 B: half 5 + 5 / 3, o_r 2 + 6 / 3 */
    assert_close(load[1].answers, 2 * 3.5 * us, near);
    assert_close(load[2].answer, (14.0 / 3 - 3.5) * us, near);
    free(load);
    tan_p2p_destroy(p);
}

/* Nothing to concatenate is nothing. */
static void empty(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = machine("");
    const struct tan_host_payload payload = {
        .base = 1000, .answer = 0, .rule = tan_payload_rule_find("concat", &e)};
    struct tan_host_load *load = loads("nto1:2", p, &payload);
    assert_close(load[0].answers, 0, near);
    free(load);
    tan_p2p_destroy(p);
}

/* 26 processes of 80 KiB fill 2 MiB of cache: every first receive is cold, and buffers of 1.2 MB
 * lie between what a byte costs in 1 MiB and in 4. */
static void cold(void **state)
{
    (void)state;
    struct tan_p2p *p = machine(", \"copy\": [{\"bytes\": 131072, \"us_per_byte\": 1e-4},"
                                "{\"bytes\": 1048576, \"us_per_byte\": 1e-4},"
                                "{\"bytes\": 4194304, \"us_per_byte\": 2e-4}]");
    const struct tan_host_payload payload = {
        .base = 1000, .request = 16000, .answer = 16000, .rule = tan_payload_rules, .work = 1e-9};
    struct tan_host_load *load = loads("nto1:25", p, &payload);
    const double far = 1e-4 * log(77 * 16000 / 1048576.0) / log(4); /* us for a byte */
    assert_close(load[1].request, (8 + (20 - 8) - (1.5 - 0.5)) * us, near);
    const double warm = 8 + far * 15000;
    const double reduce = 15000 * 1e-3;
    const double first = 8 + (20 - 8) - (1.5 - 0.5) + 15000 * (1e-4 + far);
    assert_close(load[0].answers, (first + 24 * (warm + reduce)) * us, near);
    free(load);
    tan_p2p_destroy(p);
}

/* 25 processes on each of two cores, or 50 on both: every answer from the other core is cold, of
 * those from the same only the first. Buffers that are too many for a core's own cache are in the
 * next one, with all others of the host. */
static void two_cores(void **state)
{
    (void)state;
    enum { EACH = 25 };
    static uint32_t half[2 * EACH];
    static const uint32_t single[2] = {1, 1};
    static const uint32_t two[1] = {2};
    static const struct tan_placement apart = {together, half, 2, single};
    static const struct tan_placement hosts = {half, half, 2, single};
    static const struct tan_placement both = {together, together, 1, two};
    const double root = 16000.0 * (EACH + EACH + 49); /* bytes of requests, answers, and where they
                                                         arrive, on the core of the root */
    const double all = root + 16000.0 * (EACH + EACH);
    const struct {
        const struct tan_placement *placement;
        double us_per_byte; /* in 1 MiB; twice that in 4 */
        double cache, buffers;
        int cold; /* answers */
    } rows[] = {
        {&apart, 1e-4, 2097152, root, 1 + EACH}, /* fit: those on the core */
        {&apart, 2e-4, 370728, all, 1 + EACH},
        {&hosts, 2e-4, 370728, root, 1 + EACH},
        {&both, 2e-4, 370728, all, 1},
    };
    for (size_t i = EACH; i < 2 * EACH; i++) {
        half[i] = 1;
    }
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char copies[300];
        snprintf(copies, sizeof copies,
                 ", \"copy\": [{\"bytes\": 131072, \"us_per_byte\": 1e-4},"
                 "{\"bytes\": 1048576, \"us_per_byte\": %g},"
                 "{\"bytes\": 4194304, \"us_per_byte\": %g}]",
                 rows[k].us_per_byte, 2 * rows[k].us_per_byte);
        struct tan_p2p *p = machine(copies);
        const struct tan_host_payload payload = {.base = 1000,
                                                 .request = 16000,
                                                 .answer = 16000,
                                                 .rule = tan_payload_rules,
                                                 .work = 1e-9};
        struct tan_host_load *load = placed("nto1:49", rows[k].placement, p, &payload);
        const double share = fmin(EACH * 80 * 1024 / rows[k].cache, 1.0);
        const double cold = 8 + share * ((20 - 8) - (1.5 - 0.5));
        const double copy = rows[k].us_per_byte * (1 + log(rows[k].buffers / 1048576) / log(4));
        const double warm = 8 + 15000 * (copy - 1e-4);
        assert_close(
            load[0].answers,
            (rows[k].cold * cold + (49 - rows[k].cold) * warm + 15000 * copy + 48 * 15000 * 1e-3) *
                us,
            near);
        assert_close(load[1].request, cold * us, near);
        free(load);
        tan_p2p_destroy(p);
    }
}

/* Two answers are twice as much as what copying is fastest in: reducing takes longer, too. */
static void small_caches(void **state)
{
    (void)state;
    struct tan_p2p *p = machine(", \"copy\": [{\"bytes\": 16000, \"us_per_byte\": 1e-4},"
                                "{\"bytes\": 64000, \"us_per_byte\": 3e-4}]");
    const struct tan_host_payload payload = {
        .base = 1000, .request = 16000, .answer = 16000, .rule = tan_payload_rules, .work = 1e-9};
    struct tan_host_load *load = loads("nto1:2", p, &payload);
    const double first = 8 + (20 - 8) - (1.5 - 0.5) + 15000 * 3e-4;
    const double farther = 16000 * (3e-4 - 2e-4) - 1000 * (3e-4 - 1e-4);
    const double second = 8 + farther + 15000 * (1e-3 + (2e-4 - 1e-4));
    assert_close(load[0].answers, (first + second) * us, near);
    free(load);
    tan_p2p_destroy(p);
}

/* All of it on cores that nobody else uses; where only others were measured, 12 % less for each. */
static void undisturbed(void **state)
{
    (void)state;
    struct tan_p2p *p = machine(", \"slowed\": 2");
    const struct tan_host_payload payload = {
        .base = 1000, .request = 16000, .answer = 1000, .rule = tan_payload_rules};
    struct tan_host_load *load = loads("nto1:2", p, &payload);
    assert_close(load[1].request, 8 * us / 1.12 / 1.12, near);
    free(load);
    for (size_t i = 0; i < p->n_sizes; i++) {
        p->size[i].value[TAN_P2P_HALF_SLOWED] = p->size[i].value[TAN_P2P_HALF] / 2;
    }
    load = loads("nto1:2", p, &payload);
    assert_close(load[1].request, 4 * us, near);
    free(load);
    tan_p2p_destroy(p);
}

static void not_enough(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    json_t *json = json_loads("{\"sections\": [{\"L_us\": 7}]}", 0, NULL);
    struct tan_p2p *p = tan_p2p_parse(json, "test", &e);
    struct tan_tree *tree = tan_spec_build("nto1:2", &e);
    const struct tan_host_payload payload = {
        .base = 1000, .request = 16000, .answer = 1000, .rule = tan_payload_rules};
    assert_null(tan_host_loads(tree, &shared, p, &payload, &e));
    assert_error(e, TAN_FAILED, "single messages");
    tan_tree_destroy(tree);
    tan_p2p_destroy(p);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eager),       cmocka_unit_test(rendezvous_and_growth),
        cmocka_unit_test(empty),       cmocka_unit_test(cold),
        cmocka_unit_test(two_cores),   cmocka_unit_test(small_caches),
        cmocka_unit_test(undisturbed), cmocka_unit_test(not_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
