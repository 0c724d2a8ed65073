/* setting_failures.c - what failures cost by the setting of a system: answers, table and figure
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/page/kinds.h"

/* At most: settings, which are 64 in a file; characters of a sentence. */
enum { SETTINGS = 64, SENTENCE = 900 };

/* How long a parent waits, by the name in the file. */
static const struct {
    const char *name, *text;
} waits[] = {
    {"once", "one, however many children are down"},
    {"levels", "one for each level from itself to the leaves"},
    {"children", "one for each child that is down"},
    {"nodes", "one, and if the child forwards two more for each F processes of its subtree (F: the "
              "largest fanout)"},
};

static const char *wait_text(const char *name)
{
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        if (strcmp(waits[i].name, name) == 0) {
            return waits[i].text;
        }
    }
    return name;
}

static double cost_of(const json_t *entry, const char *key)
{
    return tan_number_of(json_object_get(entry, "failure"), key);
}

static size_t count_of(const json_t *settings)
{
    const size_t n = json_array_size(settings);
    return n < SETTINGS ? n : SETTINGS;
}

/* The entry of a recommended or default setting; NULL if there is none. */
static const json_t *entry_of(const json_t *settings, const json_t *told)
{
    for (size_t i = 0; i < count_of(settings) && told != NULL; i++) {
        const json_t *entry = json_array_get(settings, i);
        if (strcmp(tan_text_of(entry, "setting"), tan_text_of(told, "setting")) == 0) {
            return entry;
        }
    }
    return NULL;
}

/* Which setting has the least expected wave; "" if that is not known. */
static void describe_expected(const json_t *settings, const json_t *by_default, char text[SENTENCE])
{
    const double near = 1.01;
    const json_t *least = json_array_get(settings, 0);
    const double usual = cost_of(by_default, "expected_us");
    char time[2][TAN_PAGE_TIME];
    size_t equal = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count_of(settings); i++) {
        const json_t *entry = json_array_get(settings, i);
        least = cost_of(entry, "expected_us") < cost_of(least, "expected_us") ? entry : least;
    }
    const double best = cost_of(least, "expected_us");
    for (size_t i = 0; i < count_of(settings); i++) {
        equal += cost_of(json_array_get(settings, i), "expected_us") <= near * best;
    }
    if (!isfinite(best) || count_of(settings) < 2) {
        return;
    }
    if (equal == count_of(settings)) {
        snprintf(text, SENTENCE,
                 " With failures as rare as this, all settings are expected to be equally fast, "
                 "within 1 %%: nearly all of a wave's time is then the wait.");
        return;
    }
    size_t used = (size_t)snprintf(text, SENTENCE, " The least expected wave is that of %.60s, %s",
                                   tan_text_of(least, "setting"), tan_page_time(best, time[0]));
    if (usual > best) {
        used += (size_t)snprintf(text + used, SENTENCE - used, ", instead of %s with the default",
                                 tan_page_time(usual, time[1]));
    }
    if (equal > 1) {
        used += (size_t)snprintf(text + used, SENTENCE - used,
                                 "; within 1 %% of it are %zu of %zu settings", equal,
                                 count_of(settings));
    }
    snprintf(text + used, SENTENCE - used, ".");
}

static bool is_late(const json_t *target)
{
    return json_is_true(json_object_get(json_object_get(target, "failure_policy"), "late"));
}

void tan_tell_setting_failures(struct page *p, const json_t *target)
{
    const json_t *settings = tan_array_of(target, "failure_by_setting");
    const json_t *by_default = entry_of(settings, json_object_get(target, "untold"));
    const json_t *first = entry_of(settings, target);
    const char *does = is_late(target) ? "delays" : "takes";
    const char *with_it = is_late(target) ? "" : " out of the wave";
    char expected[SENTENCE];
    describe_expected(settings, by_default, expected);
    if (first == NULL) {
        return;
    }
    if (by_default == NULL || by_default == first) {
        tan_page_answer(p, "If a process fails, it %s at most %.0f%s with %.60s%s.%s", does,
                        cost_of(first, "most_lost"), with_it, tan_text_of(first, "setting"),
                        by_default == first ? ", the default" : "", expected);
    } else {
        tan_page_answer(
            p,
            "If a process fails, it %s at most %.0f%s with the default %.60s, %.0f with %.60s.%s",
            does, cost_of(by_default, "most_lost"), with_it, tan_text_of(by_default, "setting"),
            cost_of(first, "most_lost"), tan_text_of(first, "setting"), expected);
    }
}

/* What the system does, and what the table assumes or lacks. */
static void show_assumptions(struct page *p, const json_t *document)
{
    const char *role = tan_setting_role(json_object_get(document, "target"));
    const json_t *failures = json_object_get(document, "failures");
    const double probability = tan_number_of(failures, "p");
    const double timeout = tan_number_of(failures, "timeout_us");
    char time[TAN_PAGE_TIME];
    char text[SENTENCE] = "Waves are those without failures.";
    size_t used = strlen(text);
    if (strcmp(role, "recommended") == 0) {
        used = (size_t)snprintf(text, sizeof text,
                                "Waves and the recommended setting are those without failures.");
    }
    if (isfinite(probability)) {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 " Every process but the root is down with p = %.3g when a wave "
                                 "begins.",
                                 probability);
    } else {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 " --failures p=1e-4 adds expected values.");
    }
    if (isfinite(timeout)) {
        snprintf(text + used, sizeof text - used, " Of timeouts of %s a parent waits for %.160s.",
                 tan_page_time(timeout, time), wait_text(tan_text_of(failures, "wait")));
    } else {
        snprintf(text + used, sizeof text - used,
                 " No single timeout is known here: --failures p=%.3g,timeout=TIME adds the waves "
                 "with failures.",
                 isfinite(probability) ? probability : 1e-4);
    }
    tan_page_remark(p, "%s", text);
}

void tan_show_failure_policy(struct page *p, const json_t *document)
{
    const json_t *target = json_object_get(document, "target");
    const json_t *policy = json_object_get(target, "failure_policy");
    const char *how_long = tan_text_of(policy, "waits");
    if (policy == NULL) {
        tan_page_remark(p, "What %.60s does when a process fails is not known here.",
                        tan_text_of(target, "name"));
    } else {
        tan_page_remark(p, "If a process fails: %.400s Others wait: %.300s.",
                        tan_text_of(policy, "what"),
                        *how_long != '\0' ? how_long : "how long is not known");
        if (*tan_text_of(policy, "case") != '\0') {
            tan_page_remark(p, "%.600s", tan_text_of(policy, "case"));
        }
    }
    if (json_array_size(tan_array_of(target, "failure_by_setting")) > 0) {
        show_assumptions(p, document);
    }
}

/* The columns of the table after the setting, its mark and the wave. */
static const struct column {
    const char *heading;
    const char *late; /* where processes are only late; NULL: the same */
    const char *key;  /* of the setting's failure */
    bool time;
} columns[] = {
    {"lost with one process, at most", "delayed by one process, at most", "most_lost", false},
    {"on average", NULL, "mean_lost", false},
    {"wave with one process down, at most", NULL, "one_down_us", true},
    {"missing in a wave", "late or missing in a wave", "missing", false},
    {"expected wave", NULL, "expected_us", true},
};
enum { COLUMNS = sizeof columns / sizeof columns[0], AHEAD = 3 };

static void set_cell(const json_t *entry, const struct column *column, char cell[TAN_PAGE_CELL])
{
    const double value = cost_of(entry, column->key);
    char time[TAN_PAGE_TIME];
    if (column->time) {
        snprintf(cell, TAN_PAGE_CELL, "%s", tan_page_time(value, time));
    } else {
        snprintf(cell, TAN_PAGE_CELL, value < 1000.0 ? "%.3g" : "%.0f", value);
    }
}

static void set_row(const json_t *entry, const char *mark, const struct column *const *shown,
                    size_t n, char (*cell)[TAN_PAGE_CELL])
{
    char time[TAN_PAGE_TIME];
    snprintf(cell[0], TAN_PAGE_CELL, "%s", tan_text_of(entry, "setting"));
    snprintf(cell[1], TAN_PAGE_CELL, "%s", mark);
    snprintf(cell[2], TAN_PAGE_CELL, "%s", tan_page_time(tan_number_of(entry, "wave_us"), time));
    for (size_t k = 0; k < n; k++) {
        set_cell(entry, shown[k], cell[AHEAD + k]);
    }
}

static void show_table(struct page *p, const json_t *target, const json_t *way,
                       const json_t *settings)
{
    const json_t *first = entry_of(settings, way);
    const json_t *by_default = entry_of(settings, json_object_get(way, "untold"));
    const char *direction = tan_text_of(way, "direction");
    const bool both = strcmp(direction, "both") == 0 || *direction == '\0';
    const char *heading[AHEAD + COLUMNS] = {"setting", "", "wave without failures"};
    const struct column *shown[COLUMNS];
    char cell[SETTINGS * (AHEAD + COLUMNS)][TAN_PAGE_CELL];
    char title[80];
    char mark[40];
    size_t n = 0;
    for (size_t k = 0; k < COLUMNS; k++) {
        if (isfinite(cost_of(json_array_get(settings, 0), columns[k].key))) {
            heading[AHEAD + n] =
                is_late(target) && columns[k].late != NULL ? columns[k].late : columns[k].heading;
            shown[n++] = &columns[k];
        }
    }
    for (size_t i = 0; i < count_of(settings); i++) {
        const json_t *entry = json_array_get(settings, i);
        const bool far = json_is_true(json_object_get(entry, "extrapolated"));
        snprintf(
            mark, sizeof mark, "%s%s%s%s%s", entry == first ? tan_setting_role(target) : "",
            entry == first && first == by_default ? ", " : "", entry == by_default ? "default" : "",
            far && (entry == first || entry == by_default) ? ", " : "", far ? "extrapolated" : "");
        set_row(entry, mark, shown, n, &cell[i * (AHEAD + n)]);
    }
    snprintf(title, sizeof title, "When a process fails, by setting%s%.8s", both ? "" : ", ",
             both ? "" : direction);
    tan_page_table(p, title, heading, (const char(*)[TAN_PAGE_CELL])cell, AHEAD + n,
                   count_of(settings));
}

/* The marks of a setting alone, or of all for NULL. */
static void add_losses(struct tan_chart *c, const char *title, const json_t *settings,
                       const json_t *only)
{
    tan_chart_add(c, TAN_POINTS, title);
    for (size_t i = 0; i < count_of(settings); i++) {
        const json_t *entry = json_array_get(settings, i);
        if (only == NULL || only == entry) {
            tan_chart_point(c, cost_of(entry, "most_lost"), tan_number_of(entry, "wave_us"));
        }
    }
}

/* Name each mark by the value of the setting, which is what follows the name of the setting that
 * the file has waves for by value, else the whole setting. */
static void name_marks(struct tan_chart *c, const json_t *way, const json_t *settings)
{
    const char *name = tan_text_of(json_object_get(way, "by_value"), "setting");
    const size_t length = strlen(name);
    for (size_t i = 0; i < count_of(settings); i++) {
        const json_t *entry = json_array_get(settings, i);
        const char *setting = tan_text_of(entry, "setting");
        tan_chart_note(c, cost_of(entry, "most_lost"), tan_number_of(entry, "wave_us"),
                       strncmp(setting, name, length) == 0 ? setting + length : setting);
    }
}

/* Waves against what a failure takes along, by the setting. */
static void show_losses(struct page *p, const json_t *target, const json_t *way,
                        const json_t *settings)
{
    const json_t *by_default = entry_of(settings, json_object_get(way, "untold"));
    const char *name = tan_text_of(json_object_get(way, "by_value"), "setting");
    char caption[400];
    char title[80];
    struct tan_chart c;
    snprintf(title, sizeof title, "Wave time, and what a failure %s",
             is_late(target) ? "delays" : "takes along");
    snprintf(caption, sizeof caption,
             "Each mark is a value of %.*s: the further left, the fewer are behind a single "
             "process that fails; the lower, the faster are waves without failures.",
             *name != '\0' ? (int)strcspn(name, "=:") : 11, *name != '\0' ? name : "the setting");
    tan_chart_init(&c, "losses", title, caption);
    c.x.title =
        is_late(target) ? "delayed by one failure, at most" : "lost by one failure, at most";
    c.x.log = true;
    c.y.title = "wave, us";
    c.y.log = true;
    add_losses(&c, "values over the whole range", settings, NULL);
    add_losses(&c, tan_setting_role(target), settings, entry_of(settings, way));
    if (by_default != NULL) {
        add_losses(&c, "default", settings, by_default);
    }
    name_marks(&c, way, settings);
    tan_page_chart(p, &c);
}

void tan_show_setting_failures(struct page *p, const json_t *target, const json_t *way)
{
    const json_t *settings = tan_array_of(way, "failure_by_setting");
    if (count_of(settings) > 0) {
        show_table(p, target, way, settings);
    }
    if (count_of(settings) > 1) {
        show_losses(p, target, way, settings);
    }
}
