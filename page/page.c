/* page.c - page of a report under construction
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/output.h"
#include "base/reply.h"
#include "base/text.h"
#include "page/chart.h"
#include "page/gnuplot.h"

/* What is shown at most: facts or doubts, rows of a table, characters of a sentence. */
enum { FACTS = 60, ROWS = 200, TEXT = 2048 };

const char *tan_text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

void tan_page_begin(struct page *p, struct tan_error *e)
{
    p->e = e;
    p->plotter = tan_program_found("gnuplot");
}

static void section_clear(struct section *section)
{
    for (int i = 0; i < PARTS; i++) {
        if (section->part[i].to != NULL) {
            fclose(section->part[i].to);
        }
        free(section->part[i].text);
    }
    free(section);
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
    for (size_t i = 0; i < p->n_sections; i++) {
        section_clear(p->sections[i]);
    }
    free(p->sections);
    facts_clear(&p->doubts);
    facts_clear(&p->facts);
    free(p->names);
}

int tan_page_section(struct page *p, const char *title, const char *source)
{
    struct section *section =
        TAN_ONE_MORE(p->sections, p->n_sections) < 0 ? NULL : calloc(1, sizeof *section);
    if (section == NULL) {
        return tan_fail_nomem(p->e);
    }
    p->sections[p->n_sections++] = section;
    section->title = title;
    section->source = source;
    for (int i = 0; i < PARTS; i++) {
        struct part *part = &section->part[i];
        part->to = open_memstream(&part->text, &part->length);
        if (part->to == NULL) {
            return tan_fail_nomem(p->e);
        }
    }
    p->now = PART_ANSWER;
    return 0;
}

static FILE *stream_of(const struct page *p, int part)
{
    return p->sections[p->n_sections - 1]->part[part].to;
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

/* Write a sentence in an element, "p" or "li", unless it is empty. */
static void write_element(const char *element, const char *text, FILE *to)
{
    if (text != NULL && *text != '\0') {
        fprintf(to, "<%s>", element);
        write_sentence(text, to);
        fprintf(to, "</%s>\n", element);
    }
}

void tan_page_say(struct page *p, const char *text)
{
    write_element("p", text, stream_of(p, p->now));
}

static int add_fact(const struct page *p, struct facts *facts, const char *source, const char *what,
                    const char *text)
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
        *f = (struct fact){.what = what, .text = own, .section = p->n_sections};
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

/* The doubts that came with a section, and whose else they are. */
static void write_doubts(const struct page *p, size_t section, FILE *to)
{
    const char *begin = "<h3>Doubts and notes</h3>\n<ul>\n";
    for (size_t i = 0; i < p->doubts.n; i++) {
        const struct fact *f = &p->doubts.list[i];
        if (f->section == section) {
            fprintf(to, "%s<li>", begin);
            write_sentence(f->text, to);
            if (f->n > 1 || section == 0) {
                fputs(" <small>(", to);
                write_files(p, f, to);
                fputs(")</small>", to);
            }
            fputs("</li>\n", to);
            begin = "";
        }
    }
    fputs(*begin == '\0' ? "</ul>\n" : "", to);
    if (p->doubts.left_out > 0 && section == p->n_sections) {
        fprintf(to, "<p>%zu more doubts are in the files.</p>\n", p->doubts.left_out);
    }
}

void tan_page_fact(struct page *p, const char *source, const char *what, const char *text)
{
    struct facts *facts = what[0] != '\0' ? &p->facts : &p->doubts;
    if (text[0] != '\0' && add_fact(p, facts, source, what, text) < 0) {
        tan_fail_nomem(p->e);
    }
}

/* Write a text between two pieces of HTML. */
static void write_between(const char *before, const char *text, const char *after, FILE *to)
{
    fputs(before, to);
    tan_text_markup(text, SIZE_MAX, to);
    fputs(after, to);
}

static void begin_table(const char *label, FILE *to)
{
    write_between("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"", label,
                  "\"><table>\n", to);
}

static void write_heading(const char *text, FILE *to)
{
    write_between("<th scope=\"col\">", text, "</th>", to);
}

static void write_cell(const char *text, FILE *to)
{
    write_between("<td>", text, "</td>", to);
}

/* Facts of the same kind are grouped in the order of the first one. */
static void write_facts(const struct page *p, FILE *to)
{
    fputs("<details><summary>Environment</summary>\n", to);
    begin_table("Environment", to);
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
                if (p->n_sources > 1) {
                    fputs("<td>", to);
                    write_files(p, f, to);
                    fputs("</td>", to);
                }
                fputs("</tr>\n", to);
            }
        }
    }
    fputs("</table></div>\n</details>\n", to);
}

static void write_title(const char *title, FILE *to)
{
    write_between("<h3>", title, "</h3>\n", to);
}

void tan_page_table(struct page *p, const char *title, const char *const *heading,
                    const char (*cell)[TAN_PAGE_CELL], size_t columns, size_t rows)
{
    FILE *to = stream_of(p, p->now);
    write_title(title, to);
    begin_table(title, to);
    fputs("<tr>", to);
    for (size_t k = 0; k < columns; k++) {
        write_heading(heading[k], to);
    }
    fputs("</tr>\n", to);
    for (size_t i = 0; i < rows; i++) {
        fputs("<tr>", to);
        for (size_t k = 0; k < columns; k++) {
            write_cell(cell[i * columns + k], to);
        }
        fputs("</tr>\n", to);
    }
    fputs("</table></div>\n", to);
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
    size_t k;
    const json_t *column;
    fputs("<tr>", to);
    json_array_foreach(columns, k, column)
    {
        if (!is_filled(column, rows)) {
            continue;
        }
        if (row != NULL) {
            write_cell(tan_reply_cell(column, row, json_array_get(rows, 0)).text, to);
        } else {
            write_heading(tan_text_of(column, "label"), to);
        }
    }
    fputs("</tr>\n", to);
}

/* The first `most` rows, or those that have as high a rank. */
static void write_reply_table(const json_t *table, const char *label, int most, FILE *to)
{
    const json_t *columns = json_object_get(table, "columns");
    const json_t *rows = json_object_get(table, "rows");
    size_t i;
    const json_t *row;
    if (json_array_size(rows) == 0) {
        return;
    }
    begin_table(label, to);
    write_reply_row(columns, NULL, rows, to);
    json_array_foreach(rows, i, row)
    {
        const json_t *rank = json_object_get(row, "rank");
        if ((rank != NULL ? json_integer_value(rank) : (json_int_t)i) < most) {
            write_reply_row(columns, row, rows, to);
        }
    }
    fputs("</table></div>\n", to);
}

/* Write the sentences of a part, each in such an element. */
static void write_reply_part(const json_t *answer, enum tan_part part, const char *element,
                             FILE *to)
{
    size_t i;
    const json_t *said;
    json_array_foreach(json_object_get(answer, tan_part_keys[part]), i, said)
    {
        write_element(element, json_string_value(said), to);
    }
}

static void write_paste(const json_t *answer, FILE *to)
{
    const json_t *lines = json_object_get(answer, tan_part_keys[TAN_PART_PASTE]);
    size_t i;
    const json_t *line;
    fputs(json_array_size(lines) > 0 ? "<pre class=\"wide\" tabindex=\"0\">" : "", to);
    json_array_foreach(lines, i, line)
    {
        tan_text_markup(json_is_string(line) ? json_string_value(line) : "", SIZE_MAX, to);
        fputc('\n', to);
    }
    fputs(json_array_size(lines) > 0 ? "</pre>\n" : "", to);
    write_reply_part(answer, TAN_PART_NEXT, "p", to);
}

bool tan_page_reply(struct page *p, const json_t *document)
{
    const json_t *answer = json_object_get(document, "answer");
    FILE *const to = stream_of(p, PART_ANSWER);
    FILE *const from = stream_of(p, PART_FROM);
    FILE *const more = stream_of(p, PART_MORE);
    size_t i;
    const json_t *said;
    const json_t *detail;
    if (answer == NULL) {
        return false;
    }
    json_array_foreach(json_object_get(answer, tan_part_keys[TAN_PART_BEFORE]), i, said)
    {
        fputs("<p><strong>NOT TRUSTWORTHY:</strong> ", to);
        write_sentence(json_string_value(said), to);
        fputs("</p>\n", to);
    }
    write_reply_part(answer, TAN_PART_FIRST, "p", to);
    write_reply_table(answer, "Answer", TAN_REPLY_ROWS, to);
    write_reply_part(answer, TAN_PART_REMARKS, "p", from);
    write_reply_part(answer, TAN_PART_FROM, "p", from);
    write_paste(answer, stream_of(p, PART_PASTE));
    write_reply_part(answer, TAN_PART_SURE, "p", stream_of(p, PART_SURE));
    write_reply_part(answer, TAN_PART_NOTES, "p", more);
    json_array_foreach(json_object_get(answer, "details"), i, detail)
    {
        write_title(tan_text_of(detail, "title"), more);
        write_reply_table(detail, tan_text_of(detail, "title"), ROWS, more);
    }
    return true;
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

/* What a column of a mark is called: the title of its axis. */
static const char *heading_of(const struct tan_chart *c, const char *heading)
{
    const struct tan_axis *axis = strcmp(heading, "x") == 0   ? &c->x
                                  : strcmp(heading, "y") == 0 ? &c->y
                                                              : NULL;
    return axis == NULL          ? heading
           : axis->title != NULL ? axis->title
           : axis->names > 0     ? "name"
                                 : heading;
}

static void write_row(const struct tan_chart *c, const struct tan_series *s, const double *row,
                      FILE *to)
{
    const bool across = s->mark == TAN_SPAN || s->mark == TAN_BOX;
    const int last = tan_marks[s->mark].columns - 1;
    const bool ends = s->mark == TAN_INTERVALS || s->mark == TAN_BOX;
    fputs("<tr><td></td>", to);
    for (int k = 0; k < tan_marks[s->mark].columns; k++) {
        fputs("<td>", to);
        if (k >= last - 1 && ends && row[last] == row[last - 1]) {
            fputc('-', to); /* an interval that is unknown, whose ends are both the value */
        } else {
            write_place((k == 0) != across ? &c->x : &c->y, row[k], k == 0 || !across, to);
        }
        fputs("</td>", to);
    }
    fputs("</tr>\n", to);
}

/* `title`: what they are numbers of, unless they are below it. */
static void write_numbers(const struct tan_chart *c, const char *title, FILE *to)
{
    size_t written = 0;
    size_t all = 0;
    fputs("<details><summary>Numbers", to);
    write_between(title[0] != '\0' ? ": " : "", title, "</summary>", to);
    begin_table("Numbers of the figure", to);
    for (size_t i = 0; i < c->n; i++) {
        const struct tan_series *s = &c->series[i];
        all += s->n;
        if (s->n == 0 || written == ROWS) {
            continue;
        }
        fputs("<tr>", to);
        write_heading(s->title, to);
        for (int k = 0; k < tan_marks[s->mark].columns; k++) {
            write_heading(heading_of(c, tan_marks[s->mark].heading[k]), to);
        }
        fputs("</tr>\n", to);
        for (size_t r = 0; r < s->n && written < ROWS; r++, written++) {
            write_row(c, s, s->row[r], to);
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

void tan_page_chart(struct page *p, struct tan_chart *c)
{
    if (tan_chart_longest(c) > 0) {
        char own[TAN_CHART_NAME];
        FILE *const figure = stream_of(p, PART_FIGURE);
        FILE *const to = p->now != PART_ANSWER ? stream_of(p, p->now)
                         : ftell(figure) == 0  ? figure
                                               : stream_of(p, PART_MORE);
        name_figure(p, c->name, own);
        memcpy(c->name, own, sizeof own);
        char *svg = p->plotter ? tan_gnuplot_svg(c, p->e) : NULL;
        fputs("<figure>\n", to);
        write_title(c->title, to);
        if (svg != NULL) {
            fputs(svg, to);
            save_figure(p, c->name, svg);
        }
        write_between("<figcaption>", c->caption, "</figcaption>\n", to);
        if (to == figure) {
            write_numbers(c, c->title, stream_of(p, PART_MORE));
        } else {
            write_numbers(c, "", to);
        }
        fputs("</figure>\n", to);
        free(svg);
    } else if (c->failed) {
        tan_fail_nomem(p->e);
    }
    tan_chart_clear(c);
}

/* With colours for light and dark pages. Those of series and hosts are in chart.c; apart from
 * them figures contain black, white and grey only. */
static const char style[] =
    "code{white-space:nowrap}"
    ":root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--soft:#595959;--line:#c8c8c8}\n"
    "@media screen and "
    "(prefers-color-scheme:dark){:root{--ink:#ececec;--paper:#161616;--soft:#b0b0b0;"
    "--line:#555}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:"
    "84rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}\n"
    "h1{font-size:1.6rem}h2{font-size:1.25rem;border-top:1px solid var(--line);padding-top:1rem;"
    "margin-top:2rem;clear:both}h3{font-size:1rem;margin:.2rem 0}small{color:var(--soft);"
    "font-weight:normal}\n"
    ".answer>p:first-child{font-size:1.15rem}.top,.figure,.more{display:grid;grid-template-columns:"
    "repeat(auto-fit,minmax(min(100%,32rem),1fr));gap:0 2rem}.top{grid-template-rows:auto 1fr}"
    ".top>*,.more>*{min-width:0}.top>.figure{grid-row:span 2}.more>:not(figure){grid-column:1/-1}\n"
    "pre{background:color-mix(in srgb,var(--ink) 8%,transparent);padding:.5rem}"
    "summary{font-weight:bold;margin:.5rem 0}figure summary{font-weight:normal}\n"
    "figure{margin:1rem 0;max-width:36rem;break-inside:avoid}"
    "svg{width:100%;height:auto;display:"
    "block}figcaption{color:var(--soft);font-size:.95rem}\n"
    "svg [fill='#ffffff']{fill:var(--paper)}.chart "
    "text{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}\n"
    "svg [stroke='black']{stroke:var(--ink)}svg [fill='black'],svg[fill='black']{fill:var(--ink)}"
    "svg [color='black'],svg[color='black']{color:var(--ink)}\n"
    "table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}td,th{"
    "border-bottom:1px solid var(--line);padding:.15rem .6rem;text-align:left;vertical-align:top;"
    "overflow-wrap:normal}main>div td:not(:last-child),.more td:not(:last-child){white-space:"
    "nowrap}td:last-child{min-width:7.5rem}p{margin:.6rem 0}.wide{overflow-x:auto}\n"
    "@media(max-width:30rem){table{font-size:.75rem}td,th{padding:.15rem "
    ".15rem}td:last-child{min-width:3rem}}"
    "summary{cursor:pointer}\n"
    "h2,h3{break-after:avoid}tr,svg{break-inside:avoid}\n"
    "@media "
    "print{body{font-size:11pt}.top{display:block}details:not([open]){display:none}figure{"
    "max-width:none;break-inside:auto}figure>svg{max-width:26rem}.wide{overflow:visible}figcaption{"
    "break-before:avoid;break-after:avoid}table{font-size:8pt}}\n";

static void write_head(const struct page *p, FILE *to)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          to);
    write_between("<title>", p->title, "</title>\n<style>\n", to);
    fputs(style, to);
    fputs("@media screen and (prefers-color-scheme:dark){\n", to);
    tan_colours_dark(to);
    write_between("}\n</style>\n</head>\n<body>\n<main>\n<h1>", p->title, "</h1>\n", to);
}

/* The answer with its figure, what to paste, doubts, and the rest, folded. */
static void write_section(const struct page *p, size_t number, FILE *to)
{
    const struct section *section = p->sections[number - 1];
    const struct part *part = section->part;
    if (p->n_sections > 1) {
        write_between("<h2>", section->title, " <small>", to);
        write_between("", section->source, "</small></h2>\n", to);
    }
    fputs(part[PART_ANSWER].length > 0 && part[PART_FIGURE].length > 0 ? "<div class=\"top\">\n"
                                                                       : "<div>\n",
          to);
    fprintf(to, "<div class=\"answer\">\n%s%s</div>\n", part[PART_ANSWER].text,
            part[PART_FROM].text);
    if (part[PART_FIGURE].length > 0) {
        fprintf(to, "<div class=\"figure\">\n%s</div>\n", part[PART_FIGURE].text);
    }
    fprintf(to, "<div class=\"sure\">\n%s%s", part[PART_PASTE].text, part[PART_SURE].text);
    write_doubts(p, number, to);
    fputs("</div>\n</div>\n", to);
    if (part[PART_MORE].length > 0) {
        fprintf(to,
                "<details><summary>More</summary>\n<div class=\"more\">\n%s</div>\n</details>\n",
                part[PART_MORE].text);
    }
}

int tan_page_write(struct page *p, FILE *to)
{
    if (p->e->status != TAN_DONE) {
        return -1;
    }
    for (size_t i = 0; i < p->n_sections * PARTS; i++) {
        if (fflush(p->sections[i / PARTS]->part[i % PARTS].to) != 0) {
            return tan_fail_nomem(p->e);
        }
    }
    write_head(p, to);
    write_doubts(p, 0, to);
    for (size_t i = 1; i <= p->n_sections; i++) {
        write_section(p, i, to);
    }
    if (!p->plotter) {
        fputs("<p>Charts are left out, since gnuplot is not installed here; their numbers are in "
              "the tables.</p>\n",
              to);
    }
    if (p->facts.n > 0) {
        write_facts(p, to);
    }
    fputs("</main>\n</body>\n</html>\n", to);
    return p->e->status == TAN_DONE ? 0 : -1;
}
