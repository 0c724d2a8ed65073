/* gather.c - for whom an internal process waits before it reduces and sends on
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/gather.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

static const struct {
    const char *name, *syntax, *help;
} rows[GATHER_KINDS] = {
    [GATHER_ALL] = {"all", "all", "for a packet of every child"},
    [GATHER_TIMEOUT] = {"timeout", "timeout:TIME",
                        "the same, but no longer than TIME after the first one came; later ones go "
                        "on by themselves"},
    [GATHER_NONE] = {"none", "none", "for nobody: every packet goes on as it came"},
};

int gather_parse(const char *what, const char *text, struct gather *gather, struct tan_error *e)
{
    size_t length = strcspn(text, ":");

    for (int kind = 0; kind < GATHER_KINDS; kind++) {
        bool timed = kind == GATHER_TIMEOUT;
        if (strlen(rows[kind].name) != length || strncmp(text, rows[kind].name, length) != 0 ||
            timed != (text[length] == ':')) {
            continue;
        }
        struct gather found = {.kind = (enum gather_kind)kind};
        if (timed && tan_parse_duration(what, text + length + 1, &found.timeout, e)) {
            return -1;
        }
        *gather = found;
        return 0;
    }
    return tan_fail_usage(e, "%s: '%s' is not one of all, timeout:TIME (such as timeout:5ms), none",
                          what, text);
}

const char *gather_format(const struct gather *gather, char *buffer, size_t size)
{
    if (gather->kind == GATHER_TIMEOUT) {
        snprintf(buffer, size, "%s:%gms", rows[gather->kind].name, gather->timeout * 1e3);
    } else {
        snprintf(buffer, size, "%s", rows[gather->kind].name);
    }
    return buffer;
}

void gather_help(FILE *to)
{
    for (int kind = 0; kind < GATHER_KINDS; kind++) {
        tan_text_item(to, rows[kind].syntax, rows[kind].help, 22);
    }
}
