/* messages.c - predictions for single messages by every point-to-point model
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/messages.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/json_parts.h"
#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "model/machine/p2p.h"

/* Mechanisms of message transfer. */
static const struct mechanism {
    const char *key, *title;
    enum tan_transfer transfer; /* UNKNOWN: as in the machine file */
    enum tan_progress progress;
    bool late; /* the receive is posted after the request has arrived, while the sender waits */
} mechanisms[] = {
    {"file", "this machine's", TAN_TRANSFER_UNKNOWN, TAN_PROGRESS_UNKNOWN, false},
    {"T", "T", TAN_TRANSFER_T, TAN_PROGRESS_DEPENDENT, false},
    {"TA", "TA", TAN_TRANSFER_TA, TAN_PROGRESS_DEPENDENT, false},
    {"RTA", "RTA", TAN_TRANSFER_RTA, TAN_PROGRESS_DEPENDENT, false},
    {"RTA independent", "RTA, independent", TAN_TRANSFER_RTA, TAN_PROGRESS_INDEPENDENT, false},
    {"RAT", "RAT", TAN_TRANSFER_RAT, TAN_PROGRESS_DEPENDENT, false},
    {"RAT late", "RAT, late receive", TAN_TRANSFER_RAT, TAN_PROGRESS_DEPENDENT, true},
};
enum { MECHANISMS = sizeof mechanisms / sizeof mechanisms[0] };

struct overlap {
    double o_s, o_r;   /* seconds in addition to the computation; NaN if a parameter is missing */
    double r_so, r_ro; /* shares of time */
};

static void find_costs(const struct tan_p2p *p, const struct mechanism *m, int64_t bytes,
                       struct tan_loggpo_costs *costs)
{
    if (m->transfer == TAN_TRANSFER_UNKNOWN) {
        tan_p2p_costs(p, bytes, costs);
        return;
    }
    struct tan_loggpo v = tan_p2p_loggpo(p, bytes);
    if (m->transfer == TAN_TRANSFER_T || m->transfer == TAN_TRANSFER_TA) {
        v.copy = p->eager >= 0 && bytes > p->eager ? NAN : v.copy;
    } else {
        v.start = tan_p2p_at(p, TAN_P2P_SEND, 1);
    }
    tan_loggpo_by_paper(&v, m->transfer, m->progress, bytes, costs);
}

static struct overlap overlap_of(const struct tan_p2p *p, const struct mechanism *m, int64_t bytes,
                                 double computation)
{
    struct tan_loggpo_costs costs;
    struct tan_loggpo_ends ends;
    find_costs(p, m, bytes, &costs);
    if (isnan(costs.delivered)) {
        return (struct overlap){NAN, NAN, NAN, NAN};
    }
    const struct tan_loggpo_calls calls = {.irecv =
                                               m->late ? fmax(costs.arrival, computation) : 0.0,
                                           .sender_computes = computation,
                                           .receiver_computes = computation};
    tan_loggpo_exchange(&costs, &calls, &ends);
    const double o_s = ends.sender - calls.isend - computation;
    const double o_r = ends.receiver - calls.irecv - computation;
    return (struct overlap){o_s, o_r, tan_overlap_ratio(computation, o_s),
                            tan_overlap_ratio(computation, o_r)};
}

static void add_row(struct tan_table *table, const struct mechanism *m, int64_t bytes,
                    const struct overlap *o)
{
    tan_table_cell(table, "%" PRId64, bytes);
    tan_table_cell(table, "%s", m->title);
    if (isnan(o->o_s)) {
        for (int i = 0; i < 4; i++) {
            tan_table_cell(table, "-");
        }
        return;
    }
    tan_table_digits(table, o->o_s);
    tan_table_cell(table, "%.3f", o->r_so);
    tan_table_digits(table, o->o_r);
    tan_table_cell(table, "%.3f", o->r_ro);
}

/* A table with a row for each of `n` sizes and each mechanism of LogGPO. O_s and O_r: the time that
 * Isend or Irecv, `computation` seconds and Wait take in addition to the computation. R_so and
 * R_ro: the share of its time that each side computes. Both follow from the event form of the model
 * (model/machine/loggp.h). Both sides start at once, except in case (a) of RAT, whose receive is
 * posted while the sender waits. The machine's own mechanism as in the file comes first, then every
 * mechanism by the formulas of [Chen 2009] with the file's parameters. Mechanisms with copies are
 * predicted only up to S, above which no copy is measured. */
static void print_overlap(const int64_t *bytes, size_t n, double computation,
                          const struct tan_p2p *p, FILE *to)
{
    static const char *const headings[] = {"bytes", "<mechanism", "O_s", "R_so", "O_r", "R_ro"};
    struct tan_table *table = tan_table_create(headings, 6);
    for (size_t i = 0; i < n; i++) {
        for (int m = 0; m < MECHANISMS; m++) {
            const struct overlap o = overlap_of(p, &mechanisms[m], bytes[i], computation);
            add_row(table, &mechanisms[m], bytes[i], &o);
        }
    }
    char time[64];
    fprintf(to,
            "\nBeside %s of computation between Isend or Irecv and Wait on both sides:\n"
            "overheads, and the share of its time that each side computes\n\n",
            tan_format_time(computation, tan_time_scale(computation), time, sizeof time));
    tan_table_print(table, to);
}

/* The same for one size, as a member "overlap" of `object`. */
static void set_overlap(struct tan_json_writer *w, struct json_t *object, int64_t bytes,
                        double computation, const struct tan_p2p *p)
{
    json_t *list = tan_json_set_array(w, object, "overlap");
    for (int m = 0; m < MECHANISMS; m++) {
        const struct overlap o = overlap_of(p, &mechanisms[m], bytes, computation);
        if (isnan(o.o_s)) {
            continue;
        }
        json_t *row = tan_json_append_object(w, list);
        tan_json_set_string(w, row, "mechanism", mechanisms[m].key);
        tan_report_set_us(w, row, "o_s_us", o.o_s);
        tan_report_set_us(w, row, "o_r_us", o.o_r);
        tan_json_set_fixed(w, row, "r_so", o.r_so, 6);
        tan_json_set_fixed(w, row, "r_ro", o.r_ro, 6);
    }
}

int tan_messages_check(const struct tan_provenance *from, struct tan_error *e)
{
    if (from->machine->messages != NULL) {
        return 0;
    }
    if (from->file == NULL) {
        return tan_fail_usage(
            e, "--bytes and --growth need a machine file with a p2p block: --machine "
               "FILE");
    }
    return tan_fail_at(e, from->file, 0, 0,
                       "it has no p2p block, which says what messages of any size cost: "
                       "tanbench p2p calibrate FILE measures one");
}

/* Whether the machine file has the model's parameters for one of the sizes. */
static bool has_parameters(const struct tan_p2p_model *model, const struct tan_p2p *p,
                           const int64_t *bytes, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        any |= isfinite(model->predict(p, bytes[i]).delivered);
    }
    return any;
}

int tan_messages_check_models(const struct tan_provenance *from, struct tan_error *e)
{
    const int64_t any = 1;
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        if (has_parameters(m, from->machine->messages, &any, 1)) {
            return 0;
        }
    }
    return tan_fail_at(e, from->file, 0, 0,
                       "its p2p block has too few parameters for any model: LogGP needs L_us, "
                       "o_s_us, o_r_us and G_us_per_byte of every section");
}

static double delivered_time(const struct tan_message *m)
{
    return m->delivered;
}

static double sender_time(const struct tan_message *m)
{
    return m->sender;
}

static void print_table(const int64_t *bytes, size_t n, const struct tan_p2p *p,
                        double (*of)(const struct tan_message *), FILE *to)
{
    const char *headings[1 + TAN_P2P_MODELS] = {"bytes"};
    int columns = 1;
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        if (has_parameters(m, p, bytes, n)) {
            headings[columns++] = m->name;
        }
    }
    struct tan_table *table = tan_table_create(headings, columns);
    for (size_t i = 0; i < n; i++) {
        tan_table_cell(table, "%lld", (long long)bytes[i]);
        for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
            const struct tan_message message = m->predict(p, bytes[i]);
            if (!has_parameters(m, p, bytes, n)) {
                continue;
            }
            tan_table_digits(table, of(&message));
        }
    }
    tan_table_print(table, to);
}

/* Print for each model that cannot predict all sizes what it lacks for the first such size. */
static void print_lacking(const int64_t *bytes, size_t n, const struct tan_p2p *p, FILE *to)
{
    const char *heading = "\nWhat the machine file lacks:\n";
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        size_t i = 0;
        while (i < n && tan_p2p_lacks(p, m, bytes[i]) == NULL) {
            i++;
        }
        if (i < n) {
            fputs(heading, to);
            tan_text_say(to,
                         has_parameters(m, p, bytes, n) ? "%s needs %s for %" PRId64 " B."
                                                        : "%s needs %s.",
                         m->name, tan_p2p_lacks(p, m, bytes[i]), bytes[i]);
            heading = "";
        }
    }
}

void tan_messages_print(const int64_t *bytes, size_t n, double computation,
                        const struct tan_provenance *from, const struct tan_doubts *doubts,
                        FILE *to)
{
    const struct tan_p2p *p = from->machine->messages;
    fprintf(to, "Machine: %s\nFile:    %s\n", from->machine->name, from->file);
    tan_doubts_print(doubts, TAN_DOUBT, to);
    fputs("\nFrom the start of the send until the message is delivered, one way; fitted and plogp "
          "by\nlines and points of this machine, the others as published\n\n",
          to);
    print_table(bytes, n, p, delivered_time, to);
    fputs("\nUntil the sender may continue\n\n", to);
    print_table(bytes, n, p, sender_time, to);
    if (!isnan(computation)) {
        print_overlap(bytes, n, computation, p, to);
    }
    tan_p2p_violations_print(p, to);
    print_lacking(bytes, n, p, to);
}

static void append_message(struct tan_json_writer *w, json_t *sizes, int64_t bytes,
                           double computation, const struct tan_p2p *p)
{
    json_t *object = tan_json_append_object(w, sizes);
    tan_json_set_int(w, object, "bytes", bytes);
    json_t *predicted = tan_json_set_object(w, object, "predicted_us");
    json_t *senders = tan_json_set_object(w, object, "sender_us");
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        const struct tan_message message = m->predict(p, bytes);
        tan_report_set_us(w, predicted, m->name, message.delivered);
        if (isfinite(message.sender) && isfinite(message.delivered)) {
            tan_report_set_us(w, senders, m->name, message.sender);
        }
    }
    json_t *needs = tan_json_set_object(w, object, "needs");
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        tan_json_set_string(w, needs, m->name, tan_p2p_lacks(p, m, bytes));
    }
    if (!isnan(computation)) {
        set_overlap(w, object, bytes, computation, p);
    }
}

json_t *tan_messages_to_json(const int64_t *bytes, size_t n, double computation,
                             const struct tan_provenance *from, const struct tan_doubts *doubts)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-p2p/1");
    json_t *machine = tan_json_set_object(&w, top, "machine");
    tan_json_set_string(&w, machine, "name", from->machine->name);
    tan_json_set_string(&w, machine, "file", from->file);
    tan_json_set_bool(&w, top, "trustworthy", tan_doubts_trusted(doubts));
    tan_doubts_set(&w, top, "doubts", doubts, TAN_DOUBT);
    tan_report_set_us(&w, top, "computation_us", computation);
    json_t *sizes = tan_json_set_array(&w, top, "sizes");
    for (size_t i = 0; i < n; i++) {
        append_message(&w, sizes, bytes[i], computation, from->machine->messages);
    }
    tan_json_set(&w, top, "violations", tan_p2p_violations(from->machine->messages));
    return tan_json_finish(&w, top);
}
