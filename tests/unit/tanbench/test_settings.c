/* test_settings.c - settings of a run by default, and what results say
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/settings.h"

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

TEST(results)
{
    struct tan_json_writer w = {.failed = false};
    struct settings s;

    tan_settings_default(&s);
    strcpy(s.filter, "concat");
    s.mode = MODE_ONEWAY;
    s.work = 20e-6;
    json_t *o = tan_json_new_object(&w);
    tan_settings_write(&w, o, &s);
    assert_false(w.failed);
    char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(15));
    assert_string_equal(text, "{\"mode\":\"oneway\",\"filter\":\"concat\",\"work_us\":20.0}");
    free(text);
    json_decref(o);
}

RUN_TESTS(NULL, NULL)
