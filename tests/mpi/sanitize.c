/* sanitize.c - leak checking in the ranks of tanbench (linked if SANITIZE is set)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

const char *__asan_default_options(void);
int __lsan_is_turned_off(void);

/* Sorting out the leaks that an MPI library has takes a rank a third of a second and more, so only
 * the first ranks look: a root, and an internal process or a leaf. */
static int looks_for_leaks(void)
{
    enum { FIRST_RANKS = 2 };
    const char *told = getenv("ASAN_OPTIONS");
    if (told != NULL && strstr(told, "detect_leaks=0") != NULL) {
        return 0;
    }
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (rank == NULL) {
        rank = getenv("PMI_RANK");
    }
    return rank == NULL || atoi(rank) < FIRST_RANKS;
}

/* An MPI library is recognised in the stack of its own leaks only when stacks are unwound in full:
 * hwloc loads drivers for it, whose start goes deeper than the 30 calls that are kept by default.
 */
const char *__asan_default_options(void)
{
    return looks_for_leaks() ? "fast_unwind_on_malloc=0:malloc_context_size=64" : "";
}

/* Called at exit. */
int __lsan_is_turned_off(void)
{
    return !looks_for_leaks();
}
