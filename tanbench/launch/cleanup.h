/* cleanup.h - removing processes left behind by a job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_LAUNCH_CLEANUP_H
#define TAN_TANBENCH_LAUNCH_CLEANUP_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether the process has ended, reaped or not. */
bool process_ended(pid_t pid);

/* From now on adopt orphaned descendants, even from other process groups or sessions. */
void descendants_adopt(void);

/* Wait for all children to end. After `grace_ms` kill them, and then their orphans, until none is
 * left. Returns false if some cannot be killed (hung in the kernel). */
bool descendants_end(int grace_ms);

#endif
