/* watch.h - the processes that started a rank, whose end is its own
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_WATCH_H
#define TAN_TANBENCH_RANKS_WATCH_H

/* Watch the processes that started this one, and end at once if they do, so that no rank is left
 * behind whichever of them is killed. A separate thread sleeps until the kernel reports the end of
 * one (pidfd_open), even while the rank sleeps or is inside MPI, and watching has no other cost. On
 * kernels before 5.3 it polls twice a second. Before MPI_Init; best effort. */
void watch_parents(void);

#endif
