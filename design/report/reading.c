/* reading.c - known or assumed cost of fanout
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/reading.h"

#include <inttypes.h>

#include "base/text.h"
#include "design/report/time_text.h"

static bool counts_fanout(const struct tan_model *model, const struct tan_params *params)
{
    return tan_level_cost(model, params, 2, 1, 1) > tan_level_cost(model, params, 1, 1, 0);
}

/* Whether a second child costs something with the parameters' values or with any of their draws. */
static bool may_count_fanout(const struct tan_model *model, const struct tan_params *params)
{
    bool counts = counts_fanout(model, params);
    for (int i = 0; i < params->n_draws && !counts; i++) {
        const struct tan_params moved = tan_params_drawn(params, i);
        counts = counts_fanout(model, &moved);
    }
    return counts;
}

enum tan_reading tan_reading_of(const struct tan_model *model, const struct tan_params *params)
{
    if (!may_count_fanout(model, params)) {
        return TAN_READING_NOTHING;
    }
    return model == &tan_models[TAN_MODEL_TAN] && params->unidentified[TAN_B] ? TAN_READING_SERIAL
                                                                              : TAN_READING_KNOWN;
}

const char *tan_reading_name(enum tan_reading reading)
{
    static const char *const names[] = {[TAN_READING_KNOWN] = "known",
                                        [TAN_READING_SERIAL] = "serial",
                                        [TAN_READING_NOTHING] = "nothing"};
    return names[reading];
}

bool tan_reading_text(const struct tan_model *model, const struct tan_params *params,
                      int64_t leaves, char text[TAN_SENTENCE])
{
    const double *v = params->value;
    const enum tan_reading reading = tan_reading_of(model, params);
    if (reading == TAN_READING_KNOWN) {
        return false;
    }
    if (reading == TAN_READING_SERIAL) {
        struct tan_params nothing = *params;
        char time[TAN_CELL];
        nothing.value[TAN_B] = 0.0;
        nothing.value[TAN_C2] = 0.0;
        int n =
            snprintf(text, TAN_SENTENCE,
                     "The cost of a further child is unknown: a parent is assumed to receive one "
                     "message after the other, %s each (b = %s, the serial reading of "
                     "LogP). --per-child sets it.",
                     tan_short_text(v[TAN_B], time), v[TAN_G] > v[TAN_A] ? "g" : "a");
        if (leaves > 0) {
            snprintf(text + n, TAN_SENTENCE - (size_t)n,
                     " If fanout cost nothing, the flat tree, nto1:%" PRId64 ", would be the best, "
                     "with %s.",
                     leaves,
                     tan_short_text(
                         tan_level_cost(model, &nothing, leaves, 1, leaves - 1) + v[TAN_C0], time));
        }
    } else if (model == &tan_models[TAN_MODEL_TAN]) {
        snprintf(
            text, TAN_SENTENCE,
            "Fanout costs nothing in these parameters (b = c = 0), so that the flat tree always "
            "wins. Where b is not known, leave it out: a parent is then taken to receive one "
            "message after the other.");
    } else {
        snprintf(text, TAN_SENTENCE,
                 "Fanout costs nothing under model %s, so that the flat tree always wins; models "
                 "tan and logp-serial count it.",
                 model->name);
    }
    return true;
}

void tan_reading_print(const struct tan_model *model, const struct tan_params *params,
                       int64_t leaves, FILE *to)
{
    char text[TAN_SENTENCE];
    if (tan_reading_text(model, params, leaves, text)) {
        tan_text_wrap(to, text, 0, 0);
    }
}
