/* sync_policy.c - synchronisation policies of internal processes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/sync_policy.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

static const struct {
    const char *name, *syntax, *example, *help;
} rows[SYNC_KINDS] = {
    [SYNC_ALL] = {"all", "all", "all", "wait for a packet from every child"},
    [SYNC_TIMEOUT] = {"timeout", "timeout:TIME", "timeout:TIME (such as timeout:5ms)",
                      "the same, but at most TIME after the first one; later ones are forwarded "
                      "alone"},
    [SYNC_NONE] = {"none", "none", "none",
                   "wait for none: every packet is forwarded as it arrives"},
};

int tan_sync_policy_parse(const char *what, const char *text, struct sync_policy *sync,
                          struct tan_error *e)
{
    size_t length = strcspn(text, ":");
    for (int kind = 0; kind < SYNC_KINDS; kind++) {
        bool timed = kind == SYNC_TIMEOUT;
        if (strlen(rows[kind].name) != length || strncmp(text, rows[kind].name, length) != 0 ||
            timed != (text[length] == ':')) {
            continue;
        }
        struct sync_policy found = {.kind = (enum sync_kind)kind};
        if (timed && tan_parse_duration(what, text + length + 1, &found.timeout, e) < 0) {
            return -1;
        }
        *sync = found;
        return 0;
    }
    const struct tan_choices examples = {&rows[0].example, sizeof rows[0], SYNC_KINDS};
    char allowed[128];
    const struct tan_nearest nearest = tan_choice_nearest(examples, text);
    return tan_choice_fail(e, what, &nearest, tan_choice_list(examples, allowed, sizeof allowed));
}

const char *tan_sync_policy_format(const struct sync_policy *sync, char *buffer, size_t size)
{
    if (sync->kind == SYNC_TIMEOUT) {
        snprintf(buffer, size, "%s:%gms", rows[sync->kind].name, sync->timeout * 1e3);
    } else {
        snprintf(buffer, size, "%s", rows[sync->kind].name);
    }
    return buffer;
}

void tan_sync_policy_help(FILE *to)
{
    for (int kind = 0; kind < SYNC_KINDS; kind++) {
        tan_text_item(to, rows[kind].syntax, rows[kind].help, 22);
    }
}
