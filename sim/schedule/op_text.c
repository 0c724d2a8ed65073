/* op_text.c - GOAL text of an operation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/op_text.h"

#include <inttypes.h>
#include <stdio.h>

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
        used = snprintf(buffer, TAN_OP_TEXT, "calc %" PRIu64 ".%03" PRIu64, spec.amount / 1000,
                        spec.amount % 1000);
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
