/* svg_element.c - SVG of a plotter as an element of a page
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "page/gnuplot.h"

/* What precedes ids and references to them; the chart's name is inserted after it. */
static const char *const before_ids[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};

/* Length of such a text at `at`; 0 if there is none. */
static size_t id_starts(const char *at)
{
    for (size_t i = 0; i < sizeof before_ids / sizeof before_ids[0]; i++) {
        const size_t length = strlen(before_ids[i]);
        if (strncmp(at, before_ids[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* Whether `at` starts a definition that nothing uses; *end: position after it. */
static bool is_unused(const char *svg, const char *at, const char **end)
{
    static const char filter[] = "<filter id='";
    char use[64];
    const char *id = strstr(at, " id='");
    const char *line = at + strcspn(at, "\n");
    const bool is_filter = strncmp(at, filter, sizeof filter - 1) == 0;
    if (id == NULL || id > line) {
        return false;
    }
    id += strlen(" id='");
    const int length = (int)strcspn(id, "'");
    snprintf(use, sizeof use, is_filter ? "#%.*s)" : "#%.*s'", length, id);
    const char *last = is_filter ? strstr(at, "</filter>") : line;
    *end = last == NULL ? line : last + (is_filter ? strlen("</filter>") : 0);
    return strstr(svg, use) == NULL;
}

/* Replacements in gnuplot's output; defaults are left out. */
static const struct {
    const char *from, *to;
} instead[] = {
    {" stroke-linecap=\"butt\"", ""},
    {" stroke-linejoin=\"miter\"", ""},
    {" stroke-width=\"1.00\"", ""},
    {" class=\"gridline\"", ""},
    {"stroke-width='0.222'", "stroke-width='0.45'"}, /* thicker lines for points */
};

/* Returns the length of what was replaced at `at`; 0 if there is nothing to replace. */
static size_t write_instead(const char *at, FILE *to)
{
    for (size_t i = 0; i < sizeof instead / sizeof instead[0]; i++) {
        if (strncmp(at, instead[i].from, strlen(instead[i].from)) == 0) {
            fputs(instead[i].to, to);
            return strlen(instead[i].from);
        }
    }
    return 0;
}

/* Length of an empty group at `at`; 0 if there is none. */
static size_t empty_group(const char *at)
{
    static const char close[] = ">\n</g>\n";
    const size_t head = strncmp(at, "<g ", 3) == 0 ? strcspn(at, ">") : 0;
    return head > 0 && strncmp(at + head, close, sizeof close - 1) == 0 ? head + sizeof close - 1
                                                                        : 0;
}

/* Length of a white disc at `at`, 0 if there is none. gnuplot draws it below the point of an
 * interval, where it would hide its surroundings, and show on dark backgrounds. */
static size_t white_disc(const char *at)
{
    static const char close[] = "color='white'/>";
    const size_t length = strncmp(at, "<use ", 5) == 0 ? strcspn(at, ">") + 1 : 0;
    return length >= sizeof close && at[length - 1] == '>' &&
                   strncmp(at + length - (sizeof close - 1), close, sizeof close - 1) == 0
               ? length
               : 0;
}

static void write_body(const char *at, const char *end, const char *name, FILE *to)
{
    const char *const whole = at;
    const char *const definitions = strstr(at, "</defs>");
    while (at < end) {
        const size_t length = id_starts(at);
        const char *behind = NULL;
        const size_t replaced = write_instead(at, to) + empty_group(at) + white_disc(at);
        if (replaced > 0) {
            at += replaced;
        } else if (*at == '<' && at < definitions && strncmp(at, "<defs", 5) != 0 &&
                   is_unused(whole, at, &behind)) {
            at = behind;
        } else if (length > 0) {
            fprintf(to, "%.*s%s-", (int)length, at, name);
            at += length;
        } else if (*at == '\t' || (*at == '\n' && at[1] == '\n')) {
            at++;
        } else {
            fputc(*at++, to);
        }
    }
}

char *tan_svg_element(const char *svg, const char *name, const char *title, const char *caption)
{
    const char *box = strstr(svg, "viewBox=\"");
    const char *head_end = box == NULL ? NULL : strchr(box, '>');
    const char *body = head_end == NULL ? NULL : strstr(head_end, "</desc>");
    const char *end = body == NULL ? NULL : strstr(body, "</svg>");
    char *text = NULL;
    size_t length;
    if (end == NULL) {
        return NULL;
    }
    FILE *to = open_memstream(&text, &length);
    if (to == NULL) {
        return NULL;
    }
    const int box_length = (int)(strchr(box + strlen("viewBox=\""), '"') + 1 - box);
    fprintf(
        to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        "class=\"chart\" role=\"img\" aria-labelledby=\"%s-t %s-d\" %.*s>\n<title id=\"%s-t\">",
        name, name, box_length, box, name);
    tan_text_markup(title, SIZE_MAX, to);
    fprintf(to, "</title>\n<desc id=\"%s-d\">", name);
    tan_text_markup(caption, SIZE_MAX, to);
    fputs("</desc>", to);
    write_body(body + strlen("</desc>"), end, name, to);
    fputs("</svg>\n", to);
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
