/* params.h - simulation parameters: links, protocol, hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_PARAMS_H
#define TAN_SIM_SCHEDULE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/doubt.h"

/* LogGOPS parameters of a kind of link. Times in picoseconds, per-byte costs in picoseconds per
 * byte, fractional. A message of s >= 1 bytes costs G and O for s - 1 bytes; one of 0 bytes costs
 * neither. */
struct tan_link {
    uint64_t L;     /* latency */
    uint64_t o;     /* CPU overhead per message at sender and receiver */
    uint64_t g;     /* gap between messages of a NIC */
    double G;       /* gap per byte */
    double O;       /* CPU overhead per byte */
    int64_t o_more; /* added to o at the receiver; at least -o */
    /* A send that waits for an acknowledgement ends L + ack_more after its data were received; may
     * be negative. */
    int64_t ack_more;
    /* Part of g, and of L, that is the gap per byte of a message of this size; 0: G has all. */
    uint64_t folded;
    bool held; /* the sender's CPU is busy until its data arrive: no overlap */
};

/* Whether messages cost the same on both links. */
static inline bool tan_link_equal(const struct tan_link *a, const struct tan_link *b)
{
    return a->L == b->L && a->o == b->o && a->g == b->g && a->G == b->G && a->O == b->O &&
           a->o_more == b->o_more && a->ack_more == b->ack_more && a->held == b->held;
}

/* CPU overhead at the receiver. */
static inline uint64_t tan_link_o_r(const struct tan_link *link)
{
    return (uint64_t)((int64_t)link->o + link->o_more);
}

/* The links for messages of one size. */
struct tan_sized_link {
    uint64_t bytes;
    struct tan_link link;   /* between hosts */
    struct tan_link within; /* within a host; equal if hosts do not matter */
};

/* Handshake before a message longer than S. */
enum tan_handshake {
    TAN_HANDSHAKE_NONE, /* data travel at once; the send finishes when matched (LogGOPS) */
    TAN_HANDSHAKE_RAT,  /* request, acknowledgement, transfer: the sender pushes (LogGPO) */
    TAN_HANDSHAKE_RTA,  /* request, transfer, acknowledgement: the receiver pulls (LogGPO) */
    /* The receiver's CPU fetches the data and acknowledges them: RTA with dependent progress, and
     * TA, where the sender waits only for that acknowledgement. The request costs as much as the
     * message's o. */
    TAN_HANDSHAKE_FETCH,
};

/* Random delays of messages; see sim/engine/noise.h. */
struct tan_noise;

struct tan_sim_params {
    struct tan_link within, between; /* hosts; equal if hosts do not matter */
    /* n_sizes links, ascending by size, that replace both: each for messages from its size up to
     * the next one, and the first also for shorter ones; borrowed. */
    const struct tan_sized_link *sizes;
    size_t n_sizes;
    uint64_t S; /* longest eager message, bytes */
    enum tan_handshake handshake;
    /* Messages that arrive while the receiver computes are taken only when it is otherwise idle
     * (LogGPO's dependent progress). */
    bool in_calls;
    uint64_t control; /* CPU overhead of a control message (LogGPO's O'), picoseconds */

    uint32_t ranks_per_host; /* block mapping: rank r is on host r / ranks_per_host; 0: one rank per
                                host, unless host_of is given */
    const uint32_t *host_of; /* per rank, hosts from 0; borrowed; NULL: use ranks_per_host */
    const struct tan_noise *noise; /* of messages; borrowed; NULL if none */
};

/* LogGOPSim's defaults: L 2500 ns, o 1500 ns, g 1000 ns, G 6 ns/B, O 0, S 65535 bytes; no handshake
 * (control: o), no hosts, no noise. */
extern const struct tan_sim_params tan_sim_defaults;

/* Longest simulated time in picoseconds: 53 days. */
#define TAN_SIM_LATEST (UINT64_C(1) << 62)

/* Rounded to whole picoseconds; times too long for a simulation are clamped to slightly too
 * long. */
static inline uint64_t tan_round_ps(double ps)
{
    return ps < (double)TAN_SIM_LATEST ? (uint64_t)(ps + 0.5) : TAN_SIM_LATEST + 1;
}

/* Picoseconds for `bytes` at `per_byte` for every byte after the first. */
static inline uint64_t tan_bytes_cost(double per_byte, uint64_t bytes)
{
    return bytes <= 1 ? 0 : tan_round_ps((double)(bytes - 1) * per_byte);
}

/* Whether control messages precede data longer than S. */
bool tan_sim_has_control(const struct tan_sim_params *p);
/* The host of a rank. */
uint32_t tan_sim_host(const struct tan_sim_params *p, uint32_t rank);
/* The link of a message of `bytes` between two ranks, on one host (or from a rank to itself) or on
 * two: that for its size, or else p->within or p->between. O(log sizes). */
const struct tan_link *tan_sim_link(const struct tan_sim_params *p, uint32_t a, uint32_t b,
                                    uint64_t bytes);
/* Fail with TAN_USAGE if a cost in within, between or control is negative, infinite or too
 * large. Sizes and hosts are not checked. */
int tan_sim_params_check(const struct tan_sim_params *p, struct tan_error *e);
/* Read a file (topo/hostfile.h) that names a host for every rank, rank 0 first. Returns the host
 * of each rank, numbered from 0 in order of first occurrence (freed by the caller); NULL on
 * failure. A number of names other than `ranks` > 0 is an error. A host that seems to have two
 * names is noted in `doubts`. O(ranks). */
uint32_t *tan_host_map_load(const char *path, uint32_t ranks, struct tan_doubts *doubts,
                            struct tan_error *e);

#endif
