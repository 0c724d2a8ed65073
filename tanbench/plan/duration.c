/* duration.c - estimated time of a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/duration.h"

#include <math.h>
#include <stdbool.h>

#define VISIT_SECONDS 0.05 /* of a visit besides its waves, such as setting up the overlay */
/* The closed loop before a stream: minimum time, and number of waves. */
#define CLOSED_SECONDS 0.3
enum { CLOSED_WAVES = 20 };

int tan_plan_all_visits(const struct plan *plan)
{
    return plan->n_cells * (int)plan->settings.passes;
}

/* Assumed time of a wave: as long as allows the minimum number within the time limit, but at least
 * the work of all filters on one core. */
static double wave_seconds(const struct plan *plan, int i)
{
    const struct settings *s = &plan->settings;
    const struct cell *cell = &plan->cells[i];
    const bool limited = tan_plan_fixed_waves(s, cell) == 0 && !tan_modes[s->mode].pushes;
    const double work = cell->kind == CELL_TREE ? s->work * (cell->processes - 1) : 0;
    return fmax(limited ? s->max_seconds / (double)s->min_waves : 0, work);
}

static double visit_seconds(const struct plan *plan, int i)
{
    const struct settings *s = &plan->settings;
    const int64_t fixed = tan_plan_fixed_waves(s, &plan->cells[i]);
    const double allowed = fixed > 0 ? 0 : s->max_seconds;
    const double least = (double)(fixed > 0 ? fixed : s->min_waves);
    const double wave = wave_seconds(plan, i);
    const double measured = tan_modes[s->mode].pushes
                                ? fmax(CLOSED_SECONDS, CLOSED_WAVES * wave) + s->duration
                                : fmax(allowed, least * wave);
    /* the last request is not measured either */
    return VISIT_SECONDS + (double)(s->warmup + 1) * wave + measured;
}

double tan_plan_visit_seconds(const struct plan *plan)
{
    double sum = 0;
    for (int i = 0; i < plan->n_cells; i++) {
        sum += visit_seconds(plan, i);
    }
    return plan->n_cells > 0 ? sum / plan->n_cells : 0;
}

struct tan_text tan_plan_describe_duration(const struct plan *plan, double visits)
{
    double wave = 0;
    for (int i = 0; i < plan->n_cells; i++) {
        wave = fmax(wave, wave_seconds(plan, i));
    }
    const struct tan_text most = tan_duration_text(visits * tan_plan_visit_seconds(plan));
    return wave <= 0   ? tan_printed("up to %s", most.text)
           : wave < 10 ? tan_printed("up to %s if no wave takes more than %.2g s", most.text, wave)
                       : tan_printed("up to %s if no wave takes more than %.0f s", most.text, wave);
}

double tan_remaining_seconds(double elapsed, int measured, int left, double visit)
{
    return left * (measured > 0 ? elapsed / measured : visit);
}

struct tan_text tan_duration_text(double seconds)
{
    return seconds < 99.5        ? tan_printed("%.0f s", ceil(seconds))
           : seconds < 99.5 * 60 ? tan_printed("%.0f min", ceil(seconds / 60))
                                 : tan_printed("%.1f h", seconds / 3600);
}
