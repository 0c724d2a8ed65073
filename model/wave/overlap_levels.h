/* overlap_levels.h - tan-overlap as a row of the table of models: from parameters to levels
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_WAVE_OVERLAP_LEVELS_H
#define MODEL_WAVE_OVERLAP_LEVELS_H

#include "model/machine/params.h"
#include "model/wave/overlap.h"

/* All of method TAN_METHOD_OVERLAP; `params` is borrowed, its payload and filter included. Messages
 * of another size than the measured one cost as much more or less than that as the payload's model
 * of single messages says: sender, receiver, gap and way each for itself, none falling below 0. */
struct tan_overlap tan_overlap_tiers(const struct tan_tiers *tiers);

/* What waves of the parameters are, and how many of its ways their time is the mean of: 2 of a
 * round trip, 1 of one way. */
enum tan_overlap_way tan_overlap_model_way(const struct tan_params *params);
int tan_overlap_model_ways(const struct tan_params *params);

/* The functions of struct tan_model (wave.h): half round trips or one way, seconds. */
double tan_overlap_model_level(const struct tan_params *params, int64_t fanout);
double tan_overlap_model_bound(const struct tan_params *params, int64_t fanout, int64_t leaves);
double tan_overlap_model_node(const struct tan_params *params, const struct tan_children *kind,
                              int n, bool root);
double tan_overlap_model_leaf(const struct tan_params *params);
double tan_overlap_model_period(const struct tan_params *params, int64_t fanout, int64_t leaves);

#endif
