/* measurement.c - measurement of one cell
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/sampling/measurement.h"

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
    free(m->heal.recoveries);
    free(m->heal.healed);
    *m = (struct measurement){.n = 0};
}
