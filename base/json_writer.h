/* json_writer.h - building JSON documents, complete or failed
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_JSON_WRITER_H
#define TAN_BASE_JSON_WRITER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

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
void tan_json_set_string(struct tan_json_writer *w, json_t *object, const char *key,
                         const char *text);
void tan_json_set_int(struct tan_json_writer *w, json_t *object, const char *key, json_int_t value);
void tan_json_set_bool(struct tan_json_writer *w, json_t *object, const char *key, bool value);
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

void tan_json_set_fixed(struct tan_json_writer *w, json_t *object, const char *key, double value,
                        int decimals);
void tan_json_set_us(struct tan_json_writer *w, json_t *object, const char *key, double seconds);
void tan_json_set_us_digits(struct tan_json_writer *w, json_t *object, const char *key,
                            double seconds, int digits);

/* Save `document` like tan_json_save, and release it; fails if it is NULL, the result of a failed
 * tan_json_finish. */
int tan_json_save_new(const char *path, json_t *document, struct tan_error *e);

#endif
