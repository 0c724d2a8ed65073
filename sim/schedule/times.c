/* times.c - times and operations of a simulation as text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/times.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

int tan_parse_fine_ps(const char *what, const char *text, enum tan_bare_time bare, double *ps,
                      struct tan_error *e)
{
    static const double per_second = 1e18, per_ps = 1e6, per_ns = 1e9;
    double seconds, ns;
    if (bare == TAN_BARE_NS &&
        tan_parse_real(what, text, 0, per_ns * TAN_MAX_SECONDS, &ns, NULL) == 0) {
        seconds = ns / per_ns;
    } else if (tan_parse_duration(what, text, &seconds, NULL) < 0) {
        return tan_fail_usage(e,
                              "%s must be a time of at most 1000000s, such as %s2.5us or 3ms, not "
                              "\"%s\"",
                              what, bare == TAN_BARE_NS ? "1500 or 0.04 (nanoseconds), " : "40ns, ",
                              text);
    }
    /* Rounding drops the error of a decimal number's binary representation. */
    *ps = round(seconds * per_second) / per_ps;
    return 0;
}

int tan_parse_ps(const char *what, const char *text, enum tan_bare_time bare, uint64_t *ps,
                 struct tan_error *e)
{
    double fine;
    if (tan_parse_fine_ps(what, text, bare, &fine, e) < 0) {
        return -1;
    }
    *ps = (uint64_t)llround(fine);
    return 0;
}

int tan_each_part(const char *what, const char *text,
                  int (*take)(void *context, const char *part, struct tan_error *e), void *context,
                  struct tan_error *e)
{
    char part[64];
    for (;;) {
        const size_t length = strcspn(text, ",");
        if (length >= sizeof part) {
            return tan_fail_usage(e, "%s: \"%.64s\" is too long", what, text);
        }
        memcpy(part, text, length);
        part[length] = '\0';
        if (take(context, part, e) < 0) {
            return -1;
        }
        if (text[length] == '\0') {
            return 0;
        }
        text += length + 1;
    }
}

const struct tan_time_unit *tan_time_unit(uint64_t ps)
{
    static const struct tan_time_unit units[] = {
        {"s", UINT64_C(1000000000000), 9},
        {"ms", UINT64_C(1000000000), 6},
        {"us", UINT64_C(1000000), 3},
        {"ns", UINT64_C(1000), 3},
    };
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && ps < units[i].ps) {
        i++;
    }
    return &units[i];
}

struct tan_text tan_ps_text(uint64_t ps)
{
    const struct tan_time_unit *unit = tan_time_unit(ps);
    char fraction[32];
    /* decimals with leading zeros, without trailing ones */
    snprintf(fraction, sizeof fraction, "%" PRIu64, unit->ps + ps % unit->ps);
    fraction[0] = '.';
    size_t length = strlen(fraction);
    while (fraction[length - 1] == '0') {
        length--;
    }
    return tan_printed("%" PRIu64 "%.*s %s", ps / unit->ps, length > 1 ? (int)length : 0, fraction,
                       unit->name);
}

/* A wildcard is -1. */
static int64_t number_of(uint32_t value)
{
    return value == UINT32_MAX ? -1 : (int64_t)value;
}

struct tan_text tan_op_text(const struct tan_schedule *s, uint32_t op)
{
    const struct tan_op_spec spec = tan_schedule_spec(s, op);
    const bool sends = spec.kind == TAN_OP_SEND;
    const struct {
        const char *name;
        uint32_t value;
    } options[] = {{"tag", spec.tag}, {"cpu", spec.cpu}, {"nic", spec.nic}};
    struct tan_text text;
    if (spec.kind == TAN_OP_CALC) {
        text = tan_printed("calc %" PRIu64 ".%03" PRIu64, spec.amount / TAN_PS_PER_NS,
                           spec.amount % TAN_PS_PER_NS);
        size_t used = strlen(text.text);
        while (text.text[used - 1] == '0') {
            used--;
        }
        used -= text.text[used - 1] == '.';
        text.text[used] = '\0';
    } else {
        text = tan_printed("%s %" PRIu64 "b %s %" PRId64, sends ? "send" : "recv", spec.amount,
                           sends ? "to" : "from", number_of(spec.peer));
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (options[i].value != 0) {
            text = tan_printed("%s %s %" PRId64, text.text, options[i].name,
                               number_of(options[i].value));
        }
    }
    return text;
}
