/* choice.c - finding a name in a table of rows
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/choice.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* NULL past the last row. */
static const char *name_at(struct tan_choices choices, size_t row)
{
    return row < choices.n
               ? *(const char *const *)((const char *)choices.table + row * choices.stride)
               : NULL;
}

const char *tan_choice_name(struct tan_choices choices, int row)
{
    return name_at(choices, (size_t)row);
}

int tan_choice_find(struct tan_choices choices, const char *what, const char *name,
                    struct tan_error *e)
{
    char allowed[512];
    const char *row;
    for (size_t i = 0; (row = name_at(choices, i)) != NULL; i++) {
        if (strcmp(row, name) == 0) {
            return (int)i;
        }
    }
    const struct tan_nearest nearest = tan_choice_nearest(choices, name);
    return tan_choice_fail(e, what, &nearest, tan_choice_list(choices, allowed, sizeof allowed));
}

struct tan_nearest tan_choice_nearest(struct tan_choices choices, const char *word)
{
    struct tan_nearest nearest = tan_nearest_to(word, strlen(word));
    const char *row;
    for (size_t i = 0; (row = name_at(choices, i)) != NULL; i++) {
        tan_nearest_try(&nearest, row);
    }
    return nearest;
}

int tan_choice_fail(struct tan_error *e, const char *what, const struct tan_nearest *nearest,
                    const char *allowed)
{
    const bool near = nearest->name != NULL;
    return tan_fail_usage(e, "%s: %s%s%s\"%.*s\" is not one of %s", what,
                          near ? "did you mean " : "", near ? nearest->name : "", near ? "? " : "",
                          (int)nearest->length, nearest->word, allowed);
}

const char *tan_choice_list(struct tan_choices choices, char *buffer, size_t size)
{
    size_t used = 0;
    const char *row;
    buffer[0] = '\0';
    for (size_t i = 0; (row = name_at(choices, i)) != NULL && used < size; i++) {
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i > 0 ? ", " : "", row);
    }
    return buffer;
}
