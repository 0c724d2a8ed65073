/* host_files.c - files of hosts and their racks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/output.h"
#include "topo/names.h"
#include "topo/rack_list.h"

static const char *name_of_hosts(const struct host_files *files)
{
    return tan_hostfile_source(files->hosts, "--hosts");
}

/* Sort the hosts by rack, keeping their order within racks, and number racks in the order of their
 * first hosts: room->rack, one entry per host. `given`: the hosts as in the file; `found`: their
 * racks as numbered in the file of racks, overwritten. Returns the number of racks. */
static int32_t sort_by_rack(struct host_room *room, const struct tan_listed_host *given,
                            int32_t *found)
{
    struct tan_hostfile *hosts = &room->hosts;
    int32_t racks = 0;
    size_t n = 0;
    for (size_t first = 0; n < hosts->n; first++) {
        const int32_t number = found[first];
        for (size_t h = first; h < hosts->n && number >= 0; h++) {
            if (found[h] == number) {
                hosts->hosts[n] = given[h];
                room->rack[n++] = racks;
                found[h] = -1;
            }
        }
        racks += number >= 0;
    }
    return racks;
}

/* Number of racks of the hosts, at least 1; -1 on failure. */
static int32_t read_racks(const struct host_files *files, struct host_room *room,
                          struct tan_error *e)
{
    const size_t n = room->hosts.n;
    struct tan_rack_list list;
    if (tan_rack_list_read(files->racks, &list, e) < 0) {
        return -1;
    }
    struct tan_listed_host *given = calloc(n, sizeof *given);
    int32_t *found = calloc(n, sizeof *found);
    int32_t racks = given == NULL || found == NULL ? tan_fail_nomem(e) : 0;
    for (size_t h = 0; h < n && racks == 0; h++) {
        given[h] = room->hosts.hosts[h];
        found[h] = tan_rack_list_find(&list, given[h].name);
        if (found[h] < 0) {
            racks = tan_fail_at(e, name_of_hosts(files), given[h].line, 0,
                                "%s puts \"%s\" into no rack", tan_input_name(files->racks),
                                given[h].name);
        }
    }
    if (racks == 0) {
        racks = sort_by_rack(room, given, found);
    }
    free(given);
    free(found);
    tan_rack_list_clear(&list);
    return racks;
}

/* Processes per host: --ranks-per-host, for which every host needs enough slots, or without it the
 * slots, of which all hosts need the same number. -1 on failure. */
static int64_t find_per_host(const struct host_files *files, const struct tan_hostfile *list,
                             int64_t wanted, struct tan_error *e)
{
    const struct tan_listed_host *first = &list->hosts[0];
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

static int read_room(const struct host_files *files, int64_t wanted, struct tan_names *names,
                     struct host_room *out, struct tan_error *e)
{
    if (tan_hostfile_once(&out->hosts, name_of_hosts(files), names, e) < 0) {
        return -1;
    }
    const int64_t per_host = find_per_host(files, &out->hosts, wanted, e);
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
    out->rack = calloc(n, sizeof *out->rack);
    if (out->rack == NULL) {
        return tan_fail_nomem(e);
    }
    out->room = (struct tan_room){.hosts = (int32_t)n, .per_host = (int32_t)per_host};
    if (files->racks != NULL) {
        out->room.racks = read_racks(files, out, e);
        out->room.rack = out->rack;
    }
    return out->room.racks < 0 ? -1 : 0;
}

int tan_host_room_read(const struct host_files *files, int64_t per_host, struct host_room *out,
                       struct tan_error *e)
{
    *out = (struct host_room){.rack = NULL};
    if (tan_hostfile_given(files->hosts, "--hosts", &out->hosts, e) < 0) {
        return -1;
    }
    struct tan_names *names = tan_names_create(e);
    const int result = names == NULL ? -1 : read_room(files, per_host, names, out, e);
    tan_names_destroy(names);
    if (result < 0) {
        tan_host_room_clear(out);
    }
    return result;
}

void tan_host_room_clear(struct host_room *room)
{
    tan_hostfile_clear(&room->hosts);
    free(room->rack);
    *room = (struct host_room){.rack = NULL};
}
