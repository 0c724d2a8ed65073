/* datagrams.h - datagram socket between hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HOST_DATAGRAMS_H
#define TAN_TANBENCH_HOST_DATAGRAMS_H

#include "bench/plan/peer.h"

/* Open this process's nonblocking UDP socket and describe it in `me`: port, addresses of this host
 * and a random number. Returns its descriptor, to be closed by the caller, or -1. */
int datagrams_open(struct peer *me);

#endif
