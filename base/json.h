/* json.h - reading and writing JSON (Jansson), with errors that name file and key
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_JSON_H
#define TAN_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* A position in a document, for error messages: the file, and the dotted name of an object in it
 * ("" for the top). Borrows everything but `asked`, which tan_json_end frees. */
struct tan_json_at {
    const char *source;
    const char *path;
    const json_t *object;
    json_t *asked; /* keys requested through the getters; NULL: not recorded */
};
/* `object` below `at`, with the dotted name `path`. */
struct tan_json_at tan_json_below(const struct tan_json_at *at, const char *path,
                                  const json_t *object);

/* A misspelled optional key would be ignored silently. A reader therefore calls tan_json_begin,
 * passes the position on with tan_json_below, and calls tan_json_end, which reports the keys that
 * no getter requested, with the most similar one that was requested. Objects from which nothing was
 * requested are skipped, and so are the keys "comment", "$schema" and those that start with "x_" or
 * "_". */

/* Report unknown keys to `to` from now on; NULL, the default: nowhere. */
void tan_json_notes_to(FILE *to);

/* The top of `document`; every call needs one of tan_json_end. */
struct tan_json_at tan_json_begin(const char *source, const json_t *document);
/* `read`: whether the whole document was read without an error; otherwise nothing is reported. */
void tan_json_end(struct tan_json_at *top, bool read);

/* Record a request for `key`; TAN_JSON_ALL accepts all remaining keys. */
#define TAN_JSON_ALL "*"
void tan_json_ask(const struct tan_json_at *at, const char *key);

/* Load a document from `path` ("-": stdin); syntax errors are reported as file:line:column, and
 * duplicate keys are errors. The caller owns the reference; NULL with an error. */
json_t *tan_json_load(const char *path, struct tan_error *e);
/* The same from memory, without a byte order mark; `source` names it in errors. */
json_t *tan_json_parse(const char *text, size_t length, const char *source, struct tan_error *e);
/* Write `value` to `path` ("-": stdout), indented, with keys in insertion order and reals with 15
 * significant digits. */
int tan_json_save(const char *path, const json_t *value, struct tan_error *e);
/* Last resort for measurements that cannot be repeated and could not be saved for the reason in
 * `e`: write `value` to a new file in $TMPDIR, or else /tmp, and append its name to the error.
 * Returns -1. */
int tan_json_rescue(const json_t *value, struct tan_error *e);

/* Typed getters: each returns 1 and sets *value if the key is present and valid, 0 if it is absent
 * or null (*value is unchanged), -1 with an error naming source, path, key and allowed values. */
int tan_json_real(const struct tan_json_at *at, const char *key, double min, double max,
                  double *value, struct tan_error *e);
int tan_json_int(const struct tan_json_at *at, const char *key, int64_t min, int64_t max,
                 int64_t *value, struct tan_error *e);
int tan_json_bool(const struct tan_json_at *at, const char *key, bool *value, struct tan_error *e);
/* In the next three *value is borrowed from the document. */
int tan_json_string(const struct tan_json_at *at, const char *key, const char **value,
                    struct tan_error *e);
int tan_json_object(const struct tan_json_at *at, const char *key, const json_t **value,
                    struct tan_error *e);
int tan_json_array(const struct tan_json_at *at, const char *key, const json_t **value,
                   struct tan_error *e);
/* The same for element `index` of an array; at->object is the array and at->path its name. */
int tan_json_int_at(const struct tan_json_at *at, size_t index, int64_t min, int64_t max,
                    int64_t *value, struct tan_error *e);
int tan_json_string_at(const struct tan_json_at *at, size_t index, const char **value,
                       struct tan_error *e);
/* Pass every element of the array under `key`, and `to`, to `read`. Returns 1; 0 if the array is
 * absent; -1 with an error if it has more than `most` elements, if one is not an object, or as soon
 * as `read` returns -1. */
typedef int tan_json_row_reader(const struct tan_json_at *row, void *to, struct tan_error *e);
int tan_json_rows(const struct tan_json_at *at, const char *key, size_t most,
                  tan_json_row_reader *read, void *to, struct tan_error *e);
/* Turn a getter's `result` into 0 or -1: it is an error that the key is absent. */
int tan_json_required(const struct tan_json_at *at, const char *key, int result,
                      struct tan_error *e);
/* Fail unless the top value is an object with `"schema": schema`. */
int tan_json_schema(const struct tan_json_at *at, const char *schema, struct tan_error *e);

/* A document under construction. A value that cannot be added (out of memory, text that is not
 * valid UTF-8, a required number that is not finite) sets `failed`, which only tan_json_finish
 * needs to check. Objects and arrays may be NULL after a failure; a NULL value counts as one.
 * Values are always consumed; keys keep their insertion order. */
struct tan_json_writer {
    bool failed; /* false initially */
};

/* An object without a parent yet, owned by the caller until passed to tan_json_finish, tan_json_set
 * or tan_json_append. */
json_t *tan_json_new_object(struct tan_json_writer *w);
/* Returns the finished `document`; after a failure releases it and returns NULL. */
json_t *tan_json_finish(struct tan_json_writer *w, json_t *document);

void tan_json_set(struct tan_json_writer *w, json_t *object, const char *key, json_t *value);
/* NULL: without the key. */
void tan_json_set_string(struct tan_json_writer *w, json_t *object, const char *key,
                         const char *text);
void tan_json_set_int(struct tan_json_writer *w, json_t *object, const char *key, json_int_t value);
/* 0 or less, unknown: without the key. */
void tan_json_set_count(struct tan_json_writer *w, json_t *object, const char *key,
                        json_int_t count);
void tan_json_set_bool(struct tan_json_writer *w, json_t *object, const char *key, bool value);
/* False: without the key. */
void tan_json_set_true(struct tan_json_writer *w, json_t *object, const char *key, bool value);
/* NaN, unknown: without the key. */
void tan_json_set_real(struct tan_json_writer *w, json_t *object, const char *key, double value);
/* The pair [low, high]. */
void tan_json_set_pair(struct tan_json_writer *w, json_t *object, const char *key, json_t *low,
                       json_t *high);
void tan_json_append(struct tan_json_writer *w, json_t *array, json_t *value);

/* Add a new, empty object or array; borrowed from its parent. */
json_t *tan_json_set_object(struct tan_json_writer *w, json_t *object, const char *key);
json_t *tan_json_set_array(struct tan_json_writer *w, json_t *object, const char *key);
json_t *tan_json_append_object(struct tan_json_writer *w, json_t *array);
json_t *tan_json_append_array(struct tan_json_writer *w, json_t *array);

/* Text from outside, such as a command line: if it is not valid UTF-8, all its bytes beyond ASCII
 * become "?". */
json_t *tan_json_text(const char *text);

/* Numbers are rounded in two ways. Measured times have an absolute precision, since no clock
 * resolves more than nanoseconds. Parameters, and values computed from them, have a relative one: a
 * time per byte may be a millionth of a nanosecond, and a machine file must store 49.3 as 49.3. */

/* `value` with `decimals` decimals; null if not finite, that is, not measured. */
json_t *tan_json_fixed(double value, int decimals);
/* Measured seconds as microseconds, to the nanosecond; null if not finite. */
json_t *tan_json_us(double seconds);
/* Seconds as microseconds with `digits` significant digits, at most TAN_JSON_DIGITS; NULL (a
 * failure) if not finite. */
enum { TAN_JSON_DIGITS = 15 }; /* the most that are unchanged by reading and writing them again */
json_t *tan_json_us_digits(double seconds, int digits);
/* A number with so many significant digits; NULL if it is not finite. */
json_t *tan_json_rounded(double value, int digits);

void tan_json_set_fixed(struct tan_json_writer *w, json_t *object, const char *key, double value,
                        int decimals);
void tan_json_set_us(struct tan_json_writer *w, json_t *object, const char *key, double seconds);
void tan_json_set_us_digits(struct tan_json_writer *w, json_t *object, const char *key,
                            double seconds, int digits);

/* Save `document` like tan_json_save, and release it; fails if it is NULL, the result of a failed
 * tan_json_finish. */
int tan_json_save_new(const char *path, json_t *document, struct tan_error *e);

#endif
