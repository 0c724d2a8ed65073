/* json.c - reading and writing JSON (Jansson), with errors that name file and key
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"

json_t *tan_json_parse(const char *text, size_t length, const char *source, struct tan_error *e)
{
    json_error_t problem;
    json_t *document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (document == NULL) {
        tan_fail_at(e, source, problem.line, problem.column, "not valid JSON: %s", problem.text);
    }
    return document;
}

json_t *tan_json_load(const char *path, struct tan_error *e)
{
    size_t length;
    char *text = tan_read_text(path, &length, e);
    if (text == NULL) {
        return NULL;
    }
    json_t *document = tan_json_parse(text, length, tan_input_name(path), e);
    free(text);
    return document;
}

int tan_json_save(const char *path, const json_t *value, struct tan_error *e)
{
    struct tan_output *output = tan_output_open(path, e);
    if (output == NULL) {
        return -1;
    }
    /* 15 digits print 49.3 as 49.3; 17 would print 49.299999999999997. */
    const size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY;
    FILE *to = tan_output_stream(output);
    if (json_dumpf(value, to, flags) < 0 && !ferror(to)) {
        tan_output_discard(output);
        return tan_fail_nomem(e);
    }
    fputc('\n', to);
    return tan_output_commit(output, e);
}

int tan_json_rescue(const json_t *value, struct tan_error *e)
{
    const char *folder = getenv("TMPDIR");
    const size_t used = strlen(e->text);
    struct tan_error ignored = TAN_ERROR_INIT;
    char path[sizeof e->text];
    const int length = snprintf(path, sizeof path, "%s/tanbench-XXXXXX.json",
                                folder == NULL || *folder == '\0' ? "/tmp" : folder);
    const int file = length < (int)sizeof path ? mkstemps(path, (int)strlen(".json")) : -1;
    if (file < 0) {
        return -1;
    }
    close(file);
    if (tan_json_save(path, value, &ignored) < 0) {
        unlink(path);
    } else {
        snprintf(e->text + used, sizeof e->text - used, "; what was measured is kept in %s", path);
    }
    return -1;
}

/* A value and its location: under `key` of an object, or if that is NULL, `index` of an array. */
struct place {
    const struct tan_json_at *at;
    const char *key;
    size_t index;
    const json_t *value; /* NULL if absent or null */
};

static struct place value_under(const struct tan_json_at *at, const char *key)
{
    tan_json_ask(at, key);
    const json_t *value = json_object_get(at->object, key);
    return (struct place){at, key, 0, json_is_null(value) ? NULL : value};
}

static struct place value_at(const struct tan_json_at *at, size_t index)
{
    const json_t *value = json_array_get(at->object, index);
    return (struct place){at, NULL, index, json_is_null(value) ? NULL : value};
}

/* "tan.L_us" */
static struct tan_text path_of(const struct tan_json_at *at, const char *key)
{
    return tan_printed("%s%s%s", at->path, at->path[0] == '\0' ? "" : ".", key);
}

/* The same, or "parents[3]" */
static struct tan_text name_of(const struct place *place)
{
    return place->key != NULL ? path_of(place->at, place->key)
                              : tan_printed("%s[%zu]", place->at->path, place->index);
}

/* A value of the wrong type, for an error message. */
static struct tan_text value_text(const json_t *value)
{
    static const char *const others[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
        [JSON_TRUE] = "true",        [JSON_FALSE] = "false",    [JSON_NULL] = "null",
    };
    if (json_is_integer(value)) {
        return tan_printed("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    }
    if (json_is_real(value)) {
        const struct tan_text text = tan_printed("%g", json_real_value(value));
        const bool whole = text.text[strcspn(text.text, ".e")] == '\0';
        return tan_printed("%s%s", text.text, whole ? ".0" : ""); /* 2.0 is not an integer */
    }
    return tan_printed("%s", others[json_typeof(value)]);
}

static int refuse_value(const struct place *place, const char *allowed, struct tan_error *e)
{
    return tan_fail_at(e, place->at->source, 0, 0, "%s must be %s, not %s", name_of(place).text,
                       allowed, value_text(place->value).text);
}

static int read_int(const struct place *place, int64_t min, int64_t max, int64_t *value,
                    struct tan_error *e)
{
    if (place->value == NULL) {
        return 0;
    }
    const json_int_t number = json_integer_value(place->value);
    if (json_is_integer(place->value) && number >= min && number <= max) {
        *value = number;
        return 1;
    }
    const struct tan_text allowed =
        max == INT64_MAX ? tan_printed("a whole number of at least %" PRId64, min)
                         : tan_printed("a whole number from %" PRId64 " to %" PRId64, min, max);
    return refuse_value(place, allowed.text, e);
}

static int read_string(const struct place *place, const char **value, struct tan_error *e)
{
    if (place->value == NULL) {
        return 0;
    }
    if (!json_is_string(place->value)) {
        return refuse_value(place, "a string", e);
    }
    *value = json_string_value(place->value);
    return 1;
}

int tan_json_real(const struct tan_json_at *at, const char *key, double min, double max,
                  double *value, struct tan_error *e)
{
    const struct place place = value_under(at, key);
    if (place.value == NULL) {
        return 0;
    }
    const double number = json_number_value(place.value);
    if (json_is_number(place.value) && number >= min && number <= max) {
        *value = number;
        return 1;
    }
    const struct tan_text allowed = isinf(min) && isinf(max) ? tan_printed("a number")
                                    : isinf(max) ? tan_printed("a number of at least %g", min)
                                                 : tan_printed("a number from %g to %g", min, max);
    return refuse_value(&place, allowed.text, e);
}

int tan_json_int(const struct tan_json_at *at, const char *key, int64_t min, int64_t max,
                 int64_t *value, struct tan_error *e)
{
    const struct place place = value_under(at, key);
    return read_int(&place, min, max, value, e);
}

int tan_json_int_at(const struct tan_json_at *at, size_t index, int64_t min, int64_t max,
                    int64_t *value, struct tan_error *e)
{
    const struct place place = value_at(at, index);
    return read_int(&place, min, max, value, e);
}

int tan_json_bool(const struct tan_json_at *at, const char *key, bool *value, struct tan_error *e)
{
    const struct place place = value_under(at, key);
    if (place.value == NULL) {
        return 0;
    }
    if (!json_is_boolean(place.value)) {
        return refuse_value(&place, "true or false", e);
    }
    *value = json_is_true(place.value);
    return 1;
}

int tan_json_string(const struct tan_json_at *at, const char *key, const char **value,
                    struct tan_error *e)
{
    const struct place place = value_under(at, key);
    return read_string(&place, value, e);
}

int tan_json_string_at(const struct tan_json_at *at, size_t index, const char **value,
                       struct tan_error *e)
{
    const struct place place = value_at(at, index);
    return read_string(&place, value, e);
}

/* `allowed`: what `type` is called in errors. */
static int read_typed(const struct tan_json_at *at, const char *key, json_type type,
                      const char *allowed, const json_t **value, struct tan_error *e)
{
    const struct place place = value_under(at, key);
    if (place.value == NULL) {
        return 0;
    }
    if (json_typeof(place.value) != type) {
        return refuse_value(&place, allowed, e);
    }
    *value = place.value;
    return 1;
}

int tan_json_object(const struct tan_json_at *at, const char *key, const json_t **value,
                    struct tan_error *e)
{
    return read_typed(at, key, JSON_OBJECT, "an object", value, e);
}

int tan_json_array(const struct tan_json_at *at, const char *key, const json_t **value,
                   struct tan_error *e)
{
    return read_typed(at, key, JSON_ARRAY, "an array", value, e);
}

int tan_json_rows(const struct tan_json_at *at, const char *key, size_t most,
                  tan_json_row_reader *read, void *to, struct tan_error *e)
{
    const json_t *array = NULL;
    const int found = tan_json_array(at, key, &array, e);
    if (json_array_size(array) > most) {
        return tan_fail_at(e, at->source, 0, 0, "%s must hold at most %zu rows",
                           path_of(at, key).text, most);
    }
    for (size_t i = 0; i < json_array_size(array); i++) {
        const struct tan_text path = tan_printed("%s[%zu]", path_of(at, key).text, i);
        const struct tan_json_at row = tan_json_below(at, path.text, json_array_get(array, i));
        if (!json_is_object(row.object)) {
            return tan_fail_at(e, at->source, 0, 0, "%s must be an object", path.text);
        }
        if (read(&row, to, e) < 0) {
            return -1;
        }
    }
    return found;
}

int tan_json_required(const struct tan_json_at *at, const char *key, int result,
                      struct tan_error *e)
{
    if (result == 0) {
        return tan_fail_at(e, at->source, 0, 0, "%s is missing", path_of(at, key).text);
    }
    return result < 0 ? -1 : 0;
}

int tan_json_schema(const struct tan_json_at *at, const char *schema, struct tan_error *e)
{
    const char *found = NULL;
    if (!json_is_object(at->object)) {
        return tan_fail_at(e, at->source, 0, 0, "must be an object with \"schema\": \"%s\"",
                           schema);
    }
    if (tan_json_required(at, "schema", tan_json_string(at, "schema", &found, e), e) < 0) {
        return -1;
    }
    if (strcmp(found, schema) != 0) {
        return tan_fail_at(e, at->source, 0, 0, "schema must be \"%s\", not \"%s\"", schema, found);
    }
    return 0;
}

/* Unknown keys */

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

/* The key of `keys` closest to `key`; NULL if none is close. */
static const char *nearest_key(const char *key, json_t *keys)
{
    struct tan_nearest nearest = tan_nearest_to(key, strlen(key));
    const char *name;
    json_t *value;
    json_object_foreach(keys, name, value)
    {
        if (strncmp(name, key, strlen(key)) == 0) { /* "g" for "g_us" */
            return name;
        }
        tan_nearest_try(&nearest, name);
    }
    return nearest.name;
}

static bool is_kept(const char *key)
{
    return key[0] == '_' || strncmp(key, "x_", 2) == 0 || strcmp(key, "comment") == 0 ||
           strcmp(key, "$schema") == 0;
}

static void note_key(const struct tan_json_at *at, const char *key, json_t *keys)
{
    const char *like = nearest_key(key, keys);
    struct tan_text text =
        tan_printed("%s: nothing reads \"%s\"", at->source, path_of(at, key).text);
    fprintf(notes, "Note: %s", tan_printable(text.text));
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
        const struct tan_text path = path_of(at, key);
        if (json_object_get(keys, key) == NULL) {
            if (json_object_get(keys, TAN_JSON_ALL) == NULL && !is_kept(key) &&
                json_object_get(noted, key) == NULL) {
                json_object_set_new(noted, key, json_true()); /* once, not for every row */
                note_key(at, key, keys);
            }
        } else if (json_is_object(value)) {
            const struct tan_json_at below = tan_json_below(at, path.text, value);
            note_unknown_keys(&below, noted);
        }
        for (size_t i = 0; i < json_array_size(value); i++) {
            const json_t *row = json_array_get(value, i);
            if (json_is_object(row)) {
                const struct tan_text of_row = tan_printed("%s[%zu]", path.text, i);
                const struct tan_json_at below = tan_json_below(at, of_row.text, row);
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

json_t *tan_json_new_object(struct tan_json_writer *w)
{
    json_t *object = json_object();
    w->failed |= object == NULL;
    return object;
}

json_t *tan_json_finish(struct tan_json_writer *w, json_t *document)
{
    if (w->failed) {
        json_decref(document);
        return NULL;
    }
    return document;
}

void tan_json_set(struct tan_json_writer *w, json_t *object, const char *key, json_t *value)
{
    w->failed |= json_object_set_new(object, key, value) != 0;
}

void tan_json_set_string(struct tan_json_writer *w, json_t *object, const char *key,
                         const char *text)
{
    if (text != NULL) {
        tan_json_set(w, object, key, json_string(text));
    }
}

void tan_json_set_int(struct tan_json_writer *w, json_t *object, const char *key, json_int_t value)
{
    tan_json_set(w, object, key, json_integer(value));
}

void tan_json_set_count(struct tan_json_writer *w, json_t *object, const char *key,
                        json_int_t count)
{
    if (count > 0) {
        tan_json_set_int(w, object, key, count);
    }
}

void tan_json_set_bool(struct tan_json_writer *w, json_t *object, const char *key, bool value)
{
    tan_json_set(w, object, key, json_boolean(value));
}

void tan_json_set_true(struct tan_json_writer *w, json_t *object, const char *key, bool value)
{
    if (value) {
        tan_json_set_bool(w, object, key, true);
    }
}

void tan_json_set_real(struct tan_json_writer *w, json_t *object, const char *key, double value)
{
    if (!isnan(value)) {
        tan_json_set(w, object, key, json_real(value));
    }
}

void tan_json_set_pair(struct tan_json_writer *w, json_t *object, const char *key, json_t *low,
                       json_t *high)
{
    json_t *pair = tan_json_set_array(w, object, key);
    tan_json_append(w, pair, low);
    tan_json_append(w, pair, high);
}

void tan_json_append(struct tan_json_writer *w, json_t *array, json_t *value)
{
    w->failed |= json_array_append_new(array, value) != 0;
}

/* `result`: of the Jansson call that added `value` to the document. Returns `value`; if the call
 * failed, NULL, since Jansson has released it. */
static json_t *check_placed(struct tan_json_writer *w, int result, json_t *value)
{
    w->failed |= result != 0;
    return result == 0 ? value : NULL;
}

json_t *tan_json_set_object(struct tan_json_writer *w, json_t *object, const char *key)
{
    json_t *value = json_object();
    return check_placed(w, json_object_set_new(object, key, value), value);
}

json_t *tan_json_set_array(struct tan_json_writer *w, json_t *object, const char *key)
{
    json_t *value = json_array();
    return check_placed(w, json_object_set_new(object, key, value), value);
}

json_t *tan_json_append_object(struct tan_json_writer *w, json_t *array)
{
    json_t *value = json_object();
    return check_placed(w, json_array_append_new(array, value), value);
}

json_t *tan_json_append_array(struct tan_json_writer *w, json_t *array)
{
    json_t *value = json_array();
    return check_placed(w, json_array_append_new(array, value), value);
}

json_t *tan_json_text(const char *text)
{
    json_t *value = json_string(text);
    char *ascii = value == NULL ? strdup(text) : NULL;
    for (char *c = ascii; c != NULL && *c != '\0'; c++) {
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    }
    value = ascii != NULL ? json_string(ascii) : value;
    free(ascii);
    return value;
}

json_t *tan_json_fixed(double value, int decimals)
{
    const double units = pow(10.0, decimals);
    return isfinite(value) ? json_real(round(value * units) / units) : json_null();
}

json_t *tan_json_us(double seconds)
{
    return tan_json_fixed(seconds * 1e6, 3);
}

json_t *tan_json_rounded(double value, int digits)
{
    return json_real(strtod(tan_printed("%.*g", digits, value).text, NULL));
}

json_t *tan_json_us_digits(double seconds, int digits)
{
    return tan_json_rounded(seconds / 1e-6, digits);
}

void tan_json_set_fixed(struct tan_json_writer *w, json_t *object, const char *key, double value,
                        int decimals)
{
    tan_json_set(w, object, key, tan_json_fixed(value, decimals));
}

void tan_json_set_us(struct tan_json_writer *w, json_t *object, const char *key, double seconds)
{
    tan_json_set(w, object, key, tan_json_us(seconds));
}

void tan_json_set_us_digits(struct tan_json_writer *w, json_t *object, const char *key,
                            double seconds, int digits)
{
    tan_json_set(w, object, key, tan_json_us_digits(seconds, digits));
}

int tan_json_save_new(const char *path, json_t *document, struct tan_error *e)
{
    if (document == NULL) {
        return tan_fail(e,
                        "cannot write %s: a string is not valid UTF-8, a number is not finite, or "
                        "memory is short",
                        path);
    }
    const int result = tan_json_save(path, document, e);
    json_decref(document);
    return result;
}
