/* doubt.c - reasons not to rely on a machine's parameters, and what they touch
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/doubt.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* End a text that did not fit after a word, with "...". */
static void cut_at_word(char *text, size_t size)
{
    static const char dots[] = " ...";
    text[size - sizeof dots] = '\0';
    char *space = strrchr(text, ' ');
    strcpy(space != NULL ? space : text + strlen(text), dots);
}

struct tan_doubt *tan_doubts_add(struct tan_doubts *doubts, const char *what, double amount,
                                 unsigned touches, const char *format, ...)
{
    doubts->n += doubts->n < TAN_MAX_DOUBTS;
    struct tan_doubt *doubt = &doubts->row[doubts->n - 1];
    *doubt = (struct tan_doubt){.amount = amount, .touches = touches};
    snprintf(doubt->what, sizeof doubt->what, "%s", what);
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(doubt->text, sizeof doubt->text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof doubt->text) {
        cut_at_word(doubt->text, sizeof doubt->text);
    }
    return doubt;
}

const struct tan_doubt *tan_doubts_find(const struct tan_doubts *doubts, const char *what)
{
    for (int i = 0; i < doubts->n; i++) {
        if (strncmp(doubts->row[i].what, what, strlen(what)) == 0) {
            return &doubts->row[i];
        }
    }
    return NULL;
}

static bool has_doubt(const struct tan_doubts *doubts, const struct tan_doubt *doubt)
{
    for (int i = 0; i < doubts->n; i++) {
        const struct tan_doubt *row = &doubts->row[i];
        if (strcmp(row->what, doubt->what) == 0 && strcmp(row->text, doubt->text) == 0) {
            return true;
        }
    }
    return false;
}

void tan_doubts_join(struct tan_doubts *doubts, const struct tan_doubts *more)
{
    for (int i = 0; i < more->n; i++) {
        if (!has_doubt(doubts, &more->row[i]) && doubts->n < TAN_MAX_DOUBTS) {
            doubts->row[doubts->n++] = more->row[i];
        }
    }
}

const char *tan_doubts_text(const struct tan_doubts *doubts, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = 0; i < doubts->n && used < size; i++) {
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i == 0 ? "" : "; ",
                                 doubts->row[i].text);
    }
    return buffer;
}

void tan_doubts_print(const struct tan_doubts *doubts, const char *heading, FILE *to)
{
    char text[TAN_DOUBTS_TEXT];
    if (doubts->n > 0) {
        fprintf(to, "%s: ", heading);
        tan_text_wrap(to, tan_doubts_text(doubts, text, sizeof text), (int)strlen(heading) + 2, 2);
    }
}

int tan_doubts_fail(const struct tan_doubts *doubts, struct tan_error *e)
{
    char text[TAN_DOUBTS_TEXT];
    if (doubts->n == 0) {
        return 0;
    }
    tan_fail(e, "not trustworthy: %s", tan_doubts_text(doubts, text, sizeof text));
    e->status = TAN_UNTRUSTED;
    return -1;
}
