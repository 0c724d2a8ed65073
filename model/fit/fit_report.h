/* fit_report.h - text that describes a fit
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_FIT_FIT_REPORT_H
#define MODEL_FIT_FIT_REPORT_H

#include <stdio.h>

#include "model/fit/fit.h"
#include "model/fit/overlap_fit.h"

/* Print parameters with intervals, notes, R2 and the growth comparison of `fit`; `other` (may be
 * NULL) is a fit of the same waves by the other method, with its parameters beside. */
void tan_fit_print(const struct tan_fit *fit, const struct tan_fit *other, FILE *to);

/* Parameters with intervals, and what the waves do not tell. */
void tan_overlap_fit_print(const struct tan_overlap_fit *fit, FILE *to);

/* One line on the ping-pong. */
void tan_latency_print(const struct tan_latency *latency, FILE *to);

/* A histogram as text, of times in seconds: some 20 lines, neighbouring bins together. */
void tan_histogram_print(const struct tan_histogram *h, FILE *to);

#endif
