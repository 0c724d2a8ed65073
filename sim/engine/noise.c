/* noise.c - noise: random delays of messages, from a distribution or a trace
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A hash of the seed and the operation's number gives each operation its random number, which the
 * inverse distribution function turns into a time. */
#include "sim/engine/noise.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/output.h"
#include "base/text.h"
#include "base/units.h"
#include "sim/schedule/schedule.h"
#include "sim/schedule/times.h"

enum { MAX_NUMBERS = 2 };

struct distribution {
    const char *name;
    const char *arguments; /* TIMEs; plain numbers in lower case */
    const char *help;
    /* The u-quantile in picoseconds, 0 < u < 1; `v`: the arguments. */
    double (*quantile)(const double *v, double u);
};

struct tan_noise {
    const struct distribution *distribution; /* NULL for a trace */
    double numbers[MAX_NUMBERS];
    double *trace; /* picoseconds */
    size_t n_trace;
    uint64_t seed;
};

static double constant_quantile(const double *v, double u)
{
    (void)u;
    return v[0];
}

static double uniform_quantile(const double *v, double u)
{
    return v[0] + (v[1] - v[0]) * u;
}

static double exponential_quantile(const double *v, double u)
{
    return gsl_cdf_exponential_Pinv(u, v[0]);
}

/* The distribution truncated to non-negative times. */
static double normal_quantile(const double *v, double u)
{
    if (v[1] == 0.0) {
        return v[0];
    }
    const double positive = gsl_cdf_ugaussian_P(v[0] / v[1]);
    return v[0] + gsl_cdf_gaussian_Qinv(positive * (1.0 - u), v[1]);
}

static double lognormal_quantile(const double *v, double u)
{
    return v[0] == 0.0 ? 0.0 : gsl_cdf_lognormal_Pinv(u, log(v[0]), v[1]);
}

static double pareto_quantile(const double *v, double u)
{
    return gsl_cdf_pareto_Pinv(u, v[1], v[0]);
}

static const struct distribution distributions[] = {
    {"constant", "TIME", "the same for every message", constant_quantile},
    {"uniform", "LOW:HIGH", "all times between two are equally likely", uniform_quantile},
    {"exponential", "MEAN", "exponential distribution", exponential_quantile},
    {"normal", "MEAN:DEVIATION", "normal distribution without what is below 0", normal_quantile},
    {"lognormal", "MEDIAN:sigma",
     "the logarithm is normal; sigma is its standard deviation, such as 0.5", lognormal_quantile},
    {"pareto", "LEAST:alpha",
     "Pareto distribution: rarely very long; alpha is its tail's exponent, such as 2",
     pareto_quantile},
    {NULL, NULL, NULL, NULL},
};

static const char trace_form[] = "trace:FILE";

/* Specs */

static const struct distribution *find_distribution(const char *spec, struct tan_error *e)
{
    const size_t length = strcspn(spec, ":");
    struct tan_text known = {""};
    for (const struct distribution *d = distributions; d->name != NULL; d++) {
        if (strlen(d->name) == length && memcmp(d->name, spec, length) == 0) {
            return d;
        }
        known = tan_printed("%s%s:%s, ", known.text, d->name, d->arguments);
    }
    tan_fail_usage(e, "\"%.64s\" names no noise: it can be %sor %s", spec, known.text, trace_form);
    return NULL;
}

/* Read one argument: a time, or a plain number if the placeholder is in lower case. */
static int read_number(const char *spec, const char *want, const char *text, double *value,
                       struct tan_error *e)
{
    static const double least = 1e-3, most = 1e3;
    const struct tan_text what =
        tan_printed("\"%.48s\": %.*s", spec, (int)strcspn(want, ":"), want);
    return want[0] >= 'a' ? tan_parse_real(what.text, text, least, most, value, e)
                          : tan_parse_fine_ps(what.text, text, TAN_BARE_REFUSED, value, e);
}

static int read_numbers(struct tan_noise *n, const char *spec, struct tan_error *e)
{
    const struct distribution *d = n->distribution;
    const char *want = d->arguments, *have = strchr(spec, ':');
    for (int i = 0; want != NULL && have != NULL; i++) {
        char text[64];
        have++;
        snprintf(text, sizeof text, "%.*s", (int)strcspn(have, ":"), have);
        if (read_number(spec, want, text, &n->numbers[i], e) < 0) {
            return -1;
        }
        have = strchr(have, ':');
        want = strchr(want, ':');
        want = want == NULL ? NULL : want + 1;
    }
    if (want != NULL || have != NULL) {
        return tan_fail_usage(e, "\"%.64s\" is not of the form %s:%s", spec, d->name, d->arguments);
    }
    if (d->quantile == uniform_quantile && n->numbers[1] < n->numbers[0]) {
        return tan_fail_usage(e, "\"%.64s\": HIGH is less than LOW", spec);
    }
    return 0;
}

/* Traces */

/* A trace line without comment and surrounding blanks; may be "". */
static char *strip_line(char *line)
{
    line[strcspn(line, "#")] = '\0';
    line += strspn(line, " \t\r");
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL) {
        line[--length] = '\0';
    }
    return line;
}

static int read_trace(struct tan_noise *n, const char *path, struct tan_error *e)
{
    int result = -1;
    char *text = tan_read_text(path, NULL, e);
    if (text == NULL) {
        return -1;
    }
    char *rest = text;
    int line = 0;
    for (char *start; (start = strsep(&rest, "\n")) != NULL;) {
        struct tan_error why = TAN_ERROR_INIT;
        line++;
        const char *number = strip_line(start);
        if (number[0] == '\0') {
            continue;
        }
        if (TAN_ONE_MORE(n->trace, n->n_trace) < 0) {
            tan_fail_nomem(e);
            goto done;
        }
        if (tan_parse_fine_ps("the extra time of a message", number, TAN_BARE_NS,
                              &n->trace[n->n_trace++], &why) < 0) {
            tan_fail_at(e, tan_input_name(path), line, 0, "%s", why.text);
            goto done;
        }
    }
    result = n->n_trace > 0
                 ? 0
                 : tan_fail_at(e, tan_input_name(path), line, 0, "there is no time in this trace");

done:
    free(text);
    return result;
}

/* Noise */

struct tan_noise *tan_noise_parse(const char *spec, uint64_t seed, struct tan_error *e)
{
    static const char trace[] = "trace:";
    struct tan_noise *n = calloc(1, sizeof *n);
    if (n == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    n->seed = seed;
    int result;
    if (strncmp(spec, trace, strlen(trace)) == 0) {
        result = read_trace(n, spec + strlen(trace), e);
    } else {
        n->distribution = find_distribution(spec, e);
        result = n->distribution == NULL ? -1 : read_numbers(n, spec, e);
    }
    if (result < 0) {
        tan_noise_destroy(n);
        return NULL;
    }
    return n;
}

void tan_noise_destroy(struct tan_noise *noise)
{
    if (noise != NULL) {
        free(noise->trace);
        free(noise);
    }
}

/* Output function of the splitmix64 generator (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t mix_bits(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t tan_noise_draw(const struct tan_noise *noise, uint32_t op)
{
    static const uint64_t gamma = UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t bits = mix_bits(mix_bits(noise->seed + gamma) + (op + UINT64_C(1)) * gamma);
    double ps;
    if (noise->distribution == NULL) {
        ps = noise->trace[bits % noise->n_trace];
    } else {
        /* 52 bits plus a half: never 0 or 1 */
        const double u = ((double)(bits >> 12) + 0.5) * 0x1p-52;
        ps = noise->distribution->quantile(noise->numbers, u);
    }
    /* a Pareto tail may exceed any simulation, and rounding may make a normal variate negative */
    return ps < (double)TAN_SCHEDULE_MAX_PS ? (uint64_t)llround(fmax(ps, 0.0))
                                            : TAN_SCHEDULE_MAX_PS;
}

void tan_noise_help(FILE *to)
{
    enum { COLUMN = 28 };
    for (const struct distribution *d = distributions; d->name != NULL; d++) {
        tan_text_item(to, tan_printed("%s:%s", d->name, d->arguments).text, d->help, COLUMN);
    }
    tan_text_item(to, trace_form, "one of the times in a file, one a line; # starts a comment",
                  COLUMN);
}
