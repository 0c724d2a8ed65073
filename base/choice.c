/* choice.c - finding a name in a table of rows
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/choice.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 63, PREFIX = 3 };

static char folded(char c)
{
    return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

static bool agree(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (folded(a[i]) != folded(b[i])) {
            return false;
        }
    }
    return true;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The optimal string alignment distance: no part is edited twice. */
static int count_edits(const char *a, size_t n, const char *b, size_t m)
{
    int rows[3][LONGEST + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++) {
        row[j] = (int)j;
    }
    for (size_t i = 1; i <= n; i++) {
        int *oldest = before;
        before = above;
        above = row;
        row = oldest;
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            const int replaced = above[j - 1] + (folded(a[i - 1]) != folded(b[j - 1]));
            row[j] = least(replaced, 1 + least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) &&
                folded(a[i - 2]) == folded(b[j - 1])) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[m];
}

struct tan_nearest tan_nearest_to(const char *word, size_t length)
{
    return (struct tan_nearest){.word = word, .length = length, .distance = INT_MAX};
}

/* Whether `name` is nearer than what was found, or as near, and only `name` begins like the word:
 * first letters are rarely mistyped. */
static bool is_nearer(const struct tan_nearest *nearest, const char *word, const char *name,
                      int distance)
{
    return distance < nearest->distance || (distance == nearest->distance && agree(word, name, 1) &&
                                            !agree(word, nearest->name, 1));
}

bool tan_nearest_try(struct tan_nearest *nearest, const char *name)
{
    const char *word = nearest->word;
    const size_t n = nearest->length;
    const size_t m = strlen(name);
    const size_t shorter = n < m ? n : m;
    const size_t longer = n < m ? m : n;
    if (longer > LONGEST) {
        return false;
    }
    const bool begins_alike = shorter >= PREFIX && agree(word, name, PREFIX);
    const int distance =
        begins_alike && agree(word, name, shorter) ? n != m : count_edits(word, n, name, m);
    const bool few = distance * 3 < (int)longer || (distance <= 1 && longer >= PREFIX) ||
                     distance == 0 || (begins_alike && distance <= PREFIX);
    if (!few || !is_nearer(nearest, word, name, distance)) {
        return false;
    }
    nearest->name = name;
    nearest->distance = distance;
    return true;
}

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
