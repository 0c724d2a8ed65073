/* cores.h - cores usable by this process, binding, idle states
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HOST_CORES_H
#define TAN_TANBENCH_HOST_CORES_H

#include <stdbool.h>
#include <stddef.h>

struct cores;

/* Read topology and affinity mask with hwloc; NULL if that fails or memory is short. */
struct cores *cores_create(void);
void cores_destroy(struct cores *cores);

/* Number of cores (not hyperthreads) this process may use, at least 1: cores_count, or less if the
 * cgroup has a CPU quota, read now. A quota of 1.5 CPUs counts as 1. */
int cores_usable(const struct cores *cores);
/* Whether the affinity mask covers all cores of the host. */
bool cores_unbound(const struct cores *cores);
/* Number of cores that the affinity mask allows at least partly; hardware threads if hwloc finds no
 * cores. */
int cores_count(const struct cores *cores);
/* Bind this process to share `index` of `of` shares: core index * cores_count / of (0-based). Best
 * effort. */
void cores_bind_block(struct cores *cores, int index, int of);
/* Whether hwloc reports a single kind of cores. */
bool cores_alike(const struct cores *cores);
/* Move this thread to core `index` until cores_return, which restores the binding of the process.
 * False if not permitted. */
bool cores_visit(const struct cores *cores, int index);
void cores_return(const struct cores *cores);
/* The processing units this process may run on, as "0-1,4". */
void cores_binding(const struct cores *cores, char *buffer, size_t size);
/* Number of units in the union of `n` such lists; 0 if one is empty or malformed. */
int cores_listed_together(const char *const *lists, int n);
/* Time that the units of the first `n` cores which this process may use have been idle since the
 * start of the host, summed up, in seconds, and their number; NaN if the kernel does not tell. */
double cores_idle_seconds(const struct cores *cores, int n, int *units);
/* Processing units per core that this process may use, at least 1. */
int cores_threads(const struct cores *cores);

/* Waking a core from an idle state takes microseconds, and up to a millisecond for a virtual core
 * that the hypervisor has descheduled: longer than what is measured here. */

/* Keep all cores of this host out of idle states (Linux PM QoS) until the returned descriptor is
 * closed or the process terminates. -1 if not permitted or not supported. */
int cores_disable_idle(void);

/* Including the terminating NUL. */
enum { KERNEL_MAX = 40, DOMAIN_MAX = 80 };

/* The kernel's boot id; "" if it cannot be read. */
void host_kernel(char kernel[KERNEL_MAX]);

/* An identifier shared by processes that can share memory and signal each other: same kernel, same
 * /dev/shm and same PID namespace. Contains no spaces. */
void host_domain(char domain[DOMAIN_MAX]);

#endif
