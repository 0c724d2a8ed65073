/* messages.c - predictions for single messages by every point-to-point model
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <inttypes.h>
#include <math.h>

#include "base/text.h"
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

/* Begin a table whose rows are sizes; returns its rows. */
static json_t *begin_sizes(struct tan_json_writer *w, json_t *table)
{
    static const struct tan_field none[] = {TAN_FIELDS_END};
    json_t *rows = tan_fields_table(w, table, none, "");
    tan_fields_column(w, table, "bytes", "number");
    return rows;
}

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

/* A table with a row for each of `n` sizes and each mechanism of LogGPO. O_s and O_r: the time that
 * Isend or Irecv, `computation` seconds and Wait take in addition to the computation. R_so and
 * R_ro: the share of its time that each side computes. Both follow from the event form of the model
 * (model/machine/p2p.h). Both sides start at once, except in case (a) of RAT, whose receive is
 * posted while the sender waits. The machine's own mechanism as in the file comes first, then every
 * mechanism by the formulas of [Chen 2009] with the file's parameters. Mechanisms with copies are
 * predicted only up to S, above which no copy is measured. */
static void detail_overlap(struct tan_json_writer *w, json_t *answer, const int64_t *bytes,
                           size_t n, double computation, const struct tan_p2p *p)
{
    const struct tan_text title =
        tan_printed("Beside %s of computation between Isend or Irecv and Wait on both sides: "
                    "overheads, and the share of its time that each side computes",
                    tan_time_text(computation).text);
    json_t *table = tan_reply_detail(w, answer, title.text);
    json_t *rows = begin_sizes(w, table);
    tan_fields_column(w, table, "mechanism", "text");
    tan_fields_column(w, table, "O_s", "us");
    tan_fields_column(w, table, "R_so", "number");
    tan_fields_column(w, table, "O_r", "us");
    tan_fields_column(w, table, "R_ro", "number");
    for (size_t i = 0; i < n; i++) {
        for (int m = 0; m < MECHANISMS; m++) {
            const struct overlap o = overlap_of(p, &mechanisms[m], bytes[i], computation);
            json_t *row = tan_json_append_object(w, rows);
            tan_json_set_int(w, row, "bytes", bytes[i]);
            tan_json_set_string(w, row, "mechanism", mechanisms[m].title);
            tan_report_set_us(w, row, "O_s", o.o_s);
            tan_report_set_us(w, row, "O_r", o.o_r);
            if (!isnan(o.o_s)) {
                tan_json_set_fixed(w, row, "R_so", o.r_so, 3);
                tan_json_set_fixed(w, row, "R_ro", o.r_ro, 3);
            }
        }
    }
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

int tan_messages_check_models(const struct tan_basis *from, struct tan_error *e)
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

/* A column per model: until the message is delivered, or until its sender continues. */
static json_t *list_times(struct tan_json_writer *w, json_t *table, const int64_t *bytes, size_t n,
                          const struct tan_p2p *p, bool sender)
{
    json_t *rows = begin_sizes(w, table);
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        if (has_parameters(m, p, bytes, n)) {
            tan_fields_column(w, table, m->name, "us");
        }
    }
    for (size_t i = 0; i < n; i++) {
        json_t *row = tan_json_append_object(w, rows);
        tan_json_set_int(w, row, "bytes", bytes[i]);
        for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
            const struct tan_message message = m->predict(p, bytes[i]);
            tan_report_set_us(w, row, m->name, sender ? message.sender : message.delivered);
        }
    }
    return rows;
}

/* What each model that cannot predict all sizes lacks for the first such size. */
static void say_lacking(struct tan_json_writer *w, json_t *answer, const int64_t *bytes, size_t n,
                        const struct tan_p2p *p)
{
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        size_t i = 0;
        while (i < n && tan_p2p_lacks(p, m, bytes[i]) == NULL) {
            i++;
        }
        if (i < n) {
            tan_reply_say(w, answer, TAN_PART_NOTES,
                          has_parameters(m, p, bytes, n) ? "%s needs %s for %" PRId64 " B."
                                                         : "%s needs %s.",
                          m->name, tan_p2p_lacks(p, m, bytes[i]), bytes[i]);
        }
    }
}

/* By lines fitted to this machine, else by the last published model that predicts the size. */
static void say_first(struct tan_json_writer *w, json_t *answer, int64_t bytes,
                      const struct tan_p2p *p)
{
    const struct tan_p2p_model *m = tan_p2p_model_find("fitted");
    while (m > tan_p2p_models && !isfinite(m->predict(p, bytes).delivered)) {
        m--;
    }
    const struct tan_message message = m->predict(p, bytes);
    if (!isfinite(message.delivered)) {
        tan_reply_say(w, answer, TAN_PART_FIRST, "No model predicts a message of %s.",
                      tan_size_text(bytes).text);
        return;
    }
    tan_reply_say(w, answer, TAN_PART_FIRST,
                  "A message of %s is delivered %s after the start of its send, by %s; its sender "
                  "goes on after %s.",
                  tan_size_text(bytes).text, tan_time_text(message.delivered).text, m->name,
                  isfinite(message.sender) ? tan_time_text(message.sender).text : "?");
}

static void append_message(struct tan_json_writer *w, json_t *sizes, int64_t bytes,
                           double computation, const struct tan_p2p *p)
{
    json_t *object = tan_json_append_object(w, sizes);
    tan_json_set_int(w, object, "bytes", bytes);
    json_t *predicted = tan_json_set_object(w, object, "predicted_us");
    json_t *senders = tan_json_set_object(w, object, "sender_us");
    json_t *needs = tan_json_set_object(w, object, "needs");
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        const struct tan_message message = m->predict(p, bytes);
        tan_report_set_us(w, predicted, m->name, message.delivered);
        if (isfinite(message.sender) && isfinite(message.delivered)) {
            tan_report_set_us(w, senders, m->name, message.sender);
        }
        tan_json_set_string(w, needs, m->name, tan_p2p_lacks(p, m, bytes));
    }
    if (!isnan(computation)) {
        set_overlap(w, object, bytes, computation, p);
    }
}

static void set_messages(struct tan_json_writer *w, json_t *top, const int64_t *bytes, size_t n,
                         double computation, const struct tan_basis *from)
{
    tan_json_set_string(w, top, "schema", "tan-p2p/1");
    json_t *machine = tan_json_set_object(w, top, "machine");
    tan_json_set_string(w, machine, "name", from->machine->name);
    tan_json_set_string(w, machine, "file", from->file);
    tan_json_set_bool(w, top, "trustworthy", tan_doubts_trusted(from->doubts));
    tan_doubts_set(w, top, "doubts", from->doubts, TAN_DOUBT);
    tan_report_set_us(w, top, "computation_us", computation);
    json_t *sizes = tan_json_set_array(w, top, "sizes");
    for (size_t i = 0; i < n; i++) {
        append_message(w, sizes, bytes[i], computation, from->machine->messages);
    }
    tan_json_set(w, top, "violations", tan_p2p_violations(from->machine->messages));
}

json_t *tan_answer_messages(const int64_t *bytes, size_t n, double computation,
                            const struct tan_basis *from)
{
    const struct tan_p2p *p = from->machine->messages;
    struct tan_json_writer w = {false};
    json_t *document = tan_json_new_object(&w);
    if (from->whole) {
        set_messages(&w, document, bytes, n, computation, from);
    }
    json_t *answer = tan_json_set_object(&w, document, "answer");
    tan_doubts_say(&w, answer, from->doubts);
    say_first(&w, answer, bytes[n - 1], p);
    tan_fields_spread(&w, list_times(&w, answer, bytes, n, p, false), TAN_REPLY_ROWS);
    tan_reply_say(
        &w, answer, TAN_PART_REMARKS,
        "Until the message is delivered, one way; fitted and plogp by lines and points of "
        "this machine, the others as published. Until the sender goes on: --details.");
    tan_reply_say(&w, answer, TAN_PART_FROM, "From %s (%s).", from->machine->name, from->asked);
    list_times(&w, tan_reply_detail(&w, answer, "Until the sender may continue"), bytes, n, p,
               true);
    if (n > TAN_REPLY_ROWS) {
        list_times(&w, tan_reply_detail(&w, answer, "All sizes, until delivered"), bytes, n, p,
                   false);
    }
    if (!isnan(computation)) {
        detail_overlap(&w, answer, bytes, n, computation, p);
    }
    json_t *violations = tan_p2p_violations(p);
    for (size_t i = 0; i < json_array_size(violations); i++) {
        tan_reply_say(&w, answer, TAN_PART_NOTES, "%s",
                      json_string_value(json_array_get(violations, i)));
    }
    json_decref(violations);
    say_lacking(&w, answer, bytes, n, p);
    return tan_json_finish(&w, document);
}
