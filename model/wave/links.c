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

/* "L=TIME,slot=TIME,period=TIME" in any order; what is missing stays 0. */
static int parse_times(struct links *links, const char *text, struct tan_error *e)
{
    const struct {
        const char *name;
        double *time;
    } known[] = {{"L", &links->L}, {"slot", &links->slot}, {"period", &links->period}};
    enum { KNOWN = sizeof known / sizeof *known };
    char copy[64];
    char *rest = copy;

    snprintf(copy, sizeof copy, "%s", text);
    for (char *value; (value = strsep(&rest, ","));) {
        const char *name = strsep(&value, "=");
        int i = 0;
        while (i < KNOWN && strcmp(name, known[i].name) != 0) {
            i++;
        }
        if (i == KNOWN || !value || strlen(text) >= sizeof copy) {
            return tan_fail_usage(e,
                                  "--links must be L=TIME, such as L=300us, to which slot=TIME and "
                                  "period=TIME may be added, or a file, not \"%s\"",
                                  text);
        }
        if (tan_parse_duration("--links", value, known[i].time, e)) {
            return -1;
        }
        if (!(*known[i].time * 1e6 >= LEAST_US && *known[i].time * 1e6 <= MOST_US)) {
            return tan_fail_usage(e, "--links: %s must be from 1us to 1s, not %s", name, value);
        }
    }
    return links_on(links) ? 0 : tan_fail_usage(e, "--links needs L, as in L=300us");
}

static int load_times(struct links *links, const char *path, struct tan_error *e)
{
    json_t *document = tan_json_load(path, e);
    double L_us = 0;
    double slot_us = 0;
    double period_us = 0;

    if (!document) {
        return -1;
    }
    struct tan_json_at at = tan_json_begin(path, document);
    tan_json_ask(&at, "source"); /* for people */
    const bool read =
        !tan_json_schema(&at, "tan-links/1", e) &&
        !tan_json_required(&at, "L_us", tan_json_real(&at, "L_us", LEAST_US, MOST_US, &L_us, e),
                           e) &&
        tan_json_real(&at, "slot_us", LEAST_US, MOST_US, &slot_us, e) >= 0 &&
        tan_json_real(&at, "period_us", LEAST_US, MOST_US, &period_us, e) >= 0;
    tan_json_end(&at, read);
    json_decref(document);
    *links = (struct links){.L = L_us * 1e-6, .slot = slot_us * 1e-6, .period = period_us * 1e-6};
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

struct link_latency tan_links_ways(const struct links *links, const struct tan_tree *tree,
                                   const int32_t *leaves, int32_t node)
{
    struct link_latency way = {0, 0};

    for (; node > 0; node = tan_tree_parent(tree, node)) {
        const struct link_latency link = tan_links_latency(links, tree, leaves, node);
        way.down += link.down;
        way.up += link.up;
    }
    return way;
}

struct link_latency tan_links_longest(const struct links *links, const struct tan_tree *tree)
{
    const int32_t size = tan_tree_size(tree);
    struct link_latency *way = calloc((size_t)size, sizeof *way);
    int32_t *leaves = calloc((size_t)size, sizeof *leaves);
    struct link_latency longest = {NAN, NAN};

    if (way && leaves) {
        tan_tree_leaf_counts(tree, leaves);
        longest = (struct link_latency){0, 0};
        for (int32_t node = 1; node < size; node++) { /* parents come first */
            const struct link_latency link = tan_links_latency(links, tree, leaves, node);
            const struct link_latency *parent = &way[tan_tree_parent(tree, node)];
            way[node] = (struct link_latency){parent->down + link.down, parent->up + link.up};
            longest.down = fmax(longest.down, way[node].down);
            longest.up = fmax(longest.up, way[node].up);
        }
    }
    free(leaves);
    free(way);
    return longest;
}

double *tan_links_latencies(const struct links *links, const struct tan_tree *tree)
{
    const int32_t size = tan_tree_size(tree);
    double *half = calloc((size_t)size, sizeof *half);
    int32_t *leaves = calloc((size_t)size, sizeof *leaves);

    if (half && leaves) {
        tan_tree_leaf_counts(tree, leaves);
        for (int32_t node = 1; node < size && !links->one_way; node++) {
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
    if (links->one_way) {
        const struct link_latency longest = tan_links_longest(links, tree);
        return (longest.down + longest.up) / 2;
    }
    double *half = tan_links_latencies(links, tree);
    const struct tan_sites sites = {.latency = half};
    const double known = half ? tan_wave_time_at(&tan_models[0], &tiers, &sites, tree) : NAN;
    free(half);
    return known;
}

/* Instants at which processes act, one for each node on the way down, and one on the way up: of a
 * leaf the beginning of its turn, which is the same instant unless the ways are apart. */
static void find_instants(const struct links *links, const struct tan_tree *tree,
                          const int32_t *leaves, double *down, double *up)
{
    const int32_t size = tan_tree_size(tree);
    const double longest = links->one_way ? tan_links_longest(links, tree).up : 0;

    down[0] = 0;
    for (int32_t node = 1; node < size; node++) {
        down[node] =
            down[tan_tree_parent(tree, node)] + tan_links_latency(links, tree, leaves, node).down;
    }
    for (int32_t node = 0; node < size; node++) {
        const bool leaf = tan_tree_fanout(tree, node) == 0;
        up[node] = !leaf             ? 0
                   : !links->one_way ? down[node]
                                     : longest - tan_links_ways(links, tree, leaves, node).up;
    }
    for (int32_t node = size - 1; node > 0; node--) {
        const int32_t parent = tan_tree_parent(tree, node);
        const double due = up[node] + tan_links_latency(links, tree, leaves, node).up;
        up[parent] = fmax(up[parent], due);
    }
}

static int rising(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;

    return (*x > *y) - (*x < *y);
}

static double least_gap(double *instant, int32_t n)
{
    double least = INFINITY;

    qsort(instant, (size_t)n, sizeof *instant, rising);
    for (int32_t i = 1; i < n; i++) {
        least = fmin(least, instant[i] - instant[i - 1]);
    }
    return least;
}

double tan_links_apart(const struct links *links, const struct tan_tree *tree)
{
    const int32_t size = tan_tree_size(tree);
    double least = INFINITY;

    if (!links_on(links)) {
        return least;
    }
    double *down = calloc(2 * (size_t)size, sizeof *down);
    double *up = calloc((size_t)size, sizeof *up);
    int32_t *leaves = calloc((size_t)size, sizeof *leaves);
    if (down && up && leaves) {
        int32_t n = size;
        tan_tree_leaf_counts(tree, leaves);
        find_instants(links, tree, leaves, down, up);
        for (int32_t node = 0; node < size && !links->one_way; node++) {
            if (tan_tree_fanout(tree, node) > 0) {
                down[n++] = up[node];
            }
        }
        least = least_gap(down, n);
        least = links->one_way ? fmin(least, least_gap(up, size)) : least;
    } else {
        least = NAN;
    }
    free(leaves);
    free(up);
    free(down);
    return least;
}

/* 0 or -1; NULL entries are skipped. */
static int choose_slot(struct links *links, struct tan_tree *const *trees, int n,
                       struct tan_error *e)
{
    const int most = 1000; /* times 0.1 ms */

    for (int i = 1; i <= most && links->L >= LINKS_APART * (1 - 1e-6); i++) {
        double least = INFINITY;
        links->slot = i * 1e-4;
        for (int k = 0; k < n && least >= LINKS_APART * (1 - 1e-6); k++) {
            const double apart = trees[k] ? tan_links_apart(links, trees[k]) : INFINITY;
            if (isnan(apart)) {
                return tan_fail_nomem(e);
            }
            least = fmin(least, apart);
        }
        if (least >= LINKS_APART * (1 - 1e-6)) {
            return 0;
        }
    }
    return tan_fail_usage(e,
                          "--links: with L=%gus no slot up to 100ms keeps the processes of these "
                          "trees %g us apart: L must be 200us at least, or slot=TIME given",
                          links->L * 1e6, LINKS_APART * 1e6);
}

int tan_links_choose(struct links *links, struct tan_tree *const *trees, int n, struct tan_error *e)
{
    const double unit = 10e-3;
    double longest = 0;

    if (!links_on(links)) {
        return 0;
    }
    if (links->slot <= 0 && choose_slot(links, trees, n, e)) {
        return -1;
    }
    for (int k = 0; k < n; k++) {
        longest = trees[k] ? fmax(longest, 2 * tan_links_known(links, trees[k])) : longest;
    }
    longest *= links->one_way ? 2 : 1; /* for the margin before the agreed instant */
    if (links->period <= 0) {
        links->period = unit * ceil(longest / 0.9 / unit);
    } else if (links->period < longest) {
        return tan_fail_usage(e,
                              "--links: waves of these trees take %.3g ms and more: period=%gms "
                              "is too short",
                              longest * 1e3, links->period * 1e3);
    }
    return 0;
}
