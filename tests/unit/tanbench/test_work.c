/* test_work.c - a filter's duration is CPU time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/clock.h"
#include "tanbench/plan/filter.h"
#include "tests/unit/check.h"

TEST(uses_at_least_its_time)
{
    for (double seconds = 1e-6; seconds < 0.02; seconds *= 10) {
        double begin = tan_clock_cpu_seconds();
        tan_work_for(seconds);
        assert_true(tan_clock_cpu_seconds() - begin >= seconds);
    }
}

RUN_TESTS(NULL, NULL)
