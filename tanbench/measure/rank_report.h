/* rank_report.h - per-rank report sent to the root
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_MEASURE_RANK_REPORT_H
#define TAN_TANBENCH_MEASURE_RANK_REPORT_H

#include "base/error.h"
#include "tanbench/overlay/stream.h"
#include "tanbench/ranks/wait.h"

/* Sent to the root after the last wave. Plain data. */
struct rank_report {
    struct stream_counts counts;
    uint32_t leaf, is_leaf; /* number of this leaf; 1 for leaves */
    /* mode stream: */
    uint32_t closed_waves; /* number of waves in the closed loop, without the warm-up */
    double closed_cpu;     /* CPU seconds during these */
    double cpu;            /* CPU seconds while leaves push */
    double behind, pushed; /* leaf: largest delay behind its schedule; seconds of pushing */
    int64_t growth;        /* bytes by which memory grew while pushing */
};

/* Rank 0: collect the reports that ranks 1 to `ranks` - 1 send on the channel of `side`. all[0] is
 * the caller's. */
int rank_report_gather(struct waiter *side, struct rank_report *all, int ranks,
                       struct tan_error *e);

#endif
