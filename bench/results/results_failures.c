/* results_failures.c - results of the mode failures, as JSON and tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/results_failures.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "bench/results/predict.h"
#include "bench/results/recovery_model.h"
#include "bench/results/summary_output.h"
#include "topo/heal.h"

/* Of relative errors; and leaves named in a line of the terminal. */
enum { DECIMALS = 6, LINE_OF_LEAVES = 100 };

/* --- JSON --- */

static void set_leaves(struct tan_json_writer *w, json_t *o, const char *key,
                       const struct leaf_set *leaves)
{
    json_t *in = tan_json_set_object(w, o, key);
    json_t *ranges = tan_json_set_array(w, in, "ranges");
    tan_json_set_int(w, in, "count", (json_int_t)tan_leaf_set_count(leaves));
    for (size_t i = 0; i < leaves->n; i++) {
        json_t *pair = tan_json_append_array(w, ranges);
        tan_json_append(w, pair, json_integer(leaves->list[i].first));
        tan_json_append(w, pair, json_integer(leaves->list[i].last));
    }
}

/* Deadlines of the processes that recovery number `i` found silent, malloc'd; NULL if memory is
 * short. */
static double *deadlines_of(const struct results *r, const struct result *result, int i)
{
    const struct recovery *recovery = &result->waves.heal.recoveries[i];
    struct damage damage = {.last = NULL};
    double *deadlines = malloc(((size_t)recovery->n_silent + 1) * sizeof *deadlines);
    if (tan_damage_open(&damage, r, result, i) < 0 || deadlines == NULL ||
        tan_recovery_deadlines(r, result, recovery, &damage, deadlines) < 0) {
        free(deadlines);
        deadlines = NULL;
    }
    tan_damage_close(&damage);
    return deadlines;
}

static void set_steps(struct tan_json_writer *w, json_t *o, const struct recovery *recovery,
                      const double *deadlines)
{
    json_t *silent = tan_json_set_array(w, o, "silent");
    json_t *steps = tan_json_set_array(w, o, "steps");
    for (int i = 0; i < recovery->n_silent; i++) {
        const struct silent *found = &recovery->silent[i];
        json_t *process = tan_json_append_object(w, silent);
        tan_json_set_int(w, process, "process", found->node);
        tan_json_set_int(w, process, "parent", found->parent);
        tan_json_set_us(w, process, "deadline_us", deadlines[i]);
        tan_json_set_us(w, process, "waited_us", found->waited);
    }
    for (int i = 0; i < recovery->n_steps; i++) {
        json_t *step = tan_json_append_object(w, steps);
        tan_json_set_string(w, step, "step", tan_recovery_step_names[recovery->steps[i].kind]);
        tan_json_set_int(w, step, "found", recovery->steps[i].found);
        tan_json_set_us(w, step, "us", recovery->steps[i].seconds);
    }
}

/* Times of the steps by kind, and their sum. */
static void set_times(struct tan_json_writer *w, json_t *o, const double *seconds)
{
    double sum = 0;
    for (int kind = 0; kind < STEPS; kind++) {
        tan_json_set_us(w, o, tan_recovery_step_names[kind], seconds[kind]);
        sum += seconds[kind];
    }
    tan_json_set_us(w, o, "recovery", sum);
}

static double sum_of(const double *seconds)
{
    return seconds[STEP_WAVE] + seconds[STEP_TREE] + seconds[STEP_RESEND];
}

/* Recovery number `i`. */
static void set_recovery(struct tan_json_writer *w, json_t *o, const struct results *r,
                         const struct result *result, int i)
{
    const struct recovery *recovery = &result->waves.heal.recoveries[i];
    double seconds[STEPS];
    for (int kind = 0; kind < STEPS; kind++) {
        seconds[kind] = tan_recovery_seconds(recovery, kind);
    }
    tan_json_set_int(w, o, "wave", recovery->wave);
    double *deadlines = deadlines_of(r, result, i);
    if (deadlines == NULL) {
        w->failed = true;
        return;
    }
    set_steps(w, o, recovery, deadlines);
    free(deadlines);
    set_leaves(w, o, "noticed", &recovery->partial);
    set_leaves(w, o, "recovered", &recovery->complete);
    set_times(w, tan_json_set_object(w, o, "measured_us"), seconds);
    json_t *predicted = tan_json_set_object(w, o, "predicted_us");
    json_t *error = tan_json_set_object(w, o, "error");
    for (int m = 0; m < TAN_MODELS; m++) {
        struct damage damage = {.last = NULL};
        double model[STEPS];
        const struct tan_model *row = &tan_models[m];
        if (tan_predict_knows(r, row)) {
            if (tan_damage_open(&damage, r, result, i) < 0 ||
                tan_recovery_predict(r, result, row, recovery, &damage, model) < 0) {
                w->failed = true;
            } else if (isfinite(sum_of(model))) {
                set_times(w, tan_json_set_object(w, predicted, row->name), model);
                tan_json_set_fixed(w, error, row->name, sum_of(model) / sum_of(seconds) - 1,
                                   DECIMALS);
            }
        }
        tan_damage_close(&damage);
    }
}

/* Waves on the healed tree: measured, predicted, and the tree itself. */
static void set_healed(struct tan_json_writer *w, json_t *o, const struct results *r,
                       const struct result *result, const struct damage *damage)
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
    json_t *predicted = tan_json_set_object(w, o, "predicted_us");
    json_t *error = tan_json_set_object(w, o, "error");
    for (int m = 0; m < TAN_MODELS; m++) {
        const double seconds = tan_damage_wave(r, result, &tan_models[m], damage);
        if (isfinite(seconds)) {
            tan_json_set_us(w, predicted, tan_models[m].name, seconds);
            tan_json_set_fixed(w, error, tan_models[m].name, seconds / half(s.median) - 1,
                               DECIMALS);
        }
    }
    tan_results_set_samples(w, o, "samples_us", heal->healed, heal->n_healed);
}

static void set_tree(struct tan_json_writer *w, json_t *o, const struct result *result,
                     const struct damage *damage)
{
    int32_t *numbers = malloc((size_t)tan_tree_size(result->tree) * sizeof *numbers);
    struct tan_tree *tree = numbers != NULL ? tan_damage_tree(result, damage, numbers) : NULL;
    w->failed |= numbers == NULL;
    const int32_t size = tree != NULL ? tan_tree_size(tree) : 0;
    json_t *parents = tan_json_set_array(w, o, "parents");
    json_t *processes = tan_json_set_array(w, o, "processes");
    for (int32_t i = 0; i < size; i++) {
        tan_json_append(w, parents, json_integer(tan_tree_parent(tree, i)));
        tan_json_append(w, processes, json_integer(numbers[i]));
    }
    tan_tree_destroy(tree);
    free(numbers);
}

void tan_recoveries_set(struct tan_json_writer *w, json_t *cell, const struct results *r,
                        const struct result *result)
{
    static const char *const settings[] = {"fail", "heal", "detect_us"};
    const struct heal_result *heal = &result->waves.heal;
    struct damage damage = {.last = NULL};
    json_t *o = tan_json_set_object(w, cell, "failures");
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        tan_settings_write_key(w, o, &r->plan->settings, settings[i]);
    }
    json_t *recoveries = tan_json_set_array(w, o, "recoveries");
    for (int i = 0; i < heal->n_recoveries && !w->failed; i++) {
        set_recovery(w, tan_json_append_object(w, recoveries), r, result, i);
    }
    set_leaves(w, o, "leaves", &heal->leaves);
    if (tan_damage_open(&damage, r, result, heal->n_recoveries) < 0) {
        w->failed = true;
    } else {
        json_t *healed = tan_json_set_object(w, o, "healed");
        set_healed(w, healed, r, result, &damage);
        set_tree(w, healed, result, &damage);
    }
    tan_json_set_int(w, o, "suspected", (json_int_t)heal->suspected);
    tan_json_set_int(w, o, "late", (json_int_t)heal->late);
    tan_json_set_us(w, o, "overrun_us", heal->overrun);
    tan_damage_close(&damage);
}

/* --- the table --- */

/* Median, over the passes, of a time of the recoveries like recoveries[first]: STEPS for all
 * steps. */
static double median_of(const struct heal_result *heal, int first, int kind)
{
    double *seconds = malloc((size_t)heal->n_recoveries * sizeof *seconds);
    size_t n = 0;
    double median = NAN;
    if (seconds != NULL) {
        for (int i = 0; i < heal->n_recoveries; i++) {
            if (heal->recoveries[i].wave == heal->recoveries[first].wave) {
                seconds[n++] = tan_recovery_seconds(&heal->recoveries[i], kind);
            }
        }
        median = tan_results_median(seconds, n);
    }
    free(seconds);
    return median;
}

/* Whether no earlier recovery was of the same wave, in another pass. */
static bool is_first(const struct heal_result *heal, int i)
{
    for (int k = 0; k < i; k++) {
        if (heal->recoveries[k].wave == heal->recoveries[i].wave) {
            return false;
        }
    }
    return true;
}

static void print_steps(struct tan_table *table, const double *seconds)
{
    for (int kind = 0; kind < STEPS; kind++) {
        if (seconds[kind] != 0) {
            tan_results_print_time(table, seconds[kind], 0);
        } else {
            tan_table_cell(table, "-");
        }
    }
    tan_results_print_time(table, sum_of(seconds), 0);
}

/* A row of a model, which continues the one of the measurement. */
static void print_predicted(struct tan_table *table, const struct results *r,
                            const struct result *result, const struct tan_model *model,
                            const struct recovery *recovery, struct damage *damage)
{
    double seconds[STEPS];
    if (tan_recovery_predict(r, result, model, recovery, damage, seconds) < 0 ||
        !isfinite(sum_of(seconds))) {
        return;
    }
    tan_table_cell(table, "  %s", model->name);
    tan_table_cell(table, "%" PRId32, recovery->wave);
    tan_results_print_time(table, tan_predict_wave(r, result, model), 0);
    print_steps(table, seconds);
    const double after = tan_damage_wave(r, result, model, damage);
    if (isfinite(after)) {
        tan_results_print_time(table, after, 0);
    } else {
        tan_table_cell(table, "-");
    }
    tan_table_end_row(table);
}

static void print_models(struct tan_table *table, const struct results *r,
                         const struct result *result, int i)
{
    static const enum tan_model_row shown[] = {TAN_MODEL_TAN, TAN_MODEL_OVERLAP};
    const struct heal_result *heal = &result->waves.heal;
    for (size_t m = 0; m < sizeof shown / sizeof *shown; m++) {
        struct damage damage = {.last = NULL};
        if (tan_predict_knows(r, &tan_models[shown[m]]) &&
            tan_damage_open(&damage, r, result, i) == 0) {
            print_predicted(table, r, result, &tan_models[shown[m]], &heal->recoveries[i], &damage);
        }
        tan_damage_close(&damage);
    }
}

/* The waves after a recovery are those on the tree as it is in the end. */
static void print_after(struct tan_table *table, const struct result *result, bool last)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_summary s;
    if (last && result->waves.heal.n_healed > 0 &&
        tan_results_summarize_healed(result, &s, &ignored) == 0) {
        tan_results_print_time(table, half(s.median), 0);
    } else {
        tan_table_cell(table, "-");
    }
}

static void print_cell(struct tan_table *table, const struct results *r,
                       const struct result *result)
{
    const struct heal_result *heal = &result->waves.heal;
    for (int i = 0; i < heal->n_recoveries; i++) {
        double seconds[STEPS];
        if (!is_first(heal, i)) {
            continue;
        }
        for (int kind = 0; kind < STEPS; kind++) {
            seconds[kind] = median_of(heal, i, kind);
        }
        tan_results_print_topology(table, result);
        tan_table_cell(table, "%" PRId32, heal->recoveries[i].wave);
        tan_results_print_time(table, half(result->round_trip.median), 0);
        print_steps(table, seconds);
        print_after(table, result, i + 1 == heal->n_recoveries || !is_first(heal, i + 1));
        tan_table_end_row(table);
        print_models(table, r, result, i);
    }
    if (heal->n_recoveries == 0) {
        tan_results_print_topology(table, result);
        tan_table_cell(table, "-");
        tan_results_print_time(table, half(result->round_trip.median), 0);
        for (int i = 0; i < STEPS + 2; i++) {
            tan_table_cell(table, "-");
        }
        tan_table_end_row(table);
    }
}

/* Which processes were given up in recovery number `n`, by whom, after how many times --detect. */
static void print_silent(FILE *line, const struct results *r, const struct result *result, int n)
{
    const struct recovery *recovery = &result->waves.heal.recoveries[n];
    double *deadlines = deadlines_of(r, result, n);
    for (int i = 0; i < recovery->n_silent && deadlines != NULL; i++) {
        const struct silent *silent = &recovery->silent[i];
        fprintf(line, "%sprocess %" PRId32 " %s process %" PRId32 " after %.4g ms (%.0f x %.4g ms)",
                i > 0 ? ", " : "", silent->node, i > 0 ? "by" : "was given up by", silent->parent,
                silent->waited * 1e3, deadlines[i] / r->plan->settings.detect,
                r->plan->settings.detect * 1e3);
    }
    free(deadlines);
}

static void print_recovery(const struct results *r, const struct result *result, int n, FILE *to)
{
    const struct recovery *recovery = &result->waves.heal.recoveries[n];
    char leaves[LINE_OF_LEAVES];
    char *text = NULL;
    size_t size;
    FILE *line = open_memstream(&text, &size);
    if (line == NULL) {
        return;
    }
    fprintf(line, "%s, wave %" PRId32 "%s: ", result->cell->spec, recovery->wave,
            result->n_parts > 1 ? ", first pass" : "");
    print_silent(line, r, result, n);
    const uint64_t count = tan_leaf_set_count(&recovery->complete);
    const bool whole = count == (uint64_t)result->cell->leaves;
    fprintf(line, "; %" PRIu64 " of %" PRId32 " leaves had answered by then, ",
            tan_leaf_set_count(&recovery->partial), result->cell->leaves);
    if (whole || count == 0) {
        fprintf(line, "%s",
                whole ? "all are in the result" : "none is in the result: no leaf is left");
    } else {
        fprintf(line, "%" PRIu64 " are in the result: %s", count,
                tan_leaf_set_format(&recovery->complete, leaves, sizeof leaves));
    }
    if (fclose(line) == 0) {
        tan_text_wrap(to, text, 0, 2);
    }
    free(text);
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
    tan_table_destroy(table);
    fprintf(to, "\n");
    tan_text_wrap(to,
                  "before, after: half round trips of waves before the first and after the last "
                  "failure; "
                  "notice: until the root knows who is silent, after --detect for each level below "
                  "the parent of a silent process; reparent: until every process has its new "
                  "parent; resend: until the leaves missing are in the result. Process 0 is the "
                  "root; leaves are numbered by themselves, from 0.",
                  0, 0);
    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = tan_results_at(r, order);
        for (int i = 0; result != NULL && i < result->waves.heal.n_recoveries; i++) {
            if (is_first(&result->waves.heal, i)) {
                print_recovery(r, result, i, to);
            }
        }
    }
}
