/* launches.h - predicting the next launch from the medians of earlier ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_STATS_LAUNCHES_H
#define TAN_MODEL_STATS_LAUNCHES_H

#include <stddef.h>

#include "model/stats/interval.h"

/* Placement of ranks, pages and interrupts differs between launches, so waves within a launch are
 * correlated and say little about another. The unit of observation is therefore the launch, by its
 * median. Ratios of medians are similar across machines, so the medians are modelled as
 * log-normal. */
struct tan_launches {
    size_t n;
    double centre;            /* geometric mean of the medians */
    double spread;            /* standard deviation s of their logarithms */
    struct tan_interval ci95; /* for the centre: exp(mean -+ t sqrt(s^2 / n)) */
    /* Prediction interval for the median of another launch: exp(mean -+ t sqrt(s^2 (1 + 1/n))) */
    struct tan_interval prediction95;
};

/* `mean` is that of the logarithms, t is Student's with n - 1 degrees of freedom. `medians` > 0, n
 * >= 1; for n == 1 the intervals are unknown (low > high) and the spread is 0. */
struct tan_launches tan_launches_judge(const double *medians, size_t n);

#endif
