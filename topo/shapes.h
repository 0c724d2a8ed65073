/* shapes.h - table of the tree shapes in specs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_SHAPES_H
#define TAN_TOPO_SHAPES_H

#include "topo/tree.h"

/* Arguments of a shape. */
struct tan_shape_request {
    const char *spec;  /* the whole spec, for errors */
    const char *text;  /* what follows the shape's name and the colon */
    int64_t number[2]; /* parsed from it, one per placeholder of the row */
};

struct tan_shape {
    const char *name;
    /* Placeholders for the text after the colon. H, N, K and SEED, joined by colons, are numbers
     * passed checked in request->number; shapes with other placeholders parse request->text
     * themselves. */
    const char *arguments;
    const char *help;
    struct tan_tree *(*build)(const struct tan_shape_request *request, struct tan_error *e);
};
/* Ended by a NULL name. */
extern const struct tan_shape tan_shapes[];
/* The shape called `name`, of which `length` characters count; NULL if there is none. */
const struct tan_shape *tan_shape_find(const char *name, size_t length);

#endif
