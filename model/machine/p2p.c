/* p2p.c - predictions of every model for one message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/p2p.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/machine/loggp.h"
#include "model/machine/loggpo.h"

void tan_p2p_destroy(struct tan_p2p *p)
{
    if (p != NULL) {
        free(p->section);
        free(p->size);
        free(p);
    }
}

const struct tan_p2p_section *tan_p2p_section_of(const struct tan_p2p *p, int64_t bytes)
{
    size_t i = 0;
    while (i + 1 < p->n_sections && p->section[i + 1].from <= bytes) {
        i++;
    }
    return &p->section[i];
}

/* Parameters that a file may leave out and models then take as 0. */
static double or_zero(double value)
{
    return isnan(value) ? 0.0 : value;
}

static double from_section(const struct tan_p2p *p, enum tan_p2p_series series, int64_t bytes)
{
    const double *v = tan_p2p_section_of(p, bytes)->value;
    const double k = (double)bytes;
    switch (series) {
    case TAN_P2P_SEND:
        return v[TAN_P2P_O_S] + or_zero(v[TAN_P2P_O_S_BYTE]) * k;
    case TAN_P2P_RECEIVE:
        return v[TAN_P2P_O_R] + or_zero(v[TAN_P2P_O_R_BYTE]) * k;
    case TAN_P2P_INTERVAL:
        return or_zero(v[TAN_P2P_G]) + v[TAN_P2P_G_BYTE] * (k - 1);
    default:
        break;
    }
    return NAN;
}

/* The nearest size from `i` on, in steps of `step`, that has a value. */
static const struct tan_p2p_size *known(const struct tan_p2p *p, enum tan_p2p_series series,
                                        ptrdiff_t i, int step)
{
    while (i >= 0 && i < (ptrdiff_t)p->n_sizes && isnan(p->size[i].value[series])) {
        i += step;
    }
    return i >= 0 && i < (ptrdiff_t)p->n_sizes ? &p->size[i] : NULL;
}

/* The first size that is not smaller than `bytes`. */
static size_t first_from(const struct tan_p2p *p, int64_t bytes)
{
    size_t low = 0; /* sizes before `low` are smaller than bytes, those from `high` on are not */
    size_t high = p->n_sizes;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (p->size[middle].bytes < bytes) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return high;
}

double tan_p2p_at(const struct tan_p2p *p, enum tan_p2p_series series, int64_t bytes)
{
    const size_t high = first_from(p, bytes);
    const struct tan_p2p_size *above = known(p, series, (ptrdiff_t)high, 1);
    const struct tan_p2p_size *below = known(p, series, (ptrdiff_t)high - 1, -1);
    if (above == NULL && below == NULL) {
        return from_section(p, series, bytes);
    }
    if (below == NULL || (above != NULL && above->bytes == bytes)) {
        return above->value[series];
    }
    if (above == NULL) {
        above = below;
        below = known(p, series, below - p->size - 1, -1);
        if (below == NULL) {
            return above->value[series];
        }
    }
    double slope =
        (above->value[series] - below->value[series]) / (double)(above->bytes - below->bytes);
    if (bytes > above->bytes) {
        slope = fmax(slope, 0.0);
        return above->value[series] + slope * (double)(bytes - above->bytes);
    }
    return below->value[series] + slope * (double)(bytes - below->bytes);
}

/* Models with one overhead for all sizes take that of the shortest message; the gap per byte is
 * that of the message's section. */
static struct tan_loggp constant(const struct tan_p2p *p, int64_t bytes)
{
    const double *v = tan_p2p_section_of(p, bytes)->value;
    return (struct tan_loggp){
        .L = p->section[0].value[TAN_P2P_L],
        .o_s = tan_p2p_at(p, TAN_P2P_SEND, 1),
        .o_r = tan_p2p_at(p, TAN_P2P_RECEIVE, 1),
        .g = or_zero(v[TAN_P2P_G]),
        .G = v[TAN_P2P_G_BYTE],
    };
}

static struct tan_message logp(const struct tan_p2p *p, int64_t bytes)
{
    const struct tan_loggp v = constant(p, bytes);
    return (struct tan_message){tan_loggp_t_sender(&v), tan_loggp_t(&v)};
}

static struct tan_message loggp(const struct tan_p2p *p, int64_t bytes)
{
    const struct tan_loggp v = constant(p, bytes);
    return (struct tan_message){tan_loggp_t_sender(&v), tan_loggp_between(&v, bytes)};
}

static struct tan_message loggp_ta(const struct tan_p2p *p, int64_t bytes)
{
    const struct tan_loggp v = constant(p, bytes);
    return (struct tan_message){tan_loggp_ta(&v), tan_loggp_ta(&v)};
}

static struct tan_message loggp_rta(const struct tan_p2p *p, int64_t bytes)
{
    const struct tan_loggp v = constant(p, bytes);
    return (struct tan_message){tan_loggp_rta_sender(&v, bytes), tan_loggp_rta(&v, bytes)};
}

static struct tan_message loggp_rat(const struct tan_p2p *p, int64_t bytes)
{
    const struct tan_loggp v = constant(p, bytes);
    return (struct tan_message){tan_loggp_rat_sender(&v, bytes), tan_loggp_rat(&v, bytes)};
}

static struct tan_message loggp_smp(const struct tan_p2p *p, int64_t bytes)
{
    const struct tan_loggp_local v = {p->s_s, p->s_r, p->S_byte};
    return (struct tan_message){v.s_s, tan_loggp_within(&v, bytes)};
}

static struct tan_message loggpo(const struct tan_p2p *p, int64_t bytes)
{
    const bool eager = p->eager < 0 || bytes <= p->eager;
    const struct tan_loggpo v = {
        .L = p->section[0].value[TAN_P2P_L],
        .G = tan_p2p_section_of(p, bytes)->value[TAN_P2P_G_BYTE],
        .control = p->control,
        /* beyond S nothing is copied before the transfer: starting it costs as much as for one
         * byte */
        .start = tan_p2p_at(p, TAN_P2P_SEND, eager ? bytes : 1),
        .copy = tan_p2p_at(p, TAN_P2P_RECEIVE, bytes),
    };
    struct tan_loggpo_cost cost;
    if (eager) {
        tan_loggpo_eager(&v, bytes, &cost);
    } else if (p->progress == TAN_PROGRESS_INDEPENDENT) {
        tan_loggpo_independent_rta(&v, bytes, &cost);
    } else {
        tan_loggpo_dependent_rat(&v, bytes, &(struct tan_loggpo_calls){0}, &cost);
    }
    return (struct tan_message){cost.sender, cost.message};
}

static struct tan_message loggps(const struct tan_p2p *p, int64_t bytes)
{
    const double *v = tan_p2p_section_of(p, bytes)->value;
    const struct tan_loggp m = {
        .L = v[TAN_P2P_L],
        .o_s = tan_p2p_at(p, TAN_P2P_SEND, bytes),
        .o_r = tan_p2p_at(p, TAN_P2P_RECEIVE, bytes),
        .g = or_zero(v[TAN_P2P_G]),
        .G = v[TAN_P2P_G_BYTE],
    };
    return (struct tan_message){fmax(m.o_s, m.g), tan_loggps(&m, bytes)};
}

static struct tan_message loggops(const struct tan_p2p *p, int64_t bytes)
{
    const double *v = tan_p2p_section_of(p, bytes)->value;
    const struct tan_loggops m = {
        .base = {v[TAN_P2P_L], v[TAN_P2P_O_S], v[TAN_P2P_O_R], or_zero(v[TAN_P2P_G]),
                 v[TAN_P2P_G_BYTE]},
        .O_s = or_zero(v[TAN_P2P_O_S_BYTE]),
        .O_r = or_zero(v[TAN_P2P_O_R_BYTE]),
    };
    return (struct tan_message){m.base.o_s + m.O_s * (double)bytes, tan_loggops(&m, bytes)};
}

static struct tan_message plogp(const struct tan_p2p *p, int64_t bytes)
{
    return (struct tan_message){tan_p2p_at(p, TAN_P2P_SEND, bytes),
                                tan_p2p_at(p, TAN_P2P_HALF, bytes)};
}

const struct tan_p2p_model tan_p2p_models[] = {
    {"logp", "o_s + L + o_r, whatever the size", logp},
    {"loggp", "o_s + (k-1) G + L + o_r, one overhead for all sizes", loggp},
    {"loggp-ta", "transfer, acknowledge: 2 o_s + 2 L + 2 o_r", loggp_ta},
    {"loggp-rta", "request, receiver fetches: 2 o_s + 2 L + o_r + (k-1) G", loggp_rta},
    {"loggp-rat", "request, acknowledge, sender pushes: 4 o_s + 4 L + 3 o_r + (k-1) G", loggp_rat},
    {"loggp-smp", "within a host of a cluster: s_s + s_r + (k-1) S", loggp_smp},
    {"loggpo", "up to S bytes o_s(k) + (k-1) G + L + o_r(k), else 4 O' + 3 L + O_i + (k-1) G",
     loggpo},
    {"loggps", "max(o_s(k), g) + G k + L + o_r(k), overheads as measured for every size", loggps},
    {"loggops", "max(o_s + O_s k, g + G k) + L + O_r k + o_r, one line for each section", loggops},
    {"plogp", "L + g(k) as measured for every size", plogp},
    {NULL, NULL, NULL},
};

void tan_p2p_model_help(FILE *to)
{
    enum { COLUMN = 14 };
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        tan_text_item(to, m->name, m->help, COLUMN);
    }
}

const struct tan_p2p_model *tan_p2p_best(const struct tan_p2p *p)
{
    static const char *const names[] = {"plogp", "loggops", "loggp"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
            if (strcmp(m->name, names[i]) == 0 && !isnan(m->predict(p, 1).delivered)) {
                return m;
            }
        }
    }
    return NULL;
}
