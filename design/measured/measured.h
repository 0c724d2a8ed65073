/* measured.h - waves from the files that users have
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_MEASURED_MEASURED_H
#define TAN_DESIGN_MEASURED_MEASURED_H

#include "model/fit/waves.h"

/* What the command line says about a file; NULL or 0: what its format says. Strings are
 * borrowed. */
struct tan_measured {
    const char *tree;  /* a tree's name (named_tree.h) with columns in braces:
                          "kary:{radix}:{nodes}" */
    const char *wave;  /* half a round trip: a column, with a unit and a factor: "barrier_us/2",
                          "{2}ms*0.5" */
    const char *bytes; /* the column of message sizes */
    int64_t message;   /* only waves of this size; 0: all */
};

/* Print the headings of the known formats, and what these are, for help texts. */
void tan_measured_help(FILE *to);

/* Remarks about a file, for the report. */
struct tan_measured_notes {
    char text[5][200];
    size_t n;
};

/* Read the waves of a file ("-": standard input): a table (table.h), by `options` or, where these
 * do not say what the trees or the times are, by its headings. If neither does, the error names the
 * columns and what is missing. Outputs of benchmarks of collectives are refused, since they do not
 * say over what trees these ran. What is wrong with the text is TAN_USAGE. `out`: cleared by the
 * caller; empty on failure. `notes`: set unless it fails. */
int tan_measured_read(const struct tan_measured *options, const char *path, struct tan_waves *out,
                      struct tan_measured_notes *notes, struct tan_error *e);

#endif
