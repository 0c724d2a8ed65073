/* test_timeline.c - simulations as SVG drawings and Chrome traces
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

typedef int writer(const struct tan_timeline *, FILE *, struct tan_error *);

/* What a writer writes; NULL when it fails. The caller frees. */
static char *written(writer *write, const struct tan_timeline *t, struct tan_error *e)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    const int result = write(t, to, e);
    fclose(to);
    if (result != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        n++;
    }
    return n;
}

/* Tags nest, attributes are quoted, no stray < & or control character: well-formed XML as far as
 * pictures use it. */
static void check_xml(const char *text)
{
    char open[32][16];
    int depth = 0, roots = 0;
    for (const char *c = text; *c != '\0'; c++) {
        assert_true((unsigned char)*c >= ' ' || *c == '\n');
        if (*c == '&') {
            assert_true(strncmp(c, "&lt;", 4) == 0 || strncmp(c, "&gt;", 4) == 0 ||
                        strncmp(c, "&amp;", 5) == 0);
        }
        if (*c != '<') {
            continue;
        }
        const bool closes = c[1] == '/';
        const char *name = c + 1 + closes;
        const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz");
        assert_in_range(length, 1, 15);
        const char *end = name + length;
        for (bool quoted = false; *end != '>' || quoted; end++) {
            assert_true(*end != '\0' && *end != '<');
            quoted ^= *end == '"';
        }
        if (closes) {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(strlen(open[depth]), length);
            assert_memory_equal(open[depth], name, length);
        } else if (end[-1] != '/') {
            assert_true(depth < 32);
            roots += depth == 0;
            memcpy(open[depth], name, length);
            open[depth++][length] = '\0';
        }
        c = end;
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
}

static void test_svg(void **state)
{
    (void)state;
    struct job j;
    set_up(&j);
    struct tan_error e = TAN_ERROR_INIT;
    char *text = written(tan_timeline_svg, &j.timeline, &e);
    assert_no_error(e);
    check_xml(text);
    assert_non_null(strstr(text, ">a &lt;\"&amp;\"&gt; b</text>"));
    assert_non_null(strstr(text, "never finishes; the last thing happens at 9.1 ns"));
    /* The plot is 1048 pixels for 9100 ps, from 124 on. The send and its tooltip: */
    assert_non_null(strstr(text, "<rect class=\"s k\" x=\"124.00\" y=\"122.0\" width=\"115.16\" "
                                 "height=\"14\"><title>send 11b to 1, 0 to 1 ns, line 7</title>"));
    /* its NIC, 600 ps; its message from 1000 to 3000 */
    assert_non_null(strstr(text, "width=\"69.10\" height=\"3\"><title>send 11b to 1, 0 to 0.6 ns"));
    assert_int_equal(count(text, "<path class=\"mk\" marker-end=\"url(#headk)\" d=\"M239.16 136L"),
                     1);
    assert_int_equal(count(text, "<title>"), 6);     /* 3 CPU, 2 NIC, 1 for ever */
    assert_int_equal(count(text, "class=\"w\""), 2); /* in the legend, too */
    assert_int_equal(count(text, ">rank "), 3);
    assert_int_equal(count(text, ">cpu "), 2); /* rank 1 has two */
    free(text);

    /* Without a path nothing is emphasised. */
    j.timeline.critical = NULL;
    text = written(tan_timeline_svg, &j.timeline, &e);
    assert_no_error(e);
    check_xml(text);
    assert_int_equal(count(text, " k\""), 0);
    assert_int_equal(count(text, "class=\"m\""), 2); /* the message, and the legend's */
    free(text);
    tan_schedule_destroy(j.schedule);
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

static void test_chrome(void **state)
{
    (void)state;
    struct job j;
    set_up(&j);
    struct tan_error e = TAN_ERROR_INIT;
    char *text = written(tan_timeline_chrome, &j.timeline, &e);
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

static void test_errors(void **state)
{
    (void)state;
    static writer *const writers[] = {tan_timeline_svg, tan_timeline_chrome};
    struct job j;
    set_up(&j);
    struct tan_error e = TAN_ERROR_INIT;
    for (int i = 0; i < 2; i++) {
        struct tan_timeline t = j.timeline;
        t.title = "\xff";
        assert_null(written(writers[i], &t, &e));
        assert_error(e, TAN_FAILED, "UTF-8");
        struct tan_simulation without = j.simulation;
        without.history = NULL;
        t = j.timeline;
        t.simulation = &without;
        assert_null(written(writers[i], &t, &e));
        assert_error(e, TAN_FAILED, "history");
    }
    tan_schedule_destroy(j.schedule);
}

/* Simulate a pattern, and draw it with its critical path. */
static char *drawn(const char *pattern, writer *write, struct tan_error *e)
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
    char *text = written(write, &t, e);
    tan_critical_path_clear(&path);
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
    return text;
}

static void test_selection(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    /* The longest way of a binomial reduction of 1024 ends at 0 and comes from 1023, over 511. */
    char *text = drawn("binomial-reduce:1024", tan_timeline_svg, &e);
    assert_no_error(e);
    check_xml(text);
    assert_int_equal(count(text, ">rank "), TAN_SVG_RANKS);
    static const char *const on_path[] = {">rank 0<", ">rank 511<", ">rank 1023<"};
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(count(text, on_path[k]), 1);
    }
    assert_non_null(strstr(text, "; 64 of 1024 ranks shown, first those of the critical path<"));
    assert_int_equal(count(text, "class=\"mk\""), 10 + 1); /* every hop, and the legend */
    free(text);

    assert_null(drawn("gather:20000", tan_timeline_svg, &e));
    assert_error(e, TAN_FAILED, "at most 10000 operations, too few for rank 0 with its 19999");

    /* A trace has no limit: a slice for every operation, a flow for every message. */
    text = drawn("gather:20000", tan_timeline_chrome, &e);
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

static void test_nothing(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    /* One rank: a pattern without operations */
    char *text = drawn("gather:1", tan_timeline_svg, &e);
    assert_no_error(e);
    check_xml(text);
    assert_int_equal(count(text, ">rank 0<"), 1);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
    text = drawn("gather:1", tan_timeline_chrome, &e);
    assert_no_error(e);
    json_t *trace = json_loads(text, 0, NULL);
    assert_non_null(trace);
    json_decref(trace);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_svg),     cmocka_unit_test(test_chrome),
        cmocka_unit_test(test_errors),  cmocka_unit_test(test_selection),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
