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

const char *tan_format_ps(uint64_t ps, char buffer[TAN_TIME_TEXT])
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
    snprintf(buffer, TAN_TIME_TEXT, "%" PRIu64 "%.*s %s", ps / unit->ps,
             length > 1 ? (int)length : 0, fraction, unit->name);
    return buffer;
}

/* "3", or "-1" for a wildcard. */
static const char *number_text(uint32_t value, char buffer[16])
{
    snprintf(buffer, 16, value == UINT32_MAX ? "-1" : "%" PRIu32, value);
    return buffer;
}

/* Append an option unless it is 0. */
static size_t add_option(char *buffer, size_t used, const char *name, uint32_t value)
{
    char text[16];
    return value == 0 ? used
                      : used + (size_t)snprintf(buffer + used, TAN_OP_TEXT - used, " %s %s", name,
                                                number_text(value, text));
}

const char *tan_op_text(const struct tan_schedule *s, uint32_t op, char buffer[TAN_OP_TEXT])
{
    const struct tan_op_spec spec = tan_schedule_spec(s, op);
    char peer[16];
    int used;
    if (spec.kind == TAN_OP_CALC) {
        used = snprintf(buffer, TAN_OP_TEXT, "calc %" PRIu64 ".%03" PRIu64,
                        spec.amount / TAN_PS_PER_NS, spec.amount % TAN_PS_PER_NS);
        while (buffer[used - 1] == '0') {
            used--;
        }
        used -= buffer[used - 1] == '.';
        buffer[used] = '\0';
    } else {
        const bool sends = spec.kind == TAN_OP_SEND;
        used = snprintf(buffer, TAN_OP_TEXT, "%s %" PRIu64 "b %s %s", sends ? "send" : "recv",
                        spec.amount, sends ? "to" : "from", number_text(spec.peer, peer));
    }
    size_t end = add_option(buffer, (size_t)used, "tag", spec.tag);
    end = add_option(buffer, end, "cpu", spec.cpu);
    add_option(buffer, end, "nic", spec.nic);
    return buffer;
}
