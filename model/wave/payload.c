/* payload.c - cost of messages of sizes other than measured
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/payload.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const int64_t most_bytes = INT64_C(1) << 50;

static int64_t constant_bytes(int64_t bytes, int64_t leaves)
{
    (void)leaves;
    return bytes;
}

static int64_t concat_bytes(int64_t bytes, int64_t leaves)
{
    return bytes == 0 || leaves < most_bytes / bytes ? bytes * leaves : most_bytes;
}

const struct tan_payload_rule tan_payload_rules[] = {
    {"constant", "the same everywhere (sums, minima, maxima)", constant_bytes},
    {"concat", "what all leaves below a node give, one after the other", concat_bytes},
    {NULL, NULL, NULL},
};

const struct tan_payload_rule *tan_payload_rule_find(const char *name, struct tan_error *e)
{
    const int row = tan_choice_find(TAN_CHOICES(tan_payload_rules), "--growth", name, e);
    return row < 0 ? NULL : &tan_payload_rules[row];
}

/* Terms of the formula: Tc, O_r and the gap. */
enum { MESSAGE, RECEIVE, INTERVAL, PARTS };

/* Quantities that draws vary: the delay of the first message, and the time that others queue. */
enum { LATE, QUEUE, UNCERTAIN, DRAWS = 1000 };

struct ceiling {
    int64_t bytes;
    double part[PARTS]; /* maximum over the sizes up to this one */
};

struct tan_payload {
    const struct tan_p2p *p2p;
    const struct tan_p2p_model *model;
    const struct tan_payload_rule *rule;
    int64_t bytes;
    double base[PARTS];
    int64_t base_bytes;
    double factor[UNCERTAIN][DRAWS]; /* 1: the file has no intervals */
    double work;                     /* per byte */
    /* By increasing bytes: ends of sections, measured sizes and where the protocol changes. */
    struct ceiling *ceiling;
    size_t n;
};

static void evaluate_parts(const struct tan_payload *p, int64_t bytes, double part[PARTS])
{
    struct tan_p2p_parts parts;
    tan_p2p_parts(p->p2p, p->model, bytes, &parts);
    part[MESSAGE] = parts.whole;
    part[RECEIVE] = parts.receive;
    part[INTERVAL] = parts.interval;
}

/* The same; of messages that grow, made non-decreasing in the size: between two corners every part
 * is linear (or consists of two rising lines). */
static void evaluate_rising(const struct tan_payload *p, int64_t bytes, double part[PARTS])
{
    size_t n = tan_payload_grows(p) ? p->n : 0; /* corners of at most `bytes` */
    evaluate_parts(p, bytes, part);
    while (n > 0 && p->ceiling[n - 1].bytes > bytes) {
        n--;
    }
    for (int i = 0; i < PARTS && n > 0; i++) {
        part[i] = fmax(part[i], p->ceiling[n - 1].part[i]);
    }
}

/* Half the interval of a series divided by its value, at the measured size nearest to `bytes`; 0 if
 * unknown. */
static double relative_width(const struct tan_p2p *p, enum tan_p2p_series series, int64_t bytes)
{
    double nearest = INFINITY;
    double width = 0.0;
    for (size_t i = 0; i < p->n_sizes; i++) {
        const struct tan_p2p_size *size = &p->size[i];
        const double distance = fabs(log((double)size->bytes / (double)bytes));
        const struct tan_interval ci = size->ci95[series];
        if (distance < nearest && ci.low < ci.high && size->value[series] > 0.0) {
            nearest = distance;
            width = (ci.high - ci.low) / 2 / size->value[series];
        }
    }
    return width;
}

static int draw_factors(struct tan_payload *p, struct tan_error *e)
{
    const double quantile = 1.959964; /* of the normal distribution, at 97.5 % */
    static const enum tan_p2p_series series[UNCERTAIN] = {TAN_P2P_HALF, TAN_P2P_INTERVAL};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng == NULL) {
        return tan_fail_nomem(e);
    }
    for (int part = 0; part < UNCERTAIN; part++) {
        const double deviation = relative_width(p->p2p, series[part], p->bytes) / quantile;
        for (int i = 0; i < DRAWS; i++) {
            const double more = deviation > 0.0 ? gsl_ran_gaussian(rng, deviation) : 0.0;
            p->factor[part][i] = fmax(1.0 + more, 0.0);
        }
    }
    gsl_rng_free(rng);
    return 0;
}

/* Factor of one part in a draw. */
static double drawn_factor(const struct tan_payload *p, int part, int draw)
{
    return draw == 0 ? 1.0 : p->factor[part][(draw - 1) % DRAWS];
}

static int by_bytes(const void *left, const void *right)
{
    const struct ceiling *a = left;
    const struct ceiling *b = right;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int find_ceilings(struct tan_payload *p, struct tan_error *e)
{
    const struct tan_p2p *from = p->p2p;
    struct ceiling *c = calloc(2 * from->n_sections + from->n_sizes + 2, sizeof *c);
    if (c == NULL) {
        return tan_fail_nomem(e);
    }
    p->ceiling = c;
    for (size_t i = 0; i < from->n_sections; i++) {
        c[p->n++].bytes = from->section[i].from;
        c[p->n++].bytes = from->section[i].to;
    }
    for (size_t i = 0; i < from->n_sizes; i++) {
        c[p->n++].bytes = from->size[i].bytes;
    }
    if (from->eager > 0) {
        c[p->n++].bytes = from->eager;
        c[p->n++].bytes = from->eager + 1;
    }
    qsort(c, p->n, sizeof *c, by_bytes);
    for (size_t i = 0; i < p->n; i++) {
        evaluate_parts(p, c[i].bytes, c[i].part);
        for (int j = 0; j < PARTS && i > 0; j++) {
            c[i].part[j] = fmax(c[i].part[j], c[i - 1].part[j]);
        }
    }
    return 0;
}

struct tan_payload *tan_payload_create(const struct tan_p2p *p2p, const struct tan_p2p_model *model,
                                       int64_t base, int64_t bytes,
                                       const struct tan_payload_rule *rule, const char *file,
                                       struct tan_error *e)
{
    struct tan_payload *p = calloc(1, sizeof *p);
    if (p == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    p->p2p = p2p;
    p->model = model != NULL ? model : tan_p2p_best(p2p);
    p->rule = rule;
    p->bytes = bytes > 0 ? bytes : 1;
    p->base_bytes = base;
    /* LogP has the same time for all sizes. */
    const bool one_time = p->model != NULL && strcmp(p->model->name, "logp") == 0;
    if (p->model == NULL || (model == NULL && one_time) ||
        isnan(p->model->predict(p2p, 2).delivered) || isnan(tan_p2p_at(p2p, TAN_P2P_RECEIVE, 2)) ||
        isnan(tan_p2p_at(p2p, TAN_P2P_INTERVAL, 2))) {
        tan_fail_at(e, file, 0, 0,
                    "its p2p block lacks the costs of messages of other sizes: L_us, o_s_us, "
                    "o_r_us and G_us_per_byte of every section, or sizes, are needed");
        goto fail;
    }
    if (find_ceilings(p, e) < 0 || draw_factors(p, e) < 0) {
        goto fail;
    }
    evaluate_rising(p, base > 0 ? base : 1, p->base);
    return p;

fail:
    tan_payload_destroy(p);
    return NULL;
}

void tan_payload_destroy(struct tan_payload *p)
{
    if (p != NULL) {
        free(p->ceiling);
        free(p);
    }
}

void tan_payload_set_work(struct tan_payload *p, double per_byte)
{
    p->work = per_byte;
}

int64_t tan_payload_bytes(const struct tan_payload *p)
{
    return p->bytes;
}

int64_t tan_params_bytes(const struct tan_params *params)
{
    return params->payload != NULL ? params->payload->bytes : params->bytes;
}

const struct tan_payload_rule *tan_payload_rule_of(const struct tan_payload *p)
{
    return p->rule;
}

bool tan_payload_grows(const struct tan_payload *p)
{
    return p != NULL && p->rule != &tan_payload_rules[0];
}

const struct tan_p2p_model *tan_payload_model_of(const struct tan_payload *p)
{
    return p->model;
}

int64_t tan_payload_offered_from(const struct tan_payload *p, int64_t leaves)
{
    const int64_t eager = p->p2p->eager;
    return eager >= 0 && p->base_bytes <= eager && p->rule->bytes(p->bytes, leaves) > eager ? eager
                                                                                            : -1;
}

double tan_payload_late(const struct tan_payload *p, int64_t leaves, int draw)
{
    double part[PARTS];
    evaluate_rising(p, p->rule->bytes(p->bytes, leaves), part);
    return drawn_factor(p, LATE, draw) * (part[MESSAGE] - p->base[MESSAGE]);
}

double tan_payload_queue(const struct tan_payload *p, int64_t leaves, int draw)
{
    double part[PARTS];
    const int64_t bytes = p->rule->bytes(p->bytes, leaves);
    evaluate_rising(p, bytes, part);
    const double more = fmax(part[RECEIVE] - p->base[RECEIVE], part[INTERVAL] - p->base[INTERVAL]);
    return drawn_factor(p, QUEUE, draw) * more + p->work * (double)(bytes - p->base_bytes);
}

void tan_payload_more(const struct tan_payload *p, int64_t leaves, int draw,
                      struct tan_payload_more *out)
{
    const int64_t bytes = p->rule->bytes(p->bytes, leaves);
    const int64_t base = p->base_bytes > 0 ? p->base_bytes : 1;
    struct tan_p2p_parts now;
    struct tan_p2p_parts then;
    tan_p2p_parts(p->p2p, p->model, bytes, &now);
    tan_p2p_parts(p->p2p, p->model, base, &then);
    out->sender = drawn_factor(p, LATE, draw) * (now.sender - then.sender);
    out->receiver = drawn_factor(p, LATE, draw) * (now.receiver - then.receiver);
    out->way = tan_payload_late(p, leaves, draw) - out->sender - out->receiver;
    out->gap = drawn_factor(p, QUEUE, draw) * (now.gap - then.gap);
    out->work = p->work * (double)(bytes - p->base_bytes);
}
