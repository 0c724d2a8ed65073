/* rank_map.c - order of ranks: placement of trees' nodes on hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/rank_map.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "topo/hostfile.h"
#include "topo/names.h"

int32_t tan_peers_on(const struct peer *peers, int32_t ranks, int32_t host)
{
    int32_t n = 0;
    for (int32_t i = 0; i < ranks; i++) {
        n += peers[i].host_index == host;
    }
    return n;
}

/* A rank and its sort key. */
struct place {
    int64_t key;
    int32_t rank;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *p = a;
    const struct place *q = b;
    return (p->key > q->key) - (p->key < q->key);
}

static int64_t by_host(const struct peer *peer, int32_t size)
{
    return (int64_t)peer->host_index * size + peer->local;
}

static int64_t by_turns(const struct peer *peer, int32_t size)
{
    return (int64_t)peer->local * size + peer->host_index;
}

/* The other ranks on rank 0's host, which has index 0, come after all others. */
static int64_t by_turns_apart(const struct peer *peer, int32_t size)
{
    const bool last = peer->host_index == 0 && peer->local > 0;
    return by_turns(peer, size) + (last ? (int64_t)size * size : 0);
}

static const struct word {
    const char *name;
    int64_t (*key)(const struct peer *peer, int32_t size);
    bool by_depth;
} words[] = {{"block", by_host, false},
             {"depth", by_host, true},
             {"cyclic", by_turns, false},
             {"apart", by_turns_apart, false},
             {NULL, NULL, false}};

static const struct word *find_word(const char *map)
{
    const struct word *word = words;
    while (word->name != NULL && strcmp(word->name, map) != 0) {
        word++;
    }
    return word->name != NULL ? word : NULL;
}

bool tan_rank_map_is_file(const char *map)
{
    return find_word(map) == NULL;
}

bool tan_rank_map_by_depth(const char *map)
{
    const struct word *word = map != NULL ? find_word(map) : NULL;
    return word != NULL && word->by_depth;
}

/* --- files --- */

/* Read a file with one host for each of `ranks` ranks. The caller clears *list, zero before, also
 * on failure. */
static int read_hosts(const char *map, int ranks, struct tan_hostfile *list, struct tan_error *e)
{
    if (access(map, F_OK) < 0) {
        return tan_fail_usage(e, "--map: \"%s\" is neither a file nor one of %s", map,
                              tan_choice_list(TAN_CHOICES(words)).text);
    }
    if (tan_hostfile_read(map, list, e) < 0 || tan_hostfile_by_slot(list, map, e) < 0) {
        return -1;
    }
    if (list->n > (size_t)ranks) {
        return tan_fail_usage(e, "%s:%d: too many hosts: there are only %d ranks", map,
                              list->hosts[ranks].line, ranks);
    }
    if (list->n < (size_t)ranks) {
        return tan_fail_usage(e, "%s:%d: the file ends after %zu host%s, but there are %d ranks",
                              map, list->n > 0 ? list->hosts[list->n - 1].line : 1, list->n,
                              list->n == 1 ? "" : "s", ranks);
    }
    return 0;
}

int tan_rank_map_check(const char *map, int ranks, struct tan_error *e)
{
    struct tan_hostfile list = {.n = 0};
    const int result = find_word(map) != NULL ? 0 : read_hosts(map, ranks, &list, e);
    tan_hostfile_clear(&list);
    return result;
}

/* The ranks of each host, in the launcher's order: the next one that has no node yet; -1: none. */
struct hosts {
    struct tan_names *names; /* of hosts, by number */
    int32_t *next;           /* of each host */
    int32_t *behind;         /* of each rank, on the same host */
};

static int list_hosts(struct hosts *h, const struct peer *peers, int32_t size, struct tan_error *e)
{
    h->names = tan_names_create(e);
    h->next = calloc((size_t)size, sizeof *h->next);
    h->behind = calloc((size_t)size, sizeof *h->behind);
    if (h->names == NULL || h->next == NULL || h->behind == NULL) {
        return tan_fail_nomem(e);
    }
    for (int32_t rank = 0; rank < size; rank++) {
        if (tan_names_add(h->names, peers[rank].host, e) < 0) {
            return -1;
        }
    }
    memset(h->next, -1, (size_t)size * sizeof *h->next);
    for (int32_t rank = size - 1; rank >= 0; rank--) {
        int32_t *next = &h->next[tan_names_find(h->names, peers[rank].host)];
        h->behind[rank] = *next;
        *next = rank;
    }
    return 0;
}

/* The number of a host, whose name may include its domain; -1 if no rank is there. */
static int32_t find_host(const struct hosts *h, const char *name)
{
    const int32_t whole = tan_names_find(h->names, name);
    return whole >= 0
               ? whole
               : tan_names_find(h->names, tan_printed("%.*s", (int)strcspn(name, "."), name).text);
}

static int unknown_host(const char *map, int line, const char *name, const struct hosts *h,
                        struct tan_error *e)
{
    const char *const *names = tan_names_list(h->names);
    const struct tan_choices known = {names, sizeof *names, (size_t)tan_names_count(h->names)};
    return tan_fail_usage(e, "%s:%d: this job has no ranks on \"%s\", only on %s", map, line, name,
                          tan_choice_list(known).text);
}

static int order_by_file(const char *map, const struct peer *peers, int32_t size, int32_t *order,
                         struct tan_error *e)
{
    struct tan_hostfile list = {.n = 0};
    struct hosts h = {NULL, NULL, NULL};
    int result = read_hosts(map, size, &list, e) < 0 || list_hosts(&h, peers, size, e) < 0 ? -1 : 0;
    for (int32_t node = 0; !result && node < size; node++) {
        const char *name = list.hosts[node].name;
        const int line = list.hosts[node].line;
        const int32_t host = find_host(&h, name);
        const int32_t rank = host >= 0 ? h.next[host] : -1;
        if (host < 0) {
            result = unknown_host(map, line, name, &h, e);
        } else if (rank < 0) {
            result = tan_fail_usage(e, "%s:%d: this job has no further rank on %s", map, line,
                                    tan_names_list(h.names)[host]);
        } else if (node == 0 && rank != 0) {
            result = tan_fail_usage(e,
                                    "%s:%d: the first host must be that of the launcher's rank 0, "
                                    "which writes the results, not %s",
                                    map, line, name);
        } else {
            order[node] = rank;
            h.next[host] = h.behind[rank];
        }
    }
    tan_names_destroy(h.names);
    free(h.next);
    free(h.behind);
    tan_hostfile_clear(&list);
    return result;
}

int tan_rank_map_order(const char *map, const struct peer *peers, int32_t size, int32_t *order,
                       struct tan_error *e)
{
    const struct word *word = find_word(map);
    if (word == NULL) {
        return order_by_file(map, peers, size, order, e);
    }
    struct place *places = calloc((size_t)size, sizeof *places);
    if (places == NULL) {
        return tan_fail_nomem(e);
    }
    for (int32_t i = 0; i < size; i++) {
        places[i] = (struct place){.key = word->key(&peers[i], size), .rank = i};
    }
    qsort(places, (size_t)size, sizeof *places, compare_places);
    for (int32_t i = 0; i < size; i++) {
        order[i] = places[i].rank;
    }
    free(places);
    return 0;
}
