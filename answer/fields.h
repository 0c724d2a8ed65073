/* fields.h - facts of an answer, described once for tables and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_FIELDS_H
#define TAN_ANSWER_FIELDS_H

#include <stddef.h>
#include <stdio.h>

#include "base/json.h"
#include "design/search/plan.h"

/* Types of the members of rows. Unknown values have empty cells and no key in JSON. */
enum tan_field_type {
    TAN_FIELD_INT32,
    TAN_FIELD_INT64,
    TAN_FIELD_KNOWN,    /* int64_t; 0: unknown */
    TAN_FIELD_STRING,   /* char array */
    TAN_FIELD_NAME,     /* const char *; NULL: unknown */
    TAN_FIELD_NAMED,    /* pointer to a row of a table, which begins with its name */
    TAN_FIELD_TIME,     /* double, seconds; NaN: unknown */
    TAN_FIELD_INTERVAL, /* struct tan_interval, seconds */
    TAN_FIELD_SLOWER,   /* double, by which share a time is longer than another; NaN: unknown */
    TAN_FIELD_FANOUTS,  /* struct tan_plan */
    TAN_FIELD_SPEC,     /* the same; from here on, types without cells */
    TAN_FIELD_FLAG,     /* bool */
    TAN_FIELD_REAL,     /* double; NaN: unknown */
    TAN_FIELD_SHARE,    /* the same, rounded to a millionth */
    TAN_FIELD_CELL,     /* no data: a column of the table only */
};

/* One fact about a row, which is a struct of any type. An array of fields ends with key NULL; its
 * order is that of JSON. */
struct tan_field {
    const char *key;     /* in JSON, and in lists of columns; ".height": not in JSON */
    const char *heading; /* of its column, as for tan_table_create; NULL: no column */
    enum tan_field_type type;
    size_t offset; /* in the row */
};
#define TAN_FIELDS_END                                                                             \
    {                                                                                              \
        .key = NULL                                                                                \
    }
/* The fields of a struct tan_plan at an offset. */
#define TAN_PLAN_FIELDS(at)                                                                        \
    {"fanouts", "<tree", TAN_FIELD_FANOUTS, (at)},                                                 \
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

/* A table of rows. */
struct tan_listing {
    const struct tan_field *fields;
    /* Keys in the order of the columns, separated by blanks. The caller supplies the cells of keys
     * that end in "=". Borrowed. */
    const char *columns;
    struct tan_table *table;
};
enum { TAN_LISTING_COLUMNS = 16 }; /* at most */
/* `columns` may only have keys of `fields` with headings. */
struct tan_listing tan_listing_create(const struct tan_field *fields, const char *columns);
/* `cells`: one per "=", in the order of the columns; NULL if there is none. */
void tan_listing_add(struct tan_listing *listing, const void *row, const char *const *cells);
/* Print it without empty columns, and destroy it. */
void tan_listing_print(struct tan_listing *listing, FILE *to);

#endif
