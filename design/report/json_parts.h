/* json_parts.h - parts that all JSON answers share
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_JSON_PARTS_H
#define TAN_DESIGN_REPORT_JSON_PARTS_H

#include "base/json_writer.h"
#include "design/report/report.h"

/* Digits of numbers, without the noise of the last bits: 205.984, not 205.98399999999998. */
enum { TAN_REPORT_DIGITS = 12 };

/* Seconds as microseconds. */
void tan_report_set_us(struct tan_json_writer *w, json_t *object, const char *key, double seconds);
/* "machine": its name, its file, and what was given in place of the file's. */
void tan_report_set_machine(struct tan_json_writer *w, json_t *top,
                            const struct tan_provenance *from);
/* "trustworthy", "doubts" and "notes". */
void tan_report_set_trust(struct tan_json_writer *w, json_t *top, const struct tan_trust *trust);

#endif
