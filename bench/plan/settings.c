/* settings.c - settings of a run as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/settings.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/choice.h"
#include "base/units.h"

/* Conversion of a type of setting. */
struct setting_kind {
    /* Parse the argument of option `what`. */
    int (*parse)(const struct setting *row, struct settings *s, const char *what, const char *value,
                 struct tan_error *e);
    /* Read from an experiment; 0 if absent. NULL: a string in the option's format. */
    int (*read)(const struct setting *row, struct settings *s, const struct tan_json_at *at,
                struct tan_error *e);
    /* In SI units; a new reference, NULL if memory is short. */
    json_t *(*write)(const struct setting *row, const struct settings *s);
    struct tan_choices names; /* of a choice */
};

static void *member_of(const struct setting *row, struct settings *s)
{
    return (char *)s + row->offset;
}

static const void *member_in(const struct setting *row, const struct settings *s)
{
    return (const char *)s + row->offset;
}

/* --- whole numbers --- */

static int64_t most_of(const struct setting *row)
{
    return row->most > 0 ? (int64_t)row->most : INT64_MAX;
}

static int parse_count(const struct setting *row, struct settings *s, const char *what,
                       const char *value, struct tan_error *e)
{
    return tan_parse_count(what, value, (int64_t)row->least, most_of(row), member_of(row, s), e);
}

static int parse_size(const struct setting *row, struct settings *s, const char *what,
                      const char *value, struct tan_error *e)
{
    return tan_parse_size(what, value, (int64_t)row->least, most_of(row), member_of(row, s), e);
}

static int read_int(const struct setting *row, struct settings *s, const struct tan_json_at *at,
                    struct tan_error *e)
{
    return tan_json_int(at, row->key, (int64_t)row->least, most_of(row), member_of(row, s), e);
}

/* --- numbers --- */

static int parse_seconds(const struct setting *row, struct settings *s, const char *what,
                         const char *value, struct tan_error *e)
{
    double *seconds = member_of(row, s);
    if (tan_parse_duration(what, value, seconds, e) < 0) {
        return -1;
    }
    return *seconds >= row->least ? 0
                                  : tan_fail_usage(e, "%s must be at least %gms, not \"%s\"", what,
                                                   row->least * 1e3, value);
}

static int parse_rate(const struct setting *row, struct settings *s, const char *what,
                      const char *value, struct tan_error *e)
{
    double *rate = member_of(row, s);
    if (strcmp(value, "max") == 0) {
        *rate = 0;
        return 0;
    }
    if (tan_parse_real(what, value, row->least, row->most, rate, NULL) < 0) {
        return tan_fail_usage(
            e, "%s must be waves per second from 0 to 1e9, or max (as 0), not \"%s\"", what, value);
    }
    return 0;
}

static int parse_percentage(const struct setting *row, struct settings *s, const char *what,
                            const char *value, struct tan_error *e)
{
    char number[32];
    double percent;
    const size_t length = strcspn(value, "%");
    snprintf(number, sizeof number, "%.*s", (int)(length < 31 ? length : 31), value);
    if ((value[length] && value[length + 1]) ||
        tan_parse_real(what, number, row->least * 100, row->most * 100, &percent, NULL) < 0 ||
        (percent > 0 && percent < 0.01)) {
        return tan_fail_usage(e, "%s: \"%s\" is not 0 or a percentage from 0.01 to 100", what,
                              value);
    }
    *(double *)member_of(row, s) = percent / 100;
    return 0;
}

static int read_real(const struct setting *row, struct settings *s, const struct tan_json_at *at,
                     struct tan_error *e)
{
    const double unit = row->unit > 0 ? row->unit : 1;
    double value;
    const int found = tan_json_real(at, row->key, row->least / unit, row->most / unit, &value, e);
    if (found > 0) {
        *(double *)member_of(row, s) = value * unit;
    }
    return found;
}

/* --- texts --- */

static int parse_name(const struct setting *row, struct settings *s, const char *what,
                      const char *value, struct tan_error *e)
{
    if (strlen(value) >= row->size) {
        return tan_fail_usage(e, "%s: \"%s\" is too long", what, value);
    }
    strcpy(member_of(row, s), value);
    return 0;
}

static int parse_filter(const struct setting *row, struct settings *s, const char *what,
                        const char *value, struct tan_error *e)
{
    return tan_choice_find(row->kind->names, what, value, e) < 0
               ? -1
               : parse_name(row, s, what, value, e);
}

static json_t *write_name(const struct setting *row, const struct settings *s)
{
    return tan_json_text(member_in(row, s));
}

static int parse_choice(const struct setting *row, struct settings *s, const char *what,
                        const char *value, struct tan_error *e)
{
    const int found = tan_choice_find(row->kind->names, what, value, e);
    if (found >= 0) {
        *(int *)member_of(row, s) = found;
    }
    return found < 0 ? -1 : 0;
}

static json_t *write_choice(const struct setting *row, const struct settings *s)
{
    return tan_json_text(tan_choice_name(row->kind->names, *(const int *)member_in(row, s)));
}

static int parse_sync(const struct setting *row, struct settings *s, const char *what,
                      const char *value, struct tan_error *e)
{
    return tan_sync_policy_parse(what, value, member_of(row, s), e);
}

static json_t *write_sync(const struct setting *row, const struct settings *s)
{
    char text[64];
    return tan_json_text(tan_sync_policy_format(member_in(row, s), text, sizeof text));
}

static int parse_failure(const struct setting *row, struct settings *s, const char *what,
                         const char *value, struct tan_error *e)
{
    return tan_failure_parse(what, value, member_of(row, s), e);
}

static json_t *write_failure(const struct setting *row, const struct settings *s)
{
    char text[40];
    return tan_json_text(tan_failure_format(member_in(row, s), text, sizeof text));
}

/* --- sizes --- */

static int parse_sizes(const struct setting *row, struct settings *s, const char *what,
                       const char *value, struct tan_error *e)
{
    size_t n;
    (void)row;
    if (tan_parse_sizes(what, value, 0, INT32_MAX, s->sizes, MAX_SIZES, &n, e) < 0) {
        return -1;
    }
    s->n_sizes = (int)n;
    return 0;
}

/* Read a single size or an array. */
static int read_sizes(const struct setting *row, struct settings *s, const struct tan_json_at *at,
                      struct tan_error *e)
{
    const json_t *value = json_object_get(at->object, row->key);
    const struct tan_json_at below = tan_json_below(at, row->key, value);
    tan_json_ask(at, row->key);
    if (!json_is_array(value)) {
        const int found = tan_json_int(at, row->key, 0, INT32_MAX, &s->sizes[0], e);
        s->n_sizes = found > 0 ? 1 : s->n_sizes;
        return found;
    }
    const size_t n = json_array_size(value);
    if (n < 1 || n > MAX_SIZES) {
        return tan_fail(e, "%s: %s: must hold 1 to %d sizes", at->source, row->key, MAX_SIZES);
    }
    for (size_t i = 0; i < n; i++) {
        if (tan_json_int_at(&below, i, 0, INT32_MAX, &s->sizes[i], e) < 0) {
            return -1;
        }
    }
    s->n_sizes = (int)n;
    return 1;
}

/* --- the table --- */

static const struct setting_kind count_kind = {parse_count, read_int, NULL, {0}};
static const struct setting_kind size_kind = {parse_size, read_int, NULL, {0}};
static const struct setting_kind sizes_kind = {parse_sizes, read_sizes, NULL, {0}};
static const struct setting_kind seconds_kind = {parse_seconds, read_real, NULL, {0}};
static const struct setting_kind rate_kind = {parse_rate, read_real, NULL, {0}};
static const struct setting_kind percentage_kind = {parse_percentage, read_real, NULL, {0}};
static const struct setting_kind name_kind = {parse_name, NULL, NULL, {0}};
static const struct setting_kind filter_kind = {
    parse_filter, NULL, write_name, {tan_filters, sizeof tan_filters[0], SIZE_MAX}};
static const struct setting_kind sync_kind = {parse_sync, NULL, write_sync, {0}};
static const struct setting_kind failure_kind = {parse_failure, NULL, write_failure, {0}};
static const struct setting_kind mode_kind = {
    parse_choice, NULL, write_choice, {tan_modes, sizeof tan_modes[0], MODES}};
static const struct setting_kind element_kind = {
    parse_choice, NULL, write_choice, {tan_element_names, sizeof tan_element_names[0], ELEMENTS}};

#define AT(member)                                                                                 \
    .offset = offsetof(struct settings, member), .size = sizeof(((struct settings *)0)->member)
#define KEY(text)         .key = (text)
#define LIMITS(low, high) .least = (low), .most = (high)
enum { MAX_WAVES = 10000000 };

const struct setting tan_settings[SETTINGS] = {
    {NULL, 0, KEY("mode"), .preset = "waves", .kind = &mode_kind, AT(mode)},
    {"sync", 0, KEY("sync"), .preset = "all", .kind = &sync_kind, AT(sync)},
    {"work", 0, .key = "work_us", .unit = 1e-6, .kind = &seconds_kind, AT(work),
     LIMITS(0, TAN_MAX_SECONDS)},
    {"filter", 'f', KEY("filter"), .preset = "sum", .kind = &filter_kind, AT(filter)},
    {"frequency", 0, KEY("frequency"), .kind = &rate_kind, AT(frequency), LIMITS(0, 1e9)},
    {"duration", 0, KEY("duration"), .preset = "2s", .kind = &seconds_kind, AT(duration),
     LIMITS(0.001, TAN_MAX_SECONDS)},
    {"wait", 'w', KEY("wait"), .preset = "auto", .kind = &name_kind, AT(wait)},
    {"type", 0, KEY("type"), .preset = "int64", .kind = &element_kind, AT(element)},
    {"bytes", 'b', KEY("bytes"), .preset = "1KiB", .kind = &sizes_kind,
     .offset = offsetof(struct settings, n_sizes),
     .size = sizeof(struct settings) - offsetof(struct settings, n_sizes)},
    {"request-bytes", 0, KEY("request_bytes"), .kind = &size_kind, AT(request_bytes),
     LIMITS(0, INT32_MAX)},
    {"warmup", 0, KEY("warmup"), .preset = "5", .kind = &count_kind, AT(warmup),
     LIMITS(0, 1000000)},
    {"min-waves", 'n', KEY("min_waves"), .preset = "10", .kind = &count_kind, AT(min_waves),
     LIMITS(1, MAX_WAVES)},
    {"max-waves", 0, KEY("max_waves"), .preset = "1000", .kind = &count_kind, AT(max_waves),
     LIMITS(1, MAX_WAVES)},
    {"max-time", 0, KEY("max_seconds"), .preset = "2s", .kind = &seconds_kind, AT(max_seconds),
     LIMITS(0, TAN_MAX_SECONDS)},
    {"precision", 0, KEY("precision"), .preset = "5%", .kind = &percentage_kind, AT(precision),
     LIMITS(0, 1)},
    {"passes", 0, KEY("passes"), .preset = "1", .kind = &count_kind, AT(passes),
     LIMITS(1, MAX_PASSES)},
    {"seed", 0, KEY("seed"), .preset = "1", .kind = &count_kind, AT(seed)},
    {"fail", 0, KEY("fail"), .kind = &failure_kind, AT(failure)},
    {"detect", 0, .key = "detect_us", .unit = 1e-6, .preset = "100ms", .kind = &seconds_kind,
     AT(detect), LIMITS(1e-6, TAN_MAX_SECONDS)},
};

void tan_settings_default(struct settings *s)
{
    *s = (struct settings){.request_bytes = -1};
    for (const struct setting *row = tan_settings; row < tan_settings + SETTINGS; row++) {
        if (row->preset != NULL) {
            row->kind->parse(row, s, row->preset, row->preset, NULL);
        }
    }
}

static bool is_option(const struct setting *row, const char *what)
{
    return what[1] == '-' ? row->option != NULL && strcmp(row->option, what + 2) == 0
                          : row->letter != 0 && row->letter == what[1];
}

const struct setting *tan_settings_parse(struct settings *s, const char *what, const char *value,
                                         struct tan_error *e)
{
    const struct setting *row = tan_settings;
    while (!is_option(row, what)) {
        row++;
    }
    return row->kind->parse(row, s, what, value, e) < 0 ? NULL : row;
}

void tan_settings_copy(struct settings *s, const struct settings *from, const struct setting *row)
{
    memcpy(member_of(row, s), member_in(row, from), row->size);
}

/* Read the setting's string, if present. */
static int read_text(const struct setting *row, struct settings *s, const struct tan_json_at *at,
                     struct tan_error *e)
{
    const char *text;
    char what[512];
    const int found = tan_json_string(at, row->key, &text, e);
    snprintf(what, sizeof what, "%.480s: %s", at->source, row->key);
    return found > 0 ? row->kind->parse(row, s, what, text, e) : found;
}

int tan_settings_read(struct settings *s, const struct tan_json_at *at, struct tan_error *e)
{
    for (const struct setting *row = tan_settings; row < tan_settings + SETTINGS; row++) {
        if ((row->kind->read != NULL ? row->kind->read : read_text)(row, s, at, e) < 0) {
            return -1;
        }
    }
    return 0;
}

void tan_settings_write_key(struct tan_json_writer *w, json_t *o, const struct settings *s,
                            const char *key)
{
    const struct setting *row = tan_settings;
    while (strcmp(row->key, key) != 0) {
        row++;
    }
    tan_json_set(w, o, key,
                 row->unit > 0 ? tan_json_us(*(const double *)member_in(row, s))
                               : row->kind->write(row, s));
}
