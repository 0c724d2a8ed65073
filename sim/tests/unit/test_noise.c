/* test_noise.c - noise against the moments and quantiles of its distributions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>

#include "sim/engine/noise.h"
#include "sim/schedule/schedule.h"
#include "tests/unit/scratch_file.h"

enum { DRAWS = 100000 };

static struct tan_noise *parse(const char *spec, uint64_t seed)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_noise *noise = tan_noise_parse(spec, seed, &e);
    assert_no_error(e);
    return noise;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Quartiles and mean by closed forms; of 100000 draws they are off by less than 2 %. */
TEST(distributions)
{
    static const struct {
        const char *spec;
        double q1, median, q3, mean; /* nanoseconds; mean 0: not checked */
    } rows[] = {
        {"constant:0.04ns", 0.04, 0.04, 0.04, 0.04},
        {"uniform:100ns:500ns", 200, 300, 400, 300},
        {"uniform:0:1us", 250, 500, 750, 500},
        /* -ln(1 - u) */
        {"exponential:500ns", 143.841, 346.574, 693.147, 500},
        {"normal:1us:100ns", 932.551, 1000, 1067.449, 1000},
        /* half of a normal distribution: |z|, with mean sqrt(2 / pi) */
        {"normal:0:100ns", 31.864, 67.449, 115.035, 79.788},
        /* median exp(sigma z), mean median exp(sigma^2 / 2) */
        {"lognormal:200ns:0.5", 142.744, 200, 280.221, 226.630},
        /* least / (1 - u)^(1 / alpha), mean alpha / (alpha - 1) */
        {"pareto:10ns:3", 11.006, 12.599, 15.874, 15},
        {"pareto:10ns:0.5", 17.778, 40, 160, 0},
    };
    uint64_t *draws = malloc(DRAWS * sizeof *draws);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
        struct tan_noise *noise = parse(rows[i].spec, 7);
        double sum = 0;
        for (uint32_t op = 0; op < DRAWS; op++) {
            draws[op] = tan_noise_draw(noise, op);
            sum += (double)draws[op];
        }
        qsort(draws, DRAWS, sizeof *draws, by_value);
        const double off = 0.02 * 1e3;
        assert_close((double)draws[DRAWS / 4], 1e3 * rows[i].q1, off * rows[i].q1 + 0.5);
        assert_close((double)draws[DRAWS / 2], 1e3 * rows[i].median, off * rows[i].median + 0.5);
        assert_close((double)draws[DRAWS / 4 * 3], 1e3 * rows[i].q3, off * rows[i].q3 + 0.5);
        if (rows[i].mean > 0) {
            assert_close(sum / DRAWS, 1e3 * rows[i].mean, off * rows[i].mean + 0.5);
        }
        tan_noise_destroy(noise);
    }
    free(draws);
}

/* A draw depends on seed and operation only. */
TEST(repeatable)
{
    enum { SOME = 1000 };
    struct tan_noise *a = parse("exponential:500ns", 1), *b = parse("exponential:500ns", 1);
    struct tan_noise *c = parse("exponential:500ns", 2);
    uint64_t forwards[SOME];
    int same = 0, repeated = 0;
    for (uint32_t op = 0; op < SOME; op++) {
        forwards[op] = tan_noise_draw(a, op);
        repeated += op > 0 && forwards[op] == forwards[op - 1];
    }
    for (uint32_t op = SOME; op-- > 0;) {
        assert_int_equal(tan_noise_draw(b, op), forwards[op]);
        same += tan_noise_draw(c, op) == forwards[op];
    }
    assert_int_equal(tan_noise_draw(a, SOME - 1), forwards[SOME - 1]);
    assert_in_range(same, 0, 2);
    assert_in_range(repeated, 0, 2);
    /* neighbours are independent: products of what lies off the mean cancel out */
    double product = 0;
    for (int i = 1; i < SOME; i++) {
        product += ((double)forwards[i] / 5e5 - 1) * ((double)forwards[i - 1] / 5e5 - 1);
    }
    assert_close(product / SOME, 0, 0.15);
    tan_noise_destroy(a);
    tan_noise_destroy(b);
    tan_noise_destroy(c);
}

TEST(extremes)
{
    /* the tail of this one is longer than any simulation */
    struct tan_noise *noise = parse("pareto:1000s:0.001", 3);
    for (uint32_t op = 0; op < 1000; op++) {
        assert_in_range(tan_noise_draw(noise, op), UINT64_C(1000000000000000), TAN_SCHEDULE_MAX_PS);
    }
    tan_noise_destroy(noise);
    noise = parse("normal:5ns:0", 3);
    assert_int_equal(tan_noise_draw(noise, 17), 5000);
    tan_noise_destroy(noise);
    noise = parse("exponential:0", 3);
    assert_int_equal(tan_noise_draw(noise, 17), 0);
    tan_noise_destroy(noise);
    noise = parse("lognormal:0:1", 3);
    assert_int_equal(tan_noise_draw(noise, 17), 0);
    tan_noise_destroy(noise);
}

TEST(traces)
{
    char spec[PATH_MAX + 8];
    int counts[3] = {0};
    write_text("# measured\n100\n\n  250.5 # late\r\n1us\n");
    snprintf(spec, sizeof spec, "trace:%s", path);
    struct tan_noise *noise = parse(spec, 1);
    for (uint32_t op = 0; op < 3000; op++) {
        const uint64_t draw = tan_noise_draw(noise, op);
        assert_true(draw == 100000 || draw == 250500 || draw == 1000000);
        counts[draw == 100000 ? 0 : draw == 250500 ? 1 : 2]++;
    }
    for (int i = 0; i < 3; i++) { /* 1000 and 5 standard deviations */
        assert_in_range(counts[i], 870, 1130);
    }
    tan_noise_destroy(noise);

    static const struct {
        const char *text, *error;
        int line;
    } rows[] = {
        {"", "no time in this trace", 1},
        {"# nothing\n\n", "no time in this trace", 3},
        {"1\n2\nthree\n", "such as 1500 or 0.04 (nanoseconds), 2.5us or 3ms, not \"three\"", 3},
        {"1\n-2\n", "not \"-2\"", 2},
        {"1 2\n", "not \"1 2\"", 1},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_text(rows[i].text);
        assert_null(tan_noise_parse(spec, 1, &e));
        assert_string_equal(e.source, path);
        assert_int_equal(e.line, rows[i].line);
        assert_error(e, TAN_FAILED, rows[i].error);
    }
    snprintf(spec, sizeof spec, "trace:%s", absent);
    assert_null(tan_noise_parse(spec, 1, &e));
    assert_error(e, TAN_FAILED, "No such file");
}

TEST(bad_specs)
{
    static const struct {
        const char *spec, *error;
    } rows[] = {
        {"gauss:1:2", "names no noise: it can be constant:TIME, uniform:LOW:HIGH"},
        {"exponential", "is not of the form exponential:MEAN"},
        {"exponential:1ns:2ns", "is not of the form exponential:MEAN"},
        {"normal:1ns", "is not of the form normal:MEAN:DEVIATION"},
        {"normal:1ns:-2ns", "DEVIATION must be a time"},
        {"exponential:", "MEAN must be a time"},
        {"exponential:nan", "MEAN must be a time"},
        {"exponential:1e9h", "MEAN must be a time of at most 1000000s"},
        {"uniform:5ns:4ns", "HIGH is less than LOW"},
        {"pareto:1ns:0", "alpha must be a number from 0.001 to 1000"},
        {"lognormal:1us:2us", "sigma must be a number"},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_null(tan_noise_parse(rows[i].spec, 1, &e));
        assert_error(e, TAN_USAGE, rows[i].error);
    }
}

RUN_TESTS(make_scratch, remove_scratch)
