/* plan.c - what a run measures, the same on every rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/plan.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"
#include "topo/spec.h"

static int describe_tree(struct cell *cell, const char *argument, struct tan_tree **tree,
                         struct tan_error *e)
{
    (void)argument;
    *tree = tan_spec_build(cell->spec, e);
    if (*tree == NULL) {
        return -1;
    }
    cell->processes = tan_tree_size(*tree);
    cell->leaves = tan_tree_leaves(*tree);
    cell->height = tan_tree_height(*tree);
    cell->max_fanout = tan_tree_max_fanout(*tree);
    return 0;
}

static int describe_collective(struct cell *cell, const char *argument, struct tan_tree **tree,
                               struct tan_error *e)
{
    int64_t n;
    *tree = NULL;
    if (tan_parse_count("mpi:N", argument != NULL ? argument : "", 2, 1 << 20, &n, e) < 0) {
        return -1;
    }
    cell->processes = (int32_t)n;
    return 0;
}

static int describe_pingpong(struct cell *cell, const char *argument, struct tan_tree **tree,
                             struct tan_error *e)
{
    *tree = NULL;
    if (argument != NULL) {
        return tan_fail_usage(e, "pingpong takes no argument");
    }
    cell->processes = 2;
    return 0;
}

static const struct {
    const char *name; /* NULL: any shape of topo/ */
    const char *syntax, *help;
    int (*describe)(struct cell *, const char *argument, struct tan_tree **, struct tan_error *);
} kinds[CELL_KINDS] = {
    [CELL_TREE] = {NULL, NULL, NULL, describe_tree},
    [CELL_COLLECTIVE] = {"mpi", "mpi:N",
                         "for comparison: MPI_Bcast, then MPI_Reduce (sum) on N ranks",
                         describe_collective},
    [CELL_PINGPONG] = {"pingpong", "pingpong",
                       "for comparison: bare MPI_Send and MPI_Recv between two ranks",
                       describe_pingpong},
};

void tan_plan_help(FILE *to)
{
    for (int k = CELL_TREE + 1; k < CELL_KINDS; k++) {
        tan_text_item(to, kinds[k].syntax, kinds[k].help, TAN_SPEC_COLUMN);
    }
}

static enum cell_kind kind_of(const char *spec)
{
    size_t length = strcspn(spec, ":");
    for (int k = CELL_TREE + 1; k < CELL_KINDS; k++) {
        if (strlen(kinds[k].name) == length && strncmp(spec, kinds[k].name, length) == 0) {
            return (enum cell_kind)k;
        }
    }
    return CELL_TREE;
}

int tan_plan_add(struct plan *plan, const char *spec, struct tan_error *e)
{
    struct cell cell = {.order = plan->n_cells};
    struct tan_tree *tree;
    size_t length;
    if (strlen(spec) >= sizeof cell.spec) {
        return tan_fail_usage(e, "a topology's name has at most %zu characters",
                              sizeof cell.spec - 1);
    }
    cell.near = tan_spec_is_near(spec, &length);
    memcpy(cell.spec, spec, length);
    cell.kind = kind_of(cell.spec);
    const char *colon = strchr(cell.spec, ':');
    if (kinds[cell.kind].describe(&cell, colon != NULL ? colon + 1 : NULL, &tree, e) != 0) {
        return -1;
    }
    if (cell.near && cell.kind == CELL_COLLECTIVE) {
        return tan_fail_usage(e, "%s: only trees and pingpong can be on one host", spec);
    }
    strcpy(cell.spec, spec);
    if (TAN_ONE_MORE(plan->cells, plan->n_cells) < 0 ||
        TAN_ONE_MORE(plan->trees, plan->n_cells) < 0) {
        tan_tree_destroy(tree);
        return tan_fail_nomem(e);
    }
    plan->cells[plan->n_cells] = cell;
    plan->trees[plan->n_cells++] = tree;
    return 0;
}

int tan_plan_add_sizes(struct plan *plan, struct tan_error *e)
{
    const struct settings *s = &plan->settings;
    int topologies = plan->n_cells;
    for (int i = 0; i < topologies; i++) {
        plan->cells[i].bytes = s->sizes[0];
        plan->cells[i].order = i * s->n_sizes;
        for (int k = 1; k < s->n_sizes; k++) {
            char spec[CELL_SPEC_MAX];
            strcpy(spec, plan->cells[i].spec); /* adding may reallocate the cells */
            if (tan_plan_add(plan, spec, e) < 0) {
                return -1;
            }
            struct cell *cell = &plan->cells[plan->n_cells - 1];
            cell->bytes = s->sizes[k];
            cell->order = i * s->n_sizes + k;
        }
    }
    return 0;
}

int tan_plan_shuffle(struct plan *plan, int launch, struct tan_error *e)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(rng, plan->settings.seed + (unsigned long)launch);
    for (int i = plan->n_cells - 1; i > 0; i--) {
        int j = (int)gsl_rng_uniform_int(rng, (unsigned long)i + 1);
        struct cell cell = plan->cells[i];
        struct tan_tree *tree = plan->trees[i];
        plan->cells[i] = plan->cells[j];
        plan->trees[i] = plan->trees[j];
        plan->cells[j] = cell;
        plan->trees[j] = tree;
    }
    gsl_rng_free(rng);
    return 0;
}

int tan_plan_by_depth(struct plan *plan, struct tan_error *e)
{
    for (int i = 0; i < plan->n_cells; i++) {
        struct tan_tree *tree =
            plan->trees[i] == NULL ? NULL : tan_tree_by_depth(plan->trees[i], e);
        if (tree != NULL) {
            tan_tree_destroy(plan->trees[i]);
            plan->trees[i] = tree;
        } else if (plan->trees[i] != NULL) {
            return -1;
        }
    }
    return 0;
}

int64_t tan_plan_fixed_waves(const struct settings *s, const struct cell *cell)
{
    return cell->waves > 0 ? (cell->waves + s->passes - 1) / s->passes : 0;
}

const struct cell *tan_plan_largest(const struct plan *plan)
{
    const struct cell *largest = &plan->cells[0];
    for (int i = 1; i < plan->n_cells; i++) {
        largest = plan->cells[i].processes > largest->processes ? &plan->cells[i] : largest;
    }
    return largest;
}

double tan_plan_rank_bytes(const struct plan *plan)
{
    int64_t most = 0;
    for (int i = 0; i < plan->n_cells; i++) {
        most = plan->cells[i].bytes > most ? plan->cells[i].bytes : most;
    }
    return 2 * (double)most;
}

/* --emulate supports only waves of trees, one at a time. */
static int check_emulated(const struct plan *plan, struct tan_error *e)
{
    const struct settings *s = &plan->settings;
    if (s->mode != MODE_WAVES || s->work > 0) {
        return tan_fail_usage(e, "--emulate plays waves that wait for all children: drop %s",
                              tan_modes[s->mode].heals ? "--fail" : "--work");
    }
    for (int i = 0; i < plan->n_cells; i++) {
        if (plan->cells[i].kind == CELL_COLLECTIVE) {
            return tan_fail_usage(e, "--emulate: %s is MPI's own and cannot be emulated",
                                  plan->cells[i].spec);
        }
    }
    return 0;
}

/* Trees that heal have a protocol of their own. */
static int check_healing(const struct plan *plan, struct tan_error *e)
{
    const struct settings *s = &plan->settings;
    const struct filter *filter = tan_filter_find(s->filter, e);
    if (filter == NULL) {
        return -1;
    }
    if (s->work > 0) {
        return tan_fail_usage(e, "--work: not with --fail");
    }
    if (filter->grows) {
        return tan_fail_usage(e,
                              "--filter %s: not with --fail, whose results have the length of one "
                              "leaf's payload",
                              s->filter);
    }
    for (int i = 0; i < plan->n_cells; i++) {
        const int32_t size = plan->trees[i] != NULL ? tan_tree_size(plan->trees[i]) : INT32_MAX;
        if (s->failure.node >= size) {
            return tan_fail_usage(e,
                                  "--fail: %s has no process %" PRId32
                                  ": those below the root are numbered from 1 to %" PRId32,
                                  plan->cells[i].spec, s->failure.node, size - 1);
        }
    }
    return 0;
}

int tan_plan_check(const struct plan *plan, struct tan_error *e)
{
    const struct settings *s = &plan->settings;
    const struct mode_info *mode = &tan_modes[s->mode];

    for (int i = 0; i < s->n_sizes; i++) {
        if (s->sizes[i] % ELEMENT_BYTES) {
            return tan_fail_usage(e,
                                  "--bytes: %lld is not a multiple of %d, the size of an element",
                                  (long long)s->sizes[i], ELEMENT_BYTES);
        }
    }
    for (int i = 0; i < plan->n_cells; i++) {
        if (plan->cells[i].near && s->mode != MODE_WAVES) {
            return tan_fail_usage(e, "%s: ranks of one host make round trips only",
                                  plan->cells[i].spec);
        }
        if (plan->cells[i].kind != CELL_TREE && s->mode != MODE_WAVES) {
            return tan_fail_usage(e, "%s has no leaves for mode %s: name trees only",
                                  plan->cells[i].spec, mode->name);
        }
    }
    if (emulation_on(&s->emulation) && check_emulated(plan, e) < 0) {
        return -1;
    }
    if (mode->heals && check_healing(plan, e) < 0) {
        return -1;
    }
    if (s->max_waves < s->min_waves) {
        return tan_fail_usage(e, "--max-waves %lld is less than --min-waves %lld",
                              (long long)s->max_waves, (long long)s->min_waves);
    }
    return tan_filter_find(s->filter, e) != NULL ? 0 : -1;
}

void tan_plan_clear(struct plan *plan)
{
    for (int i = 0; i < plan->n_cells; i++) {
        tan_tree_destroy(plan->trees[i]);
    }
    free(plan->cells);
    free(plan->trees);
    *plan = (struct plan){.n_cells = 0};
}

/* --- estimated time --- */

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
