/* doubt.c - doubts: reasons not to rely on numbers, and the parameters concerned
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/doubt.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/reply.h"
#include "base/text.h"
#include "model/machine/params.h"

static const char *const all = "all";

static bool has_doubt(const struct tan_doubts *doubts, const struct tan_doubt *doubt)
{
    for (size_t i = 0; i < doubts->n; i++) {
        const struct tan_doubt *row = &doubts->row[i];
        if (strcmp(row->kind, doubt->kind) == 0 && strcmp(row->text, doubt->text) == 0) {
            return true;
        }
    }
    return false;
}

/* Takes ownership of the text. */
static void append_doubt(struct tan_doubts *doubts, struct tan_doubt doubt)
{
    if (doubt.text == NULL || TAN_ONE_MORE(doubts->row, doubts->n) < 0) {
        doubts->incomplete = true;
        free(doubt.text);
        return;
    }
    doubts->row[doubts->n++] = doubt;
}

void tan_doubts_add(struct tan_doubts *doubts, enum tan_severity severity, const char *kind,
                    double amount, unsigned touches, const char *format, ...)
{
    struct tan_doubt doubt = {.severity = severity, .amount = amount, .touches = touches};
    snprintf(doubt.kind, sizeof doubt.kind, "%s", kind);
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&doubt.text, format, arguments) < 0) {
        doubt.text = NULL;
    }
    va_end(arguments);
    if (doubt.text != NULL) {
        tan_printable(doubt.text);
    }
    if (doubt.text != NULL && has_doubt(doubts, &doubt)) {
        free(doubt.text);
    } else {
        append_doubt(doubts, doubt);
    }
}

void tan_doubts_keep_worst(struct tan_doubts *doubts, const char *kind)
{
    struct tan_doubt *first = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < doubts->n; i++) {
        struct tan_doubt row = doubts->row[i];
        const bool is_kind = strcmp(row.kind, kind) == 0;
        if (is_kind && first != NULL) {
            if (row.amount > first->amount) {
                const struct tan_doubt less = *first;
                *first = row;
                row = less;
            }
            free(row.text);
            continue;
        }
        doubts->row[kept] = row;
        first = is_kind ? &doubts->row[kept] : first;
        kept++;
    }
    doubts->n = kept;
}

void tan_doubts_keep(struct tan_doubts *doubts, const struct tan_doubt *doubt)
{
    if (!has_doubt(doubts, doubt)) {
        struct tan_doubt copy = *doubt;
        copy.text = strdup(doubt->text);
        append_doubt(doubts, copy);
    }
}

void tan_doubts_join(struct tan_doubts *doubts, const struct tan_doubts *more)
{
    for (size_t i = 0; i < more->n; i++) {
        tan_doubts_keep(doubts, &more->row[i]);
    }
    doubts->incomplete = doubts->incomplete || more->incomplete;
}

void tan_doubts_drop(struct tan_doubts *doubts, const char *kind)
{
    size_t kept = 0;
    for (size_t i = 0; i < doubts->n; i++) {
        if (strcmp(doubts->row[i].kind, kind) == 0) {
            free(doubts->row[i].text);
        } else {
            doubts->row[kept++] = doubts->row[i];
        }
    }
    doubts->n = kept;
}

void tan_doubts_settle(struct tan_doubts *doubts, unsigned touches)
{
    size_t kept = 0;
    for (size_t i = 0; i < doubts->n; i++) {
        struct tan_doubt *doubt = &doubts->row[i];
        doubt->touches &= ~touches;
        if (doubt->touches != 0) {
            doubts->row[kept++] = *doubt;
        } else {
            free(doubt->text);
        }
    }
    doubts->n = kept;
}

void tan_doubts_clear(struct tan_doubts *doubts)
{
    for (size_t i = 0; i < doubts->n; i++) {
        free(doubts->row[i].text);
    }
    free(doubts->row);
    *doubts = (struct tan_doubts){.n = 0};
}

const struct tan_doubt *tan_doubts_find(const struct tan_doubts *doubts, const char *kind)
{
    for (size_t i = 0; i < doubts->n; i++) {
        if (strncmp(doubts->row[i].kind, kind, strlen(kind)) == 0) {
            return &doubts->row[i];
        }
    }
    return NULL;
}

bool tan_doubts_trusted(const struct tan_doubts *doubts)
{
    for (size_t i = 0; i < doubts->n; i++) {
        if (doubts->row[i].severity == TAN_DOUBT) {
            return false;
        }
    }
    return !doubts->incomplete;
}

char *tan_doubts_text(const struct tan_doubts *doubts, enum tan_severity severity)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    const char *between = "";
    for (size_t i = 0; i < doubts->n && to != NULL; i++) {
        if (doubts->row[i].severity == severity) {
            fprintf(to, "%s%s", between, doubts->row[i].text);
            between = "; ";
        }
    }
    if (to != NULL && fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

void tan_doubts_print(const struct tan_doubts *doubts, enum tan_severity severity, FILE *to)
{
    const char *heading = severity == TAN_DOUBT ? "NOT TRUSTWORTHY: " : "Note: ";
    char *text = tan_doubts_text(doubts, severity);
    if (text != NULL && text[0] != '\0') {
        fputs(heading, to);
        tan_text_wrap(to, text, (int)strlen(heading), 2);
    }
    free(text);
}

int tan_doubts_fail(const struct tan_doubts *doubts, struct tan_error *e)
{
    if (tan_doubts_trusted(doubts)) {
        return 0;
    }
    char *text = tan_doubts_text(doubts, TAN_DOUBT);
    if (text == NULL || doubts->incomplete) {
        tan_fail_nomem(e);
    } else {
        tan_fail(e, "not trustworthy: %s", text);
        e->status = TAN_UNTRUSTED;
    }
    free(text);
    return -1;
}

/* The bit of a parameter's name, or all bits; 0 if there is no such parameter. */
static unsigned touch_of(const char *name)
{
    const int p = tan_choice_find(TAN_CHOICES(tan_param_keys), "", name, NULL);
    return p >= 0 ? 1u << p : strcmp(name, all) == 0 ? TAN_TOUCHES_ALL : 0;
}

static int read_touches(const struct tan_json_at *row, unsigned *touches, struct tan_error *e)
{
    const json_t *list = NULL;
    if (tan_json_required(row, "touches", tan_json_array(row, "touches", &list, e), e) < 0) {
        return -1;
    }
    const struct tan_text path = tan_printed("%s.touches", row->path);
    if (json_array_size(list) == 0) {
        return tan_fail_at(e, row->source, 0, 0, "%s must name a parameter, or \"all\"", path.text);
    }
    const struct tan_json_at names = tan_json_below(row, path.text, list);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = "";
        if (tan_json_string_at(&names, i, &name, e) < 0) {
            return -1;
        }
        if (touch_of(name) == 0) {
            return tan_fail_at(e, row->source, 0, 0, "%s: \"%s\" is not one of %s, %s", path.text,
                               name, tan_choice_list(TAN_CHOICES(tan_param_keys)).text, all);
        }
        *touches |= touch_of(name);
    }
    return 0;
}

static int read_doubt(const struct tan_json_at *row, void *to, struct tan_error *e)
{
    struct tan_doubt doubt = {.severity = TAN_DOUBT, .amount = NAN};
    const char *kind = "";
    const char *text = "";
    if (tan_json_required(row, "what", tan_json_string(row, "what", &kind, e), e) < 0 ||
        tan_json_required(row, "text", tan_json_string(row, "text", &text, e), e) < 0 ||
        tan_json_real(row, "amount", -INFINITY, INFINITY, &doubt.amount, e) < 0 ||
        read_touches(row, &doubt.touches, e) < 0) {
        return -1;
    }
    if (strlen(kind) >= sizeof doubt.kind) {
        return tan_fail_at(e, row->source, 0, 0, "%s.what must have at most %zu characters",
                           row->path, sizeof doubt.kind - 1);
    }
    strcpy(doubt.kind, kind);
    doubt.text = strdup(text);
    if (doubt.text == NULL) {
        return tan_fail_nomem(e);
    }
    tan_printable(doubt.text);
    append_doubt(to, doubt); /* keeping duplicates */
    return 0;
}

int tan_doubts_read(const struct tan_json_at *at, const char *key, enum tan_severity severity,
                    struct tan_doubts *doubts, struct tan_error *e)
{
    size_t i = doubts->n;
    const int result = tan_json_rows(at, key, SIZE_MAX, read_doubt, doubts, e);
    for (; i < doubts->n; i++) {
        doubts->row[i].severity = severity;
    }
    return result;
}

static void append_row(struct tan_json_writer *w, json_t *rows, const struct tan_doubt *doubt)
{
    json_t *object = tan_json_append_object(w, rows);
    tan_json_set_string(w, object, "what", doubt->kind);
    if (isfinite(doubt->amount)) {
        tan_json_set(w, object, "amount", tan_json_fixed(doubt->amount, 6));
    }
    json_t *touches = tan_json_set_array(w, object, "touches");
    if (doubt->touches == TAN_TOUCHES_ALL) {
        tan_json_append(w, touches, json_string(all));
    }
    for (int p = 0; p < TAN_PARAMS && doubt->touches != TAN_TOUCHES_ALL; p++) {
        if (doubt->touches & 1u << p) {
            tan_json_append(w, touches, json_string(tan_param_keys[p]));
        }
    }
    tan_json_set(w, object, "text", tan_json_text(doubt->text));
}

void tan_doubts_set(struct tan_json_writer *w, json_t *object, const char *key,
                    const struct tan_doubts *doubts, enum tan_severity severity)
{
    json_t *rows = json_object_get(object, key);
    w->failed = w->failed || doubts->incomplete;
    for (size_t i = 0; i < doubts->n; i++) {
        if (doubts->row[i].severity == severity) {
            rows = rows != NULL ? rows : tan_json_set_array(w, object, key);
            append_row(w, rows, &doubts->row[i]);
        }
    }
}

void tan_doubts_say(struct tan_json_writer *w, json_t *answer, const struct tan_doubts *doubts)
{
    w->failed |= doubts->incomplete;
    for (size_t i = 0; i < doubts->n; i++) {
        const bool doubt = doubts->row[i].severity == TAN_DOUBT;
        const char *text = doubts->row[i].text;
        const bool ends = *text != '\0' && strchr("?.", text[strlen(text) - 1]) != NULL;
        tan_reply_say(w, answer, doubt ? TAN_PART_BEFORE : TAN_PART_NOTES, "%s%s", text,
                      ends ? "" : ".");
    }
}
