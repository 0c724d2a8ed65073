/* exchanges.c - overlap, late receives and message windows, measured and predicted
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/exchanges.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/table.h"
#include "tanbench/p2p/values.h"

enum { PASSES = 60 };
static const double us = 1e-6;

static const double shares[] = {0.0, 0.25, 0.5, 1.0, 2.0, 4.0}; /* fractions of the one-way time */
static const int windows[] = {1, 4, 16, P2P_MAX_WINDOW};
enum { SHARES = sizeof shares / sizeof shares[0], WINDOWS = sizeof windows / sizeof windows[0] };

static struct p2p_exchange exchange_of(const struct p2p_exchange_case *c)
{
    const bool both = c->kind == P2P_BOTH_SENDER || c->kind == P2P_BOTH_RECEIVER;
    return (struct p2p_exchange){
        .bytes = c->bytes,
        .late = c->kind == P2P_LATE ? c->seconds : 0.0,
        .sender = both || c->kind == P2P_SENDER_COMPUTES ? c->seconds : 0.0,
        .receiver = both || c->kind == P2P_RECEIVER_COMPUTES ? c->seconds : 0.0,
    };
}

static double predict_exchange(const struct tan_p2p *p, const struct p2p_exchange_case *c)
{
    const struct p2p_exchange x = exchange_of(c);
    struct tan_loggpo_costs costs;
    struct tan_loggpo_costs ready; /* of the message that starts the exchange, empty: as for 1 B */
    struct tan_loggpo_ends ends;
    tan_p2p_costs(p, c->bytes, &costs);
    tan_p2p_costs(p, 1, &ready);
    /* on a clock that is 0 at the Isend, which the partner's Irecv, or its being late, precedes */
    const double lead = ready.delivered - ready.o_s;
    const struct tan_loggpo_calls calls = {
        .irecv = x.late - lead, .sender_computes = x.sender, .receiver_computes = x.receiver};
    tan_loggpo_exchange(&costs, &calls, &ends);
    switch (c->kind) {
    case P2P_SENDER_COMPUTES:
    case P2P_BOTH_SENDER:
        return ends.sender - x.sender;
    case P2P_LATE:
        return ends.receiver + lead;
    default:
        return ends.receiver + lead - x.receiver;
    }
}

static double predict_window(const struct tan_p2p *p, const struct p2p_exchange_case *c)
{
    struct tan_loggpo_costs costs;
    struct tan_loggpo_costs reply; /* empty: as for 1 B */
    if (c->kind == P2P_BOTH_DIRECTIONS) {
        return tan_p2p_at(p, TAN_P2P_DUPLEX_FIRST, c->bytes) +
               (c->window - 1) * tan_p2p_at(p, TAN_P2P_DUPLEX, c->bytes);
    }
    tan_p2p_costs(p, c->bytes, &costs);
    tan_p2p_costs(p, 1, &reply);
    return costs.delivered + (c->window - 1) * tan_p2p_interval_of(p, c->bytes) + reply.delivered;
}

static const struct kind {
    const char *name, *title;
    bool window;
    bool overhead; /* the quantity is the overhead of a computing side */
} kinds[P2P_EXCHANGE_KINDS] = {
    [P2P_SENDER_COMPUTES] = {"sender_computes", "sender computes", false, true},
    [P2P_RECEIVER_COMPUTES] = {"receiver_computes", "receiver computes", false, true},
    [P2P_BOTH_SENDER] = {"both_compute_sender", "both, sender", false, true},
    [P2P_BOTH_RECEIVER] = {"both_compute_receiver", "both, receiver", false, true},
    [P2P_LATE] = {"late_receive", "late receive", false, false},
    [P2P_WINDOW] = {"window", "window", true, false},
    [P2P_BOTH_DIRECTIONS] = {"both_directions", "both directions", true, false},
};

/* `room`: buffer space for a window's messages, in bytes. */
static int list_cases(const struct tan_p2p *p, const int64_t *sizes, size_t n, int64_t room,
                      struct p2p_exchanges *out, struct tan_error *e)
{
    out->row = calloc(n * P2P_EXCHANGE_KINDS * (SHARES + WINDOWS) + 1, sizeof *out->row);
    if (out->row == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < n; i++) {
        struct tan_loggpo_costs costs;
        tan_p2p_costs(p, sizes[i], &costs);
        for (int kind = 0; kind < P2P_EXCHANGE_KINDS && isfinite(costs.delivered); kind++) {
            const int cases = kinds[kind].window ? WINDOWS : SHARES;
            for (int k = 0; k < cases; k++) {
                if (kinds[kind].window && windows[k] * sizes[i] > room) {
                    break;
                }
                struct p2p_exchange_case *c = &out->row[out->n++];
                *c = (struct p2p_exchange_case){.kind = (enum p2p_exchange_kind)kind,
                                                .bytes = sizes[i]};
                c->window = kinds[kind].window ? windows[k] : 0;
                c->seconds = kinds[kind].window ? 0.0 : shares[k] * costs.delivered;
                c->predicted = kinds[kind].window ? predict_window(p, c) : predict_exchange(p, c);
            }
        }
    }
    return 0;
}

static double measure_once(struct p2p_link *link, const struct p2p_exchange_case *c)
{
    if (kinds[c->kind].window) {
        return p2p_window(link, c->bytes, c->window, c->kind == P2P_BOTH_DIRECTIONS);
    }
    const struct p2p_exchange x = exchange_of(c);
    const struct p2p_overheads took = p2p_exchange(link, &x);
    const bool sender = c->kind == P2P_SENDER_COMPUTES || c->kind == P2P_BOTH_SENDER;
    return (sender ? took.sender : took.receiver) + x.late;
}

/* Time every case in turn, each after a warm-up, again and again until the time is over; `sample`
 * has PASSES places for each. */
static int sample_cases(struct p2p_link *link, const struct p2p_effort *effort,
                        const struct p2p_exchanges *all, double *sample, size_t *passes,
                        struct tan_error *e)
{
    const double end = tan_clock_seconds() + effort->max_seconds;
    for (*passes = 0; *passes < PASSES; ++*passes) {
        if (*passes >= P2P_MIN_PASSES && tan_clock_seconds() >= end) {
            break;
        }
        p2p_step_show(&effort->step, end - tan_clock_seconds(), "exchanges, pass %zu", *passes + 1);
        for (size_t i = 0; i < all->n; i++) {
            if (p2p_link_check_stop(link, e) < 0) {
                return -1;
            }
            measure_once(link, &all->row[i]);
            sample[i * PASSES + *passes] = measure_once(link, &all->row[i]);
        }
    }
    return 0;
}

int p2p_exchanges_measure(struct p2p_link *link, const struct p2p_effort *effort,
                          const struct tan_p2p *p, const int64_t *sizes, size_t n,
                          struct p2p_exchanges *out, struct tan_error *e)
{
    double scratch[PASSES];
    size_t passes;
    *out = (struct p2p_exchanges){.n = 0};
    if (list_cases(p, sizes, n, (int64_t)link->room, out, e) < 0) {
        return -1;
    }
    double *sample = calloc(out->n * PASSES + 1, sizeof *sample);
    if (sample == NULL) {
        out->n = 0;
        return tan_fail_nomem(e);
    }
    const int result = sample_cases(link, effort, out, sample, &passes, e);
    p2p_step_hide(&effort->step);
    out->n = passes < P2P_MIN_PASSES ? 0 : out->n;
    for (size_t i = 0; i < out->n; i++) {
        out->row[i].measured = tan_p2p_undisturbed(&sample[i * PASSES], passes, scratch);
    }
    free(sample);
    return result;
}

static double relative_error(const struct p2p_exchange_case *c)
{
    return p2p_error(c->predicted, c->measured, kinds[c->kind].overhead ? c->seconds : 0.0);
}

/* Predicted minus measured overlap ratio; NaN if the side does not compute. */
static double ratio_error(const struct p2p_exchange_case *c)
{
    return kinds[c->kind].overhead && c->seconds > 0.0
               ? tan_overlap_ratio(c->seconds, c->predicted) -
                     tan_overlap_ratio(c->seconds, c->measured)
               : NAN;
}

/* Errors of one kind, and the worst of its overlap ratios, NaN if it has none; `bytes`: 0 for all
 * sizes. */
static struct p2p_errors errors_of(const struct p2p_exchanges *exchanges, int kind, int64_t bytes,
                                   double *worst_ratio)
{
    struct p2p_errors out = {.n = 0};
    *worst_ratio = NAN;
    for (size_t i = 0; i < exchanges->n; i++) {
        const struct p2p_exchange_case *c = &exchanges->row[i];
        const double error = relative_error(c);
        if ((int)c->kind == kind && (bytes == 0 || c->bytes == bytes) && !isnan(error)) {
            p2p_errors_add(&out, error);
            *worst_ratio = fmax(*worst_ratio, fabs(ratio_error(c)));
        }
    }
    return out;
}

/* One cell per kind: its mean error, or the worst; `bytes` as above. */
static void error_row(const struct p2p_exchanges *exchanges, int64_t bytes, bool worst,
                      struct tan_table *table)
{
    for (int kind = 0; kind < P2P_EXCHANGE_KINDS; kind++) {
        double ignored;
        const struct p2p_errors errors = errors_of(exchanges, kind, bytes, &ignored);
        tan_table_abs_error(table, errors.n == 0 ? NAN : worst ? errors.worst : errors.mean);
    }
}

void p2p_exchanges_print(const struct p2p_exchanges *exchanges, FILE *to)
{
    const char *headings[1 + P2P_EXCHANGE_KINDS] = {"bytes"};
    double ratio = NAN;
    for (int kind = 0; kind < P2P_EXCHANGE_KINDS; kind++) {
        double worst;
        headings[1 + kind] = kinds[kind].title;
        errors_of(exchanges, kind, 0, &worst);
        ratio = fmax(ratio, worst);
    }
    struct tan_table *table = tan_table_create(headings, 1 + P2P_EXCHANGE_KINDS);
    int64_t bytes = 0;
    for (size_t i = 0; i < exchanges->n; i++) {
        if (exchanges->row[i].bytes != bytes) {
            bytes = exchanges->row[i].bytes;
            tan_table_cell(table, "%" PRId64, bytes);
            error_row(exchanges, bytes, false, table);
        }
    }
    for (int worst = 0; worst < 2; worst++) {
        tan_table_cell(table, worst ? "worst" : "mean");
        error_row(exchanges, 0, worst, table);
    }
    fputs("\nOverheads of a side that computes for 0 to 4 one-way times, late receives, and "
          "windows of 1 to 64\nmessages: mean absolute error by size, then mean and worst over all "
          "sizes\n\n",
          to);
    tan_table_print(table, to);
    if (isfinite(ratio)) {
        fprintf(to, "Overlap ratios differ by %.3f at most\n", ratio);
    }
}

static void append_case(struct tan_json_writer *w, json_t *list, const struct p2p_exchange_case *c)
{
    json_t *row = tan_json_append_object(w, list);
    tan_json_set_string(w, row, "kind", kinds[c->kind].name);
    tan_json_set_int(w, row, "bytes", c->bytes);
    p2p_set(w, row, "measured_us", c->measured / us);
    p2p_set(w, row, "predicted_us", c->predicted / us);
    tan_json_set_count(w, row, "messages", c->window);
    if (c->window == 0) {
        p2p_set(w, row, c->kind == P2P_LATE ? "late_us" : "computation_us", c->seconds / us);
    }
    p2p_set(w, row, "error", relative_error(c));
    if (!isnan(ratio_error(c))) {
        p2p_set(w, row, "overlap_ratio", tan_overlap_ratio(c->seconds, c->measured));
        p2p_set(w, row, "overlap_ratio_error", ratio_error(c));
    }
}

void p2p_exchanges_set(struct tan_json_writer *w, json_t *document,
                       const struct p2p_exchanges *exchanges)
{
    json_t *list = tan_json_set_array(w, document, "exchanges");
    json_t *all = tan_json_set_object(w, document, "exchange_errors");
    for (size_t i = 0; i < exchanges->n; i++) {
        append_case(w, list, &exchanges->row[i]);
    }
    for (int kind = 0; kind < P2P_EXCHANGE_KINDS; kind++) {
        double ratio;
        const struct p2p_errors errors = errors_of(exchanges, kind, 0, &ratio);
        p2p_errors_set(w, all, kinds[kind].name, &errors);
        if (!isnan(ratio)) {
            p2p_set(w, json_object_get(all, kinds[kind].name), "worst_overlap_difference", ratio);
        }
    }
}
