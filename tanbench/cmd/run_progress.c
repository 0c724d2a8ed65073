/* run_progress.c - progress of a run: estimate, line on stderr, and point reached
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/cmd/run_progress.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json_writer.h"
#include "base/text.h"
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
    if (options->quiet || options->progress == PROGRESS_JSON || launch_number() > 0 ||
        p->done == p->total) {
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

    if (options->quiet || options->progress == PROGRESS_JSON) {
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
        progress_show("[%d of %d done%s] %s%.40s%s", p->done, p->total, rest, p->picture,
                      plan->cells[index].spec, round);
    } else if (now - p->shown >= LINE_SECONDS) {
        p->shown = now;
        fprintf(stderr, "tanbench: %d of %d done%s%s\n", p->done, p->total, rest, round);
    }
}

/* Of waves, which are half round trips; of streams, of the latency of results. */
static double median_of(const struct plan *plan, const struct measurement *waves)
{
    const double share = plan->settings.mode == MODE_STREAM ? 1.0 : 0.5;
    double *sorted = malloc(waves->n * sizeof *sorted);
    if (sorted == NULL) {
        return NAN;
    }
    memcpy(sorted, waves->round_trips, waves->n * sizeof *sorted);
    gsl_sort(sorted, 1, waves->n);
    const double median = gsl_stats_median_from_sorted_data(sorted, 1, waves->n);
    free(sorted);
    return median * share;
}

/* One line, whole, so that readers never see half of an object. */
static void print_json(const struct run_progress *p, const char *spec, int pass, double left,
                       size_t waves, double median)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_int(&w, top, "done", p->done);
    tan_json_set_int(&w, top, "total", p->total);
    if (isfinite(left)) {
        tan_json_set_real(&w, top, "seconds_left", left);
    }
    tan_json_set_string(&w, top, "topo", spec);
    tan_json_set_int(&w, top, "pass", pass + 1);
    tan_json_set_int(&w, top, "launch", launch_number() + 1);
    tan_json_set_int(&w, top, "waves", (json_int_t)waves);
    if (isfinite(median)) {
        tan_json_set_real(&w, top, "median_us", median * 1e6);
    }
    json_t *done = tan_json_finish(&w, top);
    char *text = done == NULL ? NULL : json_dumps(done, JSON_COMPACT | JSON_REAL_PRECISION(6));
    if (text != NULL) {
        fprintf(stderr, "%s\n", text);
    }
    free(text);
    json_decref(done);
}

void run_progress_visited(struct run_progress *p, const struct options *options,
                          const struct plan *plan, int index, int pass,
                          const struct measurement *waves)
{
    enum { PLACES = 12 };
    const double median = waves->n > 0 ? median_of(plan, waves) : NAN;
    char picture[TAN_SPARKLINE(PLACES)];
    char time[24];
    p->done++;
    p->measured++;
    if (options->quiet) {
        return;
    }
    if (options->progress == PROGRESS_JSON) {
        print_json(
            p, plan->cells[index].spec, pass,
            tan_remaining_seconds(clock_seconds() - p->begin, p->measured, p->total - p->done),
            waves->n, median);
    } else if (isfinite(median)) {
        tan_text_sparkline(waves->round_trips, waves->n, PLACES, picture);
        snprintf(time, sizeof time, "%.4g us", median * 1e6);
        snprintf(p->picture, sizeof p->picture, "%s %s, now ", picture, time);
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
