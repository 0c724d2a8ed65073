/* test_sync_policy.c - synchronisation policies as given on the command line
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/settings.h"

#include "tests/unit/check.h"

TEST(reads_what_it_writes)
{
    static const struct {
        const char *text;
        enum sync_kind kind;
        double timeout;
        const char *written;
    } cases[] = {{"all", SYNC_ALL, 0, "all"},
                 {"none", SYNC_NONE, 0, "none"},
                 {"timeout:5ms", SYNC_TIMEOUT, 0.005, "timeout:5ms"},
                 {"timeout:250us", SYNC_TIMEOUT, 250e-6, "timeout:0.25ms"},
                 {"timeout:0", SYNC_TIMEOUT, 0, "timeout:0ms"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        at_row("cases[%zu]", i);
        struct sync_policy g = {.kind = SYNC_KINDS, .timeout = -1};
        struct tan_error e = TAN_ERROR_INIT;
        char text[64];
        assert_int_equal(tan_sync_policy_parse("--sync", cases[i].text, &g, &e), 0);
        assert_no_error(e);
        assert_int_equal(g.kind, cases[i].kind);
        assert_close(g.timeout, cases[i].timeout, 1e-12);
        assert_string_equal(tan_sync_policy_format(&g, text, sizeof text), cases[i].written);
    }
}

TEST(refuses_the_rest)
{
    static const char *const wrong[] = {"",       "al",      "all:",       "all:5ms",
                                        "none:1", "timeout", "Timeout:5ms"};
    struct sync_policy g = {.kind = SYNC_NONE};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        assert_int_equal(tan_sync_policy_parse("--sync", wrong[i], &g, &e), -1);
        assert_error(e, TAN_USAGE, "is not one of all, timeout:TIME");
    }
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_sync_policy_parse("--sync", "timeout:soon", &g, &e), -1);
    assert_error(e, TAN_USAGE, "such as 50us");
    assert_int_equal(g.kind, SYNC_NONE);
}

RUN_TESTS(NULL, NULL)
