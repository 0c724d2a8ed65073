/* datagrams.h - a socket for datagrams between hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_DATAGRAMS_H
#define TANBENCH_HOST_DATAGRAMS_H

#include "bench/plan/peer.h"

/* Open this process's socket and describe it in `me`, for the others: its port, this host's
 * addresses and a random number. -1 when it cannot be had. */
int datagrams_open(struct peer *me);

#endif
