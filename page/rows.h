/* rows.h - figures as rows: which numbers of a document are drawn, and how
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_PAGE_ROWS_H
#define TAN_PAGE_ROWS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "page/page.h"

/* Where a row is in a document. Its numbers are named by paths such as "ci95.0", which begin at the
 * entry of a list, with / at the document, and with . at the entry of `each`; of a list found in
 * these two ways the element of the same place counts. "" is the entry, -1 the last one of a list,
 * # its place from 1 on, $ that of its name on the axis, and @ the key of `each`. A list is the
 * number of its entries, and a text the number after its = or :. list%path is 2 where the path has
 * different numbers in the entries of the list. Of a|b, b counts where a is not a positive number.
 * From left to right, +, -, *, /, max and abs are applied: "error.@ abs * 100 max 0.1". */
struct tan_place {
    const json_t *document, *each, *entry;
    const char *key;
    size_t i, names; /* names: those on the axis so far */
};

/* Fill in "{path}" or "{expression:%.4g}", whose format may also be that of a time in ns, a size,
 * a share, a factor, or of what is slower; "name" is what is before = in a text. False if a
 * value is missing, which leaves its place empty; a part in brackets is left out then. {?path} is
 * nothing, and missing unless a condition holds: what is to be true or positive, an object or a
 * text, "path=text" for one that begins so, "path~path" for the same number or beginning, or
 * neither, or after ! the contrary; "a & b" is both. A part that begins with *list: is filled in
 * for each entry of the list. */
bool tan_place_text(const struct tan_place *at, const char *format, char *text, size_t size);
/* Of each entry of the list at the path `list`, or of the only one, the numbers of the mark. */
struct tan_rows {
    enum tan_mark mark;
    const char *title; /* NULL: the series before goes on */
    const char *list;
    const char *value[TAN_CHART_COLUMNS];
    const char *only; /* a condition */
    const char *each; /* a series for each entry of this list or object, which its title names */
    const char *by;   /* a series for each value of this number, the smallest first */
    const char *name; /* of each row, on the axis of names */
    int style;        /* of the series, as in a chart */
};

/* A figure is shown for what is at the path `at`, from where / begins, and . at the document; of a
 * list, for each entry. NULL: the document. */
struct tan_figure {
    const char *name, *title;
    const char *at;
    const char *x, *y, *log; /* titles of the axes, and which are logarithmic, "xy" */
    const char *caption;
    struct {
        char axis;
        const char *list, *text; /* a name along that axis for each entry */
    } names;
    struct tan_rows rows[7]; /* up to an empty one */
    size_t most;  /* entries of lists, the first ones with names, else one in every few; 0: 1000 */
    size_t least; /* rows of the longest series, without which there is no figure */
    const char *only; /* a condition */
    bool diagonal;
};

/* Show those figures for which the document has numbers; `figures` ends with one without name, or
 * is NULL. */
void tan_show_figures(struct page *p, const json_t *document, const struct tan_figure *figures);

/* A table with a line for each entry of a list or object, without columns that are empty and lines
 * whose first cell is. */
enum { TAN_LISTING_COLUMNS = 8 };
struct tan_listing {
    const char *title, *list;
    const char *only; /* a condition */
    size_t most;      /* lines; 0: 200 */
    struct {
        const char *heading, *cell; /* "-" stands for what is missing */
    } column[TAN_LISTING_COLUMNS];
};
/* Show those that have lines; `listings` ends with one without title, or is NULL. */
void tan_show_listings(struct page *p, const json_t *document, const struct tan_listing *listings);

/* Those of each kind of file. Arrays end with a row without name or title. */
extern const struct tan_figure tan_design_figures[], tan_pareto_figures[], tan_target_figures[],
    tan_results_figures[], tan_fit_figures[], tan_message_figures[], tan_validation_figures[],
    tan_simulation_figures[];
extern const struct tan_listing tan_results_tables[], tan_results_folded[], tan_fit_tables[],
    tan_fit_folded[], tan_machine_tables[], tan_machine_folded[], tan_validation_tables[],
    tan_collective_tables[], tan_simulation_tables[], tan_simulation_folded[];

/* Those of the TAN paper, each of which every file is searched for. */
extern const struct tan_figure tan_paper_figures[];

#endif
