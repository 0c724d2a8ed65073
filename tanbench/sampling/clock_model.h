/* clock_model.h - linear model of a rank's clock against the root's, with its uncertainty
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_SAMPLING_CLOCK_MODEL_H
#define TAN_TANBENCH_SAMPLING_CLOCK_MODEL_H

#include <stdbool.h>

/* This host's clock (CLOCK_MONOTONIC), shared by its ranks. For tests,
 * TANBENCH_SKEW_CLOCK=SECONDS:PPM makes the clock of host number h run h * SECONDS ahead and h *
 * PPM parts per million too fast. */
struct local_clock {
    double ahead, rate; /* shows real * (1 + rate) + ahead */
};
struct local_clock tan_local_clock_of(int host_index);
/* The clock's current time, and the real time (tan_clock_seconds) at which it shows `local`. */
double tan_local_clock_now(const struct local_clock *c);
double tan_local_clock_real(const struct local_clock *c, double local);

/* One exchange with the root: its clock before and after, the other's in between. */
struct clock_reading {
    double sent, answered, received;
};

/* offset(t) = offset + drift * (t - reference), with t on the local clock; local = root's + offset.
 * All zero: identical to the root's clock. */
struct clock_model {
    double reference, offset, drift;
};
/* The root's time when the local clock shows `local`, and the reverse. */
double tan_clock_to_root(const struct clock_model *m, double local);
double tan_clock_from_root(const struct clock_model *m, double root);

/* A rank's clock, and its model against the root's. */
struct rank_clock {
    struct local_clock local;
    struct clock_model model;
};
/* The current time on the root's clock, by the model. */
double tan_rank_clock_now(const struct rank_clock *c);
/* Sleep until the root's clock shows `root`; `spin`: poll the clock at the end, if the rank has a
 * core of its own. */
void tan_rank_clock_sleep(const struct rank_clock *c, double root, bool spin);

/* The best reading of each burst of exchanges: the one with the shortest round trip had the least
 * delay, and therefore the smallest asymmetry. The last CLOCK_POINTS bursts are kept. */
enum { CLOCK_POINTS = 64 };
struct clock_history {
    int n;
    struct clock_point {
        double at, offset, round_trip; /* `at` on the local clock */
    } points[CLOCK_POINTS];
};
/* `n` >= 1 readings. */
struct clock_point tan_clock_best(const struct clock_reading *readings, int n);
/* Add a point in place of the oldest if there are CLOCK_POINTS. */
void tan_clock_history_add(struct clock_history *h, struct clock_point point);

/* Least squares fit to the points of a history (at least one) with round trips close to the
 * shortest, but at least half of the points; the drift is 0 with fewer than three of them, or if
 * all are of the same time. */
struct clock_model tan_clock_fit(const struct clock_history *h);
/* Distance of a point from the model, in seconds. */
double tan_clock_error(const struct clock_model *m, const struct clock_point *point);
/* The largest tan_clock_error among the points used by tan_clock_fit. Does not include an asymmetry
 * common to all exchanges, which is at most half the shortest round trip. */
double tan_clock_residual(const struct clock_history *h, const struct clock_model *m);
/* The shortest round trip of a history with at least one point. */
double tan_clock_shortest(const struct clock_history *h);

/* Accuracy of the leaves' clocks against the root's, in seconds; plain data. */
struct clock_quality {
    int ranks;       /* compared with the root */
    int shared;      /* those on the root's host, which share its clock */
    double accuracy; /* of clocks that are not shared: the larger of the next two */
    double residual; /* largest distance of an exchange from the line through a rank's exchanges */
    double check;    /* the same for exchanges after the waves, which the fit does not include */
    double shared_off;    /* largest offset measured between ranks that share a clock */
    double offset, drift; /* largest magnitudes among clocks that are not shared */
    double round_trip;    /* maximum of the ranks' shortest exchanges */
};

#endif
