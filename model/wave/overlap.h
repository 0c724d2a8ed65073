/* overlap.h - waves whose requests and answers overlap: TAN's recursion over LogGOPS messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_WAVE_OVERLAP_H
#define MODEL_WAVE_OVERLAP_H

#include "model/machine/loggpo.h"
#include "model/machine/params.h"
#include "model/wave/children.h"
#include "model/wave/sites.h"

TAN_BEGIN_DECLS

/* What one message costs, in seconds; LogGOPS with the bytes of its k in it:
 *     sender    its processor is busy for o_s + O, its NIC sends nothing else for g + G
 *     network   the message arrives o_s + L after the send began
 *     receiver  once processor and NIC are free, its processor is busy for o_r + max(O, G) + work,
 *               its NIC receives nothing else for g + G
 * Before the data go request and acknowledgement under two protocols, each of which takes `control`
 * of a processor and L (docs/simulation.md): TAN_TRANSFER_RAT, where the sender pushes, and
 * TAN_TRANSFER_RTA, where the receiver pulls whatever its processor does. Under any other the data
 * travel at once: nobody in a wave waits for the end of a send. */
struct tan_overlap_message {
    double L;
    double o_s, o_r;
    double g;
    double O, G; /* (k - 1) times the costs of a byte */
    double work; /* of the receiver's filter on the message */
    double control;
    enum tan_transfer transfer;
};

/* The parameters of waves. A parent with x children is busy for growth (x - 1) longer with each
 * message that it sends or receives, which is added to the o_s of its requests and to the o_r of
 * their answers. */
struct tan_overlap {
    int tiers; /* as of struct tan_tiers */
    struct tan_overlap_message request[TAN_TIERS];
    struct tan_overlap_message answer[TAN_TIERS];
    double growth;
    double leaf; /* C: from a leaf's request until its answer */
    /* The answer of a node with `leaves` leaves below it, where that depends on them; NULL: as in
     * `answer`. Called with `context`. */
    void (*sized)(const void *context, int tier, int64_t leaves,
                  struct tan_overlap_message *answer);
    const void *context; /* borrowed */
};

/* The same messages both ways, on links of one kind, from values in the order of struct tan_params
 * under TAN_METHOD_OVERLAP. */
enum tan_overlap_param {
    TAN_OVERLAP_L = TAN_L,
    TAN_OVERLAP_O_S = TAN_A,
    TAN_OVERLAP_O_R = TAN_B,
    TAN_OVERLAP_GROWTH = TAN_C2,
    TAN_OVERLAP_G = TAN_G,
    TAN_OVERLAP_C = TAN_C0, /* half of `leaf`, as waves are of round trips */
    TAN_OVERLAP_PARAMS = TAN_PARAMS
};
struct tan_overlap tan_overlap_of(const double value[TAN_OVERLAP_PARAMS]);

/* Parts of a wave, as bits: answers of leaves that all begin at once, up to the root; or the
 * request, down to the last leaf. */
enum tan_overlap_way {
    TAN_OVERLAP_UP = 1,
    TAN_OVERLAP_DOWN = 2,
    TAN_OVERLAP_ROUND = TAN_OVERLAP_UP | TAN_OVERLAP_DOWN, /* twice the time of a wave */
};

/* Seconds from the beginning of the root's first send (up: of the leaves' work) until the root has
 * taken the last answer (down: until the last leaf has done its work). A node sends to its children
 * in their order as soon as it has the request, and takes answers when it has no request to send
 * that its NIC would take; then it sends its own. The same as the simulation of the same messages
 * (sim/schedule/tree_wave.h), to the picosecond, of which costs are whole ones. Two things are left
 * out: that a node's NIC may still be busy with the request of a handshake when its first answer
 * comes, and the order in which answers are taken that begin in the same picosecond but cost
 * different times. NaN when memory is short. O(nodes log fanout).
 * `sites` as in wave.h: the tiers of links, and latencies in place of L both ways. NULL: all links
 * are of the last tier. */
double tan_overlap_time(const struct tan_overlap *p, enum tan_overlap_way way,
                        const struct tan_sites *sites, const struct tan_tree *tree);
/* The same, and of every node `time[node]`, from the arrival of its request until its answer begins
 * (struct of tan_overlap_level's `below`). */
double tan_overlap_times(const struct tan_overlap *p, enum tan_overlap_way way,
                         const struct tan_sites *sites, const struct tan_tree *tree, double *time);

/* The same for a tree whose nodes at depth i have fanout[i] children each, `n` >= 1 levels, all
 * links of the last tier, without building it. O(n), but for levels of which tan_overlap_level says
 * otherwise. */
double tan_overlap_levels(const struct tan_overlap *p, enum tan_overlap_way way,
                          const int64_t *fanout, int n);

/* One level of it: a node has x children, each with `leaves` leaves below it, that takes `below`
 * from the arrival of its request to the beginning of its answer (up: from the leaves' beginning;
 * down: to the end of its last leaf; tan_overlap_leaf of a leaf). Returns the same time of the
 * node, or with `root` that of the whole wave. Times are whole picoseconds, in seconds. With s, r
 * and gaps as above, D from the beginning of a request to the arrival of its answer, and R the
 * node's own receive, a round trip takes R + max(x (s + r), D + (x - 1) max(s, r, gaps) + r) that
 * is, a processor that is never idle, or one answer after the other at the pace of the slowest
 * resource. It holds where s and r are not shorter than the gaps, or all requests are out before
 * the first answer comes, and never says too much. Else, where an answer can keep the next request
 * from a NIC that is free, and with handshakes, the node's messages are followed one by one,
 * O(x log x), and more work below a node may shorten the wave: D rises then, but not the time.
 * NaN when memory is short. */
double tan_overlap_level(const struct tan_overlap *p, enum tan_overlap_way way, int64_t x,
                         int64_t leaves, double below, bool root);
double tan_overlap_leaf(const struct tan_overlap *p, enum tan_overlap_way way);

/* The same of a node whose children are of `n` kinds, asked in this order. */
double tan_overlap_node(const struct tan_overlap *p, enum tan_overlap_way way,
                        const struct tan_children *kind, int n, bool root);

/* What the messages of a node with x children cost it, each child with `leaves` leaves below it, on
 * links of the last tier, without handshakes; whole picoseconds. */
struct tan_overlap_pace {
    double own;             /* the receive of its own request, which the root has not */
    double send, receive;   /* its processor, for a request and for an answer */
    double sends, receives; /* from one to the next, its NIC included */
    double nic;             /* the last request keeps the NIC as long */
    double down, up;        /* from the begin of a request, and of an answer, to the arrival */
};
struct tan_overlap_pace tan_overlap_pace(const struct tan_overlap *p, int64_t x, int64_t leaves);

/* What a level adds to such a wave at least, whatever stands below it: of a node that has its
 * request, until it has all answers, less what the same of its slowest child takes; that child is a
 * leaf or a node, and its own receive counts. Not falling with x. With handshakes it may be much
 * more. */
double tan_overlap_adds(const struct tan_overlap *p, enum tan_overlap_way way, int64_t x,
                        int64_t leaves);

TAN_END_DECLS

#endif
