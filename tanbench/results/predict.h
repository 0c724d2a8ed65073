/* predict.h - predictions for a measured cell, and the payloads of its waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RESULTS_PREDICT_H
#define TAN_TANBENCH_RESULTS_PREDICT_H

#include <stdbool.h>

#include "tanbench/results/results.h"

/* The parameters are for messages of one size. The costs of other sizes come from the machine
 * file's p2p block. Predictions are NaN if it has none (tan_predict_lacks_size), without a tree, a
 * machine or the model's parameters (for tan-overlap those of every tier). */

/* Whether the machine file has the model's parameters. */
bool tan_predict_knows(const struct results *r, const struct tan_model *model);
/* Half a round trip: the mean of the request's and the answer's time; seconds. */
double tan_predict_wave(const struct results *r, const struct result *result,
                        const struct tan_model *model);
/* Time of the answer, one way; seconds. */
double tan_predict_up(const struct results *r, const struct result *result,
                      const struct tan_model *model);
/* Answers per second in steady state, but no more than the requested frequency. */
double tan_predict_rate(const struct results *r, const struct result *result,
                        const struct tan_model *model);

/* Whether a tree would be predicted, if the cost of messages of its size were known. */
bool tan_predict_lacks_size(const struct results *r, const struct result *result);

/* Whether trees over several hosts are predicted by a machine file that tells links of racks apart,
 * but the racks of this run's hosts are not known. */
bool tan_predict_lacks_racks(const struct results *r);

/* Whether some cell's messages differ in size from the parameters', and the machine file's p2p
 * block was measured while other programs used the cores. */
bool tan_predict_disturbed(const struct results *r);

/* Whether tan-overlap is known, and some cell has messages that are sent with a handshake
 * (rendezvous). It was fitted to messages without one, and takes it for a longer latency. */
bool tan_predict_handshakes(const struct results *r);

#endif
