/* p2p.h - point-to-point parameters of a machine, and predictions for one message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_MACHINE_P2P_H
#define MODEL_MACHINE_P2P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "model/machine/loggpo.h"
#include "model/stats/interval.h"

struct json_t;
struct tan_json_at;

/* The parameters of a section; seconds, and seconds per byte. For messages of k bytes the overheads
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
    TAN_P2P_ACK,    /* from the delivery until a sender that waits may continue */
    TAN_P2P_PARAMS
};
/* A parameter's key in machine files. */
struct tan_p2p_param_row {
    const char *key;      /* "L_us", "L_us_per_byte", "o_s_us", "O_s_us_per_byte", ... */
    const char *title;    /* "L", ... */
    bool per_byte;        /* seconds per byte */
    bool may_be_negative; /* a time at 0 bytes, which no message has, or of both sides at once */
};
extern const struct tan_p2p_param_row tan_p2p_params[TAN_P2P_PARAMS];

/* Range of sizes that the library treats alike, with its parameters. */
struct tan_p2p_section {
    int64_t from, to;                         /* bytes, both included */
    double value[TAN_P2P_PARAMS];             /* NaN when not known */
    struct tan_interval ci95[TAN_P2P_PARAMS]; /* low > high when not known */
};

/* Measured values of one size, in seconds. */
enum tan_p2p_series {
    TAN_P2P_HALF,         /* half round trip */
    TAN_P2P_SEND,         /* o_s: processor time of a sender that computes, the receiver waiting */
    TAN_P2P_RECEIVE,      /* o_r: the same of a receiver */
    TAN_P2P_INTERVAL,     /* from message to message of a window */
    TAN_P2P_BLOCKED,      /* a blocking send whose receiver waits */
    TAN_P2P_DUPLEX,       /* as the interval, while as many messages go the other way */
    TAN_P2P_IN_PLACE,     /* as the first, of messages received where their receiver sent the last
                             one from, which copies within a host pay for */
    TAN_P2P_DUPLEX_FIRST, /* until a message and an empty reply to it are delivered, likewise */
    TAN_P2P_START,        /* O_i of LogGPO: Isend until it returns */
    TAN_P2P_COPY,         /* O_c: a receive of a message that has arrived before */
    TAN_P2P_SERIES
};
/* "half_us", "o_s_us", "o_r_us", "gap_us", "send_us", "duplex_gap_us", "in_place_us",
 * "duplex_first_us", "O_i_us", "O_c_us" */
extern const char *const tan_p2p_series_keys[TAN_P2P_SERIES];

struct tan_p2p_size {
    int64_t bytes;
    double value[TAN_P2P_SERIES]; /* >= 0; NaN when not identifiable */
    struct tan_interval ci95[TAN_P2P_SERIES];
};

extern const char *const tan_transfer_names[TAN_TRANSFERS];
extern const char *const tan_progress_names[TAN_PROGRESSES];

/* The p2p block of a machine file. */
struct tan_p2p {
    struct tan_p2p_section *section; /* of rising sizes; owned */
    size_t n_sections;               /* 1 or more */
    struct tan_p2p_size *size;       /* of rising bytes; owned; may be NULL */
    size_t n_sizes;
    int64_t eager; /* S: longer messages wait for their receiver; -1: not known */
    int64_t alone; /* up to here, at most S, the sender needs nothing of the receiver; -1: S */
    enum tan_transfer transfer; /* of messages longer than S */
    enum tan_progress progress;
    bool disturbed;          /* measured while other programs used the cores */
    double control;          /* O' of LogGPO; NaN when not known */
    double s_s, s_r, S_byte; /* two tiers: within a host; NaN when not known */
};

/* Read a machine's p2p block at `at`; errors name the key. */
struct tan_p2p *tan_p2p_read(const struct tan_json_at *at, struct tan_error *e);
/* The same of a block alone. */
struct tan_p2p *tan_p2p_parse(const struct json_t *object, const char *source, struct tan_error *e);
/* NULL when memory is short; the caller owns the reference. Unknown values are left out. */
struct json_t *tan_p2p_to_json(const struct tan_p2p *p);
/* Set those of `n` times (seconds, written as us) that are not NaN, and "ci95" with their
 * intervals, by these keys. -1 when memory is short. */
int tan_p2p_set_values(struct json_t *object, const char *const *keys, int n, const double *value,
                       const struct tan_interval *ci95);
void tan_p2p_destroy(struct tan_p2p *p);

/* The section that holds messages of `bytes`, or the nearest one. O(sections). */
const struct tan_p2p_section *tan_p2p_section_of(const struct tan_p2p *p, int64_t bytes);
/* The measured value for `bytes`, on a line between the sizes beside it (beyond the last: the line
 * through the last two, not falling); where nothing was measured, the value of the section's
 * parameters, which is NaN for TAN_P2P_HALF. NaN when not known. O(log sizes). */
double tan_p2p_at(const struct tan_p2p *p, enum tan_p2p_series series, int64_t bytes);

/* The protocol of messages of `bytes`. */
enum tan_transfer tan_p2p_transfer_of(const struct tan_p2p *p, int64_t bytes);
/* Whether every section has what the model `fitted` needs, which tanbench measures: L, L_byte and
 * overheads. */
bool tan_p2p_complete(const struct tan_p2p *p);
/* L of the published models, which have one for all sizes: that of the shortest message, so its
 * one-way time less its overheads. Below 0 where those exceed it; the models then take 0. */
double tan_p2p_latency(const struct tan_p2p *p);
/* O' of LogGPO; of measured files that have none what the shortest message costs its sender. Half
 * of what a synchronous send of one byte costs a sender that computes, since a rendezvous costs it
 * 2 O' and next to nothing for its data. */
double tan_p2p_control(const struct tan_p2p *p);
/* LogGPO's own parameters for messages of `bytes`: tan_p2p_latency, G of the section, O_i as
 * measured for the size, beyond S for one byte, and O_c; of files without these two the sender's
 * and the receiver's overhead. NaN where a parameter is missing. */
struct tan_loggpo tan_p2p_loggpo(const struct tan_p2p *p, int64_t bytes);
/* What a message costs by LogGPO as it was published. NaN where a parameter is missing. */
void tan_p2p_costs_published(const struct tan_p2p *p, int64_t bytes, struct tan_loggpo_costs *out);
/* The same by the lines of the message's section (`fitted`), where the file has L_byte,
 *     delivered = o_s + O_s k + L + L_byte k + o_r + O_r k
 * else as published. */
void tan_p2p_costs(const struct tan_p2p *p, int64_t bytes, struct tan_loggpo_costs *out);
/* Predict as if messages longer than S moved while the application computes, as LogGPO's
 * independent RTA has it: o_s = 2 O' and o_r = 2 O' + O_i in every section beyond S, with the same
 * one-way times. O' is half of the senders' overhead under RTA, else what the shortest message
 * costs its sender, and so is O_i. What a thread that moves messages adds to them is not known.
 * False where the sections are not complete (tan_p2p_complete) or none is beyond S. */
bool tan_p2p_assume_independent(struct tan_p2p *p);
/* Seconds that a message takes longer which is received where its receiver has sent one from: a
 * message beyond S, since shorter ones go through memory of the library. 0 where it is not known,
 * and where it is less than a tenth, as between hosts, which only says how times vary. */
double tan_p2p_in_place(const struct tan_p2p *p, int64_t bytes);
/* The time from message to message when many follow each other: the section's g + G (k-1), or the
 * larger overhead where the file leaves g and G out. */
double tan_p2p_interval_of(const struct tan_p2p *p, int64_t bytes);
/* The section's G; a section of measured overheads whose gap is only the larger one leaves it out.
 */
double tan_p2p_gap_per_byte(const struct tan_p2p_section *section);

/* A model's prediction for one message of a ping-pong: its receiver waits already. NaN: the machine
 * file lacks a parameter that the model needs. */
struct tan_message {
    double sender;    /* seconds from the start of the send until the sender may continue */
    double delivered; /* seconds until the receiver has the message */
};

/* A model with its formula. */
struct tan_p2p_model {
    const char *name;
    const char *help; /* the formula in words */
    struct tan_message (*predict)(const struct tan_p2p *p, int64_t bytes);
};
/* The key of a p2p block without which the model cannot predict a message of `bytes`; NULL: it can.
 */
const char *tan_p2p_lacks(const struct tan_p2p *p, const struct tan_p2p_model *model,
                          int64_t bytes);
/* Fails where it lacks one, naming the `file`, the key and what measures it. */
int tan_p2p_require(const struct tan_p2p *p, const char *file, const struct tan_p2p_model *model,
                    int64_t bytes, struct tan_error *e);
/* A row with name NULL ends the table. */
extern const struct tan_p2p_model tan_p2p_models[];
enum { TAN_P2P_MODELS = 8 }; /* rows */
void tan_p2p_model_help(FILE *to);

/* An unknown name is an error that lists them. */
const struct tan_p2p_model *tan_p2p_model_find(const char *name, struct tan_error *e);

/* The model that the costs of trees are computed from: fitted where tan_p2p_complete, else the
 * first of plogp, loggops, loggp and logp whose parameters are known. NULL when there is none. */
const struct tan_p2p_model *tan_p2p_best(const struct tan_p2p *p);

#endif
