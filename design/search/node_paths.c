/* node_paths.c - best trees if a node's time is not a sum of level costs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/node_paths.h"

#include <stdlib.h>

/* A partial tree below a vertex. */
struct label {
    double time;      /* of its root */
    double processes; /* including its root, assuming every node of a level is as full as the
                         fullest */
    size_t arc;       /* its first level */
    size_t rest;      /* index of the label at the arc's end */
};

struct labels {
    const struct tan_problem *problem;
    const struct tan_space *space;
    size_t k;
    struct label *label; /* k per vertex, best first */
    size_t *n;           /* number of them, per vertex */
};

static int compare_labels(const void *left, const void *right)
{
    const struct label *a = left;
    const struct label *b = right;
    return a->time != b->time             ? (a->time > b->time ? 1 : -1)
           : a->processes != b->processes ? (a->processes > b->processes ? 1 : -1)
                                          : (a->arc > b->arc) - (a->arc < b->arc);
}

/* Insert into the k best labels of a vertex. */
static void keep_label(struct labels *l, int64_t vertex, const struct label *new)
{
    struct label *kept = &l->label[(size_t)vertex * l->k];
    size_t i = l->n[vertex];
    if (i == l->k) {
        if (compare_labels(new, &kept[i - 1]) >= 0) {
            return;
        }
        i--;
    } else {
        l->n[vertex]++;
    }
    for (; i > 0 && compare_labels(new, &kept[i - 1]) < 0; i--) {
        kept[i] = kept[i - 1];
    }
    kept[i] = *new;
}

/* Extend the labels at the end of an arc by that arc. */
static void extend_by(struct labels *l, size_t arc)
{
    const struct tan_problem *p = l->problem;
    const struct tan_arc *a = &l->space->arcs[arc];
    const int64_t leaves = l->space->leaves[a->to];
    const int64_t fanout = tan_ceil_div(l->space->leaves[a->from], leaves);
    const bool root = a->from == TAN_SPACE_SOURCE;
    for (size_t i = 0; i < l->n[a->to]; i++) {
        const struct label *below = &l->label[(size_t)a->to * l->k + i];
        const struct tan_children all = {fanout, leaves, below->time};
        const struct label new = {
            .time = p->model->node(p->params, &all, 1, root),
            .processes = 1 + (double)fanout * below->processes,
            .arc = arc,
            .rest = i,
        };
        keep_label(l, a->from, &new);
    }
}

static int write_paths(const struct labels *l, struct tan_paths *out, struct tan_error *e)
{
    const size_t n = l->n[TAN_SPACE_SOURCE];
    *out = (struct tan_paths){.start = calloc(n + 1, sizeof *out->start),
                              .arc = malloc((n * TAN_PLAN_LEVELS + 1) * sizeof *out->arc)};
    if (out->start == NULL || out->arc == NULL) {
        tan_paths_clear(out);
        return tan_fail_nomem(e);
    }
    for (out->n = 0; out->n < n; out->n++) {
        size_t end = out->start[out->n];
        size_t number = out->n;
        for (int64_t at = TAN_SPACE_SOURCE; at != TAN_SPACE_TARGET;) {
            const struct label *label = &l->label[(size_t)at * l->k + number];
            out->arc[end++] = label->arc;
            at = l->space->arcs[label->arc].to;
            number = label->rest;
        }
        out->start[out->n + 1] = end;
    }
    return 0;
}

int tan_node_paths_find(const struct tan_problem *problem, const struct tan_space *space, int k,
                        struct tan_paths *out, struct tan_error *e)
{
    const size_t vertices = (size_t)space->n_vertices;
    struct labels l = {.problem = problem, .space = space, .k = (size_t)k};
    int result = -1;
    l.label = malloc(vertices * l.k * sizeof *l.label);
    l.n = calloc(vertices, sizeof *l.n);
    if (l.label == NULL || l.n == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    l.n[TAN_SPACE_TARGET] = 1;
    l.label[(size_t)TAN_SPACE_TARGET * l.k] =
        (struct label){.time = problem->model->leaf(problem->params), .processes = 1};
    /* arcs are sorted by descending leaves of their start, so that in this order all labels at an
     * arc's end are known */
    for (size_t arc = space->n_arcs; arc-- > 0;) {
        extend_by(&l, arc);
    }
    result = write_paths(&l, out, e);

done:
    free(l.label);
    free(l.n);
    return result;
}
