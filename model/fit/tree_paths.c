/* tree_paths.c - a wave's time in a tree as the longest of several sums
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/tree_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { TERMS = TAN_TREE_TERMS };

/* Sums along a path. */
struct sums {
    double levels, children, squares;
    double gathered; /* over the parents: the share of all processes whose data they receive */
};

/* Which part of a wave goes over a tree, and what it carries. */
enum way { BOTH_WAYS, ONE_WAY_DOWN, HALF, GATHERED_UP };

static void set_row(const struct sums *sums, double bytes, enum way way, double row[TERMS])
{
    const double part = way <= ONE_WAY_DOWN ? 1 : 0.5;
    memset(row, 0, TERMS * sizeof *row);
    row[TAN_TREE_HOP] = part * sums->levels;
    row[TAN_TREE_CHILD] = part * (sums->children - sums->levels);
    row[TAN_TREE_WAVE] = part;
    row[TAN_TREE_GROWTH] = part * (sums->squares - sums->levels);
    if (way == GATHERED_UP) {
        row[TAN_TREE_DATA] = part;
        row[TAN_TREE_LOCAL] = part * bytes;
        row[TAN_TREE_GATHER] = part * bytes * sums->gathered;
    } else {
        row[TAN_TREE_BYTE] = part * bytes * sums->children;
    }
}

/* Whether path `a` takes at least as long as `b`, whatever the parameters. */
static bool covers(const double a[TERMS], const double b[TERMS])
{
    bool all = true;
    for (int j = 0; j < TERMS; j++) {
        all = all && a[j] >= b[j];
    }
    return all;
}

/* Add a path unless another covers it, and remove those that it covers. */
static int add_path(struct tan_tree_paths *paths, const double row[TERMS], struct tan_error *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < paths->n; i++) {
        if (covers(paths->row + i * TERMS, row)) {
            return 0;
        }
    }
    for (size_t i = 0; i < paths->n; i++) {
        if (!covers(row, paths->row + i * TERMS)) {
            memmove(paths->row + kept++ * TERMS, paths->row + i * TERMS, TERMS * sizeof *row);
        }
    }
    paths->n = kept;
    double(*rows)[TERMS] = (double(*)[TERMS])paths->row;
    if (TAN_ONE_MORE(rows, paths->n) < 0) {
        return tan_fail_nomem(e);
    }
    paths->row = (double *)rows;
    memcpy(paths->row + paths->n++ * TERMS, row, TERMS * sizeof *row);
    return 0;
}

static int find_paths(const struct tan_tree *tree, double bytes, enum way way,
                      struct tan_tree_paths *out, struct tan_error *e)
{
    const int32_t n = tan_tree_size(tree);
    struct sums *to = calloc((size_t)n, sizeof *to); /* of the path to each node */
    int32_t *size = calloc((size_t)n, sizeof *size);
    int result = to == NULL || size == NULL ? tan_fail_nomem(e) : 0;
    *out = (struct tan_tree_paths){.max_fanout = tan_tree_max_fanout(tree),
                                   .height = tan_tree_height(tree)};
    if (result == 0) {
        tan_tree_subtree_sizes(tree, size);
    }
    for (int32_t node = 0; node < n && result == 0; node++) {
        const int32_t *child = tan_tree_children(tree, node);
        const double x = tan_tree_fanout(tree, node);
        for (int32_t i = 0; i < tan_tree_fanout(tree, node); i++) {
            const double before = way == ONE_WAY_DOWN ? i : x - 1; /* children served first */
            to[child[i]] = (struct sums){to[node].levels + 1, to[node].children + before + 1,
                                         to[node].squares + before * (x + 1) + 1,
                                         to[node].gathered + (double)(size[node] - 1) / n};
        }
        if (tan_tree_fanout(tree, node) == 0) {
            double row[TERMS];
            set_row(&to[node], bytes, way, row);
            result = add_path(out, row, e);
        }
    }
    free(to);
    free(size);
    if (result < 0) {
        tan_tree_paths_clear(out);
    }
    return result;
}

int tan_tree_paths_find(const struct tan_tree *tree, double bytes, bool down,
                        struct tan_tree_paths *out, struct tan_error *e)
{
    return find_paths(tree, bytes, down ? ONE_WAY_DOWN : BOTH_WAYS, out, e);
}

/* The sums of each of `up` with each of `down`. */
static int join_paths(const struct tan_tree_paths *up, const struct tan_tree_paths *down,
                      struct tan_tree_paths *out, struct tan_error *e)
{
    int result = 0;
    *out = (struct tan_tree_paths){
        .max_fanout = up->max_fanout > down->max_fanout ? up->max_fanout : down->max_fanout,
        .height = up->height > down->height ? up->height : down->height};
    for (size_t i = 0; i < up->n * down->n && result == 0; i++) {
        double row[TERMS];
        for (size_t j = 0; j < TERMS; j++) {
            row[j] = up->row[i / down->n * TERMS + j] + down->row[i % down->n * TERMS + j];
        }
        result = add_path(out, row, e);
    }
    return result;
}

int tan_tree_paths_two(const struct tan_tree *up, const struct tan_tree *down, double bytes,
                       bool gathered, struct tan_tree_paths *out, struct tan_error *e)
{
    struct tan_tree_paths way[2] = {{.n = 0}, {.n = 0}};
    *out = (struct tan_tree_paths){.n = 0};
    const int result = find_paths(up, bytes, gathered ? GATHERED_UP : HALF, &way[0], e) == 0 &&
                               find_paths(down, bytes, HALF, &way[1], e) == 0
                           ? join_paths(&way[0], &way[1], out, e)
                           : -1;
    tan_tree_paths_clear(&way[0]);
    tan_tree_paths_clear(&way[1]);
    if (result < 0) {
        tan_tree_paths_clear(out);
    }
    return result;
}

int tan_tree_paths_of(enum tan_experiment experiment, int64_t size, double bytes,
                      struct tan_tree_paths *out, struct tan_error *e)
{
    const double n = (double)size;
    const struct sums sums =
        experiment == TAN_CHAIN ? (struct sums){n, n, n, 0} : (struct sums){1, n, n * n, 0};
    double row[TERMS];
    *out = (struct tan_tree_paths){.max_fanout = experiment == TAN_CHAIN ? 1 : size,
                                   .height = experiment == TAN_CHAIN ? size : 1};
    set_row(&sums, bytes, BOTH_WAYS, row);
    return add_path(out, row, e);
}

static double sum_path(const double path[TERMS], const double value[TERMS])
{
    double time = 0;
    for (int j = 0; j < TERMS; j++) {
        time += path[j] * value[j];
    }
    return time;
}

const double *tan_tree_paths_longest(const struct tan_tree_paths *paths, const double value[TERMS])
{
    const double *longest = paths->row;
    for (size_t i = 1; i < paths->n; i++) {
        const double *path = paths->row + i * TERMS;
        longest = sum_path(path, value) > sum_path(longest, value) ? path : longest;
    }
    return longest;
}

double tan_tree_paths_time(const struct tan_tree_paths *paths, const double value[TERMS])
{
    return sum_path(tan_tree_paths_longest(paths, value), value);
}

void tan_tree_paths_clear(struct tan_tree_paths *paths)
{
    free(paths->row);
    *paths = (struct tan_tree_paths){.n = 0};
}
