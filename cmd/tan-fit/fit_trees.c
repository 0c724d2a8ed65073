/* fit_trees.c - fit of all trees of a file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-fit/fit_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
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
