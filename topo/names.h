/* names.h - numbering of names
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_NAMES_H
#define TAN_TOPO_NAMES_H

#include <stdint.h>

#include "base/error.h"

/* Distinct names, numbered from 0 in insertion order. */
struct tan_names;

struct tan_names *tan_names_create(struct tan_error *e);
void tan_names_destroy(struct tan_names *names);
/* The number of `name`, which is copied if new; -1 when memory is short or TAN_TREE_MAX_NODES names
 * are known already. O(1). */
int32_t tan_names_add(struct tan_names *names, const char *name, struct tan_error *e);
/* The number of `name`, -1 if absent. O(1). */
int32_t tan_names_find(const struct tan_names *names, const char *name);
int32_t tan_names_count(const struct tan_names *names);
/* tan_names_count names, valid until the next tan_names_add. */
const char *const *tan_names_list(const struct tan_names *names);

#endif
