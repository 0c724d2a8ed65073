/* simulation.h - event-driven simulation of a schedule under LogGOPS, and its results
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_SIMULATION_H
#define TAN_SIM_ENGINE_SIMULATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* What determined an operation's start time. */
enum tan_why {
    TAN_WHY_BEGIN,      /* start of the job: no cause */
    TAN_WHY_DEPENDENCY, /* the cause finished (or started, for irequires) */
    TAN_WHY_CPU,        /* the cause released the CPU */
    TAN_WHY_GAP,        /* the cause released the NIC after its g and G */
    TAN_WHY_MESSAGE,    /* a posted receive: its message arrived; the cause is the send */
    TAN_WHY_POSTED, /* a receive whose message had arrived: it was posted; the cause is met_by */
};

/* History of one operation, in picoseconds; TAN_NEVER for what did not happen. */
#define TAN_NEVER UINT64_MAX
struct tan_history {
    uint64_t ready;  /* dependencies met (a receive: posted) */
    uint64_t start;  /* got its CPU (a receive: started handling its message) */
    uint64_t busy;   /* released its CPU; >= start */
    uint64_t end;    /* finished: dependents may start; >= busy */
    uint64_t wire;   /* a send: its data left, to arrive after L and noise; a receive: its data
                        arrived, those of a handshake when its NIC was also free */
    uint64_t noise;  /* a send: added to L by noise */
    uint32_t cause;  /* an operation or TAN_OP_NONE */
    uint32_t met_by; /* the operation that met the last dependency; for a receive that had to wait
                        to be posted, the one that released its CPU; for a send after its
                        handshake, the one that released the CPU or NIC of its data; or
                        TAN_OP_NONE */
    uint32_t behind; /* under RTA: the operation after whose CPU time its own is counted; else
                        TAN_OP_NONE */
    uint32_t gap;    /* a receive: the operation after which its NIC was free for the data of a
                        handshake; TAN_OP_NONE if they did not wait */
    uint32_t match;  /* a send's receive and vice versa, TAN_OP_NONE while unmatched */
    enum tan_why why;
};

/* Time of all ranks in a phase, `ns` nanoseconds + `ps` picoseconds. Integers make sums exact;
 * there are two, since many ranks can take more than 2^64 ps. In a difference, `ns` may be
 * negative, modulo 2^64. */
struct tan_phase_time {
    uint64_t ns, ps;
};

static inline double tan_phase_seconds(struct tan_phase_time t)
{
    return ((double)(int64_t)t.ns * 1e3 + (double)t.ps) / 1e12;
}

struct tan_simulation {
    uint64_t events;    /* operations released + messages, as counted by LogGOPSim */
    uint64_t finish;    /* maximum of rank_finish, picoseconds */
    uint32_t last_rank; /* the lowest rank that finishes at `finish` */
    /* With a history: hash of the order in which operations got their CPUs and NICs, and of
     * what received which message. Simulations of a schedule with equal values take the maximum of
     * the same sums of costs as their finish. */
    uint64_t order;
    double prepare_s;             /* wall time of allocation, seconds */
    double run_s;                 /* wall time of the simulation itself, seconds */
    uint64_t *rank_finish;        /* per rank, picoseconds; owned */
    struct tan_phase_time *phase; /* TAN_PHASES entries; owned; may be NULL without phases */
    /* Operations that never happened; owned, sorted by rank, then operation. Empty after a complete
     * run. */
    uint32_t *unexpected; /* sends whose message was never received */
    uint32_t n_unexpected;
    uint32_t *unmatched; /* receives that were posted but got no message */
    uint32_t n_unmatched;
    uint32_t *blocked; /* operations that never started */
    uint32_t n_blocked;
    uint32_t *unfinished; /* rendezvous sends that started but never finished */
    uint32_t n_unfinished;
    struct tan_history *history; /* per operation, if requested; owned */
};

/* Free the members of `r`. */
void tan_simulation_clear(struct tan_simulation *r);

/* Simulate `s` under LogGOPS (Hoefler, Schneider, Lumsdaine, LogGOPSim, HPDC 2010). An operation is
 * released when everything it requires has finished (irequires: started), and starts when its CPU
 * and NIC are free; operations waiting for a CPU are served in order of release. A message is
 * handled on the CPU and NIC of the receive it matches, once it has arrived and the receive is
 * posted. Ties in time are resolved by order of release. `history`: whether to record out->history.
 * Returns 0, to be cleared with tan_simulation_clear, even if some operations never happened; -1,
 * with nothing to clear, when parameters are invalid, memory is short or times exceed 2^62 ps.
 * O((operations + dependencies) log busy), where busy is the number of operations waiting for one
 * CPU. */
int tan_simulate(const struct tan_schedule *s, const struct tan_sim_params *p, bool history,
                 struct tan_simulation *out, struct tan_error *e);

#endif
