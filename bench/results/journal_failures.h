/* journal_failures.h - what journal lines keep of failures and recoveries
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_JOURNAL_FAILURES_H
#define TAN_BENCH_RESULTS_JOURNAL_FAILURES_H

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "bench/sampling/measurement.h"

/* Set the line's object "failures", in seconds. */
void tan_journal_set_failures(struct tan_json_writer *w, json_t *line, const struct heal_result *h);
/* Read it back; required. The caller clears *h in any case. */
int tan_journal_read_failures(const struct tan_json_at *line, struct heal_result *h,
                              struct tan_error *e);

#endif
