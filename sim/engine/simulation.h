/* simulation.h - results of a simulation
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_ENGINE_SIMULATION_H
#define SIM_ENGINE_SIMULATION_H

#include <stdint.h>

#include "base/error.h"

TAN_BEGIN_DECLS

/* Reason for an operation's start time: its kind of cause. */
enum tan_why {
    TAN_WHY_BEGIN,      /* the job began: no cause */
    TAN_WHY_DEPENDENCY, /* the cause finished (or started, for irequires) */
    TAN_WHY_CPU,        /* the cause left the CPU, or a core of the host */
    TAN_WHY_GAP,        /* the cause left the NIC: its g and G had to pass */
    TAN_WHY_MESSAGE,    /* a receive: the cause is the send whose message came last */
    TAN_WHY_POSTED,     /* a receive: the message was there; the cause is as for its own posting */
};

/* One operation's history, picoseconds; TAN_NEVER where something did not happen. */
#define TAN_NEVER UINT64_MAX
struct tan_history {
    uint64_t ready; /* its dependencies were met (a receive: it was posted) */
    uint64_t start; /* it got its CPU (a receive: its message began to be handled) */
    uint64_t busy;  /* it left its CPU; >= start */
    uint64_t end;   /* it finished: dependents may start; >= busy */
    uint64_t wire;  /* a send: its data left, L and its noise later it is there; a receive: its data
                       arrived */
    uint64_t noise; /* a send: what noise added to L; a calculation: to its time */
    uint32_t cause; /* an operation, or TAN_OP_NONE */
    uint32_t met_by; /* an operation, or TAN_OP_NONE: the one that met the last dependency, or left
                        the CPU that a receive was to be posted on; of a send after its handshake
                        the one that left the CPU, core or NIC that its data then took */
    uint32_t behind; /* under RTA: the operation behind whose CPU time its own is counted; else
                        TAN_OP_NONE */
    uint32_t match;  /* of a send its receive and the reverse, TAN_OP_NONE while unmatched */
    enum tan_why why;
};

struct tan_simulation {
    uint64_t events;       /* operations released + messages: LogGOPSim's count */
    uint64_t finish;       /* picoseconds: the latest of rank_finish */
    uint64_t operations;   /* of the schedule */
    uint32_t held;         /* of these were in memory at once */
    uint32_t last_rank;    /* the lowest rank with that finish */
    double prepare_s;      /* wall time of setting memory aside, seconds */
    double run_s;          /* wall time of the simulation proper */
    uint64_t *rank_finish; /* by rank, picoseconds; owned */
    double *phase_s;       /* by phase, seconds of all ranks; owned; NULL without phases */
    /* Operations that never happened; all owned, sorted by rank, then operation. Empty in a run
     * that ended well. */
    uint32_t *unexpected; /* sends whose message was never received */
    uint32_t n_unexpected;
    uint32_t *unmatched; /* receives that were posted and got no message */
    uint32_t n_unmatched;
    uint32_t *blocked; /* operations that could never start */
    uint32_t n_blocked;
    uint64_t unloaded;    /* operations behind those that were blocked, and never in memory */
    uint32_t *unfinished; /* rendezvous sends that started and never finished */
    uint32_t n_unfinished;
    struct tan_history *history; /* by operation, when asked for; owned */
};

/* Release the members of `r`. */
void tan_simulation_clear(struct tan_simulation *r);

TAN_END_DECLS

#endif
