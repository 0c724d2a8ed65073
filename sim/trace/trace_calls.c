/* trace_calls.c - calls in traces: positions of their arguments, names and counters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_calls.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Members of rows */
#define MESSAGE     .data.count = 3, .data.type = 4, .data.peer = 5, .data.tag = 6, .comm = 7
#define SEND(name)  name, TRACE_SEND, MESSAGE, .end = 8
#define ISEND(name) name, TRACE_SEND, MESSAGE, .request = 8, .end = 9, .immediate = true
#define INIT(name, kind_)                                                                          \
    name, kind_, MESSAGE, .request = 8, .end = 9, .immediate = true, .persistent = true
#define REDUCTION(name, kind_) name, kind_, .data.count = 4, .data.type = 5, .comm = 7, .end = 8
#define NEW_COMM(name)         name, TRACE_NEW_COMM, .comm = 2, .end = 3
#define UNKNOWN(name)          name, TRACE_UNKNOWN, .end = 0

/* Collective operations are listed in their blocking form; in lines of the nonblocking one, a
 * request precedes the end time. */
static const struct trace_call calls[] = {
    {"MPI_Init", TRACE_INIT, .end = 4},
    {"MPI_Init_thread", TRACE_INIT, .end = 6}, /* with liballprof's arguments; else 4 */
    {"MPI_Finalize", TRACE_FINALIZE, .end = 2},
    {SEND("MPI_Send")},
    {SEND("MPI_Ssend")},
    {SEND("MPI_Rsend")},
    {SEND("MPI_Bsend")},
    {ISEND("MPI_Isend")},
    {ISEND("MPI_Issend")},
    {ISEND("MPI_Irsend")},
    {ISEND("MPI_Ibsend")},
    {INIT("MPI_Send_init", TRACE_SEND)},
    {INIT("MPI_Ssend_init", TRACE_SEND)},
    {INIT("MPI_Rsend_init", TRACE_SEND)},
    {INIT("MPI_Bsend_init", TRACE_SEND)},
    {"MPI_Recv", TRACE_RECV, MESSAGE, .end = 9},
    {"MPI_Irecv", TRACE_RECV, MESSAGE, .request = 8, .end = 9, .immediate = true},
    {INIT("MPI_Recv_init", TRACE_RECV)},
    {"MPI_Sendrecv", TRACE_SENDRECV, .data.count = 3, .data.type = 4, .data.peer = 5, .data.tag = 6,
     .comm = 12, .received.count = 8, .received.type = 9, .received.peer = 10, .received.tag = 11,
     .end = 14},
    {"MPI_Sendrecv_replace", TRACE_SENDRECV, .data.count = 3, .data.type = 4, .data.peer = 5,
     .data.tag = 6, .comm = 9, .received.count = 3, .received.type = 4, .received.peer = 7,
     .received.tag = 8, .end = 11},
    {"MPI_Probe", TRACE_PROBE, .data.peer = 2, .data.tag = 3, .comm = 4, .end = 6},
    {"MPI_Iprobe", TRACE_PROBE, .data.peer = 2, .data.tag = 3, .comm = 4, .end = 7, .test = true},
    {"MPI_Mprobe", TRACE_PROBE, .data.peer = 2, .data.tag = 3, .comm = 4, .end = 7},
    {"MPI_Improbe", TRACE_PROBE, .data.peer = 2, .data.tag = 3, .comm = 4, .end = 8, .test = true},
    {"MPI_Mrecv", TRACE_RECV, MESSAGE, .end = 9},
    {"MPI_Imrecv", TRACE_RECV, MESSAGE, .request = 8, .end = 9, .immediate = true},
    {"MPI_Request_get_status", TRACE_COMPLETE, .end = 5, .test = true},
    {"MPI_Wait", TRACE_COMPLETE, .request = 2, .end = 4},
    {"MPI_Waitall", TRACE_COMPLETE, .n = 2, .request = 3, .end = 5},
    {"MPI_Waitany", TRACE_COMPLETE, .end = 6},
    {"MPI_Waitsome", TRACE_COMPLETE, .end = 7},
    {"MPI_Test", TRACE_COMPLETE, .end = 5, .test = true},
    {"MPI_Testall", TRACE_COMPLETE, .end = 6, .test = true},
    {"MPI_Testany", TRACE_COMPLETE, .end = 7, .test = true},
    {"MPI_Testsome", TRACE_COMPLETE, .end = 7, .test = true},
    {"MPI_Start", TRACE_START, .end = 3},
    {"MPI_Startall", TRACE_START, .end = 4},
    {"MPI_Request_free", TRACE_FORGET, .end = 3},
    {"MPI_Cancel", TRACE_CANCEL, .end = 3},
    {"MPI_Barrier", TRACE_BARRIER, .comm = 2, .end = 3},
    {"MPI_Bcast", TRACE_BCAST, .data.count = 3, .data.type = 4, .data.peer = 5, .comm = 6,
     .end = 7},
    {"MPI_Reduce", TRACE_REDUCE, .data.count = 4, .data.type = 5, .data.peer = 7, .comm = 8,
     .end = 9},
    {REDUCTION("MPI_Allreduce", TRACE_ALLREDUCE)},
    {REDUCTION("MPI_Scan", TRACE_SCAN)},
    {REDUCTION("MPI_Exscan", TRACE_SCAN)},
    {REDUCTION("MPI_Reduce_scatter_block", TRACE_REDUCE_SCATTER_BLOCK)},
    {"MPI_Reduce_scatter", TRACE_REDUCE_SCATTER, .data.counts = 5, .data.type = 6, .comm = 8,
     .end = 9},
    {"MPI_Gather", TRACE_GATHER, .data.count = 3, .data.type = 4, .received.count = 6,
     .received.type = 7, .data.peer = 8, .comm = 9, .end = 10},
    {"MPI_Scatter", TRACE_SCATTER, .data.count = 3, .data.type = 4, .received.count = 6,
     .received.type = 7, .data.peer = 8, .comm = 9, .end = 10},
    {"MPI_Allgather", TRACE_ALLGATHER, .data.count = 3, .data.type = 4, .received.count = 6,
     .received.type = 7, .comm = 8, .end = 9},
    {"MPI_Alltoall", TRACE_ALLTOALL, .data.count = 3, .data.type = 4, .received.count = 6,
     .received.type = 7, .comm = 8, .end = 9},
    {"MPI_Gatherv", TRACE_GATHERV, .data.count = 3, .data.type = 4, .received.counts = 7,
     .received.type = 10, .data.peer = 11, .comm = 12, .end = 13},
    {"MPI_Scatterv", TRACE_SCATTERV, .data.counts = 4, .data.type = 7, .received.count = 9,
     .received.type = 10, .data.peer = 11, .comm = 12, .end = 13},
    {"MPI_Allgatherv", TRACE_ALLGATHERV, .data.count = 3, .data.type = 4, .received.counts = 7,
     .received.type = 10, .comm = 11, .end = 12},
    {"MPI_Alltoallv", TRACE_ALLTOALLV, .data.counts = 4, .data.type = 7, .received.counts = 10,
     .received.type = 13, .comm = 14, .end = 15},
    {"MPI_Alltoallw", TRACE_ALLTOALLV, .data.counts = 4, .data.type = 7, .received.counts = 10,
     .received.type = 13, .comm = 14, .end = 15},
    {NEW_COMM("MPI_Comm_dup")},
    {NEW_COMM("MPI_Comm_dup_with_info")},
    {NEW_COMM("MPI_Comm_split")},
    {NEW_COMM("MPI_Comm_split_type")},
    {NEW_COMM("MPI_Comm_create")},
    {NEW_COMM("MPI_Cart_create")},
    {NEW_COMM("MPI_Cart_sub")},
    {NEW_COMM("MPI_Graph_create")},
    {NEW_COMM("MPI_Dist_graph_create")},
    {NEW_COMM("MPI_Dist_graph_create_adjacent")},
    {NEW_COMM("MPI_Intercomm_create")},
    {NEW_COMM("MPI_Intercomm_merge")},
    {"MPI_Comm_idup", TRACE_NEW_COMM, .comm = 2, .request = 3, .end = 4, .immediate = true},
    {"MPI_Comm_idup_with_info", TRACE_NEW_COMM, .comm = 2, .request = 3, .end = 4,
     .immediate = true},
    {UNKNOWN("MPI_Win_create")},
    {UNKNOWN("MPI_Win_allocate")},
    {UNKNOWN("MPI_Win_allocate_shared")},
    {UNKNOWN("MPI_Win_create_dynamic")},
    {UNKNOWN("MPI_File_open")},
    {UNKNOWN("MPI_Comm_spawn")},
    {UNKNOWN("MPI_Comm_spawn_multiple")},
    {UNKNOWN("MPI_Comm_accept")},
    {UNKNOWN("MPI_Comm_connect")},
    {UNKNOWN("MPI_Comm_join")},
    {UNKNOWN("MPI_Psend_init")},
    {UNKNOWN("MPI_Precv_init")},
    /* Written by libtantrace in place of calls on intercommunicators, and of those with processes
     * outside the job. */
    {UNKNOWN("MPI_Intercomm_collective")},
    {UNKNOWN("MPI_Outside_world")},
};

static const struct trace_call *call_named(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (strncmp(calls[i].name, name, length) == 0 && calls[i].name[length] == '\0') {
            return &calls[i];
        }
    }
    return NULL;
}

struct trace_call tan_trace_call_find(const char *name, size_t length)
{
    enum { PREFIX = 4, LONGEST = 64 }; /* "MPI_" */
    const struct trace_call local = {.name = name, .kind = TRACE_LOCAL};
    const struct trace_call *row = call_named(name, length);
    if (row != NULL) {
        return *row;
    }
    if (length > PREFIX + 1 && length < LONGEST && name[PREFIX] == 'I') {
        char blocking[LONGEST + 1];
        snprintf(blocking, sizeof blocking, "MPI_%c%.*s", toupper((unsigned char)name[PREFIX + 1]),
                 (int)length - PREFIX - 2, name + PREFIX + 2);
        row = call_named(blocking, length - 1);
        if (row != NULL && tan_trace_is_collective(row->kind)) {
            struct trace_call call = *row;
            call.request = call.end++;
            call.immediate = true;
            return call;
        }
    }
    return local;
}

static uint32_t name_hash(const char *name, size_t length)
{
    uint32_t h = (uint32_t)length;
    for (size_t i = 0; i < length; i++) {
        h = h * 31 + (unsigned char)name[i];
    }
    return h ^ h >> 9;
}

uint32_t tan_trace_names_find(struct trace_names *names, const char *name, size_t length,
                              struct tan_error *e)
{
    uint32_t at = name_hash(name, length) % (2 * TRACE_NAMES);
    for (; names->slot[at] != 0; at = (at + 1) % (2 * TRACE_NAMES)) {
        const uint32_t known = names->slot[at] - 1u;
        if (names->length[known] == length && memcmp(names->count[known].name, name, length) == 0) {
            return known;
        }
    }
    struct tan_trace_call *count = &names->count[names->n];
    if (names->n == TRACE_NAMES || length >= sizeof count->name) {
        tan_fail(e, "\"%.60s\" is not an MPI call", name);
        return UINT32_MAX;
    }
    memcpy(count->name, name, length);
    names->length[names->n] = (uint8_t)length;
    names->row[names->n] = tan_trace_call_find(count->name, length);
    names->slot[at] = (uint16_t)++names->n;
    return names->n - 1;
}
