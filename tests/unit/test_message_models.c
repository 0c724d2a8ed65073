/* test_message_models.c - models of messages against parameters by hand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/json.h"
#include "model/machine/p2p.h"
#include "sim/engine/simulate.h"
#include "sim/goal/goal.h"
#include "sim/schedule/message_models.h"

static const uint64_t US = 1000000;

/* Up to 1000 bytes 2 + 1 + 3 us, beyond 2 + 1 + 0.1 k. */
static const char block[] =
    "{\"eager_bytes\": 1000, \"transfer\": \"RTA\", \"progress\": \"dependent\", \"sections\": ["
    "{\"to_bytes\": 1000, \"L_us\": 1, \"L_us_per_byte\": 0, \"o_s_us\": 2, \"o_r_us\": 3, "
    "\"g_us\": 4, \"G_us_per_byte\": 0.01},"
    "{\"from_bytes\": 1001, \"L_us\": 1, \"L_us_per_byte\": 0, \"o_s_us\": 2, \"o_r_us\": 0, "
    "\"O_r_us_per_byte\": 0.1, \"g_us\": 5, \"G_us_per_byte\": 0.1}], \"sizes\": ["
    "{\"bytes\": 1, \"half_us\": 6}, {\"bytes\": 1000, \"half_us\": 6}, "
    "{\"bytes\": 2000, \"half_us\": 203}]}";

static struct tan_p2p *messages(void)
{
    struct tan_error e = TAN_ERROR_INIT;
    json_t *object = tan_json_parse(block, strlen(block), "m.json", &e);
    struct tan_p2p *p = tan_p2p_parse(object, "m.json", &e);
    assert_no_error(e);
    json_decref(object);
    return p;
}

static struct tan_schedule *parse(const char *text)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s =
        tan_goal_parse(text, strlen(text), "test", &(struct tan_goal_options){0}, &e);
    assert_no_error(e);
    return s;
}

static struct tan_sim_params params_of(const char *model, uint64_t bytes)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_machine machine = {.messages = messages()};
    struct tan_sim_params p = tan_sim_defaults;
    struct tan_sized_link *links;
    assert_int_equal(tan_message_model_params(tan_message_model_find(model), &machine, "m.json",
                                              bytes, NULL, &p, &links, &e),
                     0);
    assert_no_error(e);
    assert_null(links);
    assert_int_equal(machine.messages->progress, TAN_PROGRESS_DEPENDENT);
    tan_p2p_destroy(machine.messages);
    return p;
}

static void loggp(void **state)
{
    (void)state;
    const struct tan_sim_params p = params_of("loggp", 2001);
    assert_int_equal(p.between.o, 2 * US);
    assert_int_equal(tan_link_o_r(&p.between), 3 * US);
    assert_int_equal(p.between.L, US);
    assert_int_equal(p.between.g, 4 * US);
    assert_close(p.between.G, (5 + 200 - 4) / 2000.0 * 1e6, 1e-12); /* of the size's gap */
    assert_int_equal(p.S, TAN_SCHEDULE_MAX_BYTES);
    assert_int_equal(p.handshake, TAN_HANDSHAKE_NONE);
    assert_false(p.in_calls);
}

static void by_protocol(void **state)
{
    (void)state;
    struct tan_sim_params p = params_of("loggpo", 2000);
    assert_int_equal(p.S, 1000);
    assert_int_equal(p.handshake, TAN_HANDSHAKE_FETCH);
    assert_true(p.in_calls);
    assert_int_equal(p.between.o + p.between.L + tan_link_o_r(&p.between), 203 * US);
    p = params_of("loggops", 2000);
    assert_int_equal(p.handshake, TAN_HANDSHAKE_FETCH);
    assert_false(p.in_calls);
    p = params_of("independent", 2000);
    assert_int_equal(p.handshake, TAN_HANDSHAKE_RTA);
    assert_false(p.in_calls);
    assert_null(tan_message_model_find("tan"));
}

/* One message takes as long, and all of its time is processor time. */
static void no_overlap(void **state)
{
    (void)state;
    const struct tan_sim_params p = params_of("no-overlap", 500);
    assert_int_equal(p.between.o, 3 * US);
    assert_int_equal(p.between.L, 0);
    assert_int_equal(tan_link_o_r(&p.between), 3 * US);
}

/* A long message comes while its receiver computes for the first of two times. */
static void in_calls(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sim_params p = tan_sim_defaults;
    struct tan_simulation r;
    struct tan_schedule *s = parse("num_ranks 2\nrank 0 { send 100b to 1 }\nrank 1 {\n"
                                   "r: recv 100b from 0\na: calc 5\nb: calc 7\nw: calc 0\n"
                                   "a irequires r\nb requires a\nw requires r\nw requires b\n}\n");
    p.within = p.between = (struct tan_link){.L = 1000, .o = 100, .o_more = 900};
    p.S = 10;
    p.handshake = TAN_HANDSHAKE_FETCH;
    assert_int_equal(tan_simulate(s, &p, false, &r, &e), 0);
    assert_int_equal(r.rank_finish[0], 5000 + 1000 + 1000); /* between the two, and L back */
    assert_int_equal(r.rank_finish[1], 12000 + 1000);
    tan_simulation_clear(&r);
    p.in_calls = true;
    assert_int_equal(tan_simulate(s, &p, false, &r, &e), 0);
    assert_int_equal(r.rank_finish[0], 12000 + 1000 + 1000); /* in its wait */
    assert_int_equal(r.rank_finish[1], 12000 + 1000);
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loggp),
        cmocka_unit_test(by_protocol),
        cmocka_unit_test(no_overlap),
        cmocka_unit_test(in_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
