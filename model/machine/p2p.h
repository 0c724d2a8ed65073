/* p2p.h - point-to-point parameters of a machine, and predictions for one message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_MACHINE_P2P_H
#define MODEL_MACHINE_P2P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "model/stats/interval.h"

struct json_t;
struct tan_json_at;

/* The parameters of a section; seconds, and seconds per byte. Overheads of k bytes are o + O k, the
 * gap is g + G (k - 1). */
enum tan_p2p_param {
    TAN_P2P_L,
    TAN_P2P_O_S,
    TAN_P2P_O_S_BYTE, /* O_s */
    TAN_P2P_O_R,
    TAN_P2P_O_R_BYTE, /* O_r */
    TAN_P2P_G,
    TAN_P2P_G_BYTE, /* G */
    TAN_P2P_PARAMS
};
/* "L_us", "o_s_us", "O_s_us_per_byte", ... */
extern const char *const tan_p2p_param_keys[TAN_P2P_PARAMS];

/* Range of sizes that the library treats alike, with its parameters. */
struct tan_p2p_section {
    int64_t from, to;                         /* bytes, both included */
    double value[TAN_P2P_PARAMS];             /* >= 0; NaN when not known */
    struct tan_interval ci95[TAN_P2P_PARAMS]; /* low > high when not known */
};

/* Measured values of one size, in seconds. */
enum tan_p2p_series {
    TAN_P2P_HALF,     /* half round trip, PRTT(1,0,s)/2 */
    TAN_P2P_SEND,     /* o_s(s) */
    TAN_P2P_RECEIVE,  /* o_r(s) */
    TAN_P2P_INTERVAL, /* from message to message of a train, g + (s-1) G */
    TAN_P2P_SERIES
};
/* "half_us", "o_s_us", "o_r_us", "gap_us" */
extern const char *const tan_p2p_series_keys[TAN_P2P_SERIES];

struct tan_p2p_size {
    int64_t bytes;
    double value[TAN_P2P_SERIES]; /* >= 0; NaN when not identifiable */
    struct tan_interval ci95[TAN_P2P_SERIES];
};

/* Protocol of a message longer than S, and whether it moves while the application computes. */
enum tan_transfer {
    TAN_TRANSFER_UNKNOWN,
    TAN_TRANSFER_T,
    TAN_TRANSFER_TA,
    TAN_TRANSFER_RTA,
    TAN_TRANSFER_RAT,
    TAN_TRANSFERS
};
enum tan_progress {
    TAN_PROGRESS_UNKNOWN,
    TAN_PROGRESS_DEPENDENT,
    TAN_PROGRESS_INDEPENDENT,
    TAN_PROGRESSES
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
    enum tan_transfer transfer;
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
/* A row with name NULL ends the table. */
extern const struct tan_p2p_model tan_p2p_models[];
enum { TAN_P2P_MODELS = 10 }; /* rows */
void tan_p2p_model_help(FILE *to);

/* The model that the costs of trees are computed from: the first of plogp, loggops and loggp whose
 * parameters are known. NULL when there is none. */
const struct tan_p2p_model *tan_p2p_best(const struct tan_p2p *p);

#endif
