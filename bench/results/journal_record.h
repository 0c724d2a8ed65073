/* journal_record.h - parts of journal lines: samples, and what depends on the mode
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_JOURNAL_RECORD_H
#define TAN_BENCH_RESULTS_JOURNAL_RECORD_H

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "bench/sampling/sampling.h"

/* Set `key` to an array of `n` times in microseconds. */
void tan_journal_set_samples(struct tan_json_writer *w, json_t *line, const char *key,
                             const double *seconds, size_t n);
/* Read the required array `key`, whose numbers must be above `above` microseconds, as *seconds:
 * malloc'd, owned by the caller, maybe set even after a failure. *n: their required number, or
 * SIZE_MAX for any number from 1; gets the number. */
int tan_journal_read_samples(const struct tan_json_at *line, const char *key, double above,
                             double **seconds, size_t *n, struct tan_error *e);

/* Add those members of `m` that only some modes or options set: one-way times, clocks, flow, stream
 * and perf. */
void tan_journal_set_mode(struct tan_json_writer *w, json_t *line, const struct measurement *m);
/* Read them back into `m`, which already has its round trips; one-way times are required if the
 * run's `mode` is "oneway", the stream if it is "stream". */
int tan_journal_read_mode(const struct tan_json_at *line, const char *mode, struct measurement *m,
                          struct tan_error *e);

#endif
