/* words.c - command lines split into words, and words quoted
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\n";

/* Whether a backslash before `c` is special, within `quote` or outside of quotes (0). */
static bool is_escape(char quote, char c)
{
    return quote == 0 || (quote == '"' && strchr("$`\"\\\n", c) != NULL);
}

/* Copy the word at `*text` to `to`, which has room for it, and advance. Returns the unclosed quote,
 * '\\' for a trailing backslash, or 0. */
static char copy_word(const char **text, char *to)
{
    const char *at = *text;
    char quote = 0;
    while (*at != '\0' && (quote != 0 || strchr(blanks, *at) == NULL)) {
        if (*at == '\\' && quote != '\'' && at[1] == '\0') {
            return quote != 0 ? quote : '\\';
        }
        if (*at == '\\' && quote != '\'' && is_escape(quote, at[1])) {
            if (at[1] != '\n') {
                *to++ = at[1];
            }
            at += 2;
        } else if (*at == quote) {
            quote = 0;
            at++;
        } else if (quote == 0 && (*at == '\'' || *at == '"')) {
            quote = *at++;
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
    *text = at;
    return quote;
}

char **tan_words_split(const char *what, const char *text, struct tan_error *e)
{
    const size_t length = strlen(text);
    char **words = calloc(length / 2 + 2, sizeof *words);
    char *word = malloc(length + 1);
    size_t n = 0;
    char open = 0;
    bool memory = words != NULL && word != NULL;
    for (text += strspn(text, blanks); memory && open == 0 && *text != '\0';
         text += strspn(text, blanks)) {
        if (text[0] == '\\' && text[1] == '\n') { /* a line continuation between words */
            text += 2;
            continue;
        }
        open = copy_word(&text, word);
        if (open == 0) {
            words[n] = strdup(word);
            memory = words[n++] != NULL;
        }
    }
    free(word);
    if (memory && open == 0) {
        return words;
    }
    tan_words_free(words);
    if (!memory) {
        tan_fail_nomem(e);
    } else if (open == '\\') {
        tan_fail_usage(e, "%s: a backslash at the end escapes nothing", what);
    } else {
        tan_fail_usage(e, "%s: a quote (%c) is not closed", what, open);
    }
    return NULL;
}

void tan_words_free(char **words)
{
    for (char **word = words; word != NULL && *word != NULL; word++) {
        free(*word);
    }
    free(words);
}

void tan_words_quote(FILE *to, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-_=+./:,@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, to);
        return;
    }
    putc('\'', to);
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            fputs("'\\''", to); /* within '...' nothing escapes a quote */
        } else {
            putc(*word, to);
        }
    }
    putc('\'', to);
}
