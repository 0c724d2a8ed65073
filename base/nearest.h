/* nearest.h - the name that a mistyped word was probably meant to be
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_NEAREST_H
#define TAN_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* The nearest to a word of the names tried so far. */
struct tan_nearest {
    const char *word; /* borrowed, not terminated */
    size_t length;    /* of the word */
    const char *name; /* borrowed; NULL: none was near enough */
    int distance;     /* of `name`: edits that turn the word into it */
};

struct tan_nearest tan_nearest_to(const char *word, size_t length);
/* Take `name` if it is nearer than all before, or as near and begins like the word, which the one
 * before does not; returns whether it was taken. Near are names that take few
 * edits: insertions, deletions, replacements and swaps of neighbouring characters, one or fewer
 * than a third of the longer one's characters, or three if the first three agree. Case does not
 * count, nor does '_' instead of '-'. A name that the word begins with, or the reverse, is one edit
 * away. Words and names longer than 63 characters are not near to any. */
bool tan_nearest_try(struct tan_nearest *nearest, const char *name);

#endif
