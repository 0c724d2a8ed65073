/* trace_patterns.c - rules that say with whom ranks exchange messages, whatever their number
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/growth/trace_patterns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void trace_peers_add(struct trace_peers *p, uint32_t rank, bool turned)
{
    if (p->n == p->room) {
        const uint32_t room = 2 * p->room + 16;
        struct trace_peer *more = realloc(p->list, room * sizeof *more);
        if (more == NULL) {
            p->failed = true;
            return;
        }
        p->list = more;
        p->room = room;
    }
    p->list[p->n++] = (struct trace_peer){rank, turned};
}

static uint32_t size_of(const struct trace_pattern *p, bool grown)
{
    return p->layout->size * (grown ? p->layout->copies : 1);
}

/* Whether ranks that are numbered in a row stand in the same order in the larger job. */
static bool is_row(const struct trace_layout *l)
{
    return l->n == 1 || l->grows == 0;
}

/* Grids: every rank sends along the same vectors, where there is a rank. A row is a grid of one
 * dimension. */

static bool wraps(const struct trace_pattern *p, int dimension)
{
    return (p->rule->wraps >> dimension & 1) != 0;
}

/* The shortest way from `from` to `to`; of two equal ones the one upwards. */
static void way(const struct trace_pattern *p, uint32_t from, uint32_t to, int32_t *vector)
{
    const struct trace_layout *l = p->layout;
    uint32_t a[TRACE_DIMENSIONS];
    uint32_t b[TRACE_DIMENSIONS];
    trace_layout_place(l, false, from, a);
    trace_layout_place(l, false, to, b);
    for (int d = 0; d < TRACE_DIMENSIONS; d++) {
        vector[d] = d < l->n ? (int32_t)b[d] - (int32_t)a[d] : 0;
        if (d < l->n && wraps(p, d)) {
            const int32_t extent = (int32_t)l->extent[d];
            vector[d] -= 2 * vector[d] > extent ? extent : 0;
            vector[d] += 2 * vector[d] <= -extent ? extent : 0;
        }
    }
}

/* Where the vector, or its opposite, leads; false: out of the grid. */
static bool go(const struct trace_pattern *p, bool grown, uint32_t from, const int32_t *vector,
               int sign, uint32_t *to)
{
    const struct trace_layout *l = p->layout;
    uint32_t at[TRACE_DIMENSIONS];
    trace_layout_place(l, grown, from, at);
    for (int d = 0; d < l->n; d++) {
        const int64_t extent = trace_layout_extent(l, grown, d);
        int64_t x = (int64_t)at[d] + (int64_t)sign * vector[d];
        if (wraps(p, d)) {
            x = (x + extent) % extent;
        }
        if (x < 0 || x >= extent) {
            return false;
        }
        at[d] = (uint32_t)x;
    }
    *to = trace_layout_rank(l, grown, at);
    return true;
}

static bool has_vector(const struct trace_pattern *p, const int32_t *vector)
{
    for (uint32_t i = 0; i < p->n; i++) {
        if (memcmp(p->vector[i], vector, sizeof p->vector[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Along a diagonal of dimensions of 2 a vector leads from one rank only: any messages would fit. */
static bool is_diagonal(const struct trace_layout *l, const int32_t *vector)
{
    int n = 0;
    bool shortest = false;
    for (int d = 0; d < l->n; d++) {
        n += vector[d] != 0;
        shortest = shortest || (vector[d] != 0 && l->extent[d] == 2);
    }
    return n > 1 && shortest;
}

/* Collect the vectors, none of which is longer than `longest` in any dimension, at most `most`. */
static bool find_vectors(const struct trace_group *g, struct trace_pattern *p, int32_t longest,
                         uint32_t most)
{
    for (uint32_t i = 0; i < g->n; i++) {
        int32_t vector[TRACE_DIMENSIONS];
        if (g->edge[i].from == g->edge[i].to) {
            continue;
        }
        way(p, g->edge[i].from, g->edge[i].to, vector);
        for (int d = 0; d < TRACE_DIMENSIONS; d++) {
            if (vector[d] > longest || vector[d] < -longest) {
                return false;
            }
        }
        if (!has_vector(p, vector)) {
            if (p->n == most || is_diagonal(p->layout, vector)) {
                return false;
            }
            memcpy(p->vector[p->n++], vector, sizeof vector);
        }
    }
    return p->n > 0;
}

/* Whether vectors go forwards and, at the end, backwards to the same rank of a ring. */
static bool closes(const struct trace_pattern *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        const int32_t back[TRACE_DIMENSIONS] = {p->vector[i][0] - (int32_t)p->layout->size};
        if (has_vector(p, back)) {
            return true;
        }
    }
    return false;
}

/* Where ranks send to all others it is all-to-all. */
static uint32_t most_vectors(const struct trace_pattern *p)
{
    const uint32_t size = p->layout->size;
    const uint32_t most = size < 4 ? size : size - 2;
    return most < TRACE_VECTORS ? most : TRACE_VECTORS;
}

/* Of two ranks nobody knows: both ends are neighbours either way. */
static bool find_row(const struct trace_group *g, struct trace_pattern *p)
{
    return p->layout->n == 1 && find_vectors(g, p, INT32_MAX, most_vectors(p)) &&
           (p->layout->size == 2 || !closes(p));
}

/* The last dimensions of a grid may close or not: of two, one can close and the other not. */
static bool find_grid(const struct trace_group *g, struct trace_pattern *p)
{
    const unsigned all = (1u << p->layout->n) - 1;
    const bool fits = p->rule->wraps == 7 || p->rule->wraps < all;
    return p->layout->kind == TRACE_GRID && p->layout->n > 1 && fits &&
           find_vectors(g, p, 1, most_vectors(p));
}

static void send_vectors(const struct trace_pattern *p, bool grown, uint32_t rank,
                         struct trace_peers *to)
{
    uint32_t peer;
    for (uint32_t i = 0; i < p->n; i++) {
        if (go(p, grown, rank, p->vector[i], 1, &peer)) {
            trace_peers_add(to, peer, false);
        }
    }
}

/* Receives come along the way that their sender takes. */
static void grow_vectors(const struct trace_pattern *p, const struct trace_step *step,
                         struct trace_peers *to)
{
    int32_t vector[TRACE_DIMENSIONS];
    uint32_t peer;
    way(p, step->receives ? step->peer : step->origin, step->receives ? step->origin : step->peer,
        vector);
    if (go(p, true, step->rank, vector, step->receives ? -1 : 1, &peer)) {
        trace_peers_add(to, peer, false);
    }
}

/* All-to-all: messages to the d-th rank further on are those to d, d + size, d + 2 size... ; those
 * to ranks that follow the same traced rank as the sender, to which there was none, stand behind
 * those of the last d. */

static bool find_all(const struct trace_group *g, struct trace_pattern *p)
{
    return g->n + 1 >= p->layout->size && p->layout->size > 1;
}

static void send_all(const struct trace_pattern *p, bool grown, uint32_t rank,
                     struct trace_peers *to)
{
    for (uint32_t i = 0; i < size_of(p, grown); i++) {
        if (i != rank) {
            trace_peers_add(to, i, false);
        }
    }
}

static void grow_all(const struct trace_pattern *p, const struct trace_step *step,
                     struct trace_peers *to)
{
    const uint64_t size = p->layout->size;
    const uint64_t grown = size_of(p, true);
    const uint64_t d = (size + (step->receives ? step->origin : step->peer) -
                        (step->receives ? step->peer : step->origin)) %
                       size;
    for (uint64_t at = d; at < grown; at += size) {
        const uint64_t last = d == size - 1 && at + 1 < grown ? at + 1 : at;
        for (uint64_t i = at; i <= last; i++) {
            const uint64_t peer = (step->rank + (step->receives ? grown - i : i)) % grown;
            trace_peers_add(to, (uint32_t)peer, false);
        }
    }
}

/* A root and all others. */

static bool find_root(const struct trace_group *g, struct trace_pattern *p, uint32_t root)
{
    p->root = root;
    p->up = p->down = false;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct trace_edge *edge = &g->edge[i];
        p->up = p->up || edge->to == root;
        p->down = p->down || edge->from == root;
        if (edge->from != edge->to && edge->to != root && edge->from != root) {
            return false;
        }
    }
    return p->up || p->down;
}

/* Of two ranks rank 0 is the root. */
static bool find_star(const struct trace_group *g, struct trace_pattern *p)
{
    for (uint32_t i = 0; i < g->n; i++) {
        const struct trace_edge *edge = &g->edge[i];
        const uint32_t first = edge->from < edge->to ? edge->from : edge->to;
        const uint32_t last = edge->from < edge->to ? edge->to : edge->from;
        if (first != last) {
            return find_root(g, p, first) || find_root(g, p, last);
        }
    }
    return false;
}

/* The root's own number in the larger job: there it is once. */
static uint32_t root_of(const struct trace_pattern *p, bool grown)
{
    return grown ? p->followers->list[p->followers->start[p->root]] : p->root;
}

static void send_star(const struct trace_pattern *p, bool grown, uint32_t rank,
                      struct trace_peers *to)
{
    const uint32_t root = root_of(p, grown);
    if (rank == root && p->down) {
        send_all(p, grown, rank, to);
    } else if (rank != root && p->up) {
        trace_peers_add(to, root, false);
    }
}

static void grow_star(const struct trace_pattern *p, const struct trace_step *step,
                      struct trace_peers *to)
{
    const uint32_t *start = &p->followers->start[step->peer];
    if (step->origin != p->root) {
        trace_peers_add(to, root_of(p, true), false);
        return;
    }
    for (uint32_t i = start[0]; i < start[1]; i++) {
        trace_peers_add(to, p->followers->list[i], false);
    }
}

/* Pairs r and r xor m: a butterfly has m = 1, 2, 4... up to half the ranks. */

static bool is_power_of_2(uint32_t x)
{
    return x > 0 && (x & (x - 1)) == 0;
}

/* Whether the messages between distances p/2 and the next smaller one come in falling order. */
static bool falls(const struct trace_group *g, uint32_t far, uint32_t near)
{
    const struct trace_edge *a = trace_group_edge(g, 0, far);
    const struct trace_edge *b = trace_group_edge(g, 0, near);
    a = a == NULL ? trace_group_edge(g, far, 0) : a;
    b = b == NULL ? trace_group_edge(g, near, 0) : b;
    return a != NULL && b != NULL && a->order < b->order;
}

uint64_t trace_group_distances(const struct trace_group *g)
{
    uint64_t distances = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const uint32_t distance = g->edge[i].from ^ g->edge[i].to;
        if (distance != 0 && !is_power_of_2(distance)) {
            return 0;
        }
        distances |= distance;
    }
    return distances;
}

/* `distances` has those of all tags of the communicator: rounds may have their own ones. */
static bool find_butterfly(const struct trace_group *g, struct trace_pattern *p)
{
    const uint32_t size = p->layout->size;
    const uint64_t all = p->distances;
    p->distances = trace_group_distances(g);
    p->falling = size > 2 && falls(g, size / 2, 1);
    return is_row(p->layout) && is_power_of_2(size) && p->distances != 0 && all == size - 1;
}

static void send_pairs(const struct trace_pattern *p, bool grown, uint32_t rank,
                       struct trace_peers *to)
{
    const uint32_t half = p->layout->size / 2;
    for (uint64_t m = 1; m < size_of(p, grown); m *= 2) {
        if ((p->distances & (m < half ? m : half)) != 0) {
            trace_peers_add(to, rank ^ (uint32_t)m, false);
        }
    }
}

/* The larger job has further rounds behind the one with the largest distance, or before it where
 * distances fall. */
static void grow_butterfly(const struct trace_pattern *p, const struct trace_step *step,
                           struct trace_peers *to)
{
    const uint32_t m = step->origin ^ step->peer;
    const uint32_t half = p->layout->size / 2;
    const uint32_t most = m < half ? m : size_of(p, true) / 2;
    if (p->falling) {
        for (uint32_t i = most; i >= m; i /= 2) {
            trace_peers_add(to, step->rank ^ i, false);
        }
        return;
    }
    for (uint64_t i = m; i <= most; i *= 2) {
        trace_peers_add(to, step->rank ^ (uint32_t)i, false);
    }
}

/* Pairs that are no round of a butterfly are copied with the ranks. */
static bool find_pairs(const struct trace_group *g, struct trace_pattern *p)
{
    const uint32_t size = p->layout->size;
    const bool butterfly = is_power_of_2(size) && p->distances == size - 1;
    p->distances = trace_group_distances(g);
    return is_row(p->layout) && p->distances != 0 && !butterfly;
}

static void send_fixed_pairs(const struct trace_pattern *p, bool grown, uint32_t rank,
                             struct trace_peers *to)
{
    for (uint32_t m = 1; m < size_of(p, grown); m *= 2) {
        if ((p->distances & m) != 0 && (rank ^ m) < size_of(p, grown)) {
            trace_peers_add(to, rank ^ m, false);
        }
    }
}

static void grow_pairs(const struct trace_pattern *p, const struct trace_step *step,
                       struct trace_peers *to)
{
    (void)p;
    trace_peers_add(to, step->rank ^ step->origin ^ step->peer, false);
}

/* Binomial trees: the parent of r is r without its lowest bit. A rank whose number is a multiple of
 * the traced ranks' follows rank 0, which has no parent: the message with the parent stands where
 * it would be, behind what comes from the children, or before what goes to them. */

static uint32_t lowest_bit(uint32_t x)
{
    return x & (~x + 1);
}

static bool find_binomial(const struct trace_group *g, struct trace_pattern *p)
{
    const uint32_t size = p->layout->size;
    for (uint32_t i = 0; i < g->n; i++) {
        const uint32_t from = g->edge[i].from;
        const uint32_t to = g->edge[i].to;
        const bool up = from > to && from - lowest_bit(from) == to;
        const bool down = to > from && to - lowest_bit(to) == from;
        p->up = p->up || up;
        p->down = p->down || down;
        if (from != to && !up && !down) {
            return false;
        }
    }
    p->falling = size > 2 && falls(g, size / 2, 1);
    /* two ways with one tag: a rank that follows rank 0 has no place for its parent's messages */
    return is_row(p->layout) && size > 2 && is_power_of_2(size) && p->up != p->down;
}

/* Whether a rank has a child at this distance. */
static bool has_child(const struct trace_pattern *p, bool grown, uint32_t rank, uint64_t distance)
{
    return (rank == 0 || distance < lowest_bit(rank)) && rank + distance < size_of(p, grown);
}

static void send_binomial(const struct trace_pattern *p, bool grown, uint32_t rank,
                          struct trace_peers *to)
{
    if (p->up && rank != 0) {
        trace_peers_add(to, rank - lowest_bit(rank), false);
    }
    for (uint64_t m = 1; p->down && has_child(p, grown, rank, m); m *= 2) {
        trace_peers_add(to, rank + (uint32_t)m, false);
    }
}

static void add_parent(const struct trace_pattern *p, const struct trace_step *step, uint32_t m,
                       struct trace_peers *to)
{
    const uint32_t half = p->layout->size / 2;
    const uint32_t first = p->falling ? half : 1;
    const uint32_t last = p->falling ? 1 : half;
    if (step->rank != 0 && m == (p->up ? last : first)) {
        trace_peers_add(to, step->rank - lowest_bit(step->rank), true);
    }
}

static void add_children(const struct trace_pattern *p, const struct trace_step *step, uint32_t m,
                         struct trace_peers *to)
{
    uint64_t most = m;
    while (m >= p->layout->size / 2 && has_child(p, true, step->rank, 2 * most)) {
        most *= 2;
    }
    for (uint64_t i = p->falling ? most : m; i >= m && i <= most; i = p->falling ? i / 2 : 2 * i) {
        trace_peers_add(to, step->rank + (uint32_t)i, false);
    }
}

static void grow_binomial(const struct trace_pattern *p, const struct trace_step *step,
                          struct trace_peers *to)
{
    if (step->origin != 0) {
        trace_peers_add(to, step->rank - step->origin + step->peer, false);
        return;
    }
    if (p->down) {
        add_parent(p, step, step->peer, to);
    }
    add_children(p, step, step->peer, to);
    if (p->up) {
        add_parent(p, step, step->peer, to);
    }
}

/* Binary trees: the children of r are 2 r + 1 and 2 r + 2. */

static bool find_heap(const struct trace_group *g, struct trace_pattern *p)
{
    for (uint32_t i = 0; i < g->n; i++) {
        const uint32_t from = g->edge[i].from;
        const uint32_t to = g->edge[i].to;
        const bool up = from > 0 && (from - 1) / 2 == to;
        const bool down = to > 0 && (to - 1) / 2 == from;
        p->up = p->up || up;
        p->down = p->down || down;
        if (from != to && !up && !down) {
            return false;
        }
    }
    return p->layout->kind == TRACE_HEAP && (p->up || p->down);
}

static void send_heap(const struct trace_pattern *p, bool grown, uint32_t rank,
                      struct trace_peers *to)
{
    if (p->up && rank > 0) {
        trace_peers_add(to, (rank - 1) / 2, false);
    }
    for (uint64_t child = 2 * (uint64_t)rank + 1;
         p->down && child < size_of(p, grown) && child <= 2 * (uint64_t)rank + 2; child++) {
        trace_peers_add(to, (uint32_t)child, false);
    }
}

static void grow_heap(const struct trace_pattern *p, const struct trace_step *step,
                      struct trace_peers *to)
{
    (void)p;
    trace_peers_add(to,
                    step->peer < step->origin ? (step->rank - 1) / 2
                                              : 2 * step->rank + step->peer - 2 * step->origin,
                    false);
}

/* Copies: the traced ranks once, and again, and so on. */

static bool find_copies(const struct trace_group *g, struct trace_pattern *p)
{
    (void)g;
    return p->layout->kind == TRACE_GRID && p->layout->n == 1 && p->layout->ends == 0;
}

static void grow_copies(const struct trace_pattern *p, const struct trace_step *step,
                        struct trace_peers *to)
{
    (void)p;
    trace_peers_add(to, step->rank - step->origin + step->peer, false);
}

static const struct trace_rule copies = {
    "copies", "within each copy of the traced ranks", 0, find_copies, NULL, grow_copies};
const struct trace_rule *const trace_rule_copies = &copies;

#define VECTORS find_row, send_vectors, grow_vectors
#define GRID    find_grid, send_vectors, grow_vectors
const struct trace_rule trace_rules[] = {
    {"ring", "r + d, the last ranks to the first ones", 1, VECTORS},
    {"line", "r + d where there is such a rank", 0, VECTORS},
    {"grid", "neighbours in 2 or 3 dimensions", 0, GRID},
    {"torus", "neighbours in 2 or 3 dimensions that close to rings", 7, GRID},
    {"cylinder", "neighbours in dimensions of which some close to rings", 1, GRID},
    {"cylinder", NULL, 2, GRID},
    {"cylinder", NULL, 3, GRID},
    {"cylinder", NULL, 4, GRID},
    {"cylinder", NULL, 5, GRID},
    {"cylinder", NULL, 6, GRID},
    {"all-to-all", "all other ranks", 0, find_all, send_all, grow_all},
    {"root", "one rank and all others", 0, find_star, send_star, grow_star},
    {"butterfly", "r xor 1, 2, 4...; the larger job has further rounds", 0, find_butterfly,
     send_pairs, grow_butterfly},
    {"binomial", "the parent of r is r without its lowest bit", 0, find_binomial, send_binomial,
     grow_binomial},
    {"binary-tree", "the children of r are 2 r + 1 and 2 r + 2", 0, find_heap, send_heap,
     grow_heap},
    {"pairs", "r xor a power of 2, as traced", 0, find_pairs, send_fixed_pairs, grow_pairs},
    {.name = NULL},
};

/* Sets of peers are the same where the sums of their hashes are. */
static uint64_t hash(uint64_t x)
{
    x = (x + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ (x >> 31);
}

static bool gives_peers(const struct trace_pattern *p, const struct trace_group *g, uint32_t rank,
                        struct trace_peers *to)
{
    uint64_t wanted = 0;
    uint64_t there = 0;
    to->n = 0;
    p->rule->sends(p, false, rank, to);
    for (uint32_t i = 0; i < to->n; i++) {
        wanted += hash(to->list[i].rank);
    }
    for (uint32_t i = g->sent[rank]; i < g->sent[rank + 1]; i++) {
        there += g->edge[i].to == rank || g->edge[i].sends == 0 ? 0 : hash(g->edge[i].to);
    }
    return wanted == there;
}

bool trace_pattern_find(const struct trace_rule *rule, const struct trace_group *g,
                        const struct trace_layout *layout, const struct trace_followers *followers,
                        uint64_t distances, struct trace_pattern *p, struct trace_peers *scratch,
                        uint32_t *rank)
{
    *p = (struct trace_pattern){
        .rule = rule, .layout = layout, .followers = followers, .distances = distances};
    if (!rule->find(g, p)) {
        return false;
    }
    for (uint32_t r = 0; rule->sends != NULL && r < g->size; r++) {
        if (!gives_peers(p, g, r, scratch)) {
            *rank = r > *rank ? r : *rank;
            return false;
        }
    }
    return true;
}

static const char *vectors_text(const struct trace_pattern *p, char *buffer, size_t size)
{
    size_t used = 0;
    for (uint32_t i = 0; i < p->n && used + 1 < size; i++) {
        used += (size_t)snprintf(buffer + used, size - used, "%s", i > 0 ? ", " : "");
        for (int d = 0; d < p->layout->n && used + 1 < size; d++) {
            used += (size_t)snprintf(buffer + used, size - used, "%s%+" PRId32, d > 0 ? "/" : "",
                                     p->vector[i][d]);
        }
    }
    return buffer;
}

const char *trace_pattern_text(const struct trace_pattern *p, char *buffer, size_t size)
{
    buffer[0] = '\0';
    if (p->n > 0) {
        return vectors_text(p, buffer, size);
    }
    if (p->rule->find == find_star) {
        snprintf(buffer, size, "%s%s%" PRIu32, p->up ? "to " : "",
                 p->down ? (p->up ? "and from " : "from ") : "", p->root);
    } else if (p->up || p->down) {
        snprintf(buffer, size, "%s%s", p->up ? "to parents" : "",
                 p->down ? (p->up ? " and children" : "to children") : "");
    } else if (p->distances > 0 && p->rule->find == find_butterfly) {
        snprintf(buffer, size, p->falling ? "largest distance first" : "smallest distance first");
    }
    return buffer;
}

const char *trace_rules_text(char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (const struct trace_rule *rule = trace_rules; rule->name != NULL; rule++) {
        const size_t used = strlen(buffer);
        snprintf(buffer + used, size - used, "%s%s", rule->meaning == NULL ? "" : rule->name,
                 rule->meaning == NULL ? "" : ", ");
    }
    const size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s", copies.name);
    return buffer;
}
