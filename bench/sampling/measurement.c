/* measurement.c - measurement of one cell
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/sampling/measurement.h"

#include <stdlib.h>

const char *const tan_stop_reason_names[STOP_REASONS] = {
    [STOP_PRECISE] = "precise", [STOP_FIXED] = "fixed number",  [STOP_WAVES] = "--max-waves",
    [STOP_TIME] = "--max-time", [STOP_DISTURBED] = "disturbed", [STOP_INTERRUPTED] = "interrupted",
};

void tan_measurement_clear(struct measurement *m)
{
    free(m->round_trips);
    free(m->up);
    free(m->down);
    free(m->late);
    free(m->perf);
    for (int i = 0; i < m->heal.n_recoveries; i++) {
        tan_recovery_clear(&m->heal.recoveries[i]);
    }
    free(m->heal.recoveries);
    free(m->heal.healed);
    tan_leaf_set_clear(&m->heal.leaves);
    *m = (struct measurement){.n = 0};
}

bool tan_measurement_reparented(const struct measurement *m)
{
    double seconds = 0;
    for (int i = 0; i < m->heal.n_recoveries; i++) {
        seconds += tan_recovery_seconds(&m->heal.recoveries[i], STEP_TREE);
    }
    return seconds > 0;
}
