/* phrases.c - phrases shared by reports; times, and the cost of fanout, as text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/phrases.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "design/choice/design.h"
#include "design/search/limits.h"
#include "design/search/search.h"

bool tan_is_wide(struct tan_interval ci95)
{
    return ci95.high - ci95.low > 1e-9 * fabs(ci95.high);
}

/* An end of the interval, in the unit of its lower end, with as many digits as its width
 * supports. */
static struct tan_text end_text(double seconds, struct tan_interval ci95)
{
    if (!tan_is_wide(ci95)) {
        return tan_exact_text(seconds);
    }
    const struct tan_time_scale unit =
        tan_time_scale(fmax(fabs(ci95.low), (ci95.high - ci95.low) / 2.0));
    /* a third of the half-width: two digits for intervals of 15 to 26 */
    const double half = (ci95.high - ci95.low) / 6.0;
    return tan_printed("%s %s", tan_value_text(seconds / unit.seconds, half / unit.seconds).text,
                       unit.name);
}

struct tan_text tan_short_text(double seconds)
{
    const struct tan_time_scale unit = tan_time_scale(seconds);
    const double number = seconds / unit.seconds;
    return number < 1e3 ? tan_printed("%.3g %s", number, unit.name)
                        : tan_printed("%.0f %s", number, unit.name);
}

/* With the unit of `low` only if it differs. */
struct tan_text tan_interval_text(struct tan_interval ci95)
{
    struct tan_text low = end_text(ci95.low, ci95);
    const struct tan_text high = end_text(ci95.high, ci95);
    if (!tan_is_wide(ci95) || strcmp(low.text, high.text) == 0) {
        return low;
    }
    char *unit = strrchr(low.text, ' ');
    if (strcmp(unit, strrchr(high.text, ' ')) == 0) {
        *unit = '\0';
    }
    return tan_printed("%.64s to %.64s", low.text, high.text);
}

struct tan_text tan_slower_text(double slower)
{
    struct tan_text text = {""};
    tan_format_slower(fabs(slower) <= TAN_SEARCH_EQUAL ? 0.0 : slower, text.text, sizeof text.text);
    return text;
}

struct tan_text tan_short_fanouts(const struct tan_plan *plan)
{
    enum { LONG = 20 };
    const struct tan_text all = tan_plan_fanouts(plan);
    struct tan_text runs = {""};
    if (strlen(all.text) <= LONG) {
        return all;
    }
    for (int i = 0, n; i < plan->height; i += n) {
        for (n = 1; i + n < plan->height && plan->fanout[i + n] == plan->fanout[i];) {
            n++;
        }
        runs = tan_printed("%s%s%" PRId64, runs.text, i > 0 ? "x" : "", plan->fanout[i]);
        if (n > 1) {
            runs = tan_printed("%s^%d", runs.text, n);
        }
    }
    return tan_printed("%s%.15s", runs.text, all.text + strcspn(all.text, ":"));
}

struct tan_text tan_short_spec(const char *spec, int most)
{
    const int length = (int)strlen(spec);
    const int head = most / 2;
    return length <= most ? tan_printed("%s", spec)
                          : tan_printed("%.*s...%s", head, spec, spec + length - (most - head - 3));
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

struct tan_text tan_within_text(const struct tan_problem *p)
{
    struct tan_text within = {""};
    const char *before = " within";
    for (const struct tan_limit *limit = tan_limits; limit->key != NULL; limit++) {
        const int64_t most = tan_limit_of(tan_problem_asked(p), limit);
        if (most > 0) {
            within = tan_printed("%s%s %s %" PRId64, within.text, before, limit->option, most);
            before = "";
        }
    }
    return p->objective == NULL ? within
                                : tan_printed("%s with %s", within.text, p->objective->least);
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

struct tan_text tan_reading_text(const struct tan_model *model, const struct tan_params *params)
{
    const double *v = params->value;
    const enum tan_reading reading = tan_reading_of(model, params);
    if (reading == TAN_READING_KNOWN) {
        return (struct tan_text){""};
    }
    if (reading == TAN_READING_SERIAL) {
        return tan_printed(
            "What a further child costs is not known: %s is assumed, as if messages came one "
            "after the other (b = %s). --per-child sets it.",
            tan_short_text(v[TAN_B]).text, v[TAN_G] > v[TAN_A] ? "g" : "a");
    }
    if (model == &tan_models[TAN_MODEL_TAN]) {
        return tan_printed(
            "Fanout costs nothing in these parameters (b = c = 0), so that the flat tree always "
            "wins. Where b is not known, leave it out: a parent is then taken to receive one "
            "message after the other.");
    }
    return tan_printed("Fanout costs nothing under model %s, so that the flat tree always wins; "
                       "models tan and logp-serial count it.",
                       model->name);
}
