/* results_figures.c - figures of measured waves: distributions, predictions, latency
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "page/kinds.h"
#include "page/rows.h"

/* Limits of a figure. Of more cells, distributions and predictions show one in every few, other
 * figures the first ones. */
enum { BOXES = 32, POINTS = 500, SIZES = 6 };

static size_t step_for(size_t n, size_t most)
{
    return n <= most ? 1 : (n + most - 1) / most;
}

/* By shape, then by its number, then by message size. */
static int by_topology(const void *left, const void *right)
{
    const struct cell *a = *(const struct cell *const *)left;
    const struct cell *b = *(const struct cell *const *)right;
    const char *x = a->topo;
    const char *y = b->topo;
    const size_t shape = strcspn(x, ":");
    const int order = shape != strcspn(y, ":") ? strcmp(x, y) : strncmp(x, y, shape);
    const double number[] = {strtod(x + shape + (x[shape] == ':'), NULL),
                             order == 0 ? strtod(y + shape + (y[shape] == ':'), NULL) : 0.0};
    return order != 0               ? order
           : number[0] != number[1] ? (number[0] > number[1] ? 1 : -1)
           : a->bytes != b->bytes && !isnan(a->bytes) && !isnan(b->bytes)
               ? (a->bytes > b->bytes ? 1 : -1)
               : (a > b) - (a < b);
}

/* The topology, and the message size if it is known and differs between cells. */
static void name_cell(const struct cells *cells, const struct cell *cell, char *name, size_t size)
{
    const bool sized = !isnan(cell->bytes) && !tan_report_cells_one_size(cells);
    snprintf(name, size, sized ? "%.40s, %.0f B" : "%.40s", cell->topo, cell->bytes);
}

/* Medians of the passes of a cell, if it has several. */
static void add_passes(struct tan_chart *c, const struct cell *cell, double place)
{
    const json_t *passes = tan_array_of(cell->whole, "launches");
    for (size_t i = 0; i < json_array_size(passes) && json_array_size(passes) > 1; i++) {
        tan_chart_point(c, tan_number_of(json_array_get(passes, i), "median_us"), place);
    }
}

static void show_distributions(struct page *p, const struct cells *cells)
{
    const size_t step = step_for(cells->n, BOXES);
    const struct cell *sorted[BOXES] = {NULL};
    size_t shown = 0;
    for (size_t i = 0; i < cells->n; i += step) {
        sorted[shown++] = &cells->list[i];
    }
    qsort(sorted, shown, sizeof *sorted, by_topology);
    struct tan_chart c;
    tan_chart_init(&c, "distributions", "Round trips halved, by topology",
                   "Each box spans the middle half of all waves, its whiskers 5 to 95 %; the point "
                   "is the median, with its 95 % interval if known. Over several passes it is the "
                   "median of their medians, which may lie outside the box, and which has no "
                   "interval where fewer than six passes count. Medians whose intervals do not "
                   "overlap differ; passes of one topology that lie apart show how much another "
                   "one may differ.");
    c.x.title = "wave, us";
    c.x.log = true;
    tan_chart_add(&c, TAN_BOX, "");
    for (size_t i = 0; i < shown; i++) {
        const struct cell *cell = sorted[i];
        char name[80];
        name_cell(cells, cell, name, sizeof name);
        const double row[TAN_CHART_COLUMNS] = {tan_chart_name(&c, &c.y, name),
                                               cell->p5,
                                               cell->p25,
                                               cell->median,
                                               cell->p75,
                                               cell->p95,
                                               tan_report_cell_bound(cell->low, cell->median),
                                               tan_report_cell_bound(cell->high, cell->median)};
        tan_chart_row(&c, row);
    }
    tan_chart_add(&c, TAN_POINTS, "medians of passes");
    for (size_t i = 0; i < shown; i++) {
        add_passes(&c, sorted[i], (double)i + 1.0);
    }
    tan_page_chart(p, &c);
    if (step > 1) {
        tan_page_remark(p, "The figure shows one in %zu of the %zu measured trees.", step,
                        cells->n);
    }
}

/* The diagonal, where predictions are exact, and lines for errors by 10 % and 25 %. */
static void add_diagonals(struct tan_chart *c, const json_t *document)
{
    static const struct {
        double factor;
        const char *title;
    } lines[] = {{1.0, "as measured"},
                 {1.1, "10 % off"},
                 {1.0 / 1.1, ""},
                 {1.25, "25 % off"},
                 {1.0 / 1.25, ""}};
    double low[2];
    double high[2];
    (void)document;
    tan_chart_range(c, 'x', &low[0], &high[0]);
    tan_chart_range(c, 'y', &low[1], &high[1]);
    const double from = fmin(low[0], low[1]);
    const double most = fmax(high[0], high[1]);
    const double to = most > from ? most : 2.0 * from;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0] && tan_chart_has_data(c); i++) {
        tan_chart_add(c, TAN_RULER, lines[i].title);
        tan_chart_point(c, from, from * lines[i].factor);
        tan_chart_point(c, to, to * lines[i].factor);
    }
}

/* Append the points of a model, which look the same in all figures: in the first style measured
 * times are drawn. */
static void add_model(struct tan_chart *c, int model, const char *title)
{
    struct tan_series *s = tan_chart_add(c, TAN_POINTS, title);
    if (s != NULL) {
        s->style = model + 2;
    }
}

/* A model looks the same in all figures: in the first style measured times are drawn. */
#define PREDICTED(model, number)                                                                   \
    {                                                                                              \
        TAN_POINTS, model, "cells", .value = {"wave_us.median", "predicted_us." model},            \
                                    .style = number                                                \
    }
#define NOT_FITTED(model, number)                                                                  \
    {                                                                                              \
        TAN_POINTS, model ", not fitted", "held_out",                                              \
            .value = {"median_us", "predicted_us." model}, .style = number                         \
    }

static const struct tan_figure prediction_figures[] = {
    {"predictions", "Predicted against measured waves", "measured, us", "predicted, us", "xy",
     "A mark for each topology and model. On the diagonal predictions are exact; below it waves "
     "took longer than predicted.",
     .rows = {PREDICTED("tan", 2),
              PREDICTED("logp", 3),
              PREDICTED("logp-serial", 4),
              PREDICTED("tan-overlap", 5),
              {.draw = add_diagonals}},
     .most = POINTS},
    {.name = NULL}};

/* Add the cells of one shape and size to a series: medians (model -1) or predictions. */
static void add_cells(struct tan_chart *c, const struct cells *cells, const char *shape,
                      double bytes, int model)
{
    for (size_t i = 0; i < cells->n; i++) {
        const struct cell *cell = &cells->list[i];
        if (!tan_report_cell_is_of(cell, shape)) {
            continue;
        }
        const double y = model < 0 ? cell->median : cell->predicted[model];
        const double row[TAN_CHART_COLUMNS] = {strtod(cell->topo + strlen(shape), NULL), y,
                                               tan_report_cell_bound(cell->low, y),
                                               tan_report_cell_bound(cell->high, y)};
        if (tan_report_cell_has_size(cell, bytes) && c->series[c->n - 1].n < POINTS) {
            tan_chart_row(c, row);
        }
    }
}

/* Title and scale of the y axis: logarithmic where one long time would flatten all others. */
static void set_times(struct tan_chart *c)
{
    enum { FLATTENING = 20 };
    double low;
    double high;
    tan_chart_range(c, 'y', &low, &high);
    c->y.log = low > 0.0 && high > FLATTENING * low;
    c->y.title = c->y.log ? "wave (logarithmic), us" : "wave, us";
}

/* Medians of one shape, such as "nto1:", by the number in the specs; predictions, too, if all
 * messages have one size. */
static void show_series(struct page *p, const struct cells *cells, const char *shape,
                        const char *title, const char *axis)
{
    struct tan_chart c;
    char name[48];
    double bytes[SIZES] = {NAN};
    size_t found = 0;
    for (size_t i = 0; i < cells->n; i++) {
        found += tan_report_cell_is_of(&cells->list[i], shape);
    }
    if (found < 2) {
        return;
    }
    size_t sizes = tan_report_cell_sizes(cells, shape, bytes, SIZES);
    sizes = sizes > 0 ? sizes : 1; /* the NaN, for cells of any size */
    snprintf(name, sizeof name, "series-%.*s", (int)strcspn(shape, ":"), shape);
    tan_chart_init(&c, name, title,
                   sizes > 1 ? "Medians of the waves with their 95 % intervals, by size of message."
                             : "Medians of the waves with their 95 % intervals, and what the "
                               "models predict.");
    c.x.title = axis;
    for (size_t k = 0; k < sizes; k++) {
        char label[48];
        snprintf(label, sizeof label, sizes > 1 ? "measured, %.0f B" : "measured", bytes[k]);
        tan_chart_add(&c, TAN_INTERVALS, label);
        add_cells(&c, cells, shape, bytes[k], -1);
    }
    for (int m = 0; m <= CELL_LOGP && sizes == 1; m++) {
        add_model(&c, m, tan_report_cell_models[m]);
        add_cells(&c, cells, shape, bytes[0], m);
    }
    set_times(&c);
    tan_page_chart(p, &c);
}

/* Sustained rates of streams. */
static const struct tan_figure stream_figures[] = {
    {"streams", "Waves a second, by topology", "waves a second", NULL, "x",
     "What each tree sustains while its leaves send without waiting for answers. Marks: the mean "
     "over the whole time; bars: the 95 % interval of the median over slices of it. A mark left of "
     "its bar means that there were pauses.",
     .names = {'y', "cells", "{topo}", 0},
     .rows = {{TAN_SPAN, "median, 95 % interval", "cells",
               .value = {"#", "stream.rate_ci95_per_s.0", "stream.rate_ci95_per_s.1"}},
              {TAN_POINTS, "mean", "cells", .value = {"stream.rate_per_s", "#"}}},
     .most = BOXES},
    {.name = NULL}};

void tan_add_histogram(struct tan_chart *c, const json_t *samples, double from, double to, int bins,
                       double unit)
{
    size_t count[TAN_BINS] = {0};
    const double width = (to - from) / bins;
    for (size_t k = 0; width > 0.0 && k < json_array_size(samples); k++) {
        const double bin = (tan_number_at(samples, k) / 2.0 - from) / width;
        if (bin >= 0.0 && bin <= bins) {
            count[bin < bins ? (int)bin : bins - 1]++;
        }
    }
    tan_chart_add(c, TAN_STEPS, "");
    tan_chart_point(c, from / unit, 0.0);
    for (int b = 0; b < bins && width > 0.0; b++) {
        tan_chart_point(c, (from + b * width) / unit, (double)count[b]);
    }
    tan_chart_point(c, to / unit, 0.0);
}

/* Waves of the smallest tree: a message in each direction. */
static void show_latencies(struct page *p, const struct cells *cells)
{
    for (size_t i = 0; i < cells->n; i++) {
        const struct cell *cell = &cells->list[i];
        const json_t *samples = tan_array_of(cell->whole, "samples_us");
        const double from = cell->min;
        const double to = cell->p99;
        if (cell->processes != 2.0 || !cell->is_wave || json_array_size(samples) < TAN_BINS ||
            !(to > from)) {
            continue;
        }
        /* at most as many bins as waves per bin */
        const int bins = (int)fmin(TAN_BINS, sqrt((double)json_array_size(samples)));
        struct tan_chart c;
        tan_chart_init(&c, "latency", "Waves of two processes",
                       "How often each time was measured, up to the 99th percentile. A second peak "
                       "means that some messages took another path.");
        c.x.title = "half a round trip, us";
        c.y.title = "waves";
        tan_add_histogram(&c, samples, from, to, bins, 1.0);
        tan_page_chart(p, &c);
        return;
    }
}

void tan_show_results(struct page *p, const struct source *s)
{
    const struct cells *cells = &s->cells;
    tan_page_section(p, "Measured waves", s->name);
    tan_tell_results(p, s);
    tan_show_accuracy(p, s);
    show_distributions(p, cells);
    tan_show_figures(p, s->document, prediction_figures);
    show_series(p, cells, "nto1:", "N-to-1 trees, by fanout", "children of the root");
    show_series(p, cells, "chain:", "Chains, by height", "links of the chain");
    show_latencies(p, cells);
    tan_show_figures(p, s->document, stream_figures);
}

/* Results of tan-fit */

static const struct tan_figure fit_figures[] = {
    {"fit", "Fitted and predicted against measured waves", "measured, us", "predicted, us", "xy",
     "A mark for each tree and model. On the diagonal predictions are exact; below it waves took "
     "longer than predicted.",
     .rows = {{TAN_POINTS, "{@:%.20s}, fitted", "fitted", .value = {"median_us", "predicted_us.@"}},
              NOT_FITTED("tan", 2),
              NOT_FITTED("logp", 3),
              NOT_FITTED("logp-serial", 4),
              NOT_FITTED("tan-overlap", 5),
              {.draw = add_diagonals}},
     .most = POINTS},
    {.name = NULL}};

/* Parameters that the waves do not determine. */
static void tell_unidentified(struct page *p, const struct source *s, const json_t *identifiable)
{
    char text[120] = "";
    const char *key;
    const json_t *known;
    json_object_foreach((json_t *)identifiable, key, known)
    {
        const size_t used = strlen(text);
        if (json_is_false(known)) {
            snprintf(text + used, sizeof text - used, "%s%.8s",
                     used > 0 ? ", " : "Not determined by the waves: ", key);
        }
    }
    tan_page_doubt(p, s->name, text);
}

void tan_show_fit(struct page *p, const struct source *s)
{
    const json_t *fitted = tan_array_of(s->document, "fitted");
    const char *model = tan_page_model(json_object_get(s->document, "machine"));
    const struct source machine = {s->name, json_object_get(s->document, "machine"), {.n = 0}};
    const struct tan_place at = {.document = s->document, .entry = s->document, .key = model};
    double sum = 0.0;
    char share[32];
    tan_page_section(p, "Fit to measured waves", s->name);
    for (size_t i = 0; i < json_array_size(fitted); i++) {
        sum += fabs(tan_number_of(json_object_get(json_array_get(fitted, i), "error"), model));
    }
    if (!tan_page_tell_at(p, &at,
                          "{?held_out}{@}, fitted to {fitted} trees, errs by "
                          "{models.@.waves.mean_abs_error:share} on average on {held_out} others, "
                          "at worst by {models.@.waves.worst_abs_error:share}" TAN_UNTRUSTED ".") &&
        json_array_size(fitted) > 0 && isfinite(sum)) {
        tan_page_answer(
            p,
            "%s errs by %s on average on the %zu trees that it was fitted to; no "
            "others tell how well it predicts%s.",
            model, tan_format_share(sum / (double)json_array_size(fitted), share, sizeof share),
            json_array_size(fitted),
            tan_page_untrusted(json_is_false(json_object_get(s->document, "trustworthy"))));
    }
    tell_unidentified(p, s, json_object_get(s->document, "identifiable"));
    tan_show_figures_at(p, &at, fit_figures);
    tan_show_machine(p, &machine);
}
