/* results_failures.c - results of the mode failures, as JSON and tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results_modes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/table.h"
#include "base/text.h"
#include "tanbench/results/members.h"
#include "tanbench/results/results.h"

/* --- JSON --- */

static double sum_of(const double *seconds)
{
    return seconds[STEP_NOTICE] + seconds[STEP_REPARENT] + seconds[STEP_RESEND];
}

static void set_recovery(struct tan_json_writer *w, json_t *o, const struct recovery *r)
{
    tan_members_set(w, o, tan_recovery_members, r);
    json_t *measured = tan_json_set_object(w, o, "measured_us");
    tan_members_set(w, measured, tan_step_members, r);
    tan_json_set_us(w, measured, "recovery", sum_of(r->seconds));
}

/* Waves on the healed tree. */
static void set_healed(struct tan_json_writer *w, json_t *o, const struct result *result)
{
    const struct heal_result *heal = &result->waves.heal;
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_summary s;
    if (heal->n_healed == 0) {
        return;
    }
    if (tan_results_summarize_healed(result, &s, &ignored) < 0) {
        w->failed = true;
        return;
    }
    tan_json_set_int(w, o, "n", (json_int_t)heal->n_healed);
    tan_results_set_summary(w, tan_json_set_object(w, o, "wave_us"), &s, half(1));
    tan_results_set_samples(w, o, "samples_us", heal->healed, heal->n_healed);
}

void tan_recoveries_set(struct tan_json_writer *w, json_t *cell, const struct results *r,
                        const struct result *result)
{
    const struct settings *s = &r->plan->settings;
    char fail[40];
    const struct heal_result *heal = &result->waves.heal;
    json_t *o = tan_json_set_object(w, cell, "failures");
    tan_json_set_string(w, o, "fail", tan_failure_format(&s->failure, fail, sizeof fail));
    json_t *recoveries = tan_json_set_array(w, o, "recoveries");
    for (int i = 0; i < heal->n_recoveries; i++) {
        set_recovery(w, tan_json_append_object(w, recoveries), &heal->recoveries[i]);
    }
    set_healed(w, tan_json_set_object(w, o, "healed"), result);
}

/* --- the table --- */

/* Median, over the passes, of a step's time. */
static double median_of(const struct heal_result *heal, int step)
{
    double *seconds = malloc((size_t)heal->n_recoveries * sizeof *seconds);
    double median = 0;
    if (seconds != NULL) {
        for (int i = 0; i < heal->n_recoveries; i++) {
            seconds[i] = heal->recoveries[i].seconds[step];
        }
        median = tan_results_median(seconds, (size_t)heal->n_recoveries);
    }
    free(seconds);
    return median;
}

/* A time, or "-" where there is none. */
static void print_time(struct tan_table *table, double seconds)
{
    if (seconds != 0) {
        tan_results_print_time(table, seconds, 0);
    } else {
        tan_table_cell(table, "-");
    }
}

static void print_cell(struct tan_table *table, const struct results *r,
                       const struct result *result)
{
    const struct heal_result *heal = &result->waves.heal;
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_summary after = {.median = 0};
    double seconds[STEPS] = {0};
    for (int step = 0; heal->n_recoveries > 0 && step < STEPS; step++) {
        seconds[step] = median_of(heal, step);
    }
    if (heal->n_healed > 0 && tan_results_summarize_healed(result, &after, &ignored) < 0) {
        after.median = 0;
    }
    tan_results_print_topology(table, result);
    tan_table_cell(table, "%" PRId32, r->plan->settings.failure.wave);
    tan_results_print_time(table, half(result->round_trip.median), 0);
    for (int step = 0; step < STEPS; step++) {
        print_time(table, seconds[step]);
    }
    print_time(table, sum_of(seconds));
    print_time(table, half(after.median));
    tan_table_end_row(table);
}

/* Which process was given up in the first pass, by whom, after how many seconds. */
static void print_recovery(const struct result *result, FILE *to)
{
    const struct recovery *recovery = &result->waves.heal.recoveries[0];
    char text[1000];
    snprintf(text, sizeof text,
             "%s, wave %" PRId32 "%s: process %" PRId32 " was given up by process %" PRId32
             " after %.4g ms (%.0f x %d ms); %" PRId32 " of %" PRId32
             " leaves had answered by then, %" PRId32 " are in the result",
             result->cell->spec, recovery->wave, result->n_parts > 1 ? ", first pass" : "",
             recovery->node, recovery->parent, recovery->waited * 1e3,
             recovery->deadline / FAIL_SECONDS, FAIL_SECONDS * 1000, recovery->noticed,
             result->cell->leaves, recovery->recovered);
    tan_text_wrap(to, text, 0, 2);
}

void tan_results_print_failures(const struct results *r, FILE *to)
{
    static const char *const headings[] = {"<topology",   "wave",      "before us",   "notice us",
                                           "reparent us", "resend us", "recovery us", "after us"};
    struct tan_table *table = tan_table_create(headings, sizeof headings / sizeof *headings);
    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = tan_results_at(r, order);
        if (result != NULL) {
            print_cell(table, r, result);
        }
    }
    tan_table_print(table, to);
    tan_text_say(to,
                 "\nbefore, after: half round trips of waves before and after the failure; notice: "
                 "until the root knows who is silent, after a second for each level below the "
                 "parent of the silent process; reparent: until every process has its new "
                 "parent; resend: until the leaves missing are in the result. Process 0 is the "
                 "root.");
    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = tan_results_at(r, order);
        if (result != NULL && result->waves.heal.n_recoveries > 0) {
            print_recovery(result, to);
        }
    }
}
