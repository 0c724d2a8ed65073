/* given.h - parameters given on the command line, with or without a machine file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_MACHINE_GIVEN_H
#define TAN_MODEL_MACHINE_GIVEN_H

#include "model/machine/machine.h"
#include "model/machine/network.h"

struct tan_given {
    double value[TAN_PARAMS]; /* seconds; NaN: not given */
    struct tan_network
        network; /* then the machine is this network, and L and a are 0 unless given */
};
/* No value given. */
#define TAN_GIVEN_NOTHING                                                                          \
    {                                                                                              \
        {NAN, NAN, NAN, NAN, NAN, NAN},                                                            \
        {                                                                                          \
            0.0, 0, 0                                                                              \
        }                                                                                          \
    }

bool tan_given_any(const struct tan_given *given);
/* The machine to compute with: `path` or the default file (tan_machine_find) with given values in
 * place of its own. If L and a are given without a path, or the rate of a network, no file is
 * needed. *used (malloc'd, freed by the caller) is the path of the file, NULL for a machine without
 * one. Fails if the given parameters need completion from a file and there is only the stand-in. */
struct tan_machine *tan_given_machine(const struct tan_given *given, const char *path, char **used,
                                      struct tan_error *e);
/* The parameters of this network, with the given L and a, or else 0. */
void tan_given_network(const struct tan_given *given, const struct tan_network *network,
                       struct tan_params *params);
/* The same for tan-overlap; messages of one length (tan_network_overlaps). */
void tan_given_network_overlap(const struct tan_given *given, const struct tan_network *network,
                               struct tan_params *params);
/* Replace values of `params` by the given ones, interpreted by params->method. They count as exact:
 * without intervals, and equal in all draws; draws that become identical are freed. Parameters that
 * remain unidentified are then derived (tan_params_assume). */
void tan_given_apply(const struct tan_given *given, struct tan_params *params);
/* Write "L = 5 us, a = 1 us" to `buffer` and return it; "" if nothing is given. */
const char *tan_given_text(const struct tan_given *given, char *buffer, size_t size);

#endif
