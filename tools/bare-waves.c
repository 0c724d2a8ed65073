/* bare-waves.c - waves of processes that do nothing but wake each other: what the machine allows
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bare-waves WAVES SPEC...
 *
 * For each tree, "SPEC US": the median round trip of WAVES waves in microseconds, each with 8 bytes
 * down and 8 bytes up every link, through memory that all processes share. Every process sleeps on
 * a futex until its parent has sent the request, or the last of its children has answered. They are
 * placed as tanbench places its ranks where these outnumber the cores: as batch processes, in equal
 * blocks on all cores, in depth-first order. */
#include <gsl/gsl_sort.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "topo/spec.h"

/* Of one process, in its own cache lines. Futex words hold the number of the latest wave. */
struct place {
    _Alignas(128) _Atomic uint32_t requested; /* by the parent */
    uint64_t request;
    _Alignas(128) _Atomic uint32_t answered; /* by all children */
    _Atomic int32_t missing;                 /* children that have not answered */
    _Alignas(128) uint64_t answer;           /* to the parent */
};

static void await_wave(_Atomic uint32_t *word, uint32_t wave)
{
    for (uint32_t now; (now = atomic_load(word)) != wave;) {
        syscall(SYS_futex, word, FUTEX_WAIT, now, NULL, NULL, 0);
    }
}

static void wake_for(_Atomic uint32_t *word, uint32_t wave)
{
    atomic_store(word, wave);
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Send the request down and return the sum of the leaves' answers. */
static uint64_t pass_wave(const struct tan_tree *tree, struct place *places, int32_t node,
                          uint32_t wave)
{
    struct place *me = &places[node];
    const int32_t *children = tan_tree_children(tree, node);
    const int32_t n = tan_tree_fanout(tree, node);
    if (n == 0) {
        return me->request;
    }
    atomic_store(&me->missing, n);
    for (int32_t i = 0; i < n; i++) {
        places[children[i]].request = me->request;
        wake_for(&places[children[i]].requested, wave);
    }
    await_wave(&me->answered, wave);
    uint64_t sum = 0;
    for (int32_t i = 0; i < n; i++) {
        sum += places[children[i]].answer;
    }
    return sum;
}

static void settle_process(const cpu_set_t *usable, int32_t node, int32_t size)
{
    int before = (int)((int64_t)node * CPU_COUNT(usable) / size);
    cpu_set_t own;
    CPU_ZERO(&own);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, usable) && before-- == 0) {
            CPU_SET(cpu, &own);
        }
    }
    sched_setaffinity(0, sizeof own, &own);
    sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){.sched_priority = 0});
}

static void follow_waves(const struct tan_tree *tree, struct place *places, int32_t node,
                         uint32_t waves)
{
    struct place *parent = &places[tan_tree_parent(tree, node)];
    for (uint32_t wave = 1; wave <= waves; wave++) {
        await_wave(&places[node].requested, wave);
        places[node].answer = pass_wave(tree, places, node, wave);
        if (atomic_fetch_sub(&parent->missing, 1) == 1) {
            wake_for(&parent->answered, wave);
        }
    }
}

/* Median round trip in seconds; -1 after a wrong sum. */
static double lead_waves(const struct tan_tree *tree, struct place *places, uint32_t waves,
                         double *seconds)
{
    for (uint32_t wave = 1; wave <= waves; wave++) {
        const double begin = tan_clock_seconds();
        places[0].request = wave;
        const uint64_t sum = pass_wave(tree, places, 0, wave);
        seconds[wave - 1] = tan_clock_seconds() - begin;
        if (sum != (uint64_t)tan_tree_leaves(tree) * wave) {
            return -1;
        }
    }
    gsl_sort(seconds, 1, waves);
    return seconds[waves / 2];
}

static int measure_tree(const char *spec, uint32_t waves, const cpu_set_t *usable)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    if (tree == NULL) {
        return tan_error_print(&e, "bare-waves", stderr);
    }
    const int32_t size = tan_tree_size(tree);
    struct place *places = mmap(NULL, (size_t)size * sizeof *places, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double *seconds = calloc(waves, sizeof *seconds);
    int32_t *order = calloc((size_t)size, sizeof *order);
    if (places == MAP_FAILED || seconds == NULL || order == NULL) {
        perror("bare-waves");
        return EXIT_FAILURE;
    }
    tan_tree_depth_first(tree, order);
    for (int32_t node = 1; node < size; node++) {
        const pid_t pid = fork();
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            settle_process(usable, order[node], size);
            follow_waves(tree, places, node, waves);
            _exit(EXIT_SUCCESS);
        }
        if (pid < 0) {
            perror("bare-waves");
            return EXIT_FAILURE;
        }
    }
    settle_process(usable, 0, size);
    const double median = lead_waves(tree, places, waves, seconds);
    if (median < 0) {
        fprintf(stderr, "bare-waves: wrong sum\n");
        return EXIT_FAILURE;
    }
    printf("%s %.2f\n", spec, median * 1e6);
    while (wait(NULL) > 0) {
    }
    tan_tree_destroy(tree);
    free(seconds);
    free(order);
    munmap(places, (size_t)size * sizeof *places);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const int waves = argc > 2 ? atoi(argv[1]) : 0;
    cpu_set_t usable;
    if (waves < 1) {
        fprintf(stderr, "usage: bare-waves WAVES SPEC...\n");
        return 2;
    }
    if (sched_getaffinity(0, sizeof usable, &usable) < 0) {
        perror("bare-waves");
        return EXIT_FAILURE;
    }
    for (int i = 2; i < argc; i++) {
        if (measure_tree(argv[i], (uint32_t)waves, &usable) != EXIT_SUCCESS) {
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
