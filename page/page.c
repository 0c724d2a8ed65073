/* page.c - page of a report under construction
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/page.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/output.h"
#include "base/reply.h"
#include "base/text.h"
#include "base/units.h"
#include "page/chart.h"
#include "page/gnuplot.h"
#include "page/program.h"

/* What is shown at most: answers, facts or doubts, rows of a table, characters of a sentence. */
enum { ANSWERS = 3, ALL_ANSWERS = 6, FACTS = 60, ROWS = 200, TEXT = 2048 };

static int part_begin(struct part *part)
{
    part->to = open_memstream(&part->text, &part->length);
    return part->to == NULL ? -1 : 0;
}

static void part_clear(struct part *part)
{
    if (part->to != NULL) {
        fclose(part->to);
    }
    free(part->text);
}

int tan_page_begin(struct page *p, struct tan_error *e)
{
    p->e = e;
    p->plotter = tan_program_found("gnuplot");
    return part_begin(&p->sections) < 0 ? tan_fail_nomem(e) : 0;
}

static void facts_clear(struct facts *facts)
{
    for (size_t i = 0; i < facts->n; i++) {
        free(facts->list[i].text);
        free(facts->list[i].files);
    }
    free(facts->list);
}

void tan_page_clear(struct page *p)
{
    for (size_t i = 0; i < p->n_answers; i++) {
        free(p->answers[i].text);
    }
    free(p->answers);
    facts_clear(&p->doubts);
    facts_clear(&p->facts);
    part_clear(&p->sections);
    free(p->names);
}

void tan_page_answer(struct page *p, const char *format, ...)
{
    va_list arguments;
    if (TAN_ONE_MORE(p->answers, p->n_answers) < 0) {
        tan_fail_nomem(p->e);
        return;
    }
    struct answer *answer = &p->answers[p->n_answers];
    *answer = (struct answer){NULL, p->source, p->n_of_section++};
    va_start(arguments, format);
    if (vasprintf(&answer->text, format, arguments) < 0) {
        tan_fail_nomem(p->e);
    } else {
        p->n_answers++;
    }
    va_end(arguments);
}

const char *tan_page_untrusted(bool doubted)
{
    return doubted ? " (not trustworthy: see the doubts)" : "";
}

const char *tan_page_time(double us, char buffer[TAN_PAGE_TIME])
{
    snprintf(buffer, TAN_PAGE_TIME,
             us < 999.95  ? "%.4g us"
             : us < 99999 ? "%.0f us"
                          : "%.4g s",
             us < 99999 ? us : us / 1e6);
    return buffer;
}

const char *tan_page_size(double bytes, char *buffer, size_t size)
{
    return tan_format_size((int64_t)fmin(fmax(bytes, 0.0), 1e15), buffer, size);
}

/* Write a sentence, options as code, which keeps them on one line. */
static void write_sentence(const char *text, FILE *to)
{
    const char *const ends = " ,;:)";
    char *markup = NULL;
    size_t size;
    FILE *memory = open_memstream(&markup, &size);
    if (memory == NULL) {
        return;
    }
    tan_text_markup(text, TEXT, memory);
    fclose(memory);
    for (const char *at = markup; at != NULL && *at != '\0';) {
        const char *option = strstr(at, " --");
        const size_t before = option != NULL ? (size_t)(option - at) + 1 : strlen(at);
        fwrite(at, 1, before, to);
        at += before;
        size_t n = strcspn(at, ends);
        n -= n > 0 && at[n - 1] == '.';
        if (n > 0) {
            fprintf(to, "<code>%.*s</code>", (int)n, at);
        }
        at += n;
    }
    free(markup);
}

static void write_answers(const struct page *p, FILE *to)
{
    size_t written = 0;
    for (size_t order = 0; order < ANSWERS; order++) {
        for (size_t i = 0; i < p->n_answers && written < ALL_ANSWERS; i++) {
            if (p->answers[i].order == order) {
                fputs("<p>", to);
                write_sentence(p->answers[i].text, to);
                if (p->n_sources > 1) {
                    fputs(" <small>(", to);
                    tan_text_markup(p->answers[i].source, SIZE_MAX, to);
                    fputs(")</small>", to);
                }
                fputs("</p>\n", to);
                written++;
            }
        }
    }
}

static int add_fact(struct facts *facts, const char *source, const char *what, const char *text)
{
    struct fact *f = NULL;
    for (size_t i = 0; i < facts->n && f == NULL; i++) {
        const struct fact *at = &facts->list[i];
        f = strcmp(at->what, what) == 0 && strcmp(at->text, text) == 0 ? &facts->list[i] : NULL;
    }
    if (f == NULL && facts->n == FACTS) {
        facts->left_out++;
        return 0;
    }
    if (f == NULL) {
        char *own = TAN_ONE_MORE(facts->list, facts->n) < 0 ? NULL : strdup(text);
        if (own == NULL) {
            return -1;
        }
        f = &facts->list[facts->n++];
        *f = (struct fact){.what = what, .text = own};
    }
    char *files = NULL;
    if (f->n > 0 && strcmp(f->last, source) == 0) {
        return 0;
    }
    if (f->n < TAN_FILES_NAMED &&
        asprintf(&files, "%s%s%s", f->n > 0 ? f->files : "", f->n > 0 ? ", " : "", source) < 0) {
        return -1;
    }
    if (files != NULL) {
        free(f->files);
        f->files = files;
    }
    f->last = source;
    f->n++;
    return 0;
}

static void write_files(const struct page *p, const struct fact *f, FILE *to)
{
    if (f->n == p->n_sources && f->n > 1) {
        fputs("all files", to);
        return;
    }
    tan_text_markup(f->files != NULL ? f->files : "", SIZE_MAX, to);
    if (f->n > TAN_FILES_NAMED) {
        fprintf(to, " and %zu more", f->n - TAN_FILES_NAMED);
    }
}

void tan_page_doubt(struct page *p, const char *source, const char *text)
{
    if (text[0] != '\0' && add_fact(&p->doubts, source, "", text) < 0) {
        tan_fail_nomem(p->e);
    }
}

static void write_doubts(const struct page *p, FILE *to)
{
    fputs(p->doubts.n == 0 ? "<p>The files carry none.</p>\n" : "<ul>\n", to);
    for (size_t i = 0; i < p->doubts.n; i++) {
        fputs("<li>", to);
        write_sentence(p->doubts.list[i].text, to);
        fputs(" <small>(", to);
        write_files(p, &p->doubts.list[i], to);
        fputs(")</small></li>\n", to);
    }
    fputs(p->doubts.n == 0 ? "" : "</ul>\n", to);
    if (p->doubts.left_out > 0) {
        fprintf(to, "<p>%zu more doubts are in the files.</p>\n", p->doubts.left_out);
    }
}

void tan_page_fact(struct page *p, const char *source, const char *what, const char *text)
{
    if (text[0] != '\0' && add_fact(&p->facts, source, what, text) < 0) {
        tan_fail_nomem(p->e);
    }
}

static void write_cell(const char *text, FILE *to)
{
    fputs("<td>", to);
    tan_text_markup(text, SIZE_MAX, to);
    fputs("</td>", to);
}

/* Facts of the same kind are grouped in the order of the first one. */
static void write_facts(const struct page *p, FILE *to)
{
    fputs("<h2>Environment</h2>\n<div class=\"wide facts\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Environment\"><table>\n<tr><th scope=\"col\">What</th>"
          "<th scope=\"col\">Value</th><th scope=\"col\">Files</th></tr>\n",
          to);
    for (size_t i = 0; i < p->facts.n; i++) {
        bool first = true;
        for (size_t k = 0; k < i; k++) {
            first = first && strcmp(p->facts.list[k].what, p->facts.list[i].what) != 0;
        }
        for (size_t k = i; first && k < p->facts.n; k++) {
            const struct fact *f = &p->facts.list[k];
            if (strcmp(f->what, p->facts.list[i].what) == 0) {
                fputs("<tr>", to);
                write_cell(k == i ? f->what : "", to);
                write_cell(f->text, to);
                fputs("<td>", to);
                write_files(p, f, to);
                fputs("</td></tr>\n", to);
            }
        }
    }
    fputs("</table></div>\n", to);
}

void tan_page_section(struct page *p, const char *title, const char *source)
{
    fputs(p->in_section ? "</div>\n<h2>" : "<h2>", p->sections.to);
    tan_text_markup(title, SIZE_MAX, p->sections.to);
    fputs(" <small>", p->sections.to);
    tan_text_markup(source, SIZE_MAX, p->sections.to);
    fputs("</small></h2>\n<div class=\"figures\">\n", p->sections.to);
    p->in_section = true;
    p->n_of_section = 0;
    p->source = source;
}

void tan_page_remark(struct page *p, const char *format, ...)
{
    va_list arguments;
    char text[TEXT];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    fputs("<p class=\"across\">", p->sections.to);
    tan_text_markup(text, SIZE_MAX, p->sections.to);
    fputs("</p>\n", p->sections.to);
    va_end(arguments);
}

void tan_page_table(struct page *p, const char *title, const char *const *heading,
                    const char (*cell)[TAN_PAGE_CELL], size_t columns, size_t rows)
{
    FILE *to = p->sections.to;
    fputs("<div class=\"across\">\n<h3>", to);
    tan_text_markup(title, SIZE_MAX, to);
    fputs("</h3>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"", to);
    tan_text_markup(title, SIZE_MAX, to);
    fputs("\"><table>\n<tr>", to);
    for (size_t k = 0; k < columns; k++) {
        fputs("<th scope=\"col\">", to);
        tan_text_markup(heading[k], SIZE_MAX, to);
        fputs("</th>", to);
    }
    fputs("</tr>\n", to);
    for (size_t i = 0; i < rows; i++) {
        fputs("<tr>", to);
        for (size_t k = 0; k < columns; k++) {
            write_cell(cell[i * columns + k], to);
        }
        fputs("</tr>\n", to);
    }
    fputs("</table></div>\n</div>\n", to);
}

/* The sentences of a part, or lines to paste, in one string, freed by the caller. */
static char *part_text(const json_t *answer, enum tan_part part)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    size_t i;
    const json_t *said;
    if (to == NULL) {
        return NULL;
    }
    json_array_foreach(json_object_get(answer, tan_part_keys[part]), i, said)
    {
        fprintf(to, "%s%s",
                i == 0                   ? ""
                : part == TAN_PART_PASTE ? "\n"
                                         : " ",
                json_is_string(said) ? json_string_value(said) : "");
    }
    fclose(to);
    return text;
}

/* Whether some row has a cell in the column. */
static bool is_filled(const json_t *column, const json_t *rows)
{
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row)
    {
        if (json_object_get(row, tan_text_of(column, "key")) != NULL) {
            return true;
        }
    }
    return false;
}

/* `row`: NULL for the labels. */
static void write_reply_row(const json_t *columns, const json_t *row, const json_t *rows, FILE *to)
{
    char text[TAN_REPLY_TEXT];
    size_t k;
    const json_t *column;
    fputs("<tr>", to);
    json_array_foreach(columns, k, column)
    {
        if (!is_filled(column, rows)) {
            continue;
        }
        if (row != NULL) {
            write_cell(tan_reply_cell(column, row, json_array_get(rows, 0), text), to);
        } else {
            fputs("<th scope=\"col\">", to);
            tan_text_markup(tan_text_of(column, "label"), SIZE_MAX, to);
            fputs("</th>", to);
        }
    }
    fputs("</tr>\n", to);
}

static void write_reply_table(struct page *p, const json_t *answer)
{
    const json_t *columns = json_object_get(answer, "columns");
    const json_t *rows = json_object_get(answer, "rows");
    FILE *to = p->sections.to;
    size_t i;
    const json_t *row;
    if (json_array_size(rows) == 0) {
        return;
    }
    fputs("<div class=\"across wide\" tabindex=\"0\" role=\"region\" aria-label=\"Answer\">"
          "<table>\n",
          to);
    write_reply_row(columns, NULL, rows, to);
    json_array_foreach(rows, i, row)
    {
        if (json_integer_value(json_object_get(row, "rank")) < TAN_REPLY_ROWS) {
            write_reply_row(columns, row, rows, to);
        }
    }
    fputs("</table></div>\n", to);
}

void tan_page_reply(struct page *p, const json_t *document)
{
    static const enum tan_part told[] = {TAN_PART_FIRST, TAN_PART_SURE};
    static const enum tan_part remarked[] = {TAN_PART_REMARKS, TAN_PART_FROM, TAN_PART_NEXT};
    const json_t *answer = json_object_get(document, "answer");
    const bool doubted = json_is_false(json_object_get(document, "trustworthy"));
    if (answer == NULL) {
        tan_page_answer(p, "An earlier version wrote this file: ask again for the answer.");
        return;
    }
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        char *text = part_text(answer, told[i]);
        if (text != NULL && *text != '\0') {
            tan_page_answer(p, "%s%s", text, i == 0 ? tan_page_untrusted(doubted) : "");
        }
        free(text);
    }
    write_reply_table(p, answer);
    for (size_t i = 0; i < sizeof remarked / sizeof remarked[0]; i++) {
        char *text = part_text(answer, remarked[i]);
        if (text != NULL && *text != '\0') {
            tan_page_remark(p, "%s", text);
        }
        free(text);
    }
    char *paste = part_text(answer, TAN_PART_PASTE);
    if (paste != NULL && *paste != '\0') {
        tan_page_listing(p, paste);
    }
    free(paste);
}

void tan_page_listing(struct page *p, const char *text)
{
    fputs("<pre class=\"across wide\" tabindex=\"0\">", p->sections.to);
    tan_text_markup(text, SIZE_MAX, p->sections.to);
    fputs("</pre>\n", p->sections.to);
}

/* Position on an axis; on an axis of names the nearest one, since marks are slightly offset. */
static void write_place(const struct tan_axis *axis, double value, bool names, FILE *to)
{
    const double nearest = round(value);
    if (names && axis->names > 0 && nearest >= 1.0 && nearest <= (double)axis->names) {
        tan_text_markup(axis->name[(size_t)nearest - 1], SIZE_MAX, to);
    } else {
        /* print all digits of integers, which are sizes and counts */
        const bool whole = value == floor(value) && fabs(value) < 1e15;
        fprintf(to, whole ? "%.0f" : "%.6g", value);
    }
}

/* Whether it is a diagonal for comparison; other rulers mark values, which belong in the table. */
static bool is_slanted(const struct tan_series *s)
{
    return s->mark == TAN_RULER && s->n > 1 && s->row[0][0] != s->row[1][0];
}

/* Write the value of a column other than the position, with as many digits as the half-width of the
 * row's interval allows, like the tables of the programs; "-" for an interval that is unknown,
 * whose ends are both the value. */
static void write_measured(enum tan_mark mark, const double *row, int column, FILE *to)
{
    const int end = tan_mark_columns(mark) - 1;
    const double half = (row[end] - row[end - 1]) / 2.0;
    char text[32];
    fputs(column >= end - 1 && half == 0.0 ? "-"
                                           : tan_format_value(row[column], half, text, sizeof text),
          to);
}

static bool has_interval(enum tan_mark mark)
{
    return mark == TAN_INTERVALS || mark == TAN_BOX;
}

static void begin_table(FILE *to)
{
    fputs("<details><summary>Numbers</summary><div class=\"wide\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Numbers of the figure\"><table>\n",
          to);
}

static void write_table(const struct tan_chart *c, FILE *to)
{
    size_t written = 0;
    size_t all = 0;
    for (size_t i = 0; i < c->n; i++) {
        all += is_slanted(&c->series[i]) ? 0 : c->series[i].n;
    }
    begin_table(to);
    for (size_t i = 0; i < c->n && written < ROWS; i++) {
        const struct tan_series *s = &c->series[i];
        const bool across = s->mark == TAN_SPAN || s->mark == TAN_BOX;
        if (s->n == 0 || is_slanted(s)) {
            continue;
        }
        fputs("<tr><th scope=\"col\">", to);
        tan_text_markup(s->title[0] != '\0' ? s->title : c->title, SIZE_MAX, to);
        fputs("</th>", to);
        for (int k = 0; k < tan_mark_columns(s->mark); k++) {
            const char *heading = tan_mark_headings(s->mark)[k];
            const struct tan_axis *axis = strcmp(heading, "x") == 0   ? &c->x
                                          : strcmp(heading, "y") == 0 ? &c->y
                                                                      : NULL;
            fputs("<th scope=\"col\">", to);
            tan_text_markup(axis == NULL          ? heading
                            : axis->title != NULL ? axis->title
                            : axis->names > 0     ? "name"
                                                  : heading,
                            SIZE_MAX, to);
            fputs("</th>", to);
        }
        fputs("</tr>\n", to);
        for (size_t r = 0; r < s->n && written < ROWS; r++, written++) {
            fputs("<tr><td></td>", to);
            for (int k = 0; k < tan_mark_columns(s->mark); k++) {
                fputs("<td>", to);
                if (k > 0 && has_interval(s->mark)) {
                    write_measured(s->mark, s->row[r], k, to);
                } else {
                    write_place((k == 0) != across ? &c->x : &c->y, s->row[r][k], k == 0 || !across,
                                to);
                }
                fputs("</td>", to);
            }
            fputs("</tr>\n", to);
        }
    }
    fputs("</table></div>", to);
    if (written < all) {
        fprintf(to, "<p>%zu more rows are in the file.</p>", all - written);
    }
    fputs("</details>\n", to);
}

/* Save a figure as NAME.svg in the folder for figures, which is created if necessary. */
static void save_figure(struct page *p, const char *name, const char *svg)
{
    char path[4096];
    if (p->figures_dir == NULL) {
        return;
    }
    if (mkdir(p->figures_dir, 0777) < 0 && errno != EEXIST) {
        tan_fail_errno(p->e, "cannot make the folder %s", p->figures_dir);
        return;
    }
    snprintf(path, sizeof path, "%s/%s.svg", p->figures_dir, name);
    struct tan_output *output = tan_output_open_named(path, p->e);
    if (output != NULL) {
        fputs(svg, tan_output_stream(output));
        tan_output_commit(output, p->e);
    }
}

/* Set `own` to the name of a figure, with a number appended if it is already in use. */
static void name_figure(struct page *p, const char *name, char own[TAN_CHART_NAME])
{
    size_t same = 0;
    snprintf(own, TAN_CHART_NAME, "%s", name);
    if (TAN_ONE_MORE(p->names, p->n_names) < 0) {
        tan_fail_nomem(p->e);
        return;
    }
    for (size_t i = 0; i < p->n_names; i++) {
        same += strcmp(p->names[i], name) == 0;
    }
    snprintf(p->names[p->n_names++], sizeof *p->names, "%s", name);
    if (same > 0) {
        snprintf(own, TAN_CHART_NAME, "%.40s-%zu", name, same + 1);
    }
}

static void write_caption(struct page *p, const char *caption)
{
    p->n_figures++;
    fputs("<figcaption>", p->sections.to);
    if (!p->unnumbered) {
        fprintf(p->sections.to, "<b>Figure %zu.</b> ", p->n_figures);
    }
    tan_text_markup(caption, SIZE_MAX, p->sections.to);
    fputs("</figcaption>\n", p->sections.to);
}

void tan_page_chart(struct page *p, struct tan_chart *c)
{
    if (tan_chart_has_data(c)) {
        char own[TAN_CHART_NAME];
        name_figure(p, c->name, own);
        memcpy(c->name, own, sizeof own);
        char *svg = p->plotter ? tan_gnuplot_svg(c, p->e) : NULL;
        fputs("<figure>\n<h3>", p->sections.to);
        tan_text_markup(c->title, SIZE_MAX, p->sections.to);
        fputs("</h3>\n", p->sections.to);
        if (svg != NULL) {
            fputs(svg, p->sections.to);
            save_figure(p, c->name, svg);
        }
        write_caption(p, c->caption);
        write_table(c, p->sections.to);
        fputs("</figure>\n", p->sections.to);
        free(svg);
    } else if (c->failed) {
        tan_fail_nomem(p->e);
    }
    tan_chart_clear(c);
}

/* With colours for light and dark pages. Those of series and hosts are in chart.c; apart from
 * them figures contain black and white only. */
static const char style[] =
    "code{white-space:nowrap}"
    ":root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--soft:#595959;--line:#c8c8c8}\n"
    "@media screen and "
    "(prefers-color-scheme:dark){:root{--ink:#ececec;--paper:#161616;--soft:#b0b0b0;"
    "--line:#555}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:"
    "76rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}\n"
    "h1{font-size:1.6rem}h2{font-size:1.25rem;border-top:1px solid var(--line);padding-top:1rem;"
    "margin-top:2rem;clear:both}h3{font-size:1rem;margin:.2rem 0}small{color:var(--soft);"
    "font-weight:normal}\n"
    ".answer{font-size:1.15rem}.figures{display:grid;grid-template-columns:repeat(auto-fit,"
    "minmax(min(100%,30rem),1fr));gap:0 2rem}.figures>*{min-width:0}.across{grid-column:1/-1}\n"
    "figure{margin:1rem 0;max-width:36rem;break-inside:avoid}"
    "svg{width:100%;height:auto;display:"
    "block}figcaption{color:var(--soft);font-size:.95rem}\n"
    "svg [fill='#ffffff']{fill:var(--paper)}.chart "
    "text{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}\n"
    "svg [stroke='black']{stroke:var(--ink)}svg [fill='black'],svg[fill='black']{fill:var(--ink)}"
    "svg [color='black'],svg[color='black']{color:var(--ink)}\n"
    "table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}td,th{"
    "border-bottom:1px solid var(--line);padding:.15rem .6rem;text-align:left;vertical-align:top}"
    "td,th{overflow-wrap:normal}.facts td:last-child{min-width:8rem;overflow-wrap:anywhere}.wide{"
    "overflow-x:auto}@media(max-width:30rem){table{font-size:.8rem}td,th{padding:.15rem "
    ".2rem}}summary{cursor:"
    "pointer}\n"
    "h2,h3{break-after:avoid}tr,svg{break-inside:avoid}\n"
    "@media "
    "print{body{font-size:11pt}.figures,details{display:block}figure{max-width:none;break-inside:"
    "auto}"
    "figure>svg{max-width:36rem}.wide{overflow:visible}figcaption{"
    "break-before:avoid;break-after:avoid}table{font-size:8pt}details::details-content{"
    "content-visibility:visible;display:block}}\n";

static void write_head(const struct page *p, FILE *to)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>",
          to);
    tan_text_markup(p->title, SIZE_MAX, to);
    fputs("</title>\n<style>\n", to);
    fputs(style, to);
    fputs("@media screen and (prefers-color-scheme:dark){\n", to);
    tan_colours_dark(to);
    fputs("}\n", to);
    fputs("</style>\n</head>\n<body>\n<main>\n<h1>", to);
    tan_text_markup(p->title, SIZE_MAX, to);
    fputs("</h1>\n", to);
}

int tan_page_write(struct page *p, FILE *to)
{
    if (fflush(p->sections.to) != 0) {
        return tan_fail_nomem(p->e);
    }
    write_head(p, to);
    fputs("<div class=\"answer\">\n", to);
    write_answers(p, to);
    fputs("</div>\n<h2>Doubts</h2>\n", to);
    write_doubts(p, to);
    if (p->facts.n > 0) {
        write_facts(p, to);
    }
    if (!p->plotter) {
        fputs("<p>Charts are left out, since gnuplot is not installed here; their numbers are in "
              "the tables.</p>\n",
              to);
    }
    fputs(p->sections.text, to);
    fputs(p->in_section ? "</div>\n" : "", to);
    fputs("</main>\n</body>\n</html>\n", to);
    return p->e->status == TAN_DONE ? 0 : -1;
}
