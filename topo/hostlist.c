/* hostlist.c - host names in Slurm's notation: node[001-128],login
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/hostlist.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
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
    const char *source, *text, *at;
    struct tan_hostlist *out;
    size_t room;   /* capacity of out->names */
    FILE *storage; /* for the names; kept as offsets until it is closed */
    char *stored;  /* buffer of `storage` */
    size_t length; /* of `stored` */
    struct range *range;
    size_t n_ranges, range_room;
};

static int fail_here(const struct reader *r, const char *at, struct tan_error *e,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

static int fail_here(const struct reader *r, const char *at, struct tan_error *e,
                     const char *format, ...)
{
    char sentence[256];
    int line = 1;
    const char *start = r->text;
    for (const char *c = r->text; c < at; c++) {
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    tan_fail_at(e, r->source, line, (int)(at - start) + 1, "%s", sentence);
    tan_error_quote(e, r->text, strlen(r->text), 1);
    return -1;
}

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
            return fail_here(r, start, e, "a number has more than %d digits", DIGITS);
        }
        *number = 10 * *number + (*r->at - '0');
    }
    *width = (int)(r->at - start);
    if (*width == 0) {
        return fail_here(r, start, e, "a number is missing in the brackets");
    }
    return 0;
}

static int keep_range(struct reader *r, const struct range *range, struct tan_error *e)
{
    if (TAN_RESERVE(r->range, r->range_room, r->n_ranges + 1) < 0) {
        return tan_fail_nomem(e);
    }
    r->range[r->n_ranges++] = *range;
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
        return fail_here(r, start, e, "the range %.*s falls", (int)(r->at - start), start);
    }
    if (width != range->width && ((*start == '0' && range->width > 1) || *last == '0')) {
        return fail_here(r, start, e, "the numbers of the range %.*s have different widths",
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
            return fail_here(r, open, e, "the brackets are empty");
        }
        if (*r->at == '\0' || isspace((unsigned char)*r->at)) {
            return fail_here(r, open, e, "this \"[\" has no \"]\"");
        }
        if (read_range(r, &range, &digits, e) < 0 || keep_range(r, &range, e) < 0) {
            return -1;
        }
        if ((uint64_t)(range.last - range.first) >= TAN_HOSTLIST_MOST - piece->values) {
            return fail_here(r, open, e, TAN_HOSTLIST_TOO_MANY);
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
            return fail_here(r, open, e, "this \"[\" has no \"]\"");
        } else {
            return fail_here(r, r->at, e, "\"%c\" is in brackets, where only numbers are allowed",
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
            return fail_here(r, start, e, "this name has more than %d parts", PIECES);
        }
        struct piece *p = &piece[n++];
        if (*r->at == '[') {
            if (read_brackets(r, p, e) < 0) {
                return -1;
            }
            if (p->values > TAN_HOSTLIST_MOST / values) {
                return fail_here(r, start, e, TAN_HOSTLIST_TOO_MANY);
            }
            values *= p->values;
            longest += p->longest;
            continue;
        }
        p->text = r->at;
        while (*r->at != '\0' && *r->at != '[' && !is_separator(*r->at)) {
            if (*r->at == ']') {
                return fail_here(r, r->at, e, "this \"]\" has no \"[\"");
            }
            if (iscntrl((unsigned char)*r->at)) {
                return fail_here(r, r->at, e, "a name has a control character");
            }
            r->at++;
        }
        p->length = (int)(r->at - p->text);
        longest += (size_t)p->length;
    }
    if (values > TAN_HOSTLIST_MOST - r->out->n) {
        return fail_here(r, start, e, TAN_HOSTLIST_TOO_MANY);
    }
    if (longest > TAN_HOSTLIST_NAME) {
        return fail_here(r, start, e, "a name has at most %d characters", TAN_HOSTLIST_NAME);
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
    return r->out->n > 0 ? 0 : fail_here(r, r->text, e, "there is no host name");
}

int tan_hostlist_expand(const char *text, const char *source, struct tan_hostlist *out,
                        struct tan_error *e)
{
    struct reader r = {.source = source, .text = text, .at = text, .out = out};
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

/* Folding: neighbours that differ in a single number can share brackets. A stretch is a maximal run
 * of names that fit the same brackets. Adjacent stretches may overlap in one name, which is then
 * assigned to one of them. */

enum { NONE = -1 };

/* A name, and the number in it that brackets could replace. */
struct number {
    int start, digits;
};

struct stretch {
    size_t first, last; /* names, inclusive */
    struct number at;   /* the varying number; digits 0: a single name */
};

struct folding {
    const char *const *names;
    size_t n;
    struct stretch *stretch;
    size_t n_stretches;
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

/* Whether `name` fits the stretch: a number at that place, and otherwise equal to its first
 * name. */
static bool fits_stretch(const struct folding *f, const struct stretch *s, const char *name)
{
    const char *first = f->names[s->first];
    const int digits = digits_at(name + s->at.start);
    return digits > 0 && digits <= DIGITS &&
           strcmp(first + s->at.start + s->at.digits, name + s->at.start + digits) == 0;
}

static void find_stretches(struct folding *f)
{
    size_t i = 0;
    while (i + 1 < f->n || f->n_stretches == 0) {
        struct stretch s = {i, i, {0, 0}};
        if (i + 1 < f->n && differ_in_number(f->names[i], f->names[i + 1], &s.at)) {
            for (s.last++; s.last + 1 < f->n; s.last++) {
                const char *next = f->names[s.last + 1];
                if (strncmp(next, f->names[i], (size_t)s.at.start) != 0 ||
                    !fits_stretch(f, &s, next)) {
                    break;
                }
            }
            i = s.last;
        } else {
            s.at.digits = 0;
            i++;
        }
        f->stretch[f->n_stretches++] = s;
    }
    const struct stretch *last = &f->stretch[f->n_stretches - 1];
    if (last->last + 1 < f->n) {
        f->stretch[f->n_stretches++] = (struct stretch){f->n - 1, f->n - 1, {0, 0}};
    }
}

/* Whether the number at `start` of name `i` is that of name `first` plus i - first, in a width that
 * a range can have. */
static bool is_further(const struct folding *f, size_t first, size_t i, int start)
{
    const char *a = f->names[first] + start;
    const char *b = f->names[i] + start;
    char wanted[DIGITS + 4];
    const int digits = digits_at(a);
    snprintf(wanted, sizeof wanted, "%0*" PRId64, digits,
             (int64_t)strtoll(a, NULL, 10) + (int64_t)(i - first));
    const size_t length = strlen(wanted);
    return digits_at(b) == (int)length && memcmp(b, wanted, length) == 0 &&
           (a[0] != '0' || digits == 1 || digits == (int)length);
}

/* Write names first .. last of the stretch as one item. */
static void write_item(const struct folding *f, const struct stretch *s, size_t first, size_t last,
                       FILE *to)
{
    const char *name = f->names[first];
    const int start = s->at.start;
    if (first == last) {
        fputs(name, to);
        return;
    }
    fprintf(to, "%.*s[", start, name);
    for (size_t i = first; i <= last;) {
        size_t end = i;
        while (end < last && is_further(f, i, end + 1, start)) {
            end++;
        }
        const char *low = f->names[i] + start;
        const char *high = f->names[end] + start;
        fprintf(to, "%s%.*s", i > first ? "," : "", digits_at(low), low);
        if (end > i) {
            fprintf(to, "-%.*s", digits_at(high), high);
        }
        i = end + 1;
    }
    fprintf(to, "]%s", name + start + digits_at(name + start));
}

/* Number of items, and length without commas. */
struct weight {
    size_t items, length;
};

static struct weight add_weights(struct weight a, struct weight b)
{
    return (struct weight){a.items + b.items, a.length + b.length};
}

static bool is_less(struct weight a, struct weight b)
{
    return a.items != b.items ? a.items < b.items : a.length < b.length;
}

/* The weight of a stretch, without its first name if `cut_first` and its last name if
 * `cut_last`. */
static struct weight weigh_stretch(const struct folding *f, const struct stretch *s, bool cut_first,
                                   bool cut_last, FILE *null)
{
    const size_t first = s->first + cut_first;
    const size_t end = s->last + 1 - cut_last;
    if (first >= end) {
        return (struct weight){0, 0};
    }
    const long before = ftell(null);
    write_item(f, s, first, end - 1, null);
    const long after = ftell(null);
    return (struct weight){1, (size_t)(after - before)};
}

/* Assign each shared name to one of its two stretches: cut[k] if stretch k loses its first name.
 * Dynamic programming; best[c] is the optimum so far if the next stretch loses its first name (c =
 * 1) or keeps it. */
static int share_out(const struct folding *f, bool *cut, struct tan_error *e)
{
    struct weight best[2] = {{0, 0}, {SIZE_MAX / 2, 0}};
    unsigned char *from = malloc(2 * f->n_stretches + 2); /* previous decision, per stretch */
    char *scratch = NULL;
    size_t length;
    FILE *null = open_memstream(&scratch, &length);
    if (from == NULL || null == NULL) {
        free(from);
        if (null != NULL) {
            fclose(null);
        }
        free(scratch);
        return tan_fail_nomem(e);
    }
    for (size_t k = 0; k < f->n_stretches; k++) {
        const struct stretch *s = &f->stretch[k];
        const bool shares = k + 1 < f->n_stretches && f->stretch[k + 1].first == s->last;
        struct weight next[2] = {{SIZE_MAX / 2, 0}, {SIZE_MAX / 2, 0}};
        rewind(null);
        for (int c = 1; c >= 0; c--) { /* on a tie the earlier stretch keeps the name */
            for (int d = 0; d < 2; d++) {
                /* the next stretch keeps the shared name exactly if this one drops it */
                if ((d == 1 && !shares) || best[c].items >= SIZE_MAX / 2) {
                    continue;
                }
                const struct weight all =
                    add_weights(best[c], weigh_stretch(f, s, c == 1, shares && d == 0, null));
                if (is_less(all, next[d])) {
                    next[d] = all;
                    from[2 * k + 2 + (size_t)d] = (unsigned char)c;
                }
            }
        }
        best[0] = next[0];
        best[1] = next[1];
    }
    int c = 0;
    for (size_t k = f->n_stretches; k-- > 0;) {
        c = from[2 * k + 2 + (size_t)c];
        cut[k] = c == 1;
    }
    free(from);
    fclose(null);
    free(scratch);
    return 0;
}

static int write_list(const struct folding *f, FILE *to, struct tan_error *e)
{
    bool *cut = calloc(f->n_stretches + 1, sizeof *cut);
    if (cut == NULL) {
        return tan_fail_nomem(e);
    }
    const int result = share_out(f, cut, e);
    bool any = false;
    for (size_t k = 0; k < f->n_stretches && result == 0; k++) {
        const struct stretch *s = &f->stretch[k];
        const bool shares = k + 1 < f->n_stretches && f->stretch[k + 1].first == s->last;
        const size_t first = s->first + cut[k];
        const size_t end = s->last + 1 - (shares && !cut[k + 1]);
        if (first < end) {
            fputs(any ? "," : "", to);
            write_item(f, s, first, end - 1, to);
            any = true;
        }
    }
    free(cut);
    return result;
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
    struct folding f = {.names = names, .n = n};
    char *text = NULL;
    size_t length;
    for (size_t i = 0; i < n; i++) {
        if (check_name(names[i], e) < 0) {
            return NULL;
        }
    }
    f.stretch = calloc(n + 2, sizeof *f.stretch);
    FILE *to = open_memstream(&text, &length);
    int result = f.stretch == NULL || to == NULL ? tan_fail_nomem(e) : 0;
    if (result == 0) {
        find_stretches(&f);
        result = write_list(&f, to, e);
    }
    if (to != NULL && fclose(to) != 0 && result == 0) {
        result = tan_fail_nomem(e);
    }
    free(f.stretch);
    if (result < 0) {
        free(text);
        return NULL;
    }
    return text;
}
