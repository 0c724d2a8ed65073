/* place.c - placement of a tree's nodes on hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/place.h"

#include <stdlib.h>

/* The nodes in depth-first order, so that subtrees are contiguous. */
static void depth_first(const struct tan_tree *tree, int32_t *order, int32_t *places)
{
    tan_tree_depth_first(tree, places);
    for (int32_t node = 0; node < tan_tree_size(tree); node++) {
        order[places[node]] = node;
    }
}

static bool fits_room(const struct tan_tree *tree, const struct tan_room *room)
{
    return tan_tree_size(tree) <= (int64_t)room->hosts * room->per_host;
}

/* State of filling hosts. */
struct filling {
    const struct tan_room *room;
    const int32_t *order; /* depth first */
    const int32_t *size;  /* processes in every subtree */
    int32_t *left;        /* free slots, per host */
    int32_t *first;       /* by size: no host before this one has that many free slots */
    int32_t last;         /* the host used last */
};

/* Take `used` slots of a host with at least `wanted` free ones, preferably the host used last. -1
 * if there is none. */
static int32_t take_room(struct filling *f, int32_t wanted, int32_t used)
{
    int32_t host = f->last;
    if (f->left[host] < wanted) {
        while (f->first[wanted] < f->room->hosts && f->left[f->first[wanted]] < wanted) {
            f->first[wanted]++;
        }
        host = f->first[wanted];
    }
    if (host == f->room->hosts) {
        return -1;
    }
    f->left[host] -= used;
    f->last = host;
    return host;
}

/* Place whole subtrees that fit on one host. A node above them is either placed already or, if
 * `room_above` != 0, put on a host with at least that many free slots, so that some of its children
 * can join it. */
static bool fill_hosts(const struct tan_tree *tree, struct filling *f, int32_t room_above,
                       int32_t *host)
{
    const int32_t n = tan_tree_size(tree);
    for (int32_t i = 0; i < n;) {
        const int32_t node = f->order[i];
        const bool whole = f->size[node] <= f->room->per_host;
        const int32_t together = whole ? f->size[node] : 1;
        int32_t taken = host[node];
        if (whole || room_above > 0) {
            taken = take_room(f, whole ? together : room_above, together);
        }
        if (taken < 0) {
            return false;
        }
        for (int32_t end = i + together; i < end; i++) {
            host[f->order[i]] = taken;
        }
    }
    return true;
}

/* Pack the nodes above these subtrees onto as few hosts as possible, starting near the root. */
static bool fill_top_first(const struct tan_tree *tree, struct filling *f, int32_t *host)
{
    for (int32_t node = 0; node < tan_tree_size(tree); node++) {
        if (f->size[node] > f->room->per_host && (host[node] = take_room(f, 1, 1)) < 0) {
            return false;
        }
    }
    return fill_hosts(tree, f, 0, host);
}

static void empty_hosts(struct filling *f)
{
    for (int32_t h = 0; h < f->room->hosts; h++) {
        f->left[h] = f->room->per_host;
    }
    for (int32_t size = 0; size <= f->room->per_host; size++) {
        f->first[size] = 0;
    }
    f->last = 0;
}

/* Place subtrees that fit on a host whole. Returns as struct tan_place says. */
static int place_subtrees(const struct tan_tree *tree, const struct tan_room *room, bool top_first,
                          int32_t *host)
{
    const int32_t n = tan_tree_size(tree);
    if (!fits_room(tree, room)) {
        return 0;
    }
    int32_t *space =
        calloc(2 * (size_t)n + (size_t)room->hosts + (size_t)room->per_host + 1, sizeof *space);
    if (space == NULL) {
        return -1;
    }
    int32_t *order = space;
    int32_t *size = order + n;
    struct filling f = {.room = room,
                        .order = order,
                        .size = size,
                        .left = size + n,
                        .first = size + n + room->hosts};
    /* Prefer more free slots beside a node: more of its children are then local. */
    const int32_t rooms[] = {room->per_host, room->per_host < 2 ? 1 : 2, 1};
    bool whole = false;
    depth_first(tree, order, size);
    tan_tree_subtree_sizes(tree, size);
    for (int i = 0; i < (top_first ? 1 : 3) && !whole; i++) {
        empty_hosts(&f);
        whole = top_first ? fill_top_first(tree, &f, host) : fill_hosts(tree, &f, rooms[i], host);
    }
    free(space);
    return whole;
}

static int place_depth(const struct tan_tree *tree, const struct tan_room *room, int32_t *host)
{
    if (!fits_room(tree, room)) {
        return 0;
    }
    tan_tree_depth_first(tree, host);
    for (int32_t node = 0; node < tan_tree_size(tree); node++) {
        host[node] /= room->per_host;
    }
    return 1;
}

static int place_leaves(const struct tan_tree *tree, const struct tan_room *room, int32_t *host)
{
    return place_subtrees(tree, room, false, host);
}

static int place_top(const struct tan_tree *tree, const struct tan_room *room, int32_t *host)
{
    return place_subtrees(tree, room, true, host);
}

/* Number of internal processes including the root. */
static int32_t inner_nodes(const struct tan_tree *tree)
{
    return tan_tree_size(tree) - tan_tree_leaves(tree);
}

/* Internal processes on hosts that leaves do not need, at most one for each, and evenly: the first
 * hosts, since the root is on the first. Leaves in blocks on the others. */
static int place_own(const struct tan_tree *tree, const struct tan_room *room, int32_t *host)
{
    const int32_t n = tan_tree_size(tree);
    const int32_t of_leaves = (tan_tree_leaves(tree) - 1) / room->per_host + 1; /* rounded up */
    const int32_t left = room->hosts - of_leaves;
    const int32_t own = left < inner_nodes(tree) ? left : inner_nodes(tree);
    if (own < 1) {
        return 0;
    }
    const int32_t each = (inner_nodes(tree) + own - 1) / own;
    if (each > room->per_host) {
        return 0;
    }
    int32_t *space = calloc(2 * (size_t)n, sizeof *space);
    if (space == NULL) {
        return -1;
    }
    int32_t inner = 0;
    int32_t leaves = 0;
    depth_first(tree, space, space + n);
    for (int32_t i = 0; i < n; i++) {
        const int32_t node = space[i];
        host[node] =
            tan_tree_fanout(tree, node) > 0 ? inner++ / each : own + leaves++ / room->per_host;
    }
    free(space);
    return 1;
}

static int place_block(const struct tan_tree *tree, const struct tan_room *room, int32_t *host)
{
    for (int32_t node = 0; fits_room(tree, room) && node < tan_tree_size(tree); node++) {
        host[node] = node / room->per_host;
    }
    return fits_room(tree, room);
}

static int place_cyclic(const struct tan_tree *tree, const struct tan_room *room, int32_t *host)
{
    for (int32_t node = 0; fits_room(tree, room) && node < tan_tree_size(tree); node++) {
        host[node] = node % room->hosts;
    }
    return fits_room(tree, room);
}

const struct tan_place tan_places[] = {
    {"depth", "depth first, host by host: subtrees on consecutive hosts", place_depth},
    {"leaves",
     "internal processes on the leaves' hosts: every subtree that fits on a host is on one, and "
     "those above wherever there is room",
     place_leaves},
    {"top",
     "every subtree that fits on a host is on one, and all processes above share as few hosts as "
     "hold them",
     place_top},
    {"own", "internal processes on hosts of their own, the first ones", place_own},
    {"block", "in the order of the nodes, host by host", place_block},
    {"cyclic", "in the order of the nodes, one to each host in turn", place_cyclic},
    {NULL, NULL, NULL},
};

int32_t tan_place_hosts(const int32_t *host, int32_t size, int32_t hosts)
{
    bool *used = calloc((size_t)hosts, sizeof *used);
    int32_t n = 0;
    if (used == NULL) {
        return -1;
    }
    for (int32_t i = 0; i < size; i++) {
        n += !used[host[i]];
        used[host[i]] = true;
    }
    free(used);
    return n;
}
