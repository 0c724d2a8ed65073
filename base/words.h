/* words.h - command lines split into words, and words quoted
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_WORDS_H
#define TAN_BASE_WORDS_H

#include <stdio.h>

#include "base/error.h"

/* The words of `text`, split as by a POSIX shell but without expansions: blanks and newlines
 * separate words; '...' and "..." group, the first literally; a backslash escapes the next
 * character, within "..." only one of $ ` " \ and newline, and a backslash-newline is removed. All
 * other characters, $ * ~ # ; | & included, are literal. Returns a NULL-terminated list to be freed
 * with tan_words_free; NULL with an error (TAN_USAGE, naming `what`) on an unclosed quote or
 * trailing backslash, and when memory is short. */
char **tan_words_split(const char *what, const char *text, struct tan_error *e);
void tan_words_free(char **words);
/* Write `word` to `to` so that tan_words_split and POSIX shells read it back as one word: as it is,
 * or in '...' if it is empty or has characters that may be special. The caller checks `to` for
 * errors. */
void tan_words_quote(FILE *to, const char *word);

#endif
