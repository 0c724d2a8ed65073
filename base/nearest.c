/* nearest.c - the name that a mistyped word was probably meant to be
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/nearest.h"

#include <ctype.h>
#include <limits.h>
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
