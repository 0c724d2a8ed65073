/* json_writer.h - JSON documents, complete or failed
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_JSON_WRITER_H
#define TAN_BASE_JSON_WRITER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/* One document being built. A value that cannot be added (out of memory, a text is not valid UTF-8,
 * a required number is not finite) sets `failed`, which need not be checked before tan_json_finish.
 * Objects and arrays may be NULL after a failure, and values may be NULL, which is one. Values are
 * always taken over; keys are in the order in which they are set. */
struct tan_json_writer {
    bool failed; /* starts as false */
};

/* An object that has no parent yet; the caller owns it, and a document is made of it by
 * tan_json_finish, tan_json_set or tan_json_append. */
json_t *tan_json_new_object(struct tan_json_writer *w);
/* The finished `document`; once anything has failed it is released, and NULL is returned. */
json_t *tan_json_finish(struct tan_json_writer *w, json_t *document);
/* The finished `document` as a line for a program that reads along, and release it; nothing once
 * anything has failed. */
void tan_json_finish_line(struct tan_json_writer *w, json_t *document, FILE *to);

void tan_json_set(struct tan_json_writer *w, json_t *object, const char *key, json_t *value);
void tan_json_set_string(struct tan_json_writer *w, json_t *object, const char *key,
                         const char *text);
void tan_json_set_int(struct tan_json_writer *w, json_t *object, const char *key, json_int_t value);
void tan_json_set_bool(struct tan_json_writer *w, json_t *object, const char *key, bool value);
void tan_json_set_real(struct tan_json_writer *w, json_t *object, const char *key, double value);
/* [low, high] of two values. */
void tan_json_set_pair(struct tan_json_writer *w, json_t *object, const char *key, json_t *low,
                       json_t *high);
void tan_json_append(struct tan_json_writer *w, json_t *array, json_t *value);

/* A new object or array in its place, to be filled; borrowed from its parent. */
json_t *tan_json_set_object(struct tan_json_writer *w, json_t *object, const char *key);
json_t *tan_json_set_array(struct tan_json_writer *w, json_t *object, const char *key);
json_t *tan_json_append_object(struct tan_json_writer *w, json_t *array);
json_t *tan_json_append_array(struct tan_json_writer *w, json_t *array);

/* A text from outside, such as a command line: bytes that are not UTF-8 become "?". */
json_t *tan_json_text(const char *text);

/* Numbers are rounded in two ways. Measured times have an absolute precision: no clock resolves
 * more than nanoseconds. Parameters, and values computed from them, have a relative one: a time per
 * byte may be a millionth of a nanosecond, and a machine file must hold 49.3 as 49.3. */

/* `value` with `decimals` decimals; null where it is not finite: nothing was measured. */
json_t *tan_json_fixed(double value, int decimals);
/* Measured seconds as microseconds, to the nanosecond; null where they are not finite. */
json_t *tan_json_us(double seconds);
/* Seconds as microseconds with `digits` significant digits, at most TAN_JSON_DIGITS; NULL (a
 * failure) where they are not finite. */
enum { TAN_JSON_DIGITS = 15 }; /* the most that a load and a save reproduce */
json_t *tan_json_us_digits(double seconds, int digits);

void tan_json_set_fixed(struct tan_json_writer *w, json_t *object, const char *key, double value,
                        int decimals);
void tan_json_set_us(struct tan_json_writer *w, json_t *object, const char *key, double seconds);
void tan_json_set_us_digits(struct tan_json_writer *w, json_t *object, const char *key,
                            double seconds, int digits);

/* Take over `document`, whose writer has returned NULL when it failed, and write it as
 * tan_json_save does. */
int tan_json_save_new(const char *path, json_t *document, struct tan_error *e);

#endif
