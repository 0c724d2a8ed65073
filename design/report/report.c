/* report.c - header of every answer: the machine and doubts about it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "design/report/phrases.h"
#include "design/report/reading.h"
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

/* The model's error on the file's check trees, and that of the other models. Prints nothing and
 * returns false if the file does not have the model's. */
static bool print_checked(const struct tan_checks *checks, const struct tan_model *model, FILE *to)
{
    char others[120] = "";
    char text[280];
    char share[32];
    double own = NAN;
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        const double error = tan_checks_error(checks, m);
        const size_t used = strlen(others);
        if (strcmp(tan_check_models[m], model->name) == 0) {
            own = error;
        } else if (!isnan(error)) {
            snprintf(others + used, sizeof others - used, "%s%s %s", used > 0 ? ", " : " (",
                     tan_check_models[m], tan_format_share(error, share, sizeof share));
        }
    }
    if (isnan(own)) {
        return false;
    }
    snprintf(text, sizeof text, "Model: %s, %s off on %d check tree%s%s%s", model->name,
             tan_format_share(own, share, sizeof share), checks->n, checks->n == 1 ? "" : "s",
             others, *others != '\0' ? ")" : "");
    tan_text_wrap(to, text, 0, 7);
    return true;
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
    } else if (m->message_model != NULL) {
        fprintf(to, "Levels: from single messages of its p2p block, by model %s\n",
                m->message_model->name);
    }
    if (m->tan.work > 0.0) {
        fprintf(to, "Filter: %g us for each child's message\n", m->tan.work * 1e6);
    }
    const bool checked = given[0] == '\0' && print_checked(&m->checks, model, to);
    if (!checked && model != &tan_models[TAN_MODEL_TAN]) {
        char text[TAN_SENTENCE];
        snprintf(text, sizeof text, "Model: %s, %s", model->name, model->help);
        tan_text_wrap(to, text, 0, 2);
    } else if (!checked && given[0] == '\0' && !m->stand_in && !m->overlap_known) {
        fputs("Model: tan, not checked: tanbench calibrate also measures how far it errs, and\n"
              "  whether requests and answers overlap (tan-overlap)\n",
              to);
    }
    tan_reading_print(model, &m->tan, leaves, to);
}
