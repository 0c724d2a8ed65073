/* text.c - layout of UTF-8 text on a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"

/* Widths of lines: the usual one, and limits beyond which text is hard to read. */
enum { LINE_WIDTH = 90, LEAST_WIDTH = 60, MOST_WIDTH = 120 };

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
    const bool needs_end = strcmp(comment, "/*") == 0; /* a comment of C */
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        fprintf(to, "%s%s", comment, length > 0 ? " " : "");
        for (size_t i = 0; i < length; i++) {
            fputc(text[i], to);
            if (needs_end && text[i] == '*' && text[i + 1] == '/') {
                fputc(' ', to); /* otherwise the comment would end here */
            }
        }
        fputs(needs_end ? " */\n" : "\n", to);
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

/* Mean of the values shown by bar `place` of `places`. */
static double mean_of(const double *value, size_t n, size_t place, size_t places)
{
    const size_t from = n * place / places;
    const size_t to = n * (place + 1) / places;
    double sum = 0.0;
    for (size_t i = from; i < to; i++) {
        sum += value[i];
    }
    return sum / (double)(to - from);
}

void tan_text_sparkline(const double *value, size_t n, size_t places, char *picture)
{
    static const char bars[][4] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                   "\u2585", "\u2586", "\u2587", "\u2588"};
    enum { BARS = sizeof bars / sizeof bars[0] };
    double low = INFINITY;
    double high = -INFINITY;
    const size_t shown = n < places ? n : places;
    for (size_t i = 0; i < shown; i++) {
        const double mean = mean_of(value, n, i, shown);
        low = fmin(low, mean);
        high = fmax(high, mean);
    }
    picture[0] = '\0';
    for (size_t i = 0; i < shown; i++) {
        const double share = high > low ? (mean_of(value, n, i, shown) - low) / (high - low) : 0.0;
        const size_t bar = (size_t)(share * BARS);
        /* 3 bytes of UTF-8, and a terminator that the next bar overwrites */
        memcpy(picture + 3 * i, bars[bar < BARS ? bar : BARS - 1], 4);
    }
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
