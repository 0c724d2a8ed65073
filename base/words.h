/* words.h - a command line split into words
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_WORDS_H
#define TAN_BASE_WORDS_H

#include "base/error.h"

/* The words of `text` as a POSIX shell splits them, with none of its expansions: blanks and
 * newlines separate words; '...' and "..." keep what is between them together, the first as it is;
 * a backslash makes the next character an ordinary one, within "..." only of $ ` " \ and newline,
 * and a backslash and newline vanish. Anything else, $ * ~ # ; | & among it, is itself. Returns a
 * list that ends with NULL, to be freed with tan_words_free; NULL with an error (TAN_USAGE, for
 * `what`) where a quote is not closed or a backslash stands at the end. */
char **tan_words_split(const char *what, const char *text, struct tan_error *e);
void tan_words_free(char **words);

#endif
