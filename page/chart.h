/* chart.h - contents of charts, independent of the plotter, and colours of series and hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_PAGE_CHART_H
#define TAN_PAGE_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* How a series is drawn. */
enum tan_mark {
    TAN_LINE,      /* x, y */
    TAN_DASHES,    /* x, y */
    TAN_STEPS,     /* x, y */
    TAN_POINTS,    /* x, y */
    TAN_INTERVALS, /* x, y, low, high: a point with its interval */
    TAN_BOX,       /* y, 5 %, 25 %, median, 75 %, 95 %, low and high of the median: horizontal */
    TAN_SPAN,      /* y, low, high: a horizontal bar */
    TAN_HISTOGRAM, /* x: how often it is between two values */
    TAN_MARKS,     /* number of marks */
};
enum { TAN_CHART_COLUMNS = 8 };

struct tan_series {
    enum tan_mark mark;
    char *title; /* in the legend; owned */
    int style;   /* number of its colour and point, from 1; 0: the next one of the chart */
    size_t n;
    double (*row)[TAN_CHART_COLUMNS]; /* owned */
};

struct tan_axis {
    const char *title; /* with its unit; borrowed */
    bool log;
    /* Names at the positions 1, 2, ...; array and strings are owned. */
    char **name;
    size_t names;
};

enum { TAN_CHART_NAME = 48 };
struct tan_chart {
    char name[TAN_CHART_NAME]; /* for its files and ids: letters, digits and '-' */
    const char *title;         /* borrowed, like the caption */
    const char *caption;       /* what to look for */
    struct tan_axis x, y;
    struct tan_series *series;
    size_t n;
    bool diagonal; /* lines where y is x, and 10 % and 25 % off */
    bool failed;   /* memory was short */
};

/* If memory is short, these functions set `failed`, and the chart is no longer to be drawn. */
void tan_chart_init(struct tan_chart *c, const char *name, const char *title, const char *caption);
void tan_chart_clear(struct tan_chart *c);
/* Append a series, with a copy of its title, "" for none. NULL if memory is short; valid until the
 * next call. */
struct tan_series *tan_chart_add(struct tan_chart *c, enum tan_mark mark, const char *title);
/* Append a row to the last series, with the number of values of its mark. Rows are dropped if a
 * value is not finite, above 1e30, or not positive on a logarithmic axis; those of lines are sorted
 * by x. */
void tan_chart_row(struct tan_chart *c, const double *value);
/* Drop the last series if it has no rows; whether it has. */
bool tan_chart_keep(struct tan_chart *c);
/* Append a copy of a name to an axis, at the next of the positions 1, 2, ... */
void tan_chart_name(struct tan_chart *c, struct tan_axis *axis, const char *text);
/* The range of all values on an axis, 'x' or 'y'; low > high if there are none. */
void tan_chart_range(const struct tan_chart *c, char axis, double *low, double *high);
/* Rows of the longest series; 0 if the chart has failed. */
size_t tan_chart_longest(const struct tan_chart *c);
/* Of each mark: the number of values of a row, their headings in tables, and axes, 'x' or 'y'. */
extern const struct tan_mark_values {
    int columns;
    const char *heading[TAN_CHART_COLUMNS];
    const char *axis;
} tan_marks[TAN_MARKS];

enum { TAN_COLOURS = 7 };

/* As "#0072b2": the colours for light backgrounds, which pictures contain. */
extern const char *const tan_colours[TAN_COLOURS];
/* Write CSS rules that replace these colours, for dark backgrounds. */
void tan_colours_dark(FILE *to);

#endif
