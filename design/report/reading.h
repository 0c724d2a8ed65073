/* reading.h - known or assumed cost of fanout
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_READING_H
#define TAN_DESIGN_REPORT_READING_H

#include <stdio.h>

#include "design/report/phrases.h"
#include "model/wave/wave.h"

/* What the parameters tell about the cost of an additional child. */
enum tan_reading {
    TAN_READING_KNOWN,   /* the cost */
    TAN_READING_SERIAL,  /* nothing: parents are assumed to receive messages one after the other */
    TAN_READING_NOTHING, /* it costs nothing, so the flat tree is always best */
};
enum tan_reading tan_reading_of(const struct tan_model *model, const struct tan_params *params);
const char *tan_reading_name(enum tan_reading reading); /* "known", "serial", "nothing" */
/* Sentences about it and what follows for `leaves` leaves (0: any number); false if the cost is
 * known. */
bool tan_reading_text(const struct tan_model *model, const struct tan_params *params,
                      int64_t leaves, char text[TAN_SENTENCE]);
/* Print them, or nothing. */
void tan_reading_print(const struct tan_model *model, const struct tan_params *params,
                       int64_t leaves, FILE *to);

#endif
