/* cells.h - measured cells of results, for figures
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_PAGE_CELLS_H
#define TAN_REPORT_PAGE_CELLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Models with predictions in results. */
enum { CELL_TAN, CELL_LOGP, CELL_SERIAL, CELL_MODELS };
extern const char *const tan_report_cell_models[CELL_MODELS];

/* A cell; missing values are NaN. Times are half round trips in microseconds. */
struct cell {
    char topo[48];
    double leaves, processes, max_fanout, bytes;
    double min, p5, p25, median, p75, p95, p99;
    double low, high; /* of the median, 95 % */
    double predicted[CELL_MODELS];
    double tan_error; /* relative */
    bool untrusted;
    bool is_wave;  /* waves with round trips, and nothing else */
    json_t *whole; /* with its samples, launches and warnings; NULL: one of too many. Owned. */
};

struct cells {
    struct cell *list; /* owned */
    size_t n;
    size_t whole; /* number of cells kept whole */
};

/* Append an element of a file's "cells". */
int tan_report_cells_add(struct cells *cells, json_t *object, struct tan_error *e);
void tan_report_cells_clear(struct cells *cells);
/* Whether its shape is this one: "nto1:". */
bool tan_report_cell_is_of(const struct cell *cell, const char *shape);

/* An end of the interval (low, high); `otherwise` if the file has none. */
double tan_report_cell_bound(double end, double otherwise);

/* The value of a key; NaN, "" or an empty array if it is missing or of another type. */
double tan_number_of(const json_t *object, const char *key);
const char *tan_text_of(const json_t *object, const char *key);
const json_t *tan_array_of(const json_t *object, const char *key);
/* An element of an array of numbers. */
double tan_number_at(const json_t *array, size_t index);

#endif
