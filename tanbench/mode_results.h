/* mode_results.h - what modes other than waves find out
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_MODE_RESULTS_H
#define TANBENCH_MODE_RESULTS_H

#include <stdint.h>

/* How well the leaves' clocks follow the root's, in seconds; plain data. */
struct clock_quality {
    int ranks;       /* that were compared with the root */
    int shared;      /* of them: on the root's host, whose clock they share */
    double accuracy; /* of the clocks that are not shared: the larger of the next two */
    double residual; /* largest distance of an exchange from the line through a rank's exchanges */
    double check;    /* the same of exchanges after the waves, which that line has not seen */
    double shared_off;    /* largest offset measured between clocks that are one */
    double offset, drift; /* largest of a clock that is not shared */
    double round_trip;    /* longest of the ranks' shortest exchanges */
};

/* What a stream carried; plain data. */
struct flow_result {
    uint64_t sent, received; /* leaves' packets */
    uint64_t waves;          /* results of all leaves at the root */
    uint64_t partial;        /* results of fewer leaves */
    uint64_t late;           /* packets, see gather.h */
    uint32_t queue_high;     /* most packets that waited in a process at a time */
    uint32_t window;         /* of every link; 0: there was no stream */
};

/* --mode timed; plain data, times in seconds. */
struct timed_result {
    double asked;               /* waves per second; 0: as many as the tree takes */
    double duration;            /* of the leaves' pushing */
    double rate;                /* waves per second at the root: leaves' packets / leaves */
    double rate_low, rate_high; /* 95 % interval of the median over slices of the time; low > high:
                                   too few */
    double closed;              /* median round trip of the closed loop before */
    double closed_work;         /* time of cores that a wave of the closed loop takes, all ranks */
    double work;                /* the same while leaves push */
    double bound;       /* waves per second that closed_work allows; 0: not known (ranks poll) */
    double behind;      /* most that a leaf was behind its schedule when it sent */
    double blocked;     /* share of the time that leaves waited for the tree, mean */
    uint64_t latencies; /* results timed; the kept ones are a sample of them */
    double latency_max;
    int64_t growth; /* bytes of memory, most of any process */
};

#endif
