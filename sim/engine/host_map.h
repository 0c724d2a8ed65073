/* host_map.h - placement of ranks on hosts from a file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_HOST_MAP_H
#define TAN_SIM_ENGINE_HOST_MAP_H

#include <stdint.h>

#include "base/error.h"
#include "model/machine/doubt.h"

/* Read a file (topo/hostfile.h) that names a host for every rank, rank 0 first. Returns the host
 * of each rank, numbered from 0 in order of first occurrence (freed by the caller); NULL on
 * failure. A number of names other than `ranks` > 0 is an error. A host that seems to have two
 * names is noted in `doubts`. O(ranks). */
uint32_t *tan_host_map_load(const char *path, uint32_t ranks, struct tan_doubts *doubts,
                            struct tan_error *e);

#endif
