/* fuzz_goal.c - feeds the GOAL readers whatever a fuzzer thinks of
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/goal_property.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int compatible = 0; compatible < 2; compatible++) {
        const char *wrong = tan_property_goal(data, size, compatible);
        if (wrong != NULL) {
            fprintf(stderr, "%s\n", wrong);
            abort();
        }
    }
    return 0;
}
