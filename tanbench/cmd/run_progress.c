/* run_progress.c - progress of a run: estimate, line on stderr, and point reached
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/cmd/run_progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "bench/plan/duration.h"
#include "tanbench/host/progress.h"
#include "tanbench/launch/launch.h"

void run_progress_begin(struct run_progress *p, const struct options *options,
                        const struct plan *plan, const struct results *results, int ranks)
{
    const int passes = (int)plan->settings.passes;
    const int launches = (int)options->launches - launch_number();
    char text[160] = "";
    char most[32];

    *p = (struct run_progress){.total = tan_plan_all_visits(plan), .begin = clock_seconds()};
    p->shown = p->begin;
    for (int i = 0; i < plan->n_cells; i++) {
        for (int pass = 0; pass < tan_plan_visits(plan, &plan->cells[i]); pass++) {
            p->done += tan_results_has(results, i, launch_number(), pass);
        }
    }
    if (options->quiet || launch_number() > 0 || p->done == p->total) {
        return;
    }
    if (passes > 1) {
        snprintf(text, sizeof text, " in %d passes", passes);
    }
    if (launches > 1) {
        snprintf(text + strlen(text), sizeof text - strlen(text), " in %d launches", launches);
    }
    if (p->done > 0) {
        snprintf(text + strlen(text), sizeof text - strlen(text), ", %d of %d measured before",
                 p->done, p->total);
    }
    const double left = (double)p->total * launches - p->done;
    fprintf(stderr, "%d topolog%s on %d ranks%s: up to %s\n", plan->n_cells,
            plan->n_cells == 1 ? "y" : "ies", ranks, text,
            tan_format_duration(left * tan_plan_visit_seconds(plan), most, sizeof most));
}

void run_progress_show(struct run_progress *p, const struct options *options,
                       const struct plan *plan, int index, int pass)
{
    enum { LINE_SECONDS = 60 };
    const double now = clock_seconds();
    const double left = tan_remaining_seconds(now - p->begin, p->measured, p->total - p->done);
    char round[96] = "";
    char rest[48] = "";

    if (options->quiet) {
        return;
    }
    if (plan->settings.passes > 1) {
        snprintf(round, sizeof round, ", pass %d of %d", pass + 1, (int)plan->settings.passes);
    }
    if (options->launches > 1) {
        snprintf(round + strlen(round), sizeof round - strlen(round), ", launch %d of %d",
                 launch_number() + 1, (int)options->launches);
    }
    if (isfinite(left)) {
        char duration[32];
        snprintf(rest, sizeof rest, ", about %s left",
                 tan_format_duration(left, duration, sizeof duration));
    }
    if (progress_on_terminal()) {
        progress_show("[%d of %d done%s] %.40s%s", p->done, p->total, rest, plan->cells[index].spec,
                      round);
    } else if (now - p->shown >= LINE_SECONDS) {
        p->shown = now;
        fprintf(stderr, "tanbench: %d of %d done%s%s\n", p->done, p->total, rest, round);
    }
}

const char *run_progress_reached(const struct plan *plan, const struct results *results, char *text,
                                 size_t size)
{
    const int passes = (int)plan->settings.passes;
    int visited = 0;
    int all = 0;
    int pass = -1;

    do {
        pass++;
        visited = all = 0;
        for (int i = 0; i < plan->n_cells; i++) {
            if (pass < tan_plan_visits(plan, &plan->cells[i])) {
                all++;
                visited += tan_results_has(results, i, launch_number(), pass);
            }
        }
    } while (visited == all && pass + 1 < passes);
    *text = '\0';
    if (passes > 1) {
        snprintf(text, size, "in pass %d of %d ", pass + 1, passes);
    }
    snprintf(text + strlen(text), size - strlen(text), "after %d of %d topologies", visited, all);
    return text;
}
