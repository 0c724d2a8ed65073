/* test_settings.c - the table of a run's settings: defaults, options, and what results say
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/settings.h"

#include "tests/unit/check.h"

#include <string.h>

TEST(defaults)
{
    struct settings s;

    tan_settings_default(&s);
    assert_int_equal(s.mode, MODE_WAVES);
    assert_string_equal(s.filter, "sum");
    assert_string_equal(s.wait, "auto");
    assert_int_equal(s.n_sizes, 1);
    assert_int_equal(s.sizes[0], 1024);
    assert_int_equal(s.request_bytes, -1);
    assert_int_equal(s.sync.kind, SYNC_ALL);
    assert_close(s.work, 0, 0);
    assert_close(s.frequency, 0, 0);
    assert_close(s.duration, 2, 0);
    assert_int_equal(s.warmup, 5);
    assert_int_equal(s.min_waves, 10);
    assert_int_equal(s.max_waves, 1000);
    assert_close(s.max_seconds, 2, 0);
    assert_close(s.precision, 0.05, 0);
    assert_int_equal(s.passes, 1);
    assert_int_equal(s.seed, 1);
    assert_int_equal(s.failure.wave, 0);
}

/* Options and what results make of them. */
TEST(options)
{
    static const struct {
        const char *option, *value, *key, *json;
    } rows[] = {
        {"-f", "concat", "filter", "\"concat\""},
        {"--sync", "timeout:5ms", "sync", "\"timeout:5ms\""},
        {"--work", "20us", "work_us", "20.0"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        at_row("rows[%zu]", i);
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_json_writer w = {.failed = false};
        struct settings given;
        struct settings s;
        tan_settings_default(&given);
        tan_settings_default(&s);
        const struct setting *row = tan_settings_parse(&given, rows[i].option, rows[i].value, &e);
        assert_no_error(e);
        assert_non_null(row);
        tan_settings_copy(&s, &given, row);
        json_t *o = tan_json_new_object(&w);
        tan_settings_write(&w, o, &s);
        assert_false(w.failed);
        char *text = json_dumps(json_object_get(o, rows[i].key),
                                JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        assert_string_equal(text, rows[i].json);
        free(text);
        json_decref(o);
    }
}

/* Those that results do not repeat. */
TEST(numbers)
{
    struct settings s;
    struct tan_error e = TAN_ERROR_INIT;
    tan_settings_default(&s);
    static const char *const rows[][2] = {
        {"--bytes", "64..200,8"},
        {"--request-bytes", "16"},
        {"--frequency", "250"},
        {"--duration", "500ms"},
        {"-n", "7"},
        {"--max-time", "3s"},
        {"--work", "2000s"}, /* as long as any time */
        {"--fail", "3@20"},
        {"-w", "park"},
        {"--seed", "9223372036854775807"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        at_row("rows[%zu]", i);
        assert_non_null(tan_settings_parse(&s, rows[i][0], rows[i][1], &e));
        assert_no_error(e);
    }
    assert_int_equal(s.n_sizes, 4);
    assert_int_equal(s.sizes[2], 200);
    assert_int_equal(s.request_bytes, 16);
    assert_close(s.frequency, 250, 0);
    assert_close(s.duration, 0.5, 0);
    assert_int_equal(s.min_waves, 7);
    assert_close(s.max_seconds, 3, 0);
    assert_close(s.max_seconds, 3, 0);
    assert_close(s.work, 2000, 1e-9);
    assert_int_equal(s.failure.node, 3);
    assert_int_equal(s.failure.wave, 20);
    assert_string_equal(s.wait, "park");
    assert_int_equal(s.seed, INT64_MAX);
    assert_non_null(tan_settings_parse(&s, "--frequency", "max", &e));
    assert_close(s.frequency, 0, 0);
}

TEST(options_that_are_refused)
{
    static const struct {
        const char *option, *value, *said;
    } rows[] = {
        {"--bytes", "64..8", "--bytes: in LOW..HIGH, LOW is at least 1 and HIGH no less"},
        {"-b", "1..1GiB,1..1GiB,1..1GiB", "-b takes at most 64 values"},
        {"--duration", "0.1ms", "--duration must be at least 1ms, not \"0.1ms\""},
        {"--frequency", "-1", "--frequency must be waves per second from 0 to 1e9"},
        {"--precision", "0.001", "--precision: \"0.001\" is not 0 or a percentage"},
        {"--precision", "200%", "--precision: \"200%\" is not 0 or a percentage"},
        {"--precision", "narrow", "--precision: \"narrow\" is not 0 or a percentage"},
        {"-f", "median", "-f: \"median\" is not one of null, sum"},
        {"--max-waves", "0", "--max-waves"},
        {"--warmup", "1000001", "--warmup"},
        {"--passes", "0", "--passes"},
        {"--passes", "1001", "--passes"},
        {"--seed", "-1", "--seed"},
        {"--wait", "a-name-of-17-bytes", "--wait: \"a-name-of-17-bytes\" is too long"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        at_row("rows[%zu]", i);
        struct tan_error e = TAN_ERROR_INIT;
        struct settings s;
        tan_settings_default(&s);
        assert_null(tan_settings_parse(&s, rows[i].option, rows[i].value, &e));
        assert_error(e, TAN_USAGE, rows[i].said);
    }
}

RUN_TESTS(NULL, NULL)
