/* params.h - parameters of the TAN model, and how uncertain they are
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef MODEL_MACHINE_PARAMS_H
#define MODEL_MACHINE_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/stats/interval.h"

TAN_BEGIN_DECLS

struct tan_payload;

/* Meaning of a, b, c of the TAN model; each is named after the method that fits it. */
enum tan_method {
    TAN_METHOD_PAPER, /* level cost L + o(x + 1) + g, o(x) = a + b x + c x^2 */
    TAN_METHOD_JOINT, /* level cost L + 2a + b (x - 1) + c (x^2 - 1) + g */
    /* of the model tan-overlap, whose parameters have other names: a is o_s, b is o_r, c is by how
     * much every further child makes either longer, and C is half of what a leaf does in a round
     * trip (wave/overlap.h) */
    TAN_METHOD_OVERLAP,
};

/* The fitted parameters, in the order of tan_params.value. All are seconds. */
enum tan_param { TAN_L, TAN_A, TAN_B, TAN_C2, TAN_G, TAN_C0, TAN_PARAMS };
/* TAN_C2 is c, the coefficient of x^2; TAN_C0 is C, the one-time cost of a wave. */
extern const char
    *const tan_param_keys[TAN_PARAMS]; /* "L_us", "a_us", "b_us", "c_us", "g_us", "C_us" */
/* The key of a method's parameter: the same, but "o_s_us" and "o_r_us" of tan-overlap. */
const char *tan_param_key(enum tan_method method, int p);
/* Those that do not depend on how far apart processes are: c, g, C. */
extern const bool tan_param_shared[TAN_PARAMS];

enum tan_direction { TAN_UP = 1, TAN_DOWN = 2 };

struct tan_params {
    enum tan_method method;
    int64_t bytes;            /* of a message as measured; a file may leave out 1024 */
    double value[TAN_PARAMS]; /* seconds, >= 0 */
    /* Not known: the data did not identify it, or the file leaves it out. Its value is then what
     * tan_params_assume says, and ci95, where known, the range in which it may lie. */
    bool unidentified[TAN_PARAMS];
    struct tan_interval ci95[TAN_PARAMS]; /* seconds; low > high when not known */
    double r2;                            /* NaN when not known */
    int64_t n;                            /* wave times that the fit used, 0 when not known */
    int64_t max_fanout, max_height;       /* largest ones measured, 0 when not known */
    /* Bootstrap draws of the parameters, for intervals of values computed from them: n_draws rows
     * of TAN_PARAMS seconds, owned by the machine or fit that this is part of; NULL when there are
     * none. */
    double *draws;
    int n_draws;
    bool draws_made; /* not of a fit, but made from ci95; never written to files */
    /* Messages of another size than `bytes` (payload.h); borrowed, NULL: as measured. */
    const struct tan_payload *payload;
    double work; /* seconds that a parent's filter takes for each child's message; 0 unless asked
                    for */
    /* Times of waves are those of this way, TAN_UP or TAN_DOWN; 0: of half a round trip. */
    int one_way;
    int draw; /* these are the values of draw `draw` - 1; 0: the fitted ones */
};

/* Parameters by the distance of two processes, nearest first. The last tier is that of processes
 * that share nothing, the only one where no nearer ones are known. */
enum { TAN_INNER_TIERS = 2, TAN_TIERS = TAN_INNER_TIERS + 1 };
struct tan_tiers {
    int n;                                      /* 1..TAN_TIERS */
    const struct tan_params *params[TAN_TIERS]; /* `n` entries; borrowed */
};
/* `params` alone. */
struct tan_tiers tan_tiers_of(const struct tan_params *params);
/* The largest number of draws of a tier. */
int tan_tiers_draws(const struct tan_tiers *tiers);
/* The tiers with the values of draw 0 to tan_tiers_draws - 1, which are in drawn[]; a tier with
 * fewer draws begins again. Borrows what the parameters own. */
struct tan_tiers tan_tiers_drawn(const struct tan_tiers *tiers, int draw,
                                 struct tan_params drawn[TAN_TIERS]);

/* Whether L and a are known only as L + 2a: a fit without a latency, which takes L as 0 and holds
 * half of it in a. */
bool tan_params_split(const struct tan_params *params);
const char *tan_method_name(enum tan_method method); /* "paper", "joint", "overlap" */
/* The methods of TAN, "paper, joint", into `buffer`, which it returns. */
const char *tan_method_list(char *buffer, size_t size);
/* One of these. */
int tan_method_parse(const char *text, enum tan_method *method, struct tan_error *e);

/* Set what is unidentified to what is taken for it. LogP's reading where only its overhead is
 * known: a parent receives one message after the other, each for max(g, a), so that b is that;
 * everything else is 0. Of tan-overlap o_r is o_s. */
void tan_params_assume(struct tan_params *params);

/* Give params that have intervals but no draws some: each parameter on its own, normal about its
 * value with a 95 % range as wide as the interval on either side, cut at 0; an unidentified one
 * anywhere in its interval. The same numbers in every run. */
int tan_params_draw(struct tan_params *params, struct tan_error *e);
/* The parameters with the values of one of their draws, which begin again after n_draws; without
 * draws they are as they are. Borrows what they own. */
struct tan_params tan_params_drawn(const struct tan_params *params, int draw);

TAN_END_DECLS

#endif
