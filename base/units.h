/* units.h - numbers with units, as people type and read them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_UNITS_H
#define TAN_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* Each parser reads the whole of `text` and sets *value, or fails (TAN_USAGE) naming `what` (an
 * option or key, "--bytes"), the text and the allowed values. Trailing characters, meaningless
 * signs, overflow and NaN are errors. */

/* An integer in [min, max]; accepts k, M, G (10^3 ...), Ki, Mi, Gi (2^10 ...) and exponents, 4e3.
 */
int tan_parse_count(const char *what, const char *text, int64_t min, int64_t max, int64_t *value,
                    struct tan_error *e);
/* Bytes in [min, max]: "1024", "1KiB" (1024), "1kB" (1000), "4MiB". A bare k, M or G, which would
 * be ambiguous, is refused with both spellings. */
int tan_parse_size(const char *what, const char *text, int64_t min, int64_t max, int64_t *bytes,
                   struct tan_error *e);
/* Sizes or counts as above, or ranges LOW..HIGH that double from LOW and end with HIGH, separated
 * by commas, "8,64..1MiB", into an array with room for `most`; *n is their number. */
int tan_parse_sizes(const char *what, const char *text, int64_t min, int64_t max, int64_t *bytes,
                    size_t most, size_t *n, struct tan_error *e);
int tan_parse_counts(const char *what, const char *text, int64_t min, int64_t max, int64_t *values,
                     size_t most, size_t *n, struct tan_error *e);
/* The longest accepted duration, so that sums and products of times stay finite. */
#define TAN_MAX_SECONDS 1e6
/* A duration from 0 to TAN_MAX_SECONDS, "5ms", "50us", "2s", "1min", in seconds; a unit is required
 * except for 0. */
int tan_parse_duration(const char *what, const char *text, double *seconds, struct tan_error *e);
/* A network rate in bits per second, at least 1: bits as in "8Mbit", "8Mbit/s", "8Mb/s", "8Mbps"
 * (which are bytes to tc) or tc's "8mbit", bytes as in "1MB/s" (10^6) or "1MiB/s" (2^20). */
int tan_parse_rate(const char *what, const char *text, double *bits, struct tan_error *e);
/* A finite real number in [min, max]. */
int tan_parse_real(const char *what, const char *text, double min, double max, double *value,
                   struct tan_error *e);

/* Bytes for display: "1 KiB", "96 B", "4 MiB". */
struct tan_text tan_size_text(int64_t bytes);
/* Bits per second for display: "8 Mbit/s", "2.5 Gbit/s". */
struct tan_text tan_rate_text(double bits);
/* A value with uncertainty +-`half`, with as many digits as the interval supports, at most five:
 * 618.04 with half 3.2 gives "618". A half of 0, or of rounding error only, gives four. "-" if the
 * value is not finite. */
struct tan_text tan_value_text(double value, double half);
/* The unit in which a time is displayed: us below 10 ms, ms below 1 s, else s. */
struct tan_time_scale {
    const char *name;
    double seconds;
};
struct tan_time_scale tan_time_scale(double seconds);
/* A time for display, "612.4 us", with one decimal up to four digits; "16120 us", "97.26 ms" and
 * "12.50 s" with four. */
struct tan_text tan_exact_text(double seconds);
/* A time that is 1 + `slower` times another: "as fast", "0.0 %", "+0.25 %", "+36.5 %", and from a
 * factor of two on "3.1x", "446x". Returns `buffer`. */
const char *tan_format_slower(double slower, char *buffer, size_t size);
/* A time as a multiple of another, with `digits` digits, and more close to 1, so that the first one
 * in which it differs is there, up to the sixth decimal: "1.86", "1.003", "0.99996", with 3 digits.
 */
struct tan_text tan_factor_text(double factor, int digits);
/* A share or relative error of at least 0, for sentences: "0.34 %", "2.5 %", "36 %", "490 %"; "0 %"
 * below 0.005 %. */
struct tan_text tan_share_text(double share);

#endif
