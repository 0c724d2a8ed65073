/* json_keys.c - notes about unknown keys in JSON files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"

struct tan_json_at tan_json_below(const struct tan_json_at *at, const char *path,
                                  const json_t *object)
{
    return (struct tan_json_at){at->source, path, object, at->asked};
}

static FILE *notes;

void tan_json_notes_to(FILE *to)
{
    notes = to;
}

struct tan_json_at tan_json_begin(const char *source, const json_t *document)
{
    return (struct tan_json_at){source, "", document, notes == NULL ? NULL : json_object()};
}

/* Requested keys are recorded as {"": {"name": true}, "tan": {"L_us": true}}. */
void tan_json_ask(const struct tan_json_at *at, const char *key)
{
    if (at->asked == NULL) {
        return;
    }
    json_t *keys = json_object_get(at->asked, at->path);
    if (keys == NULL) {
        keys = json_object();
        json_object_set_new(at->asked, at->path, keys);
    }
    json_object_set_new(keys, key, json_true());
}

/* Levenshtein distance. */
static size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    size_t row[LONGEST + 1];
    const size_t n = strlen(b);
    if (strlen(a) > LONGEST || n > LONGEST) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t before = row[0]++;
        for (size_t j = 0; j < n; j++) {
            const size_t replaced = before + (a[i] != b[j]);
            const size_t other = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            before = row[j + 1];
            row[j + 1] = replaced < other ? replaced : other;
        }
    }
    return row[n];
}

/* The key of `keys` closest to `key`; NULL if none is close. */
static const char *nearest_key(const char *key, json_t *keys)
{
    const char *best = NULL;
    size_t least = strlen(key) / 2 + 2;
    const char *name;
    json_t *value;
    json_object_foreach(keys, name, value)
    {
        size_t d = edit_distance(key, name);
        if (strncmp(name, key, strlen(key)) == 0) { /* "g" for "g_us" */
            d = 1;
        }
        if (d < least) {
            least = d;
            best = name;
        }
    }
    return best;
}

static bool is_kept(const char *key)
{
    return key[0] == '_' || strncmp(key, "x_", 2) == 0 || strcmp(key, "comment") == 0 ||
           strcmp(key, "$schema") == 0;
}

static void note_key(const struct tan_json_at *at, const char *key, json_t *keys)
{
    const char *like = nearest_key(key, keys);
    char text[512];
    snprintf(text, sizeof text, "%s: nothing reads \"%s%s%s\"", at->source, at->path,
             at->path[0] == '\0' ? "" : ".", key);
    fprintf(notes, "Note: %s", tan_printable(text));
    if (like != NULL) {
        fprintf(notes, "; did you mean \"%s\"?", like);
    }
    fputc('\n', notes);
}

/* Report the unknown keys of the object `at` and of the objects below it that were read. */
static void note_unknown_keys(const struct tan_json_at *at, json_t *noted)
{
    json_t *keys = json_object_get(at->asked, at->path);
    const char *key;
    json_t *value;
    if (keys == NULL) {
        return;
    }
    json_object_foreach((json_t *)(uintptr_t)at->object, key, value)
    {
        char path[256];
        const int length =
            snprintf(path, sizeof path, "%s%s%s", at->path, at->path[0] == '\0' ? "" : ".", key);
        if (json_object_get(keys, key) == NULL) {
            if (json_object_get(keys, TAN_JSON_ALL) == NULL && !is_kept(key) &&
                json_object_get(noted, key) == NULL) {
                json_object_set_new(noted, key, json_true()); /* once, not for every row */
                note_key(at, key, keys);
            }
        } else if (json_is_object(value)) {
            const struct tan_json_at below = tan_json_below(at, path, value);
            note_unknown_keys(&below, noted);
        }
        for (size_t i = 0; i < json_array_size(value) && length < 200; i++) {
            const json_t *row = json_array_get(value, i);
            if (json_is_object(row)) {
                snprintf(path + length, sizeof path - (size_t)length, "[%zu]", i);
                const struct tan_json_at below = tan_json_below(at, path, row);
                note_unknown_keys(&below, noted);
            }
        }
    }
}

void tan_json_end(struct tan_json_at *top, bool read)
{
    if (top->asked != NULL && read && json_is_object(top->object)) {
        json_t *noted = json_object();
        note_unknown_keys(top, noted);
        json_decref(noted);
    }
    json_decref(top->asked);
    top->asked = NULL;
}
