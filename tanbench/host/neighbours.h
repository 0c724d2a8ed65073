/* neighbours.h - whether somebody else uses the cores of this job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_NEIGHBOURS_H
#define TANBENCH_HOST_NEIGHBOURS_H

#include <stdbool.h>

struct cores;

/* A busy thread beside a core's, maybe another virtual machine's, makes that core slower by up to
 * two, and waves of ranks that share cores longer by a third or a half, for seconds to minutes.
 * A core is slowed when a piece of work (pace.h) takes clearly longer than it ever did there. */
struct neighbours;

/* Of `cores`, borrowed; NULL when `cores` is, or when memory is short: then nobody can look. Takes
 * 20 ms or more, to find out how fast they are. */
struct neighbours *neighbours_create(struct cores *cores);
void neighbours_destroy(struct neighbours *n);
/* Go to each of the first `cores` of them and work there, while all other ranks sleep: some 50 us a
 * core. Returns how many are slowed. */
int neighbours_look(struct neighbours *n, int cores);

#endif
