/* tree_output.h - tree written by --output, and its format
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_DESIGN_TREE_OUTPUT_H
#define TAN_CMD_TAN_DESIGN_TREE_OUTPUT_H

#include <jansson.h>

#include "cmd/tan-design/config.h"

/* List the formats. */
void tree_output_help(FILE *to);
/* Set the option --format. */
int tree_output_set_format(void *config, const char *what, const char *value, struct tan_error *e);
/* The format from --format or the ending of the file of --output; NULL and an error if neither
 * tells. */
const struct tan_format *tree_output_format(const struct config *c, struct tan_error *e);
/* Write a recommended tree to the file of --output, its processes in depth-first order, so that
 * whoever puts them on hosts in the order of the file has subtrees on consecutive hosts. If the
 * format has comments, the document's answer comes first. */
int tree_output_write(const struct config *c, const struct tan_tree *tree, const json_t *document,
                      struct tan_error *e);
/* Write a given tree there, its processes in its own order. */
int tree_output_convert(const struct config *c, const char *spec, struct tan_error *e);

#endif
