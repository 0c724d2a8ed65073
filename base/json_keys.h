/* json_keys.h - notes about unknown keys in JSON files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_JSON_KEYS_H
#define TAN_BASE_JSON_KEYS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

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

#endif
