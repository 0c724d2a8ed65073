/* fit_overlap.c - fit of tan-overlap
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-fit/fit_output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
