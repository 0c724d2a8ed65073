/* make_trace.c - traces of synthetic programs of any length
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: make_trace pingpong|halo RANKS CALLS DIR
 * Writes rank-R.txt.zst for each rank of a program that makes so many calls in all:
 * - pingpong: pairs of ranks that send to and fro, and compute between;
 * - halo: a square torus of ranks that exchange with their four neighbours without blocking, wait,
 *   and add up a number. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { TEXT = 1 << 17, LINE = 256 };

struct out {
    FILE *file;
    ZSTD_CCtx *zstd;
    char text[TEXT], packed[TEXT];
    size_t used;
    int64_t now; /* nanoseconds */
    uint64_t dice;
    int rank, ranks;
};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void flush(struct out *o, ZSTD_EndDirective how)
{
    ZSTD_inBuffer in = {o->text, o->used, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {o->packed, sizeof o->packed, 0};
        left = ZSTD_compressStream2(o->zstd, &out, &in, how);
        if (ZSTD_isError(left) || fwrite(o->packed, 1, out.pos, o->file) != out.pos) {
            die("cannot write");
        }
    } while (how == ZSTD_e_end ? left > 0 : in.pos < in.size);
    o->used = 0;
}

/* From 1 to n nanoseconds later. */
static int64_t later(struct out *o, uint32_t n)
{
    o->dice = o->dice * 6364136223846793005U + 1442695040888963407U;
    o->now += 1 + (int64_t)(((o->dice >> 32) * n) >> 32);
    return o->now;
}

#define LINE_OF(o, ...)                                                                            \
    do {                                                                                           \
        if (TEXT - (o)->used < LINE) {                                                             \
            flush(o, ZSTD_e_continue);                                                             \
        }                                                                                          \
        (o)->used += (size_t)snprintf((o)->text + (o)->used, LINE, __VA_ARGS__);                   \
    } while (0)

#define TIME    "%" PRId64 ".%03d"
#define AT(now) (now) / 1000, (int)((now) % 1000)

static void blocking(struct out *o, bool sends)
{
    const int64_t start = later(o, 3000), end = later(o, 2000);
    const int peer = o->rank ^ 1;
    LINE_OF(o, "MPI_%s:" TIME ":1:128:5,8,8:%d:1:0,%d,%d%s:" TIME ":", sends ? "Send" : "Recv",
            AT(start), peer, o->rank, o->ranks, sends ? "" : ":0", AT(end));
    if (!sends) {
        LINE_OF(o, ";-1,%d,1,1024", peer);
    }
    LINE_OF(o, "\n");
}

static void pingpong(struct out *o, int64_t calls)
{
    for (int64_t i = 0; i < calls; i++) {
        blocking(o, i % 2 == o->rank % 2);
    }
}

static void halo(struct out *o, int64_t calls)
{
    enum { NEIGHBOURS = 4, CALLS = 2 * NEIGHBOURS + 2 };
    const int side = (int)lround(sqrt(o->ranks)), x = o->rank % side, y = o->rank / side;
    const int peer[NEIGHBOURS] = {(x + 1) % side + y * side, (x + side - 1) % side + y * side,
                                  x + (y + 1) % side * side, x + (y + side - 1) % side * side};
    int64_t request = 0;
    for (int64_t i = 0; i < calls; i += CALLS) {
        for (int k = 0; k < 2 * NEIGHBOURS; k++) {
            const int to = k % NEIGHBOURS, sends = k >= NEIGHBOURS;
            const int64_t start = later(o, k == 0 ? 20000 : 300), end = later(o, 300);
            LINE_OF(o, "MPI_I%s:" TIME ":1:1000:5,8,8:%d:%d:0,%d,%d:9:" TIME ":%" PRId64 "\n",
                    sends ? "send" : "recv", AT(start), peer[to], sends ? to : to ^ 1, o->rank,
                    o->ranks, AT(end), request + k);
        }
        int64_t start = later(o, 300), end = later(o, 9000);
        LINE_OF(o, "MPI_Waitall:" TIME ":8:9:0:" TIME ":", AT(start), AT(end));
        for (int k = 0; k < 2 * NEIGHBOURS; k++, request++) {
            LINE_OF(o, ";%" PRId64 ",%d,%d,%d", request, k < NEIGHBOURS ? peer[k] : -2,
                    k < NEIGHBOURS ? k ^ 1 : 0, k < NEIGHBOURS ? 8000 : 0);
        }
        start = later(o, 3000);
        end = later(o, 9000);
        LINE_OF(o, "\nMPI_Allreduce:" TIME ":1:1:1:5,8,8:1:0,%d,%d:" TIME ":\n", AT(start), o->rank,
                o->ranks, AT(end));
    }
}

static void write_rank(struct out *o, const char *dir, void (*program)(struct out *, int64_t),
                       int64_t calls)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/rank-%03d.txt.zst", dir, o->rank);
    o->file = fopen(path, "wb");
    if (o->file == NULL) {
        die(path);
    }
    o->zstd = ZSTD_createCCtx();
    o->dice = (uint64_t)o->rank;
    o->now = 1000000;
    LINE_OF(o, "# comm 0 =");
    for (int i = 0; i < o->ranks; i++) {
        LINE_OF(o, " %d", i);
    }
    LINE_OF(o, "\nMPI_Init:-:0:0:1000.000\n");
    program(o, calls);
    const int64_t end = later(o, 1000);
    LINE_OF(o, "MPI_Finalize:" TIME ":" TIME ":\n", AT(end), AT(end));
    flush(o, ZSTD_e_end);
    ZSTD_freeCCtx(o->zstd);
    if (fclose(o->file) != 0) {
        die(path);
    }
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: make_trace pingpong|halo RANKS CALLS DIR\n");
        return 2;
    }
    const int ranks = atoi(argv[2]);
    struct out *o = malloc(sizeof *o);
    for (int rank = 0; o != NULL && rank < ranks; rank++) {
        memset(o, 0, sizeof *o);
        o->rank = rank;
        o->ranks = ranks;
        write_rank(o, argv[4], strcmp(argv[1], "halo") == 0 ? halo : pingpong,
                   atoll(argv[3]) / ranks);
    }
    free(o);
    return 0;
}
