/* one_way.c - waves in one direction by models that are sums of levels
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/one_way.h"

#include <math.h>
#include <stdlib.h>

static int by_rising_time(const void *left, const void *right)
{
    const struct tan_children *a = left;
    const struct tan_children *b = right;
    return (a->below > b->below) - (a->below < b->below);
}

double tan_one_way_node(const struct tan_model *model, const struct tan_params *params,
                        const struct tan_children *kind, int n)
{
    struct tan_children order[TAN_CHILDREN_KINDS];
    int64_t fanout = 0;
    double next = 0.0; /* when the process can serve another child */
    double last = 0.0;
    for (int i = 0; i < n; i++) {
        fanout += kind[i].count;
        order[i] = kind[i];
    }
    if (params->one_way == TAN_UP) {
        qsort(order, (size_t)n, sizeof *order, by_rising_time);
    }
    for (int i = 0; i < n; i++) {
        const int64_t others = (fanout - 1) * order[i].leaves;
        const double first = tan_level_cost(model, params, 1, order[i].leaves, 0);
        const double all = tan_level_cost(model, params, fanout, order[i].leaves, others);
        const double interval = fanout > 1 ? (all - first) / (double)(fanout - 1) : 0.0;
        const double start = params->one_way == TAN_UP ? fmax(next, order[i].below) : next;
        const double served = start + (double)(order[i].count - 1) * interval;
        last = fmax(last, served + first + (params->one_way == TAN_UP ? 0.0 : order[i].below));
        next = served + interval;
    }
    return last;
}

/* Add a child, to the last kind if it is of the same. */
static int add_child(struct tan_children *kind, int n, int64_t leaves, double below)
{
    if (n > 0 && kind[n - 1].leaves == leaves && kind[n - 1].below == below) {
        kind[n - 1].count++;
        return n;
    }
    if (n < TAN_CHILDREN_KINDS) {
        kind[n] = (struct tan_children){1, leaves, below};
    }
    return n + 1;
}

double tan_one_way_time(const struct tan_model *model, const struct tan_params *params,
                        const struct tan_tree *tree)
{
    const int32_t size = tan_tree_size(tree);
    double *time = calloc((size_t)size, sizeof *time);
    int64_t *below = calloc((size_t)size, sizeof *below);
    double whole = NAN;
    bool fits = time != NULL && below != NULL;
    for (int32_t node = size - 1; node >= 0 && fits; node--) {
        struct tan_children kind[TAN_CHILDREN_KINDS];
        const int32_t *child = tan_tree_children(tree, node);
        const int32_t children = tan_tree_fanout(tree, node);
        int n = 0;
        below[node] = children == 0 ? 1 : 0;
        for (int32_t i = 0; i < children && n <= TAN_CHILDREN_KINDS; i++) {
            n = add_child(kind, n, below[child[i]], time[child[i]]);
            below[node] += below[child[i]];
        }
        fits = n <= TAN_CHILDREN_KINDS;
        time[node] = fits ? tan_one_way_node(model, params, kind, n) : NAN;
    }
    if (fits) {
        whole = time[0] + params->value[TAN_C0];
    }
    free(time);
    free(below);
    return whole;
}
