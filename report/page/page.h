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
    const char *name; /* of its file */
    json_t *document;
    struct cells cells; /* of results, which are then not kept in `document` */
};

/* A fact about the environment, or a doubt, with all files that share it. */
struct fact {
    const char *what;   /* borrowed */
    char *text, *files; /* owned; only the first files */
    const char *last;   /* last file; borrowed */
    size_t n;           /* number of files */
};

struct facts {
    struct fact *list; /* owned */
    size_t n, left_out;
};

/* A sentence; the first ones of all sections precede the second ones. */
struct answer {
    char *text;         /* owned */
    const char *source; /* borrowed */
    size_t order;
};

struct page {
    bool plotter;              /* gnuplot is available */
    bool unnumbered;           /* figures have numbers in their titles */
    const char *plot_data;     /* directory for scripts and tables; NULL: none */
    const char *figures_dir;   /* directory for separate figures; NULL: none */
    const char *figure_format; /* "svg", or a format of rsvg-convert */
    struct part sections;
    struct facts doubts, facts;
    struct answer *answers; /* owned */
    bool in_section;
    const char *source;                                 /* file of the last section; borrowed */
    char (*names)[48];                                  /* of figures so far; owned */
    size_t n_answers, n_of_section, n_names, n_figures; /* answers of the last section */
    const struct source *sources;                       /* all documents of the report */
    size_t n_sources;
    struct tan_error *e; /* first error during writing */
};

int tan_page_begin(struct page *p, struct tan_error *e);
/* Write the page; -1 if a part could not be written. */
int tan_page_write(struct page *p, FILE *to);
void tan_page_clear(struct page *p);

/* Add sentences and facts; all text is escaped. Three answers are shown. */
void tan_page_answer(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tan_page_doubt(struct page *p, const char *source, const char *text);
void tan_page_fact(struct page *p, const char *source, const char *what, const char *text);
void tan_page_section(struct page *p, const char *title, const char *source);
void tan_page_remark(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tan_page_listing(struct page *p, const char *text);
/* Add a chart with its caption and numbers, and clear it. Shows nothing without rows. */
void tan_page_chart(struct page *p, struct tan_chart *c);
/* Add a drawing of at most TAN_DRAWN_LEVELS levels with their processes, or of a tree of at most
 * TAN_DRAWN_NODES processes; shows nothing if it is not a tree. */
void tan_page_levels(struct page *p, const char *name, const char *title, const char *caption,
                     const int64_t *processes, int levels);
void tan_page_tree(struct page *p, const char *name, const char *title, const char *caption,
                   const int32_t *parents, int32_t n, const struct tan_tree_marks *marks);
/* Add a picture that is an SVG element. */
void tan_page_picture(struct page *p, const char *title, const char *caption, const char *svg);

#endif
