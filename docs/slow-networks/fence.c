/* fence.c - times PMIx_Fence with data, which daemons gather from all ranks and return to all
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage, under mpirun: fence BYTES PERIOD FENCES
 *
 * Every PERIOD seconds all ranks start a fence together, each with BYTES bytes. Each rank prints
 * how long each fence took. The hosts are namespaces of one machine, so all ranks share its clock.
 */
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void sleep_until(double instant)
{
    const double left = instant - seconds_now();
    const struct timespec t = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
    if (left > 0) {
        nanosleep(&t, NULL);
    }
}

static void check(const char *what, pmix_status_t status)
{
    if (status != PMIX_SUCCESS) {
        fprintf(stderr, "fence: %s: %s\n", what, PMIx_Error_string(status));
        exit(1);
    }
}

static void put_bytes(char *key, void *bytes, size_t size)
{
    pmix_value_t value = {.type = PMIX_BYTE_OBJECT};
    value.data.bo.bytes = bytes;
    value.data.bo.size = size;
    check(key, PMIx_Put(PMIX_GLOBAL, key, &value));
    check(key, PMIx_Commit());
}

static void fence_with_data(void)
{
    pmix_info_t collect;
    bool yes = true;
    PMIX_INFO_LOAD(&collect, PMIX_COLLECT_DATA, &yes, PMIX_BOOL);
    check("PMIx_Fence", PMIx_Fence(NULL, 0, &collect, 1));
}

/* The time of the first fence, which rank 0 chooses. */
static double agree_on_start(const pmix_proc_t *me, double period)
{
    pmix_proc_t first = *me;
    pmix_value_t *value;
    double start = seconds_now() + period;
    first.rank = 0;
    if (me->rank == 0) {
        put_bytes("start", &start, sizeof start);
    }
    fence_with_data();
    check("start", PMIx_Get(&first, "start", NULL, 0, &value));
    memcpy(&start, value->data.bo.bytes, sizeof start);
    return start;
}

int main(int argc, char **argv)
{
    pmix_proc_t me;
    if (argc != 4) {
        fprintf(stderr, "usage, under mpirun: fence BYTES PERIOD FENCES\n");
        return 2;
    }
    const size_t size = strtoul(argv[1], NULL, 10);
    const double period = atof(argv[2]);
    const int fences = atoi(argv[3]);
    char *bytes = malloc(size);
    double *took = calloc((size_t)fences, sizeof *took);
    if (bytes == NULL || took == NULL) {
        fprintf(stderr, "fence: out of memory\n");
        return 1;
    }
    check("PMIx_Init", PMIx_Init(&me, NULL, 0));
    const double start = agree_on_start(&me, period);
    for (int i = 0; i < fences; i++) {
        for (size_t at = 0; at < size; at += 256) { /* random, so that they cannot be compressed */
            getentropy(bytes + at, size - at < 256 ? size - at : 256);
        }
        put_bytes("bytes", bytes, size);
        sleep_until(start + i * period);
        fence_with_data();
        took[i] = seconds_now() - start - i * period;
    }
    for (int i = 0; i < fences; i++) {
        printf("fence %d rank %u %.6f\n", i, me.rank, took[i]);
    }
    return PMIx_Finalize(NULL, 0) == PMIX_SUCCESS ? 0 : 1;
}
