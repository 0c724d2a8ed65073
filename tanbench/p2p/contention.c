/* contention.c - which samples were taken while others used the pair's cores, too
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/contention.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "tanbench/host/core_probe.h"

static const double about = 2.5; /* distances differ by a half, threads of one core by 6 */
enum {
    FEWEST = 5, /* samples of a size that say something */
    FEW = 20,   /* passes */
};
/* So many must most sizes have of a condition. */
static const double enough[P2P_GROUPS] = {
    [P2P_TRIPS] = 10, [P2P_TRAINS] = FEWEST, [P2P_COLD] = FEWEST};

static int8_t *place(const struct p2p_conditions *c, size_t size, enum p2p_group group, size_t pass)
{
    return &c->of[(size * P2P_GROUPS + group) * P2P_MOST_PASSES + pass];
}

int p2p_condition_of(const struct p2p_conditions *c, size_t size, enum p2p_group group, size_t pass)
{
    return *place(c, size, group, pass);
}

static size_t all_passes(const struct p2p_measurement *m)
{
    size_t n = 0;
    for (int group = 0; group < P2P_GROUPS; group++) {
        n += m->passes[group];
    }
    return n;
}

/* What the cores do when nobody else uses them, and how far they mostly are from each other. */
static int find_normal(const struct p2p_measurement *m, const struct tan_p2p *known,
                       struct p2p_conditions *c, struct tan_error *e)
{
    double *turn = calloc(m->n_sizes * all_passes(m) * 2, sizeof *turn);
    size_t n = 0;
    if (turn == NULL) {
        return tan_fail_nomem(e);
    }
    c->fastest[0] = c->fastest[1] = INFINITY;
    for (size_t i = 0; i < m->n_sizes; i++) {
        for (int group = 0; group < P2P_GROUPS; group++) {
            const struct p2p_look *look = p2p_looks(m, i, (enum p2p_group)group, 0);
            for (size_t k = 0; k < 2 * m->passes[group]; k++) {
                c->fastest[0] = fmin(c->fastest[0], look[k].work[0]);
                c->fastest[1] = fmin(c->fastest[1], look[k].work[1]);
                if (isfinite(look[k].turn)) {
                    turn[n++] = look[k].turn;
                }
            }
        }
    }
    for (int i = 0; i < 2; i++) { /* fmin takes the one that is known */
        c->work[i] = known != NULL ? fmin(c->fastest[i], known->work[i]) : c->fastest[i];
    }
    gsl_sort(turn, 1, n);
    c->turn = known != NULL && known->turn > 0.0 ? known->turn
              : n > 0                            ? gsl_stats_median_from_sorted_data(turn, 1, n)
                                                 : NAN;
    free(turn);
    return 0;
}

/* The condition at one look: a bit for each core that is slowed. */
static int slowed_cores(const struct p2p_conditions *c, const struct p2p_look *look)
{
    if (isfinite(c->turn) && !(look->turn > c->turn / about && look->turn < c->turn * about)) {
        return P2P_ELSEWHERE;
    }
    return pace_slowed(look->work[0], c->work[0]) | pace_slowed(look->work[1], c->work[1]) << 1;
}

static int judge(const struct p2p_conditions *c, const struct p2p_look look[2])
{
    static const int count[] = {0, 1, 1, 2};
    const int before = slowed_cores(c, &look[0]);
    const int after = slowed_cores(c, &look[1]);
    return before == P2P_ELSEWHERE || after == P2P_ELSEWHERE ? P2P_ELSEWHERE
           : before == after                                 ? count[before]
                                                             : P2P_MIXED;
}

/* How many times enough the sizes have of a condition: the lower quartile over the sizes, of the
 * group that has least. Groups with few passes do not count: over a slow network those of trains
 * are too few to come in every condition. */
static double plenty(const struct p2p_conditions *c, const struct p2p_measurement *m, int slowed)
{
    double share[P2P_MOST_SIZES];
    for (size_t k = 0; k < m->n_sizes; k++) {
        share[k] = INFINITY;
        for (int group = 0; group < P2P_GROUPS; group++) {
            double count = 0.0;
            if (group != P2P_TRIPS && m->passes[group] < FEW) {
                continue;
            }
            for (size_t pass = 0; pass < m->passes[group]; pass++) {
                count += *place(c, k, (enum p2p_group)group, pass) == slowed;
            }
            share[k] = fmin(share[k], count / enough[group]);
        }
    }
    gsl_sort(share, 1, m->n_sizes);
    return gsl_stats_quantile_from_sorted_data(share, 1, m->n_sizes, 0.25);
}

bool p2p_conditions_quiet(const struct p2p_conditions *c, const struct p2p_measurement *m)
{
    return plenty(c, m, 0) >= 1.0;
}

static int choose(const struct p2p_conditions *c, const struct p2p_measurement *m,
                  const struct tan_p2p *known)
{
    int chosen = TAN_P2P_ANY;
    double most = 0.0;
    if (p2p_conditions_quiet(c, m) && (known == NULL || tan_p2p_knows(known, 0))) {
        return 0;
    }
    for (int k = 0; k < TAN_P2P_CONDITIONS; k++) {
        const bool wanted = known == NULL || tan_p2p_knows(known, k);
        const double n = plenty(c, m, k);
        if (known != NULL && k == known->slowed && n >= 1.0) {
            return k;
        }
        if (wanted && n >= 1.0 && n > most) {
            chosen = k;
            most = n;
        }
    }
    return chosen;
}

/* The samples whose condition is from `low` to `high`. */
static size_t between(const struct p2p_conditions *c, const struct p2p_measurement *m, size_t size,
                      enum tan_p2p_timing timing, int low, int high, double *out)
{
    const enum p2p_group group = p2p_group_of(timing);
    const double *sample = p2p_samples(m, size, timing);
    size_t n = 0;
    for (size_t pass = 0; pass < m->passes[group]; pass++) {
        const int condition = p2p_condition_of(c, size, group, pass);
        if (condition >= low && condition <= high) {
            out[n++] = sample[pass];
        }
    }
    return n;
}

size_t p2p_conditions_select(const struct p2p_conditions *c, const struct p2p_measurement *m,
                             size_t size, enum tan_p2p_timing timing, int slowed, double *out)
{
    const size_t n = between(c, m, size, timing, slowed, slowed, out);
    return n < FEWEST ? 0 : n;
}

size_t p2p_conditions_take(const struct p2p_conditions *c, const struct p2p_measurement *m,
                           size_t size, enum tan_p2p_timing timing, double *out)
{
    const int all = TAN_P2P_CONDITIONS - 1; /* and below */
    size_t n =
        c->slowed == TAN_P2P_ANY ? 0 : p2p_conditions_select(c, m, size, timing, c->slowed, out);
    n = n == 0 ? between(c, m, size, timing, P2P_MIXED, all, out) : n;
    return n == 0 ? between(c, m, size, timing, P2P_ELSEWHERE, all, out) : n;
}

int p2p_conditions_judge(const struct p2p_measurement *m, const struct tan_p2p *known,
                         struct p2p_conditions *c, struct tan_error *e)
{
    *c = (struct p2p_conditions){.slowed = TAN_P2P_ANY};
    c->of = malloc(m->n_sizes * P2P_GROUPS * P2P_MOST_PASSES);
    if (c->of == NULL) {
        return tan_fail_nomem(e);
    }
    if (find_normal(m, known, c, e) < 0) {
        return -1;
    }
    const double share = 1.0 / (double)(m->n_sizes * all_passes(m));
    for (size_t i = 0; i < m->n_sizes; i++) {
        for (int group = 0; group < P2P_GROUPS; group++) {
            for (size_t pass = 0; pass < m->passes[group]; pass++) {
                const int slowed = judge(c, p2p_looks(m, i, (enum p2p_group)group, pass));
                *place(c, i, (enum p2p_group)group, pass) = (int8_t)slowed;
                if (slowed >= 0) {
                    c->share[slowed] += share;
                }
            }
        }
    }
    c->slowed = choose(c, m, known);
    for (size_t i = 0; i < m->n_sizes; i++) {
        double sample[P2P_MOST_PASSES];
        const size_t n = p2p_conditions_take(c, m, i, TAN_P2P_TRIP, sample);
        gsl_sort(sample, 1, n);
        c->half[i] = tan_p2p_undisturbed(sample, n, NULL);
    }
    return 0;
}

bool p2p_conditions_comparable(const struct p2p_conditions *c, const struct tan_p2p *known)
{
    return c->slowed != TAN_P2P_ANY || known->slowed == TAN_P2P_ANY;
}

void p2p_conditions_clear(struct p2p_conditions *c)
{
    free(c->of);
    c->of = NULL;
}
