/* cleanup.h - removing processes and shared memory left behind by a job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_LAUNCH_CLEANUP_H
#define TAN_TANBENCH_LAUNCH_CLEANUP_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether the process has ended, reaped or not. */
bool process_ended(pid_t pid);

/* The process's parent, 0 if it has ended, and its name as kept by the kernel, truncated to 15
 * characters. */
enum { PROCESS_NAME_MAX = 16 };
pid_t process_parent(pid_t pid, char name[PROCESS_NAME_MAX]);

/* From now on adopt orphaned descendants, even from other process groups or sessions. */
void descendants_adopt(void);

/* Kill all descendants of process `pid`, except this process. */
void descendants_kill(pid_t pid);

/* Wait for all children to end. After `grace_ms` kill them, and then their orphans, until none is
 * left. Returns false if some cannot be killed (hung in the kernel). */
bool descendants_end(int grace_ms);

/* Ranks of Open MPI share memory through files in /dev/shm, named PREFIX.RANK, while the job runs.
 * Their launcher removes these, unless it is killed. */
enum { SEGMENTS_PREFIX_MAX = 256 };

/* The prefix of the files mapped by process `pid`. Returns false if there are none. */
bool segments_of(pid_t pid, char prefix[SEGMENTS_PREFIX_MAX]);
/* The same for the first child of `parent` that has mapped any. */
bool segments_of_children(pid_t parent, char prefix[SEGMENTS_PREFIX_MAX]);
/* Remove all files with this prefix. */
void segments_remove(const char *prefix);

#endif
