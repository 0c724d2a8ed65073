/* choice.h - finding a name in a table of rows
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_CHOICE_H
#define TAN_BASE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The names of a table: rows of `stride` bytes, each starting with its name (const char *). A row
 * whose name is NULL ends the table before `n`. */
struct tan_choices {
    const void *table; /* borrowed */
    size_t stride, n;
};
/* From an array of rows or of names. */
#define TAN_CHOICES(array)                                                                         \
    ((struct tan_choices){(array), sizeof(array)[0], sizeof(array) / sizeof(array)[0]})

/* Index of the row called `name`; -1 with the error of tan_choice_fail. */
int tan_choice_find(struct tan_choices choices, const char *what, const char *name,
                    struct tan_error *e);
/* The row that is nearest to a word, as far as any is near. */
struct tan_nearest tan_choice_nearest(struct tan_choices choices, const char *word);
/* 'WHAT: "word" is not one of ALLOWED' (TAN_USAGE), after the name that is nearest to the word, if
 * any is near. Returns -1. */
int tan_choice_fail(struct tan_error *e, const char *what, const struct tan_nearest *nearest,
                    const char *allowed);
/* The name of row `row`, which must exist. */
const char *tan_choice_name(struct tan_choices choices, int row);
/* "a, b, c", truncated to `size`. Returns `buffer`. */
const char *tan_choice_list(struct tan_choices choices, char *buffer, size_t size);

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
