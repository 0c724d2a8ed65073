/* envelope.h - the fastest of several schedules, by a cost of messages
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_SIM_SENSITIVITY_ENVELOPE_H
#define TAN_SIM_SENSITIVITY_ENVELOPE_H

#include "sim/sensitivity/response.h"

TAN_BEGIN_DECLS

/* Schedules at most. */
enum { TAN_RIVALS = 16 };

/* A range in which the same schedule is the fastest. */
struct tan_envelope_part {
    double from, to;               /* added, as in struct tan_sample */
    double finish_from, finish_to; /* of the fastest at both ends; picoseconds */
    size_t best;
    uint32_t ties; /* bit i: schedule i takes as long in the whole range; that of `best` is set */
    size_t next;   /* the fastest of all others halfway; if there are none, `best` */
    bool about;    /* it ends where one of both functions is only known between simulated times */
    double slower; /* its finish time there as a multiple of that of the fastest, less 1 */
};

/* The least of several finish times as a function of what is added to a cost. */
struct tan_envelope {
    struct tan_envelope_part *parts; /* ascending from 0 without gaps, at least one; owned */
    size_t n_parts;
};

/* The envelope of `n` (1 to TAN_RIVALS) responses to the same cost, each found for the same given
 * range. As exact as these: where their lines cross, the fastest changes. Times that differ by no
 * more than rounding are equal, and of equal ones the one that was the fastest before remains the
 * best, or the first one. Ranges shorter than the cost's step are left out. */
int tan_envelope_find(const struct tan_response *r, size_t n, struct tan_envelope *out,
                      struct tan_error *e);
void tan_envelope_clear(struct tan_envelope *envelope);
/* The part at `added`, at an end the one that begins there. O(log parts). */
const struct tan_envelope_part *tan_envelope_at(const struct tan_envelope *envelope, double added);

TAN_END_DECLS

#endif
