/* sample.h - one sample of what messages of a size cost
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_SAMPLE_H
#define TANBENCH_P2P_SAMPLE_H

#include "tanbench/p2p/link.h"
#include "tanbench/p2p/samples.h"

/* Messages in a train: fewer of those that take long. `half`: their half trip, seconds. */
int p2p_train_length(double half);

/* One sample of the half trip of m->size[size] in time[TAN_P2P_TRIP], seconds: the median of a few
 * short batches, so that a core taken away for a moment does not show. */
void p2p_sample_trip(struct p2p_link *link, const struct p2p_measurement *m, size_t size,
                     double time[TAN_P2P_TIMINGS]);
/* One sample of each of those between it and TAN_P2P_COLD, likewise. m->train[size] must be set and
 * trips measured. */
void p2p_sample_trains(struct p2p_link *link, const struct p2p_measurement *m, size_t size,
                       double time[TAN_P2P_TIMINGS]);
/* One sample of TAN_P2P_COLD. */
void p2p_sample_cold(struct p2p_link *link, const struct p2p_measurement *m, size_t size,
                     double time[TAN_P2P_TIMINGS]);

#endif
