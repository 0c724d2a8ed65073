/* calls.c - messages, completion, communicators, and what is not simulated: one row per traced call
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "sim/tracer/calls.h"
#include "sim/tracer/notice.h"

/* Initialisation and finalisation */

int MPI_Init(int *argc, char ***argv)
{
    struct call c;
    library_check();
    record_begin(&c, "MPI_Init");
    const int result = PMPI_Init(argc, argv);
    record_returned(&c, result);
    record_open(&c);
    return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    struct call c;
    library_check();
    record_begin(&c, "MPI_Init");
    const int result = PMPI_Init_thread(argc, argv, required, provided);
    record_returned(&c, result);
    record_open(&c);
    return result;
}

int MPI_Finalize(void)
{
    struct call c;
    record_begin(&c, "MPI_Finalize");
    if (record_returned(&c, MPI_SUCCESS)) {
        record_finish(&c);
        record_end(&c);
    }
    record_close();
    return PMPI_Finalize();
}

#if MPI_VERSION >= 4
/* Without MPI_COMM_WORLD, by which ranks are traced. */
int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
    if (notice_is_first()) {
        notice("what a program does in MPI sessions (MPI_Session_init) is not traced");
    }
    notice_incomplete();
    return PMPI_Session_init(info, handler, session);
}
#endif

int MPI_Abort(MPI_Comm comm, int code)
{
    record_flush();
    return PMPI_Abort(comm, code);
}

/* Messages */

#define SEND_PARAMETERS                                                                            \
    const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm
#define SEND_ARGUMENTS buf, count, type, dest, tag, comm
#define SEND_FIELDS    POINTER(buf) NUMBER(count) TYPE(type) RANK(dest) TAG(tag) COMM(comm)
#define SEND(name)     CALL(name, (SEND_PARAMETERS), (SEND_ARGUMENTS), NOTHING, (SEND_FIELDS END))
#define ISEND(name, NEW)                                                                           \
    CALL(name, (SEND_PARAMETERS, MPI_Request * request), (SEND_ARGUMENTS, request), NOTHING,       \
         (SEND_FIELDS ADDRESS(request) END NEW))
SEND(Send)
SEND(Ssend)
SEND(Rsend)
SEND(Bsend)
ISEND(Isend, REQUEST)
ISEND(Issend, REQUEST)
ISEND(Irsend, REQUEST)
ISEND(Ibsend, REQUEST)
ISEND(Send_init, PERSISTENT)
ISEND(Ssend_init, PERSISTENT)
ISEND(Rsend_init, PERSISTENT)
ISEND(Bsend_init, PERSISTENT)

#define RECV_PARAMETERS void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm
#define RECV_ARGUMENTS  buf, count, type, source, tag, comm
#define RECV_FIELDS     POINTER(buf) NUMBER(count) TYPE(type) RANK(source) TAG(tag) COMM(comm)
CALL(Recv, (RECV_PARAMETERS, MPI_Status *status), (RECV_ARGUMENTS, status), STATUS,
     (RECV_FIELDS POINTER(status) END requests_message(status, comm);))
CALL(Irecv, (RECV_PARAMETERS, MPI_Request *request), (RECV_ARGUMENTS, request), NOTHING,
     (RECV_FIELDS ADDRESS(request) END REQUEST))
CALL(Recv_init, (RECV_PARAMETERS, MPI_Request *request), (RECV_ARGUMENTS, request), NOTHING,
     (RECV_FIELDS ADDRESS(request) END PERSISTENT))

CALL(Sendrecv,
     (const void *sbuf, int scount, MPI_Datatype stype, int dest, int stag, void *rbuf, int rcount,
      MPI_Datatype rtype, int source, int rtag, MPI_Comm comm, MPI_Status *status),
     (sbuf, scount, stype, dest, stag, rbuf, rcount, rtype, source, rtag, comm, status), STATUS,
     (POINTER(sbuf) NUMBER(scount) TYPE(stype) RANK(dest) TAG(stag) POINTER(rbuf) NUMBER(rcount)
          TYPE(rtype) RANK(source) TAG(rtag) COMM(comm) POINTER(status)
              END requests_message(status, comm);))
CALL(Sendrecv_replace,
     (void *buf, int count, MPI_Datatype type, int dest, int stag, int source, int rtag,
      MPI_Comm comm, MPI_Status *status),
     (buf, count, type, dest, stag, source, rtag, comm, status), STATUS,
     (POINTER(buf) NUMBER(count) TYPE(type) RANK(dest) TAG(stag) RANK(source) TAG(rtag) COMM(comm)
          POINTER(status) END requests_message(status, comm);))

CALL(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status), (source, tag, comm, status),
     STATUS, (RANK(source) TAG(tag) COMM(comm) POINTER(status) END requests_message(status, comm);))
TEST(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
     (source, tag, comm, flag, status), STATUS, *flag,
     (RANK(source) TAG(tag) COMM(comm) NUMBER(*flag) POINTER(status)
          END if (*flag) { requests_message(status, comm); }))

/* A message matched by a probe: recorded as received from its actual source. */
#define TAKEN const struct matched taken = requests_take(*message);
#define TAKEN_FIELDS                                                                               \
    POINTER(buf)                                                                                   \
    NUMBER(count)                                                                                  \
    TYPE(type) record_rank(taken.source, taken.comm);                                              \
    TAG(taken.tag) COMM(taken.comm)
CALL(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
     (source, tag, comm, message, status), STATUS,
     (RANK(source) TAG(tag) COMM(comm) POINTER(message) POINTER(status)
          END requests_message(status, comm);
      requests_matched(*message, status, comm);))
TEST(Improbe,
     (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
     (source, tag, comm, flag, message, status), STATUS, *flag,
     (RANK(source) TAG(tag) COMM(comm) NUMBER(*flag) POINTER(message) POINTER(status)
          END if (*flag) {
              requests_message(status, comm);
              requests_matched(*message, status, comm);
          }))
CALL(Mrecv, (void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),
     (buf, count, type, message, status), (UNPACK STATUS TAKEN),
     (TAKEN_FIELDS POINTER(status) END requests_message(status, taken.comm);))
CALL(Imrecv, (void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request),
     (buf, count, type, message, request), (TAKEN), (TAKEN_FIELDS ADDRESS(request) END REQUEST))

/* Completion */

#define ONE                                                                                        \
    (MPI_Status own; status = status == MPI_STATUS_IGNORE ? &own : status;                         \
     const struct pending before = requests_pending(request);)
CALL(Wait, (MPI_Request * request, MPI_Status *status), (request, status), ONE,
     (ADDRESS(request) POINTER(status) END requests_completed(&before, *request, status);))
TEST(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status), ONE,
     *flag, (ADDRESS(request) NUMBER(*flag) POINTER(status) END if (*flag) {
         requests_completed(&before, *request, status);
     }))
/* The request survives, so its completion is recorded later. */
TEST(Request_get_status, (MPI_Request request, int *flag, MPI_Status *status),
     (request, flag, status),
     (MPI_Status own; status = status == MPI_STATUS_IGNORE ? &own : status;
      const struct pending before = requests_pending(&request);),
     *flag, (ADDRESS(request) NUMBER(*flag) POINTER(status) END if (*flag) {
         requests_completed(&before, request, status);
     }))
CALL(Request_free, (MPI_Request * request), (request),
     (const struct pending before = requests_pending(request);),
     (ADDRESS(request) END requests_freed(&before);))
CALL(Cancel, (MPI_Request * request), (request),
     (const struct pending before = requests_pending(request);),
     (ADDRESS(request) END requests_named(&before);))
CALL(Start, (MPI_Request * request), (request),
     (const struct pending before = requests_pending(request);),
     (ADDRESS(request) END requests_started(&before);))

/* Requests before a call with many of them, and its statuses; memory is reused between calls. */
struct many {
    struct pending *before;
    MPI_Status *status;
};
static _Thread_local struct many kept;
static _Thread_local int kept_room;

static struct many save_pending(int n, const MPI_Request *requests, MPI_Status *statuses)
{
    if (n > kept_room) {
        free(kept.before);
        free(kept.status);
        kept_room = 2 * n;
        kept.before = malloc((size_t)kept_room * sizeof *kept.before);
        kept.status = malloc((size_t)kept_room * sizeof *kept.status);
        if (kept.before == NULL || kept.status == NULL) {
            notice("no memory for the %d requests of a call", n);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    for (int i = 0; i < n; i++) {
        kept.before[i] = requests_pending(&requests[i]);
    }
    const struct many many = {kept.before,
                              statuses == MPI_STATUSES_IGNORE ? kept.status : statuses};
    return many;
}

/* Where some have failed, each status says what its request did. */
static void note_completed(const struct many *m, int n, const int *which,
                           const MPI_Request *requests, int result)
{
    const bool told = result != MPI_SUCCESS && record_class(result) == MPI_ERR_IN_STATUS;
    for (int i = 0; i < n; i++) {
        const int k = which == NULL ? i : which[i];
        if (!told || record_class(m->status[i].MPI_ERROR) != MPI_ERR_PENDING) {
            requests_completed(&m->before[k], requests[k], &m->status[i]);
        }
    }
}

#define MANY (const struct many many = save_pending(n, requests, statuses); statuses = many.status;)
#define MANY_ONE                                                                                   \
    (const struct many many = save_pending(n, requests, MPI_STATUSES_IGNORE); MPI_Status own;      \
     status = status == MPI_STATUS_IGNORE ? &own : status;)
CALL(Waitall, (int n, MPI_Request requests[], MPI_Status statuses[]), (n, requests, statuses), MANY,
     (NUMBER(n) ADDRESS(requests) POINTER(statuses)
          END note_completed(&many, n, NULL, requests, result);))
TEST(Testall, (int n, MPI_Request requests[], int *flag, MPI_Status statuses[]),
     (n, requests, flag, statuses), MANY, *flag,
     (NUMBER(n) ADDRESS(requests) NUMBER(*flag) POINTER(statuses)
          END if (*flag) { note_completed(&many, n, NULL, requests, result); }))
CALL(Waitany, (int n, MPI_Request requests[], int *index, MPI_Status *status),
     (n, requests, index, status), MANY_ONE,
     (NUMBER(n) ADDRESS(requests) NUMBER(*index) POINTER(status)
          END if (*index >= 0 && *index < n) {
              requests_completed(&many.before[*index], requests[*index], status);
          }))
TEST(Testany, (int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
     (n, requests, index, flag, status), MANY_ONE, *flag,
     (NUMBER(n) ADDRESS(requests) NUMBER(*index) NUMBER(*flag) POINTER(status)
          END if (*flag && *index >= 0 && *index < n) {
              requests_completed(&many.before[*index], requests[*index], status);
          }))
CALL(Waitsome, (int n, MPI_Request requests[], int *count, int indices[], MPI_Status statuses[]),
     (n, requests, count, indices, statuses), MANY,
     (NUMBER(n) ADDRESS(requests) NUMBER(*count) POINTER(indices) POINTER(statuses)
          END if (*count > 0) { note_completed(&many, *count, indices, requests, result); }))
TEST(Testsome, (int n, MPI_Request requests[], int *count, int indices[], MPI_Status statuses[]),
     (n, requests, count, indices, statuses), MANY, *count > 0,
     (NUMBER(n) ADDRESS(requests) NUMBER(*count) POINTER(indices) POINTER(statuses)
          END if (*count > 0) { note_completed(&many, *count, indices, requests, result); }))
CALL(Startall, (int n, MPI_Request requests[]), (n, requests),
     (const struct many many = save_pending(n, requests, MPI_STATUSES_IGNORE);),
     (NUMBER(n) ADDRESS(requests)
          END for (int i = 0; i < n; i++) { requests_started(&many.before[i]); }))

/* Communicators: the line of the new one follows that of the call */

#define MAKER(name, parameters, arguments, fresh)                                                  \
    CALL(name, parameters, arguments, NOTHING, (COMM(comm) END c.made = fresh;))
MAKER(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made), *made)
MAKER(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made), *made)
MAKER(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made),
      *made)
MAKER(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
      (comm, type, key, info, made), *made)
MAKER(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made), *made)
MAKER(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made),
      (comm, group, tag, made), *made)
MAKER(Cart_create,
      (MPI_Comm comm, int n, const int dims[], const int periods[], int reorder, MPI_Comm *made),
      (comm, n, dims, periods, reorder, made), *made)
MAKER(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made), (comm, remain, made), *made)
MAKER(Graph_create,
      (MPI_Comm comm, int n, const int index[], const int edges[], int reorder, MPI_Comm *made),
      (comm, n, index, edges, reorder, made), *made)
MAKER(Dist_graph_create,
      (MPI_Comm comm, int n, const int sources[], const int degrees[], const int targets[],
       const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
      (comm, n, sources, degrees, targets, weights, info, reorder, made), *made)
MAKER(Dist_graph_create_adjacent,
      (MPI_Comm comm, int in, const int sources[], const int sweights[], int out,
       const int targets[], const int tweights[], MPI_Info info, int reorder, MPI_Comm *made),
      (comm, in, sources, sweights, out, targets, tweights, info, reorder, made), *made)
MAKER(Intercomm_create,
      (MPI_Comm comm, int leader, MPI_Comm peers, int remote, int tag, MPI_Comm *made),
      (comm, leader, peers, remote, tag, made), *made)
MAKER(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made), *made)
/* The new communicator cannot be queried yet. */
#define LATER(name, parameters, arguments)                                                         \
    CALL(name, parameters, arguments, NOTHING,                                                     \
         (COMM(comm) ADDRESS(request) END REQUEST c.made = *made; c.like = comm;))
LATER(Comm_idup, (MPI_Comm comm, MPI_Comm *made, MPI_Request *request), (comm, made, request))
#if MPI_VERSION >= 4
LATER(Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made, MPI_Request *request),
      (comm, info, made, request))
#endif
CALL(Comm_free, (MPI_Comm * comm), (comm), (const MPI_Comm freed = *comm;),
     (record_number(0); END comms_remove(freed);))
CALL(Comm_disconnect, (MPI_Comm * comm), (comm), (const MPI_Comm freed = *comm;),
     (record_number(0); END comms_remove(freed);))

/* Windows, files, processes and partitioned messages: only the calls with which they begin, by name
 * and times */

/* SMPI declares these two without const. */
#ifdef TRACE_SIMULATED
#define COUNTS int
#define INFOS  MPI_Info
#else
#define COUNTS const int
#define INFOS  const MPI_Info
#endif

BY_NAME(Win_create,
        (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
        (base, size, unit, info, comm, win))
BY_NAME(Win_allocate,
        (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
        (size, unit, info, comm, base, win))
BY_NAME(Win_allocate_shared,
        (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
        (size, unit, info, comm, base, win))
BY_NAME(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win))

BY_NAME(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
        (comm, name, mode, info, file))

/* Processes: ranks outside MPI_COMM_WORLD are not traced, but communicators with them are known */

#define JOINED(name, parameters, arguments)                                                        \
    CALL(name, parameters, arguments, NOTHING, (END c.made = *made;))
JOINED(Comm_spawn,
       (const char *command, char *argv[], int n, MPI_Info info, int root, MPI_Comm comm,
        MPI_Comm *made, int errors[]),
       (command, argv, n, info, root, comm, made, errors))
JOINED(Comm_spawn_multiple,
       (int count, char *commands[], char **argv[], COUNTS n[], INFOS info[], int root,
        MPI_Comm comm, MPI_Comm *made, int errors[]),
       (count, commands, argv, n, info, root, comm, made, errors))
JOINED(Comm_accept, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
       (port, info, root, comm, made))
JOINED(Comm_connect, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
       (port, info, root, comm, made))
JOINED(Comm_join, (int fd, MPI_Comm *made), (fd, made))

#if MPI_VERSION >= 4
#define PARTS       int parts, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm
#define PARTS_NAMES parts, count, type, peer, tag, comm
BY_NAME(Psend_init, (const void *buf, PARTS, MPI_Info info, MPI_Request *request),
        (buf, PARTS_NAMES, info, request))
BY_NAME(Precv_init, (void *buf, PARTS, MPI_Info info, MPI_Request *request),
        (buf, PARTS_NAMES, info, request))
#endif
