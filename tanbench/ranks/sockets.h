/* sockets.h - sleeping until the network has data for this process
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_SOCKETS_H
#define TAN_TANBENCH_RANKS_SOCKETS_H

#include <signal.h>
#include <stdbool.h>

/* MPI has no call that sleeps until a message arrives. But if messages use sockets, the kernel
 * knows: a rank that waits for another host sleeps on the Internet sockets of its own process,
 * whichever library has opened them, and calls MPI when one becomes readable. */
struct sockets;

/* NULL if memory is short. */
struct sockets *sockets_create(void);
void sockets_destroy(struct sockets *sockets);

/* Whether a sleep is known to end when a message arrives: a socket has announced one, and recently
 * none has arrived unannounced. */
bool sockets_serve(const struct sockets *sockets);
/* Sleep until a socket is readable, a signal arrives that only `during` allows, or `seconds` have
 * passed. */
void sockets_sleep(struct sockets *sockets, double seconds, const sigset_t *during);
/* Report whether a receive has completed since the last sleep. After an unannounced message the
 * next sleep looks for new sockets; a socket that stays readable after calls of MPI is not MPI's,
 * and is ignored from then on. */
void sockets_learn(struct sockets *sockets, bool completed);

#endif
