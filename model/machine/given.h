/* given.h - parameters and networks given on the command line, with or without a machine file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_MACHINE_GIVEN_H
#define TAN_MODEL_MACHINE_GIVEN_H

#include "model/machine/machine.h"

/* Every process has its own full-duplex link to the network, with the same rate in both directions,
 * and the children of a parent share the parent's link. */
struct tan_network {
    double rate;      /* bytes per second; 0: unknown, and the rest is ignored */
    int64_t up, down; /* message size up and down the tree; 0: no messages in that direction */
};
/* Whether only one direction has messages. */
bool tan_network_one_way(const struct tan_network *t);
/* Complete `params`, whose method is joint and whose L, a and b are those of empty messages: add
 * the transfers to L, and set b, c = 0, bytes and one_way. All parameters then count as identified.
 * D / B is the time of a message on a link of rate B.
 *   one way     L grows by D / B, and an additional child costs D / B: the link sends messages one
 *               after the other;
 *   both ways   half a round trip. L grows by (D_up + D_down) / 2B, and an additional child costs
 *               max(D_up, D_down) / 2B: the first answers arrive while the last requests leave.
 * An additional child costs at least a, the processor time of its parent for a message, and b. */
void tan_network_apply(const struct tan_network *t, struct tan_params *params);
/* Whether messages have the same length in both directions. */
bool tan_network_same(const struct tan_network *t);
/* Whether messages have a single length, so that tan-overlap has parameters, too. */
bool tan_network_overlaps(const struct tan_network *t);

struct tan_given {
    double value[TAN_PARAMS]; /* seconds; NaN: not given */
    /* If its rate is given, this network is the machine, and L, a and b are 0 unless given. */
    struct tan_network network;
};
/* No value given. */
#define TAN_GIVEN_NOTHING                                                                          \
    {                                                                                              \
        {NAN, NAN, NAN, NAN, NAN, NAN},                                                            \
        {                                                                                          \
            0.0, 0, 0                                                                              \
        }                                                                                          \
    }

/* Whether any value, or the rate of a network, is given. */
bool tan_given_any(const struct tan_given *given);
/* The machine to compute with, owned by the caller: that of `path` or the default file
 * (tan_machine_find), with given values in place of its own. No file is read if the rate of a
 * network is given, or L and a without a path. *used (malloc'd, freed by the caller) is the path of
 * the file, NULL for a machine without one. Fails for a value above 1e9 s, and if there is only the
 * stand-in to complete the given parameters. */
struct tan_machine *tan_given_machine(const struct tan_given *given, const char *path, char **used,
                                      struct tan_error *e);
/* The parameters of this network, with the given L, a and b, or else 0. */
void tan_given_network(const struct tan_given *given, const struct tan_network *network,
                       struct tan_params *params);
/* Replace values of `params` by the given ones, interpreted by params->method. They count as exact:
 * without intervals, and equal in all draws; draws that become identical are freed. Parameters that
 * remain unidentified are then assumed (tan_params_assume). */
void tan_given_apply(const struct tan_given *given, struct tan_params *params);
/* "L = 5 us, a = 1 us", after the network if one is given; "" if nothing is given. */
struct tan_text tan_given_text(const struct tan_given *given);

#endif
