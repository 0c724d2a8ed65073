/* reading.h - what the parameters say of the cost of fanout
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_READING_H
#define TAN_DESIGN_REPORT_READING_H

#include <stdio.h>

#include "model/wave/wave.h"

/* What the parameters say of the cost of a further child. */
enum tan_reading {
    TAN_READING_KNOWN,   /* its cost */
    TAN_READING_SERIAL,  /* not known: a parent is taken to receive one message after the other */
    TAN_READING_NOTHING, /* it costs nothing, so that the flat tree always wins */
};
enum tan_reading tan_reading_of(const struct tan_model *model, const struct tan_params *params);
const char *tan_reading_name(enum tan_reading reading); /* "known", "serial", "nothing" */
/* A sentence on it, with its consequence for `leaves` leaves (0: no number); nothing where the cost
 * is known. */
void tan_reading_print(const struct tan_model *model, const struct tan_params *params,
                       int64_t leaves, FILE *to);

#endif
