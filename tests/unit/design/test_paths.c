/* test_paths.c - shortest paths against all paths of random graphs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>

#include "design/search/paths.h"

enum { VERTICES = 9, MOST_PATHS = 1 << VERTICES };

struct walk {
    const struct tan_arc *arcs;
    size_t n_arcs;
    double weight[MOST_PATHS]; /* of every path found */
    size_t n;
};

/* Arcs lead to higher numbers only, so there are no cycles. */
static void follow(struct walk *w, int64_t vertex, double weight)
{
    if (vertex == VERTICES - 1) {
        w->weight[w->n++] = weight;
        return;
    }
    for (size_t i = 0; i < w->n_arcs; i++) {
        if (w->arcs[i].from == vertex) {
            follow(w, w->arcs[i].to, weight + w->arcs[i].weight);
        }
    }
}

static double weight_of(const struct tan_arc *arcs, const struct tan_paths *paths, size_t path)
{
    double weight = 0.0;
    int64_t at = 0;
    for (size_t i = paths->start[path]; i < paths->start[path + 1]; i++) {
        const struct tan_arc *a = &arcs[paths->arc[i]];
        assert_int_equal(a->from, at);
        weight += a->weight;
        at = a->to;
    }
    assert_int_equal(at, VERTICES - 1);
    return weight;
}

TEST(random_graphs)
{
    enum { GRAPHS = 300 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, 3);
    int none = 0;
    for (int graph = 0; graph < GRAPHS; graph++) {
        struct tan_arc arcs[VERTICES * VERTICES];
        size_t n = 0;
        const double density = gsl_rng_uniform(rng);
        for (int64_t from = 0; from < VERTICES; from++) {
            for (int64_t to = from + 1; to < VERTICES; to++) {
                if (gsl_rng_uniform(rng) < density) {
                    /* small whole numbers, so that many paths weigh the same */
                    arcs[n++] = (struct tan_arc){from, to, (double)gsl_rng_uniform_int(rng, 6)};
                }
            }
        }
        struct walk all = {.arcs = arcs, .n_arcs = n};
        follow(&all, 0, 0.0);
        gsl_sort(all.weight, 1, all.n);
        none += all.n == 0;
        for (int k = 1; k <= 200; k = k * 3 + 1) {
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_paths paths;
            tan_paths_find(arcs, n, VERTICES, 0, VERTICES - 1, k, &paths, &e);
            assert_no_error(e);
            assert_int_equal(paths.n, all.n < (size_t)k ? all.n : (size_t)k);
            for (size_t i = 0; i < paths.n; i++) {
                assert_true(weight_of(arcs, &paths, i) == all.weight[i]);
                for (size_t j = 0; j < i; j++) { /* all different */
                    const size_t length = paths.start[i + 1] - paths.start[i];
                    assert_true(paths.start[j + 1] - paths.start[j] != length ||
                                memcmp(&paths.arc[paths.start[i]], &paths.arc[paths.start[j]],
                                       length * sizeof *paths.arc) != 0);
                }
            }
            tan_paths_clear(&paths);
        }
    }
    print_message("%d graphs, %d without a path\n", GRAPHS, none);
    assert_in_range(none, 1, GRAPHS / 2);
    gsl_rng_free(rng);
}

TEST(errors)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_paths paths;
    const struct tan_arc negative = {0, 1, -1.0};
    for (int k = 1; k <= 3; k++) {
        assert_int_equal(tan_paths_find(&negative, 1, 2, 0, 1, k, &paths, &e), -1);
        assert_error(e, TAN_FAILED, "igraph");
        assert_int_equal(paths.n, 0);
    }
    tan_paths_find(NULL, 0, 2, 0, 1, 3, &paths, &e);
    assert_no_error(e);
    assert_int_equal(paths.n, 0);
    tan_paths_clear(&paths);
}

RUN_TESTS(NULL, NULL)
