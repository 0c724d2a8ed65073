/* test_trace_growth.c - extrapolated traces against traces of the same programs on more ranks
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each program here writes the trace of a rank of a job of any size, from the definition of its
 * pattern. A job is traced, extrapolated and compared with the same program on as many ranks: each
 * rank has the same messages with the same peers. */
#include "tests/unit/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/engine/deadlock.h"
#include "sim/engine/simulate.h"
#include "sim/trace/trace_schedule.h"

enum { MOST_RANKS = 600 };
static char folder[] = "/tmp/tan-growth-XXXXXX";
static int written;

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static void path_of(int rank, char *path, size_t size)
{
    snprintf(path, size, "%s/rank-%d.txt", folder, rank);
}

static void remove_files(void)
{
    for (; written > 0; written--) {
        char path[64];
        path_of(written - 1, path, sizeof path);
        unlink(path);
    }
}

static int remove_folder(void **state)
{
    (void)state;
    remove_files();
    return rmdir(folder);
}

/* One rank while its trace is written. */
struct rank {
    FILE *to;
    int r, n;      /* rank, of n */
    int extent[3]; /* of a grid */
    int d;         /* a parameter of the program */
    int64_t now;   /* us */
    int requests;
    char completed[20000];
    int comm, own, size;
};

__attribute__((format(printf, 2, 3))) static void line(struct rank *k, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(k->to, format, arguments);
    va_end(arguments);
    fputc('\n', k->to);
    k->now += 3;
}

#define PEER_NULL (-2)

static void send(struct rank *k, int peer, int tag, int bytes)
{
    line(k, "MPI_Send:%" PRId64 ":0:%d:1,1,1:%d:%d:%d,%d,%d:%" PRId64 ":", k->now, bytes, peer, tag,
         k->comm, k->own, k->size, k->now + 1);
}

static void receive(struct rank *k, int peer, int tag, int bytes)
{
    line(k, "MPI_Recv:%" PRId64 ":0:%d:1,1,1:%d:%d:%d,%d,%d:0:%" PRId64 ":", k->now, bytes, peer,
         tag, k->comm, k->own, k->size, k->now + 1);
}

/* From any source, with any tag: what came stands behind the call. */
static void receive_any(struct rank *k, int peer, int tag, int bytes)
{
    line(k, "MPI_Recv:%" PRId64 ":0:%d:1,1,1:-1:-1:%d,%d,%d:0:%" PRId64 ":;-1,%d,%d,%d", k->now,
         bytes, k->comm, k->own, k->size, k->now + 1, peer, tag, bytes);
}

static void start(struct rank *k, const char *call, int peer, int tag, int bytes)
{
    line(k, "MPI_%s:%" PRId64 ":0:%d:1,1,1:%d:%d:%d,%d,%d:9:%" PRId64 ":%d", call, k->now, bytes,
         peer, tag, k->comm, k->own, k->size, k->now + 1, k->requests);
}

static void isend(struct rank *k, int peer, int tag, int bytes)
{
    start(k, "Isend", peer, tag, bytes);
    sprintf(k->completed + strlen(k->completed), ";%d,-2,0,0", k->requests++);
}

/* `any`: the source and the tag are known from the wait. */
static void irecv(struct rank *k, int peer, int tag, int bytes, bool any)
{
    start(k, "Irecv", any ? -1 : peer, any ? -1 : tag, bytes);
    sprintf(k->completed + strlen(k->completed), ";%d,%d,%d,%d", k->requests++, peer, tag, bytes);
}

static void wait_all(struct rank *k)
{
    line(k, "MPI_Waitall:%" PRId64 ":9:9:0:%" PRId64 ":%s", k->now, k->now + 1, k->completed);
    k->completed[0] = '\0';
}

static void sendrecv(struct rank *k, int to, int from, int tag, int bytes)
{
    line(k, "MPI_Sendrecv:%" PRId64 ":0:%d:1,1,1:%d:%d:0:%d:1,1,1:%d:%d:%d,%d,%d:0:%" PRId64 ":",
         k->now, bytes, to, tag, bytes, from, tag, k->comm, k->own, k->size, k->now + 1);
}

static void allreduce(struct rank *k)
{
    line(k, "MPI_Allreduce:%" PRId64 ":0:0:4:1,1,1:0:%d,%d,%d:%" PRId64 ":", k->now, k->comm,
         k->own, k->size, k->now + 1);
}

static void bcast(struct rank *k, int root)
{
    line(k, "MPI_Bcast:%" PRId64 ":0:100:1,1,1:%d:%d,%d,%d:%" PRId64 ":", k->now, root, k->comm,
         k->own, k->size, k->now + 1);
}

static int inside(int x, int n)
{
    return x >= 0 && x < n ? x : PEER_NULL;
}

static int rest(int x, int n)
{
    return (x % n + n) % n;
}

/* Programs */

static void ring(struct rank *k)
{
    for (int i = 0; i < 3; i++) {
        sendrecv(k, rest(k->r + k->d, k->n), rest(k->r - k->d, k->n), 5, 100);
        allreduce(k);
    }
}

static void both_ways(struct rank *k)
{
    irecv(k, rest(k->r + 1, k->n), 1, 100, false);
    irecv(k, rest(k->r - 1, k->n), 2, 200, k->d > 1);
    isend(k, rest(k->r + 1, k->n), 2, 200);
    isend(k, rest(k->r - 1, k->n), 1, 100);
    wait_all(k);
}

static void chain(struct rank *k)
{
    for (int i = 0; i < 2; i++) {
        irecv(k, inside(k->r + k->d, k->n), 1, 100, false);
        irecv(k, inside(k->r - k->d, k->n), 2, 200, false);
        isend(k, inside(k->r + k->d, k->n), 2, 200);
        isend(k, inside(k->r - k->d, k->n), 1, 100);
        wait_all(k);
        allreduce(k);
    }
    bcast(k, 0);
    bcast(k, k->n - 1);
}

static void place(const struct rank *k, int *x)
{
    x[2] = k->r % k->extent[2];
    x[1] = k->r / k->extent[2] % k->extent[1];
    x[0] = k->r / k->extent[2] / k->extent[1];
}

/* The rank that is `by` further on in a dimension. */
static int neighbour(const struct rank *k, int dimension, int by, unsigned wraps)
{
    int x[3];
    place(k, x);
    x[dimension] += by;
    if ((wraps >> dimension & 1) != 0) {
        x[dimension] = rest(x[dimension], k->extent[dimension]);
    }
    return inside(x[dimension], k->extent[dimension]) == PEER_NULL
               ? PEER_NULL
               : (x[0] * k->extent[1] + x[1]) * k->extent[2] + x[2];
}

/* Both ways in every dimension that is longer than 1, all with one tag. */
static void halo(struct rank *k, unsigned wraps)
{
    for (int d = 0; d < 3; d++) {
        for (int by = -1; by <= 1; by += 2) {
            if (k->extent[d] > 1) {
                irecv(k, neighbour(k, d, by, wraps), 4, 100 + 10 * d, false);
                isend(k, neighbour(k, d, by, wraps), 4, 100 + 10 * d);
            }
        }
    }
    wait_all(k);
    allreduce(k);
}

static void grid(struct rank *k)
{
    halo(k, 0);
}

static void torus(struct rank *k)
{
    halo(k, 7);
}

static void cylinder(struct rank *k)
{
    halo(k, 1u << k->d);
}

/* Wavefronts from two corners. */
static void wavefront(struct rank *k)
{
    for (int by = 1; by >= -1; by -= 2) {
        for (int block = 0; block < 3; block++) {
            for (int d = 0; d < 2; d++) {
                receive(k, neighbour(k, d + 1, -by, 0), d, 80);
            }
            k->now += 10;
            for (int d = 0; d < 2; d++) {
                send(k, neighbour(k, d + 1, by, 0), d, 80);
            }
        }
    }
}

/* The master is rank d; -1: the last one. */
static void workers(struct rank *k)
{
    const int master = k->d < 0 ? k->n - 1 : k->d;
    if (k->r != master) {
        receive(k, master, 1, 50);
        k->now += 20 + k->r % 7;
        send(k, master, 2, 60);
        return;
    }
    for (int i = 0; i < k->n; i++) {
        if (i != master) {
            send(k, i, 1, 50);
        }
    }
    for (int i = 0; i < k->n; i++) {
        if (i != master) {
            receive_any(k, i, 2, 60);
        }
    }
}

static void workers_of_requests(struct rank *k)
{
    if (k->r != 0) {
        isend(k, 0, 2, 60);
        wait_all(k);
        return;
    }
    for (int i = 1; i < k->n; i++) {
        irecv(k, i, 2, 60, true);
    }
    wait_all(k);
}

static void everybody(struct rank *k)
{
    for (int i = 1; i < k->n; i++) {
        sendrecv(k, rest(k->r + i, k->n), rest(k->r - i, k->n), 3, 40);
    }
}

static void everybody_of_requests(struct rank *k)
{
    for (int i = 0; i < k->n; i++) {
        if (i != k->r) {
            irecv(k, i, 3, 40, false);
            isend(k, i, 3, 40);
        }
    }
    wait_all(k);
}

/* d: rounds have tags of their own. */
static void doubling(struct rank *k)
{
    for (int m = 1; m < k->n; m *= 2) {
        sendrecv(k, k->r ^ m, k->r ^ m, k->d == 0 ? 7 : 0, 64);
    }
}

static void halving(struct rank *k)
{
    for (int m = k->n / 2; m > 0; m /= 2) {
        sendrecv(k, k->r ^ m, k->r ^ m, 7, 64);
    }
}

static void binomial_reduce(struct rank *k)
{
    for (int m = 1; m < k->n; m *= 2) {
        if ((k->r & m) != 0) {
            send(k, k->r - m, 1, 32);
            return;
        }
        if (k->r + m < k->n) {
            receive(k, k->r + m, 1, 32);
        }
    }
}

static void binomial_broadcast(struct rank *k)
{
    int m = 1;
    while (m < k->n && (k->r & m) == 0) {
        m *= 2;
    }
    if (k->r != 0) {
        receive(k, k->r - m, 2, 32);
    }
    for (m /= 2; m > 0; m /= 2) {
        if (k->r + m < k->n) {
            send(k, k->r + m, 2, 32);
        }
    }
}

static void heap(struct rank *k)
{
    for (int child = 2 * k->r + 1; child <= 2 * k->r + 2; child++) {
        if (child < k->n) {
            receive(k, child, 1, 32);
        }
    }
    if (k->r > 0) {
        send(k, (k->r - 1) / 2, 1, 32);
        receive(k, (k->r - 1) / 2, 2, 48);
    }
    for (int child = 2 * k->r + 1; child <= 2 * k->r + 2; child++) {
        if (child < k->n) {
            send(k, child, 2, 48);
        }
    }
}

/* Rows and columns as communicators, and messages within them. */
static void rows_and_columns(struct rank *k)
{
    int x[3];
    place(k, x);
    const int rows = k->extent[1];
    const int columns = k->extent[2];
    fprintf(k->to, "# comm 1 =");
    for (int i = 0; i < columns; i++) {
        fprintf(k->to, " %d", x[1] * columns + i);
    }
    fprintf(k->to, "\n# comm 2 =");
    for (int i = 0; i < rows; i++) {
        fprintf(k->to, " %d", i * columns + x[2]);
    }
    fputc('\n', k->to);
    allreduce(k);
    k->comm = 1, k->own = x[2], k->size = columns;
    bcast(k, 0);
    sendrecv(k, rest(k->own + 1, columns), rest(k->own - 1, columns), 6, 70);
    k->comm = 2, k->own = x[1], k->size = rows;
    allreduce(k);
    sendrecv(k, inside(k->own + 1, rows), inside(k->own - 1, rows), 8, 90);
}

/* Messages of a line, and to its first rank. */
static void line_and_root(struct rank *k)
{
    sendrecv(k, inside(k->r + 1, k->n), inside(k->r - 1, k->n), 1, 30);
    if (k->r > 0) {
        send(k, 0, 2, 20);
        return;
    }
    for (int i = 1; i < k->n; i++) {
        receive(k, i, 2, 20);
    }
}

typedef void program(struct rank *k);

static void write_trace(program *run, int n, const int *extent, int d)
{
    remove_files();
    for (int r = 0; r < n; r++) {
        char path[64];
        struct rank k = {.r = r, .n = n, .d = d, .now = 1001, .own = r, .size = n};
        memcpy(k.extent, extent, sizeof k.extent);
        path_of(r, path, sizeof path);
        k.to = fopen(path, "w");
        assert_non_null(k.to);
        fprintf(k.to, "# comm 0 =");
        for (int i = 0; i < n; i++) {
            fprintf(k.to, " %d", i);
        }
        fputs("\nMPI_Init:-:0:0:1000\n", k.to);
        run(&k);
        line(&k, "MPI_Finalize:%" PRId64 ":%" PRId64 ":", k.now, k.now);
        assert_int_equal(fclose(k.to), 0);
        written = r + 1;
    }
}

/* Messages of a rank: hashes of kind, peer and bytes, and how many there are. */
struct messages {
    uint64_t sum, n;
};

static uint64_t hash(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static void count_messages(const struct tan_schedule *s, struct messages *of)
{
    for (uint32_t r = 0; r < s->ranks; r++) {
        of[r] = (struct messages){0, 0};
        for (uint32_t i = s->first_op[r]; i < s->first_op[r] + s->rank_ops[r]; i++) {
            const struct tan_op_spec spec = tan_schedule_spec(s, i);
            if (spec.kind != TAN_OP_CALC) {
                of[r].n++;
                of[r].sum +=
                    hash((uint64_t)spec.kind << 60 | (uint64_t)spec.peer << 20 | spec.amount);
            }
        }
    }
}

static void assert_ends(const struct tan_schedule *s, uint64_t eager)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_simulation simulation;
    struct tan_sim_params p = tan_sim_defaults;
    p.within = p.between;
    p.S = eager;
    assert_int_equal(tan_simulate(s, &p, false, &simulation, &e), 0);
    assert_no_error(e);
    assert_true(tan_ended_well(&simulation));
    tan_simulation_clear(&simulation);
}

static struct tan_schedule *load(int copies, const char *peers, int dimension, struct tan_trace *t)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_trace_options options = {.collectives = "usual",
                                              .copies = (uint32_t)copies,
                                              .peers = &peers,
                                              .n_peers = peers != NULL,
                                              .grow_dimension = dimension};
    struct tan_schedule *s = tan_trace_load(folder, &options, t, &e);
    if (s == NULL) {
        print_error("%s\n", e.text);
    }
    assert_non_null(s);
    return s;
}

/* Extrapolate n ranks of a program by k, and compare; the grid grows in `dimension`, from 1.
 * Returns the number of doubts. */
static size_t assert_grows(program *run, int n, int k, const int *extent, int dimension, int d,
                           const char *peers)
{
    static struct messages grown[MOST_RANKS];
    static struct messages traced[MOST_RANKS];
    static const int none[3];
    int larger[3];
    struct tan_trace t;
    assert_true(n * k <= MOST_RANKS);
    memcpy(larger, extent == NULL ? none : extent, sizeof larger);
    write_trace(run, n, larger, d);
    struct tan_schedule *s = load(k, peers, dimension, &t);
    const size_t doubts = t.n_remarks;
    for (size_t i = 0; i < doubts; i++) {
        print_message("%d x %d: %s\n", n, k, t.remark[i]);
    }
    assert_int_equal(s->ranks, n * k);
    count_messages(s, grown);
    assert_ends(s, UINT64_MAX >> 20);
    tan_schedule_destroy(s);
    tan_trace_clear(&t);
    if (extent != NULL) {
        larger[extent[0] > 1 ? dimension - 1 : dimension] *= k; /* a grid of 2 has its last two */
    }
    write_trace(run, n * k, larger, d);
    s = load(1, NULL, 0, &t);
    count_messages(s, traced);
    tan_schedule_destroy(s);
    tan_trace_clear(&t);
    for (int r = 0; r < n * k; r++) {
        if (grown[r].n != traced[r].n || grown[r].sum != traced[r].sum) {
            print_error("rank %d of %d x %d: %" PRIu64 " messages, wanted %" PRIu64 "\n", r, n, k,
                        grown[r].n, traced[r].n);
        }
        assert_int_equal(grown[r].n, traced[r].n);
        assert_true(grown[r].sum == traced[r].sum);
    }
    return doubts;
}

/* Programs whose ranks have numbers only; sizes by chance. */
static void rows_of_ranks(void **state)
{
    (void)state;
    static const struct {
        program *run;
        int d, least, most;
    } cases[] = {
        {ring, 1, 3, 20},
        {ring, 3, 7, 20},
        {both_ways, 1, 3, 20},
        {both_ways, 2, 3, 20},
        {chain, 1, 3, 20},
        {chain, 4, 9, 20},
        {workers, 0, 3, 20},
        {workers, -1, 3, 20},
        {workers_of_requests, 0, 3, 20},
        {everybody, 0, 4, 12},
        {everybody_of_requests, 0, 4, 12},
        {line_and_root, 0, 3, 20},
    };
    srand(7);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int times = thorough() ? 20 : 4; times > 0; times--) {
            const int n = cases[i].least + rand() % (cases[i].most - cases[i].least + 1);
            assert_int_equal(
                assert_grows(cases[i].run, n, 2 + rand() % 5, NULL, 0, cases[i].d, NULL), 0);
        }
    }
}

static void grids(void **state)
{
    (void)state;
    static const struct {
        program *run;
        int extent[3], dimension, d;
    } cases[] = {
        {grid, {1, 4, 3}, 1, 0},
        {grid, {1, 3, 4}, 2, 0},
        {grid, {1, 3, 3}, 2, 0},
        {grid, {1, 5, 2}, 1, 0},
        {torus, {1, 4, 3}, 1, 0},
        {torus, {1, 3, 5}, 2, 0},
        {torus, {1, 3, 3}, 1, 0},
        {cylinder, {1, 3, 5}, 1, 1},
        {cylinder, {1, 3, 5}, 2, 1},
        {cylinder, {1, 4, 3}, 1, 2},
        {wavefront, {1, 4, 3}, 1, 0},
        {wavefront, {1, 3, 3}, 1, 0},
        {grid, {3, 4, 5}, 3, 0},
        {grid, {3, 3, 3}, 2, 0},
        {torus, {3, 4, 3}, 2, 0},
        {cylinder, {3, 3, 4}, 3, 2},
        {rows_and_columns, {1, 3, 5}, 1, 0},
        {rows_and_columns, {1, 3, 4}, 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int *x = cases[i].extent;
        assert_int_equal(assert_grows(cases[i].run, x[0] * x[1] * x[2], 2 + (int)i % 3, x,
                                      cases[i].dimension, cases[i].d, NULL),
                         0);
    }
}

/* Up to 8 ranks a butterfly may as well be a grid of 2 x 2 (x 2). */
static void trees(void **state)
{
    (void)state;
    static const struct {
        program *run;
        int n, k;
        size_t doubts;
    } cases[] = {
        {binomial_reduce, 4, 2, 0},
        {binomial_reduce, 8, 8, 0},
        {binomial_reduce, 8, 3, 0},
        {binomial_reduce, 16, 5, 0},
        {binomial_broadcast, 4, 4, 0},
        {binomial_broadcast, 8, 2, 0},
        {binomial_broadcast, 8, 7, 0},
        {binomial_broadcast, 32, 3, 0},
        {heap, 5, 3, 0},
        {heap, 6, 2, 0},
        {heap, 6, 5, 0},
        {heap, 7, 3, 0},
        {heap, 12, 4, 0},
        {heap, 13, 5, 0},
        {doubling, 8, 2, 1},
        {doubling, 8, 4, 1},
        {doubling, 16, 8, 0},
        {halving, 8, 2, 1},
        {halving, 16, 4, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(assert_grows(cases[i].run, cases[i].n, cases[i].k, NULL, 0, 0, NULL),
                         cases[i].doubts);
    }
}

/* Two ranks are neighbours in any pattern: a doubt, unless the rule is given. */
static void two_ranks(void **state)
{
    (void)state;
    assert_int_equal(assert_grows(ring, 2, 4, NULL, 0, 1, NULL), 1);
    assert_int_equal(assert_grows(ring, 2, 4, NULL, 0, 1, "ring"), 0);
    assert_int_equal(assert_grows(doubling, 2, 8, NULL, 0, 0, "butterfly"), 0);
    assert_int_equal(assert_grows(workers_of_requests, 2, 3, NULL, 0, 0, "2=root"), 0);
    assert_int_equal(assert_grows(everybody, 2, 5, NULL, 0, 0, "all-to-all"), 0);
}

/* Rank 2 sends to itself but one: no rule. */
static void odd_one(struct rank *k)
{
    const int to = k->r == 2 ? 0 : rest(k->r + 1, k->n);
    isend(k, to, 5, 100);
    if (k->r == 0) {
        irecv(k, 2, 5, 100, false);
    }
    if (k->r != 3) {
        irecv(k, rest(k->r - 1, k->n), 5, 100, false);
    }
    wait_all(k);
}

static void refused(program *run, int n, int k, int d, const char *peers, const char *why)
{
    static const int none[3];
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_trace t;
    struct tan_trace_options options = {
        .collectives = "usual", .copies = (uint32_t)k, .peers = &peers, .n_peers = peers != NULL};
    write_trace(run, n, none, d);
    assert_null(tan_trace_load(folder, &options, &t, &e));
    if (strstr(e.text, why) == NULL) {
        print_error("%s\n", e.text);
    }
    assert_non_null(strstr(e.text, why));
    tan_trace_clear(&t);
    e = (struct tan_error)TAN_ERROR_INIT;
    if (peers != NULL) {
        return;
    }
    options.unrecognised_copies = true;
    struct tan_schedule *s = tan_trace_load(folder, &options, &t, &e);
    assert_no_error(e);
    assert_ends(s, UINT64_MAX >> 20);
    tan_schedule_destroy(s);
    tan_trace_clear(&t);
}

/* What no rule fits is named; and kept within the copies where that is asked for. */
static void unrecognised(void **state)
{
    (void)state;
    refused(odd_one, 5, 3, 0, NULL,
            "rank 2 calls MPI_Isend in the communicator of all ranks with tag 5, to its ranks 0");
    refused(heap, 7, 2, 0, NULL, "no rule gives for all ranks"); /* 14 ranks: one has one child */
    refused(chain, 2, 2, 1, "line", "fits \"line\", but no traced ranks can stand for all");
    refused(ring, 5, 2, 1, "torus", "whose peers no rule gives");
    refused(ring, 5, 2, 1, "5=circle", "rules are ring, line,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_ranks), cmocka_unit_test(grids),        cmocka_unit_test(trees),
        cmocka_unit_test(two_ranks),     cmocka_unit_test(unrecognised),
    };
    return cmocka_run_group_tests_name("trace_growth", tests, make_folder, remove_folder);
}
