/* fit_trees.c - fits of all trees of a file, and of tan-overlap
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cmd/tan-fit/fit_output.h"
#include "topo/spec.h"

enum { MIN_SIZES = 4 }; /* of chains and of N-to-1 trees, to determine all parameters */

bool fit_trees_wanted(const struct session *s)
{
    size_t sizes[] = {[TAN_WAVES_OTHER] = 0, [TAN_WAVES_DOWN] = 0, [TAN_WAVES_TWO] = 0};
    bool gathered = false;
    for (size_t i = 0; i < s->waves.n; i++) {
        sizes[s->waves.group[i].kind]++;
        gathered = gathered || s->waves.group[i].gathered;
    }
    return s->waves.sized || gathered || sizes[TAN_WAVES_TWO] > 0 || sizes[TAN_WAVES_DOWN] > 0 ||
           (sizes[TAN_WAVES_OTHER] > 0 &&
            (sizes[TAN_WAVES_CHAIN] < MIN_SIZES || sizes[TAN_WAVES_NTO1] < MIN_SIZES));
}

static struct tan_tree *build_tree(const struct session *s, const char *name, int line,
                                   struct tan_error *e)
{
    struct tan_error wrong = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(name, &wrong);
    if (tree == NULL) {
        tan_fail_at(e, tan_input_name(s->config->input), line, 0, "%s%s%s", wrong.source,
                    wrong.source[0] == '\0' ? "" : ": ", wrong.text);
        e->status = wrong.status;
    }
    return tree;
}

/* The paths of a wave that goes up over one tree and down over another, or the same. */
static int find_two(const struct session *s, const struct tan_wave_group *group,
                    struct tan_tree_paths *out, struct tan_error *e)
{
    static const char between[] = " + ";
    const char *plus = strstr(group->topology, between);
    const double bytes = (double)(group->gathered ? group->bytes : group->bytes - s->waves.bytes);
    char *name = strdup(group->topology);
    if (name == NULL) {
        return tan_fail_nomem(e);
    }
    name[plus != NULL ? (size_t)(plus - group->topology) : strlen(name)] = '\0';
    struct tan_tree *up = build_tree(s, name, group->line, e);
    struct tan_tree *down =
        build_tree(s, plus != NULL ? plus + strlen(between) : name, group->line, e);
    const int result = up != NULL && down != NULL
                           ? tan_tree_paths_two(up, down, bytes, group->gathered, out, e)
                           : -1;
    tan_tree_destroy(up);
    tan_tree_destroy(down);
    free(name);
    return result;
}

const struct tan_tree *fit_trees_of(const struct session *s, const struct tan_wave_group *group,
                                    struct tan_error *e)
{
    struct tan_tree **tree = &s->tree[group - s->waves.group];
    *tree = *tree != NULL ? *tree : build_tree(s, group->topology, group->line, e);
    return *tree;
}

/* The paths of a group's tree, which is built only if it is neither a chain nor an N-to-1 tree. */
static int find_paths(const struct session *s, const struct tan_wave_group *group,
                      struct tan_tree_paths *out, struct tan_error *e)
{
    const double more = (double)(group->bytes - s->waves.bytes);
    if (group->gathered || group->kind == TAN_WAVES_TWO) {
        return find_two(s, group, out, e);
    }
    if (group->kind != TAN_WAVES_OTHER && group->kind != TAN_WAVES_DOWN) {
        return tan_tree_paths_of(group->kind == TAN_WAVES_CHAIN ? TAN_CHAIN : TAN_NTO1, group->size,
                                 more, out, e);
    }
    const struct tan_tree *tree = fit_trees_of(s, group, e);
    return tree == NULL                    ? -1
           : group->kind == TAN_WAVES_DOWN ? tan_tree_paths_down(tree, more, out, e)
                                           : tan_tree_paths_find(tree, more, out, e);
}

static int list_trees(struct session *s, struct tan_error *e)
{
    s->trees = calloc(s->waves.n + 1, sizeof *s->trees);
    s->fitted = calloc(s->waves.n + 1, sizeof *s->fitted);
    if (s->trees == NULL || s->fitted == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < s->waves.n; i++) {
        const struct tan_wave_group *group = &s->waves.group[i];
        if (group->kind == TAN_WAVES_LATENCY) {
            continue;
        }
        struct tan_tree_waves *tree = &s->trees[s->n_trees];
        *tree = (struct tan_tree_waves){
            .name = group->topology, .seconds = group->seconds, .n = group->n};
        if (find_paths(s, group, &tree->paths, e) < 0) {
            return -1;
        }
        s->fitted[s->n_trees++].group = group;
    }
    return 0;
}

int fit_trees(struct session *s, struct tan_error *e)
{
    if (list_trees(s, e) < 0) {
        return -1;
    }
    const struct tan_tree_fit_input input = {
        .waves = s->trees,
        .n_waves = s->n_trees,
        .L = s->latency.n > 0 ? s->latency.median : s->config->latency,
        .bytes = s->waves.bytes,
        .bootstrap = TAN_FIT_RESAMPLINGS,
        .seed = FIT_SEED,
    };
    if (tan_tree_fit(&input, &s->fit[TAN_METHOD_JOINT], &s->paths, e) < 0) {
        return -1;
    }
    s->n_fitted = s->n_trees;
    s->predictor[0] = (struct fit_predictor){
        .model = &tan_models[TAN_MODEL_TAN], .method = TAN_METHOD_JOINT, .name = "tan"};
    s->n_predictors = 1;
    for (size_t i = 0; i < s->n_trees; i++) {
        s->fitted[i].median = s->paths.median[i];
        s->fitted[i].predicted[0] = s->paths.predicted[i];
    }
    return 0;
}

void fit_trees_clear(struct session *s)
{
    for (size_t i = 0; i < s->n_trees; i++) {
        tan_tree_paths_clear(&s->trees[i].paths);
    }
    for (size_t i = 0; i < s->waves.n && s->tree != NULL; i++) {
        tan_tree_destroy(s->tree[i]);
    }
    free(s->tree);
    free(s->trees);
    tan_path_fit_clear(&s->paths);
}

/* Nodes of a tree, and of all where any trees are fitted, since messages are simulated one by one.
 */
enum { MOST_NODES = 1 << 16, MOST_IN_ALL = 1 << 11 };

/* Whether subtrees of siblings differ, which separates the sender's overhead from the
 * receiver's. */
static bool is_uneven(const struct tan_wave_group *group)
{
    static const char *const shapes[] = {"binomial:", "knomial:", "random:"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (group->kind == TAN_WAVES_OTHER &&
            strncmp(group->topology, shapes[i], strlen(shapes[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether there are enough trees for a fit, also without a fifth of them, none is too large, and
 * all have waves. */
static bool is_possible_of_any(struct session *s)
{
    int64_t processes = 0;
    if (s->waves.sized || 4 * s->n_trees < 5 * TAN_OVERLAP_PARAMS) {
        return false;
    }
    for (size_t i = 0; i < s->waves.n && processes <= MOST_IN_ALL; i++) {
        struct tan_error ignored = TAN_ERROR_INIT;
        const struct tan_wave_group *group = &s->waves.group[i];
        if (group->kind == TAN_WAVES_TWO || group->kind == TAN_WAVES_DOWN || group->gathered) {
            return false;
        }
        if (group->size > MOST_IN_ALL) {
            processes += group->size;
        } else if (group->kind != TAN_WAVES_LATENCY) {
            const struct tan_tree *tree = fit_trees_of(s, group, &ignored);
            if (tree == NULL) {
                return false; /* no memory */
            }
            processes += tan_tree_size(tree);
        }
    }
    if (processes > MOST_IN_ALL) {
        tan_fit_note(&s->fit[TAN_METHOD_JOINT],
                     "tan-overlap is fitted to tables of any trees with at most %d processes in "
                     "all: whether requests and answers overlap is not known",
                     MOST_IN_ALL);
    }
    return processes <= MOST_IN_ALL;
}

/* The same where TAN is fitted to chains and N-to-1 trees. */
static bool is_possible(struct session *s)
{
    size_t chains = 0, wide = 0;
    if (s->general) {
        return is_possible_of_any(s);
    }
    for (size_t i = 0; i < s->waves.n; i++) {
        const struct tan_wave_group *group = &s->waves.group[i];
        chains += group->kind == TAN_WAVES_CHAIN;
        wide += group->kind == TAN_WAVES_NTO1 && group->size > 1;
        if (group->size >= MOST_NODES) {
            return false;
        }
    }
    return chains > 0 && wide > 0 && chains + wide >= TAN_OVERLAP_PARAMS;
}

enum tan_fit_role fit_overlap_role(const struct session *s, const struct tan_wave_group *group)
{
    return s->general || group->kind != TAN_WAVES_OTHER ? TAN_FITS_ALL
           : group == s->uneven                         ? TAN_FITS_OVERLAP
                                                        : TAN_CHECKS;
}

static void find_uneven(struct session *s)
{
    for (size_t i = 0; i < s->waves.n && s->uneven == NULL && !s->general; i++) {
        s->uneven = is_uneven(&s->waves.group[i]) ? &s->waves.group[i] : NULL;
    }
}

int fit_overlap(struct session *s, struct tan_error *e)
{
    if (!is_possible(s)) {
        return 0;
    }
    struct tan_overlap_observation *seen = calloc(s->waves.n, sizeof *seen);
    struct tan_overlap_fit_input input = {
        .observations = seen, .bootstrap = TAN_OVERLAP_RESAMPLINGS, .seed = FIT_SEED};
    int result = seen == NULL ? tan_fail_nomem(e) : 0;
    find_uneven(s);
    for (size_t i = 0; i < s->waves.n && result == 0; i++) {
        const struct tan_wave_group *group = &s->waves.group[i];
        if (group->kind != TAN_WAVES_LATENCY && fit_overlap_role(s, group) != TAN_CHECKS) {
            const struct tan_tree *tree = fit_trees_of(s, group, e);
            seen[input.n_observations++] =
                (struct tan_overlap_observation){tree, TAN_OVERLAP_ROUND, group->seconds, group->n};
            result = tree == NULL ? -1 : 0;
        }
    }
    result = result == 0 ? tan_overlap_fit(&input, &s->overlap, e) : -1;
    s->overlap_known = result == 0;
    free(seen);
    return result;
}
