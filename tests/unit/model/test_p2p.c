/* test_p2p.c - the p2p block: reading, writing, interpolation, table of models
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "base/json.h"
#include "model/machine/p2p.h"

static const double us = 1e-6;

static struct tan_p2p *parse(const char *text, struct tan_error *e)
{
    json_t *object = tan_json_parse(text, strlen(text), "m.json", e);
    struct tan_p2p *p = object == NULL ? NULL : tan_p2p_parse(object, "m.json", e);
    json_decref(object);
    return p;
}

/* Two sections with a switch at 1000 bytes; four sizes measured. */
static const char *const full =
    "{\"eager_bytes\": 1000, \"transfer\": \"RAT\", \"progress\": \"dependent\", "
    "\"control_us\": 1, \"local\": {\"s_s_us\": 1, \"s_r_us\": 2, \"S_us_per_byte\": 0.5},"
    "\"sections\": [{\"to_bytes\": 1000, \"L_us\": 10, \"o_s_us\": 2, \"O_s_us_per_byte\": 0.01, "
    "\"o_r_us\": 3, \"O_r_us_per_byte\": 0.02, \"g_us\": 4, \"G_us_per_byte\": 0.1, "
    "\"ci95\": {\"L_us\": [9, 11]}},"
    "{\"from_bytes\": 1001, \"L_us\": 20, \"o_s_us\": 5, \"o_r_us\": 6, \"G_us_per_byte\": 0.2}],"
    "\"sizes\": [{\"bytes\": 1, \"half_us\": 15, \"o_s_us\": 2.01, \"o_r_us\": 3.02},"
    "{\"bytes\": 101, \"half_us\": 25, \"o_s_us\": 3.01},"
    "{\"bytes\": 1000, \"half_us\": 100}, {\"bytes\": 1001, \"half_us\": 300}]}";

static double delivered(const struct tan_p2p *p, const char *name, int64_t bytes)
{
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        if (strcmp(m->name, name) == 0) {
            return m->predict(p, bytes).delivered / us;
        }
    }
    fail_msg("no model %s", name);
    return NAN;
}

TEST(models_by_hand)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse(full, &e);
    assert_no_error(e);
    const double near = 1e-9;
    /* overheads of one byte as measured: 2.01 and 3.02; 51 bytes: 50 G = 5 */
    assert_close(delivered(p, "logp", 51), 15.03, near);
    assert_close(delivered(p, "loggp", 51), 20.03, near);
    assert_close(delivered(p, "loggp", 1001), 8.04 + 40 + 9.06 + 200, near); /* RAT */
    p->transfer = TAN_TRANSFER_RTA;
    assert_close(delivered(p, "loggp", 1001), 4.02 + 20 + 3.02 + 200, near);
    p->transfer = TAN_TRANSFER_RAT;
    assert_close(delivered(p, "loggp-smp", 51), 28, near);
    /* o_s(51) on the line from 2.01 to 3.01; o_r has one point, 3.02 */
    assert_close(delivered(p, "loggpo", 51), 2.51 + 5 + 10 + 3.02, near);
    assert_close(delivered(p, "loggps", 51), 4 + 5.1 + 10 + 3.02, near);
    /* max(2.51, 4 + 5.1) + 10 + 1.02 + 3 */
    assert_close(delivered(p, "loggops", 51), 23.12, near);
    assert_close(delivered(p, "plogp", 51), 20, near);
    /* rendezvous: 4 O' + 3 L + O_i + 1000 G with O_i of one byte */
    assert_close(delivered(p, "loggpo", 1001), 4 + 30 + 2.01 + 200, near);
    assert_close(delivered(p, "plogp", 1001), 300, near);
    assert_close(delivered(p, "plogp", 1002), 500, near); /* along the last two */
    assert_string_equal(tan_p2p_best(p)->name, "plogp");
    tan_p2p_destroy(p);
}

/* Every equation of LogGP's protocols: L 5, o_s 2, o_r 3, G 0.5; a message of 11 bytes, (k-1) G
 * = 5.
 */
TEST(protocols)
{
    static const struct {
        const char *limits;
        double sender, delivered;
    } rows[] = {
        {"", 2, 15},                                            /* (1), (9): 2 + 3 + 5 + 5 */
        {"\"eager_bytes\": 20, \"alone_bytes\": 1,", 20, 15},   /* (3): 4 + 10 + 6 */
        {"\"eager_bytes\": 1, \"transfer\": \"RTA\",", 30, 22}, /* 4 + 15 + 6 + 5; 4 + 10 + 3 + 5 */
        {"\"eager_bytes\": 1, \"transfer\": \"RAT\",", 34, 42}, /* 8 + 15 + 6 + 5; 8 + 20 + 9 + 5 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        char text[256];
        at_row("rows[%zu]", i);
        snprintf(text, sizeof text,
                 "{%s \"sections\": [{\"L_us\": 5, \"o_s_us\": 2, \"o_r_us\": 3, \"g_us\": 4, "
                 "\"G_us_per_byte\": 0.5}]}",
                 rows[i].limits);
        struct tan_p2p *p = parse(text, &e);
        assert_no_error(e);
        const struct tan_message m = tan_p2p_model_find("loggp")->predict(p, 11);
        assert_close(m.sender / us, rows[i].sender, 1e-12);
        assert_close(m.delivered / us, rows[i].delivered, 1e-12);
        assert_close(tan_p2p_model_find("logp")->predict(p, 11).sender / us, 2, 1e-12);
        /* the gap outweighs o_s */
        assert_close(tan_p2p_model_find("loggps")->predict(p, 10).sender / us, 4, 1e-12);
        assert_close(delivered(p, "loggps", 10), 4 + 5 + 5 + 3, 1e-12);
        assert_close(delivered(p, "loggops", 10), 4 + 5 + 5 + 3, 1e-12);
        tan_p2p_destroy(p);
    }
}

/* Sections as tanbench measures them: T up to 100 bytes, TA up to 1000, then RTA. */
static const char *const measured =
    "{\"eager_bytes\": 1000, \"alone_bytes\": 100, \"transfer\": \"RTA\", "
    "\"progress\": \"dependent\", \"sections\": ["
    "{\"to_bytes\": 1000, \"L_us\": -1, \"L_us_per_byte\": 0.002, \"o_s_us\": 2, "
    "\"O_s_us_per_byte\": 0.01, \"o_r_us\": 3, \"O_r_us_per_byte\": 0.02, \"g_us\": 5, "
    "\"G_us_per_byte\": 0.1, \"ack_us\": 4, \"ci95\": {\"L_us\": [-2, -0.5]}},"
    /* o_r: -50 at 0 bytes, but 0.05 where the section begins */
    "{\"from_bytes\": 1001, \"L_us\": 5, \"L_us_per_byte\": 0, \"o_s_us\": 6, "
    "\"O_s_us_per_byte\": 0, \"o_r_us\": -50, \"O_r_us_per_byte\": 0.05, \"ack_us\": -3}]}";

TEST(sections_of_delivery)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse(measured, &e);
    assert_no_error(e);
    const double near = 1e-9;
    struct tan_loggpo_costs c;
    /* 50 bytes: o_s 2.5, L -0.9, o_r 4 */
    tan_p2p_costs(p, 50, &c);
    assert_int_equal(c.transfer, TAN_TRANSFER_T);
    assert_close(c.delivered / us, 5.6, near);
    assert_close(c.arrival / us, 1.6, near);
    assert_close(c.blocked / us, 2.5, near);
    assert_close(tan_p2p_interval_of(p, 51) / us, 5 + 5, near);
    /* 200 bytes: o_s 4, L -0.6, o_r 7; the sender waits 4 longer */
    tan_p2p_costs(p, 200, &c);
    assert_int_equal(c.transfer, TAN_TRANSFER_TA);
    assert_close(c.delivered / us, 10.4, near);
    assert_close(c.blocked / us, 14.4, near);
    /* 2000 bytes: 6 + 5 + 50, the sender free 3 before; no gap: the larger overhead */
    tan_p2p_costs(p, 2000, &c);
    assert_int_equal(c.transfer, TAN_TRANSFER_RTA);
    assert_close(c.delivered / us, 61, near);
    assert_close(c.blocked / us, 58, near);
    assert_close(tan_p2p_interval_of(p, 2000) / us, 50, near);
    assert_close(delivered(p, "fitted", 2000), 61, near);
    assert_true(tan_p2p_complete(p));
    assert_string_equal(tan_p2p_best(p)->name, "fitted");
    /* As published, with L of one byte, which is below 0, and G 0.05, the larger overhead:
     * LogGPS 6 + 2000 G + 50, LogGOPS 2000 G + 0.05 * 2000 - 50, LogGPO by RTA with O' = O_i = 2.01
     * 2 O' + O_i + 1999 G, LogGP with o_r = 3.02 2 * 2.01 + 3.02 + 1999 G */
    assert_close(tan_p2p_latency(p) / us, -0.998, near);
    assert_close(delivered(p, "loggps", 2000), 156, near);
    assert_close(delivered(p, "loggops", 2000), 150, near);
    assert_close(delivered(p, "loggpo", 2000), 105.98, near);
    assert_close(delivered(p, "loggp", 2000), 106.99, near);
    /* T, 50 bytes: o_s(50) + 49 G + o_r(50) */
    assert_close(delivered(p, "loggpo", 50), 2.5 + 4.9 + 4, near);
    assert_close(p->section[0].ci95[TAN_P2P_L].low / us, -2, near);
    json_t *json = tan_p2p_to_json(p);
    struct tan_p2p *again = tan_p2p_parse(json, "again", &e);
    assert_no_error(e);
    assert_int_equal(again->alone, 100);
    assert_close(again->section[1].value[TAN_P2P_ACK] / us, -3, near);
    json_decref(json);
    tan_p2p_destroy(again);
    tan_p2p_destroy(p);
}

/* O' 1, O_i 0.5 and O_c 0.75 of their own, not o_s 2 and o_r 3: T 0.5 + 0.1 * 99 + 10 + 0.75;
 * beyond S by RTA 2 O' + L + O_i(1) + 0.1 * 1999. */
TEST(own_parameters)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse(
        "{\"eager_bytes\": 1000, \"transfer\": \"RTA\", \"progress\": \"dependent\", "
        "\"control_us\": 1, \"sections\": [{\"L_us\": 10, \"L_us_per_byte\": 0, \"o_s_us\": 2, "
        "\"o_r_us\": 3, \"g_us\": 0, \"G_us_per_byte\": 0.1}], \"sizes\": ["
        "{\"bytes\": 1, \"O_i_us\": 0.25, \"O_c_us\": 0.75}, "
        "{\"bytes\": 100, \"O_i_us\": 0.5, \"O_c_us\": 0.75}]}",
        &e);
    assert_no_error(e);
    assert_close(delivered(p, "loggpo", 100), 21.15, 1e-9);
    assert_close(delivered(p, "loggpo", 2000), 2 + 10 + 0.25 + 199.9, 1e-9);
    tan_p2p_destroy(p);
}

/* A latency below 0, and overheads beside gaps: o_s 2 and 3 beside 1 and 4, o_r 5 beside 1 alone.
 */
TEST(violations)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse(
        "{\"sections\": [{\"L_us\": -1.5, \"L_us_per_byte\": 0.25, \"o_s_us\": 2, \"o_r_us\": 3}], "
        "\"sizes\": [{\"bytes\": 1, \"o_s_us\": 2, \"o_r_us\": 5, \"gap_us\": 1}, "
        "{\"bytes\": 64, \"o_s_us\": 3, \"gap_us\": 4}]}",
        &e);
    assert_no_error(e);
    json_t *list = tan_p2p_violations(p);
    static const char *const wanted[] = {
        "L is -1.25 us",
        "o_s exceeds the time from message to message at 1 of 2 sizes, the most at 1 B, 2",
        "at 1 of 2 sizes, the most at 1 B, 5 times as long"};
    assert_int_equal(json_array_size(list), sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_non_null(strstr(json_string_value(json_array_get(list, i)), wanted[i]));
    }
    json_decref(list);
    tan_p2p_destroy(p);
    p = parse(full, &e);
    list = tan_p2p_violations(p);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    tan_p2p_destroy(p);
}

/* RTA: O' is half of 6; O_i is that of one byte, 2 + 0.01. The one-way times stay. */
TEST(independent_progress_assumed)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse(measured, &e);
    struct tan_loggpo_costs c;
    assert_no_error(e);
    assert_true(tan_p2p_assume_independent(p));
    tan_p2p_costs(p, 2000, &c);
    assert_int_equal(c.progress, TAN_PROGRESS_INDEPENDENT);
    assert_close(c.o_s / us, 6, 1e-9);
    assert_close(c.o_r / us, 8.01, 1e-9);
    assert_close(c.delivered / us, 61, 1e-9);
    tan_p2p_costs(p, 50, &c); /* up to S as before */
    assert_close(c.o_r / us, 4, 1e-9);
    tan_p2p_destroy(p);
    p = parse(full, &e);
    assert_false(tan_p2p_assume_independent(p));
    tan_p2p_destroy(p);
    /* No message is eager: the first section changes, too. O' is 3 and O_i 6: L + o_s + o_r stays
     * 13, with o_s = 6 and o_r = 12. */
    p = parse("{\"eager_bytes\": 0, \"transfer\": \"RTA\", \"progress\": \"dependent\", "
              "\"sections\": [{\"L_us\": 5, \"L_us_per_byte\": 0, \"o_s_us\": 6, \"o_r_us\": 2, "
              "\"g_us\": 1, "
              "\"G_us_per_byte\": 0}]}",
              &e);
    assert_no_error(e);
    assert_true(tan_p2p_assume_independent(p));
    assert_close(p->section[0].value[TAN_P2P_L] / us, -5, 1e-9);
    assert_close(p->section[0].value[TAN_P2P_O_R] / us, 12, 1e-9);
    tan_p2p_destroy(p);
}

TEST(sections_alone)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse("{\"sections\": [{\"L_us\": 3.1, \"o_s_us\": 30, \"o_r_us\": 15, "
                              "\"G_us_per_byte\": 0.04}]}",
                              &e);
    assert_no_error(e);
    assert_close(delivered(p, "loggp", 101), 52.1, 1e-9);
    /* without g and O the gap is G k: max(30, 4.04) + 3.1 + 15 */
    assert_close(delivered(p, "loggops", 101), 48.1, 1e-9);
    assert_true(isnan(delivered(p, "plogp", 101)));
    assert_true(isnan(delivered(p, "loggp-smp", 101)));
    assert_string_equal(tan_p2p_best(p)->name, "loggops");
    assert_int_equal(p->eager, -1);
    tan_p2p_destroy(p);
    p = parse("{\"sections\": [{\"L_us\": 7}]}", &e);
    assert_no_error(e);
    assert_null(tan_p2p_best(p));
    tan_p2p_destroy(p);
}

/* Keys of files by other versions are ignored; what was disturbed stays so. */
TEST(disturbed)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse(
        "{\"sections\": [{\"L_us\": 1}], \"slowed\": 1, \"work_us\": [5, 6], \"turn_us\": 0.1, "
        "\"copy\": [{\"bytes\": 1024, \"us_per_byte\": 0.25}], \"sizes\": [{\"bytes\": 1, "
        "\"half_us\": 10, \"half_slowed_0_us\": 10, \"o_r_cold_us\": 11}]}",
        &e);
    assert_no_error(e);
    assert_false(p->disturbed);
    tan_p2p_destroy(p);
    p = parse("{\"sections\": [{}], \"disturbed\": true}", &e);
    assert_no_error(e);
    json_t *json = tan_p2p_to_json(p);
    tan_p2p_destroy(p);
    p = tan_p2p_parse(json, "again", &e);
    assert_true(p->disturbed);
    json_decref(json);
    tan_p2p_destroy(p);
    assert_null(parse("{\"sections\": [{}], \"disturbed\": 2}", &e));
    assert_error(e, TAN_FAILED, "p2p.disturbed");
}

TEST(round_trip)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *p = parse(full, &e);
    json_t *once = tan_p2p_to_json(p);
    struct tan_p2p *q = tan_p2p_parse(once, "once", &e);
    assert_no_error(e);
    json_t *twice = tan_p2p_to_json(q);
    assert_true(json_equal(once, twice));
    assert_int_equal(q->n_sections, 2);
    assert_int_equal(q->section[0].to, 1000);
    assert_int_equal(q->n_sizes, 4);
    assert_int_equal(q->eager, 1000);
    assert_int_equal(q->transfer, TAN_TRANSFER_RAT);
    assert_int_equal(q->progress, TAN_PROGRESS_DEPENDENT);
    assert_close(q->section[0].ci95[TAN_P2P_L].high, 11 * us, 1e-15);
    assert_true(isnan(q->section[1].value[TAN_P2P_G]));
    json_decref(once);
    json_decref(twice);
    tan_p2p_destroy(p);
    tan_p2p_destroy(q);
}

TEST(mistakes)
{
    static const struct {
        const char *text, *wrong;
    } rows[] = {
        {"{}", "sections"},
        {"{\"sections\": []}", "p2p.sections must hold at least one section"},
        {"{\"sections\": [7]}", "p2p.sections[0] must be an object"},
        {"{\"sections\": [{\"o_s_us\": -1}]}", "p2p.sections[0].o_s_us"},
        {"{\"sections\": [{\"O_s_us_per_byte\": -1}]}", "p2p.sections[0].O_s_us_per_byte"},
        {"{\"sections\": [{\"from_bytes\": 99, \"o_r_us\": -10, \"O_r_us_per_byte\": 0.1}]}",
         "p2p.sections[0].o_r_us must be 0 or more, with O_r_us_per_byte at from_bytes"},
        {"{\"eager_bytes\": 5, \"alone_bytes\": 6, \"sections\": [{}]}", "p2p.alone_bytes"},
        {"{\"sections\": [{\"L_us\": \"x\"}]}", "p2p.sections[0].L_us"},
        {"{\"sections\": [{\"to_bytes\": 10}, {\"from_bytes\": 10}]}",
         "p2p.sections[1].from_bytes"},
        {"{\"sections\": [{\"ci95\": {\"L_us\": [2, 1]}}]}", "p2p.sections[0].ci95.L_us"},
        {"{\"sections\": [{\"ci95\": {\"L_us\": [1]}}]}", "p2p.sections[0].ci95.L_us"},
        {"{\"sections\": [{}], \"sizes\": [{\"half_us\": 1}]}", "p2p.sizes[0]"},
        {"{\"sections\": [{}], \"sizes\": [{\"bytes\": 2}, {\"bytes\": 2}]}", "p2p.sizes[1].bytes"},
        {"{\"sections\": [{}], \"transfer\": \"TAR\"}",
         "p2p.transfer must be one of unknown, T, TA, RTA, RAT, not \"TAR\""},
        {"{\"sections\": [{}], \"progress\": \"none\"}", "unknown, dependent, independent"},
        {"{\"sections\": [{}], \"local\": {\"s_s_us\": -2}}", "p2p.local.s_s_us"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        assert_null(parse(rows[i].text, &e));
        assert_error(e, TAN_FAILED, rows[i].wrong);
    }
}

RUN_TESTS(NULL, NULL)
