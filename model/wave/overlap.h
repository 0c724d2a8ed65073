/* overlap.h - waves with overlapping requests and answers: TAN's recursion over messages of LogP
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_WAVE_OVERLAP_H
#define TAN_MODEL_WAVE_OVERLAP_H

#include "model/machine/params.h"
#include "topo/rack_list.h"
#include "topo/tree.h"

/* Locations of a tree's nodes: at[t][node] is the group, such as the host, that the node belongs
 * to. The link between two nodes belongs to the first tier t in which they share a group, or else
 * to the last tier. at[t] NULL: every node is a group of its own. Borrowed. */
struct tan_sites {
    const int32_t *at[TAN_INNER_TIERS];
};
/* The sites of `n` nodes on the hosts host[0..n-1], which are in these racks. An inner tier whose
 * level of racks is unknown has the next lower one that is known. `spare`: TAN_INNER_TIERS * n
 * entries, which it borrows like host[]. */
struct tan_sites tan_sites_of(const struct tan_tiers *tiers, const struct tan_racks *racks,
                              const int32_t *host, int32_t n, int32_t *spare);
/* Tier of the link between two nodes; `sites` may be NULL. */
int tan_link_tier(const struct tan_tiers *tiers, const struct tan_sites *sites, int32_t a,
                  int32_t b);

/* Children of one kind. A node has up to TAN_CHILDREN_KINDS of them, and sends its requests to one
 * after the other. */
enum { TAN_CHILDREN_KINDS = 256 };
struct tan_children {
    int64_t count;
    int64_t leaves; /* below each child */
    double below;   /* the child's time, as defined by the function that takes it; seconds */
};

/* Costs of one message in seconds, whatever its size: LogP with an overhead for each side.
 *     sender    processor busy for o_s, NIC unable to send anything else for g
 *     network   the message arrives o_s + L after the start of the send
 *     receiver  once processor and NIC are free, processor busy for o_r + work, NIC unable to
 *               receive anything else for g
 * No process in a wave waits for the completion of a send. */
struct tan_overlap_message {
    double L;
    double o_s, o_r;
    double g;
    double work; /* of the receiver's filter */
};

/* Parameters of waves. A parent with x children is busy for growth (x - 1) longer with each message
 * that it sends or receives: added to o_s of its requests and o_r of their answers. */
struct tan_overlap {
    int tiers; /* as in struct tan_tiers */
    struct tan_overlap_message request[TAN_TIERS];
    struct tan_overlap_message answer[TAN_TIERS];
    double growth;
    double leaf; /* C: from a leaf's request to its answer */
    /* How messages share a NIC. false: one by one, as above. true: all that are under way at the
     * same time have equal shares of each side of it, as long messages have by TCP and in SimGrid,
     * and nobody waits for it: a message that shares with n - 1 others takes n g of the g that it
     * has in L. A processor first sends all requests, then takes answers as they come. */
    bool shared;
    /* The answer of a node with `leaves` leaves below it, if it depends on them; NULL: `answer`.
     * Called with `context`. */
    void (*sized)(const void *context, int tier, int64_t leaves,
                  struct tan_overlap_message *answer);
    const void *context; /* borrowed */
};

/* The same messages in both directions, on links of one kind, from values in the order of struct
 * tan_params under TAN_METHOD_OVERLAP. */
enum tan_overlap_param {
    TAN_OVERLAP_L = TAN_L,
    TAN_OVERLAP_O_S = TAN_A,
    TAN_OVERLAP_O_R = TAN_B,
    TAN_OVERLAP_GROWTH = TAN_C2,
    TAN_OVERLAP_G = TAN_G,
    TAN_OVERLAP_C = TAN_C0, /* half of `leaf`, as waves are half round trips */
    TAN_OVERLAP_PARAMS = TAN_PARAMS
};
struct tan_overlap tan_overlap_of(const double value[TAN_OVERLAP_PARAMS], bool shared);

/* Phases of a wave, as bits: answers from leaves that all start at once, up to the root; and the
 * request, down to the last leaf. */
enum tan_overlap_way {
    TAN_OVERLAP_UP = 1,
    TAN_OVERLAP_DOWN = 2,
    TAN_OVERLAP_ROUND = TAN_OVERLAP_UP | TAN_OVERLAP_DOWN, /* twice the time of a wave */
};

/* Seconds from the start of the root's first send (up: of the leaves' work) until the root has
 * received the last answer (down: until the last leaf has finished its work). A node sends to its
 * children in order as soon as it has the request, and receives answers whenever it has no request
 * that its NIC could send; then it sends its own answer. Equal to the simulation of the same
 * messages (sim/schedule/tree_wave.h) to the picosecond, the unit of all costs, except for the
 * order of answers that start in the same picosecond and differ in cost; a NIC that is shared is
 * rounded to picoseconds per message. NaN if memory is short.
 * O(nodes log fanout). `sites`: tiers of links; NULL: all belong to the last tier. */
double tan_overlap_time(const struct tan_overlap *p, enum tan_overlap_way way,
                        const struct tan_sites *sites, const struct tan_tree *tree);
/* The same, with `time[node]` of every node but the root, from the arrival of its request to the
 * start of its answer (`below` of tan_overlap_node); time[0] is the returned value. `last`, unless
 * NULL: last[node] of every node with children is the one whose answer it receives last (down:
 * below which the request is last), and among simultaneous ones the one that was asked last. */
double tan_overlap_times(const struct tan_overlap *p, enum tan_overlap_way way,
                         const struct tan_sites *sites, const struct tan_tree *tree, double *time,
                         int32_t *last);

/* A node of a tree whose links are all in the last tier, without building it: children of `n`
 * kinds, asked in this order, take `below` from the arrival of the request to the start of the
 * answer (up: from the start of the leaves; down: to the end of the last leaf; for leaves
 * tan_overlap_leaf). Returns the same time for the node, or with `root` that of the whole wave.
 * Times are whole picoseconds, in seconds. With s and r the times of the processor, D from the
 * start of a request to the arrival of its answer, and R the node's own receive, a round trip to x
 * children of one kind takes R + max(x (s + r), D + (x - 1) max(s, r, gaps) + r): either the
 * processor is never idle, or answers follow each other at the pace of the slowest resource. This
 * is exact if s and r are not shorter than the gaps, or if all requests are sent before the first
 * answer arrives, and otherwise a lower bound. Where an answer can delay the next request for a
 * free NIC, the node's messages are simulated one by one, O(x log x); then more work below a node
 * may shorten the wave: D rises, but not the time. A shared NIC of a longer gap than the sender's
 * time is simulated, too. NaN if memory is short or `below` is NaN. */
double tan_overlap_node(const struct tan_overlap *p, enum tan_overlap_way way,
                        const struct tan_children *kind, int n, bool root);
double tan_overlap_leaf(const struct tan_overlap *p, enum tan_overlap_way way);

/* Costs of the messages of a node with x children, each with `leaves` leaves below it, on links of
 * the last tier; whole picoseconds. */
struct tan_overlap_pace {
    double own;             /* receive of its own request; not at the root */
    double send, receive;   /* processor time per request and per answer */
    double sends, receives; /* interval between messages, including the NIC */
    double nic;             /* time that the last request occupies the NIC */
    double down, up;        /* from the start of a request or an answer to its arrival */
};
struct tan_overlap_pace tan_overlap_pace(const struct tan_overlap *p, int64_t x, int64_t leaves);

/* Lower bound, in the unit of the messages, of what x - 1 further children like the first add to a
 * level of one. */
double tan_overlap_others(const struct tan_overlap_message *request,
                          const struct tan_overlap_message *answer, bool shared,
                          enum tan_overlap_way way, int64_t x);
/* Lower bound of what a level adds to such a wave: the time of a node from its request to the last
 * answer, minus the same for its slowest child, a leaf or a node, including that one's own receive.
 * Non-decreasing in x. */
double tan_overlap_adds(const struct tan_overlap *p, enum tan_overlap_way way, int64_t x,
                        int64_t leaves);

#endif
