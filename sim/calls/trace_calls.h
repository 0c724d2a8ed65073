/* trace_calls.h - calls that a trace can have, and where their arguments stand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CALLS_TRACE_CALLS_H
#define SIM_CALLS_TRACE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a call does to the schedule of its rank. */
enum trace_class {
    TRACE_LOCAL, /* nothing: its time counts as computation */
    TRACE_INIT,
    TRACE_FINALIZE,
    TRACE_SEND,
    TRACE_RECV,
    TRACE_SENDRECV,
    TRACE_PROBE,    /* waits for a message that another call receives */
    TRACE_COMPLETE, /* requests that the line names have completed: none, where there was a flag */
    TRACE_START,    /* of persistent requests */
    TRACE_CANCEL,   /* of requests, which may still complete with their messages */
    TRACE_FORGET,   /* a request is freed */
    TRACE_BARRIER,  /* collective operations from here */
    TRACE_BCAST,
    TRACE_REDUCE,
    TRACE_ALLREDUCE,
    TRACE_SCAN,
    TRACE_REDUCE_SCATTER_BLOCK,
    TRACE_REDUCE_SCATTER,
    TRACE_GATHER,
    TRACE_SCATTER,
    TRACE_ALLGATHER,
    TRACE_ALLTOALL,
    TRACE_GATHERV,
    TRACE_SCATTERV,
    TRACE_ALLGATHERV,
    TRACE_ALLTOALLV,
    TRACE_NEW_COMM, /* all of a communicator agree on a new one */
    TRACE_UNKNOWN,  /* it moves data in a way that is not simulated */
    TRACE_COMM,     /* no call: the ranks of a communicator */
    TRACE_POLLS,    /* tests that found nothing */
};

static inline bool tan_trace_is_collective(enum trace_class kind)
{
    return kind >= TRACE_BARRIER && kind <= TRACE_NEW_COMM;
}

/* Where arguments stand, as places in a line split at ':'; 0: there is none. */
struct trace_call {
    const char *name;
    enum trace_class kind;
    uint8_t at, count, type, peer, tag, comm; /* at: an address; peer: also a root */
    uint8_t at2, count2, type2, peer2, tag2;  /* of what is received, where it differs */
    uint8_t counts, counts2;                  /* lists of counts */
    uint8_t request;                          /* or the first of an array of them */
    uint8_t n;                                /* number of requests */
    uint8_t end;                              /* END; what the tracer adds stands behind it */
    bool immediate;                           /* it makes a request */
    bool persistent;                          /* which does nothing until it is started */
    bool test;                                /* it does not wait */
};

/* The call of this name; a local one where it is not known. The row is a copy. */
struct trace_call tan_trace_call_find(const char *name, size_t length);

#endif
