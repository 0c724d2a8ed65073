/* test_units.c - numbers with units: parsing, errors, formatting
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "base/units.h"

TEST(counts)
{
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {
        {"0", 0},
        {"42", 42},
        {"007", 7},
        {"4k", 4000},
        {"3M", 3000000},
        {"2G", 2000000000},
        {"4Ki", 4096},
        {"1Mi", 1048576},
        {"1Gi", 1073741824},
        {"1e9", 1000000000},
        {"4e3", 4000},
        {"7e0", 7},
        {"9e18", INT64_C(9000000000000000000)},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        int64_t value = -1;
        assert_int_equal(tan_parse_count("n", good[i].text, 0, INT64_MAX, &value, &e), 0);
        assert_int_equal(value, good[i].value);
    }
    static const char *const bad[] = {"",
                                      " ",
                                      " 1",
                                      "1 ",
                                      "+1",
                                      "-1",
                                      "0x1",
                                      "1.5",
                                      "1e",
                                      "1e-3",
                                      "1e+3",
                                      "1.5e0",
                                      "1e30",
                                      "1e99999999999999999999",
                                      "10e18",
                                      "1e3k",
                                      "12x",
                                      "k",
                                      "1kk",
                                      "9223372036854775808",
                                      "9223372036854775807k",
                                      "99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t value = 77;
        assert_int_equal(tan_parse_count("--n", bad[i], 0, INT64_MAX, &value, &e), -1);
        assert_int_equal(value, 77);
        assert_error(e, TAN_USAGE, "--n must be a whole number of at least 0");
    }
    int64_t value;
    assert_int_equal(tan_parse_count("-l", "4K", 1, 9999, &value, &e), -1);
    assert_error(
        e, TAN_USAGE,
        "-l must be a whole number from 1 to 9999 (suffixes k, M, G or Ki, Mi, Gi), not \"4K\"");
    assert_int_equal(tan_parse_count("-l", "10k", 1, 9999, &value, &e), -1);
    assert_error(e, TAN_USAGE, "-l must be a whole number from 1 to 9999, not \"10k\"");
    assert_int_equal(tan_parse_count("n", "9223372036854775807", 0, INT64_MAX, &value, &e), 0);
    assert_true(value == INT64_MAX);
    assert_int_equal(tan_parse_count("n", "-5", -10, 10, &value, &e), 0);
    assert_int_equal(value, -5);
    assert_int_equal(tan_parse_count("n", "-11", -10, 10, &value, &e), -1);
    assert_error(e, TAN_USAGE, "n must be a whole number from -10 to 10, not \"-11\"");
    assert_int_equal(tan_parse_count("n", "11", -10, 10, &value, &e), -1);
    assert_error(e, TAN_USAGE, "not \"11\"");
}

TEST(sizes)
{
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {
        {"1024", 1024},    {"8B", 8},           {"1kB", 1000},       {"1KiB", 1024},
        {"128Ki", 131072}, {"4MiB", 4194304},   {"4MB", 4000000},    {"1GiB", 1073741824},
        {"2Mi", 2097152},  {"3Gi", 3221225472}, {"5GB", 5000000000},
    };
    struct tan_error e = TAN_ERROR_INIT;
    int64_t bytes;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(tan_parse_size("s", good[i].text, 1, INT64_MAX, &bytes, &e), 0);
        assert_int_equal(bytes, good[i].value);
    }
    static const char *const bad[] = {"",      "0",   "-1",    "1e3",  "1kib",
                                      "1 KiB", "KiB", "2MiBB", "1.5k", "k"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(tan_parse_size("--bytes", bad[i], 1, 1 << 20, &bytes, &e), -1);
        assert_error(e, TAN_USAGE, "--bytes must be a size from 1 B to 1 MiB");
    }
    static const struct {
        const char *text, *error;
    } ambiguous[] = {
        {"4k", "\"4k\" can mean 4kB (of 1000 bytes) or 4KiB (of 1024 bytes)"},
        {"64K", "\"64K\" can mean 64kB (of 1000 bytes) or 64KiB (of 1024 bytes)"},
        {"1KB", "\"1KB\" can mean 1kB (of 1000 bytes) or 1KiB (of 1024 bytes)"},
        {"2M", "\"2M\" can mean 2MB (of 1000000 bytes) or 2MiB (of 1048576 bytes)"},
        {"3G", "\"3G\" can mean 3GB (of 1000000000 bytes) or 3GiB (of 1073741824 bytes)"},
    };
    for (size_t i = 0; i < sizeof ambiguous / sizeof ambiguous[0]; i++) {
        assert_int_equal(tan_parse_size("--bytes", ambiguous[i].text, 1, INT64_MAX, &bytes, &e),
                         -1);
        assert_error(e, TAN_USAGE, ambiguous[i].error);
    }
    assert_int_equal(tan_parse_size("s", "9000000000GiB", 1, INT64_MAX, &bytes, &e), -1);
    assert_error(e, TAN_USAGE, "9000000000GiB");
}

TEST(durations)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {
        {"5ms", 5e-3},   {"50us", 50e-6},   {"50\u00b5s", 50e-6}, {"50\u03bcs", 50e-6},
        {"2s", 2.0},     {"1min", 60.0},    {"1.5min", 90.0},     {"2h", 7200.0},
        {"20ns", 20e-9}, {"2.0s", 2.0},     {".5s", 0.5},         {"1e-3s", 1e-3},
        {"0", 0.0},      {"1000000s", 1e6}, {"9e14ns", 9e5},
    };
    struct tan_error e = TAN_ERROR_INIT;
    double seconds;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        at_row("good[%zu]", i);
        assert_int_equal(tan_parse_duration("t", good[i].text, &seconds, &e), 0);
        assert_close(seconds, good[i].value, 1e-12 * good[i].value);
    }
    static const char *const bad[] = {"",    "2",   "1e-9",  "s",   "-1s", "+1s",      "5m", "nan",
                                      "inf", "0x1", "1e999", " 1s", "1 s", "5parsecs", "5S"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(tan_parse_duration("--timeout", bad[i], &seconds, &e), -1);
        assert_error(
            e, TAN_USAGE,
            "--timeout must be a time with its unit (ns, us, ms, s, min or h), such as 50us");
    }
    static const char *const longer[] = {"1000001s", "1e300s",   "1e308h",
                                         "278h",     "16667min", "1.1e15ns"};
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        assert_int_equal(tan_parse_duration("--timeout", longer[i], &seconds, &e), -1);
        assert_error(e, TAN_USAGE, "--timeout must be a time of at most 1000000s, not \"");
    }
}

TEST(reals)
{
    struct tan_error e = TAN_ERROR_INIT;
    double value;
    assert_int_equal(tan_parse_real("x", "-2.5e1", -100, 100, &value, &e), 0);
    assert_close(value, -25.0, 0.0);
    assert_int_equal(tan_parse_real("x", "100", -100, 100, &value, &e), 0);
    static const char *const bad[] = {"",      "nan",  "inf", "-inf", "1e999", "1x",  "0x10", " 1",
                                      "100.1", "-101", "+3",  "+-3",  "--3",   "-+3", "+.5"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(tan_parse_real("x", bad[i], -100, 100, &value, &e), -1);
        assert_error(e, TAN_USAGE, "x must be a number from -100 to 100, not \"");
    }
    assert_int_equal(tan_parse_real("x", "-1", 0, INFINITY, &value, &e), -1);
    assert_error(e, TAN_USAGE, "x must be a number of at least 0, not \"-1\"");
}

TEST(formatted_sizes)
{
    assert_string_equal(tan_size_text(0).text, "0 B");
    assert_string_equal(tan_size_text(96).text, "96 B");
    assert_string_equal(tan_size_text(1000).text, "1000 B");
    assert_string_equal(tan_size_text(1024).text, "1 KiB");
    assert_string_equal(tan_size_text(1536).text, "1.5 KiB");
    assert_string_equal(tan_size_text(4 << 20).text, "4 MiB");
    assert_string_equal(tan_size_text(INT64_C(3) << 30).text, "3 GiB");
    assert_string_equal(tan_size_text(INT64_C(3) << 40).text, "3 TiB");
    assert_string_equal(tan_size_text(INT64_C(3) << 50).text, "3 PiB");
    assert_string_equal(tan_size_text(INT64_MAX).text, "8 EiB");
}

TEST(formatted_values)
{
    static const struct {
        double value, half;
        const char *text;
    } rows[] = {
        {618.04, 3.2, "618"},
        {618.04, 0.32, "618.0"},
        {618.04, 32.0, "620"},
        {618.04, 0.0, "618.0"},
        {1029.94, 0.0, "1030"},
        {0.0123456, 0.0, "0.01235"},
        {9.99996, 0.0, "10.00"},
        {3.0, 500.0, "3"},
        {-618.04, 3.2, "-618"},
        {12345678.0, 0.0, "12350000"},
        {0.0, 0.0, "0.000"},
        {2.0, 1.0, "2"},
        {618.04, INFINITY, "618.0"},
        {618.04, NAN, "618.0"},
        {NAN, 1.0, "-"},
        {INFINITY, 0.0, "-"},
        {1.0, 1e-300, "1.000"},
        {10.0, 1e-12, "10.00"}, /* an interval without width, but for rounding */
        {10.0, 1e-7, "10.000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(tan_value_text(rows[i].value, rows[i].half).text, rows[i].text);
    }
}

TEST(lists_of_sizes)
{
    int64_t bytes[3];
    size_t n;
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_parse_sizes("--sizes", "1,1KiB,64KiB", 1, 1 << 20, bytes, 3, &n, &e), 0);
    assert_int_equal(n, 3);
    assert_int_equal(bytes[0], 1);
    assert_int_equal(bytes[1], 1024);
    assert_int_equal(bytes[2], 65536);
    assert_int_equal(tan_parse_sizes("--sizes", "8", 1, 8, bytes, 1, &n, &e), 0);
    assert_int_equal(n, 1);
    assert_no_error(e);
    assert_int_equal(tan_parse_sizes("--sizes", "1,2,3,4", 1, 8, bytes, 3, &n, &e), -1);
    assert_error(e, TAN_USAGE, "--sizes takes at most 3 values");
    static const char *const wrong[] = {"", ",", "1,", ",1", "1,,2", "1;2", "1,9", "1, 2"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(tan_parse_sizes("--sizes", wrong[i], 1, 8, bytes, 3, &n, &e), -1);
        assert_error(e, TAN_USAGE, "--sizes must be a size from 1 B to 8 B");
    }
}

TEST(size_ranges)
{
    int64_t bytes[6];
    size_t n;
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_parse_sizes("-b", "0,8..40,1KiB", 0, 4096, bytes, 6, &n, &e), 0);
    static const int64_t expected[] = {0, 8, 16, 32, 40, 1024};
    assert_int_equal(n, 6);
    assert_memory_equal(bytes, expected, sizeof expected);
    assert_int_equal(tan_parse_sizes("-b", "7..7", 1, 8, bytes, 6, &n, &e), 0);
    assert_int_equal(n, 1);
    static const int64_t most = INT64_MAX;
    assert_int_equal(tan_parse_sizes("-b", "4611686018427387905..9223372036854775807", 1, most,
                                     bytes, 6, &n, &e),
                     0);
    assert_int_equal(n, 2);
    assert_int_equal(bytes[1], most);
    static const struct {
        const char *text, *error;
    } wrong[] = {{"8..4", "in LOW..HIGH, LOW is at least 1 and HIGH no less: \"8..4\""},
                 {"0..4", "LOW is at least 1"},
                 {"1..64", "-b takes at most 6 values"},
                 {"1..", "-b must be a size"},
                 {"1,,2", "-b must be a size"},
                 {"1..9999", "-b must be a size"},
                 {"..8", "-b must be a size"},
                 {"1..2..3", "-b must be a size"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(tan_parse_sizes("-b", wrong[i].text, 0, 4096, bytes, 6, &n, &e), -1);
        assert_error(e, TAN_USAGE, wrong[i].error);
    }
    assert_int_equal(tan_parse_counts("-n", "2,3..7,1k", 1, 1000, bytes, 6, &n, &e), 0);
    static const int64_t counts[] = {2, 3, 6, 7, 1000};
    assert_int_equal(n, 5);
    assert_memory_equal(bytes, counts, sizeof counts);
    assert_int_equal(tan_parse_counts("-n", "2..1001", 1, 1000, bytes, 6, &n, &e), -1);
    assert_error(e, TAN_USAGE, "-n must be a whole number from 1 to 1000");
}

TEST(rates)
{
    static const struct {
        const char *text;
        double bits;
        const char *formatted;
    } good[] = {
        {"8Mbit", 8e6, "8 Mbit/s"},
        {"8Mbit/s", 8e6, "8 Mbit/s"},
        {"8mbit", 8e6, "8 Mbit/s"},
        {"12.5MB/s", 100e6, "100 Mbit/s"},
        {"1GB/s", 8e9, "8 Gbit/s"},
        {"2.5Gbit", 2.5e9, "2.5 Gbit/s"},
        {"1KiB/s", 8192, "8.192 kbit/s"},
        {"1MiB/s", 8388608, "8.389 Mbit/s"},
        {"100kbit/s", 1e5, "100 kbit/s"},
        {"1bit", 1, "1 bit/s"},
        {"1B/s", 8, "8 bit/s"},
        {"0.4Tbit", 4e11, "400 Gbit/s"},
        {"10Gb/s", 1e10, "10 Gbit/s"},
        {"10Gbps", 1e10, "10 Gbit/s"},
        {"1gbps", 1e9, "1 Gbit/s"},
        {"5Kbps", 5e3, "5 kbit/s"},
        {"9bps", 9, "9 bit/s"},
        {"9b/s", 9, "9 bit/s"},
        {"1tbit/s", 1e12, "1 Tbit/s"},
        {"10000Tbit", 1e16, "1e+04 Tbit/s"},
        {"5Kbit", 5e3, "5 kbit/s"},
        {"10GBps", 8e10, "80 Gbit/s"},
        {"1TB/s", 8e12, "8 Tbit/s"},
        {"1kB/s", 8e3, "8 kbit/s"},
        {"1GiB/s", 8589934592, "8.59 Gbit/s"},
        {"1TiB/s", 8796093022208, "8.796 Tbit/s"},
    };
    static const char *const bad[] = {
        "",       "8",       "8M",     "8MB",   "8Mb",       "8Mbit/",  "8Mbits",  "8 Mbit",
        "-8Mbit", "0Mbit",   "0.5bit", "bit",   "10001Tbit", "nanMbit", "0x8Mbit", "8Mbit/S",
        "8B",     "8MB/s/s", "1iB/s",  "1KB/s", "1kiB/s",    "1Pbit",   "1mB/s",   "1ibit",
    };
    struct tan_error e = TAN_ERROR_INIT;
    double rate;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(tan_parse_rate("r", good[i].text, &rate, &e), 0);
        assert_close(rate, good[i].bits, 1e-12 * good[i].bits);
        assert_string_equal(tan_rate_text(rate).text, good[i].formatted);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(tan_parse_rate("--bandwidth", bad[i], &rate, &e), -1);
        assert_error(e, TAN_USAGE, "--bandwidth must be a rate of at least 1bit/s");
    }
}

TEST(formatted_slower)
{
    static const struct {
        double slower;
        const char *text;
    } rows[] = {{0, "as fast"},    {0.0025, "+0.25 %"}, {-0.031, "-3.1 %"}, {0.365, "+36.5 %"},
                {1.9, "2.9x"},     {445, "446x"},       {5e6, "5.0e+06x"},  {0.01, "+1.0 %"},
                {1.0, "2.0x"},     {8.9, "9.9x"},       {9.0, "10x"},       {-0.01, "-1.0 %"},
                {1e6, "1.0e+06x"}, {8.94, "9.9x"},      {8.97, "10x"},      {-1e-6, "0.0 %"},
                {4e-5, "0.0 %"},   {6e-5, "+0.01 %"}};
    char text[32];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(tan_format_slower(rows[i].slower, text, sizeof text), rows[i].text);
    }
}

TEST(factors_near_1_show_how_they_differ)
{
    static const struct {
        double factor;
        int digits;
        const char *text;
    } rows[] = {
        {1.8561, 3, "1.86"},  {1.8561, 4, "1.856"},      {123.4, 3, "123"},
        {1.0031, 3, "1.003"}, {1.00268, 3, "1.003"},     {1.0004, 4, "1.0004"},
        {0.997, 3, "0.997"},  {0.99996, 3, "0.99996"},   {1.0, 3, "1"},
        {0.0, 3, "0"},        {1.00000004, 3, "1"},      {0.5, 3, "0.5"},
        {1.25, 3, "1.25"},    {1.000004, 4, "1.000004"}, {2.0, 3, "2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(tan_factor_text(rows[i].factor, rows[i].digits).text, rows[i].text);
    }
}

TEST(formatted_share)
{
    static const struct {
        double share;
        const char *text;
    } rows[] = {{0, "0 %"},         {1e-6, "0 %"},     {0.0034, "0.34 %"}, {0.025, "2.5 %"},
                {0.09949, "9.9 %"}, {0.0996, "10 %"},  {0.364, "36 %"},    {0.995, "100 %"},
                {4.9, "490 %"},     {123.4, "12340 %"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(tan_share_text(rows[i].share).text, rows[i].text);
    }
}

RUN_TESTS(NULL, NULL)
