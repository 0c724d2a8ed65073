/* settings.c - settings of a run as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/settings.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/choice.h"
#include "base/units.h"

static void *member_of(const struct setting *row, struct settings *s)
{
    return (char *)s + row->offset;
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
    const struct tan_choices names = {tan_filters, sizeof tan_filters[0], SIZE_MAX};
    return tan_choice_find(names, what, value, e) < 0 ? -1 : parse_name(row, s, what, value, e);
}

static int parse_sync(const struct setting *row, struct settings *s, const char *what,
                      const char *value, struct tan_error *e)
{
    return tan_sync_policy_parse(what, value, member_of(row, s), e);
}

static int parse_failure(const struct setting *row, struct settings *s, const char *what,
                         const char *value, struct tan_error *e)
{
    return tan_failure_parse(what, value, member_of(row, s), e);
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

/* --- the table --- */

#define AT(member)                                                                                 \
    .offset = offsetof(struct settings, member), .size = sizeof(((struct settings *)0)->member)
#define LIMITS(low, high) .least = (low), .most = (high)
enum { MAX_WAVES = 10000000 };

const struct setting tan_settings[SETTINGS] = {
    {"sync", 0, "all", parse_sync, AT(sync)},
    {"work", 0, NULL, parse_seconds, AT(work), LIMITS(0, TAN_MAX_SECONDS)},
    {"filter", 'f', "sum", parse_filter, AT(filter)},
    {"frequency", 0, NULL, parse_rate, AT(frequency), LIMITS(0, 1e9)},
    {"duration", 0, "2s", parse_seconds, AT(duration), LIMITS(0.001, TAN_MAX_SECONDS)},
    {"wait", 'w', "auto", parse_name, AT(wait)},
    {"bytes", 'b', "1KiB", parse_sizes, .offset = offsetof(struct settings, n_sizes),
     .size = sizeof(struct settings) - offsetof(struct settings, n_sizes)},
    {"request-bytes", 0, NULL, parse_size, AT(request_bytes), LIMITS(0, INT32_MAX)},
    {"warmup", 0, "5", parse_count, AT(warmup), LIMITS(0, 1000000)},
    {"min-waves", 'n', "10", parse_count, AT(min_waves), LIMITS(1, MAX_WAVES)},
    {"max-waves", 0, "1000", parse_count, AT(max_waves), LIMITS(1, MAX_WAVES)},
    {"max-time", 0, "2s", parse_seconds, AT(max_seconds), LIMITS(0, TAN_MAX_SECONDS)},
    {"precision", 0, "5%", parse_percentage, AT(precision), LIMITS(0, 1)},
    {"passes", 0, "1", parse_count, AT(passes), LIMITS(1, MAX_PASSES)},
    {"seed", 0, "1", parse_count, AT(seed)},
    {"fail", 0, NULL, parse_failure, AT(failure)},
};

void tan_settings_default(struct settings *s)
{
    *s = (struct settings){.request_bytes = -1};
    for (const struct setting *row = tan_settings; row < tan_settings + SETTINGS; row++) {
        if (row->preset != NULL) {
            row->parse(row, s, row->preset, row->preset, NULL);
        }
    }
}

static bool is_option(const struct setting *row, const char *what)
{
    return what[1] == '-' ? strcmp(row->option, what + 2) == 0
                          : row->letter != 0 && row->letter == what[1];
}

const struct setting *tan_settings_parse(struct settings *s, const char *what, const char *value,
                                         struct tan_error *e)
{
    const struct setting *row = tan_settings;
    while (!is_option(row, what)) {
        row++;
    }
    return row->parse(row, s, what, value, e) < 0 ? NULL : row;
}

void tan_settings_copy(struct settings *s, const struct settings *from, const struct setting *row)
{
    memcpy(member_of(row, s), (const char *)from + row->offset, row->size);
}

void tan_settings_write(struct tan_json_writer *w, json_t *o, const struct settings *s)
{
    char sync[64];
    tan_json_set_string(w, o, "mode", tan_modes[s->mode].name);
    tan_json_set_string(w, o, "filter", s->filter);
    tan_json_set_us(w, o, "work_us", s->work);
    tan_json_set_string(w, o, "sync", tan_sync_policy_format(&s->sync, sync, sizeof sync));
}
