/* cleanup.h - processes and shared memory that a job may leave behind
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_CLEANUP_H
#define TANBENCH_LAUNCH_CLEANUP_H

#include <stdbool.h>
#include <sys/types.h>

/* The process has ended, possibly not yet reaped by its parent. */
bool process_ended(pid_t pid);

/* The process's parent, 0 when it has ended, and its name as the kernel keeps it, cut to 15
 * characters. */
enum { PROCESS_NAME_MAX = 16 };
pid_t process_parent(pid_t pid, char name[PROCESS_NAME_MAX]);

/* From now on orphans among this process's descendants become its children, also those in a process
 * group or session of their own. */
void descendants_adopt(void);

/* Kill all descendants of process `pid`, but not this process. */
void descendants_kill(pid_t pid);

/* Wait for all children to end. After `grace_ms` kill them, and then their orphans, until none is
 * left. Returns false when some cannot be killed (they hang in the kernel). */
bool descendants_end(int grace_ms);

/* Ranks of Open MPI on one host share memory through files in /dev/shm, named PREFIX.RANK as long
 * as the job runs. Their launcher removes them, unless it is killed. */
enum { SEGMENTS_PREFIX_MAX = 256 };

/* The prefix of the files that process `pid` has mapped. Returns false when there are none. */
bool segments_of(pid_t pid, char prefix[SEGMENTS_PREFIX_MAX]);
/* The same of the first child of `parent` that has mapped any. */
bool segments_of_children(pid_t parent, char prefix[SEGMENTS_PREFIX_MAX]);
/* Remove all files with this prefix. */
void segments_remove(const char *prefix);

#endif
