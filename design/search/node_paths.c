/* node_paths.c - best trees, or Pareto fronts of trees, from the leaves up
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/node_paths.h"

#include <stdlib.h>

#include "base/array.h"

/* A partial tree below a vertex. */
struct label {
    double time;      /* of its root; if level costs add up, their sum */
    double processes; /* including its root, assuming every node of a level is as full as the
                         fullest */
    int64_t internal; /* processes but leaves, including its root; 0 if they do not matter */
    size_t arc;       /* its first level */
    size_t rest;      /* number of the label at the arc's end */
};

struct labels {
    const struct tan_problem *problem;
    const struct tan_space *space;
    size_t k;
    bool front;
    struct label *label;
    size_t n_labels;   /* the last of which are those of the present vertex */
    size_t *start, *n; /* per vertex: its labels, fastest first */
    int64_t *fewest;   /* scratch space: the fewest `internal`, k at most, ascending */
};

static int compare_labels(const void *left, const void *right)
{
    const struct label *a = left;
    const struct label *b = right;
    return a->time != b->time             ? (a->time > b->time ? 1 : -1)
           : a->internal != b->internal   ? (a->internal > b->internal ? 1 : -1)
           : a->processes != b->processes ? (a->processes > b->processes ? 1 : -1)
           : a->arc != b->arc             ? (a->arc > b->arc ? 1 : -1)
                                          : (a->rest > b->rest) - (a->rest < b->rest);
}

static int add_label(struct labels *l, const struct label *new, struct tan_error *e)
{
    if (TAN_ONE_MORE(l->label, l->n_labels) < 0) {
        return tan_fail_nomem(e);
    }
    l->label[l->n_labels++] = *new;
    return 0;
}

/* Whether k faster labels have no more internal processes; those are the n fewest, which the
 * label's own join otherwise. */
static bool is_beaten(struct labels *l, const struct label *label, size_t *n)
{
    if (*n == l->k && l->fewest[l->k - 1] <= label->internal) {
        return true;
    }
    size_t i = *n < l->k ? (*n)++ : l->k - 1;
    for (; i > 0 && l->fewest[i - 1] > label->internal; i--) {
        l->fewest[i] = l->fewest[i - 1];
    }
    l->fewest[i] = label->internal;
    return false;
}

/* Sort the labels from `start` on, and leave those of `vertex` that are not beaten. */
static void keep_labels(struct labels *l, int64_t vertex, size_t start)
{
    size_t n_fewest = 0;
    size_t n = start;
    qsort(&l->label[start], l->n_labels - start, sizeof *l->label, compare_labels);
    for (size_t i = start; i < l->n_labels; i++) {
        if (!is_beaten(l, &l->label[i], &n_fewest)) {
            l->label[n++] = l->label[i];
        }
    }
    l->n_labels = n;
    l->start[vertex] = start;
    l->n[vertex] = n - start;
}

/* Extend the labels at the end of an arc by that arc. */
static int extend_by(struct labels *l, size_t arc, struct tan_error *e)
{
    const struct tan_problem *p = l->problem;
    const struct tan_arc *a = &l->space->arcs[arc];
    const int64_t leaves = l->space->leaves[a->to];
    const int64_t fanout = tan_ceil_div(l->space->leaves[a->from], leaves);
    const bool root = a->from == TAN_SPACE_SOURCE;
    for (size_t i = 0; i < l->n[a->to]; i++) {
        const struct label *below = &l->label[l->start[a->to] + i];
        const struct tan_children all = {fanout, leaves, below->time};
        const struct label new = {
            .time = p->model->node != NULL ? p->model->node(p->params, &all, 1, root)
                                           : a->weight + below->time,
            .processes = 1 + (double)fanout * below->processes,
            .internal = l->front ? 1 + fanout * below->internal : 0,
            .arc = arc,
            .rest = i,
        };
        if (add_label(l, &new, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Arcs are sorted by descending leaves of their start, so that from the last to the first all
 * labels at an arc's end are known. */
static int label_vertices(struct labels *l, struct tan_error *e)
{
    const struct tan_model *model = l->problem->model;
    const struct label leaf = {
        .time = model->node != NULL ? model->leaf(l->problem->params) : 0.0,
        .processes = 1,
    };
    if (add_label(l, &leaf, e) < 0) {
        return -1;
    }
    keep_labels(l, TAN_SPACE_TARGET, 0);
    for (size_t arc = l->space->n_arcs; arc > 0;) {
        const size_t start = l->n_labels;
        const int64_t from = l->space->arcs[arc - 1].from;
        while (arc > 0 && l->space->arcs[arc - 1].from == from) {
            if (extend_by(l, --arc, e) < 0) {
                return -1;
            }
        }
        keep_labels(l, from, start);
    }
    return 0;
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
            const struct label *label = &l->label[l->start[at] + number];
            out->arc[end++] = label->arc;
            at = l->space->arcs[label->arc].to;
            number = label->rest;
        }
        out->start[out->n + 1] = end;
    }
    return 0;
}

int tan_node_paths_find(const struct tan_problem *problem, const struct tan_space *space, int k,
                        bool front, struct tan_paths *out, struct tan_error *e)
{
    const size_t vertices = (size_t)space->n_vertices;
    struct labels l = {.problem = problem, .space = space, .k = (size_t)k, .front = front};
    int result = -1;
    l.start = calloc(vertices, sizeof *l.start);
    l.n = calloc(vertices, sizeof *l.n);
    l.fewest = malloc(l.k * sizeof *l.fewest);
    if (l.start == NULL || l.n == NULL || l.fewest == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    if (label_vertices(&l, e) == 0) {
        result = write_paths(&l, out, e);
    }

done:
    free(l.label);
    free(l.start);
    free(l.n);
    free(l.fewest);
    return result;
}
