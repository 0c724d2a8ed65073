/* further_runs.h - which runs would narrow a fit's intervals most
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_FURTHER_RUNS_H
#define TAN_MODEL_FIT_FURTHER_RUNS_H

#include "model/fit/path_fit.h"

enum { TAN_FURTHER_RUNS = 3 };

struct tan_further_runs {
    size_t run[TAN_FURTHER_RUNS]; /* indices of candidates, the best first */
    size_t n;                     /* 0: no coefficient is uncertain, or no candidate helps */
    bool uncertain[TAN_MAX_COLUMNS];
    /* Half the width of a coefficient's 95 % interval: now, and with each further run. NaN: not
     * identifiable. */
    double half[1 + TAN_FURTHER_RUNS][TAN_MAX_COLUMNS];
};

/* Choose among `n` candidates, whose times are not used, as an A-optimal design, one run after the
 * other: each is the one that reduces most the sum of the wanted coefficients' variances. Each
 * variance is relative to the coefficient's value, or where that is larger, to the value with which
 * it would be half of the time of some candidate; a coefficient with less than a tenth of that to
 * either side is certain. A candidate's time is predicted by the fit and would scatter like those
 * of the fitted cells. Stops when all are certain, or if no run takes a tenth of that sum away.
 * O(n columns^2). */
void tan_further_runs(const struct tan_path_fit *fit, const bool wanted[TAN_MAX_COLUMNS],
                      const struct tan_path_cell *candidates, size_t n,
                      struct tan_further_runs *out);

#endif
