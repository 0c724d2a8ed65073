/* host_files.c - files of hosts and their racks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of_hosts(const struct host_files *files)
{
    return tan_hostfile_source(files->hosts, "--hosts");
}

/* Hosts by rack: of the highest level first, and of one rack as in the file. */
static int compare_racks(const void *left, const void *right, void *context)
{
    const struct tan_racks *racks = context;
    const int32_t a = *(const int32_t *)left;
    const int32_t b = *(const int32_t *)right;
    for (int level = TAN_RACK_LEVELS - 1; level >= 0; level--) {
        const int32_t *rack = racks->rack[level];
        if (rack != NULL && rack[a] != rack[b]) {
            return rack[a] < rack[b] ? -1 : 1;
        }
    }
    return (a > b) - (a < b);
}

/* Read the racks of the hosts, and sort both by rack. */
static int read_racks(const struct host_files *files, struct host_room *room, struct tan_error *e)
{
    const size_t n = room->hosts.n;
    struct tan_racks *racks = &room->room.racks;
    struct tan_listed_host *given = calloc(n, sizeof *given);
    const char **names = calloc(n, sizeof *names);
    int32_t *order = calloc(2 * n, sizeof *order);
    int32_t *sorted = order + n;
    int result = given == NULL || names == NULL || order == NULL ? tan_fail_nomem(e) : 0;
    for (size_t h = 0; h < n && result == 0; h++) {
        given[h] = room->hosts.hosts[h];
        names[h] = given[h].name;
        order[h] = (int32_t)h;
    }
    result = result < 0 ? -1 : tan_racks_read(files->racks, names, (int32_t)n, racks, e);
    if (result == 0) {
        qsort_r(order, n, sizeof *order, compare_racks, racks);
        for (size_t h = 0; h < n; h++) {
            room->hosts.hosts[h] = given[order[h]];
        }
    }
    for (int level = 0; level < TAN_RACK_LEVELS && racks->rack[level] != NULL; level++) {
        for (size_t h = 0; h < n; h++) {
            sorted[h] = racks->rack[level][order[h]];
        }
        memcpy(racks->rack[level], sorted, n * sizeof *sorted);
    }
    free(order);
    free(names);
    free(given);
    return result;
}

/* Processes per host: --ranks-per-host, for which every host needs enough slots, or without it the
 * slots, of which all hosts need the same number. -1 on failure. */
static int64_t find_per_host(const struct host_files *files, const struct tan_hostfile *list,
                             struct tan_error *e)
{
    const struct tan_listed_host *first = &list->hosts[0];
    const int64_t wanted = files->per_host;
    if (wanted == 0 && first->slots == 0) {
        return tan_fail_usage(e,
                              "--hosts needs --ranks-per-host K: how many processes each of them "
                              "holds; %s does not say it (c1 slots=4)",
                              name_of_hosts(files));
    }
    for (size_t h = 0; h < list->n; h++) {
        const struct tan_listed_host *host = &list->hosts[h];
        if (wanted == 0 && host->slots != first->slots) {
            return tan_fail_at(e, name_of_hosts(files), host->line, 0,
                               "\"%s\" has %" PRId32 " slots and \"%s\" %" PRId32
                               ": say with --ranks-per-host how many each host is to use",
                               host->name, host->slots, first->name, first->slots);
        }
        if (host->slots > 0 && wanted > host->slots) {
            return tan_fail_at(e, name_of_hosts(files), host->line, 0,
                               "\"%s\" has %" PRId32 " slots, fewer than --ranks-per-host %" PRId64,
                               host->name, host->slots, wanted);
        }
    }
    return wanted > 0 ? wanted : first->slots;
}

/* Every host once. */
static int read_once(const struct host_files *files, struct tan_hostfile *list, struct tan_error *e)
{
    return tan_hostfile_given(files->hosts, "--hosts", list, e) < 0
               ? -1
               : tan_hostfile_once(list, name_of_hosts(files), e);
}

static int read_room(const struct host_files *files, struct host_room *out, struct tan_error *e)
{
    if (read_once(files, &out->hosts, e) < 0) {
        return -1;
    }
    const int64_t per_host = find_per_host(files, &out->hosts, e);
    if (per_host < 0) {
        return -1;
    }
    const size_t n = out->hosts.n;
    const int64_t ranks = (int64_t)n * per_host;
    if (ranks > TAN_TREE_MAX_NODES) {
        return tan_fail_at(e, name_of_hosts(files), 0, 0,
                           "with --ranks-per-host it must hold 1 to %" PRId32
                           " processes, not %" PRId64,
                           TAN_TREE_MAX_NODES, ranks);
    }
    out->room = (struct tan_room){.hosts = (int32_t)n, .per_host = (int32_t)per_host};
    return files->racks != NULL ? read_racks(files, out, e) : 0;
}

int tan_host_room_read(const struct host_files *files, struct host_room *out, struct tan_error *e)
{
    *out = (struct host_room){.hosts = {0}};
    const int result = read_room(files, out, e);
    if (result < 0) {
        tan_host_room_clear(out);
    }
    return result;
}

int tan_host_list_read(const struct host_files *files, bool ranks, struct tan_hostfile *list,
                       struct tan_error *e)
{
    if (!ranks) {
        return read_once(files, list, e);
    }
    const bool given = files->per_host > 0;
    if ((given ? read_once(files, list, e) : tan_hostfile_given(files->hosts, "--hosts", list, e)) <
            0 ||
        (given && find_per_host(files, list, e) < 0)) {
        return -1;
    }
    for (size_t h = 0; h < list->n && given; h++) {
        list->hosts[h].slots = (int32_t)files->per_host;
    }
    return tan_hostfile_by_slot(list, name_of_hosts(files), e);
}

void tan_host_room_clear(struct host_room *room)
{
    tan_hostfile_clear(&room->hosts);
    free(room->room.racks.rack[0]);
    *room = (struct host_room){.hosts = {0}};
}
