/* noise.h - noise: random delays of messages, from a distribution or a trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_NOISE_H
#define TAN_SIM_ENGINE_NOISE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

struct tan_noise;

/* The noise described by `spec`: "exponential:500" (mean 500 ns), "trace:FILE", ... as listed by
 * tan_noise_help. Times without a unit are nanoseconds. A wrong spec is TAN_USAGE; a wrong line of
 * a trace is reported with file and line. */
struct tan_noise *tan_noise_parse(const char *spec, uint64_t seed, struct tan_error *e);
void tan_noise_destroy(struct tan_noise *noise);

/* The delay of the message of the send `op`, in picoseconds, at most TAN_SCHEDULE_MAX_PS.
 * Depends only on the seed and `op`, not on the order of calls. */
uint64_t tan_noise_draw(const struct tan_noise *noise, uint32_t op);

void tan_noise_help(FILE *to);

#endif
