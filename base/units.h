/* units.h - numbers with units, as people type and read them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_UNITS_H
#define TAN_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Each parser reads the whole of `text`, sets *value, and on failure names `what` (an option or
 * key, "--bytes"), the text, and what is allowed (TAN_USAGE). Trailing characters, signs where
 * none make sense, overflow and NaN are errors. */

/* A whole number in [min, max]; accepts k, M, G (10^3 ...) and Ki, Mi, Gi (2^10 ...). */
int tan_parse_count(const char *what, const char *text, int64_t min, int64_t max, int64_t *value,
                    struct tan_error *e);
/* Bytes in [min, max]: "1024", "1KiB" (1024), "1kB" (1000), "4MiB". A bare k, M or G, 1000 in
 * counts and 1024 in the sizes of other programs, is refused with both spellings. */
int tan_parse_size(const char *what, const char *text, int64_t min, int64_t max, int64_t *bytes,
                   struct tan_error *e);
/* Sizes as above with commas between them, "1,1kB,64KiB", into `bytes`, which has room for `most`;
 * *n is their number. */
int tan_parse_sizes(const char *what, const char *text, int64_t min, int64_t max, int64_t *bytes,
                    size_t most, size_t *n, struct tan_error *e);
/* The longest time that is taken: sums and products of times stay finite. */
#define TAN_MAX_SECONDS 1e6
/* A duration in seconds from 0 to TAN_MAX_SECONDS: "5ms", "50us", "2s", "1min"; without a unit it
 * is refused, except 0. */
int tan_parse_duration(const char *what, const char *text, double *seconds, struct tan_error *e);
/* The rate of a network in bits per second, at least 1: bits as in "8Mbit", "8Mbit/s" or
 * tc's "8mbit", bytes as in "1MB/s" (10^6) or "1MiB/s" (2^20). "8Mbps", bits where networks are
 * sold and bytes for tc, is refused with both spellings. */
int tan_parse_rate(const char *what, const char *text, double *bits, struct tan_error *e);
/* A finite real number in [min, max]. */
int tan_parse_real(const char *what, const char *text, double min, double max, double *value,
                   struct tan_error *e);

/* "1 KiB", "96 B", "4 MiB": bytes as people read them. Returns `buffer`. */
const char *tan_format_size(int64_t bytes, char *buffer, size_t size);
/* "8 Mbit/s", "2.5 Gbit/s": bits per second as people read them. Returns `buffer`. */
const char *tan_format_rate(double bits, char *buffer, size_t size);
/* A value whose half-width of uncertainty is `half`: as many digits as the interval supports,
 * e.g. 618.04 with half 3.2 gives "618"; at most five. A half of 0, or one that is only
 * rounding, gives four. */
const char *tan_format_value(double value, double half, char *buffer, size_t size);
/* A time that is 1 + `slower` times another: "as fast", "+0.25 %", "+36.5 %", from twice on "3.1x",
 * "446x". Returns `buffer`. */
const char *tan_format_slower(double slower, char *buffer, size_t size);

#endif
