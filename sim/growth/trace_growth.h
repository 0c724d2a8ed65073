/* trace_growth.h - a traced job with more ranks: whom each rank follows, and with whom it speaks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_GROWTH_TRACE_GROWTH_H
#define SIM_GROWTH_TRACE_GROWTH_H

#include "sim/calls/trace.h"
#include "sim/calls/trace_comms.h"
#include "sim/calls/trace_names.h"
#include "sim/growth/trace_patterns.h"
#include "sim/growth/trace_survey.h"

struct trace_growth;

/* Choose a layout of the larger job, the communicators that grow in it and a rule for each group of
 * messages, so that every rank of the larger job has peers by the rule and every message that is
 * sent is received. The survey is sorted; everything is borrowed. NULL with an error that names
 * messages that no rule fits. Of *trace the growth is filled, and remarks are added where several
 * rules fit. O(candidates x messages of the larger job with different peers). */
struct trace_growth *trace_growth_plan(const struct trace_survey *survey,
                                       const struct trace_comms *comms,
                                       const struct trace_names *names,
                                       const struct tan_trace_options *options,
                                       struct tan_trace *trace, struct tan_error *e);
void trace_growth_destroy(struct trace_growth *g);

/* The traced rank that a rank of the larger job follows. */
uint32_t trace_growth_origin(const struct trace_growth *g, uint32_t rank);
/* The larger communicator, at `place`, of a rank of the larger job whose origin has the number
 * `own` in the traced one. Its ranks of the larger job, size of them, borrowed until the next call;
 * *number: its own one among them. NULL: memory is short. */
const uint32_t *trace_growth_members(struct trace_growth *g, uint32_t place, uint32_t rank,
                                     uint32_t own, uint32_t *size, uint32_t *number);
/* The traced number that a number of a larger communicator follows; and the first one that follows
 * a traced one. */
uint32_t trace_growth_member_origin(const struct trace_growth *g, uint32_t place, uint32_t number);
uint32_t trace_growth_first(const struct trace_growth *g, uint32_t place, uint32_t number);
/* What an open receive of a traced rank got, by its number. */
const struct trace_open_receive *trace_growth_open(const struct trace_growth *g, uint32_t rank,
                                                   uint32_t number);
/* What becomes of a message of `own` to or from `peer`, numbers of the traced communicator: ranks
 * of the larger job, in their order; borrowed until the next call. tag: TRACE_ANY where a receive
 * from a named source has any. NULL: memory is short. */
const struct trace_peers *trace_growth_peers(struct trace_growth *g, uint32_t place, int64_t tag,
                                             uint32_t rank, uint32_t own, uint32_t peer,
                                             bool receives);

#endif
