/* test_payload.c - levels with messages of other sizes, and the search over them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "design/search/search.h"
#include "design/systems/least_tree.h"
#include "model/machine/machine.h"
#include "model/wave/payload.h"
#include "model/wave/wave_doubts.h"
#include "topo/spec.h"
#include "topo/tree.h"

static const double us = 1e-6;

static struct tan_p2p *parse(const char *text)
{
    struct tan_error e = TAN_ERROR_INIT;
    json_t *object = tan_json_parse(text, strlen(text), "m.json", &e);
    struct tan_p2p *p = tan_p2p_parse(object, "m.json", &e);
    assert_no_error(e);
    json_decref(object);
    return p;
}

/* Tc(k) = 1 + 10 + 2 + 0.1 (k-1): LogGOPS with nothing but G growing; O_r = 2 */
static const char *const line = "{\"sections\": [{\"L_us\": 10, \"o_s_us\": 0, \"o_r_us\": 2, "
                                "\"g_us\": 1, \"G_us_per_byte\": 0.1}]}";
/* Measured times that fall where the protocol changes. */
static const char *const falling =
    "{\"sections\": [{\"L_us\": 1, \"o_s_us\": 1, \"o_r_us\": 1, \"G_us_per_byte\": 0.01}], "
    "\"sizes\": [{\"bytes\": 1, \"half_us\": 5, \"o_r_us\": 1, \"gap_us\": 2},"
    "{\"bytes\": 64, \"half_us\": 20, \"o_r_us\": 6, \"gap_us\": 8},"
    "{\"bytes\": 65, \"half_us\": 10, \"o_r_us\": 2, \"gap_us\": 9},"
    "{\"bytes\": 1000, \"half_us\": 80, \"o_r_us\": 30, \"gap_us\": 20}]}";

/* Overheads of both sides that overlap, and a sender that pushes beyond S. */
static const char *const pushed =
    "{\"eager_bytes\": 1000, \"transfer\": \"RAT\", \"control_us\": 0.5, \"sections\": ["
    "{\"to_bytes\": 1000, \"L_us\": -1, \"L_us_per_byte\": 0, \"o_s_us\": 2, \"o_r_us\": 3, "
    "\"O_r_us_per_byte\": 0.01, \"g_us\": 1, \"G_us_per_byte\": 0.01},"
    "{\"from_bytes\": 1001, \"L_us\": 1, \"L_us_per_byte\": 0, \"o_s_us\": 2, \"o_r_us\": 20, "
    "\"O_r_us_per_byte\": 0.01, \"g_us\": 10, \"G_us_per_byte\": 0.01}]}";

static struct tan_params joint(void)
{
    return (struct tan_params){.method = TAN_METHOD_JOINT,
                               .bytes = 101,
                               .value = {10 * us, 5 * us, 3 * us, 0.5 * us, 0, 0}};
}

static struct tan_payload *carry(const struct tan_p2p *p, int64_t bytes, int rule)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_payload *load =
        tan_payload_create(p, NULL, 101, bytes, &tan_payload_rules[rule], "m.json", &e);
    assert_no_error(e);
    return load;
}

TEST(levels_by_hand)
{
    struct tan_p2p *p = parse(line);
    struct tan_params params = joint();
    const struct tan_model *tan = &tan_models[TAN_MODEL_TAN];
    /* level(4) = 10 + 10 + 9 + 7.5 = 36.5; 201 bytes are 10 later, and so is each of 3 others */
    struct tan_payload *load = carry(p, 201, 0);
    params.payload = load;
    assert_close(tan_level_cost(tan, &params, 4, 1, 3), 76.5 * us, 1e-12);
    assert_close(tan_level_cost(tan, &params, 1, 7, 0), 30 * us, 1e-12);
    tan_payload_destroy(load);
    /* the size that was measured */
    params.payload = load = carry(p, 101, 0);
    assert_close(tan_level_cost(tan, &params, 4, 1, 3), 36.5 * us, 1e-15);
    tan_payload_destroy(load);
    /* concatenated: 5 leaves below the fullest, 6 below the three others: 505 and 202 bytes */
    params.payload = load = carry(p, 101, 1);
    assert_close(tan_level_cost(tan, &params, 4, 5, 6), (36.5 + 40.4 + 3 * 10.1) * us, 1e-12);
    tan_payload_destroy(load);
    /* 1 byte: 10 us less for the first; the others still keep the processor busy as long */
    params.payload = load = carry(p, 1, 0);
    assert_close(tan_level_cost(tan, &params, 4, 1, 3), 26.5 * us, 1e-12);
    tan_payload_destroy(load);
    tan_p2p_destroy(p);
}

TEST(trees)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse(line);
    struct tan_params params = joint();
    struct tan_payload *load = carry(p, 101, 1);
    params.payload = load;
    /* the root's children have 2 and 1 leaves: 202 and 101 bytes; then 2 leaves of 101 bytes */
    struct tan_tree *tree = tan_spec_build("levels:2x2:3", &e);
    assert_no_error(e);
    struct tan_prediction out;
    assert_int_equal(tan_predict(&tan_models[TAN_MODEL_TAN], &params, tree, &out, &e), 0);
    const double level = 10 + 10 + 3 + 1.5;
    assert_close(out.wave, (2 * level + 10.1) * us, 1e-12);
    assert_close(out.period, (level + 10.1) * us, 1e-12);
    assert_close(tan_wave_time(&tan_models[TAN_MODEL_TAN], &params, tree), out.wave, 1e-18);
    tan_prediction_clear(&out);
    tan_tree_destroy(tree);
    /* one of 202 bytes at the root, level(1) = 10 + 10 */
    tree = tan_spec_build("levels:1x2", &e);
    assert_no_error(e);
    assert_close(tan_wave_time(&tan_models[TAN_MODEL_TAN], &params, tree), (20 + 10.1 + level) * us,
                 1e-12);
    tan_tree_destroy(tree);
    tan_payload_destroy(load);
    tan_p2p_destroy(p);
}

/* Answers of 202 bytes from one child of the root and of 101 from the other, in either order. Those
 * that are 101 bytes longer occupy the NIC for 10.1 us: twice that is more than what the processor
 * needs, 2 (3 + 0.5) + 5. */
TEST(period_by_fullest)
{
    static const int32_t parents[][5] = {{-1, 0, 0, 1, 1}, {-1, 0, 0, 2, 2}};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse(line);
    struct tan_params params = joint();
    struct tan_payload *load = carry(p, 101, 1);
    params.method = TAN_METHOD_OVERLAP;
    params.payload = load;
    for (size_t i = 0; i < 2; i++) {
        struct tan_tree *tree = tan_tree_create(parents[i], 5, NULL, &e);
        assert_no_error(e);
        struct tan_prediction out;
        at_row("%zu", i);
        assert_int_equal(tan_predict(&tan_models[TAN_MODEL_OVERLAP], &params, tree, &out, &e), 0);
        assert_close(out.period, 2 * 10.1 * us, 1e-12);
        tan_prediction_clear(&out);
        tan_tree_destroy(tree);
    }
    tan_payload_destroy(load);
    tan_p2p_destroy(p);
}

/* One below another: one message of 101 bytes, level(1) = 10 + 10. Of three members the two below
 * each other would have 202 bytes come up, 30.1 + 20, so both are below the first: level(2). */
TEST(least_of_members)
{
    struct tan_p2p *p = parse(line);
    struct tan_params params = joint();
    struct tan_payload *load = carry(p, 101, 1);
    params.payload = load;
    static const double wave[] = {20, 10 + 10 + 3 + 1.5};
    for (int64_t n = 2; n <= 3; n++) {
        struct tan_least_tree tree;
        assert_int_equal(
            tan_least_tree(TAN_ALL_MEMBERS, n, &tan_models[TAN_MODEL_TAN], &params, &tree), 0);
        assert_close(tree.wave, wave[n - 2] * us, 1e-12);
        assert_int_equal(tree.height, 1);
    }
    tan_payload_destroy(load);
    tan_p2p_destroy(p);
}

TEST(never_falling)
{
    struct tan_p2p *p = parse(falling);
    struct tan_payload *load = carry(p, 1, 1);
    for (int64_t k = 1; k < 2000; k++) {
        assert_true(tan_payload_late(load, k + 1, 0) >= tan_payload_late(load, k, 0));
        assert_true(tan_payload_queue(load, k + 1, 0) >= tan_payload_queue(load, k, 0));
    }
    tan_payload_destroy(load);
    tan_p2p_destroy(p);
}

/* Where all messages have the same size, it costs what was measured for it, though a shorter one
 * costs more: of 65 bytes 10 us and, each, 9; of 101 36/935 of the way to 80, and to 30 and 20. */
TEST(falls_as_measured)
{
    const double share = 36.0 / 935;
    struct tan_p2p *p = parse(falling);
    struct tan_payload *load = carry(p, 65, 0);
    assert_close(tan_payload_late(load, 1, 0), -share * 70 * us, 1e-12);
    assert_close(tan_payload_queue(load, 1, 0), fmax(-share * 28, -share * 11) * us, 1e-12);
    tan_payload_destroy(load);
    tan_p2p_destroy(p);
}

/* The lines of sections: further messages wait for the receiver where it fetches them (RTA), and
 * for the gap alone where the sender pushes (RAT), with a switch at S. */
TEST(by_protocol)
{
    static const char text[] =
        "{\"eager_bytes\": 1000, \"transfer\": \"%s\", \"sections\": ["
        "{\"to_bytes\": 1000, \"L_us\": -1, \"L_us_per_byte\": 0, \"o_s_us\": 2, \"o_r_us\": 3, "
        "\"O_r_us_per_byte\": 0.01, \"g_us\": 1, \"G_us_per_byte\": 0.01},"
        "{\"from_bytes\": 1001, \"L_us\": 1, \"L_us_per_byte\": 0, \"o_s_us\": 2, \"o_r_us\": 20, "
        "\"O_r_us_per_byte\": 0.01, \"g_us\": 10, \"G_us_per_byte\": 0.01}]}";
    for (int pushes = 0; pushes < 2; pushes++) {
        char json[1024];
        snprintf(json, sizeof json, text, pushes ? "RAT" : "RTA");
        struct tan_p2p *p = parse(json);
        /* 101 bytes: 2 - 1 + 4.01, each further 4.01; 1001: 2 + 1 + 30.01, 30.01 or 20 */
        struct tan_payload *load = carry(p, 1001, 0);
        assert_string_equal(tan_payload_model_of(load)->name, "fitted");
        assert_close(tan_payload_late(load, 1, 0), (33.01 - 5.01) * us, 1e-12);
        assert_close(tan_payload_queue(load, 1, 0), (pushes ? 20 - 2 : 30.01 - 4.01) * us, 1e-12);
        tan_payload_destroy(load);
        /* concatenated, ten leaves of 100 bytes are below S, eleven beyond */
        load = carry(p, 100, 1);
        assert_true(tan_payload_late(load, 10, 0) < 15 * us);
        assert_true(tan_payload_late(load, 11, 0) > 28 * us);
        tan_payload_destroy(load);
        tan_p2p_destroy(p);
    }
}

/* Of 64 bytes measured and 1000 sent, of which the receiver takes 6 and 30 of 20 and 80, the sender
 * 1 of each. The gap of 8 is more than both sides explain, that of 20 is not. */
TEST(sides_of_messages)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse(falling);
    struct tan_payload *load =
        tan_payload_create(p, NULL, 64, 1000, &tan_payload_rules[0], "m.json", &e);
    struct tan_payload_more more;
    assert_no_error(e);
    tan_payload_more(load, 1, 0, &more);
    assert_close(more.sender, 0, 1e-18);
    assert_close(more.receiver, 24 * us, 1e-18);
    assert_close(more.way, 36 * us, 1e-18);
    assert_close(more.gap, -8 * us, 1e-18);
    assert_close(more.work, 0, 0);
    tan_payload_destroy(load);
    tan_p2p_destroy(p);
}

/* What is derived from messages of one size, and the difference to another, are what is derived
 * from the other, by every model: the size that levels are derived from does not matter. */
TEST(derived_from_any_size)
{
    static const char *const texts[] = {falling, pushed};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build("levels:3x2:5", &e);
    int compared = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct tan_p2p *p = parse(texts[i]);
        for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
            for (int64_t k = 1; k <= 4096; k *= 4) {
                struct tan_params from = {.method = TAN_METHOD_OVERLAP, .bytes = 64};
                struct tan_params at = {.method = TAN_METHOD_OVERLAP, .bytes = k};
                if (!tan_params_from_messages(p, m, &from)) {
                    continue;
                }
                assert_true(tan_params_from_messages(p, m, &at) && at.derived);
                struct tan_payload *load =
                    tan_payload_create(p, m, 64, k, &tan_payload_rules[0], "m.json", &e);
                assert_no_error(e);
                from.payload = load;
                const struct tan_model *overlap = &tan_models[TAN_MODEL_OVERLAP];
                at_row("%s, %d bytes", m->name, (int)k);
                assert_close(tan_wave_time(overlap, &from, tree), tan_wave_time(overlap, &at, tree),
                             1e-10);
                tan_payload_destroy(load);
                compared++;
            }
        }
        tan_p2p_destroy(p);
    }
    assert_true(compared > 50);
    tan_tree_destroy(tree);
}

/* 1000 bytes at once, and 101 measured: longer messages are doubted under the model that follows
 * them. */
TEST(by_rendezvous)
{
    static const struct {
        int64_t bytes, measured, leaves;
        int rule;
        enum tan_model_row model;
        bool doubted;
    } rows[] = {
        {1000, 101, 4, 0, TAN_MODEL_OVERLAP, false}, {1001, 101, 4, 0, TAN_MODEL_OVERLAP, true},
        {1001, 101, 4, 0, TAN_MODEL_TAN, false},     {1001, 1001, 4, 0, TAN_MODEL_OVERLAP, false},
        {100, 101, 10, 1, TAN_MODEL_OVERLAP, false}, {100, 101, 11, 1, TAN_MODEL_OVERLAP, true},
    };
    struct tan_p2p *p =
        parse("{\"eager_bytes\": 1000, \"sections\": [{\"L_us\": 10, \"o_s_us\": 1, "
              "\"o_r_us\": 2, \"g_us\": 1, \"G_us_per_byte\": 0.1}]}");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_doubts doubts = {.n = 0};
        struct tan_params params = joint();
        struct tan_payload *payload =
            tan_payload_create(p, NULL, rows[i].measured, rows[i].bytes,
                               &tan_payload_rules[rows[i].rule], "m.json", &e);
        assert_no_error(e);
        params.payload = payload;
        at_row("%zu", i);
        tan_doubt_handshakes(rows[i].leaves, &tan_models[rows[i].model], &params, &doubts);
        assert_int_equal(doubts.n, rows[i].doubted);
        if (rows[i].doubted) {
            assert_string_equal(doubts.row[0].text,
                                "messages longer than 1000 B are sent by rendezvous, unlike all "
                                "measured ones: tan-overlap omits the waiting that handshakes "
                                "cause");
        }
        tan_doubts_clear(&doubts);
        tan_payload_destroy(payload);
    }
    tan_p2p_destroy(p);
}

/* In draws, what other sizes add is as uncertain as the messages were measured; without intervals
 * it is not. */
TEST(draws)
{
    static const char *const with =
        "{\"sections\": [{\"L_us\": 10, \"o_s_us\": 0, \"o_r_us\": 2, \"g_us\": 1, "
        "\"G_us_per_byte\": 0.1}], \"sizes\": [{\"bytes\": 101, \"half_us\": 22, \"gap_us\": 11, "
        "\"ci95\": "
        "{\"half_us\": [20, 24]}}, {\"bytes\": 1000, \"half_us\": 100, \"gap_us\": 50, \"ci95\": "
        "{\"half_us\": [80, 120], \"gap_us\": [45, 55]}}]}";
    enum { DRAWN = 1000 };
    struct tan_p2p *p = parse(with);
    struct tan_payload *load = carry(p, 900, 0);
    const double late = tan_payload_late(load, 1, 0);
    const double queue = tan_payload_queue(load, 1, 0);
    double late_squares = 0;
    double queue_squares = 0;
    for (int d = 1; d <= DRAWN; d++) {
        late_squares += pow(tan_payload_late(load, 1, d) / late - 1, 2) / DRAWN;
        queue_squares += pow(tan_payload_queue(load, 1, d) / queue - 1, 2) / DRAWN;
        /* not falling with the size in any draw */
        assert_true(tan_payload_late(load, 1, d) >= 0);
    }
    /* 20 % and 10 % are 1.96 standard deviations; of 1000 draws, within a tenth */
    assert_close(sqrt(late_squares), 0.2 / 1.96, 0.01);
    assert_close(sqrt(queue_squares), 0.1 / 1.96, 0.005);
    tan_payload_destroy(load);
    tan_p2p_destroy(p);
    p = parse(line);
    load = carry(p, 900, 0);
    assert_close(tan_payload_late(load, 1, 7), tan_payload_late(load, 1, 0), 1e-18);
    tan_payload_destroy(load);
    tan_p2p_destroy(p);
}

/* The least wave over all sequences of fanouts, each tried on its own. */
static double exhaust(const struct tan_problem *p, int64_t leaves, int64_t height)
{
    if (leaves == 1) {
        return 0.0;
    }
    double best = INFINITY;
    for (int64_t x = 2; x <= leaves && (p->max_fanout == 0 || x <= p->max_fanout); x++) {
        const int64_t below = (leaves + x - 1) / x;
        if (p->max_height > 0 && height == p->max_height) {
            break;
        }
        best = fmin(best, tan_level_cost(p->model, p->params, x, below, (x - 1) * below) +
                              exhaust(p, below, height + 1));
    }
    return best;
}

TEST(search_is_exact)
{
    static const char *const machines[] = {line, falling};
    static const int64_t sizes[] = {1, 20, 64, 101, 5000};
    static const int64_t limits[][2] = {{0, 0}, {5, 0}, {0, 2}};
    for (size_t m = 0; m < 2; m++) {
        struct tan_p2p *p2p = parse(machines[m]);
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            at_row("sizes[%zu]", s);
            for (int rule = 0; rule < 2; rule++) {
                struct tan_payload *load = carry(p2p, sizes[s], rule);
                struct tan_params params = joint();
                params.payload = load;
                for (int64_t n = 2; n <= 150; n += n < 40 ? 1 : 11) {
                    for (size_t l = 0; l < 3; l++) {
                        const struct tan_problem problem = {.leaves = n,
                                                            .model = &tan_models[TAN_MODEL_TAN],
                                                            .params = &params,
                                                            .max_fanout = limits[l][0],
                                                            .max_height = limits[l][1]};
                        struct tan_error e = TAN_ERROR_INIT;
                        struct tan_plans plans;
                        const double best = exhaust(&problem, n, 0);
                        const int result = tan_search(&problem, 1, &plans, &e);
                        assert_int_equal(result, isfinite(best) ? 0 : -1);
                        if (result == 0) {
                            assert_close(plans.plan[0].wave, best, 1e-9 * best);
                            tan_plans_clear(&plans);
                        }
                    }
                }
                tan_payload_destroy(load);
            }
        }
        tan_p2p_destroy(p2p);
    }
}

TEST(too_little_known)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse("{\"sections\": [{\"L_us\": 7}]}");
    assert_null(tan_payload_create(p, NULL, 1024, 1, &tan_payload_rules[0], "m.json", &e));
    assert_error(e, TAN_FAILED, "o_s_us, o_r_us and G_us_per_byte");
    assert_null(tan_payload_rule_find("grow", &e));
    assert_error(e, TAN_USAGE, "\"grow\" is not one of constant, concat");
    tan_p2p_destroy(p);
}

/* What parents do with each byte keeps the others waiting, too; the first is not later. */
TEST(work)
{
    struct tan_p2p *p = parse(line);
    struct tan_payload *load = carry(p, 201, 0);
    tan_payload_set_work(load, 0.02 * us);
    assert_close(tan_payload_queue(load, 1, 0), 12 * us, 1e-12);
    assert_close(tan_payload_late(load, 1, 0), 10 * us, 1e-12);
    tan_payload_destroy(load);
    tan_p2p_destroy(p);
}

RUN_TESTS(NULL, NULL)
