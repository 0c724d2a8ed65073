/* fields.h - facts of an answer, described once: keys of JSON, and columns of tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_FIELDS_H
#define TAN_ANSWER_FIELDS_H

#include <stddef.h>

#include "base/json.h"
#include "design/search/plan.h"

/* So many digits are free of rounding noise: 205.984, not 205.98399999999998. */
enum { TAN_REPORT_DIGITS = 12 };

/* Types of the members of rows. Unknown values, empty strings included, have empty cells and no key
 * in JSON. */
enum tan_field_type {
    TAN_FIELD_INT32,
    TAN_FIELD_INT64,
    TAN_FIELD_KNOWN,    /* int64_t; 0: unknown */
    TAN_FIELD_STRING,   /* char array */
    TAN_FIELD_NAME,     /* const char *; NULL: unknown */
    TAN_FIELD_NAMED,    /* pointer to a row of a table, which begins with its name */
    TAN_FIELD_SETTING,  /* struct tan_setting */
    TAN_FIELD_TIME,     /* double, seconds; NaN: unknown */
    TAN_FIELD_INTERVAL, /* struct tan_interval, seconds */
    TAN_FIELD_SLOWER,   /* double, by which share a time is longer than another; NaN: unknown */
    TAN_FIELD_FANOUTS,  /* struct tan_plan */
    TAN_FIELD_SPEC,     /* the same; from here on, types without cells */
    TAN_FIELD_FLAG,     /* bool */
    TAN_FIELD_REAL,     /* double; NaN: unknown */
    TAN_FIELD_SHARE,    /* the same, rounded to a millionth */
};

/* One fact about a row, which is a struct of any type. An array of fields ends with key NULL; its
 * order is that of JSON. */
struct tan_field {
    const char *key;     /* in JSON, and in lists of columns; ".height": not in JSON */
    const char *heading; /* of its column; NULL: no column, or named by the table */
    enum tan_field_type type;
    size_t offset; /* in the row */
};
#define TAN_FIELDS_END                                                                             \
    {                                                                                              \
        .key = NULL                                                                                \
    }
/* The fields of a struct tan_plan at an offset. */
#define TAN_PLAN_FIELDS(at)                                                                        \
    {"fanouts", NULL, TAN_FIELD_FANOUTS, (at)},                                                    \
        {"height", "height", TAN_FIELD_INT32, (at) + offsetof(struct tan_plan, height)},           \
        {"internal", "internal", TAN_FIELD_INT64, (at) + offsetof(struct tan_plan, internal)},     \
        {"processes", "processes", TAN_FIELD_INT64, (at) + offsetof(struct tan_plan, processes)},  \
        {"max_fanout", NULL, TAN_FIELD_INT64, (at) + offsetof(struct tan_plan, max_fanout)},       \
        {"wave_us", "wave", TAN_FIELD_TIME, (at) + offsetof(struct tan_plan, wave)},               \
    {                                                                                              \
        "period_us", "period", TAN_FIELD_TIME, (at) + offsetof(struct tan_plan, period)            \
    }

/* Set every field of a row whose value is known. */
void tan_fields_set(struct tan_json_writer *w, json_t *object, const struct tan_field *fields,
                    const void *row);

/* Set "columns" of an answer's table (base/reply.h): the fields with these keys, separated by
 * blanks, and what "key:Label" renames; returns its "rows", to which rows are appended. Borrowed.
 */
json_t *tan_fields_table(struct tan_json_writer *w, json_t *table, const struct tan_field *fields,
                         const char *columns);
/* Append a row of the same fields; returns it, borrowed. */
json_t *tan_fields_row(struct tan_json_writer *w, json_t *rows, const struct tan_field *fields,
                       const void *row);

/* Append a column of numbers or texts that the caller sets in the rows, labelled by its key. */
void tan_fields_column(struct tan_json_writer *w, json_t *table, const char *key, const char *kind);
/* Of more than `most` rows, mark those between as many as the first that are left out of an answer
 * of one screen. */
void tan_fields_spread(struct tan_json_writer *w, json_t *rows, size_t most);

#endif
