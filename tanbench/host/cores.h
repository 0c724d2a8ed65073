/* cores.h - usable cores of this process, binding, and idle states
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_CORES_H
#define TANBENCH_HOST_CORES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct cores;

/* Read the topology (hwloc), the affinity mask and the cgroup's CPU quota; NULL when hwloc cannot.
 */
struct cores *cores_create(void);
void cores_destroy(struct cores *cores);

/* Cores (not hyperthreads) that this process may use: at least 1. A quota of 1.5 CPUs counts as 1.
 */
int cores_usable(const struct cores *cores);
/* The affinity mask covers every core of the host. */
bool cores_unbound(const struct cores *cores);
/* Restrict this process to share `index` of `of`: core index * usable / of (0-based). Best effort.
 */
void cores_bind_block(struct cores *cores, int index, int of);
/* Cores that cores_bind_block chooses from. */
int cores_count(const struct cores *cores);
/* hwloc reports a single kind of cores. */
bool cores_alike(const struct cores *cores);
/* This thread runs on core `index` of them until cores_return, which takes it back to where the
 * process is bound. False: the system does not allow it. */
bool cores_visit(const struct cores *cores, int index);
void cores_return(const struct cores *cores);
/* The processing units that this process may run on, as "0-1,4". */
void cores_binding(const struct cores *cores, char *buffer, size_t size);
/* Number of units in a list of that form; 0 when it has none or no end. */
int cores_listed(const char *list);
/* Number of units in the union of `n` such lists; 0 when one of them has none or no end. */
int cores_listed_together(const char *const *lists, int n);
/* Processing units of a core that this process may use, at least 1. */
int cores_threads(const struct cores *cores);

/* Binding of ranks to cores. */
enum binding {
    BIND_AUTO, /* block when this rank may use several cores and ranks share them, else
                  none */
    BIND_NONE,
    BIND_BLOCK, /* consecutive ranks on the same core: rank i of n on core i * cores / n, of
                   the n ranks that take part in a measurement */
    BIND_ONE,   /* all ranks of a host on its last core */
};

/* Waking a core from an idle state takes microseconds, a virtual core whose host has descheduled it
 * up to a millisecond: more than anything that is measured here. */
enum awake {
    AWAKE_AUTO, /* disable idle states where ranks outnumber cores, if allowed */
    AWAKE_YES,
    AWAKE_NO,
};
int awake_parse(const char *value, enum awake *awake, struct tan_error *e);
/* Keep all cores of this host out of idle states (Linux's PM QoS) until the returned descriptor is
 * closed or the process ends, however it ends. -1: not allowed, or not supported here. */
int cores_disable_idle(void);

#endif
