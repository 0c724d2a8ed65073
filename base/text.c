/* text.c - text: its layout on a terminal, words of command lines, the nearest of several names
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"

/* Widths of lines: the usual one, and limits beyond which text is hard to read. */
enum { LINE_WIDTH = 80, LEAST_WIDTH = 60, MOST_WIDTH = 120 };

/* Whether the byte starts a code point; the others of a code point are 10xxxxxx. */
static bool starts_code_point(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* Columns taken by the first `bytes` bytes. */
static int count_columns(const char *text, size_t bytes)
{
    int columns = 0;
    for (size_t i = 0; i < bytes; i++) {
        columns += starts_code_point(text[i]);
    }
    return columns;
}

size_t tan_text_code_point(const char *text)
{
    const unsigned char first = (unsigned char)*text;
    const size_t length = first < 0x80   ? 1
                          : first < 0xc2 ? 0
                          : first < 0xe0 ? 2
                          : first < 0xf0 ? 3
                          : first < 0xf5 ? 4
                                         : 0;
    for (size_t i = 1; i < length; i++) {
        if (starts_code_point(text[i])) {
            return 0;
        }
    }
    return length;
}

struct tan_text tan_printed(const char *format, ...)
{
    struct tan_text text = {""};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text.text, sizeof text.text, format, arguments);
    va_end(arguments);
    return text;
}

int tan_text_width(const char *text)
{
    return count_columns(text, strlen(text));
}

void tan_text_cut(char *text, int columns)
{
    int at = 0;
    for (char *c = text; *c != '\0'; c++) {
        if (starts_code_point(*c) && at++ == columns) {
            *c = '\0';
            return;
        }
    }
}

static int line_width(FILE *to)
{
    const int fd = fileno(to);
    const bool standard = fd == STDOUT_FILENO || fd == STDERR_FILENO;
    const char *columns = standard ? getenv("COLUMNS") : NULL;
    struct winsize size;
    long width = columns != NULL ? strtol(columns, NULL, 10) : 0;
    if (width <= 0 && standard && ioctl(fd, TIOCGWINSZ, &size) == 0) {
        width = size.ws_col;
    }
    return width <= 0            ? LINE_WIDTH
           : width < LEAST_WIDTH ? LEAST_WIDTH
           : width > MOST_WIDTH  ? MOST_WIDTH
                                 : (int)width;
}

static void print_word(const char *word, size_t bytes, FILE *to)
{
    for (const char *at = word; at < word + bytes; at++) {
        const size_t control = tan_control_length(at);
        fputc(control > 0 ? '?' : *at, to);
        at += control > 0 ? control - 1 : 0;
    }
}

void tan_text_wrap(FILE *to, const char *text, int column, int indent)
{
    const int width = line_width(to);
    int at = column;
    int blanks = 0; /* due before the next word; dropped if it starts a new line */
    while (*text != '\0') {
        if (*text == '\n') {
            fprintf(to, "\n%*s", text[1] == '\0' || text[1] == '\n' ? 0 : indent, "");
            at = indent;
            blanks = 0;
            text++;
            continue;
        }
        if (*text == ' ') {
            blanks++;
            text++;
            continue;
        }
        const size_t bytes = strcspn(text, " \n");
        const int columns = count_columns(text, bytes);
        if (at > indent && at + blanks + columns > width) {
            fprintf(to, "\n%*s", indent, "");
            at = indent;
            blanks = 0;
        }
        fprintf(to, "%*s", blanks, "");
        print_word(text, bytes, to);
        at += blanks + columns;
        blanks = 0;
        text += bytes;
    }
    fputc('\n', to);
}

void tan_text_say(FILE *to, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        tan_text_wrap(to, text, 0, 0);
        free(text);
    }
}

void tan_text_wrap_printed(FILE *to, void (*print)(const void *what, FILE *to), const void *what)
{
    char *text = NULL;
    size_t length;
    FILE *sentences = open_memstream(&text, &length);
    if (sentences == NULL) {
        return;
    }
    print(what, sentences);
    if (fclose(sentences) == 0 && length > 0) {
        text[length - 1] = '\0'; /* the last newline */
        tan_text_wrap(to, text, 0, 0);
    }
    free(text);
}

void tan_text_comment(const char *text, const char *comment, FILE *to)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        fprintf(to, "%s%s%.*s\n", comment, length > 0 ? " " : "", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

void tan_text_item(FILE *to, const char *term, const char *explanation, int column)
{
    const int end = 2 + tan_text_width(term);
    fprintf(to, "  %s", term);
    if (end + 2 > column) {
        fprintf(to, "\n%*s", column, "");
    } else {
        fprintf(to, "%*s", column - end, "");
    }
    tan_text_wrap(to, explanation, column, column);
}

void tan_text_markup(const char *text, size_t most, FILE *to)
{
    static const struct {
        char character;
        const char *entity;
    } entities[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}};
    size_t shown = 0;
    for (const char *c = text; *c != '\0';) {
        const size_t length = tan_text_code_point(c);
        size_t i = 0;
        if (shown++ == most) {
            fputs("\u2026", to);
            return;
        }
        while (i < sizeof entities / sizeof entities[0] && entities[i].character != *c) {
            i++;
        }
        if (i < sizeof entities / sizeof entities[0]) {
            fputs(entities[i].entity, to);
        } else if (length == 0 || (tan_control_length(c) > 0 && *c != '\n' && *c != '\t')) {
            fputc('?', to); /* XML does not allow most control characters */
        } else {
            fwrite(c, 1, length, to);
        }
        c += length > 0 ? length : 1;
    }
}

static const char separators[] = " \t\n";

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
    while (*at != '\0' && (quote != 0 || strchr(separators, *at) == NULL)) {
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
    for (text += strspn(text, separators); memory && open == 0 && *text != '\0';
         text += strspn(text, separators)) {
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
    const int distance = begins_alike && agree(word, name, shorter) ? (n > m) + (n != m)
                                                                    : count_edits(word, n, name, m);
    const bool few = distance * 3 < (int)longer || (distance <= 1 && longer >= PREFIX) ||
                     distance == 0 || (begins_alike && distance <= PREFIX);
    if (!few || !is_nearer(nearest, word, name, distance)) {
        return false;
    }
    nearest->name = name;
    nearest->distance = distance;
    return true;
}

const char *tan_choice_name(struct tan_choices choices, int row)
{
    const size_t place = (size_t)row;
    return place < choices.n
               ? *(const char *const *)((const char *)choices.table + place * choices.stride)
               : NULL;
}

int tan_choice_find(struct tan_choices choices, const char *what, const char *name,
                    struct tan_error *e)
{
    const char *row;
    for (int i = 0; (row = tan_choice_name(choices, i)) != NULL; i++) {
        if (strcmp(row, name) == 0) {
            return i;
        }
    }
    const struct tan_nearest nearest = tan_choice_nearest(choices, name);
    return tan_choice_fail(e, what, &nearest, tan_choice_list(choices).text);
}

struct tan_nearest tan_choice_nearest(struct tan_choices choices, const char *word)
{
    struct tan_nearest nearest = tan_nearest_to(word, strlen(word));
    const char *row;
    for (int i = 0; (row = tan_choice_name(choices, i)) != NULL; i++) {
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

struct tan_text tan_choice_list(struct tan_choices choices)
{
    struct tan_text list = {""};
    const char *row;
    for (int i = 0; (row = tan_choice_name(choices, i)) != NULL; i++) {
        list = tan_printed("%s%s%s", list.text, i > 0 ? ", " : "", row);
    }
    return list;
}

void tan_choice_help(struct tan_choices choices, int column, FILE *to)
{
    for (int i = 0; tan_choice_name(choices, i) != NULL; i++) {
        const char *const *row =
            (const void *)((const char *)choices.table + (size_t)i * choices.stride);
        tan_text_item(to, row[0], row[1], column);
    }
}
