/* host_files.h - files of hosts and their racks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_DESIGN_HOST_FILES_H
#define TAN_CMD_TAN_DESIGN_HOST_FILES_H

#include "topo/hostfile.h"
#include "topo/place.h"

/* As on the command line; `racks` is NULL if not given. */
struct host_files {
    const char *hosts, *racks;
};

struct host_room {
    struct tan_hostfile hosts; /* without duplicates; sorted by rack if racks are known */
    struct tan_room room;      /* numbered like `hosts`; borrows the array below, one entry each */
    int32_t *rack;
};

/* Room for `per_host` processes on each host; 0: for its slots, which must be equal everywhere.
 * Fails if there are too many, or if a host has too few slots or no rack. O(hosts * racks). */
int tan_host_room_read(const struct host_files *files, int64_t per_host, struct host_room *out,
                       struct tan_error *e);
void tan_host_room_clear(struct host_room *room);

#endif
