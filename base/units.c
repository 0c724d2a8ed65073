/* units.c - numbers with units, as people type and read them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct whole_unit {
    const char *suffix;
    int64_t factor;
};

/* Each table is ended by a NULL suffix; above it are those units that errors name. */

#define COUNT_UNITS "k, M, G or Ki, Mi, Gi"
static const struct whole_unit count_units[] = {
    {"", 1},
    {"k", 1000},
    {"M", 1000000},
    {"G", 1000000000},
    {"Ki", INT64_C(1) << 10},
    {"Mi", INT64_C(1) << 20},
    {"Gi", INT64_C(1) << 30},
    {NULL, 0},
};

/* A bare k would be 1000 in counts and 1024 in sizes, so sizes need a full unit. */
#define SIZE_UNITS "kB, MB, GB or KiB, MiB, GiB"
static const struct whole_unit size_units[] = {
    {"", 1},
    {"B", 1},
    {"kB", 1000},
    {"MB", 1000000},
    {"GB", 1000000000},
    {"Ki", INT64_C(1) << 10},
    {"Mi", INT64_C(1) << 20},
    {"Gi", INT64_C(1) << 30},
    {"KiB", INT64_C(1) << 10},
    {"MiB", INT64_C(1) << 20},
    {"GiB", INT64_C(1) << 30},
    {NULL, 0},
};

static const char *const binary_units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

static const struct ambiguous_unit {
    const char *suffix, *decimal, *binary;
    int decimal_bytes, binary_bytes;
} ambiguous_units[] = {
    {"k", "kB", "KiB", 1000, 1 << 10},       {"K", "kB", "KiB", 1000, 1 << 10},
    {"KB", "kB", "KiB", 1000, 1 << 10},      {"M", "MB", "MiB", 1000000, 1 << 20},
    {"G", "GB", "GiB", 1000000000, 1 << 30}, {NULL, NULL, NULL, 0, 0},
};

#define TIME_UNITS "ns, us, ms, s, min or h"
static const struct time_unit {
    const char *suffix;
    double seconds;
} time_units[] = {
    {"s", 1.0},   {"ms", 1e-3},  {"us", 1e-6},  {"\u00b5s", 1e-6}, {"\u03bcs", 1e-6},
    {"ns", 1e-9}, {"min", 60.0}, {"h", 3600.0}, {NULL, 0.0},
};

#define RATE_UNITS "kbit, Mbit or Gbit, or kB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s"
static const struct rate_unit {
    const char *suffix;
    const char *prefixes; /* one of these may precede it, and must if `step` is binary */
    double bits, step;    /* bits per second, and the factor from each prefix to the next */
} rate_units[] = {
    {"bit", "kKmMgGtT", 1.0, 1e3}, {"bit/s", "kKmMgGtT", 1.0, 1e3}, {"b/s", "kKmMgGtT", 1.0, 1e3},
    {"bps", "kKmMgGtT", 1.0, 1e3}, {"B/s", "kMGT", 8.0, 1e3},       {"Bps", "kMGT", 8.0, 1e3},
    {"iB/s", "KMGT", 8.0, 0x1p10}, {NULL, NULL, 0.0, 0.0},
};

/* What a number with that suffix is multiplied by; 0 if the units have none such. Counts may have
 * an exponent. */
static int64_t factor_of(const char *suffix, const struct whole_unit *units)
{
    const bool exponent = units == count_units && suffix[0] == 'e' &&
                          strspn(suffix + 1, "0123456789") == strlen(suffix + 1);
    if (exponent && strlen(suffix) > 1) {
        const int64_t most = 18; /* of an int64_t */
        int64_t factor = 1;
        const long digits = strtol(suffix + 1, NULL, 10);
        for (long i = 0; i < digits && digits <= most; i++) {
            factor *= 10;
        }
        return digits <= most ? factor : 0;
    }
    while (units->suffix != NULL && strcmp(suffix, units->suffix) != 0) {
        units++;
    }
    return units->factor;
}

static bool read_whole(const char *text, const struct whole_unit *units, int64_t min, int64_t max,
                       int64_t *value)
{
    const bool negative = text[0] == '-' && min < 0;
    if (!isdigit((unsigned char)text[negative ? 1 : 0])) {
        return false;
    }
    char *end;
    errno = 0;
    const intmax_t number = strtoimax(text, &end, 10);
    if (errno != 0) {
        return false;
    }
    const int64_t factor = factor_of(end, units);
    int64_t product;
    if (factor == 0 || __builtin_mul_overflow(number, factor, &product) || product < min ||
        product > max) {
        return false;
    }
    *value = product;
    return true;
}

/* Past the digits of `text`; NULL if it does not start with a digit. */
static const char *suffix_of(const char *text)
{
    return isdigit((unsigned char)text[0]) ? text + strspn(text, "0123456789") : NULL;
}

int tan_parse_count(const char *what, const char *text, int64_t min, int64_t max, int64_t *value,
                    struct tan_error *e)
{
    if (read_whole(text, count_units, min, max, value)) {
        return 0;
    }
    const char *suffix = suffix_of(text);
    const bool other = suffix != NULL && factor_of(suffix, count_units) == 0;
    const char *suffixes = other ? " (suffixes " COUNT_UNITS ")" : "";
    if (max == INT64_MAX) {
        return tan_fail_usage(e, "%s must be a whole number of at least %" PRId64 "%s, not \"%s\"",
                              what, min, suffixes, text);
    }
    return tan_fail_usage(e,
                          "%s must be a whole number from %" PRId64 " to %" PRId64 "%s, not \"%s\"",
                          what, min, max, suffixes, text);
}

/* A size in the largest unit that divides it, so that the user can type it as is. */
static struct tan_text limit_text(int64_t bytes)
{
    size_t unit = 0;
    while (unit + 1 < sizeof binary_units / sizeof binary_units[0] && bytes != 0 &&
           bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    return tan_printed("%" PRId64 " %s", bytes, binary_units[unit]);
}

int tan_parse_size(const char *what, const char *text, int64_t min, int64_t max, int64_t *bytes,
                   struct tan_error *e)
{
    if (read_whole(text, size_units, min, max, bytes)) {
        return 0;
    }
    const char *suffix = suffix_of(text);
    for (const struct ambiguous_unit *u = ambiguous_units; suffix != NULL && u->suffix != NULL;
         u++) {
        if (strcmp(suffix, u->suffix) == 0) {
            const int digits = (int)(suffix - text);
            return tan_fail_usage(
                e, "%s: \"%s\" can mean %.*s%s (of %d bytes) or %.*s%s (of %d bytes)", what, text,
                digits, text, u->decimal, u->decimal_bytes, digits, text, u->binary,
                u->binary_bytes);
        }
    }
    static const char suffixes[] = "(units " SIZE_UNITS ")";
    const struct tan_text low = limit_text(min);
    if (max == INT64_MAX) {
        return tan_fail_usage(e, "%s must be a size of at least %s %s, not \"%s\"", what, low.text,
                              suffixes, text);
    }
    return tan_fail_usage(e, "%s must be a size from %s to %s %s, not \"%s\"", what, low.text,
                          limit_text(max).text, suffixes, text);
}

/* Values of a list so far, and what they are read with. */
struct list {
    const char *what;
    int (*parse)(const char *what, const char *text, int64_t min, int64_t max, int64_t *value,
                 struct tan_error *e);
    int64_t min, max, *values;
    size_t most, n;
};

/* Add an entry: a value, or LOW..HIGH. */
static int add_values(struct list *l, char *text, struct tan_error *e)
{
    char *dots = strstr(text, "..");
    int64_t low;
    int64_t high;
    if (dots != NULL) {
        *dots = '\0';
    }
    if (l->parse(l->what, text, l->min, l->max, &low, e) < 0 ||
        l->parse(l->what, dots != NULL ? dots + 2 : text, l->min, l->max, &high, e) < 0) {
        return -1;
    }
    if (dots != NULL && (low < 1 || high < low)) {
        return tan_fail_usage(e, "%s: in LOW..HIGH, LOW is at least 1 and HIGH no less: \"%s..%s\"",
                              l->what, text, dots + 2);
    }
    for (int64_t value = low;; value = value < high - value ? 2 * value : high) {
        if (l->n == l->most) {
            return tan_fail_usage(e, "%s takes at most %zu values", l->what, l->most);
        }
        l->values[l->n++] = value;
        if (value >= high) {
            return 0;
        }
    }
}

static int parse_list(struct list *l, const char *text, size_t *n, struct tan_error *e)
{
    char *copy = strdup(text);
    char *rest = copy;
    int result = copy == NULL ? tan_fail_nomem(e) : 0;
    for (char *entry; result == 0 && (entry = strsep(&rest, ",")) != NULL;) {
        result = add_values(l, entry, e);
    }
    free(copy);
    *n = l->n;
    return result;
}

int tan_parse_sizes(const char *what, const char *text, int64_t min, int64_t max, int64_t *bytes,
                    size_t most, size_t *n, struct tan_error *e)
{
    struct list l = {what, tan_parse_size, min, max, bytes, most, 0};
    return parse_list(&l, text, n, e);
}

int tan_parse_counts(const char *what, const char *text, int64_t min, int64_t max, int64_t *values,
                     size_t most, size_t *n, struct tan_error *e)
{
    struct list l = {what, tan_parse_count, min, max, values, most, 0};
    return parse_list(&l, text, n, e);
}

/* A finite decimal number at the start of `text`; no blanks, plus sign, hexadecimal, NaN or
 * infinity. */
static bool read_real(const char *text, double *value, const char **end)
{
    const char *digits = text + (text[0] == '-');
    if (!isdigit((unsigned char)digits[0]) && digits[0] != '.') {
        return false;
    }
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        return false;
    }
    char *stop;
    *value = strtod(text, &stop);
    *end = stop;
    return stop != text && isfinite(*value);
}

int tan_parse_duration(const char *what, const char *text, double *seconds, struct tan_error *e)
{
    double number;
    const char *end;
    if (read_real(text, &number, &end) && text[0] != '-') {
        if (number == 0 && *end == '\0') {
            *seconds = 0;
            return 0;
        }
        for (const struct time_unit *unit = time_units; unit->suffix != NULL; unit++) {
            if (strcmp(end, unit->suffix) != 0) {
                continue;
            }
            if (number * unit->seconds > TAN_MAX_SECONDS) {
                return tan_fail_usage(e, "%s must be a time of at most %.0fs, not \"%s\"", what,
                                      TAN_MAX_SECONDS, text);
            }
            *seconds = number * unit->seconds;
            return 0;
        }
    }
    return tan_fail_usage(
        e, "%s must be a time with its unit (" TIME_UNITS "), such as 50us, not \"%s\"", what,
        text);
}

/* Bits per second of a unit; 0 if there is none of that name. */
static double rate_of(const char *name)
{
    static const char order[] = "kmgt";
    for (const struct rate_unit *unit = rate_units; unit->suffix != NULL; unit++) {
        const bool prefixed = strcmp(name, unit->suffix) != 0;
        if (!prefixed && unit->suffix[0] != 'i') {
            return unit->bits;
        }
        if (prefixed && name[0] != '\0' && strchr(unit->prefixes, name[0]) != NULL &&
            strcmp(name + 1, unit->suffix) == 0) {
            const char *at = strchr(order, tolower((unsigned char)name[0]));
            return unit->bits * pow(unit->step, (double)(at - order + 1));
        }
    }
    return 0.0;
}

int tan_parse_rate(const char *what, const char *text, double *bits, struct tan_error *e)
{
    const double most = 1e16;
    double number;
    const char *end;
    if (read_real(text, &number, &end)) {
        const double rate = number * rate_of(end);
        if (rate >= 1.0 && rate <= most) {
            *bits = rate;
            return 0;
        }
    }
    return tan_fail_usage(e,
                          "%s must be a rate of at least 1bit/s with its unit (" RATE_UNITS
                          "), such as 100Mbit, not \"%s\"",
                          what, text);
}

int tan_parse_real(const char *what, const char *text, double min, double max, double *value,
                   struct tan_error *e)
{
    double number;
    const char *end;
    if (read_real(text, &number, &end) && *end == '\0' && number >= min && number <= max) {
        *value = number;
        return 0;
    }
    if (isinf(max) && isinf(min)) {
        return tan_fail_usage(e, "%s must be a number, not \"%s\"", what, text);
    }
    if (isinf(max)) {
        return tan_fail_usage(e, "%s must be a number of at least %g, not \"%s\"", what, min, text);
    }
    return tan_fail_usage(e, "%s must be a number from %g to %g, not \"%s\"", what, min, max, text);
}

/* A number in the largest unit that leaves it at least 1; each unit is `step` times the one
 * before. */
static struct tan_text scaled_text(double number, double step, const char *const *units, size_t n)
{
    size_t unit = 0;
    while (number >= step && unit + 1 < n) {
        number /= step;
        unit++;
    }
    return tan_printed("%.4g %s", number, units[unit]);
}

struct tan_text tan_size_text(int64_t bytes)
{
    return scaled_text((double)bytes, 1024.0, binary_units,
                       sizeof binary_units / sizeof binary_units[0]);
}

struct tan_text tan_rate_text(double bits)
{
    static const char *const units[] = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
    return scaled_text(bits, 1000.0, units, sizeof units / sizeof units[0]);
}

/* Relative half-width below which an interval is rounding error, not uncertainty. */
#define NOISE 1e-9

struct tan_text tan_value_text(double value, double half)
{
    if (!isfinite(value)) {
        return tan_printed("-");
    }
    enum { DEFAULT_DIGITS = 4, MAX_DIGITS = 5 };
    /* The decimal exponent after rounding: 9.9996 is 10.00. */
    char rounded[32];
    snprintf(rounded, sizeof rounded, "%.*e", DEFAULT_DIGITS - 1, value);
    const int exponent = (int)strtol(strchr(rounded, 'e') + 1, NULL, 10);
    int place = exponent - (DEFAULT_DIGITS - 1); /* of the last digit shown */
    if (half > NOISE * fabs(value) && isfinite(half)) {
        place = (int)floor(log10(half));
        place = place > exponent ? exponent : place;
        place = place < exponent - MAX_DIGITS + 1 ? exponent - MAX_DIGITS + 1 : place;
    }
    const double unit = pow(10.0, place);
    return place > 0 ? tan_printed("%.0f", round(value / unit) * unit)
                     : tan_printed("%.*f", -place, value);
}

struct tan_time_scale tan_time_scale(double seconds)
{
    const double size = fabs(seconds);
    return size < 0.01  ? (struct tan_time_scale){"us", 1e-6}
           : size < 1.0 ? (struct tan_time_scale){"ms", 1e-3}
                        : (struct tan_time_scale){"s", 1.0};
}

struct tan_text tan_exact_text(double seconds)
{
    const struct tan_time_scale unit = tan_time_scale(seconds);
    const double number = seconds / unit.seconds;
    return unit.seconds < 1e-3 && fabs(number) < 9999.95
               ? tan_printed("%.1f %s", number, unit.name)
               : tan_printed("%s %s", tan_value_text(number, 0.0).text, unit.name);
}

const char *tan_format_slower(double slower, char *buffer, size_t size)
{
    if (slower == 0.0) {
        snprintf(buffer, size, "as fast");
    } else if (fabs(slower) < 0.00005) {
        snprintf(buffer, size, "0.0 %%"); /* without a sign */
    } else if (slower < 1.0) {
        snprintf(buffer, size, "%+.*f %%", fabs(slower) < 0.01 ? 2 : 1, 100.0 * slower);
    } else if (slower < 1e6) {
        snprintf(buffer, size, "%.*fx", 1.0 + slower < 9.95 ? 1 : 0, 1.0 + slower);
    } else {
        snprintf(buffer, size, "%.1ex", 1.0 + slower);
    }
    return buffer;
}

struct tan_text tan_factor_text(double factor, int digits)
{
    const double most = 6.0; /* decimals */
    const double difference = fabs(factor - 1.0);
    const bool near = difference > 0.0 && difference < 1.0;
    const int decimals = near ? (int)fmin(ceil(-log10(difference)), most) : 0;
    const int needed = factor < 1.0 ? decimals : decimals + 1;
    return tan_printed("%.*g", needed > digits ? needed : digits, factor);
}

struct tan_text tan_share_text(double share)
{
    const double percent = 100.0 * share;
    return percent < 0.005  ? tan_printed("0 %%")
           : percent < 9.95 ? tan_printed("%.2g %%", percent)
                            : tan_printed("%.0f %%", percent);
}
