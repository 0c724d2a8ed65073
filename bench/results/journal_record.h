/* journal_record.h - journal lines of the modes other than waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_JOURNAL_RECORD_H
#define TAN_BENCH_RESULTS_JOURNAL_RECORD_H

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "bench/sampling/sampling.h"

/* Samples of times as an array of microseconds. */
void tan_journal_set_samples(struct tan_json_writer *w, json_t *line, const char *key,
                             const double *seconds, size_t n);
/* Read the required array `key` as malloc'd seconds, each above `above` microseconds; *n entries;
 * with *n SIZE_MAX any number, at least one. */
int tan_journal_read_samples(const struct tan_json_at *line, const char *key, double above,
                             double **seconds, size_t *n, struct tan_error *e);

/* Add the members of `m` to a line, except round trips. */
void tan_journal_set_mode(struct tan_json_writer *w, json_t *line, const struct measurement *m);
/* Read them back into `m`, which has its round trips. `mode`: the run's; its own part is
 * required. */
int tan_journal_read_mode(const struct tan_json_at *line, const char *mode, struct measurement *m,
                          struct tan_error *e);

#endif
