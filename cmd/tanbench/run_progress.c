/* run_progress.c - progress of a run: estimate, line on stderr, and final position
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tanbench/run_progress.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"
#include "tanbench/host/progress.h"
#include "tanbench/launch/launch.h"
#include "tanbench/plan/duration.h"

enum {
    PLACES = 12,       /* in a sparkline of waves */
    LINE_SECONDS = 60, /* between permanent lines */
};

void run_progress_begin(struct run_progress *p, const struct options *options,
                        const struct plan *plan, const struct results *results, int ranks)
{
    const int passes = (int)plan->settings.passes;
    const int launches = (int)options->launches - launch_number();
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

/* Visits left in this launch and the following ones. */
static int visits_left(const struct run_progress *p)
{
    const int later = (int)p->options->launches - launch_number() - 1;
    return p->total - p->done + (later > 0 ? later * p->total : 0);
}

/* Estimated seconds left, `within` seconds into the current visit. */
static double seconds_left(const struct run_progress *p, double within)
{
    const int left = visits_left(p);
    return left == 0 ? 0.0
                     : tan_remaining_seconds(tan_clock_seconds() - p->begin, within, p->measured,
                                             left, tan_plan_visit_seconds(p->plan));
}

/* "3 of 8 done, about 40 s left, until 14:32:05". */
static void describe_progress(const struct run_progress *p, double left, char *text, size_t size)
{
    char duration[32];
    char end[32];
    snprintf(text, size, "%d of %d done, %s %s left, until %s", p->done, p->total,
             p->measured > 0 ? "about" : "up to",
             tan_format_duration(left, duration, sizeof duration),
             tan_format_end(left, time(NULL), end, sizeof end));
}

/* ", pass 2 of 7, launch 1 of 3" */
static void describe_round(const struct run_progress *p, char *text, size_t size)
{
    const int passes = (int)p->plan->settings.passes;
    text[0] = '\0';
    if (passes > 1) {
        snprintf(text, size, ", pass %d of %d", p->pass + 1, passes);
    }
    if (p->options->launches > 1) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, ", launch %d of %d", launch_number() + 1,
                 (int)p->options->launches);
    }
}

/* Print a line that is overwritten on a terminal; elsewhere one line per minute. `left`:
 * seconds. */
static void print_line(struct run_progress *p, double left, const char *before, const char *behind)
{
    const double now = tan_clock_seconds();
    char far[128];
    char round[96];
    describe_progress(p, left, far, sizeof far);
    describe_round(p, round, sizeof round);
    if (progress_on_terminal()) {
        progress_show("[%s] %s%.40s%s%s", far, before, p->plan->cells[p->index].spec, behind,
                      round);
    } else if (now - p->shown >= LINE_SECONDS) {
        p->shown = now;
        fprintf(stderr, "tanbench: %s%s\n", far, round);
    }
}

void run_progress_show(struct run_progress *p, int index, int pass)
{
    p->index = index;
    p->pass = pass;
    p->n_shown = 0;
    p->visit = tan_clock_seconds();
    if (!p->options->quiet) {
        print_line(p, seconds_left(p, 0.0), p->picture, "");
    }
}

/* Share of a sample that is reported: waves take half a round trip, streams all of the latency. */
static double share_of(const struct plan *plan)
{
    return plan->settings.mode == MODE_STREAM ? 1.0 : 0.5;
}

static double median_of(const struct plan *plan, const double *sample, size_t n)
{
    double *sorted = n > 0 ? malloc(n * sizeof *sorted) : NULL;
    if (sorted == NULL) {
        return NAN;
    }
    memcpy(sorted, sample, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    const double median = gsl_stats_median_from_sorted_data(sorted, 1, n);
    free(sorted);
    return median * share_of(plan);
}

/* "(sparkline) 12.34 us"; "" without waves. */
static void describe_waves(const struct plan *plan, const double *sample, size_t n, char *text,
                           size_t size)
{
    char picture[TAN_SPARKLINE(PLACES)];
    const double median = median_of(plan, sample, n);
    text[0] = '\0';
    if (isfinite(median)) {
        tan_text_sparkline(sample, n, PLACES, picture);
        snprintf(text, size, "%s %.4g us", picture, median * 1e6);
    }
}

/* During a visit: show the waves since the last call, and at least PLACES of them. */
static void show_waves(void *context, const double *sample, size_t n)
{
    enum { MOST = 1000 }; /* samples; sorting these takes negligible time */
    struct run_progress *p = context;
    const double left = seconds_left(p, tan_clock_seconds() - p->visit);
    size_t recent = n - p->n_shown;
    recent = recent < PLACES ? PLACES : recent > MOST ? MOST : recent;
    recent = recent > n ? n : recent;
    const double *first = sample + n - recent;
    p->n_shown = n;
    char waves[96];
    char behind[100];
    describe_waves(p->plan, first, recent, waves, sizeof waves);
    snprintf(behind, sizeof behind, " %s", waves);
    print_line(p, left, "", behind);
}

const struct sampling_watch *run_progress_watch(struct run_progress *p)
{
    const double often = 0.5;
    p->watch = (struct sampling_watch){
        .show = show_waves,
        .context = p,
        .interval = progress_on_terminal() ? often : LINE_SECONDS,
    };
    return p->options->quiet ? NULL : &p->watch;
}

void run_progress_visited(struct run_progress *p, const struct measurement *waves)
{
    char text[80];
    p->done++;
    p->measured++;
    if (p->options->quiet) {
        return;
    }
    describe_waves(p->plan, waves->round_trips, waves->n, text, sizeof text);
    if (text[0] != '\0') {
        snprintf(p->picture, sizeof p->picture, "%s, now ", text);
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
            all++;
            visited += tan_results_has(results, i, launch_number(), pass);
        }
    } while (visited == all && pass + 1 < passes);
    *text = '\0';
    if (passes > 1) {
        snprintf(text, size, "in pass %d of %d ", pass + 1, passes);
    }
    snprintf(text + strlen(text), size - strlen(text), "after %d of %d topologies", visited, all);
    return text;
}
