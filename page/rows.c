/* rows.c - figures as rows: which numbers of a document are drawn, and how
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/reply.h"
#include "base/units.h"

/* WORD: characters of a path or a number; SENTENCE: of a text that is filled in; EACH: series at
 * most; ENTRIES: of a list; LINES: of a table. */
enum { WORD = 160, SENTENCE = 2000, EACH = 12, ENTRIES = 1000, LINES = 200 };
enum { COLUMNS = TAN_LISTING_COLUMNS };

/* What is at a path of `length` characters, which may be a list; NULL if there is nothing. */
static const json_t *part_at(const struct tan_place *at, const char *path, size_t length)
{
    const bool from_document = length > 0 && path[0] == '/';
    const bool from_each = length > 0 && path[0] == '.';
    const json_t *value = from_document ? at->document : from_each ? at->each : at->entry;
    const char *const end = path + length;
    path += from_document || from_each;
    while (path < end && value != NULL) {
        char key[WORD];
        size_t n = strcspn(path, ".");
        n = n < (size_t)(end - path) ? n : (size_t)(end - path);
        snprintf(key, sizeof key, "%.*s", (int)n, path);
        value =
            json_is_array(value)
                ? json_array_get(value, (key[0] == '-' ? json_array_size(value) : 0) +
                                            (size_t)strtol(key, NULL, 10))
                : json_object_get(value, strcmp(key, "@") == 0 && at->key != NULL ? at->key : key);
        path += n + 1;
    }
    return value;
}

static const json_t *list_at(const struct tan_place *at, const char *path)
{
    return part_at(at, path, strlen(path));
}

/* The number of entries of an array, or of those of an object that are shown: each is searched for
 * from the first one on. */
static size_t entries_in(const json_t *list)
{
    const size_t members = json_object_size(list);
    return json_array_size(list) + (members < ENTRIES ? members : ENTRIES);
}

/* Go to one of them. */
static void enter(struct tan_place *at, const json_t *list, size_t i)
{
    at->i = i;
    at->entry = json_array_get(list, i);
    if (json_is_object(list)) {
        void *member = json_object_iter((json_t *)list);
        for (; i > 0; i--) {
            member = json_object_iter_next((json_t *)list, member);
        }
        at->entry = json_object_iter_value(member);
        at->key = json_object_iter_key(member);
    }
}

/* The value at a path of `length` characters; NULL if there is none. */
static const json_t *value_at(const struct tan_place *at, const char *path, size_t length)
{
    const json_t *value = part_at(at, path, length);
    const bool parallel = length > 0 && (path[0] == '/' || path[0] == '.');
    return parallel && json_is_array(value) ? json_array_get(value, at->i) : value;
}

/* "" if there is none. */
static const char *text_at(const struct tan_place *at, const char *path)
{
    const char *text =
        strcmp(path, "@") == 0 ? at->key : json_string_value(value_at(at, path, strlen(path)));
    return text != NULL ? text : "";
}

/* The first number after a = or : in a text, as in "bcast=kary:3"; NaN if there is none. */
static double number_after(const char *text)
{
    for (const char *at = strpbrk(text, "=:"); at != NULL; at = strpbrk(at + 1, "=:")) {
        char *end = NULL;
        const double value = strtod(at + 1, &end);
        if (end > at + 1) {
            return value;
        }
    }
    return NAN;
}

static double number_of(const json_t *value)
{
    return json_is_array(value)     ? (double)json_array_size(value)
           : json_is_number(value)  ? json_number_value(value)
           : json_is_boolean(value) ? (double)json_is_true(value)
           : json_is_string(value)  ? number_after(json_string_value(value))
                                    : NAN;
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* How many different values a path has in the entries of a list, at most two: "list%path". */
static double values_of(const struct tan_place *at, const char *word, size_t length)
{
    const json_t *list = part_at(at, word, length);
    struct tan_place entry = *at;
    double first = NAN;
    for (size_t i = 0; i < entries_in(list); i++) {
        enter(&entry, list, i);
        const double value =
            number_of(value_at(&entry, word + length + 1, strlen(word + length + 1)));
        if (i > 0 && !is_same(value, first)) {
            return 2.0;
        }
        first = value;
    }
    return entries_in(list) > 0 ? 1.0 : 0.0;
}

/* A number, a place, or the first positive value of paths between |. */
static double operand_of(const struct tan_place *at, const char *word)
{
    double value = NAN;
    if (strcmp(word, "#") == 0) {
        return (double)at->i + 1.0;
    }
    if (strcmp(word, "$") == 0) {
        return (double)at->names + 1.0;
    }
    if (strchr(word, '%') != NULL) {
        return values_of(at, word, strcspn(word, "%"));
    }
    for (const char *path = word; path != NULL && !(value > 0.0);) {
        const char *end = strchr(path, '|');
        const size_t length = end != NULL ? (size_t)(end - path) : strlen(path);
        value = *path >= '0' && *path <= '9' ? strtod(path, NULL)
                                             : number_of(value_at(at, path, length));
        path = end != NULL ? end + 1 : NULL;
    }
    return value;
}

static double applied(const char *operator, double a, double b)
{
    switch (operator[0]) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a / b;
    default:
        return isnan(a) ? a : fmax(a, b);
    }
}

/* NaN if there is none. */
static double number_at(const struct tan_place *at, const char *expression)
{
    char word[WORD] = "";
    char operator[WORD] = "";
    double value = NAN;
    bool begins = true;
    for (const char *from = expression; begins || *from != '\0'; begins = false) {
        const size_t length = strcspn(from, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, from);
        from += length + (from[length] == ' ');
        if (begins) {
            value = operand_of(at, word);
        } else if (strcmp(word, "abs") == 0) {
            value = fabs(value);
        } else if (operator[0] == '\0') {
            snprintf(operator, sizeof operator, "%s", word);
        } else {
            value = applied(operator, value, operand_of(at, word));
            operator[0] = '\0';
        }
    }
    return value;
}

/* Write a value in a format; false if it is missing. */
static bool format_value(const struct tan_place *at, const char *what, const char *format,
                         char *text, size_t size)
{
    const char *string = text_at(at, what);
    if (*string != '\0') {
        const char *precision = strchr(format, '.');
        const int length = strcmp(format, "name") == 0 ? (int)strcspn(string, "=")
                           : precision != NULL         ? atoi(precision + 1)
                                                       : SENTENCE;
        snprintf(text, size, "%.*s", length, string);
        return true;
    }
    double number = number_at(at, what);
    text[0] = '\0';
    if (!isfinite(number)) {
        return false;
    }
    if (strcmp(format, "ns") == 0) {
        snprintf(text, size, "%s", tan_time_text(number / 1e9).text);
    } else if (strcmp(format, "size") == 0) {
        snprintf(text, size, "%s", tan_size_text((int64_t)fmin(fmax(number, 0.0), 1e15)).text);
    } else if (strcmp(format, "share") == 0) {
        snprintf(text, size, "%s", tan_share_text(number).text);
    } else if (strcmp(format, "factor") == 0) {
        snprintf(text, size, "%s", tan_factor_text(number, 3).text);
    } else if (strcmp(format, "slower") == 0) {
        tan_format_slower(number, text, size);
    } else {
        const char *precision = strchr(format, '.');
        int digits = precision != NULL ? atoi(precision + 1) : 6;
        const bool sign = strchr(format, '+') != NULL;
        /* a picosecond is nothing, not 1e-06 */
        number = fabs(number) < 1e-6 ? 0.0 : number;
        const bool whole = strchr(format, 'f') == NULL && fabs(number) >= pow(10.0, digits);
        digits = whole ? 0 : digits;
        snprintf(text, size,
                 whole || strchr(format, 'f') != NULL ? (sign ? "%+.*f" : "%.*f")
                                                      : (sign ? "%+.*g" : "%.*g"),
                 digits, number);
    }
    return true;
}

/* Whether the number at a path is the same as at another one, or missing at both, or its text
 * begins like that there. */
static bool is_like(const struct tan_place *at, const char *path, const char *other)
{
    const char *begins = text_at(at, other);
    return *begins != '\0' ? strncmp(text_at(at, path), begins, strlen(begins)) == 0
                           : is_same(number_at(at, path), number_at(at, other));
}

static bool is_true_alone(const struct tan_place *at, const char *condition)
{
    const bool not = condition[0] == '!';
    const size_t length = strcspn(condition + not, "=~");
    char path[WORD];
    snprintf(path, sizeof path, "%.*s", (int)length, condition + not );
    const char *end = condition + not +length;
    const json_t *value = value_at(at, path, length);
    const bool is = *end == '='   ? strncmp(text_at(at, path), end + 1, strlen(end + 1)) == 0
                    : *end == '~' ? is_like(at, path, end + 1)
                                  : json_is_object(value) || json_string_length(value) > 0 ||
                                        number_at(at, path) > 0.0;
    return is != not ;
}

static bool is_true(const struct tan_place *at, const char *condition)
{
    const char *end = strstr(condition, " & ");
    char alone[WORD];
    snprintf(alone, sizeof alone, "%.*s", end != NULL ? (int)(end - condition) : WORD, condition);
    return is_true_alone(at, alone) && (end == NULL || is_true(at, end + 3));
}

/* Fill in what is between braces; false if it is missing or not true. */
static bool fill_braces(const struct tan_place *at, const char *braces, size_t length, char *text,
                        size_t size)
{
    char what[WORD];
    snprintf(what, sizeof what, "%.*s", (int)length - 1, braces + 1);
    char *as = strchr(what, ':');
    if (what[0] == '?') {
        return is_true(at, what + 1);
    }
    if (as != NULL) {
        *as++ = '\0';
    }
    return format_value(at, what, as != NULL ? as : "", text, size);
}

static const char *fill_brackets(const struct tan_place *at, const char *format, char *text,
                                 size_t size);

/* Fill in up to the end or a closing bracket, to which *format is set; false if something is
 * missing. */
static bool fill(const struct tan_place *at, const char **format, char *text, size_t size)
{
    bool complete = true;
    const char *from = *format;
    text[0] = '\0';
    while (*from != '\0' && *from != ']') {
        const size_t length = *from == '{' ? strcspn(from, "}") : strcspn(from, "{[]");
        if (*from == '[') {
            from = fill_brackets(at, from + 1, text, size);
        } else if (*from == '{') {
            complete &= fill_braces(at, from, length, text, size);
            from += length + 1;
        } else {
            snprintf(text, size, "%.*s", (int)length, from);
            from += length;
        }
        const size_t used = strlen(text);
        text += used;
        size -= used;
    }
    *format = from;
    return complete;
}

/* Fill in a part that is left out if something is missing, or one for each entry of a list. Returns
 * the end of it. */
static const char *fill_brackets(const struct tan_place *at, const char *format, char *text,
                                 size_t size)
{
    struct tan_place entry = *at;
    const size_t path = format[0] == '*' ? strcspn(format, ":") : 0;
    const json_t *list = path > 0 ? part_at(at, format + 1, path - 1) : NULL;
    const size_t n = path > 0 ? json_array_size(list) : 1;
    const char *end = format;
    for (size_t i = 0; i < n || i == 0; i++) {
        end = format + path + (path > 0);
        if (path > 0) {
            enter(&entry, list, i);
        }
        if (!fill(&entry, &end, text, size) || i == n) {
            text[0] = '\0';
        }
        size -= strlen(text);
        text += strlen(text);
    }
    return end + (*end == ']');
}

bool tan_place_text(const struct tan_place *at, const char *format, char *text, size_t size)
{
    return fill(at, &format, text, size);
}

static size_t entries_of(const json_t *list)
{
    return json_is_array(list) ? json_array_size(list) : list != NULL;
}

static struct tan_axis *axis_of_names(struct tan_chart *c, const struct tan_figure *f)
{
    return f->names.axis == 'x' ? &c->x : &c->y;
}

static size_t most_of(const struct tan_figure *f)
{
    return f->most > 0 ? f->most : ENTRIES;
}

/* Add a row and its name, unless a number of it is missing. */
static void add_row(struct tan_chart *c, struct tan_axis *names, const struct tan_rows *rows,
                    struct tan_place *at)
{
    double row[TAN_CHART_COLUMNS] = {0.0};
    bool complete = true;
    at->names = names->names;
    for (int v = 0; v < TAN_CHART_COLUMNS && rows->value[v] != NULL; v++) {
        row[v] = number_at(at, rows->value[v]);
        complete &= isfinite(row[v]) != 0;
    }
    if (!complete || (rows->only != NULL && !is_true(at, rows->only))) {
        return;
    }
    if (rows->name != NULL) {
        char text[WORD];
        tan_place_text(at, rows->name, text, sizeof text);
        tan_chart_name(c, names, text);
    }
    tan_chart_row(c, row);
}

/* Add a series, named after `named`, with those entries whose value of `by` is `value`; all if that
 * is NaN. */
static void add_series(struct tan_chart *c, const struct tan_figure *f, const struct tan_rows *rows,
                       struct tan_place at, const struct tan_place *named, double value)
{
    const json_t *list = list_at(&at, rows->list);
    const size_t n = entries_of(list);
    const size_t step = f->names.axis != '\0' ? 1 : (n + most_of(f) - 1) / most_of(f);
    if (rows->title != NULL) {
        char title[WORD];
        tan_place_text(named, rows->title, title, sizeof title);
        struct tan_series *series = tan_chart_add(c, rows->mark, title);
        if (series != NULL) {
            series->style = rows->style;
        }
    }
    for (size_t k = 0; k < n && k / step < most_of(f); k += step) {
        at.i = k;
        at.entry = json_is_array(list) ? json_array_get(list, k) : list;
        if (isnan(value) || number_at(&at, rows->by) == value) {
            add_row(c, axis_of_names(c, f), rows, &at);
        }
    }
}

/* Add a series for each value of `by`, named after its first entry; false without values. */
static bool add_values(struct tan_chart *c, const struct tan_figure *f, const struct tan_rows *rows,
                       const struct tan_place *at)
{
    const json_t *list = list_at(at, rows->list);
    struct tan_place entry = *at;
    struct tan_place least = *at;
    double last = -INFINITY;
    size_t n = 0;
    for (; n < EACH; n++) {
        double value = INFINITY;
        for (size_t i = 0; i < json_array_size(list); i++) {
            enter(&entry, list, i);
            const double number = number_at(&entry, rows->by);
            if (number > last && number < value &&
                (rows->only == NULL || is_true(&entry, rows->only))) {
                value = number;
                least = entry;
            }
        }
        if (isinf(value)) {
            break;
        }
        add_series(c, f, rows, *at, &least, value);
        last = value;
    }
    return n > 0;
}

static void add_rows(struct tan_chart *c, const struct tan_figure *f, const struct tan_rows *rows,
                     struct tan_place at)
{
    const json_t *each = rows->each != NULL ? list_at(&at, rows->each) : NULL;
    size_t n = 0;
    if (rows->each == NULL && (rows->by == NULL || !add_values(c, f, rows, &at))) {
        add_series(c, f, rows, at, &at, NAN);
    }
    for (size_t i = 0; i < entries_in(each) && n < EACH; i++) {
        struct tan_place entry = at;
        enter(&entry, each, i);
        at.each = entry.entry;
        at.key = entry.key;
        add_series(c, f, rows, at, &at, NAN);
        n += rows->title == NULL || tan_chart_keep(c);
    }
}

static void add_names(struct tan_chart *c, const struct tan_figure *f, struct tan_place at)
{
    const json_t *list = list_at(&at, f->names.list);
    for (at.i = 0; at.i < json_array_size(list) && at.i < most_of(f); at.i++) {
        char name[WORD];
        at.entry = json_array_get(list, at.i);
        tan_place_text(&at, f->names.text, name, sizeof name);
        tan_chart_name(c, axis_of_names(c, f), name);
    }
}

static void show_figure(struct page *p, const struct tan_figure *f, const struct tan_place *at)
{
    struct tan_chart c;
    char name[TAN_CHART_NAME];
    char title[WORD];
    char x[WORD];
    char caption[SENTENCE];
    tan_place_text(at, f->name, name, sizeof name);
    tan_place_text(at, f->title, title, sizeof title);
    tan_place_text(at, f->x != NULL ? f->x : "", x, sizeof x);
    tan_place_text(at, f->caption, caption, sizeof caption);
    tan_chart_init(&c, name, title, caption);
    c.x.title = f->x != NULL ? x : NULL;
    c.y.title = f->y;
    c.x.log = strchr(f->log, 'x') != NULL;
    c.y.log = strchr(f->log, 'y') != NULL;
    c.diagonal = f->diagonal;
    if (f->names.list != NULL) {
        add_names(&c, f, *at);
    }
    for (const struct tan_rows *r = f->rows; r->list != NULL; r++) {
        add_rows(&c, f, r, *at);
    }
    if ((!c.failed && tan_chart_longest(&c) < f->least) ||
        (f->only != NULL && !is_true(at, f->only))) {
        tan_chart_clear(&c);
    }
    tan_page_chart(p, &c);
}

void tan_show_figures(struct page *p, const json_t *document, const struct tan_figure *figures)
{
    const struct tan_place all = {.document = document, .each = document, .entry = document};
    for (const struct tan_figure *f = figures; f != NULL && f->name != NULL; f++) {
        const json_t *list = f->at != NULL ? list_at(&all, f->at) : document;
        for (size_t i = 0; i < entries_of(list); i++) {
            struct tan_place at = all;
            at.document = json_is_array(list) ? json_array_get(list, i) : list;
            at.entry = at.document;
            show_figure(p, f, &at);
        }
    }
}

/* Leave out columns without a text. Returns the number of those that are left. */
static size_t keep_columns(const char **heading, char (*cell)[TAN_PAGE_CELL], size_t columns,
                           size_t rows)
{
    size_t kept = 0;
    bool filled[COLUMNS] = {false};
    for (size_t i = 0; i < rows * columns; i++) {
        filled[i % columns] |= cell[i][0] != '\0';
    }
    for (size_t k = 0; k < columns; k++) {
        heading[kept] = heading[k];
        kept += filled[k];
    }
    for (size_t i = 0, to = 0; i < rows * columns; i++) {
        if (filled[i % columns]) {
            memmove(cell[to], cell[i][0] != '\0' ? cell[i] : "-", strlen(cell[i]) + 2);
            to++;
        }
    }
    return kept;
}

static void show_listing(struct page *p, const struct tan_listing *listing, struct tan_place at)
{
    const struct tan_place place = at;
    const json_t *list = list_at(&at, listing->list);
    const size_t most = listing->most > 0 ? listing->most : LINES;
    const size_t n = entries_in(list) < most ? entries_in(list) : most;
    const char *heading[COLUMNS];
    char title[WORD];
    size_t columns = 0;
    size_t rows = 0;
    while (columns < COLUMNS && listing->column[columns].heading != NULL) {
        heading[columns] = listing->column[columns].heading;
        columns++;
    }
    char(*cell)[TAN_PAGE_CELL] = calloc(n * columns + 1, sizeof *cell);
    for (size_t i = 0; cell != NULL && i < n; i++) {
        char(*row)[TAN_PAGE_CELL] = &cell[rows * columns];
        enter(&at, list, i);
        for (size_t k = 0; k < columns; k++) {
            if (!tan_place_text(&at, listing->column[k].cell, row[k], TAN_PAGE_CELL)) {
                row[k][0] = '\0';
            }
        }
        rows += row[0][0] != '\0';
    }
    if (rows > 0) {
        tan_place_text(&place, listing->title, title, sizeof title);
        columns = keep_columns(heading, cell, columns, rows);
        tan_page_table(p, title, heading, (const char(*)[TAN_PAGE_CELL])cell, columns, rows);
    }
    free(cell);
}

void tan_show_listings(struct page *p, const json_t *document, const struct tan_listing *listings)
{
    const struct tan_place at = {.document = document, .entry = document};
    for (const struct tan_listing *l = listings; l != NULL && l->title != NULL; l++) {
        if (l->only == NULL || is_true(&at, l->only)) {
            show_listing(p, l, at);
        }
    }
}
