/* sockets.h - sleep until the network has something for this process
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_SOCKETS_H
#define TANBENCH_RANKS_SOCKETS_H

#include <signal.h>
#include <stdbool.h>

/* MPI has no call that sleeps until a message is there. But where messages come over sockets, the
 * kernel knows: a rank that waits for another host sleeps on the Internet sockets of its own
 * process, whichever library has opened them, and calls MPI when one of them is readable. */
struct sockets;

/* NULL without memory. */
struct sockets *sockets_create(void);
void sockets_destroy(struct sockets *sockets);

/* Whether a sleep ends when a message comes, as far as known: a socket has announced one, and none
 * has come past them of late. */
bool sockets_serve(const struct sockets *sockets);
/* Sleep until one of them is readable, a signal arrives that only `during` allows, or `seconds`
 * have passed. */
void sockets_sleep(struct sockets *sockets, double seconds, const sigset_t *during);
/* What came of the last sleep: whether a receive has completed since. A message that no socket
 * announced makes the next sleep look for new sockets; a socket that stays readable although MPI
 * was called is not MPI's and no longer waited for. */
void sockets_learn(struct sockets *sockets, bool completed);

#endif
