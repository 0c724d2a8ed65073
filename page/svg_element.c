/* svg_element.c - SVG of a plotter as an element of a page
 * SPDX-License-Identifier: GPL-3.0-or-later */
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
    /* gnuplot's points are thin */
    static const char thin[] = "stroke-width='0.222'";
    while (at < end) {
        const size_t id = id_starts(at);
        const size_t disc = white_disc(at);
        if (disc > 0) {
            at += disc;
        } else if (strncmp(at, thin, sizeof thin - 1) == 0) {
            fputs("stroke-width='0.45'", to);
            at += sizeof thin - 1;
        } else if (id > 0) {
            fprintf(to, "%.*s%s-", (int)id, at, name);
            at += id;
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
