/* results_figures.c - figures of measured waves: distributions, predictions, latency
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/page/kinds.h"

/* Boxes and points that a figure can show; of more cells it shows some, evenly spread. */
enum { BOXES = 32, POINTS = 1500, BINS = 40 };

static size_t step_for(size_t n, size_t most)
{
    return n <= most ? 1 : (n + most - 1) / most;
}

/* By shape, then by its number, then by message size. */
static int by_topology(const void *left, const void *right)
{
    const json_t *a = *(const json_t *const *)left;
    const json_t *b = *(const json_t *const *)right;
    const char *x = text_of(a, "topo");
    const char *y = text_of(b, "topo");
    const size_t shape = strcspn(x, ":");
    const int order = shape != strcspn(y, ":") ? strcmp(x, y) : strncmp(x, y, shape);
    const double leaves[] = {strtod(x + shape + (x[shape] == ':'), NULL),
                             order == 0 ? strtod(y + shape + (y[shape] == ':'), NULL) : 0.0};
    const double bytes[] = {number_of(a, "bytes"), number_of(b, "bytes")};
    return order != 0               ? order
           : leaves[0] != leaves[1] ? (leaves[0] > leaves[1] ? 1 : -1)
                                    : (bytes[0] > bytes[1]) - (bytes[0] < bytes[1]);
}

static void show_distributions(struct page *p, const json_t *cells)
{
    const size_t n = json_array_size(cells);
    const size_t step = step_for(n, BOXES);
    const json_t *sorted[BOXES] = {NULL};
    size_t shown = 0;
    for (size_t i = 0; i < n; i += step) {
        sorted[shown++] = json_array_get(cells, i);
    }
    qsort(sorted, shown, sizeof *sorted, by_topology);
    struct tan_chart c;
    tan_chart_init(&c, "distributions", "Round trips halved, by topology",
                   "Each box spans the middle half of the waves, its whiskers 5 to 95 %; the point "
                   "is the median, with its 95 % interval. Medians whose intervals are apart "
                   "differ.");
    c.x.title = "wave, us";
    c.x.log = true;
    tan_chart_add(&c, TAN_BOX, "");
    for (size_t i = 0; i < shown; i++) {
        const json_t *cell = sorted[i];
        const json_t *wave = json_object_get(cell, "wave_us");
        const json_t *ci95 = array_of(wave, "ci95");
        char name[48];
        snprintf(name, sizeof name, "%.30s", text_of(cell, "topo"));
        const double median = number_of(wave, "median");
        const bool known = isfinite(number_at(ci95, 0));
        const double row[TAN_CHART_COLUMNS] = {(double)c.y.names + 1.0,
                                               number_of(wave, "p5"),
                                               number_of(wave, "p25"),
                                               median,
                                               number_of(wave, "p75"),
                                               number_of(wave, "p95"),
                                               known ? number_at(ci95, 0) : median,
                                               known ? number_at(ci95, 1) : median};
        tan_chart_name(&c, &c.y, name);
        tan_chart_row(&c, row);
    }
    page_chart(p, &c);
    if (step > 1) {
        page_remark(p, "The figure shows one cell in %zu of %zu.", step, n);
    }
}

/* Where predictions of all models would be right, and off by some share. */
static void add_diagonals(struct tan_chart *c, double low, double high)
{
    static const struct {
        double factor;
        const char *title;
    } lines[] = {{1.0, "as measured"},
                 {1.1, "10 % off"},
                 {1.0 / 1.1, ""},
                 {1.25, "25 % off"},
                 {1.0 / 1.25, ""}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        tan_chart_add(c, TAN_RULER, lines[i].title);
        tan_chart_point(c, low, low * lines[i].factor);
        tan_chart_point(c, high, high * lines[i].factor);
    }
}

static void show_predictions(struct page *p, const json_t *cells)
{
    static const char *const models[] = {"tan", "logp", "logp-serial", "tan-host"};
    const size_t n = json_array_size(cells);
    const size_t step = step_for(n, POINTS);
    double low = INFINITY;
    double high = 0.0;
    struct tan_chart c;
    tan_chart_init(&c, "predictions", "Predicted against measured waves",
                   "A mark for each topology and model; on the diagonal the prediction is what was "
                   "measured. LogP charges every child the same.");
    c.x.title = "measured, us";
    c.y.title = "predicted, us";
    c.x.log = true;
    c.y.log = true;
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        tan_chart_add(&c, TAN_POINTS, models[m]);
        for (size_t i = 0; i < n; i += step) {
            const json_t *cell = json_array_get(cells, i);
            const double x = number_of(json_object_get(cell, "wave_us"), "median");
            const double y = number_of(json_object_get(cell, "predicted_us"), models[m]);
            tan_chart_point(&c, x, y);
            if (x > 0.0 && y > 0.0) {
                low = fmin(low, fmin(x, y));
                high = fmax(high, fmax(x, y));
            }
        }
    }
    if (high > 0.0) {
        add_diagonals(&c, low, high > low ? high : 2.0 * low);
    } else {
        tan_chart_clear(&c);
        return;
    }
    page_chart(p, &c);
}

static bool is_of(const json_t *cell, const char *shape)
{
    return strncmp(text_of(cell, "topo"), shape, strlen(shape)) == 0;
}

/* Medians of one shape, "nto1:", against its number. */
static void show_series(struct page *p, const json_t *cells, const char *shape, const char *title,
                        const char *axis)
{
    static const char *const models[] = {"tan", "logp"};
    const size_t n = json_array_size(cells);
    struct tan_chart c;
    char name[48];
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        found += is_of(json_array_get(cells, i), shape);
    }
    if (found < 2) {
        return;
    }
    const size_t step = step_for(found, POINTS);
    snprintf(name, sizeof name, "series-%.*s", (int)strcspn(shape, ":"), shape);
    tan_chart_init(&c, name, title,
                   "Medians of the waves with their 95 % intervals, and what the models predict.");
    c.x.title = axis;
    c.y.title = "wave, us";
    for (size_t m = 0; m <= sizeof models / sizeof models[0]; m++) {
        const bool measured = m == 0;
        size_t k = 0;
        tan_chart_add(&c, measured ? TAN_INTERVALS : TAN_POINTS,
                      measured ? "measured" : models[m - 1]);
        for (size_t i = 0; i < n; i++) {
            const json_t *cell = json_array_get(cells, i);
            const json_t *wave = json_object_get(cell, "wave_us");
            const json_t *ci95 = array_of(wave, "ci95");
            if (!is_of(cell, shape) || k++ % step != 0) {
                continue;
            }
            const double x = strtod(text_of(cell, "topo") + strlen(shape), NULL);
            const double row[TAN_CHART_COLUMNS] = {
                x,
                measured ? number_of(wave, "median")
                         : number_of(json_object_get(cell, "predicted_us"), models[m - 1]),
                number_at(ci95, 0), number_at(ci95, 1)};
            tan_chart_row(&c, row);
        }
    }
    page_chart(p, &c);
}

/* Waves of the smallest tree, which are round trips of one message each way. */
static void show_latencies(struct page *p, const json_t *cells)
{
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const json_t *cell = json_array_get(cells, i);
        const json_t *samples = array_of(cell, "samples_us");
        const json_t *wave = json_object_get(cell, "wave_us");
        const double from = number_of(wave, "min");
        const double to = number_of(wave, "p99");
        if (number_of(cell, "processes") != 2.0 || strcmp(text_of(cell, "mode"), "stream") == 0 ||
            json_array_size(samples) < BINS || !(to > from)) {
            continue;
        }
        size_t count[BINS + 1] = {0};
        for (size_t k = 0; k < json_array_size(samples); k++) {
            /* samples are round trips */
            const double bin = (number_at(samples, k) / 2.0 - from) / (to - from) * BINS;
            count[bin >= 0.0 && bin < BINS ? (size_t)bin : BINS] += bin >= 0.0;
        }
        struct tan_chart c;
        tan_chart_init(&c, "latency", "Waves of two processes",
                       "How often each time was measured, up to the 99th percentile. A second peak "
                       "is a second way that messages take.");
        c.x.title = "half a round trip, us";
        c.y.title = "waves";
        tan_chart_add(&c, TAN_STEPS, "");
        for (int b = 0; b < BINS; b++) {
            tan_chart_point(&c, from + (to - from) * b / BINS, (double)count[b]);
        }
        page_chart(p, &c);
        return;
    }
}

static void tell_results(struct page *p, const struct source *s, const json_t *cells)
{
    const json_t *fastest = NULL;
    double best = INFINITY;
    double leaves = 0.0;
    double sum = 0.0;
    size_t predicted = 0;
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const json_t *cell = json_array_get(cells, i);
        leaves = fmax(leaves, number_of(cell, "leaves"));
        const double error = number_of(json_object_get(cell, "error"), "tan");
        sum += isfinite(error) ? fabs(error) : 0.0;
        predicted += isfinite(error) ? 1 : 0;
    }
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const json_t *cell = json_array_get(cells, i);
        const double median = number_of(json_object_get(cell, "wave_us"), "median");
        if (number_of(cell, "leaves") == leaves && median < best) {
            best = median;
            fastest = cell;
        }
        if (json_is_false(json_object_get(cell, "trustworthy"))) {
            char text[200];
            snprintf(text, sizeof text, "%.80s was measured, but is not trustworthy",
                     text_of(cell, "topo"));
            page_doubt(p, s->name, text);
        }
        const json_t *warnings = array_of(cell, "warnings");
        for (size_t k = 0; k < json_array_size(warnings); k++) {
            const char *text = json_string_value(json_array_get(warnings, k));
            page_doubt(p, s->name, text != NULL ? text : "");
        }
    }
    if (fastest != NULL) {
        page_answer(p, "Of the measured trees with %.0f leaves %.80s is the fastest: %.4g us.",
                    leaves, text_of(fastest, "topo"), best);
    }
    if (predicted > 0) {
        page_answer(p, "TAN's predictions are %.0f %% off in the mean of %zu cells.",
                    100.0 * sum / (double)predicted, predicted);
    }
}

void show_results(struct page *p, const struct source *s)
{
    const json_t *cells = array_of(s->document, "cells");
    page_section(p, "Measured waves", s->name);
    tell_results(p, s, cells);
    show_distributions(p, cells);
    show_predictions(p, cells);
    show_series(p, cells, "nto1:", "N-to-1 trees, by fanout", "children of the root");
    show_series(p, cells, "chain:", "Chains, by height", "links of the chain");
    show_latencies(p, cells);
}
