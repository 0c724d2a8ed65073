/* launches.h - prediction of the next launch from the medians of several
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_STATS_LAUNCHES_H
#define MODEL_STATS_LAUNCHES_H

#include <stddef.h>

#include "model/stats/interval.h"

/* The placement of ranks, pages and interrupts differs from launch to launch, so waves of one
 * launch are alike and predict little about another. The unit of observation is the launch: its
 * median. Ratios of medians are similar on all machines, so their logarithms are taken as
 * normal. */
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
