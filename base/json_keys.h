/* json_keys.h - notes about keys of JSON files that nothing reads
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_JSON_KEYS_H
#define BASE_JSON_KEYS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* A position in a document, for error texts: which file, and the dotted name of an object in it
 * ("" for the top). Not owning. */
struct tan_json_at {
    const char *source;
    const char *path;
    const json_t *object;
    json_t *asked; /* NULL, or what the getters were asked for */
};
/* `object` below `at`, under the dotted name `path`. */
struct tan_json_at tan_json_below(const struct tan_json_at *at, const char *path,
                                  const json_t *object);

/* A misspelled optional key does nothing, which nobody would notice. A reader begins with
 * tan_json_begin, passes the position on with tan_json_below, and ends with tan_json_end: keys of
 * the objects that it has read and that no getter was asked for are then named on `to`, with the
 * nearest key that is read. Objects of which nothing was asked are kept as they are, and so are the
 * keys "comment", "$schema" and those that start with "x_" or "_". */

/* Where the notes of this process go: NULL (the default): nowhere. */
void tan_json_notes_to(FILE *to);

/* The top of `document`, to be ended. */
struct tan_json_at tan_json_begin(const char *source, const json_t *document);
/* `read`: whether all was read; without that nothing is said. */
void tan_json_end(struct tan_json_at *top, bool read);

/* A getter was asked for `key`; TAN_JSON_ALL: whatever else is there, is kept. */
#define TAN_JSON_ALL "*"
void tan_json_ask(const struct tan_json_at *at, const char *key);

#endif
