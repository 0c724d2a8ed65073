/* phrases.c - phrases shared by reports; times, and the cost of fanout, as text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/phrases.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "design/choice/pareto.h"
#include "design/search/limits.h"
#include "design/search/search.h"
#include "design/systems/least_tree.h"

bool tan_is_wide(struct tan_interval ci95)
{
    return ci95.high - ci95.low > 1e-9 * fabs(ci95.high);
}

/* An end of the interval, in the unit of its lower end, with as many digits as its width
 * supports. */
static const char *end_text(double seconds, struct tan_interval ci95, char buffer[TAN_CELL])
{
    char number[32];
    if (!tan_is_wide(ci95)) {
        return tan_format_time(seconds, tan_time_scale(seconds), buffer, TAN_CELL);
    }
    const struct tan_time_scale unit =
        tan_time_scale(fmax(fabs(ci95.low), (ci95.high - ci95.low) / 2.0));
    /* a third of the half-width: two digits for intervals of 15 to 26 */
    tan_format_value(seconds / unit.seconds, (ci95.high - ci95.low) / 6.0 / unit.seconds, number,
                     sizeof number);
    snprintf(buffer, TAN_CELL, "%s %s", number, unit.name);
    return buffer;
}

const char *tan_exact_text(double seconds, char buffer[TAN_CELL])
{
    return end_text(seconds, TAN_INTERVAL_UNKNOWN, buffer);
}

const char *tan_short_text(double seconds, char buffer[TAN_CELL])
{
    const struct tan_time_scale unit = tan_time_scale(seconds);
    const double number = seconds / unit.seconds;
    snprintf(buffer, TAN_CELL, number < 1e3 ? "%.3g %s" : "%.0f %s", number, unit.name);
    return buffer;
}

/* Join the ends in `buffer`: "600 to 640 us", with the unit of `low` only if it differs; "600 us"
 * if both are equal. Changes `low`. */
static void join_ends(char low[TAN_CELL], const char *high, char buffer[TAN_CELL])
{
    if (strcmp(low, high) == 0) {
        snprintf(buffer, TAN_CELL, "%s", low);
        return;
    }
    char *unit = strrchr(low, ' ');
    if (strcmp(unit, strrchr(high, ' ')) == 0) {
        *unit = '\0';
    }
    snprintf(buffer, TAN_CELL, "%.28s to %.28s", low, high);
}

const char *tan_interval_text(struct tan_interval ci95, char buffer[TAN_CELL])
{
    char low[TAN_CELL];
    char high[TAN_CELL];
    if (!tan_is_wide(ci95)) {
        return tan_exact_text(ci95.low, buffer);
    }
    end_text(ci95.low, ci95, low);
    end_text(ci95.high, ci95, high);
    join_ends(low, high, buffer);
    return buffer;
}

const char *tan_slower_text(double slower, bool tied, char buffer[TAN_CELL])
{
    const bool equal = fabs(slower) <= TAN_SEARCH_EQUAL;
    char text[TAN_CELL];
    tan_format_slower(equal ? 0.0 : slower, text, sizeof text);
    snprintf(buffer, TAN_CELL, "%s%.40s", tied && !equal ? "ties, " : "", text);
    return buffer;
}

const char *tan_short_fanouts(const struct tan_plan *plan, char buffer[TAN_NAME])
{
    enum { LONG = 20 };
    if (strlen(tan_plan_fanouts(plan, buffer, TAN_NAME)) <= LONG) {
        return buffer;
    }
    char order[16];
    snprintf(order, sizeof order, "%.15s", buffer + strcspn(buffer, ":"));
    size_t used = 0;
    for (int i = 0, n; i < plan->height; i += n) {
        for (n = 1; i + n < plan->height && plan->fanout[i + n] == plan->fanout[i];) {
            n++;
        }
        char power[16] = "";
        if (n > 1) {
            snprintf(power, sizeof power, "^%d", n);
        }
        used += (size_t)snprintf(buffer + used, TAN_NAME - used, "%s%" PRId64 "%s",
                                 i > 0 ? "x" : "", plan->fanout[i], power);
    }
    snprintf(buffer + used, TAN_NAME - used, "%s", order);
    return buffer;
}

const char *tan_short_spec(const char *spec, int most, char buffer[TAN_NAME])
{
    const int length = (int)strlen(spec);
    const int head = most / 2;
    if (length <= most) {
        snprintf(buffer, TAN_NAME, "%s", spec);
    } else {
        snprintf(buffer, TAN_NAME, "%.*s...%s", head, spec, spec + length - (most - head - 3));
    }
    return buffer;
}

const char *tan_best_of_text(const struct tan_problem *problem)
{
    return problem->model->node == NULL ? "all trees"
           : tan_search_proves(problem) ? "all even and k-ary trees"
                                        : "the trees evaluated";
}

const char *tan_span_text(const struct tan_params *params)
{
    return params->one_way ? "one way" : "half a round trip";
}

const char *tan_plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

const char *tan_leaves_text(int64_t n)
{
    return n == 1 ? "leaf" : "leaves";
}

const struct tan_problem *tan_problem_asked(const struct tan_problem *p)
{
    return p->asked != NULL ? p->asked : p;
}

const char *tan_within_text(const struct tan_problem *p, char *text, size_t size)
{
    const char *before = " within ";
    int n = 0;
    text[0] = '\0';
    for (const struct tan_limit *limit = tan_limits; limit->key != NULL; limit++) {
        const int64_t most = tan_limit_of(tan_problem_asked(p), limit);
        if (most > 0) {
            n += snprintf(text + n, size - (size_t)n, "%s%s %" PRId64, before, limit->option, most);
            before = " ";
        }
    }
    if (p->objective != NULL) {
        snprintf(text + n, size - (size_t)n, " with %s", p->objective->least);
    }
    return text;
}

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
                      char text[TAN_SENTENCE])
{
    const double *v = params->value;
    const enum tan_reading reading = tan_reading_of(model, params);
    if (reading == TAN_READING_KNOWN) {
        return false;
    }
    if (reading == TAN_READING_SERIAL) {
        char time[TAN_CELL];
        snprintf(text, TAN_SENTENCE,
                 "What a further child costs is not known: %s is assumed, as if messages came one "
                 "after the other (b = %s). --per-child sets it.",
                 tan_short_text(v[TAN_B], time), v[TAN_G] > v[TAN_A] ? "g" : "a");
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
