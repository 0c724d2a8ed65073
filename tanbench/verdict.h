/* verdict.h - what must be said of a measured cell before anybody believes it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_VERDICT_H
#define TANBENCH_VERDICT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "tanbench/results.h"

/* Print what is noteworthy of every cell, and what the intervals are about: the lines under the
 * table. */
void verdict_print(const struct results *r, FILE *to);

/* Which cells should not be trusted, and why, in one sentence; false when there are none. */
bool verdict_untrusted(const struct results *r, char *text, size_t size);

/* The same for one cell as results have it: "trustworthy", and "warnings" as sentences. */
void verdict_add_json(const struct results *r, const struct result *result, json_t *cell);

#endif
