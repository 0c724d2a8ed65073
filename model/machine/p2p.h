/* p2p.h - point-to-point parameters of a machine, and predictions for single messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_MACHINE_P2P_H
#define TAN_MODEL_MACHINE_P2P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "model/stats/stats.h"

struct json_t;
struct tan_json_at;
struct tan_json_writer;

/* Protocol of a message: R request, A acknowledgement, T the message itself. */
enum tan_transfer {
    TAN_TRANSFER_UNKNOWN,
    TAN_TRANSFER_T,   /* eager: the sender does not depend on the receiver */
    TAN_TRANSFER_TA,  /* the same, but the buffer is not free until the receiver has reacted */
    TAN_TRANSFER_RTA, /* the receiver fetches the message */
    TAN_TRANSFER_RAT, /* the sender pushes it after the receiver's answer */
    TAN_TRANSFERS
};
/* Whether messages progress while the application computes, or only inside library calls. */
enum tan_progress {
    TAN_PROGRESS_UNKNOWN, /* treated as dependent */
    TAN_PROGRESS_DEPENDENT,
    TAN_PROGRESS_INDEPENDENT,
    TAN_PROGRESSES
};

/* Costs of a message of one size; seconds. */
struct tan_loggpo_costs {
    enum tan_transfer transfer;
    enum tan_progress progress;
    double delivered; /* from the start of the send until a waiting receiver has the message */
    double arrival;   /* until the receiver can react: to the message (T, TA) or the request */
    double o_s, o_r;  /* processor time of a side that computes during the transfer */
    double answer;    /* the same for a receiver that reacts in its Irecv; at most o_r */
    double blocked; /* from the start of the send until a waiting sender continues, if the receiver
                       waits, too */
};

/* The model of [Chen 2009] (section 2.2), without the gap g. Times are seconds; overheads are those
 * for the length of the message. */
struct tan_loggpo {
    double L;       /* latency */
    double G;       /* gap per byte */
    double control; /* O', processing of one control message */
    double start;   /* O_i, start of the transfer */
    double copy;    /* O_c, copy out of the library's buffer */
};

/* The costs of a message by the model's parameters. With move = O_i + G (K-1):
 *     T, TA              o_s = O_i   o_r = O_c               delivered = move + L + O_c
 *     RTA, dependent     o_s = 2 O'  o_r = O' + move         delivered = 2 O' + L + move
 *     RTA, independent   o_s = 2 O'  o_r = 2 O' + O_i        delivered = 4 O' + 3 L + move
 *     RAT, dependent     o_s = 2 O' + move,  o_r = 3 O' + 2 L + move,
 *                                                            delivered = 4 O' + 3 L + move
 * answer is 2 O' under the dependent RAT (case (a) of the paper), where the sender pushes the data
 * later, else o_r. T and the independent RTA are the paper's; the dependent RTA follows from its
 * definitions, and the dependent RAT from the event form below. An unknown protocol counts as RAT.
 * The paper does not define RAT with independent progress, so the costs of RTA are used. */
void tan_loggpo_by_paper(const struct tan_loggpo *p, enum tan_transfer transfer,
                         enum tan_progress progress, int64_t bytes, struct tan_loggpo_costs *out);

/* Isend or Irecv, computation, Wait: times on a common clock and durations, in seconds. */
struct tan_loggpo_calls {
    double isend, irecv;                       /* T_s, T_r: start of the calls */
    double sender_computes, receiver_computes; /* between the call and its Wait */
};
struct tan_loggpo_ends {
    double sender, receiver; /* return from Wait */
};
/* When both sides are finished, by the event form of the model. A receiver that progresses only in
 * calls reacts in its Irecv, if the message or request has arrived by then, or else in its Wait.
 * The message is delivered costs->delivered - costs->arrival after the reaction; under a dependent
 * RAT not before the sender has pushed it in its Wait. A receiver that reacts in its Irecv computes
 * afterwards, and only pays costs->answer. Each side finishes after its own overhead and
 * computation, and after what it waits for from the other side.
 * In case (b) of section 2.2.2, RAT with dependent progress, the paper contradicts itself: its
 * formula blocks the sender until T_r, but in its text and its T_c the receiver answers in its
 * Wait, T_rw. The latter is used. */
void tan_loggpo_exchange(const struct tan_loggpo_costs *costs, const struct tan_loggpo_calls *calls,
                         struct tan_loggpo_ends *out);

/* Share of its time that a side spends on computing for `computation` seconds: comp / (comp + O). 0
 * if both are 0. */
double tan_overlap_ratio(double computation, double overhead);

/* Parameters of a section, in seconds or seconds per byte. For messages of k bytes the overheads
 * are o + O k, the latency is L + L_byte k and the gap is g + G (k - 1). */
enum tan_p2p_param {
    TAN_P2P_L,
    TAN_P2P_L_BYTE,
    TAN_P2P_O_S,
    TAN_P2P_O_S_BYTE, /* O_s */
    TAN_P2P_O_R,
    TAN_P2P_O_R_BYTE, /* O_r */
    TAN_P2P_G,
    TAN_P2P_G_BYTE, /* G */
    TAN_P2P_ACK,    /* from delivery until a waiting sender continues */
    TAN_P2P_PARAMS
};
/* A parameter's key in machine files. */
struct tan_p2p_param_row {
    const char *key;      /* "L_us", "L_us_per_byte", "o_s_us", "O_s_us_per_byte", ... */
    const char *title;    /* "L", ... */
    bool per_byte;        /* seconds per byte */
    bool may_be_negative; /* as a line's value at 0 bytes, or what remains of a measured time */
};
extern const struct tan_p2p_param_row tan_p2p_params[TAN_P2P_PARAMS];

/* A range of sizes with one set of parameters. */
struct tan_p2p_section {
    int64_t from, to;                         /* bytes, inclusive */
    double value[TAN_P2P_PARAMS];             /* NaN if unknown */
    struct tan_interval ci95[TAN_P2P_PARAMS]; /* low > high if unknown */
};

/* Series of values measured for each size, in seconds. */
enum tan_p2p_series {
    TAN_P2P_HALF,         /* half round trip */
    TAN_P2P_SEND,         /* o_s: processor time of a computing sender with a waiting receiver */
    TAN_P2P_RECEIVE,      /* o_r: the same for a receiver */
    TAN_P2P_INTERVAL,     /* time between messages of a window */
    TAN_P2P_BLOCKED,      /* blocking send to a waiting receiver */
    TAN_P2P_DUPLEX,       /* as the interval, with as many messages in the opposite direction */
    TAN_P2P_DUPLEX_FIRST, /* a message and its empty reply, both ways at once */
    TAN_P2P_START,        /* O_i of LogGPO: duration of Isend */
    TAN_P2P_COPY,         /* O_c: receive of a message that has already arrived */
    TAN_P2P_SERIES
};

struct tan_p2p_size {
    int64_t bytes;
    double value[TAN_P2P_SERIES]; /* >= 0; NaN if not identifiable */
    struct tan_interval ci95[TAN_P2P_SERIES];
};

extern const char *const tan_transfer_names[TAN_TRANSFERS];
extern const char *const tan_progress_names[TAN_PROGRESSES];

/* The p2p block of a machine file. */
struct tan_p2p {
    struct tan_p2p_section *section; /* by increasing size; owned */
    size_t n_sections;               /* at least 1 */
    struct tan_p2p_size *size;       /* by increasing size; owned; may be NULL */
    size_t n_sizes;
    int64_t eager; /* S: longer messages wait for their receiver; -1: unknown */
    int64_t alone; /* up to this size, at most S, senders do not depend on receivers; -1: S */
    enum tan_transfer transfer; /* of messages longer than S */
    enum tan_progress progress;
    bool disturbed;          /* measured while other programs used the cores */
    double control;          /* O' of LogGPO; NaN if unknown */
    double s_s, s_r, S_byte; /* two tiers: within a host; NaN if unknown */
};

/* Read a machine's p2p block at `at`; NULL with an error that names the key. The caller owns the
 * result (tan_p2p_destroy). */
struct tan_p2p *tan_p2p_read(const struct tan_json_at *at, struct tan_error *e);
/* The same for a JSON value; `source` names it in errors. */
struct tan_p2p *tan_p2p_parse(const struct json_t *object, const char *source, struct tan_error *e);
/* The block as JSON; the caller owns the reference. NULL if memory is short. Unknown values are
 * left out. */
struct json_t *tan_p2p_to_json(const struct tan_p2p *p);
enum { TAN_P2P_DIGITS = 9 }; /* significant ones of a time: as many as measurements have */
void tan_p2p_destroy(struct tan_p2p *p);

/* The section of messages of `bytes`, or the nearest one. O(sections). */
const struct tan_p2p_section *tan_p2p_section_of(const struct tan_p2p *p, int64_t bytes);
/* The measured value for `bytes`, interpolated linearly between sizes: below the first one
 * constant, above the last one extrapolated from the last two, without decreasing. If nothing was
 * measured, TAN_P2P_SEND, RECEIVE and INTERVAL by the section's parameters. NaN if unknown.
 * O(sizes). */
double tan_p2p_at(const struct tan_p2p *p, enum tan_p2p_series series, int64_t bytes);

/* The protocol of messages of `bytes`. */
enum tan_transfer tan_p2p_transfer_of(const struct tan_p2p *p, int64_t bytes);
/* Whether every section has the parameters of the model `fitted`, which tanbench measures: L,
 * L_byte and overheads. */
bool tan_p2p_complete(const struct tan_p2p *p);
/* L of the published models, which have a single L: the one-way time of the shortest message minus
 * its overheads. Negative if those exceed it; the models then use 0. */
double tan_p2p_latency(const struct tan_p2p *p);
/* O' of LogGPO; if a measured file has none, the shortest message's cost for its sender. Measured
 * as half the cost of a synchronous one-byte send for a computing sender, since a rendezvous costs
 * it 2 O' and hardly anything for its data. */
double tan_p2p_control(const struct tan_p2p *p);
/* LogGPO's own parameters for messages of `bytes`: tan_p2p_latency, G of the section, O_i as
 * measured for the size (beyond S for one byte), and O_c; without these two, the overheads of
 * sender and receiver. NaN if a parameter is missing. */
struct tan_loggpo tan_p2p_loggpo(const struct tan_p2p *p, int64_t bytes);
/* Costs of a message by LogGPO as published. NaN if a parameter is missing. */
void tan_p2p_costs_published(const struct tan_p2p *p, int64_t bytes, struct tan_loggpo_costs *out);
/* The same by the lines of the message's section (`fitted`), where the file has L_byte,
 *     delivered = o_s + O_s k + L + L_byte k + o_r + O_r k
 * else as published. */
void tan_p2p_costs(const struct tan_p2p *p, int64_t bytes, struct tan_loggpo_costs *out);
/* Predict as if messages longer than S progressed while the application computes, as in LogGPO's
 * independent RTA: o_s = 2 O' and o_r = 2 O' + O_i in every section beyond S, with unchanged
 * one-way times. O' is half the senders' overhead under RTA, otherwise the shortest message's cost
 * for its sender, and so is O_i. Costs of a progress thread are unknown and left out. False, with
 * no change, if a section is incomplete (tan_p2p_complete) or S is unknown. */
bool tan_p2p_assume_independent(struct tan_p2p *p);
/* Time between messages of a stream: g + G (k-1) of the section, or the larger overhead if G is
 * unknown. */
double tan_p2p_interval_of(const struct tan_p2p *p, int64_t bytes);
/* G of the section. If measured messages have none, since their gaps equal the larger overhead
 * (tan_p2p_fit), the larger overhead per byte. NaN if unknown. */
double tan_p2p_gap_per_byte(const struct tan_p2p_section *section);

/* A model's prediction for one message of a ping-pong, so its receiver is waiting. NaN: the machine
 * file lacks a parameter of the model. */
struct tan_message {
    double sender;    /* seconds from the start of the send until the sender continues */
    double delivered; /* seconds until the receiver has the message */
};

/* A model. */
struct tan_p2p_model {
    const char *name;
    const char *help; /* its formula */
    struct tan_message (*predict)(const struct tan_p2p *p, int64_t bytes);
};
/* The key, or keys, that the p2p block lacks for the model to predict a message of `bytes`; NULL:
 * none. */
const char *tan_p2p_lacks(const struct tan_p2p *p, const struct tan_p2p_model *model,
                          int64_t bytes);
/* Fail if it lacks one, naming the `file`, the key and the command that measures it. */
int tan_p2p_require(const struct tan_p2p *p, const char *file, const struct tan_p2p_model *model,
                    int64_t bytes, struct tan_error *e);
/* A row with name NULL ends the table. */
extern const struct tan_p2p_model tan_p2p_models[];
enum { TAN_P2P_MODELS = 8 }; /* rows */

/* A message within a wave: what it occupies, and the parts of its time. */
struct tan_p2p_parts {
    double whole; /* until it is delivered */
    /* The receiver's processor is busy for `receive`, and the next message may follow after
     * `interval`. Under `fitted` where the sender pushes (RAT) `receive` is the interval, too,
     * since most of the receiver's overhead is waiting. */
    double receive, interval;
    /* sender + way + receiver = whole. Overheads of both sides that overlap, and so exceed the
     * whole, are reduced by the same factor. */
    double sender, way, receiver;
    double gap; /* the interval, if it is more than 5 % longer than either side; else 0 */
};
/* By `model`, except for overheads and intervals of models other than `fitted`, which are those
 * measured. NaN if a parameter is missing. */
void tan_p2p_parts(const struct tan_p2p *p, const struct tan_p2p_model *model, int64_t bytes,
                   struct tan_p2p_parts *out);
/* Whether the parts are those of the fitted lines: `model` is fitted, and tan_p2p_complete. */
bool tan_p2p_by_section(const struct tan_p2p *p, const struct tan_p2p_model *model);

/* The model of that name, which must be one of those above. */
const struct tan_p2p_model *tan_p2p_model_find(const char *name);

/* The model for the costs of trees: fitted if tan_p2p_complete, otherwise the first of plogp,
 * loggops, loggp and logp whose parameters are known. NULL if there is none. */
const struct tan_p2p_model *tan_p2p_best(const struct tan_p2p *p);

/* In LogP and its successors overheads, latency and gaps do not overlap, so L is at least 0 and no
 * overhead is longer than the time between messages. If a machine contradicts this, their
 * predictions follow the formulas with L = 0 for L < 0.
 * Sentences that say where it does, as an array; the caller owns the reference. NULL if memory is
 * short. */
struct json_t *tan_p2p_violations(const struct tan_p2p *p);
/* Print them after a heading, if there are any. */
void tan_p2p_violations_print(const struct tan_p2p *p, FILE *to);

#endif
