/* setting_tree.c - the tree of an answer, for writing it to files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/setting_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "topo/names.h"

int tan_answer_children(const struct tan_answer *answer, struct tan_answer_children *children,
                        struct tan_error *e)
{
    const int32_t *parents = answer->parents;
    const int32_t n = answer->processes;
    *children = (struct tan_answer_children){.root = 0};
    if (parents == NULL) {
        return tan_fail_infeasible(e, "%s needs a tree", answer->target->title);
    }
    children->first = calloc((size_t)n + 1, sizeof *children->first);
    children->child = calloc((size_t)n, sizeof *children->child);
    if (children->first == NULL || children->child == NULL) {
        return tan_fail_nomem(e);
    }
    for (int32_t i = 0; i < n; i++) {
        if (parents[i] < 0) {
            children->root = i;
        } else {
            children->first[parents[i]]++;
        }
    }
    for (int32_t i = 1; i <= n; i++) {
        children->first[i] += children->first[i - 1];
    }
    for (int32_t i = n - 1; i >= 0; i--) { /* fill backwards, from the ends of the lists */
        if (parents[i] >= 0) {
            children->child[--children->first[parents[i]]] = i;
        }
    }
    return 0;
}

void tan_answer_children_clear(struct tan_answer_children *children)
{
    free(children->first);
    free(children->child);
    *children = (struct tan_answer_children){.root = 0};
}

static bool is_in_order(const struct tan_answer *answer)
{
    for (int32_t i = 0; i < answer->processes; i++) {
        if (answer->parents[i] >= i) {
            return false;
        }
    }
    return true;
}

/* An order of the processes in which parents precede their children. */
static int find_order(const struct tan_answer *answer, int32_t *order, struct tan_error *e)
{
    struct tan_answer_children children;
    const int result = tan_answer_children(answer, &children, e);
    int32_t n = 0;
    if (result == 0 && is_in_order(answer)) {
        for (; n < answer->processes; n++) {
            order[n] = n;
        }
    } else if (result == 0) {
        order[n++] = children.root;
        for (int32_t i = 0; i < n; i++) {
            for (int32_t c = children.first[order[i]]; c < children.first[order[i] + 1]; c++) {
                order[n++] = children.child[c];
            }
        }
    }
    tan_answer_children_clear(&children);
    return result;
}

/* host:index for every process in this order. */
static char **name_processes(const struct tan_answer *answer, const int32_t *order,
                             struct tan_error *e)
{
    const int32_t n = answer->processes;
    struct tan_names *hosts = tan_names_create(e);
    int32_t *index = calloc((size_t)n, sizeof *index); /* next index per host */
    char **names = calloc((size_t)n, sizeof *names);
    int32_t i = 0;
    if (hosts != NULL && index != NULL && names != NULL) {
        for (; i < n; i++) {
            const char *name = answer->host[order[i]];
            name = name != NULL ? name : "localhost";
            const int32_t host = tan_names_add(hosts, name, e);
            if (host < 0 || asprintf(&names[i], "%s:%" PRId32, name, index[host]) < 0) {
                names[i] = NULL;
                break;
            }
            index[host]++;
        }
    }
    tan_names_destroy(hosts);
    free(index);
    if (i < n) {
        for (int32_t k = 0; names != NULL && k < i; k++) {
            free(names[k]);
        }
        free(names);
        tan_fail_nomem(e);
        return NULL;
    }
    return names;
}

/* `order`: the process of each node. `names`: per node; NULL: unnamed. */
static struct tan_tree *create_tree(const struct tan_answer *answer, const int32_t *order,
                                    const char *const *names, struct tan_error *e)
{
    const int32_t n = answer->processes;
    int32_t *place = malloc((size_t)n * sizeof *place); /* per process: its number in the tree */
    int32_t *parents = malloc((size_t)n * sizeof *parents);
    struct tan_tree *tree = NULL;
    if (place == NULL || parents == NULL) {
        tan_fail_nomem(e);
    } else {
        for (int32_t i = 0; i < n; i++) {
            const int32_t parent = answer->parents[order[i]];
            place[order[i]] = i;
            parents[i] = parent < 0 ? -1 : place[parent];
        }
        tree = tan_tree_create(parents, n, names, e);
    }
    free(place);
    free(parents);
    return tree;
}

struct tan_tree *tan_answer_tree(const struct tan_answer *answer, struct tan_error *e)
{
    const int32_t n = answer->processes;
    int32_t *order = malloc(((size_t)n + 1) * sizeof *order);
    char **names = NULL;
    struct tan_tree *tree = NULL;
    int result = order == NULL ? tan_fail_nomem(e) : find_order(answer, order, e);
    if (result == 0 && answer->host != NULL) {
        names = name_processes(answer, order, e);
        result = names == NULL ? -1 : 0;
    }
    if (result == 0) {
        tree = create_tree(answer, order, (const char *const *)names, e);
    }
    for (int32_t i = 0; names != NULL && i < n; i++) {
        free(names[i]);
    }
    free(names);
    free(order);
    return tree;
}
