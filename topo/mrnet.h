/* mrnet.h - MRNet topology files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_MRNET_H
#define TAN_TOPO_MRNET_H

#include <stdio.h>

#include "topo/tree.h"

/* The grammar ('#' starts a comment):
 *     file := rule { rule }
 *     rule := host "=>" host { host } ";"   a parent and children of it, in any order of rules
 *           | host ";"                      mentions a node
 *     host := NAME ":" INDEX                NAME: up to 255 letters, digits, '-', '.', '_', the
 *                                           first a letter or digit, not all digits;
 *                                           INDEX: 0 to 4294967295 without leading zeros
 * `source` names the text in errors, which have line and column. O(length). */
struct tan_tree *tan_mrnet_parse(const char *text, size_t length, const char *source,
                                 struct tan_error *e);
/* Write one rule per internal node; unnamed nodes become localhost:0, localhost:1, ... Fails if a
 * name does not match the grammar; the caller checks `to` for write errors. */
int tan_mrnet_write(const struct tan_tree *tree, FILE *to, struct tan_error *e);

#endif
