/* report.h - a page with figures from the files that the programs write
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_PAGE_REPORT_H
#define TAN_REPORT_PAGE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* "svg" and what rsvg-convert makes of it; ends with NULL. */
extern const char *const tan_report_formats[];

struct tan_report {
    const char *output;    /* "-": standard output */
    const char *figures;   /* folder for the figures, a file each; NULL: none */
    int format;            /* of those files: index of tan_report_formats */
    bool paper;            /* the figures of the TAN paper in place of all others */
    const char *plot_data; /* folder for gnuplot's scripts with their data; NULL: none */
};

/* Write one HTML file, whole or not at all, from `n` JSON files of any kind. Files that cannot be
 * shown are named on the page and in `problems`, a line each, and the rest is shown; then, and
 * where no file can be shown, it fails with TAN_FAILED. */
int tan_report_write(const struct tan_report *report, const char *const *files, size_t n,
                     FILE *problems, struct tan_error *e);
struct json_t;
/* A picture for the page of a program, which is an SVG element. */
struct tan_report_picture {
    const char *title, *caption, *svg;
};
/* What a program has found out, as JSON in the file `json` and as a page in the file `report`, with
 * a picture; NULL: not wanted, none. Takes the reference of the document; NULL: memory was short.
 */
int tan_report_deliver(const char *json, const char *report, struct json_t *document,
                       const struct tan_report_picture *picture, struct tan_error *e);
/* The schemas that can be shown, each with what is shown of it. */
void tan_report_help(FILE *to);

#endif
