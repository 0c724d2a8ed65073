/* shm_segments.h - names of shared memory that a job of Open MPI leaves when nobody is there to
 * remove them SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_SHM_SEGMENTS_H
#define TANBENCH_LAUNCH_SHM_SEGMENTS_H

#include <stdbool.h>
#include <sys/types.h>

/* Ranks of a host share memory through files in /dev/shm that have names as long as the job runs,
 * PREFIX.RANK; it is their launcher that removes them should it end otherwise. */
enum { SEGMENTS_PREFIX_MAX = 256 };

/* The prefix of the job that process `pid` belongs to. False: it has none mapped. */
bool segments_of(pid_t pid, char prefix[SEGMENTS_PREFIX_MAX]);
/* The same of any child of `parent` that has. */
bool segments_of_children(pid_t parent, char prefix[SEGMENTS_PREFIX_MAX]);
/* Remove all of a job. */
void segments_remove(const char *prefix);

#endif
