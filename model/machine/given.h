/* given.h - parameters given on the command line, instead of a machine file or beside one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_MACHINE_GIVEN_H
#define MODEL_MACHINE_GIVEN_H

#include "model/machine/machine.h"
#include "model/machine/network.h"

struct tan_given {
    double value[TAN_PARAMS];   /* seconds; NaN: not given */
    struct tan_network network; /* then the machine is this network, and L and a are 0 unless
                                     given */
};
/* Nothing is given. */
#define TAN_GIVEN_NOTHING                                                                          \
    {                                                                                              \
        {NAN, NAN, NAN, NAN, NAN, NAN},                                                            \
        {                                                                                          \
            0.0, 0, 0                                                                              \
        }                                                                                          \
    }

bool tan_given_any(const struct tan_given *given);
/* The machine to compute with: `path` or the default file (tan_machine_find) with what is given in
 * place of its values; or, where L and a are given and no path, or the rate of a network, these
 * alone, so that no file is needed. *used (malloc'd, the caller frees) is the path of the file,
 * NULL for a machine without one. Fails when parameters are given that a file would have to
 * complete, and there is only the stand-in. */
struct tan_machine *tan_given_machine(const struct tan_given *given, const char *path, char **used,
                                      struct tan_error *e);
/* The parameters of this network with the L and a that are given, 0 where they are not. */
void tan_given_network(const struct tan_given *given, const struct tan_network *network,
                       struct tan_params *params);
/* Replace the values of `params` by those that are given, in the meaning of params->method. These
 * count as exact: without interval, and the same in every draw; draws that are all the same then
 * are freed. What stays unidentified follows (tan_params_assume). */
void tan_given_apply(const struct tan_given *given, struct tan_params *params);
/* "L = 5 us, a = 1 us" into `buffer`, which it returns; "" where nothing is given. */
const char *tan_given_text(const struct tan_given *given, char *buffer, size_t size);

#endif
