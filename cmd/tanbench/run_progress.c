/* run_progress.c - progress of a run: estimate, line on stderr, and final position
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tanbench/run_progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "tanbench/host/progress.h"
#include "tanbench/launch/launch.h"
#include "tanbench/plan/duration.h"

enum { LINE_SECONDS = 60 }; /* between permanent lines */

void run_progress_begin(struct run_progress *p, const struct options *options,
                        const struct plan *plan, const struct results *results, int ranks)
{
    const int passes = (int)plan->settings.passes;
    const int launches = (int)options->start.launches - launch_number();
    char text[160] = "";
    char most[80];
    *p = (struct run_progress){.options = options,
                               .plan = plan,
                               .total = tan_plan_all_visits(plan),
                               .begin = tan_clock_seconds()};
    p->shown = p->begin;
    for (int i = 0; i < plan->n_cells; i++) {
        for (int pass = 0; pass < passes; pass++) {
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
    fprintf(stderr, "%d topolog%s on %d ranks%s", plan->n_cells, plan->n_cells == 1 ? "y" : "ies",
            ranks, text);
    if (options->simulation.platform == NULL) {
        fprintf(stderr, ": %s", tan_plan_describe_duration(plan, left, most, sizeof most));
    }
    putc('\n', stderr);
}

/* Estimated seconds left, in this launch and the following ones. */
static double seconds_left(const struct run_progress *p)
{
    const int later = (int)p->options->start.launches - launch_number() - 1;
    const int left = p->total - p->done + (later > 0 ? later * p->total : 0);
    return tan_remaining_seconds(tan_clock_seconds() - p->begin, p->measured, left,
                                 tan_plan_visit_seconds(p->plan));
}

/* "3 of 8 done, about 40 s left, until 14:32:05". */
static void describe_progress(const struct run_progress *p, char *text, size_t size)
{
    const double left = seconds_left(p);
    char duration[32];
    char end[32];
    snprintf(text, size, "%d of %d done, %s %s left, until %s", p->done, p->total,
             p->measured > 0 ? "about" : "up to",
             tan_format_duration(left, duration, sizeof duration),
             tan_format_end(left, time(NULL), end, sizeof end));
}

/* ", pass 2 of 7, launch 1 of 3" */
static void describe_round(const struct run_progress *p, int pass, char *text, size_t size)
{
    const int passes = (int)p->plan->settings.passes;
    text[0] = '\0';
    if (passes > 1) {
        snprintf(text, size, ", pass %d of %d", pass + 1, passes);
    }
    if (p->options->start.launches > 1) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, ", launch %d of %d", launch_number() + 1,
                 (int)p->options->start.launches);
    }
}

void run_progress_show(struct run_progress *p, int index, int pass)
{
    const double now = tan_clock_seconds();
    char far[128];
    char round[96];
    if (p->options->quiet) {
        return;
    }
    describe_progress(p, far, sizeof far);
    describe_round(p, pass, round, sizeof round);
    if (progress_on_terminal()) {
        progress_show("[%s] %.40s%s", far, p->plan->cells[index].spec, round);
    } else if (now - p->shown >= LINE_SECONDS) {
        p->shown = now;
        fprintf(stderr, "tanbench: %s%s\n", far, round);
    }
}

void run_progress_visited(struct run_progress *p)
{
    p->done++;
    p->measured++;
}

const char *run_progress_reached(const struct plan *plan, const struct results *results, char *text,
                                 size_t size)
{
    const int passes = (int)plan->settings.passes;
    int visited = 0;
    int pass = -1;
    do {
        pass++;
        visited = 0;
        for (int i = 0; i < plan->n_cells; i++) {
            visited += tan_results_has(results, i, launch_number(), pass);
        }
    } while (visited == plan->n_cells && pass + 1 < passes);
    *text = '\0';
    if (passes > 1) {
        snprintf(text, size, "in pass %d of %d ", pass + 1, passes);
    }
    snprintf(text + strlen(text), size - strlen(text), "after %d of %d topologies", visited,
             plan->n_cells);
    return text;
}
