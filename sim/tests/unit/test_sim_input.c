/* test_sim_input.c - times, costs and host maps as input for simulations
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>

#include "sim/engine/link_options.h"
#include "sim/schedule/times.h"
#include "tests/unit/scratch_file.h"

TEST(times)
{
    static const struct {
        const char *text;
        uint64_t ps;
        const char *shown;
    } rows[] = {
        {"0", 0, "0 ns"},
        {"2500", 2500000, "2.5 us"},
        {"0.04", 40, "0.04 ns"},
        {".5", 500, "0.5 ns"},
        {"2.5e3", 2500000, "2.5 us"},
        {"1e-9s", 1000, "1 ns"},
        {"0.0004", 0, "0 ns"},
        {"0.0005", 1, "0.001 ns"},
        {"88672", 88672000, "88.672 us"},
        {"999.999", 999999, "999.999 ns"},
        {"2.5us", 2500000, "2.5 us"},
        {"1ms", UINT64_C(1000000000), "1 ms"},
        {"1.000000001s", UINT64_C(1000000001000), "1.000000001 s"},
        {"1000000s", UINT64_C(1000000000000000000), "1000000 s"},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t ps = 1;
        assert_int_equal(tan_parse_ps("-L", rows[i].text, TAN_BARE_NS, &ps, &e), 0);
        assert_int_equal(ps, rows[i].ps);
        assert_string_equal(tan_ps_text(ps).text, rows[i].shown);
    }
    /* every tenth of a picosecond means what it says */
    for (int i = 0; i < 1000; i++) {
        char text[32];
        double fine;
        snprintf(text, sizeof text, "%d.%04d", i / 37, i);
        assert_int_equal(tan_parse_fine_ps("-G", text, TAN_BARE_NS, &fine, &e), 0);
        assert_true(fine == (i / 37 * 10000 + i) / 10.0);
    }
    static const char *const bad[] = {"",
                                      "-1",
                                      "+1",
                                      "fast",
                                      "1 ns",
                                      "1e5x",
                                      "nan",
                                      "inf",
                                      "0x10",
                                      "1,5",
                                      "1.2.3",
                                      "2000000s",
                                      "9999999999999999999999999999999999999999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t ps;
        assert_int_equal(tan_parse_ps("-L", bad[i], TAN_BARE_NS, &ps, &e), -1);
        assert_error(e, TAN_USAGE, "-L must be a time of at most 1000000s");
    }
    uint64_t ps;
    assert_int_equal(tan_parse_ps("--latency", "2500ns", TAN_BARE_REFUSED, &ps, &e), 0);
    assert_int_equal(ps, 2500000);
    assert_int_equal(tan_parse_ps("--latency", "2500", TAN_BARE_REFUSED, &ps, &e), -1);
    assert_error(e, TAN_USAGE, "--latency must be a time of at most 1000000s, such as 40ns");
}

TEST(costs)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_link link = tan_sim_defaults.between;
    assert_int_equal(tan_link_parse(&link, "--within", "L=500ns,G=0.04ns,O=1us", &e), 0);
    assert_int_equal(link.L, 500000);
    assert_int_equal(link.o, 1500000);
    assert_int_equal(link.g, 1000000);
    assert_true(link.G == 40);
    assert_true(link.O == 1e6);
    static const struct {
        const char *text, *error;
    } bad[] = {
        {"", "must be like L=500ns,o=1us,G=0.04ns"},
        {"L", "and has \"L\""},
        {"L=1ns,", "and has \"\""},
        {"L=1ns,S=5", "there is no parameter \"S\": they are L, o, g, G and O"},
        {"L=x", "--within: L must be a time"},
        {"L=500", "--within: L must be a time"},
        {"latency=5", "and has \"latency=5\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(tan_link_parse(&link, "--within", bad[i].text, &e), -1);
        assert_error(e, TAN_USAGE, bad[i].error);
    }
}

TEST(host_maps)
{
    struct tan_error e = TAN_ERROR_INIT;
    FILE *file = fopen(path, "w");
    fputs("# two racks\nb1 a1\n\ta1 # again\r\nb1\nc", file);
    fclose(file);
    struct tan_doubts doubts = {.n = 0};
    uint32_t *hosts = tan_host_map_load(path, 5, &doubts, &e);
    assert_no_error(e);
    assert_int_equal(hosts[0], hosts[3]);
    assert_int_equal(hosts[1], hosts[2]);
    assert_int_not_equal(hosts[0], hosts[1]);
    assert_int_not_equal(hosts[4], hosts[0]);
    assert_int_not_equal(hosts[4], hosts[1]);
    for (int i = 0; i < 5; i++) {
        assert_in_range(hosts[i], 0, 2);
    }
    free(hosts);
    for (uint32_t ranks = 4; ranks <= 6; ranks += 2) {
        assert_null(tan_host_map_load(path, ranks, &doubts, &e));
        assert_error(e, TAN_FAILED, "has 5 names of hosts, and there are");
    }
    assert_null(tan_host_map_load(absent, 4, &doubts, &e));
    assert_error(e, TAN_FAILED, "No such file");
}

RUN_TESTS(make_scratch, remove_scratch)
