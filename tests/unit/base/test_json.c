/* test_json.c - typed getters and their errors
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/output.h"
#include "tests/unit/scratch_file.h"

static json_t *parse(const char *text)
{
    struct tan_error e = TAN_ERROR_INIT;
    json_t *document = tan_json_parse(text, strlen(text), "m.json", &e);
    assert_no_error(e);
    return document;
}

TEST(syntax)
{
    static const struct {
        const char *text, *error;
        int line;
    } rows[] = {
        {"", "end of file", 1},
        {"{\"a\": 1,\n \"a\": 2}", "duplicate", 2},
        {"{\"a\": NaN}", "not valid JSON", 1},
        {"{\"a\": 1}\n\nx", "end of file expected", 3},
        {"{\"a\": 1e999}", "overflow", 1},
        {"{\"a\":\n\"\xff\"}", "decode byte 0xff", 2},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_null(tan_json_parse(rows[i].text, strlen(rows[i].text), "m.json", &e));
        assert_string_equal(e.source, "m.json");
        assert_int_equal(e.line, rows[i].line);
        assert_error(e, TAN_FAILED, rows[i].error);
    }
}

TEST(good_values)
{
    json_t *document = parse("{\"r\": 2.5, \"i\": -3, \"t\": true, \"s\": \"x\", \"o\": {}, "
                             "\"a\": [7, \"y\", null], \"n\": null}");
    const struct tan_json_at at = {.source = "m.json", .path = "", .object = document};
    struct tan_error e = TAN_ERROR_INIT;
    double real = 0;
    int64_t whole = 0;
    bool truth = false;
    const char *text = NULL;
    const json_t *object = NULL;
    const json_t *array = NULL;
    assert_int_equal(tan_json_real(&at, "r", 0, 10, &real, &e), 1);
    assert_close(real, 2.5, 0.0);
    assert_int_equal(tan_json_real(&at, "i", -INFINITY, INFINITY, &real, &e), 1);
    assert_close(real, -3.0, 0.0);
    assert_int_equal(tan_json_int(&at, "i", -3, 3, &whole, &e), 1);
    assert_int_equal(whole, -3);
    assert_int_equal(tan_json_bool(&at, "t", &truth, &e), 1);
    assert_true(truth);
    assert_int_equal(tan_json_string(&at, "s", &text, &e), 1);
    assert_string_equal(text, "x");
    assert_int_equal(tan_json_object(&at, "o", &object, &e), 1);
    assert_true(json_is_object(object));
    assert_int_equal(tan_json_array(&at, "a", &array, &e), 1);
    assert_int_equal(json_array_size(array), 3);

    const struct tan_json_at list = {.source = "m.json", .path = "a", .object = array};
    assert_int_equal(tan_json_int_at(&list, 0, 0, 10, &whole, &e), 1);
    assert_int_equal(whole, 7);
    assert_int_equal(tan_json_string_at(&list, 1, &text, &e), 1);
    assert_string_equal(text, "y");
    assert_int_equal(tan_json_int_at(&list, 2, 0, 10, &whole, &e), 0);
    assert_int_equal(tan_json_int_at(&list, 3, 0, 10, &whole, &e), 0);
    assert_int_equal(whole, 7);

    assert_int_equal(tan_json_real(&at, "n", 0, 1, &real, &e), 0);
    assert_int_equal(tan_json_int(&at, "absent", 0, 1, &whole, &e), 0);
    assert_int_equal(tan_json_bool(&at, "absent", &truth, &e), 0);
    assert_int_equal(tan_json_string(&at, "absent", &text, &e), 0);
    assert_int_equal(tan_json_object(&at, "absent", &object, &e), 0);
    assert_int_equal(tan_json_array(&at, "absent", &array, &e), 0);
    assert_int_equal(tan_json_required(&at, "s", 1, &e), 0);
    assert_no_error(e);
    json_decref(document);
}

TEST(wrong_values)
{
    json_t *document =
        parse("{\"L_us\": \"98\", \"n\": 2.0, \"big\": 1e9, \"x\": [], \"z\": {}, \"b\": false}");
    const struct tan_json_at at = {.source = "m.json", .path = "tan", .object = document};
    struct tan_error e = TAN_ERROR_INIT;
    double real;
    int64_t whole;
    bool truth;
    const char *text;
    const json_t *value;
    assert_int_equal(tan_json_real(&at, "L_us", 0, 1e6, &real, &e), -1);
    assert_string_equal(e.source, "m.json");
    assert_error(e, TAN_FAILED, "tan.L_us must be a number from 0 to 1e+06, not a string");
    assert_int_equal(tan_json_real(&at, "big", 0, 1e6, &real, &e), -1);
    assert_error(e, TAN_FAILED, "tan.big must be a number from 0 to 1e+06, not 1e+09");
    assert_int_equal(tan_json_real(&at, "x", 0, INFINITY, &real, &e), -1);
    assert_error(e, TAN_FAILED, "tan.x must be a number of at least 0, not an array");
    assert_int_equal(tan_json_int(&at, "n", 0, 10, &whole, &e), -1);
    assert_error(e, TAN_FAILED, "tan.n must be a whole number from 0 to 10, not 2.0");
    assert_int_equal(tan_json_int(&at, "b", 0, INT64_MAX, &whole, &e), -1);
    assert_error(e, TAN_FAILED, "tan.b must be a whole number of at least 0, not false");
    assert_int_equal(tan_json_bool(&at, "z", &truth, &e), -1);
    assert_error(e, TAN_FAILED, "tan.z must be true or false, not an object");
    assert_int_equal(tan_json_string(&at, "b", &text, &e), -1);
    assert_error(e, TAN_FAILED, "tan.b must be a string, not false");
    assert_int_equal(tan_json_object(&at, "x", &value, &e), -1);
    assert_error(e, TAN_FAILED, "tan.x must be an object, not an array");
    assert_int_equal(tan_json_array(&at, "z", &value, &e), -1);
    assert_error(e, TAN_FAILED, "tan.z must be an array, not an object");
    assert_int_equal(tan_json_required(&at, "a_us", 0, &e), -1);
    assert_error(e, TAN_FAILED, "tan.a_us is missing");
    json_decref(document);
}

TEST(schemas)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"[1]", "must be an object with \"schema\": \"tan-x/1\""},
        {"{}", "schema is missing"},
        {"{\"schema\": 1}", "schema must be a string, not 1"},
        {"{\"schema\": \"tan-x/2\"}", "schema must be \"tan-x/1\", not \"tan-x/2\""},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *document = parse(rows[i].text);
        const struct tan_json_at at = {.source = "m.json", .path = "", .object = document};
        assert_int_equal(tan_json_schema(&at, "tan-x/1", &e), -1);
        assert_error(e, TAN_FAILED, rows[i].error);
        json_decref(document);
    }
    json_t *document = parse("{\"schema\": \"tan-x/1\"}");
    const struct tan_json_at at = {.source = "m.json", .path = "", .object = document};
    assert_int_equal(tan_json_schema(&at, "tan-x/1", &e), 0);
    json_decref(document);
}

TEST(measured_is_kept)
{
    static const char kept[] = "; what was measured is kept in ";
    char *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s/folder", scratch);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    json_t *document = parse("{\"samples\": [1.5, 2]}");
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_json_save("/dev/full", document, &e), -1);
    assert_int_equal(tan_json_rescue(document, &e), -1);
    assert_int_equal(e.status, TAN_FAILED);
    assert_int_equal(strncmp(e.text, "cannot write /dev/full: No space left on device; ", 49), 0);
    const char *copy = strstr(e.text, kept);
    assert_non_null(copy);
    copy += strlen(kept);
    assert_int_equal(strncmp(copy, folder, strlen(folder)), 0);
    struct tan_error reading = TAN_ERROR_INIT;
    json_t *again = tan_json_load(copy, &reading);
    assert_true(json_equal(document, again));
    json_decref(again);
    unlink(copy);
    /* Nor can it be kept: the error is what it was, and no file stays behind. */
    assert_int_equal(rmdir(folder), 0);
    e = (struct tan_error)TAN_ERROR_INIT;
    assert_int_equal(tan_json_save("/dev/full", document, &e), -1);
    assert_int_equal(tan_json_rescue(document, &e), -1);
    assert_error(e, TAN_FAILED, "cannot write /dev/full");
    assert_null(strstr(e.text, "kept"));
    json_decref(document);
    assert_int_equal(before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR"), 0);
    free(before);
}

TEST(saved)
{
    struct tan_error e = TAN_ERROR_INIT;
    json_t *document = parse("{\"z\": 49.3, \"a\": 98.0, \"m\": [1, 2]}");
    assert_int_equal(tan_json_save(path, document, &e), 0);
    char *text = tan_read_file(path, NULL, &e);
    assert_string_equal(text,
                        "{\n  \"z\": 49.3,\n  \"a\": 98.0,\n  \"m\": [\n    1,\n    2\n  ]\n}\n");
    free(text);
    json_t *again = tan_json_load(path, &e);
    assert_non_null(again);
    assert_true(json_equal(document, again));
    json_decref(again);
    assert_int_equal(tan_json_save("/dev/full", document, &e), -1);
    assert_error(e, TAN_FAILED, "cannot write /dev/full");
    json_decref(document);
    unlink(path);
    assert_null(tan_json_load(path, &e));
    assert_error(e, TAN_FAILED, "/file: No such file or directory");
}

RUN_TESTS(make_scratch, remove_scratch)
