/* descendants.h - leaving none of the processes behind that this one has started
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_DESCENDANTS_H
#define TANBENCH_LAUNCH_DESCENDANTS_H

#include <stdbool.h>
#include <sys/types.h>

/* Call `visit` for the children of process `parent` until it returns true, and return that. */
bool descendants_visit(pid_t parent, bool (*visit)(pid_t child, void *of), void *of);

/* From now on, whoever is orphaned among this process's descendants becomes its child, also those
 * that have made a process group or session of their own. */
void descendants_adopt(void);

/* Wait for all children to end, and kill those that have not after `grace_ms`, theirs too, until
 * none is left. Returns false when some cannot be killed (they hang in the kernel). */
bool descendants_end(int grace_ms);

#endif
