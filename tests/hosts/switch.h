/* switch.h - network of a cluster of namespaces: a switch on TAP devices
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every port has a link of its own, full duplex, with a rate and a delay. A frame of n bytes,
 * headers of Ethernet included, leaves n * 8 / rate after the one before it, or after it came where
 * the link was idle. The delay later it is at the receiver, and not before n * 8 / rate after the
 * frame that the receiver got before it: frames of several senders follow each other in the order
 * in which they come. Frames pass as they come, so that one which nothing holds up takes n * 8 /
 * rate and the delay. These times are added up, not measured, so that they are exact however late
 * the switch itself is. Nothing is lost: frames wait as long as it takes. */
#ifndef TAN_TESTS_HOSTS_SWITCH_H
#define TAN_TESTS_HOSTS_SWITCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { SWITCH_PORTS = 256 };

/* What became of frames; in memory that the switch shares with whoever reads it. */
struct switch_port {
    atomic_uint_least64_t frames, bytes; /* that it has sent */
    atomic_uint_least64_t dropped; /* from it or for it: its cable was out, or nobody took it */
    atomic_bool unplugged;         /* its cable is out; set by others */
};

struct switch_link {
    double rate;  /* bits per second, each way; 0: no limit */
    double delay; /* seconds */
    bool fair;    /* connections take turns, a frame each; false: first come, first served */
};

/* Make the TAP device `name` of a port. Returns its descriptor, or -1 with errno. */
int switch_open(const char *name);

/* The hardware address of a port's device, which the switch goes by: "02:00:00:00:00:07". Returns
 * `text`, of 18 bytes. */
const char *switch_address(int port, char *text);

/* Be the switch between the `n` devices `fds`, for ever. */
_Noreturn void switch_run(const struct switch_link *link, const int *fds, int n,
                          struct switch_port *ports);

#endif
