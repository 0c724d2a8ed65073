/* fields.h - facts of an answer, each described once for its table and for JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_FIELDS_H
#define TAN_DESIGN_REPORT_FIELDS_H

#include <stddef.h>
#include <stdio.h>

#include "base/json_writer.h"
#include "design/search/plan.h"

/* What lies in a row. Cells of what is not known are empty, and JSON does not have it. */
enum tan_field_type {
    TAN_FIELD_INT32,
    TAN_FIELD_INT64,
    TAN_FIELD_KNOWN,    /* int64_t; 0: not known */
    TAN_FIELD_STRING,   /* array of characters */
    TAN_FIELD_NAME,     /* const char * */
    TAN_FIELD_NAMED,    /* pointer to a row of a table, which begins with its name */
    TAN_FIELD_TIME,     /* double, seconds; NaN: not known */
    TAN_FIELD_INTERVAL, /* struct tan_interval, seconds */
    TAN_FIELD_SLOWER,   /* double, the share that a time is longer than another's */
    TAN_FIELD_FANOUTS,  /* struct tan_plan */
    TAN_FIELD_SPEC,     /* the same; this and those below have no cell of their own */
    TAN_FIELD_FLAG,     /* bool */
    TAN_FIELD_REAL,     /* double; NaN: not known */
    TAN_FIELD_SHARE,    /* the same, to a millionth */
    TAN_FIELD_CELL,     /* nothing: it is in the table only */
};

/* One fact of a row, which is a struct of any kind. A table of them ends with a key of NULL; its
 * order is that of JSON. */
struct tan_field {
    const char *key;     /* in JSON, and in lists of columns; ".height": not in JSON */
    const char *heading; /* of its column, as for tan_table_create; NULL: it has none */
    enum tan_field_type type;
    size_t offset; /* in the row */
};
#define TAN_FIELDS_END                                                                             \
    {                                                                                              \
        .key = NULL                                                                                \
    }
/* Those of a struct tan_plan at an offset. */
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

/* Set every field of the row. */
void tan_fields_set(struct tan_json_writer *w, json_t *object, const struct tan_field *fields,
                    const void *row);

/* A table of rows. */
struct tan_listing {
    const struct tan_field *fields;
    /* Keys in the order of the columns, with blanks between them. Where "=" follows one, the caller
     * says what is in the cell. Borrowed. */
    const char *columns;
    struct tan_table *table;
};
enum { TAN_LISTING_COLUMNS = 16 }; /* at most */
struct tan_listing tan_listing_create(const struct tan_field *fields, const char *columns);
/* `cells`: one for each "=". */
void tan_listing_add(struct tan_listing *listing, const void *row, const char *const *cells);
/* Print it, without the columns in which no row has anything, and destroy it. */
void tan_listing_print(struct tan_listing *listing, FILE *to);

#endif
