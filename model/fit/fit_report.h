/* fit_report.h - text output of fits
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_FIT_REPORT_H
#define TAN_MODEL_FIT_FIT_REPORT_H

#include <stdio.h>

#include "model/fit/fit.h"

/* Print parameters with intervals, notes and R2 of `fit`; next to them the
 * parameters of `other`, a fit of the same waves by the other method (may be NULL). */
void tan_fit_print(const struct tan_fit *fit, const struct tan_fit *other, FILE *to);

/* Print the parameters of a fit of tan-overlap with intervals, and whether o_s and o_r could be
 * exchanged. */
void tan_fit_print_overlap(const struct tan_fit *fit, FILE *to);

/* Print one line: mean, median, extremes and standard deviation of the ping-pong's half round
 * trips, in microseconds. */
void tan_latency_print(const struct tan_latency *latency, FILE *to);

/* Print a histogram of times in seconds as a table in microseconds; adjacent bins are merged into
 * at most 20 rows. */
void tan_histogram_print(const struct tan_histogram *h, FILE *to);

#endif
