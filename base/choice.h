/* choice.h - one name out of a table of rows
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_CHOICE_H
#define TAN_BASE_CHOICE_H

#include <stddef.h>

#include "base/error.h"

/* The names of a table: rows of `stride` bytes, each beginning with its name (const char *); a row
 * whose name is NULL ends it before `n`. */
struct tan_choices {
    const void *table; /* borrowed */
    size_t stride, n;
};
/* Of an array of rows, or of names. */
#define TAN_CHOICES(array)                                                                         \
    ((struct tan_choices){(array), sizeof(array)[0], sizeof(array) / sizeof(array)[0]})

/* Number of the row called `name`, from 0; -1 with the error (TAN_USAGE) 'WHAT: "name" is not one
 * of a, b, c'. */
int tan_choice_find(struct tan_choices choices, const char *what, const char *name,
                    struct tan_error *e);
/* "a, b, c", cut to `size`. Returns `buffer`. */
const char *tan_choice_list(struct tan_choices choices, char *buffer, size_t size);

#endif
