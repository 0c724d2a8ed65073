/* hostlist.c - host names in Slurm's notation: node[001-128],login
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/hostlist.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Expanding */

enum { DIGITS = 18, PIECES = 16 };

struct range {
    int64_t first, last;
    int width;
};

/* The content of brackets, or plain text. */
struct piece {
    const char *text; /* NULL for brackets */
    int length;
    size_t first_range, n_ranges; /* for brackets, in reader.range */
    size_t values;
    size_t longest; /* longest value, in characters */
};

struct reader {
    const char *text, *at;
    struct tan_hostlist *out;
    size_t room;   /* capacity of out->names */
    FILE *storage; /* for the names; kept as offsets until it is closed */
    char *stored;  /* buffer of `storage` */
    size_t length; /* of `stored` */
    struct range *range;
    size_t n_ranges, range_room;
};

static bool is_separator(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static int read_number(struct reader *r, int64_t *number, int *width, struct tan_error *e)
{
    const char *start = r->at;
    *number = 0;
    for (; isdigit((unsigned char)*r->at); r->at++) {
        if (r->at - start == DIGITS) {
            return tan_fail_in(e, "", r->text, start, "a number has more than %d digits", DIGITS);
        }
        *number = 10 * *number + (*r->at - '0');
    }
    *width = (int)(r->at - start);
    if (*width == 0) {
        return tan_fail_in(e, "", r->text, start, "a number is missing in the brackets");
    }
    return 0;
}

/* NUMBER [ "-" NUMBER ] */
static int read_range(struct reader *r, struct range *range, size_t *digits, struct tan_error *e)
{
    const char *start = r->at;
    if (read_number(r, &range->first, &range->width, e) < 0) {
        return -1;
    }
    range->last = range->first;
    *digits = (size_t)range->width;
    if (*r->at != '-') {
        return 0;
    }
    int width;
    r->at++;
    if (read_number(r, &range->last, &width, e) < 0) {
        return -1;
    }
    const char *last = r->at - width;
    *digits = (size_t)width;
    if (range->last < range->first) {
        return tan_fail_in(e, "", r->text, start, "the range %.*s falls", (int)(r->at - start),
                           start);
    }
    if (width != range->width && ((*start == '0' && range->width > 1) || *last == '0')) {
        return tan_fail_in(e, "", r->text, start,
                           "the numbers of the range %.*s have different widths",
                           (int)(r->at - start), start);
    }
    return 0;
}

/* "[" range { "," range } "]" */
static int read_brackets(struct reader *r, struct piece *piece, struct tan_error *e)
{
    const char *open = r->at++;
    *piece = (struct piece){.text = NULL, .first_range = r->n_ranges};
    for (;;) {
        struct range range = {0, 0, 0};
        size_t digits = 0;
        if (*r->at == ']' && r->at == open + 1) {
            return tan_fail_in(e, "", r->text, open, "the brackets are empty");
        }
        if (*r->at == '\0' || isspace((unsigned char)*r->at)) {
            return tan_fail_in(e, "", r->text, open, "this \"[\" has no \"]\"");
        }
        if (read_range(r, &range, &digits, e) < 0) {
            return -1;
        }
        if (TAN_RESERVE(r->range, r->range_room, r->n_ranges + 1) < 0) {
            return tan_fail_nomem(e);
        }
        r->range[r->n_ranges++] = range;
        if ((uint64_t)(range.last - range.first) >= TAN_HOSTLIST_MOST - piece->values) {
            return tan_fail_in(e, "", r->text, open, TAN_HOSTLIST_TOO_MANY);
        }
        piece->values += (size_t)(range.last - range.first + 1);
        piece->n_ranges++;
        piece->longest = digits > piece->longest ? digits : piece->longest;
        if (*r->at == ',') {
            r->at++;
        } else if (*r->at == ']') {
            r->at++;
            return 0;
        } else if (*r->at == '\0' || isspace((unsigned char)*r->at)) {
            return tan_fail_in(e, "", r->text, open, "this \"[\" has no \"]\"");
        } else {
            return tan_fail_in(e, "", r->text, r->at,
                               "\"%c\" is in brackets, where only numbers are allowed",
                               isprint((unsigned char)*r->at) ? *r->at : '?');
        }
    }
}

/* Value number `index` of the brackets. */
static void write_value(const struct reader *r, const struct piece *piece, size_t index, FILE *to)
{
    const struct range *range = &r->range[piece->first_range];
    while (index > (uint64_t)(range->last - range->first)) {
        index -= (size_t)(range->last - range->first + 1);
        range++;
    }
    fprintf(to, "%0*" PRId64, range->width, range->first + (int64_t)index);
}

/* Store all `values` names of one list item. */
static int store_names(struct reader *r, const struct piece *piece, int n, size_t values,
                       struct tan_error *e)
{
    struct tan_hostlist *out = r->out;
    if (TAN_RESERVE(out->names, r->room, out->n + values) < 0) {
        return tan_fail_nomem(e);
    }
    for (size_t name = 0; name < values; name++) {
        size_t below = values; /* names that share the values of this and all previous pieces */
        for (int i = 0; i < n; i++) {
            if (piece[i].text != NULL) {
                fprintf(r->storage, "%.*s", piece[i].length, piece[i].text);
            } else {
                below /= piece[i].values;
                write_value(r, &piece[i], name / below % piece[i].values, r->storage);
            }
        }
        fputc('\0', r->storage);
    }
    out->n += values;
    return 0;
}

static int read_name(struct reader *r, struct tan_error *e)
{
    struct piece piece[PIECES];
    const char *start = r->at;
    size_t values = 1;
    size_t longest = 0;
    int n = 0;
    r->n_ranges = 0;
    while (*r->at != '\0' && !is_separator(*r->at)) {
        if (n == PIECES) {
            return tan_fail_in(e, "", r->text, start, "this name has more than %d parts", PIECES);
        }
        struct piece *p = &piece[n++];
        if (*r->at == '[') {
            if (read_brackets(r, p, e) < 0) {
                return -1;
            }
            if (p->values > TAN_HOSTLIST_MOST / values) {
                return tan_fail_in(e, "", r->text, start, TAN_HOSTLIST_TOO_MANY);
            }
            values *= p->values;
            longest += p->longest;
            continue;
        }
        p->text = r->at;
        while (*r->at != '\0' && *r->at != '[' && !is_separator(*r->at)) {
            if (*r->at == ']') {
                return tan_fail_in(e, "", r->text, r->at, "this \"]\" has no \"[\"");
            }
            if (iscntrl((unsigned char)*r->at)) {
                return tan_fail_in(e, "", r->text, r->at, "a name has a control character");
            }
            r->at++;
        }
        p->length = (int)(r->at - p->text);
        longest += (size_t)p->length;
    }
    if (values > TAN_HOSTLIST_MOST - r->out->n) {
        return tan_fail_in(e, "", r->text, start, TAN_HOSTLIST_TOO_MANY);
    }
    if (longest > TAN_HOSTLIST_NAME) {
        return tan_fail_in(e, "", r->text, start, "a name has at most %d characters",
                           TAN_HOSTLIST_NAME);
    }
    return store_names(r, piece, n, values, e);
}

static int read_names(struct reader *r, struct tan_error *e)
{
    while (*r->at != '\0') {
        if (is_separator(*r->at)) {
            r->at++;
        } else if (read_name(r, e) < 0) {
            return -1;
        }
    }
    return r->out->n > 0 ? 0 : tan_fail_in(e, "", r->text, r->text, "there is no host name");
}

int tan_hostlist_expand(const char *text, struct tan_hostlist *out, struct tan_error *e)
{
    struct reader r = {.text = text, .at = text, .out = out};
    *out = (struct tan_hostlist){0};
    r.storage = open_memstream(&r.stored, &r.length);
    int result = r.storage == NULL ? tan_fail_nomem(e) : read_names(&r, e);
    if (r.storage != NULL && fclose(r.storage) != 0 && result == 0) {
        result = tan_fail_nomem(e);
    }
    free(r.range);
    out->storage = r.stored;
    if (result < 0) {
        tan_hostlist_clear(out);
        return -1;
    }
    const char *name = out->storage;
    for (size_t i = 0; i < out->n; i++) {
        out->names[i] = name;
        name += strlen(name) + 1;
    }
    return 0;
}

void tan_hostlist_clear(struct tan_hostlist *list)
{
    free(list->names);
    free(list->storage);
    *list = (struct tan_hostlist){0};
}

/* Folding: neighbours that differ in a single number can share brackets. So can every part of a run
 * of them, and therefore the longest run from each name on gives the fewest items. */

/* The number in a name that brackets replace. */
struct number {
    int start, digits;
};

static int digits_at(const char *text)
{
    int n = 0;
    while (isdigit((unsigned char)text[n])) {
        n++;
    }
    return n;
}

/* The only number in which `a` and `b` differ, with its digits in `a`; false if they differ in
 * more. For equal names it is their last number. */
static bool differ_in_number(const char *a, const char *b, struct number *at)
{
    int start = 0; /* of the first difference, or the end */
    while (a[start] != '\0' && a[start] == b[start]) {
        start++;
    }
    if (a[start] == '\0' && b[start] == '\0') {
        while (start > 0 && !isdigit((unsigned char)a[start - 1])) {
            start--;
        }
    }
    while (start > 0 && isdigit((unsigned char)a[start - 1])) {
        start--;
    }
    const int digits = digits_at(a + start);
    const int others = digits_at(b + start);
    *at = (struct number){start, digits};
    return digits > 0 && digits <= DIGITS && others > 0 && others <= DIGITS &&
           strcmp(a + start + digits, b + start + others) == 0;
}

/* Past the last of the names from `first` on that fit the same brackets, which replace *at. */
static size_t find_run(const char *const *names, size_t n, size_t first, struct number *at)
{
    const char *name = names[first];
    size_t end = first + 1;
    bool fits = end < n && differ_in_number(name, names[end], at);
    while (fits) {
        end++;
        const char *next = end < n && strncmp(names[end], name, (size_t)at->start) == 0
                               ? names[end] + at->start
                               : "";
        const int digits = digits_at(next);
        fits = digits > 0 && digits <= DIGITS &&
               strcmp(name + at->start + at->digits, next + digits) == 0;
    }
    return end;
}

/* Whether the number at `start` of name `i` is that of name `first` plus i - first, in a width that
 * a range can have. */
static bool is_further(const char *const *names, size_t first, size_t i, int start)
{
    const char *a = names[first] + start;
    const char *b = names[i] + start;
    const int digits = digits_at(a);
    const int others = digits_at(b);
    const bool wider = others > digits && b[0] != '0' && (a[0] != '0' || digits == 1);
    return (others == digits || wider) &&
           strtoll(b, NULL, 10) == strtoll(a, NULL, 10) + (long long)(i - first);
}

/* Write the names from `first` to before `end`, which differ at `start` at most, as one item. */
static void write_item(const char *const *names, size_t first, size_t end, int start, FILE *to)
{
    const char *name = names[first];
    if (first + 1 == end) {
        fputs(name, to);
        return;
    }
    fprintf(to, "%.*s[", start, name);
    for (size_t i = first, next; i < end; i = next) {
        for (next = i + 1; next < end && is_further(names, i, next, start); next++) {
        }
        const char *low = names[i] + start;
        const char *high = names[next - 1] + start;
        fprintf(to, "%s%.*s", i > first ? "," : "", digits_at(low), low);
        if (next > i + 1) {
            fprintf(to, "-%.*s", digits_at(high), high);
        }
    }
    fprintf(to, "]%s", name + start + digits_at(name + start));
}

static int check_name(const char *name, struct tan_error *e)
{
    for (const char *c = name; *c != '\0'; c++) {
        if (strchr("[], ", *c) != NULL || iscntrl((unsigned char)*c)) {
            return tan_fail_usage(e, "a list of hosts cannot contain the name \"%.80s\"", name);
        }
    }
    return name[0] != '\0' ? 0 : tan_fail_usage(e, "a list of hosts cannot contain an empty name");
}

char *tan_hostlist_fold(const char *const *names, size_t n, struct tan_error *e)
{
    char *text = NULL;
    size_t length;
    for (size_t i = 0; i < n; i++) {
        if (check_name(names[i], e) < 0) {
            return NULL;
        }
    }
    FILE *to = open_memstream(&text, &length);
    for (size_t first = 0, end; first < n && to != NULL; first = end) {
        struct number at = {0, 0};
        end = find_run(names, n, first, &at);
        fputs(first > 0 ? "," : "", to);
        write_item(names, first, end, at.start, to);
    }
    if (to == NULL || fclose(to) != 0) {
        tan_fail_nomem(e);
        free(text);
        return NULL;
    }
    return text;
}
