/* network.h - network view of one host in a cluster of namespaces
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TESTS_HOSTS_NETWORK_H
#define TAN_TESTS_HOSTS_NETWORK_H

#include <stdbool.h>

#define NETWORK "10.77.0"

/* Give device `device` of host `number` (0: the login node) its address and bring it up. On a slow
 * network of `n` hosts (0: it is not) TCP is told, too, to wait rather than to send again, and
 * everybody's hardware address. Returns what `ip` does: 0 when all went well. */
int network_configure(const char *device, int number, int n);

/* TCP segments that the network namespace of a process has sent again; 0 when it is gone. `pid` is
 * a number or "self". */
long long network_retransmitted(const char *pid);
/* Frames that found the queue of its eth0 full. */
long long network_dropped(const char *pid);

#endif
