/* test_odd_numbers.c - pages of files in which one number is not what it should be
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <glob.h>
#include <jansson.h>

#include "page/report.h"
#include "tests/unit/scratch_file.h"

/* Numbers of a file become lengths of loops, places in arrays and text: these are none of them. */
static json_t *odd_number(int which)
{
    switch (which) {
    case 0:
        return json_integer(-1);
    case 1:
        return json_integer(0);
    case 2:
        return json_real(0.5);
    case 3:
        return json_integer(INT32_MAX);
    case 4:
        return json_integer(INT64_MIN);
    case 5:
        return json_real(1e300);
    case 6:
        return json_real(-1e300);
    default:
        return NULL;
    }
}

/* Count the numbers in `value`; the one at *left, counted from 0, is replaced by `odd`. */
static void walk(json_t *value, int *left, json_t *odd)
{
    const char *key;
    json_t *member;
    size_t i;
    if (json_is_object(value)) {
        json_object_foreach(value, key, member)
        {
            if (!json_is_number(member)) {
                walk(member, left, odd);
            } else if ((*left)-- == 0) {
                json_object_set(value, key, odd);
            }
        }
        return;
    }
    json_array_foreach(value, i, member)
    {
        if (!json_is_number(member)) {
            walk(member, left, odd);
        } else if ((*left)-- == 0) {
            json_array_set(value, i, odd);
        }
    }
}

static json_t *load(const char *file)
{
    json_t *document = json_load_file(file, 0, NULL);
    assert_non_null(document);
    return document;
}

/* The page of a document, or the reason why there is none. */
static struct tan_error show(const json_t *document, bool paper)
{
    const struct tan_report report = {.output = "/dev/null", .paper = paper};
    const char *const files[] = {path};
    struct tan_error e = TAN_ERROR_INIT;
    FILE *problems = fopen("/dev/null", "w");
    assert_non_null(problems);
    assert_int_equal(json_dump_file(document, path, 0), 0);
    tan_report_write(&report, files, 1, problems, &e);
    fclose(problems);
    return e;
}

static void every_number_of(const char *file)
{
    json_t *whole = load(file);
    int numbers = 0;
    walk(whole, &numbers, NULL);
    numbers = -numbers;
    for (int i = 0; i < numbers; i++) {
        json_t *odd;
        for (int k = 0; (odd = odd_number(k)) != NULL; k++) {
            json_t *copy = json_deep_copy(whole);
            int left = i;
            walk(copy, &left, odd);
            for (int paper = 0; paper < 2; paper++) {
                const struct tan_error e = show(copy, paper);
                assert_true(e.status == TAN_DONE || e.text[0] != '\0');
            }
            json_decref(copy);
            json_decref(odd);
        }
    }
    json_decref(whole);
}

/* Neither a crash, nor a failure without a reason. gnuplot is left out: it takes most of the time,
 * and what it is given is checked by test_report. */
TEST(pages_of_odd_numbers)
{
    glob_t found;
    assert_int_equal(glob("tests/fuzz/files/*.json", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        every_number_of(found.gl_pathv[i]);
    }
    globfree(&found);
}

static int prepare(void **state)
{
    return setenv("PATH", "", 1) == 0 ? make_scratch(state) : -1;
}

RUN_TESTS(prepare, remove_scratch)
