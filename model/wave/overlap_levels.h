/* overlap_levels.h - tan-overlap as a row of the table of models: levels from parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_WAVE_OVERLAP_LEVELS_H
#define TAN_MODEL_WAVE_OVERLAP_LEVELS_H

#include "model/machine/params.h"
#include "model/wave/overlap.h"

/* Parameters of waves, all of method TAN_METHOD_OVERLAP; `params` is borrowed, including its
 * payload and filter. Messages of other sizes than measured differ by what the payload's model of
 * single messages predicts, separately for sender, receiver, gap and network, each at least 0. */
struct tan_overlap tan_overlap_tiers(const struct tan_tiers *tiers);

/* The phases that waves of these parameters have, and over how many directions their time is
 * averaged: 2 for a round trip, 1 for one way. */
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
