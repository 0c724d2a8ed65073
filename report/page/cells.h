/* cells.h - measured cells of results, for figures
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_PAGE_CELLS_H
#define TAN_REPORT_PAGE_CELLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Models with predictions in results. */
enum { CELL_TAN, CELL_LOGP, CELL_SERIAL, CELL_OVERLAP, CELL_MODELS };
extern const char *const tan_report_cell_models[CELL_MODELS];

/* A cell, whose parts are borrowed from the document; missing values are NaN. Times are half round
 * trips in microseconds. */
struct cell {
    const json_t *whole;
    const char *topo;
    double leaves, processes, max_fanout, bytes;
    double min, p5, p25, median, p75, p95, p99;
    double low, high; /* 95 % confidence interval of the median */
    double predicted[CELL_MODELS];
    double tan_error; /* TAN's prediction / median - 1 */
    bool untrusted;
    bool disturbed; /* others used the cores during all of its passes */
    bool is_wave;   /* waves with round trips, and nothing else */
};

struct cells {
    struct cell *list; /* owned */
    size_t n;
};

/* Append an element of the "cells" of the file `source`. -1 if it or its launches are none, or when
 * memory is short. */
int tan_report_cells_add(struct cells *cells, const json_t *object, const char *source,
                         struct tan_error *e);
/* Whether the cell's tree has this shape, given with a colon: "nto1:". */
bool tan_report_cell_is_of(const struct cell *cell, const char *shape);
/* Whether its messages have this size; NaN: any. */
bool tan_report_cell_has_size(const struct cell *cell, double bytes);
/* Different message sizes of a shape's cells, those that come first, in increasing order in
 * sizes[most]. Returns their number; 0 if none is known. */
size_t tan_report_cell_sizes(const struct cells *cells, const char *shape, double *sizes,
                             size_t most);

/* Whether all cells have messages of the same size, or of unknown size. */
bool tan_report_cells_one_size(const struct cells *cells);

/* `end`, a cell's low or high, or `otherwise` if the file lacks it. */
double tan_report_cell_bound(double end, double otherwise);

/* The value of a key, borrowed. If it is missing or of another type: NaN, "", or NULL, which
 * Jansson's functions treat as an empty array. */
double tan_number_of(const json_t *object, const char *key);
const char *tan_text_of(const json_t *object, const char *key);
const json_t *tan_array_of(const json_t *object, const char *key);
/* An element of an array of numbers; NaN if there is none. */
double tan_number_at(const json_t *array, size_t index);

#endif
