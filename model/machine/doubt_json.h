/* doubt_json.h - doubts as rows of a JSON file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_MACHINE_DOUBT_JSON_H
#define MODEL_MACHINE_DOUBT_JSON_H

#include "base/json.h"
#include "base/json_writer.h"
#include "model/machine/doubt.h"

/* Read the array `key` of an object; absent: none. */
int tan_doubts_read(const struct tan_json_at *at, const char *key, struct tan_doubts *doubts,
                    struct tan_error *e);
/* Set `key` to an array with a row for each doubt; no rows, no key. */
void tan_doubts_set(struct tan_json_writer *w, json_t *object, const char *key,
                    const struct tan_doubts *doubts);

#endif
