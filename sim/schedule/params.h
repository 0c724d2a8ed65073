/* params.h - parameters of a simulation: links, protocol, hosts
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_SCHEDULE_PARAMS_H
#define SIM_SCHEDULE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

TAN_BEGIN_DECLS

/* LogGOPS parameters of one kind of link. Times in picoseconds, per-byte costs in picoseconds a
 * byte and fractional. A message of s >= 1 bytes costs G and O for s - 1 bytes, of 0 bytes for
 * none. */
struct tan_link {
    uint64_t L;     /* latency */
    uint64_t o;     /* CPU overhead of a message, at the sender and at the receiver */
    uint64_t g;     /* gap between messages of a NIC */
    double G;       /* gap a byte */
    double O;       /* CPU overhead a byte */
    int64_t o_more; /* by how much o is larger at the receiver; at least -o */
    /* By how much the end of a send that its receiver's acknowledgement ends comes later than that
     * message alone would bring it. */
    int64_t ack_more;
    bool held; /* the sender's CPU is busy until its data are there: nothing overlaps with them */
};

/* Whether messages cost the same on both. */
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

/* The link as messages of one size see it. */
struct tan_sized_link {
    uint64_t bytes;
    struct tan_link link;
};

/* Handshake of a message longer than S with its receiver. */
enum tan_handshake {
    TAN_HANDSHAKE_NONE, /* data travels at once; the send finishes when it is matched (LogGOPS) */
    TAN_HANDSHAKE_RAT,  /* request, acknowledgement, transfer: the sender pushes (LogGPO) */
    TAN_HANDSHAKE_RTA,  /* request, transfer, acknowledgement: the receiver pulls (LogGPO) */
    /* The receiver's CPU fetches the data, and acknowledges it when it has them: RTA with dependent
     * progress, and TA, whose sender waits for that acknowledgement only. The request costs what
     * the message's o does. */
    TAN_HANDSHAKE_FETCH,
};

/* Extra time drawn for every operation; see sim/engine/noise.h. */
struct tan_noise;

struct tan_sim_params {
    struct tan_link within, between; /* hosts; the same where hosts do not matter */
    /* Links of n_sizes sizes of messages, rising, in place of `between` for messages of at least
     * that size; borrowed. `sized_within`: in place of `within`, too. Where operations are loaded
     * while they are simulated, links may be added until a message of their size is loaded; sizes
     * is not NULL then from the start. */
    const struct tan_sized_link *sizes;
    size_t n_sizes;
    bool sized_within;
    uint64_t S; /* longest eager message, bytes */
    enum tan_handshake handshake;
    /* A message that comes while its receiver computes is taken only when the receiver has nothing
     * else to do (LogGPO's dependent progress). */
    bool in_calls;
    uint64_t control; /* CPU overhead of one control message (LogGPO's O'), picoseconds */

    /* A receiver with w messages waiting, the one that it takes included, spends
     * o(w) - o(w - 1) on it besides O or G for its bytes, where o(0) = 0 and o(w) = a + b w + c w^2
     * for w > 0: a burst of x messages costs o(x), as in TAN. Off: o for each. Picoseconds. */
    bool growing;
    double a, b, c;

    /* Ranks of one host share its cores: an operation needs its rank's CPU and one of these. 0:
     * every rank has cores of its own. */
    uint32_t cores;
    uint32_t ranks_per_host; /* block mapping: rank r is on host r / ranks_per_host; 0: one rank a
                                host, unless host_of is given */
    const uint32_t *host_of; /* by rank, hosts from 0; borrowed; NULL: by ranks_per_host */
    const struct tan_noise *noise;         /* of messages; borrowed; NULL: none */
    const struct tan_noise *compute_noise; /* of calculations that take any time; the same */
};

/* The parameters that LogGOPSim starts with: L 2500 ns, o 1500 ns, g 1000 ns, G 6 ns/B, O 0, S
 * 65535 bytes; no handshake (control: o), nothing growing, no hosts, no noise. */
extern const struct tan_sim_params tan_sim_defaults;

/* Longest simulated time, picoseconds: 53 days. */
#define TAN_SIM_LATEST (UINT64_C(1) << 62)

/* Whole picoseconds, rounded; times too long for a simulation are clamped to just too long. */
static inline uint64_t tan_round_ps(double ps)
{
    return ps < (double)TAN_SIM_LATEST ? (uint64_t)(ps + 0.5) : TAN_SIM_LATEST + 1;
}

/* Picoseconds that `bytes` cost at `per_byte` for every byte after the first. */
static inline uint64_t tan_bytes_cost(double per_byte, uint64_t bytes)
{
    return bytes <= 1 ? 0 : tan_round_ps((double)(bytes - 1) * per_byte);
}

/* Whether control messages precede the data of a message longer than S. */
bool tan_sim_has_control(const struct tan_sim_params *p);
/* The host of a rank. */
uint32_t tan_sim_host(const struct tan_sim_params *p, uint32_t rank);
/* The link of a message of `bytes` between two ranks: p->within on one host (a rank and itself,
 * too), else p->between, or that of its size. O(log sizes). */
const struct tan_link *tan_sim_link(const struct tan_sim_params *p, uint32_t a, uint32_t b,
                                    uint64_t bytes);
/* Whether there is a link for this size, and not only for smaller ones. O(log sizes). */
bool tan_sim_has_size(const struct tan_sim_params *p, uint64_t bytes);
/* Insert a link of another size. O(n). */
int tan_sized_links_add(struct tan_sized_link **links, size_t *n, const struct tan_sized_link *one,
                        struct tan_error *e);
/* Invalid values (a negative or infinite cost, cores without hosts) are an error. */
int tan_sim_params_check(const struct tan_sim_params *p, struct tan_error *e);

TAN_END_DECLS

#endif
