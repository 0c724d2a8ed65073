/* page.h - page of a report under construction
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_PAGE_PAGE_H
#define TAN_REPORT_PAGE_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "report/draw/tree_drawing.h"
#include "report/page/cells.h"
#include "report/plot/chart.h"

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
/* Begin a section, to which answers, remarks and figures are added from now on. */
void tan_page_section(struct page *p, const char *title, const char *source);
void tan_page_remark(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tan_page_listing(struct page *p, const char *text);
/* Add a table of `rows` times `columns` texts, row by row. */
enum { TAN_PAGE_CELL = 40 };
void tan_page_table(struct page *p, const char *title, const char *const *heading,
                    const char (*cell)[TAN_PAGE_CELL], size_t columns, size_t rows);
/* Add a chart with its caption and numbers, and clear it. Shows nothing without rows. */
void tan_page_chart(struct page *p, struct tan_chart *c);
/* Add a drawing of at most TAN_DRAWN_LEVELS levels with their processes, or of a tree of at most
 * TAN_DRAWN_NODES processes; shows nothing if it is not a tree. */
void tan_page_levels(struct page *p, const char *name, const char *title, const char *caption,
                     const int64_t *processes, int levels);
void tan_page_tree(struct page *p, const char *name, const char *title, const char *caption,
                   const int32_t *parents, int32_t n, const struct tan_tree_marks *marks);

#endif
