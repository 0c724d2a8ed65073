/* clock_model.h - linear model of a rank's clock against the root's, with its uncertainty
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_SAMPLING_CLOCK_MODEL_H
#define BENCH_SAMPLING_CLOCK_MODEL_H

#include <stdbool.h>

/* This host's clock. Ranks of one host share it (CLOCK_MONOTONIC). For tests,
 * TANBENCH_SKEW_CLOCK=SECONDS:PPM makes the clock of host number h run h * SECONDS ahead and h *
 * PPM parts per million too fast. */
struct local_clock {
    double ahead, rate; /* shows real * (1 + rate) + ahead */
};
struct local_clock tan_local_clock_of(int host_index);
/* The clock's time now, and the real instant (tan_clock_seconds) at which it shows `local`. */
double tan_local_clock_now(const struct local_clock *c);
double tan_local_clock_real(const struct local_clock *c, double local);

/* One exchange with the root: its clock before and after, the other's in between. */
struct clock_reading {
    double sent, answered, received;
};

/* offset(t) = offset + drift * (t - reference), t on the local clock; local = root's + offset. All
 * zero: the root's clock itself. */
struct clock_model {
    double reference, offset, drift;
};
/* The root's clock when the local one shows `local`, and the reverse. */
double tan_clock_to_root(const struct clock_model *m, double local);
double tan_clock_from_root(const struct clock_model *m, double root);

/* A rank's clock, and its model of the root's. */
struct rank_clock {
    struct local_clock local;
    struct clock_model model;
};
double tan_rank_clock_now(const struct rank_clock *c);
/* Sleep until the root's clock shows `root`; `spin`: poll the clock through the last stretch, for
 * ranks with a core of their own. */
void tan_rank_clock_sleep(const struct rank_clock *c, double root, bool spin);

/* The best reading of each burst of exchanges: the one with the shortest round trip was delayed the
 * least, so its asymmetry is the smallest. The last CLOCK_POINTS bursts are kept. */
enum { CLOCK_POINTS = 64 };
struct clock_history {
    int n;
    struct clock_point {
        double at, offset, round_trip; /* `at` on the local clock */
    } points[CLOCK_POINTS];
};
/* `n` >= 1 readings. */
struct clock_point tan_clock_best(const struct clock_reading *readings, int n);
void tan_clock_history_add(struct clock_history *h, struct clock_point point);

/* Least squares through the points of a history (at least one) whose round trip is not far above
 * the shortest, and at least half of them; the drift is 0 until three of them span some time. */
struct clock_model tan_clock_fit(const struct clock_history *h);
/* Distance of a point from the model, in seconds. */
double tan_clock_error(const struct clock_model *m, const struct clock_point *point);
/* The largest tan_clock_error of the points that tan_clock_fit used. Excludes an asymmetry common
 * to all exchanges, which is at most half of the shortest round trip. */
double tan_clock_residual(const struct clock_history *h, const struct clock_model *m);
double tan_clock_shortest(const struct clock_history *h);

/* Accuracy of the leaves' clocks against the root's, in seconds; plain data. */
struct clock_quality {
    int ranks;       /* that were compared with the root */
    int shared;      /* of them: on the root's host, whose clock they share */
    double accuracy; /* of the clocks that are not shared: the larger of the next two */
    double residual; /* largest distance of an exchange from the line through a rank's exchanges */
    double check;    /* the same of exchanges after the waves, which that line does not include */
    double shared_off;    /* largest offset measured between ranks that share a clock */
    double offset, drift; /* largest of a clock that is not shared */
    double round_trip;    /* longest of the ranks' shortest exchanges */
};

#endif
