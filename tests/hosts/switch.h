/* switch.h - the network of a cluster of namespaces: a switch on TAP devices
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every port has an uplink of its own, with a rate and a delay. A frame of n bytes, headers of
 * Ethernet included, leaves n * 8 / rate after the one before it, or after it came where the uplink
 * was idle, and reaches the other end the delay later. These times are added up, not measured, so
 * that they are exact however late the switch itself is. The way down has no limit, and nothing is
 * lost: frames wait as long as it takes. */
#ifndef TESTS_HOSTS_SWITCH_H
#define TESTS_HOSTS_SWITCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { SWITCH_PORTS = 256 };

/* What became of frames; in memory that the switch shares with whoever reads it. */
struct switch_port {
    atomic_uint_least64_t frames, bytes; /* that its uplink has carried */
    atomic_uint_least64_t dropped; /* from it or for it: its cable was out, or nobody took it */
    atomic_bool unplugged;         /* its cable is out; set by others */
};

struct switch_uplink {
    double rate;  /* bits per second; 0: no limit */
    double delay; /* seconds */
    bool fair;    /* connections take turns, a frame each; false: first come, first served */
};

/* Make the TAP device `name` of a port. Returns its descriptor, or -1 with errno. */
int switch_open(const char *name);

/* The hardware address of a port's device, which the switch goes by: "02:00:00:00:00:07". Returns
 * `text`, of 18 bytes. */
const char *switch_address(int port, char *text);

/* Be the switch between the `n` devices `fds`, for ever. */
_Noreturn void switch_run(const struct switch_uplink *uplink, const int *fds, int n,
                          struct switch_port *ports);

#endif
