/* change_answers.c - answers about --set: what it changes, how sure that is, and where the time
 * goes SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "page/kinds.h"
#include "page/rows.h"

enum { COSTS_TEXT = 300, SETTINGS_TEXT = 200, TIME_TEXT = 32 };

static double parameter_of(const json_t *document, const char *key)
{
    return tan_number_of(json_object_get(json_object_get(document, "parameters"), "between"), key);
}

/* "L=+50us,G=*2" */
static const char *settings_of(const json_t *document, char buffer[SETTINGS_TEXT])
{
    const struct tan_place at = {.document = document, .entry = document};
    tan_place_text(&at, "[*change.settings:[{?# - 1},]{:%.80s}]", buffer, SETTINGS_TEXT);
    return buffer;
}

/* The value in the settings, separated by commas, of this parameter; NULL if they have none. */
static const char *setting_of(const char *settings, char letter)
{
    for (const char *at = settings; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (at[0] == letter && at[1] == '=') {
            return at + 2;
        }
    }
    return NULL;
}

static const char *time_text(double ns, char buffer[TIME_TEXT])
{
    const bool short_time = fabs(ns) < 1e6;
    snprintf(buffer, TIME_TEXT, "%.4g %s", ns / (short_time ? 1e3 : 1e6), short_time ? "us" : "ms");
    return buffer;
}

/* A cost of messages, and what it is for readers; times per byte are bandwidths. */
struct cost_row {
    char letter;
    bool bandwidth;
    const char *key, *article, *name;
};

static const char *cost_text(const struct cost_row *row, double ns, char buffer[TIME_TEXT])
{
    if (row->bandwidth) {
        snprintf(buffer, TIME_TEXT, "%.4g MB/s", 1e3 / ns);
        return buffer;
    }
    return time_text(ns, buffer);
}

/* "half the bandwidth" for a value "*2" of the setting, "another bandwidth" for others. */
static int changed_text(const struct cost_row *row, const char *value, char *text, size_t size)
{
    char *end = NULL;
    double factor = value[0] == '*' ? strtod(value + 1, &end) : NAN;
    if (end == NULL || (*end != ',' && *end != '\0') || !(factor > 0.0) || !isfinite(factor)) {
        return snprintf(text, size, "another %s", row->name);
    }
    factor = row->bandwidth ? 1.0 / factor : factor;
    return factor == 0.5   ? snprintf(text, size, "half the %s", row->name)
           : factor == 2.0 ? snprintf(text, size, "twice the %s", row->name)
                           : snprintf(text, size, "%.3g times the %s", factor, row->name);
}

/* "a latency of 50.22 us instead of 0.2197 us (--set L=+50us)" */
static const char *costs_text(const json_t *document, char buffer[COSTS_TEXT])
{
    static const struct cost_row rows[] = {
        {'L', false, "L_ns", "a", "latency"},
        {'o', false, "o_ns", "an", "overhead of messages"},
        {'g', false, "g_ns", "a", "gap between messages"},
        {'G', true, "G_ns_per_byte", "a", "bandwidth"},
        {'O', false, "O_ns_per_byte", "an", "overhead per byte"},
    };
    const json_t *change = json_object_get(document, "change");
    char settings[SETTINGS_TEXT], before_text[TIME_TEXT], text[TIME_TEXT];
    size_t used = 0;
    settings_of(document, settings);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && used < COSTS_TEXT; i++) {
        const struct cost_row *row = &rows[i];
        const double before = tan_number_of(json_object_get(change, "between"), row->key);
        const double now = parameter_of(document, row->key);
        const char *value = setting_of(settings, row->letter);
        if (value == NULL) {
            continue;
        }
        used += (size_t)snprintf(buffer + used, COSTS_TEXT - used, "%s", used > 0 ? " and " : "");
        if (used >= COSTS_TEXT) {
            break;
        }
        if (before >= 0.0 && now != before && !(row->bandwidth && before * now == 0.0)) {
            used += (size_t)snprintf(buffer + used, COSTS_TEXT - used, "%s %s of %s instead of %s",
                                     row->article, row->name, cost_text(row, now, text),
                                     cost_text(row, before, before_text));
        } else {
            used += (size_t)changed_text(row, value, buffer + used, COSTS_TEXT - used);
        }
    }
    if (used < COSTS_TEXT) {
        snprintf(buffer + used, COSTS_TEXT - used, " (--set %s)", settings);
    }
    return buffer;
}

bool tan_simulation_doubted(const json_t *document)
{
    const json_t *parameters = json_object_get(document, "parameters");
    return json_array_size(tan_array_of(parameters, "doubts")) > 0;
}

/* With the costs as the key of its place. */
static struct tan_place place_of(const json_t *document, char costs[COSTS_TEXT])
{
    return (struct tan_place){
        .document = document, .entry = document, .key = costs_text(document, costs)};
}

#define OTHER_MODELS                                                                               \
    "By the other models it takes {change.least_factor:factor} to {change.most_factor:factor} "    \
    "times as long. "

/* What is added is parts of the critical path, which add up to the whole. */
void tan_tell_change(struct page *p, const json_t *document)
{
    char costs[COSTS_TEXT];
    const struct tan_place at = place_of(document, costs);
    if (!tan_page_tell_at(
            p, &at,
            "[{?parameters.doubts}Not trustworthy (see the doubts): w][{?!parameters.doubts}W]ith "
            "{@}, \"{source:%.80s}\" takes {change.factor:factor} times as long: {finish_ns:ns} "
            "instead of {change.unchanged_ns:ns}, both simulated.")) {
        return;
    }
    if (!tan_page_tell(p, document,
                       "[" OTHER_MODELS
                       "]From the traced {change.traced_ns:ns} the simulation without the change "
                       "differs by {change.error * 100:%+.1f} %; added to the traced time, the "
                       "same change would make {change.factor_from_traced:factor} times, but that "
                       "time includes what is not simulated.")) {
        tan_page_tell(p, document, OTHER_MODELS);
    }
    tan_page_tell(p, document,
                  "{?change.added}Of the {finish_ns - change.unchanged_ns:+ns}[*change.added:"
                  "{?4 - #}, {added_ns:+ns} are in {name:%.60s}][{?change.added - 3}, "
                  "{finish_ns - change.unchanged_ns - change.added.0.added_ns - "
                  "change.added.1.added_ns - change.added.2.added_ns:+ns} elsewhere], on the "
                  "critical path.");
}

void tan_tell_fastest(struct page *p, const json_t *document)
{
    char costs[COSTS_TEXT];
    const struct tan_place at = place_of(document, costs);
    tan_page_tell_at(
        p, &at,
        "[{?parameters.doubts}Not trustworthy (see the doubts): ]"
        "[{?change}[{?parameters.doubts}w][{?!parameters.doubts}W]ith {@}, ]{collective:%.80s}: "
        "{algorithms.0.pattern:%.80s} is the fastest of these algorithms, "
        "{algorithms.0.finish_ns:ns} in the simulation.");
}

static const struct tan_listing changes = {
    "Effect of the change, by model",
    "program.models",
    12,
    {
        {"model", "{model:%.20s}"},
        {"without, ms", "{unchanged_us / 1000:%.4g}"},
        {"error, %", "{unchanged_us * 1000 / /change.traced_ns - 1 * 100:%+.1f}"},
        {"with, ms", "{simulated_us / 1000:%.4g}"},
        {"times as long", "{simulated_us / unchanged_us:factor}"},
        {"from traced, ms", "{from_traced_us / 1000:%.4g}"},
    },
};

void tan_show_change(struct page *p, const json_t *document)
{
    const json_t *models = tan_array_of(json_object_get(document, "program"), "models");
    const json_t *first = json_array_get(models, 0);
    if (json_object_get(first, "unchanged_us") != NULL) {
        tan_show_listing(p, document, &changes);
    }
}
