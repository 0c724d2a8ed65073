/* page.h - the page of a report while it is put together
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

/* Part of the page that is written to memory of its own. */
struct part {
    FILE *to;
    char *text;
    size_t length;
};

/* One document of a report. */
struct source {
    const char *name; /* of its file */
    json_t *document;
    struct cells cells; /* of results; then the document has none */
};

/* What files say of their environment, or against themselves; those that say the same stand
 * together. */
struct fact {
    const char *what;   /* borrowed */
    char *text, *files; /* owned; the first files only */
    const char *last;   /* of the files; borrowed */
    size_t n;           /* files */
};

struct facts {
    struct fact *list; /* owned */
    size_t n, left_out;
};

/* A sentence; the first ones of all sections come before the second ones. */
struct answer {
    char *text;         /* owned */
    const char *source; /* borrowed */
    size_t order;
};

struct page {
    bool plotter;              /* gnuplot is there */
    bool unnumbered;           /* figures have their numbers in their titles */
    const char *plot_data;     /* folder for scripts and tables; NULL: none */
    const char *figures_dir;   /* folder for single figures; NULL: none */
    const char *figure_format; /* "svg", or what rsvg-convert makes of it */
    struct part sections;
    struct facts doubts, facts;
    struct answer *answers; /* owned */
    bool in_section;
    const char *source;                                 /* of the last section; borrowed */
    char (*names)[48];                                  /* of the figures so far; owned */
    size_t n_answers, n_of_section, n_names, n_figures; /* answers of the last section */
    const struct source *sources;                       /* all of the report's */
    size_t n_sources;
    struct tan_error *e; /* the first failure of writing */
};

int tan_page_begin(struct page *p, struct tan_error *e);
/* Write the page; -1 where a part could not be written. */
int tan_page_write(struct page *p, FILE *to);
void tan_page_clear(struct page *p);

/* Sentences and facts; every text is escaped. Three answers are shown. */
void tan_page_answer(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tan_page_doubt(struct page *p, const char *source, const char *text);
void tan_page_fact(struct page *p, const char *source, const char *what, const char *text);
void tan_page_section(struct page *p, const char *title, const char *source);
void tan_page_remark(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tan_page_listing(struct page *p, const char *text);
/* A chart with its caption and numbers; cleared. Without rows nothing is shown. */
void tan_page_chart(struct page *p, struct tan_chart *c);
/* A drawing of TAN_DRAWN_LEVELS at most with their processes, or of a tree of TAN_DRAWN_NODES at
 * most; what is no tree is not shown. */
void tan_page_levels(struct page *p, const char *name, const char *title, const char *caption,
                     const int64_t *processes, int levels);
void tan_page_tree(struct page *p, const char *name, const char *title, const char *caption,
                   const int32_t *parents, int32_t n, const struct tan_tree_marks *marks);
/* A picture that is an SVG element already. */
void tan_page_picture(struct page *p, const char *title, const char *caption, const char *svg);

#endif
