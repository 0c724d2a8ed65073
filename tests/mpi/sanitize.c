/* sanitize.c - how AddressSanitizer works in the ranks of tanbench (linked when SANITIZE is set)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

const char *__asan_default_options(void);

/* Only the first ranks look for leaks: one at the root, some inside, some at the leaves of a small
 * tree. An MPI library is recognised in the stack of its own leaks only when stacks are unwound in
 * full, and with thousands of leaks, as Open MPI has, all that takes a rank a second. */
const char *__asan_default_options(void)
{
    enum { FIRST_RANKS = 4 };
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (rank == NULL) {
        rank = getenv("PMI_RANK");
    }
    return rank == NULL || atoi(rank) < FIRST_RANKS ? "fast_unwind_on_malloc=0" : "detect_leaks=0";
}
