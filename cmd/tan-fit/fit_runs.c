/* fit_runs.c - further runs that would make a fit more certain
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-fit/fit_runs.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json_writer.h"
#include "base/table.h"
#include "base/units.h"
#include "cmd/tan-fit/fit_trees.h"
#include "design/measured/named_tree.h"

enum {
    NAME = 160,
    MOST_LEAVES = 16384, /* of a candidate, since its tree is built */
    HIGHEST_CHAIN = 64,
};

/* Terms whose intervals are printed. */
static const struct shown {
    enum tan_tree_term term;
    const char *name, *key;
    const char *unit; /* of the interval, if the coefficient is 0 or unknown; else percent */
    double per_second;
} shown[] = {
    {TAN_TREE_HOP, "L + 2a", "hop", "us", 1e6}, {TAN_TREE_CHILD, "b", "b", "us", 1e6},
    {TAN_TREE_GROWTH, "c", "c", "us", 1e6},     {TAN_TREE_WAVE, "C", "C", "us", 1e6},
    {TAN_TREE_BYTE, "B", "byte", "ns/B", 1e9},
};
enum { SHOWN = sizeof shown / sizeof shown[0] };

/* Candidates */

/* A run without its times. */
struct fit_candidate {
    struct tan_wave_group group; /* topology is owned */
    struct tan_tree_paths paths;
};

static bool is_same(const struct tan_wave_group *a, const struct tan_wave_group *b)
{
    return a->bytes == b->bytes && a->fence == b->fence && a->serial == b->serial &&
           strcmp(a->topology, b->topology) == 0;
}

/* Whether a run was measured, or is a candidate already. */
static bool is_known(const struct session *s, const struct tan_wave_group *run)
{
    for (size_t i = 0; i < s->waves.n; i++) {
        if (is_same(&s->waves.group[i], run)) {
            return true;
        }
    }
    for (size_t i = 0; i < s->n_candidates; i++) {
        if (is_same(&s->candidates[i].group, run)) {
            return true;
        }
    }
    return false;
}

/* The most processes of a measured tree: as many can be started. */
static int64_t most_processes(const struct session *s)
{
    int64_t most = 0;
    for (size_t i = 0; i < s->n_trees; i++) {
        const int64_t n = s->trees[i].paths.processes;
        most = n > most ? n : most;
    }
    return most;
}

/* Add a run, unless it is known, no such tree can be built, or it has more processes than any that
 * was measured. */
static int add_candidate(struct session *s, const struct tan_wave_group *run, struct tan_error *e)
{
    struct tan_error no_tree = TAN_ERROR_INIT;
    struct fit_candidate candidate = {.group = *run};
    if (is_known(s, run)) {
        return 0;
    }
    if (fit_trees_paths(s, run, &candidate.paths, &no_tree) < 0) {
        return no_tree.status == TAN_FAILED ? tan_fail(e, "%s", no_tree.text) : 0;
    }
    if (candidate.paths.processes > most_processes(s)) {
        tan_tree_paths_clear(&candidate.paths);
        return 0;
    }
    candidate.group.topology = strdup(run->topology);
    if (candidate.group.topology == NULL || TAN_ONE_MORE(s->candidates, s->n_candidates) < 0) {
        free(candidate.group.topology);
        tan_tree_paths_clear(&candidate.paths);
        return tan_fail_nomem(e);
    }
    s->candidates[s->n_candidates++] = candidate;
    return 0;
}

/* The group with the largest messages. */
static const struct tan_wave_group *largest_group(const struct session *s)
{
    const struct tan_wave_group *largest = &s->waves.group[0];
    for (size_t i = 1; i < s->waves.n; i++) {
        largest = s->waves.group[i].bytes > largest->bytes ? &s->waves.group[i] : largest;
    }
    return largest;
}

/* Add the tree PREFIX followed by N, with the smallest messages and, if sizes differ, with the
 * largest. */
static int add_tree(struct session *s, enum tan_wave_kind kind, const char *prefix, int64_t n,
                    struct tan_error *e)
{
    char name[NAME];
    const struct tan_wave_group *largest = largest_group(s);
    snprintf(name, sizeof name, "%s%" PRId64, prefix, n);
    struct tan_wave_group run = {
        .kind = kind, .topology = name, .size = n, .bytes = s->waves.bytes};
    if (add_candidate(s, &run, e) < 0) {
        return -1;
    }
    run.bytes = largest->bytes;
    run.fence = largest->fence;
    return s->waves.sized ? add_candidate(s, &run, e) : 0;
}

/* The fanouts 2, 3, 4, 6, 8, 12, ... */
static int64_t nth_fanout(int i)
{
    return (int64_t)(2 + i % 2) << (i / 2);
}

/* Sizes of trees. */
struct range {
    int64_t least, most;
};

static void widen_range(struct range *range, int64_t n)
{
    const int64_t size = n < MOST_LEAVES ? n : MOST_LEAVES;
    range->least = size < range->least ? size : range->least;
    range->most = size > range->most ? size : range->most;
}

/* Add the trees PREFIX, VALUE, ":N" for the smallest, a middle and the largest N, with all fanouts
 * below N as VALUE. */
static int add_fanouts(struct session *s, const char *prefix, struct range range,
                       struct tan_error *e)
{
    const int64_t sizes[] = {range.least, (int64_t)sqrt((double)range.least * (double)range.most),
                             range.most};
    int result = 0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; nth_fanout(i) < sizes[k] && result == 0; i++) {
            char with_value[NAME];
            snprintf(with_value, sizeof with_value, "%s%" PRId64 ":", prefix, nth_fanout(i));
            result = add_tree(s, TAN_WAVES_OTHER, with_value, sizes[k], e);
        }
    }
    return result;
}

static int add_shapes(struct session *s, struct tan_error *e)
{
    struct range leaves = {MOST_LEAVES, 2};
    int result = 0;
    for (size_t i = 0; i < s->n_trees; i++) {
        widen_range(&leaves, s->trees[i].paths.leaves);
    }
    leaves.least = leaves.least < 2 ? 2 : leaves.least;
    for (int i = 0; nth_fanout(i) <= leaves.most && result == 0; i++) {
        const int64_t n = nth_fanout(i);
        result = add_tree(s, TAN_WAVES_NTO1, "nto1:", n, e);
        if (n - 1 <= HIGHEST_CHAIN && result == 0) {
            result = add_tree(s, TAN_WAVES_CHAIN, "chain:", n - 1, e);
        }
    }
    return result == 0 ? add_fanouts(s, "kary:", leaves, e) : -1;
}

/* Split "slurm:TreeWidth=16:700" into "slurm:TreeWidth=" and 700; -1 if it has no such numbers. */
static int64_t split_name(const char *name, char prefix[NAME])
{
    const char *colon = strrchr(name, ':');
    size_t length = colon != NULL ? (size_t)(colon - name) : 0;
    while (length > 0 && isdigit((unsigned char)name[length - 1])) {
        length--;
    }
    snprintf(prefix, NAME, "%.*s", (int)length, name);
    return colon != NULL && name + length < colon ? strtoll(colon + 1, NULL, 10) : -1;
}

/* Add candidates for the setting that built a group's tree, with the range of N of all groups with
 * this setting. Does nothing unless the group is the first of them. */
static int add_settings(struct session *s, size_t group, struct tan_error *e)
{
    char prefix[NAME];
    struct range members = {MOST_LEAVES, 2};
    if (split_name(s->waves.group[group].topology, prefix) < 0) {
        return 0;
    }
    for (size_t i = 0; i < s->waves.n; i++) {
        char other[NAME];
        const int64_t n = split_name(s->waves.group[i].topology, other);
        if (n > 0 && strcmp(prefix, other) == 0) {
            if (i < group) {
                return 0;
            }
            widen_range(&members, n);
        }
    }
    return add_fanouts(s, prefix, members, e);
}

/* Whether systems built all trees. */
static bool is_by_systems(const struct session *s)
{
    for (size_t i = 0; i < s->waves.n; i++) {
        const struct tan_wave_group *group = &s->waves.group[i];
        if (group->kind != TAN_WAVES_LATENCY && !tan_named_by_target(group->topology)) {
            return false;
        }
    }
    return true;
}

int fit_runs_find(struct session *s, struct tan_error *e)
{
    const bool systems = is_by_systems(s);
    int result = systems ? 0 : add_shapes(s, e);
    for (size_t i = 0; i < s->waves.n && systems && result == 0; i++) {
        result = add_settings(s, i, e);
    }
    struct tan_path_cell *cells = calloc(s->n_candidates + 1, sizeof *cells);
    if (result < 0 || cells == NULL) {
        free(cells);
        return result < 0 ? -1 : tan_fail_nomem(e);
    }
    for (size_t i = 0; i < s->n_candidates; i++) {
        const struct tan_tree_paths *paths = &s->candidates[i].paths;
        cells[i] = (struct tan_path_cell){.path = paths->row, .n_paths = paths->n};
    }
    bool wanted[TAN_MAX_COLUMNS] = {false};
    for (size_t i = 0; i < SHOWN; i++) {
        wanted[shown[i].term] = shown[i].term != TAN_TREE_BYTE || s->waves.sized;
    }
    tan_further_runs(&s->paths, wanted, cells, s->n_candidates, &s->runs);
    free(cells);
    return 0;
}

void fit_runs_clear(struct session *s)
{
    for (size_t i = 0; i < s->n_candidates; i++) {
        free(s->candidates[i].group.topology);
        tan_tree_paths_clear(&s->candidates[i].paths);
    }
    free(s->candidates);
}

/* Output */

static const double finest = 1e-6; /* of the unit or a percent: smaller widths are printed as 0 */

/* Print half the widths of the intervals after the first `runs` further runs, a cell for each
 * uncertain term. */
static void print_halves(const struct session *s, size_t runs, struct tan_table *table)
{
    char text[32];
    for (size_t i = 0; i < SHOWN; i++) {
        const enum tan_tree_term term = shown[i].term;
        const double value = s->paths.identifiable[term] ? s->paths.value[term] : 0;
        const double half = s->runs.half[runs][term];
        if (!s->runs.uncertain[term]) {
            continue;
        }
        const double scaled = value > 0 ? 100 * half / value : half * shown[i].per_second;
        if (isnan(half)) {
            tan_table_cell(table, "not known");
        } else {
            tan_table_cell(
                table, "+-%s %s",
                scaled < finest ? "0" : tan_format_value(scaled, scaled / 10, text, sizeof text),
                value > 0 ? "%" : shown[i].unit);
        }
    }
}

static void print_name(const struct session *s, size_t run, struct tan_table *table)
{
    const struct tan_wave_group *group = &s->candidates[s->runs.run[run]].group;
    char size[32];
    if (group->fence) {
        tan_table_cell(table, "%s, fence of %s", group->topology,
                       tan_format_size(group->bytes, size, sizeof size));
    } else if (s->waves.sized && !largest_group(s)->fence) {
        tan_table_cell(table, "%s, %s", group->topology,
                       tan_format_size(group->bytes, size, sizeof size));
    } else {
        tan_table_cell(table, "%s%s", group->topology, s->waves.sized ? ", barrier" : "");
    }
}

void fit_runs_print(const struct session *s, FILE *to)
{
    const char *headings[1 + SHOWN] = {"<further run"};
    int columns = 1;
    for (size_t i = 0; i < SHOWN; i++) {
        if (s->runs.uncertain[shown[i].term]) {
            headings[columns++] = shown[i].name;
        }
    }
    if (s->runs.n == 0) {
        return;
    }
    struct tan_table *table = tan_table_create(headings, columns);
    tan_table_cell(table, "none");
    print_halves(s, 0, table);
    for (size_t i = 0; i < s->runs.n; i++) {
        print_name(s, i, table);
        print_halves(s, i + 1, table);
    }
    fputs("\nRuns that would narrow the 95 % intervals most, each with those above it:\n\n", to);
    tan_table_print(table, to);
    tan_table_destroy(table);
}

static void set_halves(struct tan_json_writer *w, json_t *o, const struct session *s, size_t runs)
{
    json_t *half = tan_json_set_object(w, o, "half_width_us");
    for (size_t i = 0; i < SHOWN; i++) {
        const double seconds = s->runs.half[runs][shown[i].term];
        if (s->runs.uncertain[shown[i].term] && !isnan(seconds)) {
            tan_json_set_real(w, half, shown[i].key, seconds * 1e6);
        }
    }
}

static void set_run(struct tan_json_writer *w, json_t *array, const struct session *s, size_t run)
{
    const struct tan_wave_group *group = &s->candidates[s->runs.run[run]].group;
    json_t *row = tan_json_append_object(w, array);
    tan_json_set_string(w, row, "topo", group->topology);
    if (s->waves.sized) {
        tan_json_set_int(w, row, "bytes", (json_int_t)group->bytes);
    }
    if (group->fence) {
        tan_json_set_bool(w, row, "fence", true);
    }
    set_halves(w, row, s, run + 1);
}

json_t *fit_runs_add(const struct session *s, json_t *report)
{
    struct tan_json_writer w = {.failed = report == NULL};
    json_t *further = s->runs.n > 0 ? tan_json_set_object(&w, report, "further_runs") : NULL;
    if (further != NULL) {
        set_halves(&w, further, s, 0);
        json_t *array = tan_json_set_array(&w, further, "runs");
        for (size_t i = 0; i < s->runs.n; i++) {
            set_run(&w, array, s, i);
        }
    }
    return tan_json_finish(&w, report);
}
