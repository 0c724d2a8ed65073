/* paths.c - shortest paths in a graph (the only use of igraph in the search)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/paths.h"

#include <gsl/gsl_sort.h>
#include <igraph.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A weighted graph in igraph's form, and the paths found in it. */
struct network {
    igraph_t graph;
    igraph_vector_t weights;
    igraph_vector_int_list_t found; /* paths as edge numbers, which are arc numbers */
};

static igraph_error_t network_create(struct network *net, const struct tan_arc *arcs, size_t n_arcs,
                                     int64_t n_vertices)
{
    igraph_vector_int_t ends;
    igraph_error_t code = igraph_vector_int_init(&ends, (igraph_integer_t)(2 * n_arcs));
    if (code != IGRAPH_SUCCESS) {
        return code;
    }
    code = igraph_vector_init(&net->weights, (igraph_integer_t)n_arcs);
    if (code != IGRAPH_SUCCESS) {
        goto free_ends;
    }
    for (size_t i = 0; i < n_arcs; i++) {
        VECTOR(ends)[2 * i] = arcs[i].from;
        VECTOR(ends)[2 * i + 1] = arcs[i].to;
        VECTOR(net->weights)[i] = arcs[i].weight;
    }
    code = igraph_vector_int_list_init(&net->found, 0);
    if (code != IGRAPH_SUCCESS) {
        goto free_weights;
    }
    code = igraph_create(&net->graph, &ends, n_vertices, IGRAPH_DIRECTED);
    if (code == IGRAPH_SUCCESS) {
        goto free_ends;
    }
    igraph_vector_int_list_destroy(&net->found);
free_weights:
    igraph_vector_destroy(&net->weights);
free_ends:
    igraph_vector_int_destroy(&ends);
    return code;
}

static void network_destroy(struct network *net)
{
    igraph_destroy(&net->graph);
    igraph_vector_int_list_destroy(&net->found);
    igraph_vector_destroy(&net->weights);
}

/* The `k` shortest paths; net->found stays empty if there is none. */
static igraph_error_t find_shortest(struct network *net, int k, int64_t source, int64_t target)
{
    return igraph_get_k_shortest_paths(&net->graph, &net->weights, NULL, &net->found, k, source,
                                       target, IGRAPH_OUT);
}

/* An upper bound on the weight of the k-th path, from the best path and those that leave it once,
 * each by a different arc, and then follow a shortest path; INFINITY if these are fewer than k.
 * `through`: per arc the weight of the shortest path using it. -1 when memory is short. */
static int weight_of_k_paths(const struct tan_arc *arcs, const double *through, size_t n_arcs,
                             int64_t n_vertices, const igraph_vector_int_t *best, int k,
                             double *weight)
{
    const size_t h = (size_t)igraph_vector_int_size(best);
    /* the h arcs of the best path count it h times instead of once */
    const size_t wanted = h + (size_t)k - 1;
    bool *on_best = calloc((size_t)n_vertices, sizeof *on_best);
    double *detours = malloc(n_arcs * sizeof *detours);
    double *least = malloc(wanted * sizeof *least);
    const bool good = on_best != NULL && detours != NULL && least != NULL;
    *weight = INFINITY;
    if (good) {
        for (size_t i = 0; i < h; i++) {
            on_best[arcs[VECTOR(*best)[i]].from] = true;
        }
        size_t n = 0;
        for (size_t i = 0; i < n_arcs; i++) {
            if (on_best[arcs[i].from]) {
                detours[n++] = through[i];
            }
        }
        if (n >= wanted) {
            gsl_sort_smallest(least, wanted, detours, 1, n);
            *weight = least[wanted - 1];
        }
    }
    free(on_best);
    free(detours);
    free(least);
    return good ? 0 : -1;
}

/* through[i] = weight of the shortest path from source to target through arc i, INFINITY if
 * none. */
static igraph_error_t weights_through(const struct network *net, const struct tan_arc *arcs,
                                      size_t n_arcs, int64_t source, int64_t target,
                                      double *through)
{
    igraph_matrix_t before;
    igraph_matrix_t after;
    igraph_error_t code = igraph_matrix_init(&before, 0, 0);
    if (code != IGRAPH_SUCCESS) {
        return code;
    }
    code = igraph_matrix_init(&after, 0, 0);
    if (code != IGRAPH_SUCCESS) {
        goto free_before;
    }
    code = igraph_distances_dijkstra(&net->graph, &before, igraph_vss_1(source), igraph_vss_all(),
                                     &net->weights, IGRAPH_OUT);
    if (code == IGRAPH_SUCCESS) {
        code = igraph_distances_dijkstra(&net->graph, &after, igraph_vss_1(target),
                                         igraph_vss_all(), &net->weights, IGRAPH_IN);
    }
    for (size_t i = 0; code == IGRAPH_SUCCESS && i < n_arcs; i++) {
        through[i] =
            MATRIX(before, 0, arcs[i].from) + arcs[i].weight + MATRIX(after, 0, arcs[i].to);
    }
    igraph_matrix_destroy(&after);
free_before:
    igraph_matrix_destroy(&before);
    return code;
}

/* Copy the arcs on paths of weight at most `most`, with vertices renumbered from 0: number[v] is
 * the new number of v or -1, which[i] the old index of arc i, and *n_vertices becomes the number of
 * remaining vertices. Returns the number of arcs. */
static size_t select_arcs(const struct tan_arc *arcs, const double *through, size_t n_arcs,
                          double most, int64_t *number, int64_t *n_vertices, struct tan_arc *out,
                          size_t *which)
{
    size_t n = 0;
    for (int64_t v = 0; v < *n_vertices; v++) {
        number[v] = -1;
    }
    *n_vertices = 0;
    for (size_t i = 0; i < n_arcs; i++) {
        if (isfinite(through[i]) && through[i] <= most) {
            const int64_t from = arcs[i].from;
            const int64_t to = arcs[i].to;
            number[from] = number[from] < 0 ? (*n_vertices)++ : number[from];
            number[to] = number[to] < 0 ? (*n_vertices)++ : number[to];
            out[n] = (struct tan_arc){number[from], number[to], arcs[i].weight};
            which[n++] = i;
        }
    }
    return n;
}

/* Replace the shortest path in net->found by the k shortest. */
static igraph_error_t find_k_best(struct network *net, const struct tan_arc *arcs, size_t n_arcs,
                                  int64_t n_vertices, int64_t source, int64_t target, int k)
{
    const double rounding = 1.0 + 1e-12; /* the same weights summed in a different order */
    igraph_error_t code = IGRAPH_ENOMEM;
    double *through = malloc(n_arcs * sizeof *through);
    struct tan_arc *few = malloc(n_arcs * sizeof *few);
    size_t *which = malloc(n_arcs * sizeof *which);
    int64_t *number = malloc((size_t)n_vertices * sizeof *number);
    if (through == NULL || few == NULL || which == NULL || number == NULL) {
        goto done;
    }
    code = weights_through(net, arcs, n_arcs, source, target, through);
    if (code != IGRAPH_SUCCESS) {
        goto done;
    }
    double most;
    const igraph_vector_int_t *best = igraph_vector_int_list_get_ptr(&net->found, 0);
    if (weight_of_k_paths(arcs, through, n_arcs, n_vertices, best, k, &most) < 0) {
        code = IGRAPH_ENOMEM;
        goto done;
    }
    const size_t n_few =
        select_arcs(arcs, through, n_arcs, most * rounding, number, &n_vertices, few, which);
    struct network small;
    code = network_create(&small, few, n_few, n_vertices);
    if (code != IGRAPH_SUCCESS) {
        goto done;
    }
    code = find_shortest(&small, k, number[source], number[target]);
    igraph_vector_int_list_clear(&net->found);
    for (igraph_integer_t i = 0;
         code == IGRAPH_SUCCESS && i < igraph_vector_int_list_size(&small.found); i++) {
        igraph_vector_int_t *path = igraph_vector_int_list_get_ptr(&small.found, i);
        for (igraph_integer_t j = 0; j < igraph_vector_int_size(path); j++) {
            igraph_integer_t *arc = &VECTOR(*path)[j];
            *arc = (igraph_integer_t)which[*arc];
        }
        code = igraph_vector_int_list_push_back_copy(&net->found, path);
    }
    network_destroy(&small);
done:
    free(through);
    free(few);
    free(which);
    free(number);
    return code;
}

static igraph_error_t copy_paths(const igraph_vector_int_list_t *found, struct tan_paths *out)
{
    const size_t n = (size_t)igraph_vector_int_list_size(found);
    size_t total = 0;
    for (size_t i = 0; i < n; i++) {
        const igraph_vector_int_t *path =
            igraph_vector_int_list_get_ptr(found, (igraph_integer_t)i);
        total += (size_t)igraph_vector_int_size(path);
    }
    out->start = malloc((n + 1) * sizeof *out->start);
    out->arc = malloc((total + 1) * sizeof *out->arc);
    if (out->start == NULL || out->arc == NULL) {
        tan_paths_clear(out);
        return IGRAPH_ENOMEM;
    }
    out->n = n;
    out->start[0] = 0;
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        const igraph_vector_int_t *path =
            igraph_vector_int_list_get_ptr(found, (igraph_integer_t)i);
        for (igraph_integer_t j = 0; j < igraph_vector_int_size(path); j++) {
            out->arc[used++] = (size_t)VECTOR(*path)[j];
        }
        out->start[i + 1] = used;
    }
    return IGRAPH_SUCCESS;
}

int tan_paths_find(const struct tan_arc *arcs, size_t n_arcs, int64_t n_vertices, int64_t source,
                   int64_t target, int k, struct tan_paths *out, struct tan_error *e)
{
    *out = (struct tan_paths){0};
    /* By default igraph aborts on errors and prints warnings ("cannot reach the target"). */
    igraph_error_handler_t *old_error = igraph_set_error_handler(igraph_error_handler_ignore);
    igraph_warning_handler_t *old_warning =
        igraph_set_warning_handler(igraph_warning_handler_ignore);
    struct network net;
    igraph_error_t code = network_create(&net, arcs, n_arcs, n_vertices);
    if (code == IGRAPH_SUCCESS) {
        code = find_shortest(&net, 1, source, target);
        if (code == IGRAPH_SUCCESS && k > 1 && igraph_vector_int_list_size(&net.found) > 0) {
            code = find_k_best(&net, arcs, n_arcs, n_vertices, source, target, k);
        }
        if (code == IGRAPH_SUCCESS) {
            code = copy_paths(&net.found, out);
        }
        network_destroy(&net);
    }
    igraph_set_error_handler(old_error);
    igraph_set_warning_handler(old_warning);
    if (code != IGRAPH_SUCCESS) {
        return tan_fail(e, "the search for the best trees failed in igraph: %s",
                        igraph_strerror(code));
    }
    return 0;
}

void tan_paths_clear(struct tan_paths *paths)
{
    free(paths->start);
    free(paths->arc);
    *paths = (struct tan_paths){0};
}
