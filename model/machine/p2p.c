/* p2p.c - predictions of every model for one message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/p2p.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

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

/* Files may leave these out; models then use 0. */
static double or_zero(double value)
{
    return isnan(value) ? 0.0 : value;
}

/* Fitted lines can become negative at the ends of their section. */
static double not_negative(double value)
{
    return value < 0.0 ? 0.0 : value;
}

static double line_at(const double *v, enum tan_p2p_param constant, double k)
{
    return v[constant] + or_zero(v[constant + 1]) * k; /* followed by its coefficient of k */
}

static double from_section(const struct tan_p2p *p, enum tan_p2p_series series, int64_t bytes)
{
    const double *v = tan_p2p_section_of(p, bytes)->value;
    const double k = (double)bytes;
    switch (series) {
    case TAN_P2P_SEND:
        return not_negative(line_at(v, TAN_P2P_O_S, k));
    case TAN_P2P_RECEIVE:
        return not_negative(line_at(v, TAN_P2P_O_R, k));
    case TAN_P2P_INTERVAL:
        return tan_p2p_interval_of(p, bytes);
    default:
        return NAN;
    }
}

/* The nearest size from `i` on, in direction `step`, that has a value. */
static const struct tan_p2p_size *nearest_known(const struct tan_p2p *p, enum tan_p2p_series series,
                                                ptrdiff_t i, int step)
{
    while (i >= 0 && i < (ptrdiff_t)p->n_sizes && isnan(p->size[i].value[series])) {
        i += step;
    }
    return i >= 0 && i < (ptrdiff_t)p->n_sizes ? &p->size[i] : NULL;
}

double tan_p2p_at(const struct tan_p2p *p, enum tan_p2p_series series, int64_t bytes)
{
    size_t high = 0; /* the first size not below `bytes` */
    while (high < p->n_sizes && p->size[high].bytes < bytes) {
        high++;
    }
    const struct tan_p2p_size *above = nearest_known(p, series, (ptrdiff_t)high, 1);
    const struct tan_p2p_size *below = nearest_known(p, series, (ptrdiff_t)high - 1, -1);
    if (above == NULL && below == NULL) {
        return from_section(p, series, bytes);
    }
    if (below == NULL || (above != NULL && above->bytes == bytes)) {
        return above->value[series];
    }
    if (above == NULL) {
        above = below;
        below = nearest_known(p, series, below - p->size - 1, -1);
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

double tan_p2p_latency(const struct tan_p2p *p)
{
    const double *first = p->section[0].value;
    return first[TAN_P2P_L] + or_zero(first[TAN_P2P_L_BYTE]);
}

double tan_p2p_gap_per_byte(const struct tan_p2p_section *section)
{
    const double *v = section->value;
    return isnan(v[TAN_P2P_G_BYTE]) && !isnan(v[TAN_P2P_L_BYTE])
               ? fmax(v[TAN_P2P_O_S_BYTE], v[TAN_P2P_O_R_BYTE])
               : v[TAN_P2P_G_BYTE];
}

/* L, o_s, o_r, g and G of a message. */
struct loggp {
    double L, o_s, o_r, g, G;
};

/* With the overheads of messages of `measured` bytes, and a latency of at least 0, as the published
 * models have it; gaps are those of the section of `bytes`. */
static struct loggp costs_of(const struct tan_p2p *p, int64_t bytes, int64_t measured)
{
    const struct tan_p2p_section *section = tan_p2p_section_of(p, bytes);
    return (struct loggp){
        .L = not_negative(tan_p2p_latency(p)),
        .o_s = tan_p2p_at(p, TAN_P2P_SEND, measured),
        .o_r = tan_p2p_at(p, TAN_P2P_RECEIVE, measured),
        .g = or_zero(section->value[TAN_P2P_G]),
        .G = tan_p2p_gap_per_byte(section),
    };
}

static struct tan_message predict_logp(const struct tan_p2p *p, int64_t bytes)
{
    const struct loggp v = costs_of(p, bytes, 1);
    return (struct tan_message){v.o_s, v.o_s + v.L + v.o_r};
}

/* Protocols composed of plain messages [Al-Tawil 1998, equations 1 to 7 and 9]. */
static struct tan_message predict_loggp(const struct tan_p2p *p, int64_t bytes)
{
    const struct loggp v = costs_of(p, bytes, 1);
    const double rest = (double)(bytes - 1) * v.G;
    const double eager = v.o_s + v.o_r + rest + v.L;
    switch (tan_p2p_transfer_of(p, bytes)) {
    case TAN_TRANSFER_TA:
        return (struct tan_message){2 * v.o_s + 2 * v.L + 2 * v.o_r, eager};
    case TAN_TRANSFER_RTA:
        return (struct tan_message){2 * v.o_s + 3 * v.L + 2 * v.o_r + rest,
                                    2 * v.o_s + 2 * v.L + v.o_r + rest};
    case TAN_TRANSFER_RAT:
        return (struct tan_message){4 * v.o_s + 3 * v.L + 2 * v.o_r + rest,
                                    4 * v.o_s + 4 * v.L + 3 * v.o_r + rest};
    default:
        return (struct tan_message){v.o_s, eager};
    }
}

/* Within a host messages go through shared memory, without latency [Al-Tawil 1998, equation 8]. */
static struct tan_message predict_loggp_smp(const struct tan_p2p *p, int64_t bytes)
{
    return (struct tan_message){p->s_s, p->s_s + p->s_r + (double)(bytes - 1) * p->S_byte};
}

enum tan_transfer tan_p2p_transfer_of(const struct tan_p2p *p, int64_t bytes)
{
    if (p->eager >= 0 && bytes > p->eager) {
        return p->transfer == TAN_TRANSFER_UNKNOWN ? TAN_TRANSFER_RAT : p->transfer;
    }
    return p->alone >= 0 && bytes > p->alone ? TAN_TRANSFER_TA : TAN_TRANSFER_T;
}

bool tan_p2p_complete(const struct tan_p2p *p)
{
    for (size_t i = 0; i < p->n_sections; i++) {
        const double *v = p->section[i].value;
        if (isnan(v[TAN_P2P_L] + v[TAN_P2P_L_BYTE] + v[TAN_P2P_O_S] + v[TAN_P2P_O_R])) {
            return false;
        }
    }
    return true;
}

double tan_p2p_control(const struct tan_p2p *p)
{
    const bool measured = !isnan(p->section[0].value[TAN_P2P_L_BYTE]);
    return measured && isnan(p->control)
               ? not_negative(line_at(p->section[0].value, TAN_P2P_O_S, 1))
               : p->control;
}

/* Costs by the fitted lines of the section. */
static void costs_fitted(const struct tan_p2p *p, int64_t bytes, struct tan_loggpo_costs *out)
{
    const double *v = tan_p2p_section_of(p, bytes)->value;
    const double k = (double)bytes;
    /* Lines that add up to the measured time can become negative at the ends of their section. */
    *out = (struct tan_loggpo_costs){
        .transfer = tan_p2p_transfer_of(p, bytes),
        .progress = p->progress,
        .o_s = line_at(v, TAN_P2P_O_S, k),
        .o_r = line_at(v, TAN_P2P_O_R, k),
    };
    out->delivered = fmax(out->o_s + line_at(v, TAN_P2P_L, k) + out->o_r, 0.0);
    out->o_s = fmax(out->o_s, 0.0);
    out->o_r = fmax(out->o_r, 0.0);
    out->answer = out->transfer == TAN_TRANSFER_RAT && p->progress != TAN_PROGRESS_INDEPENDENT
                      ? fmin(2 * tan_p2p_control(p), out->o_r)
                      : out->o_r;
    const double assumed =
        out->transfer == TAN_TRANSFER_RTA ? fmax(line_at(v, TAN_P2P_L, k), 0.0) : 0.0;
    const double ack = isnan(v[TAN_P2P_ACK]) ? assumed : v[TAN_P2P_ACK];
    out->blocked = out->transfer == TAN_TRANSFER_T
                       ? out->o_s
                       : fmax(out->delivered + ack, fmin(out->o_s, out->delivered));
    /* The receiver's overhead ends with delivery, and starts when it can react. With independent
     * progress it can react earlier: when the request arrives, like the shortest message. */
    out->arrival = fmax(out->delivered - out->o_r, 0.0);
    const bool requests = out->transfer != TAN_TRANSFER_T && out->transfer != TAN_TRANSFER_TA;
    if (requests && p->progress == TAN_PROGRESS_INDEPENDENT) {
        const double *first = p->section[0].value;
        out->arrival =
            fmin(out->arrival, line_at(first, TAN_P2P_O_S, 1) + line_at(first, TAN_P2P_L, 1));
    }
}

static double first_known(const struct tan_p2p *p, enum tan_p2p_series series,
                          enum tan_p2p_series otherwise, int64_t bytes)
{
    const double value = tan_p2p_at(p, series, bytes);
    return isnan(value) ? tan_p2p_at(p, otherwise, bytes) : value;
}

struct tan_loggpo tan_p2p_loggpo(const struct tan_p2p *p, int64_t bytes)
{
    const bool eager = p->eager < 0 || bytes <= p->eager;
    return (struct tan_loggpo){
        .L = not_negative(tan_p2p_latency(p)),
        .G = tan_p2p_gap_per_byte(tan_p2p_section_of(p, bytes)),
        .control = tan_p2p_control(p),
        /* beyond S nothing is copied before the transfer, so starting it costs as much as for one
         * byte */
        .start = first_known(p, TAN_P2P_START, TAN_P2P_SEND, eager ? bytes : 1),
        .copy = first_known(p, TAN_P2P_COPY, TAN_P2P_RECEIVE, bytes),
    };
}

void tan_p2p_costs_published(const struct tan_p2p *p, int64_t bytes, struct tan_loggpo_costs *out)
{
    const struct tan_loggpo v = tan_p2p_loggpo(p, bytes);
    tan_loggpo_by_paper(&v, tan_p2p_transfer_of(p, bytes), p->progress, bytes, out);
}

void tan_p2p_costs(const struct tan_p2p *p, int64_t bytes, struct tan_loggpo_costs *out)
{
    if (isnan(tan_p2p_section_of(p, bytes)->value[TAN_P2P_L_BYTE])) {
        tan_p2p_costs_published(p, bytes, out);
    } else {
        costs_fitted(p, bytes, out);
    }
}

bool tan_p2p_assume_independent(struct tan_p2p *p)
{
    const double start = line_at(p->section[0].value, TAN_P2P_O_S, 1);
    if (!tan_p2p_complete(p) || p->eager < 0) {
        return false;
    }
    for (size_t i = 0; i < p->n_sections; i++) {
        double *v = p->section[i].value;
        if (p->section[i].from <= p->eager) {
            continue;
        }
        const double control = p->transfer == TAN_TRANSFER_RTA ? v[TAN_P2P_O_S] / 2 : start;
        const double overheads = 4 * control + start;
        v[TAN_P2P_L] += v[TAN_P2P_O_S] + v[TAN_P2P_O_R] - overheads;
        v[TAN_P2P_L_BYTE] += or_zero(v[TAN_P2P_O_S_BYTE]) + or_zero(v[TAN_P2P_O_R_BYTE]);
        v[TAN_P2P_O_S] = 2 * control;
        v[TAN_P2P_O_R] = 2 * control + start;
        v[TAN_P2P_O_S_BYTE] = v[TAN_P2P_O_R_BYTE] = 0;
    }
    p->progress = TAN_PROGRESS_INDEPENDENT;
    return true;
}

double tan_p2p_interval_of(const struct tan_p2p *p, int64_t bytes)
{
    const double *v = tan_p2p_section_of(p, bytes)->value;
    if (isnan(v[TAN_P2P_G_BYTE])) {
        return fmax(line_at(v, TAN_P2P_O_S, (double)bytes), line_at(v, TAN_P2P_O_R, (double)bytes));
    }
    return or_zero(v[TAN_P2P_G]) + v[TAN_P2P_G_BYTE] * (double)(bytes - 1);
}

static struct tan_message predict_loggpo(const struct tan_p2p *p, int64_t bytes)
{
    struct tan_loggpo_costs costs;
    tan_p2p_costs_published(p, bytes, &costs);
    return (struct tan_message){costs.blocked, costs.delivered};
}

/* [Bacon 2023, section 3] */
static struct tan_message predict_loggps(const struct tan_p2p *p, int64_t bytes)
{
    const struct loggp v = costs_of(p, bytes, bytes);
    const double sender = isnan(v.o_s) ? NAN : fmax(v.o_s, v.g); /* g alone may be negative */
    return (struct tan_message){sender, fmax(v.o_s, v.g) + v.G * (double)bytes + v.L + v.o_r};
}

/* LogGPS with overheads per byte [Bacon 2023, section 3]. */
static struct tan_message predict_loggops(const struct tan_p2p *p, int64_t bytes)
{
    const double *v = tan_p2p_section_of(p, bytes)->value;
    const double k = (double)bytes;
    const struct loggp gaps = costs_of(p, bytes, 1);
    const double sender = v[TAN_P2P_O_S] + or_zero(v[TAN_P2P_O_S_BYTE]) * k;
    const double delivered = fmax(sender, gaps.g + gaps.G * k) + gaps.L +
                             or_zero(v[TAN_P2P_O_R_BYTE]) * k + v[TAN_P2P_O_R];
    return (struct tan_message){sender, isnan(gaps.G) ? NAN : delivered};
}

static struct tan_message predict_fitted(const struct tan_p2p *p, int64_t bytes)
{
    struct tan_loggpo_costs costs;
    if (isnan(tan_p2p_section_of(p, bytes)->value[TAN_P2P_L_BYTE])) {
        return (struct tan_message){NAN, NAN};
    }
    costs_fitted(p, bytes, &costs);
    return (struct tan_message){costs.blocked, costs.delivered};
}

static struct tan_message predict_plogp(const struct tan_p2p *p, int64_t bytes)
{
    const double blocked = tan_p2p_at(p, TAN_P2P_BLOCKED, bytes); /* older files have o_s only */
    return (struct tan_message){isnan(blocked) ? tan_p2p_at(p, TAN_P2P_SEND, bytes) : blocked,
                                tan_p2p_at(p, TAN_P2P_HALF, bytes)};
}

const struct tan_p2p_model tan_p2p_models[] = {
    {"logp", "as published: o_s + L + o_r, whatever the size", predict_logp},
    {"loggp",
     "as published, one overhead for all sizes, by protocol: o_s + (k-1) G + L + o_r up to S "
     "bytes, "
     "else RTA 2 o_s + 2 L + o_r + (k-1) G or RAT 4 o_s + 4 L + 3 o_r + (k-1) G",
     predict_loggp},
    {"loggp-smp", "as published, within a host of a cluster: s_s + s_r + (k-1) S",
     predict_loggp_smp},
    {"loggps", "as published: max(o_s(k), g) + G k + L + o_r(k)", predict_loggps},
    {"loggops", "as published: max(o_s + O_s k, g + G k) + L + O_r k + o_r", predict_loggops},
    {"loggpo",
     "as published, by protocol and progress: O_i(k) + (k-1) G + L + O_c(k) up to S bytes, else "
     "with O' for each control message",
     predict_loggpo},
    {"fitted",
     "o_s + O_s k + L + L_byte k + o_r + O_r k, a line for each side and section of sizes",
     predict_fitted},
    {"plogp", "L + g(k) as measured for every size", predict_plogp},
    {NULL, NULL, NULL},
};

const char *tan_p2p_lacks(const struct tan_p2p *p, const struct tan_p2p_model *model, int64_t bytes)
{
    if (!isnan(model->predict(p, bytes).delivered)) {
        return NULL;
    }
    if (model->predict == predict_loggp_smp) {
        return "local.s_s_us, s_r_us and S_us_per_byte";
    }
    if (model->predict == predict_plogp) {
        return "sizes with half_us";
    }
    const double *v = tan_p2p_section_of(p, bytes)->value;
    const bool by_lines = model->predict == predict_fitted;
    const bool of_section = by_lines || model->predict == predict_loggops;
    const struct {
        const char *key;
        double value;
    } needed[] = {
        {"L_us", by_lines ? v[TAN_P2P_L] : p->section[0].value[TAN_P2P_L]},
        {"L_us_per_byte", by_lines ? v[TAN_P2P_L_BYTE] : 0},
        {"o_s_us", of_section
                       ? v[TAN_P2P_O_S]
                       : tan_p2p_at(p, TAN_P2P_SEND, 1) + tan_p2p_at(p, TAN_P2P_SEND, bytes)},
        {"o_r_us", of_section
                       ? v[TAN_P2P_O_R]
                       : tan_p2p_at(p, TAN_P2P_RECEIVE, 1) + tan_p2p_at(p, TAN_P2P_RECEIVE, bytes)},
        {"G_us_per_byte", by_lines ? 0 : tan_p2p_gap_per_byte(tan_p2p_section_of(p, bytes))},
    };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (isnan(needed[i].value)) {
            return needed[i].key;
        }
    }
    return "control_us";
}

bool tan_p2p_by_section(const struct tan_p2p *p, const struct tan_p2p_model *model)
{
    return model != NULL && model->predict == predict_fitted && tan_p2p_complete(p);
}

void tan_p2p_parts(const struct tan_p2p *p, const struct tan_p2p_model *model, int64_t bytes,
                   struct tan_p2p_parts *out)
{
    const double explained = 1.05;
    *out = (struct tan_p2p_parts){.whole = model->predict(p, bytes).delivered};
    if (tan_p2p_by_section(p, model)) {
        struct tan_loggpo_costs costs;
        costs_fitted(p, bytes, &costs);
        const bool pushed = costs.transfer == TAN_TRANSFER_RAT;
        out->interval = tan_p2p_interval_of(p, bytes);
        out->sender = pushed ? out->interval : costs.o_s;
        out->receive = pushed ? out->interval : costs.o_r;
    } else {
        out->interval = tan_p2p_at(p, TAN_P2P_INTERVAL, bytes);
        out->sender = tan_p2p_at(p, TAN_P2P_SEND, bytes);
        out->receive = tan_p2p_at(p, TAN_P2P_RECEIVE, bytes);
    }
    const double both = out->sender + out->receive;
    const double share = both > out->whole ? out->whole / both : 1.0;
    out->way = both > out->whole ? 0.0 : out->whole - both;
    out->sender *= share;
    out->receiver = share * out->receive;
    out->gap = out->interval > explained * fmax(out->sender, out->receiver) ? out->interval : 0.0;
}

int tan_p2p_require(const struct tan_p2p *p, const char *file, const struct tan_p2p_model *model,
                    int64_t bytes, struct tan_error *e)
{
    const char *key = tan_p2p_lacks(p, model, bytes);
    if (key == NULL) {
        return 0;
    }
    const bool some = tan_p2p_lacks(p, model, 1) == NULL;
    return tan_fail_at(e, file, 0, 0, "the p2p block lacks %s%s, which model %s needs: %s", key,
                       some ? tan_printed(" for messages of %" PRId64 " B", bytes).text : "",
                       model->name,
                       model->predict == predict_loggp_smp
                           ? "no command measures them, publications have them"
                           : "tanbench p2p calibrate measures what this model needs");
}

const struct tan_p2p_model *tan_p2p_model_find(const char *name)
{
    const struct tan_p2p_model *m = tan_p2p_models;
    while (strcmp(m->name, name) != 0) {
        m++;
    }
    return m;
}

const struct tan_p2p_model *tan_p2p_best(const struct tan_p2p *p)
{
    static const char *const names[] = {"fitted", "plogp", "loggops", "loggp", "logp"};
    for (size_t i = tan_p2p_complete(p) ? 0 : 1; i < sizeof names / sizeof names[0]; i++) {
        const struct tan_p2p_model *m = tan_p2p_model_find(names[i]);
        if (!isnan(m->predict(p, 1).delivered)) {
            return m;
        }
    }
    return NULL;
}

static const double us = 1e-6;

/* Sizes with an overhead longer than the time between messages, and the one with the largest
 * excess; "" if there are none. */
static struct tan_text long_overhead(const struct tan_p2p *p, enum tan_p2p_series series,
                                     const char *name)
{
    const double least = 1.05; /* as for gaps that equal the overhead (p2p_fit.h) */
    double worst = least;
    int64_t at = 0;
    int sizes = 0;
    for (size_t i = 0; i < p->n_sizes; i++) {
        const double ratio = p->size[i].value[series] / p->size[i].value[TAN_P2P_INTERVAL];
        if (isfinite(ratio) && ratio > least) {
            sizes++;
            at = ratio > worst ? p->size[i].bytes : at;
            worst = fmax(worst, ratio);
        }
    }
    if (sizes == 0) {
        return (struct tan_text){""};
    }
    return tan_printed(
        "%s exceeds the time from message to message at %d of %zu sizes, the most at %" PRId64
        " B, %.3g times as long: a side that computes pays more than one in a stream.",
        name, sizes, p->n_sizes, at, worst);
}

struct json_t *tan_p2p_violations(const struct tan_p2p *p)
{
    static const struct {
        const char *name;
        enum tan_p2p_series series;
    } overheads[] = {{"o_s", TAN_P2P_SEND}, {"o_r", TAN_P2P_RECEIVE}};
    const double latency = tan_p2p_latency(p);
    json_t *list = json_array();
    int bad = list == NULL;
    if (latency < 0.0) {
        bad |= json_array_append_new(
            list, json_sprintf("L is %.4g us, since both overheads of the shortest message "
                               "together exceed its one-way time; the published models take 0.",
                               latency / us));
    }
    for (size_t i = 0; i < sizeof overheads / sizeof overheads[0]; i++) {
        const struct tan_text text = long_overhead(p, overheads[i].series, overheads[i].name);
        if (*text.text != '\0') {
            bad |= json_array_append_new(list, json_string(text.text));
        }
    }
    if (bad != 0) {
        json_decref(list);
        return NULL;
    }
    return list;
}

void tan_p2p_violations_print(const struct tan_p2p *p, FILE *to)
{
    json_t *list = tan_p2p_violations(p);
    if (json_array_size(list) > 0) {
        fputs("\nWhat the published models do not allow for:\n", to);
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        tan_text_wrap(to, json_string_value(json_array_get(list, i)), 0, 0);
    }
    json_decref(list);
}

/* LogGPO */

void tan_loggpo_by_paper(const struct tan_loggpo *p, enum tan_transfer transfer,
                         enum tan_progress progress, int64_t bytes, struct tan_loggpo_costs *out)
{
    const double move = p->start + p->G * (double)(bytes - 1);
    const double handshake = p->control + p->L;
    *out = (struct tan_loggpo_costs){
        .transfer = transfer == TAN_TRANSFER_UNKNOWN ? TAN_TRANSFER_RAT : transfer,
        .progress = progress,
    };
    if (transfer == TAN_TRANSFER_T || transfer == TAN_TRANSFER_TA) {
        out->o_s = p->start;
        out->o_r = out->answer = p->copy;
        out->arrival = move + p->L;
        out->delivered = out->arrival + p->copy;
        out->blocked = transfer == TAN_TRANSFER_T ? out->o_s : out->delivered + handshake;
        return;
    }
    out->arrival = handshake;
    const bool waits = progress != TAN_PROGRESS_INDEPENDENT;
    if (transfer == TAN_TRANSFER_RTA || !waits) { /* the paper does not define an independent RAT */
        out->o_s = 2 * p->control;
        out->o_r = out->answer = waits ? p->control + move : 2 * p->control + p->start;
        out->delivered = waits ? handshake + out->o_r : 4 * p->control + 3 * p->L + move;
        out->blocked = out->delivered + handshake;
    } else {
        out->o_s = 2 * p->control + move;
        out->o_r = 3 * p->control + 2 * p->L + move;
        out->answer = 2 * p->control;
        out->delivered = 4 * p->control + 3 * p->L + move;
        out->blocked = out->delivered - p->L;
    }
}

void tan_loggpo_exchange(const struct tan_loggpo_costs *costs, const struct tan_loggpo_calls *calls,
                         struct tan_loggpo_ends *out)
{
    const bool dependent = costs->progress != TAN_PROGRESS_INDEPENDENT;
    const double sender_free = calls->isend + calls->sender_computes + costs->o_s;
    const double receiver_waits = calls->irecv + calls->receiver_computes;
    const double after = costs->blocked - costs->delivered; /* until the sender is notified */
    const double arrival = calls->isend + costs->arrival;
    const bool in_wait = dependent && arrival > calls->irecv;
    const double reaction = fmax(arrival, in_wait ? receiver_waits : calls->irecv);
    double delivery = reaction + costs->delivered - costs->arrival;
    if (dependent && costs->transfer == TAN_TRANSFER_RAT) {
        delivery = fmax(delivery, sender_free - after);
    }
    out->receiver = fmax(delivery, receiver_waits + (in_wait ? costs->o_r : costs->answer));
    out->sender =
        costs->transfer == TAN_TRANSFER_T ? sender_free : fmax(sender_free, delivery + after);
}

double tan_overlap_ratio(double computation, double overhead)
{
    const double whole = computation + overhead;
    return whole == 0.0 ? 0.0 : computation / whole;
}
