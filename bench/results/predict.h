/* predict.h - predictions for a measured cell, and the payloads of its waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_PREDICT_H
#define TAN_BENCH_RESULTS_PREDICT_H

#include <stdbool.h>

#include "bench/results/results.h"

/* Messages of other sizes than the parameters' are predicted by the machine file's p2p block, if
 * possible. All are NaN without a tree, a machine or the model's parameters (for tan-overlap also
 * those of tiers), and if waves do not wait for all children. */

/* Whether the machine file has the model's parameters. */
bool tan_predict_knows(const struct results *r, const struct tan_model *model);
/* Half a round trip: the mean of the request's and the answer's time; seconds. */
double tan_predict_wave(const struct results *r, const struct result *result,
                        const struct tan_model *model);
/* Time of the answer, one way; seconds. */
double tan_predict_up(const struct results *r, const struct result *result,
                      const struct tan_model *model);
/* Cost of a level on the tree's critical path, from 0 at the root: half its share of a round trip,
 * and below the last one that of the leaf; for a stream, of the answers alone. NaN below the
 * path. */
double tan_predict_level(const struct results *r, const struct result *result,
                         const struct tan_model *model, int32_t level);
/* Answers per second in steady state, but no more than requested. */
double tan_predict_rate(const struct results *r, const struct result *result,
                        const struct tan_model *model);

/* Whether some cell's messages differ in size from the parameters', and their cost is unknown. */
bool tan_predict_lacks_sizes(const struct results *r);

/* Some cell's messages differ in size from the parameters', and the machine file's single messages
 * were measured while others used the cores. */
bool tan_predict_disturbed(const struct results *r);

/* tan-overlap takes the handshakes of some cell's messages for a longer way, since messages as
 * short as the measured ones have none. */
bool tan_predict_handshakes(const struct results *r);

#endif
