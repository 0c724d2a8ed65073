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
    const char *host;
    int64_t key;
    int32_t rank;
    int32_t taken; /* in a host's first place: how many of its ranks already have a node */
};

static int compare_places(const void *a, const void *b)
{
    const struct place *p = a;
    const struct place *q = b;
    int hosts = strcmp(p->host, q->host);
    return hosts ? hosts : (p->key > q->key) - (p->key < q->key);
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

/* Read a file with one host for each of `ranks` ranks. */
static int read_hosts(const char *map, int ranks, struct tan_hostfile *list, struct tan_error *e)
{
    char names[64];
    int result = 0;
    if (access(map, F_OK) < 0) {
        return tan_fail_usage(e, "--map: \"%s\" is neither a file nor one of %s", map,
                              tan_choice_list(TAN_CHOICES(words), names, sizeof names));
    }
    if (tan_hostfile_read(map, list, e) < 0) {
        return -1;
    }
    if (tan_hostfile_by_slot(list, map, e) < 0) {
        tan_hostfile_clear(list);
        return -1;
    }
    if (list->n > (size_t)ranks) {
        result = tan_fail_usage(e, "%s:%d: too many hosts: there are only %d ranks", map,
                                list->hosts[ranks].line, ranks);
    } else if (list->n < (size_t)ranks) {
        result = tan_fail_usage(e, "%s:%d: the file ends after %zu host%s, but there are %d ranks",
                                map, list->n > 0 ? list->hosts[list->n - 1].line : 1, list->n,
                                list->n == 1 ? "" : "s", ranks);
    }
    if (result) {
        tan_hostfile_clear(list);
    }
    return result;
}

int tan_rank_map_check(const char *map, int ranks, struct tan_error *e)
{
    struct tan_hostfile list;
    if (find_word(map) != NULL) {
        return 0;
    }
    if (read_hosts(map, ranks, &list, e) < 0) {
        return -1;
    }
    tan_hostfile_clear(&list);
    return 0;
}

/* The first place of host `name`, which may include its domain. `places` are sorted. */
static struct place *find_host(struct place *places, int32_t size, const char *name)
{
    char host[sizeof((struct peer *)0)->host];
    /* With its domain, then without. */
    for (int cut = 0; cut < 2; cut++) {
        size_t length = cut ? strcspn(name, ".") : strlen(name);
        int32_t low = 0;
        int32_t high = size;
        if (length >= sizeof host) {
            continue;
        }
        snprintf(host, sizeof host, "%.*s", (int)length, name);
        while (low < high) {
            int32_t middle = low + (high - low) / 2;
            if (strcmp(places[middle].host, host) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low < size && strcmp(places[low].host, host) == 0) {
            return &places[low];
        }
    }
    return NULL;
}

static int unknown_host(const char *map, int line, const char *name, const struct place *places,
                        int32_t size, struct tan_error *e)
{
    char known[400] = "";
    size_t used = 0;
    for (int32_t i = 0; i < size && used < sizeof known; i++) {
        if (i == 0 || strcmp(places[i].host, places[i - 1].host) != 0) {
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "",
                                     places[i].host);
        }
    }
    return tan_fail_usage(e, "%s:%d: this job has no ranks on \"%s\", only on %s%s", map, line,
                          name, known, used < sizeof known ? "" : "...");
}

static int order_by_file(const char *map, struct place *places, int32_t size, int32_t *order,
                         struct tan_error *e)
{
    struct tan_hostfile list;
    int result = 0;
    if (read_hosts(map, size, &list, e) < 0) {
        return -1;
    }
    for (int32_t node = 0; !result && node < size; node++) {
        const char *name = list.hosts[node].name;
        int line = list.hosts[node].line;
        struct place *host = find_host(places, size, name);
        if (host == NULL) {
            result = unknown_host(map, line, name, places, size, e);
            break;
        }
        struct place *next = host + host->taken++;
        if (next >= places + size || strcmp(next->host, host->host) != 0) {
            result = tan_fail_usage(e, "%s:%d: this job has only %d rank%s on %s", map, line,
                                    (int)(next - host), next - host == 1 ? "" : "s", host->host);
        } else if (node == 0 && next->rank != 0) {
            result = tan_fail_usage(e,
                                    "%s:%d: the first host must be that of the launcher's rank 0, "
                                    "which writes the results, not %s",
                                    map, line, name);
        } else {
            order[node] = next->rank;
        }
    }
    tan_hostfile_clear(&list);
    return result;
}

int tan_rank_map_order(const char *map, const struct peer *peers, int32_t size, int32_t *order,
                       struct tan_error *e)
{
    const struct word *word = find_word(map);
    struct place *places = calloc((size_t)size, sizeof *places);
    int result = 0;
    if (places == NULL) {
        return tan_fail_nomem(e);
    }
    for (int32_t i = 0; i < size; i++) {
        places[i] = (struct place){.host = word != NULL ? "" : peers[i].host,
                                   .key = word != NULL ? word->key(&peers[i], size) : i,
                                   .rank = i};
    }
    qsort(places, (size_t)size, sizeof *places, compare_places);
    if (word == NULL) {
        result = order_by_file(map, places, size, order, e);
    }
    for (int32_t i = 0; word != NULL && i < size; i++) {
        order[i] = places[i].rank;
    }
    free(places);
    return result;
}
