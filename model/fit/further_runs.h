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
    /* Half the width of a coefficient's 95 % interval: with the fit's cells, and after each of the
     * `n` runs. NaN: not identifiable. */
    double half[1 + TAN_FURTHER_RUNS][TAN_MAX_COLUMNS];
};

/* Choose runs among `n` candidates, whose times are not used, one after the other (A-optimal
 * design): the next one is that which reduces the sum of the wanted coefficients' variances most.
 * Each variance is relative to a unit: the coefficient's value or, if larger, the value that would
 * make it half of the time of some candidate. A coefficient is certain if its interval reaches no
 * more than a tenth of the unit to either side. A candidate's time is predicted by the fit, and is
 * assumed to scatter like the fitted cells. Stops when all coefficients are certain, or if no run
 * reduces the sum by a tenth. O(n columns^2). */
void tan_further_runs(const struct tan_path_fit *fit, const bool wanted[TAN_MAX_COLUMNS],
                      const struct tan_path_cell *candidates, size_t n,
                      struct tan_further_runs *out);

#endif
