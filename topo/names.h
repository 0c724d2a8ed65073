/* names.h - names with numbers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_NAMES_H
#define TAN_TOPO_NAMES_H

#include <stdint.h>

#include "base/error.h"

/* Distinct names, numbered from 0 in the order in which they were first added. */
struct tan_names;

struct tan_names *tan_names_create(struct tan_error *e);
void tan_names_destroy(struct tan_names *names);
/* The number of `name`, which is copied when it is new; -1 when memory is short. O(1). */
int32_t tan_names_add(struct tan_names *names, const char *name, struct tan_error *e);
/* The number of `name`, -1 when it is not there. O(1). */
int32_t tan_names_find(const struct tan_names *names, const char *name);
int32_t tan_names_count(const struct tan_names *names);
/* tan_names_count names, valid until the next tan_names_add. */
const char *const *tan_names_list(const struct tan_names *names);

#endif
