/* chart.h - charts: what they show, apart from how they are drawn
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_PLOT_CHART_H
#define TAN_REPORT_PLOT_CHART_H

#include <stdbool.h>
#include <stddef.h>

/* How the points of a series are drawn. */
enum tan_mark {
    TAN_LINE,      /* x, y */
    TAN_DASHES,    /* x, y */
    TAN_RULER,     /* x, y: a thin grey line to compare with */
    TAN_STEPS,     /* x, y */
    TAN_POINTS,    /* x, y */
    TAN_INTERVALS, /* x, y, low, high: a point with its interval */
    TAN_BAND,      /* x, low, high */
    TAN_BOX,       /* y, 5 %, 25 %, median, 75 %, 95 %, low and high of the median: horizontal */
    TAN_STACK,     /* x, y: a bar on top of those of the series before */
    TAN_SPAN,      /* y, low, high: a horizontal bar */
    TAN_MARKS,     /* the number of marks */
};
enum { TAN_CHART_COLUMNS = 8 };

struct tan_series {
    enum tan_mark mark;
    char *title; /* in the legend; owned */
    size_t n;
    double (*row)[TAN_CHART_COLUMNS]; /* owned */
};

struct tan_axis {
    const char *title; /* with its unit; borrowed */
    bool log;
    /* Names at the places 1, 2, ...; owned, as they are. */
    char **name;
    size_t names;
};

/* A text at a place in the chart. */
struct tan_note {
    double x, y;
    char *text; /* owned */
};

struct tan_chart {
    char name[48];       /* of its files and ids: letters, digits and '-' */
    const char *title;   /* borrowed, as the next */
    const char *caption; /* what to see */
    struct tan_axis x, y;
    struct tan_series *series;
    size_t n;
    struct tan_note *note;
    size_t notes;
    bool failed; /* memory was short */
};

/* All setters set `failed` where memory is short, and do nothing then. */
void tan_chart_init(struct tan_chart *c, const char *name, const char *title, const char *caption);
void tan_chart_clear(struct tan_chart *c);
/* A series of its own at the end; NULL where memory is short. Valid until the next one. */
struct tan_series *tan_chart_add(struct tan_chart *c, enum tan_mark mark, const char *title);
/* Append a row to the last series: as many values as its mark has. Rows with a value that is not
 * finite or beyond 1e30, or not positive on a logarithmic axis, are left out; so are notes. */
void tan_chart_row(struct tan_chart *c, const double *value);
void tan_chart_point(struct tan_chart *c, double x, double y);
void tan_chart_note(struct tan_chart *c, double x, double y, const char *text);
/* The next name on an axis. Returns its place, 1, 2, ... */
double tan_chart_name(struct tan_chart *c, struct tan_axis *axis, const char *text);
/* The range of all values of an axis, 'x' or 'y'; low > high: there are none. */
void tan_chart_range(const struct tan_chart *c, char axis, double *low, double *high);
/* Whether any series has a row. */
bool tan_chart_has_data(const struct tan_chart *c);
int tan_mark_columns(enum tan_mark mark);
/* Headings of a mark's columns, for tables. */
const char *const *tan_mark_headings(enum tan_mark mark);

#endif
