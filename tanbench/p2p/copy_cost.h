/* copy_cost.h - what copying takes beyond the caches
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_COPY_COST_H
#define TANBENCH_P2P_COPY_COST_H

#include "model/machine/p2p.h"

/* On this rank's core, in working sets from 128 KiB to 256 MiB, or to an eighth of the memory.
 * Fills p->copy, or leaves it empty when memory is short: what was measured before is worth more.
 * Half a second. */
void p2p_memory_copy(struct tan_p2p *p);

#endif
