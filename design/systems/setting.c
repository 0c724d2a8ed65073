/* setting.c - settings of targets in text form, and rules of thumb
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/setting.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { LIST = 1024 };

static void append_text(char list[LIST], const char *text)
{
    const size_t used = strlen(list);
    snprintf(list + used, LIST - used, "%s%s", used > 0 ? ", " : "", text);
}

/* "24.05" and "24.05.3" as 24005; -1 if it is no version. */
static int64_t version_number(const char *text)
{
    char *end;
    const long major = strtol(text, &end, 10);
    const long minor = *end == '.' ? strtol(end + 1, &end, 10) : 0;
    const bool valid =
        text[0] >= '0' && text[0] <= '9' && text[strspn(text, "0123456789.")] == '\0';
    return valid && major < 100000 && minor < 1000 ? 1000 * (int64_t)major + minor : -1;
}

/* Length of a name without "@" and its version. */
static size_t base_length(const char *name)
{
    return strcspn(name, "@");
}

static bool same_base(const char *a, const char *b)
{
    return base_length(a) == base_length(b) && strncmp(a, b, base_length(a)) == 0;
}

/* The last version that a row holds for. */
static int64_t last_version(const struct tan_target *row)
{
    const char *at = strchr(row->name, '@');
    return at != NULL                     ? version_number(at + 1)
           : row->versions.newest != NULL ? version_number(row->versions.newest)
                                          : INT64_MAX;
}

/* Rows of a system. */
struct versions {
    int n;
    const struct tan_target *newest; /* the one without a version in its name; NULL if unknown */
    const struct tan_target *found;  /* the first that holds for the version; NULL if none does */
};

static struct versions versions_of(const char *name, int64_t version)
{
    struct versions v = {0, NULL, NULL};
    for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
        if (!same_base((*t)->name, name)) {
            continue;
        }
        v.n++;
        v.newest = strchr((*t)->name, '@') == NULL ? *t : v.newest;
        if (last_version(*t) >= version &&
            (v.found == NULL || last_version(*t) < last_version(v.found))) {
            v.found = *t;
        }
    }
    if (v.found != NULL && v.found->versions.oldest != NULL &&
        version < version_number(v.found->versions.oldest)) {
        v.found = NULL;
    }
    return v;
}

bool tan_target_only_one(const struct tan_target *row, const char *asked)
{
    const char *at = asked != NULL ? strchr(asked, '@') : NULL;
    return at != NULL && versions_of(asked, 0).n == 1 &&
           (row->versions.newest == NULL || version_number(at + 1) != last_version(row));
}

/* Refuse a version that no row holds for, with the rows that there are. */
static const struct tan_target *refuse_version(const char *name, struct tan_error *e)
{
    char list[LIST] = "";
    for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
        if (same_base((*t)->name, name)) {
            const bool newest = strchr((*t)->name, '@') == NULL;
            const struct tan_text row =
                tan_printed("%s (%s%s%s)", (*t)->name, (*t)->title, newest ? ", to " : "",
                            newest ? (*t)->versions.newest : "");
            append_text(list, row.text);
        }
    }
    tan_fail_usage(e, "--target %.64s: this version is not known; say one of %s", name, list);
    return NULL;
}

struct tan_nearest tan_target_nearest(const char *word)
{
    struct tan_nearest nearest = tan_nearest_to(word, strnlen(word, 64));
    for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
        if (strchr((*t)->name, '@') == NULL || strchr(word, '@') != NULL) {
            tan_nearest_try(&nearest, (*t)->name);
        }
    }
    return nearest;
}

const struct tan_target *tan_target_find(const char *name, struct tan_error *e)
{
    const char *at = strchr(name, '@');
    const int64_t version = at != NULL ? version_number(at + 1) : 0;
    const struct versions v = versions_of(name, version);
    if (v.newest == NULL) {
        char list[LIST] = "";
        const struct tan_nearest nearest = tan_target_nearest(name);
        for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
            append_text(list, (*t)->name);
        }
        tan_choice_fail(e, "--target", &nearest, list);
        return NULL;
    }
    if (version < 0) {
        tan_fail_usage(e, "--target %.64s: after @ comes a version such as 24.05", name);
        return NULL;
    }
    if (at == NULL || v.n == 1) {
        return v.newest;
    }
    return v.found != NULL ? v.found : refuse_version(name, e);
}

struct tan_text tan_setting_text(const struct tan_setting *setting)
{
    const struct tan_knob *knob = setting->knob;
    return knob->most > 0 ? tan_printed("%s%" PRId64, knob->name, setting->value)
                          : tan_printed("%s", knob->name);
}

static int parse_value(const struct tan_target *target, const struct tan_knob *knob,
                       const char *text, struct tan_setting *out, struct tan_error *e)
{
    const char *digits = text + strlen(knob->name);
    const long long value = strtoll(digits, NULL, 10);
    if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0') {
        return tan_fail_usage(e, "the setting %.64s: %s takes a whole number after it", text,
                              knob->name);
    }
    if (value < knob->least || value > knob->most) {
        return tan_fail_usage(
            e, "the setting %.64s: %s takes %" PRId64 " to %" PRId64 " for %s%s%s", text,
            knob->name, knob->least, knob->most, target->title,
            knob->outside != NULL ? "; outside, " : "", knob->outside != NULL ? knob->outside : "");
    }
    *out = (struct tan_setting){knob, value};
    return 0;
}

/* "did you mean TreeWidth=16? ", or "TreeWidth=K" without a number: the knob whose name is the
 * nearest to what is before it, or the first that takes one; "" if none is. */
static struct tan_text suggest_setting(const struct tan_target *target, const char *text)
{
    const size_t length = strcspn(text, "0123456789");
    const char *number = text + length;
    const bool has_number = *number != '\0' && number[strspn(number, "0123456789")] == '\0';
    struct tan_nearest nearest = tan_nearest_to(text, length);
    const struct tan_knob *found = NULL;
    for (const struct tan_knob *k = target->knobs; k->name != NULL; k++) {
        if (has_number && k->most == 0) {
            continue;
        }
        const bool is_first = found == NULL && length == 0;
        found = tan_nearest_try(&nearest, k->name) || is_first ? k : found;
    }
    if (found == NULL) {
        return (struct tan_text){""};
    }
    return tan_printed("did you mean %s%.20s? ", found->name,
                       has_number        ? number
                       : found->most > 0 ? "K"
                                         : "");
}

int64_t tan_setting_widest(const struct tan_knob *knob, int64_t members)
{
    return knob->most < members ? knob->most : members;
}

int tan_setting_parse(const struct tan_target *target, const char *text, struct tan_setting *out,
                      struct tan_error *e)
{
    char list[LIST] = "";
    const struct tan_knob *longest = NULL;
    for (const struct tan_knob *k = target->knobs; k->name != NULL; k++) {
        const size_t length = strlen(k->name);
        if (strcmp(text, k->name) == 0 && k->most == 0) {
            *out = (struct tan_setting){k, k->least};
            return 0;
        }
        if (k->most > 0 && strncmp(text, k->name, length) == 0 &&
            (longest == NULL || length > strlen(longest->name))) {
            longest = k;
        }
        append_text(list, tan_printed("%s%s", k->name, k->most > 0 ? "K" : "").text);
    }
    for (const struct tan_trap *t = target->traps; t != NULL && t->start != NULL; t++) {
        if (strncmp(text, t->start, strlen(t->start)) == 0 &&
            (longest == NULL || strlen(t->start) >= strlen(longest->name))) {
            return tan_fail_usage(e, "the setting %.64s: %s", text, t->reason);
        }
    }
    if (longest != NULL) {
        return parse_value(target, longest, text, out, e);
    }
    return tan_fail_usage(e, "%sthe setting %.64s: %s takes %s", suggest_setting(target, text).text,
                          text, target->title, list);
}

struct tan_setting tan_setting_default(const struct tan_target *target,
                                       const struct tan_default *row, int64_t members)
{
    const struct tan_knob *knob = &target->knobs[row->knob];
    const int64_t value = row->rule == NULL ? row->value : row->rule(members);
    return (struct tan_setting){knob, value < knob->least  ? knob->least
                                      : value > knob->most ? knob->most
                                                           : value};
}

/* The first row that matches. */
static const struct tan_decision *decision_of(const struct tan_decision *table, int64_t members,
                                              int64_t bytes)
{
    while ((table->members > 0 && members >= table->members) ||
           (table->bytes > 0 && bytes >= table->bytes)) {
        table++;
    }
    return table;
}

/* The first default that applies to a direction. */
static struct tan_setting first_default(const struct tan_target *target, int direction,
                                        int64_t members)
{
    for (const struct tan_default *d = target->defaults; d != NULL && d->name != NULL; d++) {
        if ((target->knobs[d->knob].directions & direction) != 0) {
            return tan_setting_default(target, d, members);
        }
    }
    return (struct tan_setting){NULL, 0};
}

/* The target's own setting of that name; a table of decisions may serve several targets, of which
 * some can set fewer values. */
static struct tan_setting own_setting(const struct tan_target *target, struct tan_setting setting)
{
    for (const struct tan_knob *k = target->knobs; k->name != NULL && setting.knob != NULL; k++) {
        const struct tan_setting own = {k, k->most > 0 ? setting.value : k->least};
        if (strcmp(tan_setting_text(&own).text, tan_setting_text(&setting).text) == 0) {
            return own;
        }
    }
    return setting;
}

const char *tan_target_default(const struct tan_target *target, int direction, int64_t members,
                               int64_t bytes, struct tan_setting *out)
{
    const struct tan_decision *table = target->decisions[direction == TAN_DOWN];
    if (table == NULL) {
        *out = first_default(target, direction, members);
        return NULL;
    }
    const struct tan_decision *d = decision_of(table, members + target->counts.root_apart, bytes);
    *out = own_setting(target, (struct tan_setting){d->knob, d->value});
    return d->name;
}

void tan_target_help(FILE *to)
{
    enum { COLUMN = 16 };
    for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
        tan_text_item(to, (*t)->name, (*t)->help, COLUMN);
    }
}

/* Rules of thumb */

static int64_t square_root(int64_t leaves)
{
    return tan_least_root(leaves, 2);
}

static const struct tan_thumb others[] = {
    {"STAT, fanout 64", "its automatic topology, over MRNet", tan_baseline_capped, 64, NULL},
    {"STAT, square root", "as its manual advises", tan_baseline_two, 0, square_root},
    {"flat", "all leaves below the root", tan_baseline_flat, 0, NULL},
    {"binary", "every node splits its leaves in two halves", tan_baseline_binary, 0, NULL},
    {"binomial", "as in MPI libraries: node i below i with its lowest set bit cleared",
     tan_baseline_binomial, 0, NULL},
};

size_t tan_thumbs(struct tan_thumb *out)
{
    size_t n = 0;
    for (const struct tan_target *const *t = tan_targets; *t != NULL; t++) {
        const struct tan_default *d = (*t)->defaults;
        for (; d != NULL && d->name != NULL && n < TAN_THUMBS; d++) {
            if (d->thumb != NULL) {
                out[n++] = (struct tan_thumb){d->thumb, d->name, d->tree, d->value, d->rule};
            }
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0] && n < TAN_THUMBS; i++) {
        out[n++] = others[i];
    }
    return n;
}

void tan_thumb_tree(const struct tan_thumb *thumb, int64_t leaves, struct tan_plan *plan)
{
    const int64_t width = thumb->rule != NULL ? thumb->rule(leaves) : thumb->width;
    thumb->tree(width, leaves, plan);
}

void tan_thumb_help(FILE *to)
{
    enum { COLUMN = 24 };
    struct tan_thumb thumbs[TAN_THUMBS];
    const size_t n = tan_thumbs(thumbs);
    for (size_t i = 0; i < n; i++) {
        tan_text_item(to, thumbs[i].name, thumbs[i].help, COLUMN);
    }
}
