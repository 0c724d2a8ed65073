/* chart.c - contents of charts, independent of the plotter, and colours of series and hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

const struct tan_mark_values tan_marks[TAN_MARKS] = {
    [TAN_LINE] = {2, {"x", "y"}, "xy"},
    [TAN_DASHES] = {2, {"x", "y"}, "xy"},
    [TAN_STEPS] = {2, {"x", "y"}, "xy"},
    [TAN_POINTS] = {2, {"x", "y"}, "xy"},
    [TAN_INTERVALS] = {4, {"x", "y", "low", "high"}, "xyyy"},
    [TAN_BOX] = {8,
                 {"y", "5 %", "25 %", "median", "75 %", "95 %", "median, low", "median, high"},
                 "yxxxxxxx"},
    [TAN_SPAN] = {3, {"y", "low", "high"}, "yxx"},
    [TAN_HISTOGRAM] = {1, {"x"}, "x"},
};

void tan_chart_init(struct tan_chart *c, const char *name, const char *title, const char *caption)
{
    *c = (struct tan_chart){.title = title, .caption = caption};
    snprintf(c->name, sizeof c->name, "%s", name);
}

static void clear_axis(struct tan_axis *axis)
{
    for (size_t i = 0; i < axis->names; i++) {
        free(axis->name[i]);
    }
    free(axis->name);
}

void tan_chart_clear(struct tan_chart *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->series[i].title);
        free(c->series[i].row);
    }
    clear_axis(&c->x);
    clear_axis(&c->y);
    free(c->series);
    *c = (struct tan_chart){.n = 0};
}

struct tan_series *tan_chart_add(struct tan_chart *c, enum tan_mark mark, const char *title)
{
    char *own = TAN_ONE_MORE(c->series, c->n) < 0 ? NULL : strdup(title);
    if (own == NULL) {
        c->failed = true;
        return NULL;
    }
    c->series[c->n] = (struct tan_series){.mark = mark, .title = own};
    return &c->series[c->n++];
}

static bool is_drawable(const struct tan_chart *c, enum tan_mark mark, const double *value)
{
    static const double most = 1e30; /* exceeds any time or count */
    for (int i = 0; i < tan_marks[mark].columns; i++) {
        const struct tan_axis *axis = tan_marks[mark].axis[i] == 'x' ? &c->x : &c->y;
        if (!(fabs(value[i]) < most) || (axis->log && value[i] < 1.0 / most)) {
            return false;
        }
    }
    return true;
}

void tan_chart_row(struct tan_chart *c, const double *value)
{
    struct tan_series *s = c->n > 0 ? &c->series[c->n - 1] : NULL;
    if (c->failed || s == NULL || !is_drawable(c, s->mark, value)) {
        return;
    }
    if (TAN_ONE_MORE(s->row, s->n) < 0) {
        c->failed = true;
        return;
    }
    const bool line = s->mark == TAN_LINE || s->mark == TAN_DASHES || s->mark == TAN_STEPS;
    size_t at = s->n++;
    for (; at > 0 && line && s->row[at - 1][0] > value[0]; at--) {
        memcpy(s->row[at], s->row[at - 1], sizeof s->row[at]);
    }
    memset(s->row[at], 0, sizeof s->row[at]);
    memcpy(s->row[at], value, (size_t)tan_marks[s->mark].columns * sizeof *value);
}

bool tan_chart_keep(struct tan_chart *c)
{
    const bool kept = c->n > 0 && c->series[c->n - 1].n > 0;
    if (c->n > 0 && !kept) {
        free(c->series[--c->n].title);
    }
    return kept;
}

void tan_chart_name(struct tan_chart *c, struct tan_axis *axis, const char *text)
{
    char *own = TAN_ONE_MORE(axis->name, axis->names) < 0 ? NULL : strdup(text);
    if (own == NULL) {
        c->failed = true;
    } else {
        axis->name[axis->names++] = own;
    }
}

size_t tan_chart_longest(const struct tan_chart *c)
{
    size_t longest = 0;
    for (size_t i = 0; i < c->n && !c->failed; i++) {
        longest = c->series[i].n > longest ? c->series[i].n : longest;
    }
    return longest;
}

void tan_chart_range(const struct tan_chart *c, char axis, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < c->n; i++) {
        const struct tan_series *s = &c->series[i];
        for (size_t r = 0; r < s->n; r++) {
            for (int k = 0; k < tan_marks[s->mark].columns; k++) {
                if (tan_marks[s->mark].axis[k] == axis) {
                    *low = fmin(*low, s->row[r][k]);
                    *high = fmax(*high, s->row[r][k]);
                }
            }
        }
    }
}

/* Distinguishable with any colour vision (Okabe and Ito), and dark enough for a white
 * background. */
const char *const tan_colours[TAN_COLOURS] = {"#0072b2", "#d55e00", "#007a5a", "#a3488a",
                                              "#8a6000", "#3d2fa8", "#555555"};
static const char *const dark[TAN_COLOURS] = {"#5ab4f0", "#f08a4a", "#3fc79a", "#e08cc8",
                                              "#dca83c", "#a79bff", "#b8b8b8"};

void tan_colours_dark(FILE *to)
{
    static const char *const attributes[] = {"stroke", "fill", "color"};
    for (int i = 0; i < TAN_COLOURS; i++) {
        unsigned red = 0;
        unsigned green = 0;
        unsigned blue = 0;
        sscanf(tan_colours[i], "#%2x%2x%2x", &red, &green, &blue);
        for (size_t k = 0; k < sizeof attributes / sizeof attributes[0]; k++) {
            const char *a = attributes[k];
            /* gnuplot uses both forms, the second one with padded numbers */
            fprintf(to, "[%s='%s'],[%s='rgb(%3u, %3u, %3u)']{%s:%s}\n", a, tan_colours[i], a, red,
                    green, blue, a, dark[i]);
        }
    }
}
