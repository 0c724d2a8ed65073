/* host_map.c - placement of ranks on hosts from a file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/host_map.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/output.h"
#include "topo/hostfile.h"
#include "topo/names.h"

/* Number the hosts in order of first occurrence. */
static uint32_t *number_hosts(const struct tan_hostfile *list, struct tan_error *e)
{
    struct tan_names *names = tan_names_create(e);
    uint32_t *host_of = calloc(list->n, sizeof *host_of);
    int32_t number = names == NULL ? -1 : 0;
    if (host_of == NULL) {
        tan_fail_nomem(e);
        number = -1;
    }
    for (size_t i = 0; i < list->n && number >= 0; i++) {
        number = tan_names_add(names, list->hosts[i].name, e);
        host_of[i] = (uint32_t)number;
    }
    tan_names_destroy(names);
    if (number < 0) {
        free(host_of);
        return NULL;
    }
    return host_of;
}

uint32_t *tan_host_map_load(const char *path, uint32_t ranks, struct tan_doubts *doubts,
                            struct tan_error *e)
{
    struct tan_hostfile list;
    uint32_t *host_of = NULL;
    if (tan_hostfile_read(path, &list, e) < 0) {
        return NULL;
    }
    const char *source = tan_input_name(path);
    if (tan_hostfile_by_slot(&list, source, e) < 0) {
        tan_hostfile_clear(&list);
        return NULL;
    }
    if (list.n != ranks) {
        tan_fail(e, "%s has %zu name%s of hosts, and there are %" PRIu32 " ranks", source, list.n,
                 list.n == 1 ? "" : "s", ranks);
    } else {
        host_of = number_hosts(&list, e);
        if (list.note != NULL) {
            tan_doubts_add(doubts, TAN_NOTE, "hosts", NAN, TAN_TOUCHES_ALL, "%s", list.note);
        }
    }
    tan_hostfile_clear(&list);
    return host_of;
}
