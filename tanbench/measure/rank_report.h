/* rank_report.h - per-rank report sent to the root
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_MEASURE_RANK_REPORT_H
#define TANBENCH_MEASURE_RANK_REPORT_H

#include "base/error.h"
#include "bench/sampling/perf.h"
#include "tanbench/overlay/stream.h"
#include "tanbench/ranks/wait.h"

/* Sent after the last wave. Plain data. */
struct rank_report {
    struct stream_counts counts;
    struct perf_totals perf;
    uint32_t leaf, is_leaf; /* its number; 1 for leaves */
    uint32_t closed_waves;
    double closed_cpu;     /* CPU seconds of the closed loop's counted waves */
    double cpu;            /* the same of the pushing */
    double behind, pushed; /* leaf: largest delay to its schedule; seconds of pushing */
    int64_t growth;        /* bytes of memory growth while pushing */
};

/* Ranks other than 0. */
void rank_report_send(struct waiter *side, const struct rank_report *mine);
/* Rank 0: collect those of ranks 1 to `ranks` - 1; all[0] is the caller's. */
int rank_report_gather(struct waiter *side, struct rank_report *all, int ranks,
                       struct tan_error *e);

#endif
