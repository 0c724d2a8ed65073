/* duration.c - estimated time of a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/duration.h"

#include <math.h>
#include <stdbool.h>

/* Time of a visit besides its waves: overlay, first waves, a stream's closed loop. */
#define VISIT_SECONDS  0.05
#define CLOSED_SECONDS 0.3

int tan_plan_all_visits(const struct plan *plan)
{
    return plan->n_cells * (int)plan->settings.passes;
}

/* The time limit, and the discarded first waves as if the minimum number of waves just reached it.
 * The time of a fixed number of waves is unknown and left out. */
static double visit_seconds(const struct plan *plan, int i)
{
    const struct settings *s = &plan->settings;
    if (tan_modes[s->mode].pushes) {
        return VISIT_SECONDS + CLOSED_SECONDS + s->duration;
    }
    const bool fixed = tan_plan_fixed_waves(s, &plan->cells[i]) > 0;
    const double discarded = (double)s->warmup / (double)s->min_waves;
    return VISIT_SECONDS + (fixed ? 0 : s->max_seconds * (1 + discarded));
}

double tan_plan_visit_seconds(const struct plan *plan)
{
    double sum = 0;
    for (int i = 0; i < plan->n_cells; i++) {
        sum += visit_seconds(plan, i);
    }
    return plan->n_cells > 0 ? sum / plan->n_cells : 0;
}

double tan_remaining_seconds(double elapsed, double within, int measured, int left, double visit)
{
    const double mean = measured > 0 ? (elapsed - within) / measured : visit;
    return fmax(mean - within, 0.0) + mean * (left - 1);
}

const char *tan_format_end(double seconds, time_t now, char *buffer, size_t size)
{
    const double near = 600;
    const double far = 12 * 3600.0;
    const time_t end = now + (time_t)ceil(seconds);
    struct tm tm;
    buffer[0] = '\0';
    if (localtime_r(&end, &tm) != NULL) {
        strftime(buffer, size,
                 seconds < near  ? "%H:%M:%S"
                 : seconds < far ? "%H:%M"
                                 : "%a %d %b %H:%M",
                 &tm);
    }
    return buffer;
}

const char *tan_format_duration(double seconds, char *buffer, size_t size)
{
    if (seconds < 99.5) {
        snprintf(buffer, size, "%.0f s", ceil(seconds));
    } else if (seconds < 99.5 * 60) {
        snprintf(buffer, size, "%.0f min", ceil(seconds / 60));
    } else {
        snprintf(buffer, size, "%.1f h", seconds / 3600);
    }
    return buffer;
}
