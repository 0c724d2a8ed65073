/* host_map.h - placement of ranks on hosts, from a file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_ENGINE_HOST_MAP_H
#define SIM_ENGINE_HOST_MAP_H

#include <stdint.h>

#include "base/error.h"

/* Read a file (topo/host_list.h) with the name of a host for every rank, rank 0 first. Returns the
 * hosts, numbered from 0, by rank (the caller frees). More or fewer names than `ranks` > 0 are an
 * error. O(ranks). */
uint32_t *tan_host_map_load(const char *path, uint32_t ranks, struct tan_error *e);

#endif
