/* lines.c - lines of a text as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/measured/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void tan_lines_end_row(struct tan_lines *lines, int line)
{
    fputc('\n', lines->to);
    if (TAN_ONE_MORE(lines->line, lines->rows) < 0) {
        lines->short_of_memory = true;
    } else {
        lines->line[lines->rows++] = line;
    }
}

int tan_lines_table(const char *text, const char *source,
                    void (*read_line)(struct tan_lines *, const char *line, int number, void *),
                    void *state, const char *headings, struct tan_csv *out, struct tan_error *e)
{
    struct tan_lines b = {.to = NULL};
    b.to = open_memstream(&b.text, &b.length);
    if (b.to == NULL) {
        return tan_fail_nomem(e);
    }
    fputs(headings, b.to);
    tan_lines_end_row(&b, 1);
    int number = 1;
    for (const char *at = text; *at != '\0'; number++) {
        const size_t length = strcspn(at, "\n");
        char *line = strndup(at, length);
        if (line != NULL) {
            read_line(&b, line, number, state);
        }
        b.short_of_memory = b.short_of_memory || line == NULL;
        free(line);
        at += length + (at[length] == '\n');
    }
    int result = fclose(b.to) != 0 || b.short_of_memory ? tan_fail_nomem(e) : 0;
    if (result == 0) {
        result = tan_csv_parse(out, b.text, b.length, source, e);
    }
    for (size_t i = 0; result == 0 && i < (out->rows + 1) * out->columns; i++) {
        out->field[i].line = b.line[i / out->columns];
    }
    free(b.text);
    free(b.line);
    return result;
}

void tan_line_split(const char *line, const char *separators, struct tan_line_words *out)
{
    const bool blanks = strchr(separators, ' ') != NULL;
    out->n = 0;
    for (const char *at = line; *at != '\0' && out->n < TAN_LINE_WORDS;) {
        at += strspn(at, blanks ? " \t\r" : " \r");
        const size_t length = strcspn(at, separators);
        if (length == 0 && *at == '\0') {
            return;
        }
        size_t used = length < TAN_LINE_WORD - 1 ? length : TAN_LINE_WORD - 1;
        while (used > 0 && isspace((unsigned char)at[used - 1])) {
            used--;
        }
        snprintf(out->word[out->n++], TAN_LINE_WORD, "%.*s", (int)used, at);
        at += length;
        at += *at != '\0';
    }
}

bool tan_word_is_number(const char *word)
{
    char *end;
    strtod(word, &end);
    return end != word && isdigit((unsigned char)word[strcspn(word, "0123456789")]);
}
