/* sampling.h - number of waves needed for a cell, and clocks to time them with
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_SAMPLING_SAMPLING_H
#define TAN_TANBENCH_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/plan/plan.h"
#include "tanbench/sampling/clock_model.h"

/* --- measurement of one cell --- */

/* Counters of a stream; plain data. */
struct flow_result {
    uint64_t sent, received; /* packets of leaves */
    uint64_t waves;          /* results at the root that include all leaves */
    uint64_t partial;        /* results that include fewer leaves */
    uint32_t queue_high;     /* largest number of packets waiting in a process */
    uint32_t window;         /* of every link; 0: no stream */
};

/* Mode stream; plain data, times in seconds. */
struct stream_result {
    double asked;               /* requested waves per second; 0: as fast as possible */
    double duration;            /* time during which leaves push */
    double rate;                /* waves per second at the root: leaves' packets / leaves */
    double rate_low, rate_high; /* 95 % interval of the median over slices of the time; low > high
                                   if there are too few */
    double closed;              /* median round trip of the preceding closed loop */
    double behind;              /* largest delay of a leaf's sends behind its schedule */
    double blocked;             /* mean share of the time that leaves waited for the tree */
    uint64_t latencies;         /* number of timed results, of which a sample is kept */
    double latency_max;
};

/* Parts of a recovery, one after the other. */
enum recovery_step {
    STEP_NOTICE,   /* the request and the answers, until the silent process was given up */
    STEP_REPARENT, /* every process gets its new parent, and says so */
    STEP_RESEND,   /* the request for the leaves missing, through the new parents */
    STEPS
};

/* A wave in which a process failed; plain data, times in seconds. */
struct recovery {
    int32_t wave;
    int32_t node, parent;  /* which was given up, and by which other one */
    double deadline;       /* time that it had to answer */
    double waited;         /* time after which it was given up */
    int32_t noticed;       /* leaves in the result by then */
    int32_t recovered;     /* and in the end */
    double seconds[STEPS]; /* 0: not needed */
};

/* Mode failures. */
struct heal_result {
    struct recovery *recoveries; /* one for each part of the measurement that got so far; owned */
    int n_recoveries;
    double *healed; /* round trips on the healed tree, seconds; owned */
    size_t n_healed;
};

/* Why sampling of a cell ended. */
enum stop_reason {
    STOP_PRECISE,     /* the median's interval is narrow enough */
    STOP_FIXED,       /* the number of waves was given */
    STOP_WAVES,       /* --max-waves */
    STOP_TIME,        /* --max-time */
    STOP_DISTURBED,   /* interference lasted too long to wait for more undisturbed waves */
    STOP_INTERRUPTED, /* a signal, or an error: fewer waves than requested */
    STOP_REASONS
};
extern const char *const tan_stop_reason_names[STOP_REASONS]; /* "precise", ... */

/* The kept waves of one cell. */
struct measurement {
    double *round_trips; /* seconds, in the order of measurement; `n` entries; owned */
    size_t n;
    int64_t batch;    /* waves per entry, which is their mean; 1 unless waves are very short */
    int64_t warmup;   /* waves discarded before them */
    int64_t excluded; /* waves excluded because of interference */
    bool disturbed;   /* there was interference, but too few quiet waves to exclude the others */
    enum stop_reason stopped;
    /* Mode oneway, or NULL: the ways up and down of each round trip, and how long after the agreed
     * instant the last leaf sent; owned. */
    double *up, *down, *late;
    struct flow_result flow;     /* mode stream */
    struct stream_result stream; /* mode stream: round_trips are then latencies of results */
    struct heal_result heal;     /* mode failures: round_trips are those before the failure */
    struct clock_quality clocks; /* if clocks were compared */
    double period; /* seconds per wave, from the start of the first to the end of the last */
};

void tan_measurement_clear(struct measurement *m);

/* --- sampling --- */

/* Both in seconds. */
struct timer {
    double cost;       /* of one reading */
    double resolution; /* smallest difference between two distinct readings */
};

/* Measure the clock's cost and resolution by ten thousand readings, in less than a millisecond. */
struct timer tan_timer_calibrate(void);

/* Number of waves to time together so that reading the clock costs at most 5 % and they last at
 * least ten ticks of the clock (Hoefler and Belli, SC'15): 1 unless a wave of `seconds` is very
 * short. */
int64_t tan_timer_batch(const struct timer *timer, double seconds);

/* Time `waves` consecutive waves: *seconds from the start of the first to the end of the last. */
typedef int sample_fn(void *context, int64_t waves, double *seconds, struct tan_error *e);

/* Callbacks of sampling. */
struct sampling_ops {
    sample_fn *sample;
    /* Whether other programs are using the cores; NULL: unknown. */
    bool (*disturbed)(void *context);
    bool (*stopped)(void); /* whether the user wants it to end */
    double (*now)(void);   /* seconds since a fixed moment; NULL: tan_clock_seconds */
    void *context;         /* for `sample` and `disturbed` */
};

/* Discard the warm-up, which determines how many waves are timed together (tan_timer_batch; 1 if
 * `timer` is NULL). Then keep samples until `settings` (or cell->waves) are satisfied. With
 * ops->disturbed, only waves without interference are kept, unless collecting them takes twice as
 * long as collecting any waves, or longer than the settings allow. On an error `m` keeps the
 * samples so far, with STOP_INTERRUPTED. During sampling m->n is the number of samples since the
 * warm-up. The caller clears `m` in any case. */
int tan_sampling_run(const struct settings *settings, const struct cell *cell,
                     const struct timer *timer, const struct sampling_ops *ops,
                     struct measurement *m, struct tan_error *e);

#endif
