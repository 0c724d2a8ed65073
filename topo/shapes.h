/* shapes.h - table of the tree shapes that specs name
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_SHAPES_H
#define TAN_TOPO_SHAPES_H

#include "topo/tree.h"

/* Arguments of a shape. */
struct tan_shape_request {
    const char *spec;  /* the whole spec, for errors */
    const char *text;  /* what follows the shape's name and colon */
    int64_t number[2]; /* the numbers in it, as many as the row's placeholders */
};

struct tan_shape {
    const char *name;
    /* The text after the colon. H, N, K and SEED (joined by colons) are numbers that arrive checked
     * in request->number; a shape with other placeholders reads request->text itself. */
    const char *arguments;
    const char *help;
    struct tan_tree *(*build)(const struct tan_shape_request *request, struct tan_error *e);
};
/* A row with name NULL ends the table. */
extern const struct tan_shape tan_shapes[];

#endif
