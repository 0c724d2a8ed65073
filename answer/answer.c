/* answer.c - header of every answer: the machine and doubts about it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer/phrases.h"
#include "base/text.h"
#include "base/units.h"
#include "model/wave/payload.h"

/* The stand-in machine, and the calibration that was too bad to replace it. */
static void print_stand_in(FILE *to)
{
    char *untrusted = tan_machine_user_path(false, NULL);
    tan_text_wrap(to,
                  TAN_STAND_IN ". For yours, measure it (tanbench calibrate), or give --latency "
                               "and --overhead.",
                  0, 0);
    if (untrusted != NULL && access(untrusted, F_OK) == 0) {
        fprintf(to, "An untrustworthy calibration is there: --machine %s\n", untrusted);
    }
    free(untrusted);
}

void tan_report_machine(const struct tan_provenance *from, const struct tan_model *model,
                        const struct tan_doubts *doubts, int64_t leaves, FILE *to)
{
    const struct tan_machine *m = from->machine;
    char size[32];
    char given[256] = "";
    if (from->given != NULL) {
        tan_given_text(from->given, given, sizeof given);
    }
    if (m->stand_in) {
        print_stand_in(to);
    }
    if (from->file == NULL) {
        fprintf(to, "Machine: %s: %s\n", m->name, given);
    } else {
        /* of a fit of TAN, whichever model is chosen */
        const bool chosen = m->tan.method == TAN_METHOD_OVERLAP;
        fprintf(to, "Machine: %s (method %s, messages of %s, %s)\n", m->name,
                tan_method_name(chosen ? m->overlap.method : m->tan.method),
                tan_format_size(m->tan.bytes, size, sizeof size),
                m->oversubscribed ? "OVERSUBSCRIBED" : "not oversubscribed");
    }
    if (tan_machine_simulated(m) != NULL) {
        fprintf(to, "Simulated: measured on SimGrid's platform %s, not on a real machine\n",
                tan_machine_simulated(m));
    }
    tan_doubts_print(doubts, TAN_DOUBT, to);
    tan_doubts_print(doubts, TAN_NOTE, to);
    if (m->network_real) {
        fputs("Network: said to be real\n", to);
    }
    if (from->file != NULL) {
        fprintf(to, "File:    %s\n", from->file);
    }
    if (from->file != NULL && given[0] != '\0') {
        fprintf(to, "Given:   %s, in place of the file's\n", given);
    }
    if (m->tan.payload != NULL) {
        fprintf(to, "Messages: %s from every leaf, growth %s, times by model %s of its p2p block\n",
                tan_format_size(tan_payload_bytes(m->tan.payload), size, sizeof size),
                tan_payload_rule_of(m->tan.payload)->name,
                tan_payload_model_of(m->tan.payload)->name);
    } else if (m->tan.derived) {
        fprintf(to, "Levels: from single messages of its p2p block, by model %s\n",
                m->message_model->name);
    }
    if (m->tan.work > 0.0) {
        fprintf(to, "Filter: %g us for each child's message\n", m->tan.work * 1e6);
    }
    char checks[TAN_CHECKS_TEXT];
    const bool checked = given[0] == '\0' && tan_checks_text(&m->checks, model->name, checks);
    if (checked) {
        fputs("Model: ", to);
        tan_text_wrap(to, checks, 7, 7);
    } else if (model != &tan_models[TAN_MODEL_TAN]) {
        char text[TAN_SENTENCE];
        snprintf(text, sizeof text, "Model: %s, %s", model->name, model->help);
        tan_text_wrap(to, text, 0, 2);
    } else if (given[0] == '\0' && !m->stand_in && !m->overlap_known) {
        fputs("Model: tan, not checked: tanbench calibrate also measures how far it errs, and\n"
              "  whether requests and answers overlap (tan-overlap)\n",
              to);
    }
    tan_reading_print(model, &m->tan, leaves, to);
}
