/* change_answers.c - answers about --set: what it changes, how sure that is, and where the time
 * goes SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "report/page/kinds.h"

enum { COSTS_TEXT = 300, SETTINGS_TEXT = 200, TIME_TEXT = 32 };

static double parameter_of(const json_t *document, const char *key)
{
    return tan_number_of(json_object_get(json_object_get(document, "parameters"), "between"), key);
}

/* "L=+50us,G=*2" */
static const char *settings_of(const json_t *document, char buffer[SETTINGS_TEXT])
{
    const json_t *settings = tan_array_of(json_object_get(document, "change"), "settings");
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < json_array_size(settings) && used < SETTINGS_TEXT; i++) {
        const char *text = json_string_value(json_array_get(settings, i));
        used += (size_t)snprintf(buffer + used, SETTINGS_TEXT - used, "%s%.80s", i > 0 ? "," : "",
                                 text != NULL ? text : "");
    }
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

static const char *factor_text(double factor, char buffer[TIME_TEXT])
{
    return tan_format_factor(factor, 3, buffer, TIME_TEXT);
}

/* How far the factor may be from the truth. */
static void tell_range(struct page *p, const json_t *change)
{
    const double least = tan_number_of(change, "least_factor");
    const double traced = tan_number_of(change, "traced_ns");
    char models[80] = "";
    char text[TIME_TEXT], factor[TIME_TEXT], most[TIME_TEXT];
    if (isfinite(least)) {
        snprintf(models, sizeof models, "By the other models it takes %s to %s times as long. ",
                 factor_text(least, factor),
                 factor_text(tan_number_of(change, "most_factor"), most));
    }
    if (isfinite(tan_number_of(change, "as_traced_ns"))) {
        tan_page_answer(p,
                        "%sFrom the traced %s the simulation of the traced ranks, not "
                        "extrapolated, without the change, differs by %+.1f %%.",
                        models, time_text(traced, text), 100.0 * tan_number_of(change, "error"));
    } else if (isfinite(traced)) {
        tan_page_answer(p,
                        "%sFrom the traced %s the simulation without the change differs by %+.1f "
                        "%%; added to the traced time, the same change would make %s times, but "
                        "that time includes what is not simulated.",
                        models, time_text(traced, text), 100.0 * tan_number_of(change, "error"),
                        factor_text(tan_number_of(change, "factor_from_traced"), factor));
    } else if (models[0] != '\0') {
        tan_page_answer(p, "%s", models);
    }
}

static const char *signed_time(double ns, char buffer[TIME_TEXT])
{
    const bool short_time = fabs(ns) < 1e6;
    snprintf(buffer, TIME_TEXT, "%+.4g %s", ns / (short_time ? 1e3 : 1e6),
             short_time ? "us" : "ms");
    return buffer;
}

/* Which calls take the added time: parts of the critical path, which add up to it. */
static void tell_added(struct page *p, const json_t *added, double whole)
{
    enum { LISTED = 3, PARTS = 300 };
    char parts[PARTS] = "", rest_text[TIME_TEXT + 16] = "", text[TIME_TEXT];
    double rest = whole;
    for (size_t i = 0; i < json_array_size(added) && i < LISTED; i++) {
        const json_t *part = json_array_get(added, i);
        const size_t used = strlen(parts);
        const double ns = tan_number_of(part, "added_ns");
        snprintf(parts + used, sizeof parts - used, ", %s are in %.60s", signed_time(ns, text),
                 tan_text_of(part, "name"));
        rest -= ns;
    }
    if (json_array_size(added) > LISTED) {
        snprintf(rest_text, sizeof rest_text, ", %s elsewhere", signed_time(rest, text));
    }
    if (parts[0] != '\0') {
        tan_page_answer(p, "Of the %s%s%s, on the critical path.", signed_time(whole, text), parts,
                        rest_text);
    }
}

void tan_tell_change(struct page *p, const json_t *document)
{
    const json_t *change = json_object_get(document, "change");
    const double unchanged = tan_number_of(change, "unchanged_ns");
    const double finish = tan_number_of(document, "finish_ns");
    const bool doubted = tan_simulation_doubted(document);
    char costs[COSTS_TEXT], factor[TIME_TEXT], now_text[TIME_TEXT], text[TIME_TEXT];
    if (!isfinite(unchanged)) {
        return;
    }
    tan_page_answer(p, "%s %s, \"%.80s\" takes %s times as long: %s instead of %s, both simulated.",
                    doubted ? "Not trustworthy (see the doubts): with" : "With",
                    costs_text(document, costs), tan_text_of(document, "source"),
                    factor_text(tan_number_of(change, "factor"), factor),
                    time_text(finish, now_text), time_text(unchanged, text));
    tell_range(p, change);
    tell_added(p, tan_array_of(change, "added"), finish - unchanged);
}

void tan_tell_fastest(struct page *p, const json_t *document)
{
    const json_t *first = json_array_get(tan_array_of(document, "algorithms"), 0);
    char costs[COSTS_TEXT], text[TIME_TEXT];
    const bool changed = json_object_get(document, "change") != NULL;
    const bool doubted = tan_simulation_doubted(document);
    tan_page_answer(
        p, "%s%s%s%s%.80s: %.80s is the fastest of these algorithms, %s in the simulation.",
        doubted ? "Not trustworthy (see the doubts): " : "",
        changed ? (doubted ? "with " : "With ") : "", changed ? costs_text(document, costs) : "",
        changed ? ", " : "", tan_text_of(document, "collective"), tan_text_of(first, "pattern"),
        time_text(tan_number_of(first, "finish_ns"), text));
}

/* A fact about one set of costs. */
static void add_costs(struct page *p, const struct source *s, const char *what, const json_t *link)
{
    const json_t *parameters = json_object_get(s->document, "parameters");
    const double bytes = tan_number_of(parameters, "bytes");
    char text[240], size[48] = "";
    if (isfinite(bytes)) {
        snprintf(size, sizeof size, ", of %.0f B", bytes);
    }
    snprintf(text, sizeof text, "%.20s%s: L %.6g us, o %.6g us, g %.6g us, G %.6g ns/B%s",
             tan_text_of(parameters, "model"), size, tan_number_of(link, "L_ns") / 1e3,
             tan_number_of(link, "o_ns") / 1e3, tan_number_of(link, "g_ns") / 1e3,
             tan_number_of(link, "G_ns_per_byte"),
             isfinite(bytes) && !(tan_number_of(link, "G_ns_per_byte") > 0.0)
                 ? ", with the costs of bytes in L and g"
                 : "");
    if (json_is_object(link)) {
        tan_page_fact(p, s->name, what, text);
    }
}

void tan_tell_costs(struct page *p, const struct source *s)
{
    const json_t *parameters = json_object_get(s->document, "parameters");
    const json_t *before = json_object_get(json_object_get(s->document, "change"), "between");
    char settings[SETTINGS_TEXT];
    add_costs(p, s, before != NULL ? "messages without the change" : "messages",
              before != NULL ? before : json_object_get(parameters, "between"));
    if (before != NULL) {
        add_costs(p, s, "messages", json_object_get(parameters, "between"));
    }
    tan_page_fact(p, s->name, "change", settings_of(s->document, settings));
    tan_page_fact(p, s->name, "machine",
                  tan_text_of(json_object_get(parameters, "machine"), "name"));
}

void tan_show_change(struct page *p, const json_t *models)
{
    enum { COLUMNS = 6, MODELS = 12 };
    static const char *const headings[COLUMNS] = {"model",    "without, ms",   "error, %",
                                                  "with, ms", "times as long", "from traced, ms"};
    static const char *const of_copies[] = {"model", "without, ms", "with, ms", "times as long"};
    char cell[COLUMNS * MODELS][TAN_PAGE_CELL];
    size_t rows = 0;
    /* not of copies of the program, of which only one was traced */
    const bool traced = isfinite(tan_number_of(json_array_get(models, 0), "from_traced_us"));
    const size_t columns = traced ? COLUMNS : sizeof of_copies / sizeof of_copies[0];
    for (size_t i = 0; i < json_array_size(models) && rows < MODELS; i++) {
        const json_t *model = json_array_get(models, i);
        const double before = tan_number_of(model, "unchanged_us");
        const double now = tan_number_of(model, "simulated_us");
        const double from_traced = tan_number_of(model, "from_traced_us");
        char(*at)[TAN_PAGE_CELL] = &cell[columns * rows];
        if (!(before > 0.0)) {
            continue;
        }
        snprintf(at[0], TAN_PAGE_CELL, "%.20s", tan_text_of(model, "model"));
        snprintf(at[1], TAN_PAGE_CELL, "%.4g", before / 1e3);
        if (traced) {
            snprintf(at[2], TAN_PAGE_CELL, "%+.1f",
                     100.0 * (before / (from_traced - now + before) - 1));
            snprintf(at[5], TAN_PAGE_CELL, "%.4g", from_traced / 1e3);
        }
        snprintf(at[traced ? 3 : 2], TAN_PAGE_CELL, "%.4g", now / 1e3);
        tan_format_factor(now / before, 3, at[traced ? 4 : 3], TAN_PAGE_CELL);
        rows++;
    }
    if (rows > 0) {
        tan_page_table(p, "Effect of the change, by model", traced ? headings : of_copies,
                       (const char(*)[TAN_PAGE_CELL])cell, columns, rows);
    }
}
