/* test_timeline.c - simulations as Chrome traces
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <stdlib.h>

#include "sim/schedule/patterns.h"
#include "sim/view/timeline.h"
#include "tests/unit/check.h"

/* A job: rank 0 sends 11 bytes to rank 1, which calculates when it has them; rank 2 waits for a
 * message that nobody sends. What happened is written down by hand, in picoseconds, with L 2000, o
 * 1000, g 500, G 10: the send 0 to 1000, its NIC to 600; the message arrives at 3000. */

struct job {
    struct tan_schedule *schedule;
    struct tan_sim_params params;
    struct tan_history history[4];
    struct tan_simulation simulation;
    struct tan_path_step steps[3];
    struct tan_critical_path path;
    struct tan_timeline timeline;
    uint32_t unmatched[1];
};

static void add(struct tan_schedule_builder *b, uint32_t rank, struct tan_op_spec spec, int after)
{
    struct tan_error e = TAN_ERROR_INIT;
    uint32_t index;
    if (after < 0) {
        tan_schedule_rank(b, rank, &e);
    }
    tan_schedule_add(b, &spec, rank + 7, &index, &e);
    if (after >= 0) {
        tan_schedule_require(b, index, (uint32_t)after, TAN_AFTER_FINISH, &e);
    }
    assert_no_error(e);
}

static void set_up(struct job *j)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule_builder *b = tan_schedule_begin(3, true, &e);
    add(b, 0, (struct tan_op_spec){.kind = TAN_OP_SEND, .amount = 11, .peer = 1}, -1);
    tan_schedule_rank_end(b, NULL, &e);
    add(b, 1, (struct tan_op_spec){.kind = TAN_OP_RECV, .amount = 11, .peer = 0}, -1);
    add(b, 1, (struct tan_op_spec){.kind = TAN_OP_CALC, .amount = 5000, .cpu = 1}, 0);
    tan_schedule_rank_end(b, NULL, &e);
    add(b, 2, (struct tan_op_spec){.kind = TAN_OP_RECV, .amount = 1, .peer = 0}, -1);
    tan_schedule_rank_end(b, NULL, &e);
    const struct tan_link link = {.L = 2000, .o = 1000, .g = 500, .G = 10};
    *j = (struct job){
        .schedule = tan_schedule_seal(b, &e),
        .params = {.within = link, .between = link, .S = 1000},
        .history = {{.busy = 1000,
                     .end = 1000,
                     .wire = 1000,
                     .why = TAN_WHY_BEGIN,
                     .cause = TAN_OP_NONE,
                     .met_by = TAN_OP_NONE,
                     .behind = TAN_OP_NONE,
                     .gap = TAN_OP_NONE,
                     .match = 1},
                    {.start = 3000,
                     .busy = 4100,
                     .end = 4100,
                     .wire = 3000,
                     .why = TAN_WHY_MESSAGE,
                     .cause = 0,
                     .met_by = TAN_OP_NONE,
                     .behind = TAN_OP_NONE,
                     .gap = TAN_OP_NONE,
                     .match = 0},
                    {.ready = 4100,
                     .start = 4100,
                     .busy = 9100,
                     .end = 9100,
                     .wire = TAN_NEVER,
                     .why = TAN_WHY_DEPENDENCY,
                     .cause = 1,
                     .met_by = 1,
                     .behind = TAN_OP_NONE,
                     .gap = TAN_OP_NONE,
                     .match = TAN_OP_NONE},
                    {.start = TAN_NEVER,
                     .busy = TAN_NEVER,
                     .end = TAN_NEVER,
                     .wire = TAN_NEVER,
                     .why = TAN_WHY_BEGIN,
                     .cause = TAN_OP_NONE,
                     .met_by = TAN_OP_NONE,
                     .behind = TAN_OP_NONE,
                     .gap = TAN_OP_NONE,
                     .match = TAN_OP_NONE}},
        .steps = {{.op = 0, .from = 0, .to = 3000},
                  {.op = 1, .from = 3000, .to = 4100},
                  {.op = 2, .from = 4100, .to = 9100}},
        .unmatched = {3},
    };
    assert_no_error(e);
    j->simulation = (struct tan_simulation){.finish = 9100,
                                            .last_rank = 1,
                                            .history = j->history,
                                            .unmatched = j->unmatched,
                                            .n_unmatched = 1};
    j->path = (struct tan_critical_path){.finish = 9100, .n_steps = 3, .steps = j->steps};
    j->timeline = (struct tan_timeline){.title = "a <\"&\"> b",
                                        .schedule = j->schedule,
                                        .params = &j->params,
                                        .simulation = &j->simulation,
                                        .critical = &j->path};
}

/* What is written; NULL when that fails. The caller frees. */
static char *written(const struct tan_timeline *t, struct tan_error *e)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    const int result = tan_timeline_chrome(t, to, e);
    fclose(to);
    if (result != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* A number of a member of an object. */
static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static const char *string(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    assert_non_null(value);
    return value;
}

TEST(test_chrome)
{
    struct job j;
    set_up(&j);
    struct tan_error e = TAN_ERROR_INIT;
    char *text = written(&j.timeline, &e);
    assert_no_error(e);
    json_t *trace = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    assert_non_null(trace);
    assert_string_equal(string(json_object_get(trace, "otherData"), "title"), "a <\"&\"> b");
    double busy = 0, gap = 0;
    int starts = 0, ends = 0, processes = 0;
    size_t i;
    json_t *event;
    json_array_foreach(json_object_get(trace, "traceEvents"), i, event)
    {
        const char *phase = string(event, "ph");
        assert_in_range(number(event, "pid"), 1, 3);
        assert_true(number(event, "tid") >= 1);
        if (strcmp(phase, "X") == 0) {
            const bool nic = strncmp(string(event, "cat"), "gap", 3) == 0;
            *(nic ? &gap : &busy) += number(event, "dur");
            assert_true((number(event, "tid") >= 257) == nic);
            if (strcmp(string(event, "name"), "calc 5 cpu 1") == 0) {
                assert_close(number(event, "ts"), 0.0041, 1e-12);
                assert_close(number(event, "dur"), 0.005, 1e-12);
                assert_int_equal(number(event, "tid"), 2);
                assert_true(
                    json_is_true(json_object_get(json_object_get(event, "args"), "critical")));
            }
        } else if (strcmp(phase, "s") == 0) {
            starts++;
            assert_int_equal(number(event, "pid"), 1);
            assert_close(number(event, "ts"), 0, 0); /* within the send */
        } else if (strcmp(phase, "f") == 0) {
            ends++;
            assert_int_equal(number(event, "pid"), 2);
            assert_close(number(event, "ts"), 0.003, 1e-12);
            assert_string_equal(string(event, "bp"), "e");
        } else {
            assert_string_equal(phase, "M");
            processes += strcmp(string(event, "name"), "process_name") == 0;
        }
    }
    assert_close(busy, 0.0071, 1e-12); /* 1000 + 1100 + 5000 ps */
    assert_close(gap, 0.0012, 1e-12);  /* 600 each */
    assert_int_equal(starts, 1);
    assert_int_equal(ends, 1);
    assert_int_equal(processes, 3);
    json_decref(trace);

    tan_schedule_destroy(j.schedule);
}

TEST(title_in_utf_8)
{
    struct job j;
    set_up(&j);
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_timeline t = j.timeline;
    t.title = "\xff";
    assert_null(written(&t, &e));
    assert_error(e, TAN_FAILED, "UTF-8");
    tan_schedule_destroy(j.schedule);
}

/* Simulate a pattern, and draw it with its critical path. */
static char *drawn(const char *pattern, struct tan_error *e)
{
    struct tan_schedule *s = tan_pattern_build(pattern, 8, e);
    assert_non_null(s);
    struct tan_simulation r;
    struct tan_critical_path path;
    assert_int_equal(tan_simulate(s, &tan_sim_defaults, true, &r, e), 0);
    assert_int_equal(tan_critical_path(s, &tan_sim_defaults, &r, &path, e), 0);
    const struct tan_timeline t = {.title = pattern,
                                   .schedule = s,
                                   .params = &tan_sim_defaults,
                                   .simulation = &r,
                                   .critical = &path};
    char *text = written(&t, e);
    tan_critical_path_clear(&path);
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
    return text;
}

TEST(test_everything)
{
    struct tan_error e = TAN_ERROR_INIT;
    /* A slice for every operation, a flow for every message. */
    char *text = drawn("gather:20000", &e);
    assert_no_error(e);
    json_t *trace = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    int sends = 0, receives = 0, flows = 0;
    size_t i;
    json_t *event;
    json_array_foreach(json_object_get(trace, "traceEvents"), i, event)
    {
        const char *phase = string(event, "ph");
        flows += strcmp(phase, "f") == 0;
        sends += strcmp(phase, "X") == 0 && strncmp(string(event, "cat"), "send", 4) == 0;
        receives += strcmp(phase, "X") == 0 && strncmp(string(event, "cat"), "recv", 4) == 0;
    }
    json_decref(trace);
    assert_int_equal(sends, 19999);
    assert_int_equal(receives, 19999);
    assert_int_equal(flows, 19999);
}

TEST(test_nothing)
{
    struct tan_error e = TAN_ERROR_INIT;
    /* One rank: a pattern without operations */
    char *text = drawn("gather:1", &e);
    assert_no_error(e);
    json_t *trace = json_loads(text, 0, NULL);
    assert_non_null(trace);
    json_decref(trace);
    free(text);
}

RUN_TESTS(NULL, NULL)
