/* host_files.h - files that name the hosts of processes, their racks, and what hosts are for
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TAN_DESIGN_HOST_FILES_H
#define CMD_TAN_DESIGN_HOST_FILES_H

#include "topo/host_list.h"
#include "topo/place.h"

/* As on the command line: each NULL, but for `hosts`, when it was not given. */
struct host_files {
    const char *hosts, *racks, *internal;
};

struct host_room {
    struct tan_host_list hosts; /* each once; rack by rack where racks are known */
    struct tan_room room;       /* whose hosts are numbered so; borrows the two below */
    bool *internal;
    int32_t *rack;
};

/* Room for `per_host` processes on each of the hosts; 0: for as many as each has slots, which must
 * be the same number. Fails where they are too many, where a host has fewer slots or is in no rack,
 * or where one for internal processes is none of them. O(hosts * racks). */
int tan_host_room_read(const struct host_files *files, int64_t per_host, struct host_room *out,
                       struct tan_error *e);
void tan_host_room_clear(struct host_room *room);

#endif
