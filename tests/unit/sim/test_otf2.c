/* test_otf2.c - programs in OTF2 archives, converted, against the same programs as text
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each call of a program is written twice, with the library's writer and as text. */
#include "tests/unit/check.h"

#include <otf2/otf2.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "cmd/tan-otf2/archive.h"
#include "cmd/tan-otf2/calls.h"
#include "sim/engine/simulate.h"
#include "sim/trace/trace_schedule.h"

enum { P = 4, SUB = 3 }; /* ranks of the world, and of the communicator 3 1 2 */
enum { WORLD, SELF, SUBSET };
static const uint64_t sub_member[SUB] = {3, 1, 2};
static char folder[] = "/tmp/tan-otf2-XXXXXX";
static char text_folder[64], archive_folder[64], anchor[80], converted[64];

static const char *const names[] = {"MPI_Init",
                                    "MPI_Finalize",
                                    "MPI_Send",
                                    "MPI_Recv",
                                    "MPI_Sendrecv",
                                    "MPI_Isend",
                                    "MPI_Irecv",
                                    "MPI_Waitall",
                                    "MPI_Test",
                                    "MPI_Wait",
                                    "MPI_Send_init",
                                    "MPI_Startall",
                                    "MPI_Recv_init",
                                    "MPI_Cancel",
                                    "MPI_Barrier",
                                    "MPI_Bcast",
                                    "MPI_Reduce",
                                    "MPI_Allreduce",
                                    "MPI_Scan",
                                    "MPI_Exscan",
                                    "MPI_Gather",
                                    "MPI_Scatter",
                                    "MPI_Allgather",
                                    "MPI_Alltoall",
                                    "MPI_Gatherv",
                                    "MPI_Scatterv",
                                    "MPI_Alltoallv",
                                    "MPI_Allgatherv",
                                    "MPI_Reduce_scatter",
                                    "MPI_Iallreduce",
                                    "MPI_Igatherv",
                                    "MPI_Comm_split",
                                    "MPI_Iprobe",
                                    "MPI_Ialltoallw",
                                    "MPI_Reduce_scatter_block",
                                    "compute"};
enum { NAMES = sizeof names / sizeof names[0] };

struct writer {
    FILE *text;
    OTF2_EvtWriter *events;
    int rank;
    int64_t now; /* nanoseconds, even */
    int64_t start;
    uint32_t region;
    int64_t skew; /* ticks that the clock of this rank is ahead */
};

static uint32_t region_of(const char *name)
{
    uint32_t i = 0;
    while (strcmp(names[i], name) != 0) {
        i++;
    }
    return i;
}

/* 2.5 ticks a nanosecond, from some moment on. */
static uint64_t ticks(const struct writer *w)
{
    return (uint64_t)(1000000 + w->now / 2 * 5 + w->skew);
}

static void call(struct writer *w, const char *name)
{
    w->now += 2000 * (1 + w->rank);
    w->start = w->now;
    w->region = region_of(name);
    OTF2_EvtWriter_Enter(w->events, NULL, ticks(w), w->region);
    w->now += 600;
}

/* The call ends; its line has these arguments, and behind its end `addition`. */
__attribute__((format(printf, 3, 4))) static void done(struct writer *w, const char *addition,
                                                       const char *format, ...)
{
    char arguments[256];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    w->now += 400;
    OTF2_EvtWriter_Leave(w->events, NULL, ticks(w), w->region);
    fprintf(w->text, "%s:%d.%03d:%s:%d.%03d:%s\n", names[w->region], (int)(w->start / 1000),
            (int)(w->start % 1000), arguments, (int)(w->now / 1000), (int)(w->now % 1000),
            addition);
}

/* The call ends, without a record of what it has done. */
static void only_time(struct writer *w)
{
    w->now += 400;
    OTF2_EvtWriter_Leave(w->events, NULL, ticks(w), w->region);
    fprintf(w->text, "# call: %s:%d.%03d:%d.%03d\n", names[w->region], (int)(w->start / 1000),
            (int)(w->start % 1000), (int)(w->now / 1000), (int)(w->now % 1000));
}

/* A communicator as an argument of the text. */
static const char *comm_text(const struct writer *w, uint32_t comm)
{
    static char text[32];
    snprintf(text, sizeof text, "%u,%d,%d", comm, comm == WORLD ? w->rank : w->rank % SUB,
             comm == WORLD ? P : SUB);
    return text;
}

static void operation(struct writer *w, OTF2_CollectiveOp op, uint32_t comm, uint32_t root,
                      uint64_t sent, uint64_t received)
{
    OTF2_EvtWriter_MpiCollectiveBegin(w->events, NULL, ticks(w));
    OTF2_EvtWriter_MpiCollectiveEnd(w->events, NULL, ticks(w), op, comm, root, sent, received);
}

#define NO_ROOT OTF2_COLLECTIVE_ROOT_NONE

static void messages(struct writer *w)
{
    const uint32_t right = (uint32_t)(w->rank + 1) % P;
    const uint32_t left = (uint32_t)(w->rank + P - 1) % P;
    call(w, "MPI_Sendrecv");
    OTF2_EvtWriter_MpiSend(w->events, NULL, ticks(w), right, WORLD, 5, 40);
    OTF2_EvtWriter_MpiRecv(w->events, NULL, ticks(w), left, WORLD, 5, 40);
    done(w, "", "1:10:5,4,4:%u:5:1:10:5,4,4:%u:5:%s:0", right, left, comm_text(w, WORLD));
    if (w->rank == 0) {
        call(w, "MPI_Send");
        OTF2_EvtWriter_MpiSend(w->events, NULL, ticks(w), 1, WORLD, 7, 400);
        done(w, "", "1:100:5,4,4:1:7:%s", comm_text(w, WORLD));
    } else if (w->rank == 1) {
        call(w, "MPI_Recv");
        OTF2_EvtWriter_MpiRecv(w->events, NULL, ticks(w), 0, WORLD, 7, 400);
        done(w, "", "1:100:5,4,4:0:7:%s:0", comm_text(w, WORLD));
    } else {
        /* with MPI_PROC_NULL there is no record */
        call(w, "MPI_Send");
        done(w, "", "1:100:5,4,4:-2:7:%s", comm_text(w, WORLD));
        call(w, "MPI_Sendrecv");
        if (w->rank == 2) {
            OTF2_EvtWriter_MpiSend(w->events, NULL, ticks(w), 3, WORLD, 5, 80);
        } else {
            OTF2_EvtWriter_MpiRecv(w->events, NULL, ticks(w), 2, WORLD, 5, 80);
        }
        done(w, "", "1:20:5,4,4:%d:5:1:20:5,4,4:%d:5:%s:0", w->rank == 2 ? 3 : -2,
             w->rank == 2 ? -2 : 2, comm_text(w, WORLD));
    }
}

static void irecv_complete(struct writer *w, uint32_t from, uint32_t comm, uint64_t request)
{
    OTF2_EvtWriter_MpiIrecv(w->events, NULL, ticks(w), from, comm, 3, 120, request);
}

/* Requests of which one is found by the third test; number 70 comes again and again. */
static void requests(struct writer *w)
{
    const uint32_t right = (uint32_t)(w->rank + 1) % P;
    const uint32_t left = (uint32_t)(w->rank + P - 1) % P;
    for (int i = 0; i < 2; i++) {
        call(w, "MPI_Irecv");
        OTF2_EvtWriter_MpiIrecvRequest(w->events, NULL, ticks(w), 70);
        done(w, "70", "1:30:5,4,4:%u:3:%s:9", left, comm_text(w, WORLD));
        call(w, "MPI_Isend");
        OTF2_EvtWriter_MpiIsend(w->events, NULL, ticks(w), right, WORLD, 3, 120, 71);
        done(w, "71", "1:30:5,4,4:%u:3:%s:9", right, comm_text(w, WORLD));
        OTF2_EvtWriter_Enter(w->events, NULL, ticks(w), region_of("compute"));
        w->now += 5000;
        OTF2_EvtWriter_Leave(w->events, NULL, ticks(w), region_of("compute"));
        for (int k = 0; k < 2; k++) {
            call(w, "MPI_Test");
            OTF2_EvtWriter_MpiRequestTest(w->events, NULL, ticks(w), 70);
            done(w, "", "9:0:0");
        }
        if (i == 0) {
            call(w, "MPI_Test");
            irecv_complete(w, left, WORLD, 70);
            done(w, ";70", "9:1:0");
            call(w, "MPI_Wait");
            OTF2_EvtWriter_MpiIsendComplete(w->events, NULL, ticks(w), 71);
            done(w, ";71", "9:0");
        } else {
            call(w, "MPI_Waitall");
            OTF2_EvtWriter_MpiIsendComplete(w->events, NULL, ticks(w), 71);
            irecv_complete(w, left, WORLD, 70);
            done(w, ";70;71", "2:9:0");
        }
    }
}

/* Persistent requests, which have records when they are started; and one that is cancelled. */
static void started(struct writer *w)
{
    const uint32_t right = (uint32_t)(w->rank + 1) % P;
    const uint32_t left = (uint32_t)(w->rank + P - 1) % P;
    call(w, "MPI_Recv_init");
    done(w, "90", "1:30:5,4,4:%u:3:%s:9", left, comm_text(w, WORLD));
    call(w, "MPI_Send_init");
    done(w, "91", "1:30:5,4,4:%u:3:%s:9", right, comm_text(w, WORLD));
    call(w, "MPI_Startall");
    OTF2_EvtWriter_MpiIrecvRequest(w->events, NULL, ticks(w), 90);
    OTF2_EvtWriter_MpiIsend(w->events, NULL, ticks(w), right, WORLD, 3, 120, 91);
    done(w, ";90;91", "2:9");
    call(w, "MPI_Irecv");
    OTF2_EvtWriter_MpiIrecvRequest(w->events, NULL, ticks(w), 92);
    done(w, "92", "1:30:5,4,4:%u:8:%s:9", left, comm_text(w, WORLD));
    call(w, "MPI_Cancel");
    done(w, "", "9");
    call(w, "MPI_Waitall");
    irecv_complete(w, left, WORLD, 90);
    OTF2_EvtWriter_MpiIsendComplete(w->events, NULL, ticks(w), 91);
    OTF2_EvtWriter_MpiRequestCancelled(w->events, NULL, ticks(w), 92);
    done(w, ";90;91;92,-3,0,0", "3:9:0");
}

/* Operations of which all ranks have the same sizes; root is the last rank. Bytes as Score-P writes
 * them: of all ranks together, by the definitions of MPI. */
static void collectives(struct writer *w, uint32_t comm)
{
    const uint64_t p = comm == WORLD ? P : SUB;
    const uint64_t me = comm == WORLD ? (uint64_t)w->rank : (uint64_t)w->rank % SUB;
    const uint32_t root = (uint32_t)p - 1;
    const uint64_t all = p * 80;
    call(w, "MPI_Barrier");
    operation(w, OTF2_COLLECTIVE_OP_BARRIER, comm, NO_ROOT, 0, 0);
    done(w, "", "%s", comm_text(w, comm));
    call(w, "MPI_Bcast");
    operation(w, OTF2_COLLECTIVE_OP_BCAST, comm, root, me == root ? all : 0, 80);
    done(w, "", "1:20:5,4,4:%u:%s", root, comm_text(w, comm));
    call(w, "MPI_Reduce");
    operation(w, OTF2_COLLECTIVE_OP_REDUCE, comm, root, 80, me == root ? all : 0);
    done(w, "", "1:1:20:5,4,4:1:%u:%s", root, comm_text(w, comm));
    call(w, "MPI_Allreduce");
    operation(w, OTF2_COLLECTIVE_OP_ALLREDUCE, comm, NO_ROOT, all, all);
    done(w, "", "1:1:20:5,4,4:1:%s", comm_text(w, comm));
    call(w, "MPI_Scan");
    operation(w, OTF2_COLLECTIVE_OP_SCAN, comm, NO_ROOT, (p - me) * 80, (me + 1) * 80);
    done(w, "", "1:1:20:5,4,4:1:%s", comm_text(w, comm));
    call(w, "MPI_Exscan");
    operation(w, OTF2_COLLECTIVE_OP_EXSCAN, comm, NO_ROOT, (p - me - 1) * 80, me * 80);
    done(w, "", "1:1:20:5,4,4:1:%s", comm_text(w, comm));
    call(w, "MPI_Gather");
    operation(w, OTF2_COLLECTIVE_OP_GATHER, comm, root, 80, me == root ? all : 0);
    done(w, "", "1:20:5,4,4:1:20:5,4,4:%u:%s", root, comm_text(w, comm));
    call(w, "MPI_Scatter");
    operation(w, OTF2_COLLECTIVE_OP_SCATTER, comm, root, me == root ? all : 0, 80);
    done(w, "", "1:20:5,4,4:1:20:5,4,4:%u:%s", root, comm_text(w, comm));
    call(w, "MPI_Gather"); /* in place at the root */
    operation(w, OTF2_COLLECTIVE_OP_GATHER, comm, root, me == root ? 0 : 80,
              me == root ? all - 80 : 0);
    done(w, "", "1:20:5,4,4:1:20:5,4,4:%u:%s", root, comm_text(w, comm));
    call(w, "MPI_Allgather");
    operation(w, OTF2_COLLECTIVE_OP_ALLGATHER, comm, NO_ROOT, all, all);
    done(w, "", "1:20:5,4,4:1:20:5,4,4:%s", comm_text(w, comm));
    call(w, "MPI_Alltoall");
    operation(w, OTF2_COLLECTIVE_OP_ALLTOALL, comm, NO_ROOT, all, all);
    done(w, "", "1:20:5,4,4:1:20:5,4,4:%s", comm_text(w, comm));
    call(w, "MPI_Reduce_scatter_block");
    operation(w, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, comm, NO_ROOT, all, all);
    done(w, "", "1:1:20:5,4,4:1:%s", comm_text(w, comm));
    call(w, "MPI_Iallreduce");
    OTF2_EvtWriter_NonBlockingCollectiveRequest(w->events, NULL, ticks(w), 80);
    done(w, "80", "1:1:20:5,4,4:1:%s:9", comm_text(w, comm));
    call(w, "MPI_Wait");
    OTF2_EvtWriter_NonBlockingCollectiveComplete(
        w->events, NULL, ticks(w), OTF2_COLLECTIVE_OP_ALLREDUCE, comm, NO_ROOT, all, all, 80);
    done(w, ";80", "9:0");
    call(w, "MPI_Comm_split");
    operation(w, OTF2_COLLECTIVE_OP_CREATE_HANDLE, comm, NO_ROOT, 0, 0);
    done(w, "", "%s", comm_text(w, comm));
}

/* Rank i of the communicator has 4 (i + 1) bytes. */
static const char *counts_of(uint64_t p)
{
    return p == SUB ? "1,2,3" : "1,2,3,4";
}

static void vectors(struct writer *w, uint32_t comm)
{
    const uint64_t p = comm == WORLD ? P : SUB;
    const uint64_t me = comm == WORLD ? (uint64_t)w->rank : (uint64_t)w->rank % SUB;
    const uint64_t mine = 4 * (me + 1);
    const uint64_t sum = 2 * p * (p + 1);
    const char *counts = counts_of(p);
    const char *at = p == SUB ? "0,0,0" : "0,0,0,0";
    call(w, "MPI_Igatherv"); /* ends after the operation behind it */
    OTF2_EvtWriter_NonBlockingCollectiveRequest(w->events, NULL, ticks(w), 60);
    done(w, "60", "1:%d:5,4,4:1:1:%s:1:%s:5,4,4:0:%s:9", (int)me + 1, counts, at,
         comm_text(w, comm));
    call(w, "MPI_Scatterv");
    operation(w, OTF2_COLLECTIVE_OP_SCATTERV, comm, 1, me == 1 ? sum : 0, mine);
    done(w, "", "1:1:%s:1:%s:5,4,4:1:%d:5,4,4:1:%s", counts, at, (int)me + 1, comm_text(w, comm));
    call(w, "MPI_Wait");
    OTF2_EvtWriter_NonBlockingCollectiveComplete(w->events, NULL, ticks(w),
                                                 OTF2_COLLECTIVE_OP_GATHERV, comm, 0, mine,
                                                 me == 0 ? sum : 0, 60);
    done(w, ";60", "9:0");
    for (uint64_t in_place = 0; in_place < 2; in_place++) {
        call(w, "MPI_Allgatherv");
        operation(w, OTF2_COLLECTIVE_OP_ALLGATHERV, comm, NO_ROOT, (p - in_place) * mine,
                  sum - in_place * mine);
        done(w, "", "1:%d:5,4,4:1:1:%s:1:%s:5,4,4:%s", (int)me + 1, counts, at, comm_text(w, comm));
        call(w, "MPI_Reduce_scatter");
        operation(w, OTF2_COLLECTIVE_OP_REDUCE_SCATTER, comm, NO_ROOT, sum - in_place * mine,
                  (p - in_place) * mine);
        done(w, "", "1:1:1:%s:5,4,4:1:%s", counts, comm_text(w, comm));
    }
}

/* What all ranks have the same size for in truth. */
static void sums(struct writer *w)
{
    call(w, "MPI_Alltoallv");
    operation(w, OTF2_COLLECTIVE_OP_ALLTOALLV, WORLD, NO_ROOT, P * 8, P * 8);
    done(w, "", "1:1:2,2,2,2:1:0,0,0,0:5,4,4:1:1:2,2,2,2:1:0,0,0,0:5,4,4:%s", comm_text(w, WORLD));
    call(w, "MPI_Iprobe");
    done(w, ";-1,0,0,0", "0:0:%s:1:0", comm_text(w, WORLD));
    call(w, "MPI_Ialltoallw");
    only_time(w);
}

enum { DOUBTED = 1, NO_ENDS = 2, LOST = 4, BARE = 8, TWICE = 16 };

static void program(struct writer *w, int what)
{
    call(w, "MPI_Init");
    w->now = 1000000 + 2000 * w->rank;
    if ((what & NO_ENDS) == 0) {
        OTF2_EvtWriter_Leave(w->events, NULL, ticks(w), w->region);
    }
    fprintf(w->text, "# Init clockdiff: 0.0\n# comm 0 = 0 1 2 3\n%sMPI_Init:-:0:0:%d.000\n",
            w->rank > 0 ? "# comm 2 = 3 1 2\n" : "", (int)(w->now / 1000));
    messages(w);
    requests(w);
    started(w);
    collectives(w, WORLD);
    vectors(w, WORLD);
    if (w->rank > 0) {
        collectives(w, SUBSET);
        vectors(w, SUBSET);
    }
    if ((what & DOUBTED) != 0) {
        sums(w);
    }
    if ((what & LOST) != 0) {
        OTF2_EvtWriter_MpiSend(w->events, NULL, ticks(w), 0, WORLD, 5, 40);
    }
    call(w, "MPI_Finalize");
    w->now += 400;
    OTF2_EvtWriter_Leave(w->events, NULL, ticks(w), w->region);
    fprintf(w->text, "MPI_Finalize:%d.%03d:%d.%03d:\n", (int)(w->start / 1000),
            (int)(w->start % 1000), (int)(w->now / 1000), (int)(w->now % 1000));
}

static OTF2_FlushType flush(void *own, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool final)
{
    (void)own;
    (void)type;
    (void)location;
    (void)caller;
    (void) final;
    return OTF2_FLUSH;
}

/* Locations are not ranks: rank r is location 10 + r. */
static void define(OTF2_Archive *archive, int what)
{
    static const uint64_t locations[P] = {10, 11, 12, 13};
    static const uint64_t twice[P] = {10, 11, 12, 11};
    static const uint64_t everybody[P] = {0, 1, 2, 3};
    OTF2_GlobalDefWriter *d = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(d, 2500000000, 1000000, 1 << 30,
                                              OTF2_UNDEFINED_TIMESTAMP);
    for (uint32_t i = 0; i < NAMES; i++) {
        OTF2_GlobalDefWriter_WriteString(d, i, names[i]);
        OTF2_GlobalDefWriter_WriteRegion(d, i, i, i, i, OTF2_REGION_ROLE_FUNCTION,
                                         i + 1 < NAMES ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                         OTF2_REGION_FLAG_NONE, i, 0, 0);
    }
    OTF2_GlobalDefWriter_WriteString(d, NAMES, "");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(d, 0, NAMES, NAMES, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t i = 0; i < P; i++) {
        OTF2_GlobalDefWriter_WriteLocationGroup(d, i, NAMES, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(d, locations[i], NAMES, OTF2_LOCATION_TYPE_CPU_THREAD, 1,
                                           i);
    }
    if ((what & BARE) != 0) {
        return;
    }
    OTF2_GlobalDefWriter_WriteGroup(d, 0, NAMES, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, P,
                                    (what & TWICE) != 0 ? twice : locations);
    OTF2_GlobalDefWriter_WriteGroup(d, 1, NAMES, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, P, everybody);
    OTF2_GlobalDefWriter_WriteGroup(d, 2, NAMES, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, 0, NULL);
    OTF2_GlobalDefWriter_WriteGroup(d, 3, NAMES, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, SUB, sub_member);
    OTF2_GlobalDefWriter_WriteComm(d, WORLD, NAMES, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(d, SELF, NAMES, 2, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(d, SUBSET, NAMES, 3, WORLD, OTF2_COMM_FLAG_NONE);
}

/* Remove a folder and what is in it. */
static void empty(const char *path)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", path);
    assert_int_equal(system(command), 0);
}

/* Write the program both ways. The clock of rank 2 is ahead by 5 ms. */
static void write_program(int what)
{
    static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
    const int64_t skews[P] = {0, 0, 12500000, 0};
    empty(archive_folder);
    OTF2_Archive *archive =
        OTF2_Archive_Open(archive_folder, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 22,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    assert_non_null(archive);
    OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    for (int i = 0; i < P; i++) {
        char path[96];
        snprintf(path, sizeof path, "%s/rank-%d.txt", text_folder, i);
        struct writer w = {.text = fopen(path, "w"),
                           .events = OTF2_Archive_GetEvtWriter(archive, (uint64_t)(10 + i)),
                           .rank = i,
                           .skew = skews[i]};
        assert_non_null(w.text);
        assert_non_null(w.events);
        program(&w, what);
        assert_int_equal(fclose(w.text), 0);
        OTF2_Archive_CloseEvtWriter(archive, w.events);
    }
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    for (int i = 0; i < P; i++) {
        OTF2_DefWriter *d = OTF2_Archive_GetDefWriter(archive, (uint64_t)(10 + i));
        OTF2_DefWriter_WriteClockOffset(d, 0, -skews[i], 0.0);
        OTF2_DefWriter_WriteClockOffset(d, UINT64_C(1) << 32, -skews[i], 0.0);
        OTF2_Archive_CloseDefWriter(archive, d);
    }
    OTF2_Archive_CloseDefFiles(archive);
    define(archive, what);
    assert_int_equal(OTF2_Archive_Close(archive), OTF2_SUCCESS);
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    snprintf(text_folder, sizeof text_folder, "%s/text", folder);
    snprintf(archive_folder, sizeof archive_folder, "%s/archive", folder);
    snprintf(converted, sizeof converted, "%s/converted", folder);
    snprintf(anchor, sizeof anchor, "%s/traces.otf2", archive_folder);
    return mkdir(text_folder, 0777);
}

static int remove_folder(void **state)
{
    (void)state;
    empty(folder);
    return 0;
}

static void simulate(const char *path, uint64_t ps[P], struct tan_trace *trace)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_simulation simulation;
    const struct tan_trace_options options = {.collectives = "usual"};
    struct tan_sim_params p = tan_sim_defaults;
    p.within = p.between;
    struct tan_schedule *s = tan_trace_load(path, &options, trace, &e);
    assert_no_error(e);
    assert_int_equal(s->ranks, P);
    assert_int_equal(tan_simulate(s, &p, false, &simulation, &e), 0);
    assert_no_error(e);
    assert_int_equal(simulation.n_blocked + simulation.n_unexpected + simulation.n_unmatched, 0);
    memcpy(ps, simulation.rank_finish, P * sizeof *ps);
    tan_simulation_clear(&simulation);
    tan_schedule_destroy(s);
}

static void convert(const char *archive)
{
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(convert_archive(archive, converted, &e), 0);
    assert_no_error(e);
}

/* Both take as long on every rank, and as long as they were traced. */
static void assert_same(const char *archive, size_t doubts)
{
    struct tan_trace trace[2];
    uint64_t ps[2][P];
    simulate(text_folder, ps[0], &trace[0]);
    convert(archive);
    simulate(converted, ps[1], &trace[1]);
    assert_int_equal(trace[0].doubts.n, 0);
    assert_int_equal(trace[1].doubts.n, doubts);
    for (int i = 0; i < P; i++) {
        assert_int_equal(ps[0][i], ps[1][i]);
        assert_close(trace[0].rank[i].started, trace[1].rank[i].started, 1e-12);
        assert_int_equal(trace[0].rank[i].run_ns, trace[1].rank[i].run_ns);
        assert_int_equal(trace[0].rank[i].in_mpi_ns, trace[1].rank[i].in_mpi_ns);
    }
    tan_trace_clear(&trace[0]);
    tan_trace_clear(&trace[1]);
}

static void as_text(void **state)
{
    (void)state;
    write_program(0);
    assert_same(anchor, 0);
    assert_same(archive_folder, 0);
}

static void assert_line(int rank, const char *part)
{
    struct tan_error e = TAN_ERROR_INIT;
    char path[96];
    size_t size;
    snprintf(path, sizeof path, "%s/rank-%d.txt", converted, rank);
    char *text = tan_read_file(path, &size, &e);
    assert_no_error(e);
    at_row("%s", part);
    assert_non_null(strstr(text, part));
    free(text);
}

/* Only the root, rank 3, receives: 80 bytes from each, which its own part need not be. */
static void blocks_of_gathers(void **state)
{
    (void)state;
    write_program(0);
    convert(anchor);
    assert_line(3, ":0:80:1,1,1:0:80:1,1,1:3:0,3,4:");
    assert_line(3, ":0:0:1,1,1:0:80:1,1,1:3:0,3,4:"); /* in place */
    assert_line(0, ":0:80:1,1,1:0:0:1,1,1:3:0,0,4:");
}

/* What OTF2 does not say is said, and simulated as far as it goes. */
static void doubted(void **state)
{
    (void)state;
    struct tan_trace trace;
    uint64_t ps[P];
    write_program(DOUBTED);
    assert_same(anchor, 3);
    simulate(converted, ps, &trace);
    assert_non_null(strstr(trace.doubts.row[0].text, "MPI_Alltoallv"));
    assert_non_null(strstr(trace.doubts.row[1].text, "MPI_Iprobe"));
    assert_non_null(strstr(trace.doubts.row[2].text, "does not say what MPI_Ialltoallw has done"));
    tan_trace_clear(&trace);
}

static void refused(const char *path, const char *part)
{
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(convert_archive(path, converted, &e), -1);
    assert_error(e, TAN_FAILED, part);
}

/* The number of properties stands behind 46 bytes and three empty texts. */
static void set_properties(uint32_t number)
{
    FILE *file = fopen(anchor, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 49, SEEK_SET), 0);
    assert_int_equal(fwrite(&number, sizeof number, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

/* Files of version 1 have no properties, whatever follows. */
static void without_properties(void **state)
{
    (void)state;
    write_program(0);
    set_properties(12);
    FILE *file = fopen(anchor, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 7, SEEK_SET), 0);
    assert_int_equal(fputc(1, file), 1);
    assert_int_equal(fclose(file), 0);
    assert_same(anchor, 0);
}

/* Not under valgrind: beyond the end of the file the library passes on whatever its buffer holds.
 */
static void truncated(void **state)
{
    (void)state;
    char path[128];
    write_program(0);
    snprintf(path, sizeof path, "%s/traces/12.evt", archive_folder);
    assert_int_equal(truncate(path, 300), 0);
    if (getenv("UNDER") == NULL) { /* of tools/run-tests */
        refused(anchor, "rank 2: ");
    }
}

static void broken(void **state)
{
    (void)state;
    char path[128];
    write_program(LOST);
    refused(anchor, "traces.otf2, rank 0: a message, a request or a collective operation is "
                    "outside of MPI calls");
    write_program(BARE);
    refused(anchor, "does not say which locations are the ranks");
    write_program(TWICE);
    refused(anchor, "location 11 is used by two ranks");
    write_program(0);
    snprintf(path, sizeof path, "%s/traces/12.evt", archive_folder);
    assert_int_equal(unlink(path), 0);
    refused(anchor, "rank 2: ");
    set_properties(1U << 31 | 1);
    refused(anchor, "not an anchor file of an OTF2 archive");
    set_properties(UINT32_MAX);
    refused(anchor, "not an anchor file of an OTF2 archive");
    set_properties(12);
    refused(anchor, "not an anchor file of an OTF2 archive");
    assert_int_equal(truncate(anchor, 20), 0);
    refused(anchor, "not an anchor file of an OTF2 archive");
}

/* Nobody writes to the pipe, and the device has no end. */
static void only_regular_files(void **state)
{
    (void)state;
    static const char *const files[] = {"traces.otf2", "traces.def", "traces/12.evt"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[128];
        at_row("%s", files[i]);
        write_program(0);
        snprintf(path, sizeof path, "%s/%s", archive_folder, files[i]);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(mkfifo(path, 0600), 0);
        refused(anchor, "is not a regular file");
        assert_int_equal(unlink(path), 0);
        assert_int_equal(symlink("/dev/zero", path), 0);
        refused(archive_folder, "is not a regular file");
    }
}

/* What an event refers to need not be defined: nothing behind the last communicator is read. */
static void unknown_communicator(void **state)
{
    (void)state;
    uint32_t rank[1] = {0};
    struct archive_comm comms[] = {{.rank = rank}, {.rank = NULL}, {.rank = rank}};
    const struct archive a = {.comm = comms, .n_comms = 2};
    assert_ptr_equal(archive_comm(&a, 0), &comms[0]);
    assert_null(archive_comm(&a, 1));
    assert_null(archive_comm(&a, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_text),
        cmocka_unit_test(doubted),
        cmocka_unit_test(blocks_of_gathers),
        cmocka_unit_test(without_properties),
        cmocka_unit_test(truncated),
        cmocka_unit_test(broken),
        cmocka_unit_test(only_regular_files),
        cmocka_unit_test(unknown_communicator),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
