/* messages.c - predictions for single messages by every point-to-point model
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/messages.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "design/report/json_parts.h"
#include "design/report/overlap.h"
#include "model/machine/p2p.h"

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
    tan_table_destroy(table);
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
            char text[192];
            snprintf(text, sizeof text,
                     has_parameters(m, p, bytes, n) ? "%s needs %s for %" PRId64 " B."
                                                    : "%s needs %s.",
                     m->name, tan_p2p_lacks(p, m, bytes[i]), bytes[i]);
            fputs(heading, to);
            tan_text_wrap(to, text, 0, 0);
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
        tan_overlap_print(bytes, n, computation, p, to);
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
        if (isfinite(message.delivered)) {
            tan_report_set_us(w, predicted, m->name, message.delivered);
        }
        if (isfinite(message.sender) && isfinite(message.delivered)) {
            tan_report_set_us(w, senders, m->name, message.sender);
        }
    }
    json_t *needs = tan_json_set_object(w, object, "needs");
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        const char *key = tan_p2p_lacks(p, m, bytes);
        if (key != NULL) {
            tan_json_set_string(w, needs, m->name, key);
        }
    }
    if (!isnan(computation)) {
        tan_overlap_set_json(w, object, bytes, computation, p);
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
    if (!isnan(computation)) {
        tan_report_set_us(&w, top, "computation_us", computation);
    }
    json_t *sizes = tan_json_set_array(&w, top, "sizes");
    for (size_t i = 0; i < n; i++) {
        append_message(&w, sizes, bytes[i], computation, from->machine->messages);
    }
    tan_json_set(&w, top, "violations", tan_p2p_violations_json(from->machine->messages));
    return tan_json_finish(&w, top);
}
