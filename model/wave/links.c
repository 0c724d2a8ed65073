/* links.c - links of known latency, of which messages are real
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/units.h"
#include "model/wave/wave.h"

/* Bounds of both times, in microseconds. */
#define LEAST_US 1.0
#define MOST_US  1e6

/* "L=TIME,slot=TIME" in either order; a slot that is missing stays 0. */
static int parse_times(struct links *links, const char *text, struct tan_error *e)
{
    char copy[64];
    char *rest = copy;
    bool slot_given = false;

    snprintf(copy, sizeof copy, "%s", text);
    for (char *value; (value = strsep(&rest, ","));) {
        const char *name = strsep(&value, "=");
        double *to = !strcmp(name, "L") ? &links->L : !strcmp(name, "slot") ? &links->slot : NULL;
        if (!to || !value || strlen(text) >= sizeof copy) {
            return tan_fail_usage(
                e,
                "--links must be L=TIME,slot=TIME or L=TIME, such as L=300us, or a file, "
                "not \"%s\"",
                text);
        }
        slot_given = slot_given || to == &links->slot;
        if (tan_parse_duration("--links", value, to, e)) {
            return -1;
        }
    }
    const double least = (slot_given ? fmin(links->L, links->slot) : links->L) * 1e6;
    const double most = fmax(links->L, links->slot) * 1e6;
    return least >= LEAST_US && most <= MOST_US
               ? 0
               : tan_fail_usage(e, "--links: L must be given, and L and slot be from 1us to 1s");
}

static int load_times(struct links *links, const char *path, struct tan_error *e)
{
    json_t *document = tan_json_load(path, e);
    double L_us = 0;
    double slot_us = 0;

    if (!document) {
        return -1;
    }
    struct tan_json_at at = tan_json_begin(path, document);
    tan_json_ask(&at, "source"); /* for people */
    const bool read =
        !tan_json_schema(&at, "tan-links/1", e) &&
        !tan_json_required(&at, "L_us", tan_json_real(&at, "L_us", LEAST_US, MOST_US, &L_us, e),
                           e) &&
        !tan_json_required(&at, "slot_us",
                           tan_json_real(&at, "slot_us", LEAST_US, MOST_US, &slot_us, e), e);
    tan_json_end(&at, read);
    json_decref(document);
    *links = (struct links){.L = L_us * 1e-6, .slot = slot_us * 1e-6};
    return read ? 0 : -1;
}

int tan_links_read(struct links *links, const char *text, struct tan_error *e)
{
    *links = (struct links){.L = 0};
    return strchr(text, '=') ? parse_times(links, text, e) : load_times(links, text, e);
}

struct link_latency tan_links_latency(const struct links *links, const struct tan_tree *tree,
                                      const int32_t *leaves, int32_t node)
{
    const int32_t parent = tan_tree_parent(tree, node);
    const int32_t *sibling = tan_tree_children(tree, parent);
    int32_t before = 0;

    for (; *sibling != node; sibling++) {
        before += leaves[*sibling];
    }
    const int32_t after = leaves[parent] - before - leaves[node];
    return (struct link_latency){.down = links->L + before * links->slot,
                                 .up = links->L + after * links->slot};
}

double *tan_links_latencies(const struct links *links, const struct tan_tree *tree)
{
    const int32_t size = tan_tree_size(tree);
    double *half = calloc((size_t)size, sizeof *half);
    int32_t *leaves = calloc((size_t)size, sizeof *leaves);

    if (half && leaves) {
        tan_tree_leaf_counts(tree, leaves);
        for (int32_t node = 1; node < size; node++) {
            const struct link_latency both = tan_links_latency(links, tree, leaves, node);
            half[node] = (both.down + both.up) / 2;
        }
    } else {
        free(half);
        half = NULL;
    }
    free(leaves);
    return half;
}

double tan_links_known(const struct links *links, const struct tan_tree *tree)
{
    const struct tan_params none = {.n_draws = 0}; /* processes that take no time */
    const struct tan_tiers tiers = tan_tiers_of(&none);

    if (!links_on(links)) {
        return 0;
    }
    double *half = tan_links_latencies(links, tree);
    const struct tan_sites sites = {.latency = half};
    const double known = half ? tan_wave_time_at(&tan_models[0], &tiers, &sites, tree) : NAN;
    free(half);
    return known;
}

/* Instants at which processes act, in the order of the nodes: down, then up, of which leaves have
 * one only. Returns how many. */
static int32_t instants(const struct links *links, const struct tan_tree *tree,
                        const int32_t *leaves, double *down, double *up)
{
    const int32_t size = tan_tree_size(tree);
    int32_t n = size;

    down[0] = 0;
    for (int32_t node = 1; node < size; node++) {
        down[node] =
            down[tan_tree_parent(tree, node)] + tan_links_latency(links, tree, leaves, node).down;
    }
    for (int32_t node = 0; node < size; node++) {
        up[node] = tan_tree_fanout(tree, node) > 0 ? 0 : down[node];
    }
    for (int32_t node = size - 1; node > 0; node--) {
        const int32_t parent = tan_tree_parent(tree, node);
        const double due = up[node] + tan_links_latency(links, tree, leaves, node).up;
        up[parent] = fmax(up[parent], due);
    }
    for (int32_t node = 0; node < size; node++) {
        if (tan_tree_fanout(tree, node) > 0) {
            down[n++] = up[node];
        }
    }
    return n;
}

static int rising(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;

    return (*x > *y) - (*x < *y);
}

double tan_links_apart(const struct links *links, const struct tan_tree *tree)
{
    const size_t size = (size_t)tan_tree_size(tree);
    double least = INFINITY;

    if (!links_on(links)) {
        return least;
    }
    double *instant = calloc(2 * size, sizeof *instant);
    double *up = calloc(size, sizeof *up);
    int32_t *leaves = calloc(size, sizeof *leaves);
    if (instant && up && leaves) {
        tan_tree_leaf_counts(tree, leaves);
        const int32_t n = instants(links, tree, leaves, instant, up);
        qsort(instant, (size_t)n, sizeof *instant, rising);
        for (int32_t i = 1; i < n; i++) {
            least = fmin(least, instant[i] - instant[i - 1]);
        }
    } else {
        least = NAN;
    }
    free(leaves);
    free(up);
    free(instant);
    return least;
}

int tan_links_choose_slot(struct links *links, struct tan_tree *const *trees, int n,
                          struct tan_error *e)
{
    const int most = 1000; /* times 0.1 ms */
    bool apart = false;

    for (int i = 1; i <= most && !apart; i++) {
        links->slot = i * 1e-4;
        apart = true;
        for (int k = 0; k < n && apart; k++) {
            const double least = trees[k] ? tan_links_apart(links, trees[k]) : INFINITY;
            if (isnan(least)) {
                return tan_fail_nomem(e);
            }
            apart = least >= LINKS_APART * (1 - 1e-6);
        }
    }
    return 0;
}
