/* report.h - page with figures from files of the programs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_PAGE_REPORT_H
#define TAN_PAGE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

#define TAN_REPORT_PAGE "report.html"

/* What to write, and where; strings are borrowed. */
struct tan_report {
    const char *output;  /* "-": standard output; NULL: TAN_REPORT_PAGE */
    const char *figures; /* directory for figures as separate files; NULL: none */
    bool paper;          /* only the figures of the TAN paper */
};

/* Write an HTML file, completely or not at all, from `n` JSON files of any kind. Files that cannot
 * be shown are named on the page among the doubts, and in `problems`, one per line. If there are
 * any, it fails (TAN_FAILED) after writing the page; if no file can be shown, without a page. */
int tan_report_write(const struct tan_report *report, const char *const *files, size_t n,
                     FILE *problems, struct tan_error *e);

struct json_t;
/* Write a program's results as JSON to the file `json` and as a page to the file `report`; either
 * may be NULL. If one cannot be written, the other is. Releases the document; fails if it is NULL,
 * which stands for a lack of memory. */
int tan_report_deliver(const char *json, const char *report, struct json_t *document,
                       struct tan_error *e);
/* Write a page of a calibration: its waves and the machine file that was fitted to them. Releases
 * both documents; fails if one is NULL, as above. */
int tan_report_calibration(const char *report, struct json_t *waves, struct json_t *machine,
                           struct tan_error *e);
/* The known schemas and what is shown for each. */
void tan_report_help(FILE *to);

#endif
