/* fields.c - facts of an answer, described once for tables and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/fields.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "answer/json_parts.h"
#include "answer/phrases.h"
#include "base/table.h"

static bool is_known(enum tan_field_type type, const void *value)
{
    switch (type) {
    case TAN_FIELD_CELL:
        return false;
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

static json_t *pair_json(struct tan_interval i)
{
    return json_pack("[o, o]", tan_json_us_digits(i.low, TAN_REPORT_DIGITS),
                     tan_json_us_digits(i.high, TAN_REPORT_DIGITS));
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
    char spec[280];
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
    case TAN_FIELD_TIME:
        return tan_json_us_digits(*(const double *)value, TAN_REPORT_DIGITS);
    case TAN_FIELD_INTERVAL:
        return pair_json(*(const struct tan_interval *)value);
    case TAN_FIELD_FANOUTS:
        return fanouts_json(value);
    case TAN_FIELD_SPEC:
        return json_string(tan_plan_spec(value, spec, sizeof spec));
    case TAN_FIELD_FLAG:
        return json_boolean(*(const bool *)value);
    case TAN_FIELD_SLOWER:
    case TAN_FIELD_REAL:
        return json_real(*(const double *)value);
    case TAN_FIELD_SHARE:
        return tan_json_fixed(*(const double *)value, 6);
    case TAN_FIELD_CELL:
        break;
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

static const char *value_text(enum tan_field_type type, const void *value, char buffer[TAN_NAME])
{
    switch (is_known(type, value) ? type : TAN_FIELD_CELL) {
    case TAN_FIELD_INT32:
        snprintf(buffer, TAN_NAME, "%" PRId32, *(const int32_t *)value);
        return buffer;
    case TAN_FIELD_INT64:
    case TAN_FIELD_KNOWN:
        snprintf(buffer, TAN_NAME, "%" PRId64, *(const int64_t *)value);
        return buffer;
    case TAN_FIELD_STRING:
        return value;
    case TAN_FIELD_NAME:
        return *(const char *const *)value;
    case TAN_FIELD_NAMED:
        return **(const char *const *const *)value;
    case TAN_FIELD_INTERVAL:
        return tan_interval_text(*(const struct tan_interval *)value, buffer);
    case TAN_FIELD_SLOWER:
        return tan_slower_text(*(const double *)value, false, buffer);
    case TAN_FIELD_FANOUTS:
        return tan_short_fanouts(value, buffer);
    default:
        return "";
    }
}

/* The next field in `columns`, which is advanced past its key; NULL at the end. */
static const struct tan_field *next_column(const struct tan_field *fields, const char **columns,
                                           bool *given)
{
    const char *key = *columns + strspn(*columns, " ");
    const size_t length = strcspn(key, " =");
    const struct tan_field *f = fields;
    while (length > 0 && (strncmp(f->key, key, length) != 0 || f->key[length] != '\0')) {
        f++;
    }
    *given = key[length] == '=';
    *columns = key + length + *given;
    return length > 0 ? f : NULL;
}

struct tan_listing tan_listing_create(const struct tan_field *fields, const char *columns)
{
    const char *headings[TAN_LISTING_COLUMNS];
    const char *rest = columns;
    const struct tan_field *f;
    bool given;
    int n = 0;
    while ((f = next_column(fields, &rest, &given)) != NULL) {
        headings[n++] = f->heading;
    }
    return (struct tan_listing){fields, columns, tan_table_create(headings, n)};
}

void tan_listing_add(struct tan_listing *listing, const void *row, const char *const *cells)
{
    const char *rest = listing->columns;
    const struct tan_field *f;
    char buffer[TAN_NAME];
    bool given;
    while ((f = next_column(listing->fields, &rest, &given)) != NULL) {
        const void *value = (const char *)row + f->offset;
        if (given) {
            tan_table_cell(listing->table, "%s", *cells++);
        } else if (f->type == TAN_FIELD_TIME && is_known(f->type, value)) {
            tan_table_time(listing->table, *(const double *)value);
        } else {
            tan_table_cell(listing->table, "%s", value_text(f->type, value, buffer));
        }
    }
}

void tan_listing_print(struct tan_listing *listing, FILE *to)
{
    tan_table_hide_empty(listing->table);
    tan_table_print(listing->table, to);
}
