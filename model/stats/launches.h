/* launches.h - what the medians of several launches say about the next one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_STATS_LAUNCHES_H
#define MODEL_STATS_LAUNCHES_H

#include <stddef.h>

#include "model/stats/interval.h"

/* Where ranks, pages and interrupts land differs from launch to launch, so waves of one launch are
 * alike and tell little about another. The unit of observation is the launch: its median. Ratios of
 * medians are what repeats from machine to machine, so their logarithms are taken as normal. */
struct tan_launches {
    size_t n;
    double centre;            /* geometric mean of the medians */
    double spread;            /* standard deviation of their logarithms, about the relative one */
    struct tan_interval ci95; /* of the centre: exp(mean -+ t sqrt(s^2 / n)) */
    struct tan_interval
        next95; /* of one more launch's median: exp(mean -+ t sqrt(s^2 (1 + 1/n))) */
};

/* t: Student's, n - 1 degrees of freedom. `medians` > 0, n >= 1; for n == 1 the intervals are
 * unknown (low > high) and the spread is 0. */
struct tan_launches tan_launches_judge(const double *medians, size_t n);

#endif
