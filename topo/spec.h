/* spec.h - tree specifications: "binomial:32", "file:t.top", and the table of their shapes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_SPEC_H
#define TAN_TOPO_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "topo/tree.h"

/* Arguments of a shape. */
struct tan_shape_request {
    const char *spec;  /* the whole spec, for errors */
    const char *text;  /* what follows the shape's name and the colon */
    int64_t number[2]; /* parsed from it, one per placeholder of the row */
};

struct tan_spec_shape {
    const char *name;
    /* Placeholders for the text after the colon. H, N, K and SEED, joined by colons, are numbers
     * passed checked in request->number; shapes with other placeholders parse request->text
     * themselves. */
    const char *arguments;
    const char *help;
    struct tan_tree *(*build)(const struct tan_shape_request *request, struct tan_error *e);
};
/* Ended by a NULL name. */
extern const struct tan_spec_shape tan_shapes[];
/* The shape called `name`, of which `length` characters count; NULL if there is none. */
const struct tan_spec_shape *tan_shape_find(const char *name, size_t length);

/* Build the tree described by `spec`. Bare fanouts, as answers print them ("16x16x16", "2^30"), are
 * short for levels:. An unknown shape or wrong argument is TAN_USAGE with the allowed values; a bad
 * file is TAN_FAILED with its place. O(nodes). */
struct tan_tree *tan_spec_build(const char *spec, struct tan_error *e);
/* Specs that are no shapes, "slurm:TreeWidth=4:900": what is before the first colon is one of the
 * names. */
struct tan_spec_source {
    const char *(*name)(size_t i); /* of number i, from 0; NULL after the last */
    struct tan_tree *(*build)(const char *spec, struct tan_error *e);
};
/* Let tan_spec_build build those, too: for programs, at their start. Borrows the source. */
void tan_spec_accept(const struct tan_spec_source *source);
/* Whether `spec` is nothing but fanouts, "16x16x16" or "16x16:200". */
bool tan_spec_is_levels(const char *spec);
/* Suffix for a tree with all processes on one host, "chain:3@host". */
#define TAN_SPEC_NEAR "@host"
/* Whether `spec` has that suffix (file names may, without meaning it). *length: of the spec without
 * it. */
bool tan_spec_is_near(const char *spec, size_t *length);
/* Print the shapes for help texts, one per line ("  chain:H   ..."), with explanations in this
 * column. */
enum { TAN_SPEC_COLUMN = 24 };
void tan_spec_help(FILE *to);

#endif
