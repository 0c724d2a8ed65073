/* fit_overlap.c - fit of tan-overlap and its predictions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-fit/fit_overlap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/tan-fit/fit_trees.h"

enum { MOST_NODES = 1 << 16 }; /* of a tree, since its messages may be simulated one by one */

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

/* Whether there are enough trees for a fit, and none is too large. */
static bool is_possible(const struct session *s)
{
    size_t chains = 0, wide = 0;
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

static bool is_fitted(const struct session *s, const struct tan_wave_group *group)
{
    return group->kind == TAN_WAVES_CHAIN || group->kind == TAN_WAVES_NTO1 || group == s->uneven;
}

static void find_uneven(struct session *s)
{
    for (size_t i = 0; i < s->waves.n && s->uneven == NULL; i++) {
        s->uneven = is_uneven(&s->waves.group[i]) ? &s->waves.group[i] : NULL;
    }
}

static void find_largest(const struct tan_tree *tree, struct tan_params *params)
{
    const int64_t fanout = tan_tree_max_fanout(tree), height = tan_tree_height(tree);
    params->max_fanout = fanout > params->max_fanout ? fanout : params->max_fanout;
    params->max_height = height > params->max_height ? height : params->max_height;
}

int fit_overlap(struct session *s, struct tan_error *e)
{
    if (!is_possible(s)) {
        return 0;
    }
    int64_t waves = 0;
    struct tan_overlap_observation *seen = calloc(s->waves.n, sizeof *seen);
    struct tan_tree **trees = calloc(s->waves.n, sizeof *trees);
    struct tan_overlap_fit_input input = {
        .observations = seen,
        .bootstrap = (int)(s->config->bootstrap > TAN_OVERLAP_RESAMPLINGS ? TAN_OVERLAP_RESAMPLINGS
                                                                          : s->config->bootstrap),
        .seed = (uint64_t)s->config->seed};
    struct tan_params largest = {.max_fanout = 0};
    size_t n = 0;
    int result = seen == NULL || trees == NULL ? tan_fail_nomem(e) : 0;
    find_uneven(s);
    for (size_t i = 0; i < s->waves.n && result == 0; i++) {
        const struct tan_wave_group *group = &s->waves.group[i];
        if (!is_fitted(s, group)) {
            continue;
        }
        trees[n] = fit_trees_build(s, group, e);
        if (trees[n] == NULL) {
            result = -1;
            break;
        }
        seen[n] =
            (struct tan_overlap_observation){trees[n], TAN_OVERLAP_ROUND, group->seconds, group->n};
        find_largest(trees[n++], &largest);
        waves += (int64_t)group->n;
    }
    input.n_observations = n;
    if (result == 0 && tan_overlap_fit(&input, &s->overlap, e) == 0) {
        s->overlap_known = true;
        s->overlap_params = tan_overlap_fit_params(&s->overlap);
        s->overlap_params.bytes = s->waves.bytes;
        s->overlap_params.n = waves;
        s->overlap_params.max_fanout = largest.max_fanout;
        s->overlap_params.max_height = largest.max_height;
    } else {
        result = -1;
    }
    for (size_t i = 0; i < n; i++) {
        tan_tree_destroy(trees[i]);
    }
    free(trees);
    free(seen);
    return result;
}

double fit_overlap_time(const struct session *s, const struct tan_wave_group *group,
                        const struct tan_tree *tree)
{
    const struct tan_overlap p = tan_overlap_of(s->overlap.value);
    if (tree != NULL) {
        return tan_overlap_time(&p, TAN_OVERLAP_ROUND, NULL, tree) / 2;
    }
    const int64_t fanout = group->kind == TAN_WAVES_CHAIN ? 1 : group->size;
    const double time = tan_overlap_levels(&p, TAN_OVERLAP_ROUND, &fanout, 1);
    const double hop = (double)(group->size - 1) *
                       (tan_overlap_levels(&p, TAN_OVERLAP_ROUND, (const int64_t[]){1, 1}, 2) -
                        time); /* further levels of a chain cost as much as its second one */
    return (group->kind == TAN_WAVES_CHAIN ? time + hop : time) / 2;
}
