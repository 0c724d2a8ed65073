/* reply.c - an answer of one screen: what to do, one table, from what, how sure, what to paste
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/reply.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

const char *const tan_part_keys[TAN_PARTS] = {"before", "first", "remarks", "from",
                                              "sure",   "notes", "paste",   "next"};

void tan_reply_say(struct tan_json_writer *w, json_t *answer, enum tan_part part,
                   const char *format, ...)
{
    const char *key = tan_part_keys[part];
    json_t *list = json_object_get(answer, key);
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        w->failed = true;
        return;
    }
    list = list != NULL ? list : tan_json_set_array(w, answer, key);
    json_t *sentence = tan_json_text(text);
    free(text);
    size_t i;
    const json_t *said;
    json_array_foreach(list, i, said)
    {
        if (part != TAN_PART_PASTE && json_equal(said, sentence) != 0) {
            json_decref(sentence);
            return;
        }
    }
    tan_json_append(w, list, sentence);
}

/* Join lines that begin with blanks to those before them. */
static void join_lines(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        const bool blank = *from == ' ' || (*from == '\n' && from[1] == ' ');
        if (!blank || (to > text && to[-1] != ' ')) {
            *to++ = (char)(blank ? ' ' : *from);
        }
    }
    *to = '\0';
}

void tan_reply_say_printed(struct tan_json_writer *w, json_t *answer, enum tan_part part,
                           void (*print)(const void *what, FILE *to), const void *what)
{
    char *text = NULL;
    char *rest = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (to == NULL) {
        w->failed = true;
        return;
    }
    print(what, to);
    if (fclose(to) != 0) {
        free(text);
        w->failed = true;
        return;
    }
    join_lines(text);
    for (const char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        tan_reply_say(w, answer, part, "%s", line);
    }
    free(text);
}

json_t *tan_reply_detail(struct tan_json_writer *w, json_t *answer, const char *title)
{
    json_t *list = json_object_get(answer, "details");
    list = list != NULL ? list : tan_json_set_array(w, answer, "details");
    json_t *table = tan_json_append_object(w, list);
    tan_json_set_string(w, table, "title", title);
    return table;
}

/* Cells */

static struct tan_time_scale unit_of(double seconds)
{
    static const struct tan_time_scale units[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}};
    return units[(fabs(seconds) >= 0.99995e-3) + (fabs(seconds) >= 0.99995)];
}

struct tan_text tan_time_like(double seconds, double like)
{
    const double most = 99995.0;    /* as printed */
    const double nudge = 1 + 1e-12; /* 631.95 reads the same, whichever number is nearest to it */
    const struct tan_time_scale wanted = unit_of(like);
    const bool fits = fabs(seconds) < most * wanted.seconds;
    const struct tan_time_scale unit = fits ? wanted : unit_of(seconds);
    return tan_printed("%s %s", tan_value_text(nudge * seconds / unit.seconds, 0.0).text,
                       unit.name);
}

struct tan_text tan_time_text(double seconds)
{
    return tan_time_like(seconds, seconds);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static bool is_kind(const json_t *column, const char *kind)
{
    return strcmp(text_of(column, "kind"), kind) == 0;
}

/* Not numbers. */
static bool is_words(const json_t *column)
{
    return is_kind(column, "text");
}

static double seconds_of(const json_t *us)
{
    return json_number_value(us) / 1e6;
}

struct tan_text tan_reply_cell(const json_t *column, const json_t *row, const json_t *first)
{
    const char *key = text_of(column, "key");
    const json_t *value = json_object_get(row, key);
    const double number = json_number_value(value);
    if (json_is_string(value)) {
        struct tan_text text = tan_printed("%s", json_string_value(value));
        tan_text_cut(text.text, TAN_REPLY_TEXT - 1);
        return text;
    }
    if (!json_is_number(value) && !json_is_array(value)) {
        return (struct tan_text){""};
    }
    if (is_kind(column, "us")) {
        const json_t *like = json_object_get(first, key);
        return tan_time_like(number / 1e6, seconds_of(json_is_number(like) ? like : value));
    }
    if (is_kind(column, "us-range")) {
        const double end = seconds_of(json_array_get(value, 1));
        const struct tan_text high = tan_time_text(end);
        const struct tan_text low = tan_time_like(seconds_of(json_array_get(value, 0)), end);
        return strcmp(low.text, high.text) == 0
                   ? low
                   : tan_printed("%.*s to %s", (int)strcspn(low.text, " "), low.text, high.text);
    }
    if (is_kind(column, "slower")) {
        struct tan_text text = {"-"};
        if (fabs(number) > 1e-9) {
            tan_format_slower(number, text.text, sizeof text.text);
        }
        return text;
    }
    if (is_kind(column, "share")) {
        return tan_share_text(number);
    }
    return json_is_real(value) ? tan_value_text(number, 0.0) : tan_printed("%.0f", number);
}

/* Tables */

/* A cell after the blanks that are due; returns those due after it, so that none end a line. */
static int print_cell(const char *text, int due, int width, bool left, FILE *to)
{
    const int blanks = width - tan_text_width(text);
    if (*text == '\0') {
        return due + width + 2;
    }
    fprintf(to, "%*s%s", due + (left ? 0 : blanks), "", text);
    return 2 + (left ? blanks : 0);
}

/* Cut words at the last "; " before the room that the line has left, or else at a blank. */
static void cut_words(char *text, int room)
{
    static const char dots[] = "...";
    char *end = NULL;
    if (tan_text_width(text) <= room) {
        return;
    }
    tan_text_cut(text, room > 0 ? room : 0);
    for (char *next = text; (next = strstr(next, "; ")) != NULL; next++) {
        end = next;
    }
    if (end != NULL) {
        *end = '\0';
        return;
    }
    tan_text_cut(text, room > (int)strlen(dots) ? room - (int)strlen(dots) : 0);
    end = strrchr(text, ' ');
    strcpy(end != NULL ? end : text, end != NULL ? dots : "");
}

struct table {
    const json_t *columns, *rows;
    json_int_t ranks; /* rows of lower "rank" are shown */
    bool wide;        /* lines may be longer than TAN_REPLY_COLUMNS */
};
enum { MOST_COLUMNS = 24 };

static bool is_shown(const struct table *t, const json_t *row)
{
    return json_integer_value(json_object_get(row, "rank")) < t->ranks;
}

/* Whether the column ends lines with words, which are cut. */
static bool is_note(const struct table *t, size_t column)
{
    return column > 0 && column + 1 == json_array_size(t->columns) &&
           is_words(json_array_get(t->columns, column));
}

/* Set the width of each column: 0 if no row has a cell in it, and for the last ones that the line
 * has no room for. */
static void find_widths(const struct table *t, int width[MOST_COLUMNS])
{
    const json_t *first = json_array_get(t->rows, 0);
    const size_t n = json_array_size(t->columns);
    int all = 0;
    for (size_t k = 0; k < MOST_COLUMNS; k++) {
        const json_t *column = json_array_get(t->columns, k);
        const int label = tan_text_width(text_of(column, "label"));
        size_t r;
        const json_t *row;
        width[k] = 0;
        json_array_foreach(t->rows, r, row)
        {
            const int needed = tan_text_width(tan_reply_cell(column, row, first).text);
            width[k] = is_shown(t, row) && needed > width[k] ? needed : width[k];
        }
        width[k] = width[k] > 0 && width[k] < label ? label : width[k];
        all += width[k] > 0 && !is_note(t, k) ? width[k] + 2 : 0;
    }
    for (size_t k = n < MOST_COLUMNS ? n : MOST_COLUMNS; k-- > 1 && !t->wide;) {
        if (all > TAN_REPLY_COLUMNS + 2 && width[k] > 0 && !is_note(t, k)) {
            all -= width[k] + 2;
            width[k] = 0;
        }
    }
}

static void print_rows(const struct table *t, FILE *to)
{
    const json_t *first = json_array_get(t->rows, 0);
    int width[MOST_COLUMNS];
    find_widths(t, width);
    for (size_t i = 0; i <= json_array_size(t->rows); i++) { /* 0: labels */
        const json_t *row = i == 0 ? NULL : json_array_get(t->rows, i - 1);
        int due = 0;
        int at = 0;
        if (row != NULL && !is_shown(t, row)) {
            continue;
        }
        for (size_t k = 0; k < MOST_COLUMNS; k++) {
            const json_t *column = json_array_get(t->columns, k);
            if (width[k] == 0) {
                continue;
            }
            struct tan_text text = row == NULL ? tan_printed("%s", text_of(column, "label"))
                                               : tan_reply_cell(column, row, first);
            if (is_note(t, k) && !t->wide) {
                cut_words(text.text, TAN_REPLY_COLUMNS - at);
            }
            due = print_cell(text.text, due, width[k], is_words(column), to);
            at += width[k] + 2;
        }
        fputc('\n', to);
    }
}

/* Layout */

/* Print words from column `at` on. Returns the column. */
static int print_words(const char *text, int at, FILE *to)
{
    while (*(text += strspn(text, " \n")) != '\0') {
        const size_t length = strcspn(text, " \n");
        char word[512];
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        const int width = tan_text_width(word);
        const bool starts = at == 0 || at + 1 + width > TAN_REPLY_COLUMNS;
        if (starts && at > 0) {
            fputc('\n', to);
        }
        at = starts ? width : at + 1 + width;
        fprintf(to, "%s%s", starts ? "" : " ", word);
        text += length;
    }
    return at;
}

/* How much of an answer is printed: sentences of each part, and rows of lower "rank". */
enum { ROWS = TAN_PARTS };
struct room {
    size_t most[TAN_PARTS + 1];
    bool details;
};

enum { PASTED = 7 }; /* lines at most: more are for a file */

static void print_paste(const json_t *lines, bool all, FILE *to)
{
    const bool fits = all || json_array_size(lines) <= PASTED;
    size_t i;
    const json_t *line;
    json_array_foreach(lines, i, line)
    {
        if (fits) {
            fprintf(to, "    %s\n", json_string_value(line));
        }
    }
    if (!fits) {
        fprintf(to, "    (%zu lines)\n", i);
    }
}

/* The sentences of a part, in one paragraph or each on a line of its own. */
static void print_part(const json_t *answer, enum tan_part part, size_t most, const char *before,
                       bool paragraph, FILE *to)
{
    const json_t *list = json_object_get(answer, tan_part_keys[part]);
    int at = 0;
    size_t i;
    const json_t *said;
    json_array_foreach(list, i, said)
    {
        if (i < most && !paragraph) {
            fputs(before, to);
            print_words(json_string_value(said), tan_text_width(before), to);
            fputc('\n', to);
        } else if (i < most) {
            if (i == 0) {
                fputs(before, to);
                at = tan_text_width(before);
            }
            at = print_words(json_string_value(said), at, to);
        }
    }
    if (at > 0) {
        fputc('\n', to);
    }
    if ((part == TAN_PART_NOTES || part == TAN_PART_BEFORE) && i > most) {
        fprintf(to, "%zu %s%s%s: --details\n", i - most, most > 0 ? "more " : "",
                part == TAN_PART_NOTES ? "note" : "doubt", i - most == 1 ? "" : "s");
    }
}

static void print_details(const json_t *answer, FILE *to)
{
    size_t i;
    const json_t *detail;
    json_array_foreach(json_object_get(answer, "details"), i, detail)
    {
        const struct table t = {json_object_get(detail, "columns"), json_object_get(detail, "rows"),
                                INT32_MAX, true};
        fputc('\n', to);
        print_words(text_of(detail, "title"), 0, to);
        fputs("\n\n", to);
        print_rows(&t, to);
    }
}

static char *reply_text(const json_t *answer, const struct room *room)
{
    const struct table t = {json_object_get(answer, "columns"), json_object_get(answer, "rows"),
                            (json_int_t)room->most[ROWS], room->details};
    const size_t *most = room->most;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        return NULL;
    }
    print_part(answer, TAN_PART_BEFORE, most[TAN_PART_BEFORE], "NOT TRUSTWORTHY:", false, out);
    print_part(answer, TAN_PART_FIRST, SIZE_MAX, "", true, out);
    if (json_array_size(t.rows) > 0) {
        fputc('\n', out);
        print_rows(&t, out);
    }
    print_part(answer, TAN_PART_REMARKS, most[TAN_PART_REMARKS], "", false, out);
    fputc('\n', out);
    print_part(answer, TAN_PART_FROM, most[TAN_PART_FROM], "", true, out);
    print_part(answer, TAN_PART_SURE, most[TAN_PART_SURE], "", false, out);
    print_part(answer, TAN_PART_NOTES, most[TAN_PART_NOTES], "Note:", false, out);
    if (room->details) {
        print_details(answer, out);
    }
    fputc('\n', out);
    print_paste(json_object_get(answer, tan_part_keys[TAN_PART_PASTE]), room->details, out);
    print_part(answer, TAN_PART_NEXT, most[TAN_PART_NEXT], "", false, out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static int lines_of(const char *text)
{
    int lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n';
    }
    return lines;
}

/* Leave out one more thing; false if nothing is left to leave out. */
static bool leave_out(struct room *room)
{
    static const struct {
        int what;
        size_t least;
    } order[] = {
        {TAN_PART_NOTES, 0},   {ROWS, 5},          {TAN_PART_SURE, 1},
        {TAN_PART_REMARKS, 0}, {ROWS, 3}, /* the recommended one, the default, what is advised */
        {TAN_PART_BEFORE, 1},  {TAN_PART_NEXT, 0}, {TAN_PART_FROM, 1},
    };
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (room->most[order[i].what] > order[i].least) {
            room->most[order[i].what]--;
            return true;
        }
    }
    return false;
}

void tan_reply_print(const json_t *answer, bool details, FILE *to)
{
    struct room room = {.details = details};
    for (int part = 0; part < TAN_PARTS; part++) {
        room.most[part] = json_array_size(json_object_get(answer, tan_part_keys[part]));
    }
    room.most[ROWS] = details ? INT32_MAX : TAN_REPLY_ROWS;
    char *text = reply_text(answer, &room);
    while (text != NULL && !details && lines_of(text) > TAN_REPLY_LINES && leave_out(&room)) {
        free(text);
        text = reply_text(answer, &room);
    }
    fputs(text == NULL ? "" : text, to);
    free(text);
}
