/* p2p_memory.h - what it takes that caches have forgotten
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_MEMORY_H
#define TANBENCH_P2P_MEMORY_H

#include "tanbench/p2p_link.h"

/* Two ranks that send the same message to and fro find it in their caches, and MPI's own data; the
 * many processes of a tree that share a core push each other's out. */

/* TAN_P2P_RECEIVE_COLD of every size. The leader's; a second or two. */
void p2p_memory_receive(struct p2p_link *link, struct tan_p2p *p);
/* On this rank's core, in working sets from 128 KiB to 256 MiB, or to an eighth of the memory.
 * Fills p->copy, or leaves it empty when memory is short: what was measured before is worth more.
 * Half a second. */
void p2p_memory_copy(struct tan_p2p *p);

#endif
