/* results_perf.c - counters of processes, as JSON and tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/results_perf.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/table.h"
#include "bench/plan/mode.h"
#include "bench/results/members.h"
#include "bench/results/predict.h"

/* Whether every process of the tree has counters, and timed some waves. */
static bool has_counts(const struct result *result)
{
    const struct measurement *m = &result->waves;
    return m->perf != NULL && result->tree != NULL && m->n_perf == tan_tree_size(result->tree) &&
           m->perf[0].timed > 0;
}

static int32_t level_of(const struct tan_tree *tree, int32_t node)
{
    int32_t level = 0;
    for (; node > 0; node = tan_tree_parent(tree, node)) {
        level++;
    }
    return level;
}

/* Seconds per timed wave from a request until the answer is about to be sent; for a stream, without
 * waiting. */
static double busy_seconds(const struct perf_totals *p, bool pushes)
{
    const double rest = p->seconds[PERF_FILTER] + p->seconds[PERF_SENDING] + p->seconds[PERF_REST];
    return (rest + p->seconds[pushes ? PERF_ANSWERING : PERF_WAITING]) / (double)p->timed;
}

static int32_t slowest_child(const struct result *result, int32_t node)
{
    const int32_t *child = tan_tree_children(result->tree, node);
    int32_t slowest = -1;
    for (int32_t i = 0; i < tan_tree_fanout(result->tree, node); i++) {
        const struct perf_totals *perf = result->waves.perf;
        if (slowest < 0 ||
            busy_seconds(&perf[child[i]], false) > busy_seconds(&perf[slowest], false)) {
            slowest = child[i];
        }
    }
    return slowest;
}

double tan_perf_level(const struct results *r, const struct result *result, int32_t level)
{
    const struct perf_totals *perf = result->waves.perf;
    int32_t node = 0;
    double most = NAN;
    if (tan_modes[r->plan->settings.mode].pushes) {
        for (int i = 0; i < result->waves.n_perf; i++) {
            if (level_of(result->tree, i) == level) {
                most = fmax(most, busy_seconds(&perf[i], true));
            }
        }
        return most;
    }
    for (int32_t i = 0; i < level && node >= 0; i++) {
        node = slowest_child(result, node);
    }
    if (node < 0) {
        return NAN;
    }
    const int32_t next = slowest_child(result, node);
    return half(busy_seconds(&perf[node], false) -
                (next < 0 ? 0 : busy_seconds(&perf[next], false)));
}

void tan_perf_set_json(struct tan_json_writer *w, json_t *cell, const struct results *r,
                       const struct result *result)
{
    if (!has_counts(result)) {
        return;
    }
    json_t *processes = tan_json_set_array(w, cell, "perf");
    for (int i = 0; i < result->waves.n_perf; i++) {
        const struct perf_totals *p = &result->waves.perf[i];
        json_t *o = tan_json_append_object(w, processes);
        tan_json_set_int(w, o, "node", i);
        tan_json_set_int(w, o, "level", level_of(result->tree, i));
        tan_members_set(w, o, tan_perf_members, p);
    }
    json_t *levels = tan_json_set_array(w, cell, "perf_levels");
    for (int32_t level = 0; level <= tan_tree_height(result->tree); level++) {
        const double predicted = tan_predict_level(r, result, &tan_models[TAN_MODEL_TAN], level);
        json_t *o = tan_json_append_object(w, levels);
        tan_json_set_int(w, o, "level", level);
        tan_json_set_us(w, o, "measured_us", tan_perf_level(r, result, level));
        tan_json_set_us(w, o, "predicted_us", predicted);
    }
}

static void print_time(struct tan_table *table, double seconds)
{
    if (isfinite(seconds)) {
        tan_table_cell(table, "%.2f", seconds * 1e6);
    } else {
        tan_table_cell(table, "-");
    }
}

/* Means per wave and process. */
static void print_level(struct tan_table *table, const struct results *r,
                        const struct result *result, int32_t level)
{
    struct perf_totals all = {.waves = 0};
    int processes = 0;
    for (int i = 0; i < result->waves.n_perf; i++) {
        if (level_of(result->tree, i) == level) {
            perf_join(&all, &result->waves.perf[i]);
            processes++;
        }
    }
    const double waves = (double)all.waves;
    const double timed = (double)all.timed;
    tan_table_cell(table, "%d", level);
    tan_table_cell(table, "%d", processes);
    tan_table_cell(table, "%.3g/%.3g", (double)all.packets_in / waves,
                   (double)all.packets_out / waves);
    tan_table_cell(table, "%.0f/%.0f", (double)all.bytes_in / waves, (double)all.bytes_out / waves);
    print_time(table, all.seconds[PERF_FILTER] / timed);
    print_time(table, all.seconds[PERF_WAITING] / timed);
    print_time(table, (all.seconds[PERF_SENDING] + all.seconds[PERF_ANSWERING]) / timed);
    print_time(table, all.seconds[PERF_REST] / timed);
    print_time(table, all.seconds[PERF_IDLE] / timed);
    print_time(table, all.cpu / waves);
    print_time(table, tan_perf_level(r, result, level));
    if (tan_predict_knows(r, &tan_models[TAN_MODEL_TAN])) {
        print_time(table, tan_predict_level(r, result, &tan_models[TAN_MODEL_TAN], level));
    }
}

/* The heading of a tree's table: the number of waves, and the root's time per wave except idle. */
static void print_waves(const struct results *r, const struct result *result, FILE *to)
{
    const struct measurement *m = &result->waves;
    const struct perf_totals *root = &m->perf[0];
    const int64_t dropped = (int64_t)root->waves - (int64_t)m->n * m->batch;
    const bool pushes = tan_modes[r->plan->settings.mode].pushes;
    fprintf(to, "\n%s, %" PRIu64 " waves of %.2f us", result->cell->spec, root->waves,
            busy_seconds(root, false) * 1e6);
    if (!pushes) {
        fprintf(to, " (%" PRIu64 " timed", root->timed);
        if (dropped > 0) {
            fprintf(to, ", %" PRId64 " not kept", dropped);
        }
        fprintf(to, ")");
    }
    fprintf(to, ": means per wave and process\n\n");
}

static void print_tree(const struct results *r, const struct result *result, FILE *to)
{
    static const char *const headings[] = {
        "level",       "processes", "packets\nin/out", "bytes\nin/out", "filter\nus", "waiting\nus",
        "sending\nus", "rest\nus",  "idle\nus",        "CPU\nus",       "level\nus",  "TAN\nus",
    };
    const int columns = sizeof headings / sizeof *headings;
    const bool predicts = tan_predict_knows(r, &tan_models[TAN_MODEL_TAN]);
    struct tan_table *table = tan_table_create(headings, predicts ? columns : columns - 1);
    for (int32_t level = 0; level <= tan_tree_height(result->tree); level++) {
        print_level(table, r, result, level);
    }
    print_waves(r, result, to);
    tan_table_print(table, to);
    tan_table_destroy(table);
}

void tan_perf_print(const struct results *r, FILE *to)
{
    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = tan_results_at(r, order);
        if (result != NULL && has_counts(result)) {
            print_tree(r, result, to);
        }
    }
}
