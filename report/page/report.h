/* report.h - a page with figures from the files that the programs write
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_PAGE_REPORT_H
#define TAN_REPORT_PAGE_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct tan_report {
    const char *output;    /* "-": standard output */
    const char *figures;   /* folder for the figures, an SVG file each; NULL: none */
    const char *plot_data; /* folder for gnuplot's scripts with their data; NULL: none */
};

/* Write one HTML file, whole or not at all, from `n` JSON files of any kind. Files that cannot be
 * shown are named on the page and in `problems`, a line each, and the rest is shown; then, and
 * where no file can be shown, it fails with TAN_FAILED. */
int tan_report_write(const struct tan_report *report, const char *const *files, size_t n,
                     FILE *problems, struct tan_error *e);
struct json_t;
/* What a program has found out, as JSON in the file `json` and as a page in the file `report`;
 * NULL: not wanted. Takes the reference of the document; NULL: memory was short. */
int tan_report_deliver(const char *json, const char *report, struct json_t *document,
                       struct tan_error *e);
/* The schemas that can be shown, each with what is shown of it. */
void tan_report_help(FILE *to);

#endif
