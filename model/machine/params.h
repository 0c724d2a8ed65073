/* params.h - parameters of the TAN model and their uncertainty
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_MACHINE_PARAMS_H
#define TAN_MODEL_MACHINE_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/stats/stats.h"

struct json_t;
struct tan_json_at;
struct tan_json_writer;
struct tan_payload;

/* Meaning of a, b, c of the TAN model, named after the fitting method. */
enum tan_method {
    TAN_METHOD_PAPER, /* level cost L + o(x + 1) + g, o(x) = a + b x + c x^2 */
    TAN_METHOD_JOINT, /* level cost L + 2a + b (x - 1) + c (x^2 - 1) + g */
    /* Model tan-overlap, with other parameters: a is o_s, b is o_r, c is the increase of both per
     * additional child, and C is half of a leaf's time in a round trip (wave/overlap.h). */
    TAN_METHOD_OVERLAP,
};

/* The fitted parameters, in the order of tan_params.value. All are seconds. TAN_C2 is c, the
 * coefficient of x^2; TAN_C0 is C, the one-time cost of a wave. */
enum tan_param { TAN_L, TAN_A, TAN_B, TAN_C2, TAN_G, TAN_C0, TAN_PARAMS };
/* "L_us", "a_us", "b_us", "c_us", "g_us", "C_us" */
extern const char *const tan_param_keys[TAN_PARAMS];
/* The key of a method's parameter: the same, except "o_s_us" and "o_r_us" for tan-overlap. */
const char *tan_param_key(enum tan_method method, int p);
/* Its symbol in formulas: the key without "_us". */
const char *tan_param_symbol(enum tan_method method, int p);
/* Parameters that do not depend on the distance of processes: c, g, C. */
extern const bool tan_param_shared[TAN_PARAMS];

enum tan_direction { TAN_UP = 1, TAN_DOWN = 2 };

struct tan_params {
    enum tan_method method;
    int64_t bytes;            /* of a measured message; 1024 by default */
    double value[TAN_PARAMS]; /* seconds, >= 0 */
    /* Not identified by the data, or missing in the file. The value is then set by
     * tan_params_assume, and ci95, if known, is the range of possible values. */
    bool unidentified[TAN_PARAMS];
    struct tan_interval ci95[TAN_PARAMS]; /* seconds; low > high if unknown */
    double r2;                            /* NaN if unknown */
    int64_t n;                            /* number of wave times in the fit, 0 if unknown */
    int64_t max_fanout, max_height;       /* largest measured ones, 0 if unknown */
    /* Bootstrap draws of the parameters, for intervals of derived values: n_draws rows of
     * TAN_PARAMS seconds, owned by the enclosing machine or fit; NULL if there are none. */
    double *draws;
    int n_draws;
    bool derived;    /* from single messages (tan_params_from_messages); never written to files */
    bool draws_made; /* generated from ci95 instead of a fit; never written to files */
    /* Messages of a size other than `bytes` (payload.h); borrowed, NULL: as measured. */
    const struct tan_payload *payload;
    /* Seconds that a parent's filter takes per child's message, the same in all tiers; 0 by
     * default. */
    double work;
    /* Of a network that was given (given.h): bytes per second, and seconds that a further child
     * takes without the transfer of its message; 0: none was given. */
    double rate, child;
    /* Direction of waves, TAN_UP or TAN_DOWN; 0: half a round trip. */
    int one_way;
    /* Under TAN_METHOD_OVERLAP: messages share the NIC instead of leaving it one by one; of several
     * tiers the last one's counts (struct tan_overlap). */
    bool nic_shared;
    int draw; /* the values are those of draw `draw` - 1; 0: the fitted ones */
};

/* Parameters by distance of two processes, nearest first. The last tier is for processes that share
 * nothing, and the only one if distances are unknown. */
enum { TAN_INNER_TIERS = 3, TAN_TIERS = TAN_INNER_TIERS + 1 };
struct tan_tiers {
    int n; /* 1..TAN_TIERS */
    /* What processes of a tier share at most: 0: a host, k: a rack of the k-th level. */
    int level[TAN_INNER_TIERS];
    const struct tan_params *params[TAN_TIERS]; /* `n` entries; borrowed */
};
/* `params` alone. */
struct tan_tiers tan_tiers_of(const struct tan_params *params);
/* The largest number of draws of a tier. */
int tan_tiers_draws(const struct tan_tiers *tiers);
/* The tiers with the values of draw 0 to tan_tiers_draws - 1, stored in drawn[]; a tier with fewer
 * draws wraps around. Borrows what the parameters own. */
struct tan_tiers tan_tiers_drawn(const struct tan_tiers *tiers, int draw,
                                 struct tan_params drawn[TAN_TIERS]);

/* Whether only the sum L + 2a is known: from a fit without a latency, which sets L to 0 and
 * includes half of it in a. */
bool tan_params_split(const struct tan_params *params);
const char *tan_method_name(enum tan_method method); /* "paper", "joint", "overlap" */
/* The methods of TAN: "paper, joint". */
struct tan_text tan_method_list(void);
/* Parse one of these. */
int tan_method_parse(const char *text, enum tan_method *method, struct tan_error *e);

/* Set unidentified parameters to assumed values, also in the draws unless ci95 has their range. b
 * becomes max(g, a), as in LogP: a parent receives messages one after the other, each for that
 * time. o_r of tan-overlap becomes o_s. Others become 0, except `a`, which is never assumed. */
void tan_params_assume(struct tan_params *params);

/* Generate 1000 draws for params with intervals but without draws: each parameter independently,
 * normally distributed around its value with the interval as 95 % range on either side, and not
 * below 0; an unidentified one uniformly in its interval. The same in every call. */
int tan_params_draw(struct tan_params *params, struct tan_error *e);
/* The parameters with the values of one of their draws, modulo n_draws; unchanged without draws.
 * Borrows what they own. */
struct tan_params tan_params_drawn(const struct tan_params *params, int draw);

/* Times of an object in a machine file, where they are in us: `n` of them by these keys, and unless
 * `ci95` is NULL their intervals by the same keys in "ci95". Read: NaN and unknown where absent;
 * fails, naming the key, if one is below least_us or above TAN_MOST_US. */
#define TAN_MOST_US 1e15 /* keeps every prediction finite */
int tan_times_read(const struct tan_json_at *at, const char *const *keys, int n, double least_us,
                   double *value, struct tan_interval *ci95, struct tan_error *e);
/* Set those that are known, with so many significant digits. */
void tan_times_set(struct tan_json_writer *w, struct json_t *object, const char *const *keys, int n,
                   const double *value, const struct tan_interval *ci95, int digits);

#endif
