/* page.h - page of a report under construction, and the documents that it shows
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_PAGE_PAGE_H
#define TAN_PAGE_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "page/chart.h"

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

/* Append an element of the "cells" of the file `source`. -1 if it is none, or when memory is short.
 */
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

/* A part of the page, written to separate memory. */
struct part {
    FILE *to;
    char *text;
    size_t length;
};

/* One document of a report. */
struct source {
    const char *name;   /* of its file; borrowed */
    json_t *document;   /* owned */
    struct cells cells; /* of results; its list is owned */
};

/* A fact about the environment, or a doubt, with all files that share it. */
struct fact {
    const char *what; /* "kernel"; "" for doubts. Borrowed. */
    char *text;       /* owned */
    char *files;      /* names of the first TAN_FILES_NAMED files; owned */
    const char *last; /* the last file that has it, which is counted once; borrowed */
    size_t n;         /* number of files */
};

struct facts {
    struct fact *list; /* owned */
    size_t n, left_out;
};
enum { TAN_FILES_NAMED = 3 };

/* A sentence. The first ones of all sections are shown before the second ones. */
struct answer {
    char *text;         /* owned */
    const char *source; /* file; borrowed */
    size_t order;       /* among those of its section, from 0 */
};

struct page {
    bool plotter; /* gnuplot is available */
    char title[600];
    bool unnumbered;         /* captions have no numbers, since titles have the paper's */
    const char *figures_dir; /* directory for separate figures; NULL: none */
    struct part sections;
    struct facts doubts, facts;
    struct answer *answers; /* owned */
    size_t n_answers;
    bool in_section;
    const char *source;            /* file of the last section; borrowed */
    size_t n_of_section;           /* answers of the last section */
    char (*names)[TAN_CHART_NAME]; /* of figures, before they are made unique; owned */
    size_t n_names;
    size_t n_figures;             /* captions so far */
    const struct source *sources; /* all documents of the report; borrowed */
    size_t n_sources;
    struct tan_error *e; /* first error during writing */
};

/* Prepare a page whose other members are set or zero; `e`, which is kept, receives the first error
 * of all later calls. -1 when memory is short. */
int tan_page_begin(struct page *p, struct tan_error *e);
/* Write the page; -1 if anything has failed since tan_page_begin. */
int tan_page_write(struct page *p, FILE *to);
/* Also after tan_page_begin has failed or was not called. Leaves the sources alone. */
void tan_page_clear(struct page *p);

/* Add sentences and facts; all text is escaped. Of the answers three are shown for a file, and
 * six for several, the first of each before the second; of doubts and facts 60 each, and no empty
 * ones. `source` and `what` are borrowed. */
void tan_page_answer(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tan_page_doubt(struct page *p, const char *source, const char *text);
void tan_page_fact(struct page *p, const char *source, const char *what, const char *text);
/* " (not trustworthy: see the doubts)", or "" for a trusted answer. */
const char *tan_page_untrusted(bool doubted);
/* Times in sentences: "537.9 us", "2.639 s". Returns `buffer`. */
enum { TAN_PAGE_TIME = 32 };
const char *tan_page_time(double us, char buffer[TAN_PAGE_TIME]);
/* A number of bytes, whatever the file says, as tan_format_size writes it. */
const char *tan_page_size(double bytes, char *buffer, size_t size);
/* Begin a section, to which answers, remarks and figures are added from now on. */
void tan_page_section(struct page *p, const char *title, const char *source);
void tan_page_remark(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tan_page_listing(struct page *p, const char *text);
/* Add a table of `rows` times `columns` texts, row by row. */
enum { TAN_PAGE_CELL = 40 };
void tan_page_table(struct page *p, const char *title, const char *const *heading,
                    const char (*cell)[TAN_PAGE_CELL], size_t columns, size_t rows);
/* Add the "answer" of a document (base/reply.h): its first sentences and how sure it is among the
 * page's answers, then its table, remarks, where the numbers are from, what to paste and what comes
 * next. */
void tan_page_reply(struct page *p, const json_t *document);
/* Add a chart with its caption and numbers, and clear it. Shows nothing without rows. */
void tan_page_chart(struct page *p, struct tan_chart *c);

#endif
