/* fields.c - facts of an answer, described once for tables and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/fields.h"

#include <math.h>
#include <string.h>

#include "answer/phrases.h"
#include "base/reply.h"
#include "design/systems/setting.h"

static bool is_known(enum tan_field_type type, const void *value)
{
    switch (type) {
    case TAN_FIELD_STRING:
        return *(const char *)value != '\0';
    case TAN_FIELD_KNOWN:
        return *(const int64_t *)value != 0;
    case TAN_FIELD_NAME:
        return *(const char *const *)value != NULL;
    case TAN_FIELD_TIME:
    case TAN_FIELD_SLOWER:
    case TAN_FIELD_REAL:
    case TAN_FIELD_SHARE:
        return !isnan(*(const double *)value);
    case TAN_FIELD_INTERVAL:
        return tan_interval_known(*(const struct tan_interval *)value);
    default:
        return true;
    }
}

static json_t *fanouts_json(const struct tan_plan *plan)
{
    json_t *fanouts = json_array();
    for (int i = 0; i < plan->height && fanouts != NULL; i++) {
        if (json_array_append_new(fanouts, json_integer(plan->fanout[i])) != 0) {
            json_decref(fanouts);
            fanouts = NULL;
        }
    }
    return fanouts;
}

/* NULL if memory is short, a text is not UTF-8 or a number is not finite. */
static json_t *value_json(enum tan_field_type type, const void *value)
{
    const struct tan_interval *ends = value;
    switch (type) {
    case TAN_FIELD_INT32:
        return json_integer(*(const int32_t *)value);
    case TAN_FIELD_INT64:
    case TAN_FIELD_KNOWN:
        return json_integer(*(const int64_t *)value);
    case TAN_FIELD_STRING:
        return json_string(value);
    case TAN_FIELD_NAME:
        return json_string(*(const char *const *)value);
    case TAN_FIELD_NAMED:
        return json_string(**(const char *const *const *)value);
    case TAN_FIELD_SETTING:
        return json_string(tan_setting_text(value).text);
    case TAN_FIELD_TIME:
        return tan_json_us_digits(*(const double *)value, TAN_REPORT_DIGITS);
    case TAN_FIELD_INTERVAL:
        return json_pack("[o, o]", tan_json_us_digits(ends->low, TAN_REPORT_DIGITS),
                         tan_json_us_digits(ends->high, TAN_REPORT_DIGITS));
    case TAN_FIELD_FANOUTS:
        return fanouts_json(value);
    case TAN_FIELD_SPEC:
        return json_string(tan_plan_spec(value).text);
    case TAN_FIELD_FLAG:
        return json_boolean(*(const bool *)value);
    case TAN_FIELD_SLOWER:
    case TAN_FIELD_REAL:
        return json_real(*(const double *)value);
    case TAN_FIELD_SHARE:
        return tan_json_fixed(*(const double *)value, 6);
    }
    return NULL;
}

void tan_fields_set(struct tan_json_writer *w, json_t *object, const struct tan_field *fields,
                    const void *row)
{
    for (const struct tan_field *f = fields; f->key != NULL; f++) {
        const void *value = (const char *)row + f->offset;
        if (f->key[0] != '.' && is_known(f->type, value)) {
            tan_json_set(w, object, f->key, value_json(f->type, value));
        }
    }
}

/* What a cell shows (base/reply.h). */
static const char *kind_of(enum tan_field_type type)
{
    switch (type) {
    case TAN_FIELD_STRING:
    case TAN_FIELD_NAME:
    case TAN_FIELD_NAMED:
    case TAN_FIELD_SPEC:
    case TAN_FIELD_SETTING:
        return "text";
    case TAN_FIELD_TIME:
        return "us";
    case TAN_FIELD_INTERVAL:
        return "us-range";
    case TAN_FIELD_SLOWER:
        return "slower";
    case TAN_FIELD_SHARE:
        return "share";
    default:
        return "number";
    }
}

void tan_fields_column(struct tan_json_writer *w, json_t *table, const char *key, const char *kind)
{
    json_t *column = tan_json_append_object(w, json_object_get(table, "columns"));
    tan_json_set_string(w, column, "key", key);
    tan_json_set_string(w, column, "label", key);
    tan_json_set_string(w, column, "kind", kind);
}

void tan_fields_spread(struct tan_json_writer *w, json_t *rows, size_t most)
{
    const size_t n = json_array_size(rows);
    for (size_t i = 0; i < n && n > most; i++) {
        const bool shown = i == 0 || i * (most - 1) / (n - 1) != (i - 1) * (most - 1) / (n - 1);
        tan_json_set_int(w, json_array_get(rows, i), "rank", shown ? 0 : TAN_REPLY_ROWS);
    }
}

json_t *tan_fields_table(struct tan_json_writer *w, json_t *table, const struct tan_field *fields,
                         const char *columns)
{
    json_t *list = tan_json_set_array(w, table, "columns");
    while (*(columns += strspn(columns, " ")) != '\0') {
        const size_t whole = strcspn(columns, " ");
        const size_t length = strcspn(columns, " :");
        const struct tan_field *f = fields;
        while (strncmp(f->key, columns, length) != 0 || f->key[length] != '\0') {
            f++;
        }
        json_t *column = tan_json_append_object(w, list);
        tan_json_set_string(w, column, "key", f->key);
        tan_json_set(w, column, "label",
                     length < whole ? json_stringn(columns + length + 1, whole - length - 1)
                                    : json_string(f->heading));
        tan_json_set_string(w, column, "kind", kind_of(f->type));
        columns += whole;
    }
    return tan_json_set_array(w, table, "rows");
}

json_t *tan_fields_row(struct tan_json_writer *w, json_t *rows, const struct tan_field *fields,
                       const void *row)
{
    json_t *object = tan_json_append_object(w, rows);
    tan_fields_set(w, object, fields, row);
    return object;
}
