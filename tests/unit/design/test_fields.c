/* test_fields.c - facts that are described once, in a table and in JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/design_trees.h"
#include "answer/phrases.h"
#include "model/stats/stats.h"
#include "tests/unit/check.h"

struct row {
    char name[8];
    int32_t height;
    int64_t racks;
    double wave, slower;
    struct tan_interval ci95;
    /* cppcheck-suppress unusedStructMember ; read through its offset */
    bool tied;
};

#define AT(member) offsetof(struct row, member)
static const struct tan_field fields[] = {
    {"topo", "tree", TAN_FIELD_STRING, AT(name)},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(wave)},
    {"ci95_us", "95 %", TAN_FIELD_INTERVAL, AT(ci95)},
    {"height", "height", TAN_FIELD_INT32, AT(height)},
    {".again", "again", TAN_FIELD_INT32, AT(height)},
    {"racks", "racks", TAN_FIELD_KNOWN, AT(racks)},
    {"slower", "slower", TAN_FIELD_SLOWER, AT(slower)},
    {"tied", NULL, TAN_FIELD_FLAG, AT(tied)},
    TAN_FIELDS_END,
};

static struct row known_row(void)
{
    struct row row = {.tied = true};
    strcpy(row.name, "nto1:2");
    row.height = 1;
    row.racks = 3;
    row.wave = 2e-6;
    row.slower = 0.5;
    row.ci95 = (struct tan_interval){1e-6, 4e-6};
    return row;
}

static struct row unknown_row(void)
{
    struct row row = {.tied = false};
    strcpy(row.name, "chain:2");
    row.height = 2;
    row.wave = NAN;
    row.slower = NAN;
    row.ci95 = TAN_INTERVAL_UNKNOWN;
    return row;
}

static void assert_json(const struct row *row, const char *wanted)
{
    struct tan_json_writer w = {false};
    json_t *object = tan_json_new_object(&w);
    tan_fields_set(&w, object, fields, row);
    object = tan_json_finish(&w, object);
    char *text = json_dumps(object, JSON_COMPACT);
    assert_string_equal(text, wanted);
    free(text);
    json_decref(object);
}

/* Keys are in the order of the fields; what is not known has none, nor what is in tables only. */
TEST(json)
{
    const struct row known = known_row();
    const struct row unknown = unknown_row();
    assert_json(&known, "{\"topo\":\"nto1:2\",\"wave_us\":2.0,\"ci95_us\":[1.0,4.0],\"height\":1,"
                        "\"racks\":3,\"slower\":0.5,\"tied\":true}");
    assert_json(&unknown, "{\"topo\":\"chain:2\",\"height\":2,\"tied\":false}");
}

/* Columns are in the order of their list, some renamed; rows have all fields. */
TEST(table)
{
    const struct row row = known_row();
    struct tan_json_writer w = {false};
    json_t *table = tan_json_new_object(&w);
    json_t *rows = tan_fields_table(&w, table, fields, "height wave_us topo:spec slower ci95_us");
    tan_fields_row(&w, rows, fields, &row);
    tan_fields_column(&w, table, "model", "us");
    table = tan_json_finish(&w, table);
    char *text = json_dumps(json_object_get(table, "columns"), JSON_COMPACT);
    assert_string_equal(text, "[{\"key\":\"height\",\"label\":\"height\",\"kind\":\"number\"},"
                              "{\"key\":\"wave_us\",\"label\":\"wave\",\"kind\":\"us\"},"
                              "{\"key\":\"topo\",\"label\":\"spec\",\"kind\":\"text\"},"
                              "{\"key\":\"slower\",\"label\":\"slower\",\"kind\":\"slower\"},"
                              "{\"key\":\"ci95_us\",\"label\":\"95 %\",\"kind\":\"us-range\"},"
                              "{\"key\":\"model\",\"label\":\"model\",\"kind\":\"us\"}]");
    free(text);
    assert_int_equal(json_array_size(json_object_get(table, "rows")), 1);
    json_decref(table);
}

/* Of more rows than fit the first and the last are shown, and those between at equal distances. */
TEST(spread)
{
    for (int n = 1; n < 40; n++) {
        struct tan_json_writer w = {false};
        json_t *rows = json_array();
        int shown = 0;
        for (int i = 0; i < n; i++) {
            tan_json_append_object(&w, rows);
        }
        tan_fields_spread(&w, rows, 8);
        for (int i = 0; i < n; i++) {
            const bool hidden =
                json_integer_value(json_object_get(json_array_get(rows, (size_t)i), "rank")) > 0;
            shown += !hidden;
            assert_false(hidden && (i == 0 || i == n - 1));
        }
        assert_int_equal(shown, n < 8 ? n : 8);
        json_decref(rows);
    }
}

/* Long runs of equal fanouts are powers. */
TEST(short_fanouts)
{
    struct tan_plan plan = {.height = 2, .fanout = {3, 4}};
    assert_string_equal(tan_short_fanouts(&plan).text, "3x4");
    plan.height = 13;
    for (int i = 0; i < 13; i++) {
        plan.fanout[i] = i == 0 ? 3 : i < 12 ? 2 : 5;
    }
    assert_string_equal(tan_short_fanouts(&plan).text, "3x2^11x5");
}

/* Levels of designs may have more nodes than an int32_t counts: of 5e9 us of work half is in half a
 * round trip. */
TEST(wide_levels)
{
    const int64_t leaves = INT64_C(5000000000);
    const struct tan_params params = {
        .method = TAN_METHOD_JOINT, .value = {1e-6, 1e-6}, .work = 1e-6};
    const struct tan_design d = {
        .problem = {.leaves = leaves, .model = &tan_models[TAN_MODEL_TAN], .params = &params}};
    struct tan_choice choice = {.tied = false};
    struct tan_json_writer w = {false};
    tan_plan_levels(&choice.plan, leaves, &leaves, 1);
    json_t *object = tan_json_new_object(&w);
    tan_design_set_choice(&w, object, &d, &choice);
    const json_t *level = json_array_get(json_object_get(object, "levels"), 0);
    assert_true(json_integer_value(json_object_get(level, "fanout")) == leaves);
    assert_close(json_real_value(json_object_get(level, "work_us")), 2.5e9, 1e-3);
    json_decref(tan_json_finish(&w, object));
}

RUN_TESTS(NULL, NULL)
