/* predict.h - predictions of the models for a measured cell and the payloads that its waves carry
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_PREDICT_H
#define BENCH_RESULTS_PREDICT_H

#include <stdbool.h>

#include "bench/results/results.h"

/* Messages of another size than the parameters' are predicted by the machine file's p2p block, if
 * it can. All are NaN where there is no tree or machine, or no parameters of the model (of
 * tan-overlap also with tiers), and of waves that do not wait for all children. */

/* The machine file has the model's parameters. */
bool tan_predict_knows(const struct results *r, const struct tan_model *model);
/* Half of a round trip: the mean of the request's way down and the answer's way up; seconds. */
double tan_predict_wave(const struct results *r, const struct result *result,
                        const struct tan_model *model);
/* The answer's way up; seconds. */
double tan_predict_up(const struct results *r, const struct result *result,
                      const struct tan_model *model);
/* The cost of a level of the tree's critical path, from 0 at the root: half of what it takes of a
 * round trip, and below them that of the leaf; of a stream, of the answers alone. NaN below the
 * path. */
double tan_predict_level(const struct results *r, const struct result *result,
                         const struct tan_model *model, int32_t level);
/* Answers per second in steady state, but no more than were asked for. */
double tan_predict_rate(const struct results *r, const struct result *result,
                        const struct tan_model *model);

/* Some cell's messages have another size than the parameters, and their cost is not known. */
bool tan_predict_lacks_sizes(const struct results *r);

#endif
