/* sanitize.c - how leaks are looked for in the ranks of tanbench (linked when SANITIZE is set)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

const char *__asan_default_options(void);
int __lsan_is_turned_off(void);

/* An MPI library is recognised in the stack of its own leaks only when stacks are unwound in full:
 * hwloc loads drivers for it, whose start goes deeper than the 30 calls that are kept by default.
 */
const char *__asan_default_options(void)
{
    return "fast_unwind_on_malloc=0:malloc_context_size=64";
}

/* Called at exit. Sorting out the thousands of leaks that Open MPI has takes a rank a third of a
 * second, so only the first ranks look: a root, internal processes and leaves of small trees. */
int __lsan_is_turned_off(void)
{
    enum { FIRST_RANKS = 4 };
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (rank == NULL) {
        rank = getenv("PMI_RANK");
    }
    return rank != NULL && atoi(rank) >= FIRST_RANKS;
}
