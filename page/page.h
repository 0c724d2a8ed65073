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

/* The text of a key, borrowed; "" if it is missing or of another type. */
const char *tan_text_of(const json_t *object, const char *key);

/* Parts of a section, in the order of the page; doubts follow what is said about certainty. */
enum { PART_ANSWER, PART_FROM, PART_FIGURE, PART_PASTE, PART_SURE, PART_MORE, PARTS };

/* A part, written to separate memory. */
struct part {
    FILE *to;
    char *text;
    size_t length;
};

struct section {
    const char *title, *source; /* borrowed */
    struct part part[PARTS];
};

/* One document of a report. */
struct source {
    const char *name; /* of its file; borrowed */
    json_t *document; /* owned */
};

/* A fact about the environment, or a doubt, with all files that share it. */
struct fact {
    const char *what; /* "kernel"; "" for doubts. Borrowed. */
    char *text;       /* owned */
    char *files;      /* names of the first TAN_FILES_NAMED files; owned */
    const char *last; /* the last file that has it, which is counted once; borrowed */
    size_t n;         /* number of files */
    size_t section;   /* number of the first section that has it, from 1; 0: the page */
};

struct facts {
    struct fact *list; /* owned */
    size_t n, left_out;
};
enum { TAN_FILES_NAMED = 3 };

struct page {
    bool plotter; /* gnuplot is available */
    char title[600];
    const char *figures_dir;   /* directory for separate figures; NULL: none */
    struct section **sections; /* owned */
    size_t n_sections;
    int now; /* the part that is written; of an answer the first chart is its figure, and the others
                are folded */
    struct facts doubts, facts;
    char (*names)[TAN_CHART_NAME]; /* of figures, before they are made unique; owned */
    size_t n_names;
    const struct source *sources; /* all documents of the report; borrowed */
    size_t n_sources;
    struct tan_error *e; /* first error during writing */
};

/* Prepare a page whose other members are set or zero; `e`, which is kept, receives the first error
 * of all later calls. */
void tan_page_begin(struct page *p, struct tan_error *e);
/* Write the page; -1 if anything has failed since tan_page_begin. */
int tan_page_write(struct page *p, FILE *to);
/* Also after tan_page_begin was not called. Leaves the sources alone. */
void tan_page_clear(struct page *p);

/* Begin a section, whose answer is written first; -1 when memory is short. Strings are borrowed. */
int tan_page_section(struct page *p, const char *title, const char *source);
/* Add a paragraph; all text is escaped. */
void tan_page_say(struct page *p, const char *text);
/* Add to the environment or, if `what` is "", to the doubts of the section, before the first one of
 * the page: 60 each; nothing if the text is empty. `source` and `what` are borrowed. */
void tan_page_fact(struct page *p, const char *source, const char *what, const char *text);
/* Add a table of `rows` times `columns` texts, row by row. */
enum { TAN_PAGE_CELL = 160 };
void tan_page_table(struct page *p, const char *title, const char *const *heading,
                    const char (*cell)[TAN_PAGE_CELL], size_t columns, size_t rows);
/* Add the "answer" of a document (base/reply.h), each of its parts where it belongs; false if it
 * has none. */
bool tan_page_reply(struct page *p, const json_t *document);
/* Add a chart with its caption, and clear it; its numbers are folded. Shows nothing without rows.
 */
void tan_page_chart(struct page *p, struct tan_chart *c);

#endif
