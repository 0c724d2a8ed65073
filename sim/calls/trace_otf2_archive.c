/* trace_otf2_archive.c - what the ranks of an OTF2 archive share: definitions, and what is known of
 * a request or a collective operation only later, or from other ranks SPDX-License-Identifier:
 * GPL-3.0-or-later */
#include "sim/calls/trace_otf2_archive.h"

#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/output.h"
#include "sim/calls/trace_map.h"

enum { MOST_REFERENCES = 1 << 26 };
enum { AT_ONCE = 1 << 16 };

/* Make room for `reference` in a list; what is new is zero. */
static bool make_room(void **list, size_t *n, uint64_t reference, size_t size)
{
    if (reference < *n) {
        return true;
    }
    if (reference >= MOST_REFERENCES) {
        return false;
    }
    const size_t before = *n;
    if (tan_array_reserve(list, n, (size_t)reference + 1, size) < 0) {
        return false;
    }
    memset((char *)*list + before * size, 0, (*n - before) * size);
    return true;
}

static OTF2_CallbackCode stop_reading(struct trace_otf2_archive *a, const char *why)
{
    if (why == NULL) {
        tan_fail_nomem(a->e);
    } else {
        tan_fail(a->e, "%s", why);
    }
    return OTF2_CALLBACK_INTERRUPT;
}

/* Definitions */

static OTF2_CallbackCode define_clock(void *own, uint64_t resolution, uint64_t offset,
                                      uint64_t length, uint64_t realtime)
{
    struct trace_otf2_archive *a = own;
    (void)length;
    (void)realtime;
    a->resolution = resolution;
    a->offset = offset;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_text(void *own, OTF2_StringRef self, const char *string)
{
    struct trace_otf2_archive *a = own;
    if (!make_room((void **)&a->text, &a->n_texts, self, sizeof *a->text)) {
        return stop_reading(a, NULL);
    }
    free(a->text[self]);
    a->text[self] = strdup(string);
    return a->text[self] == NULL ? stop_reading(a, NULL) : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_region(void *own, OTF2_RegionRef self, OTF2_StringRef name,
                                       OTF2_StringRef canonical, OTF2_StringRef description,
                                       OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                       OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
                                       uint32_t end)
{
    struct trace_otf2_archive *a = own;
    (void)canonical;
    (void)description;
    (void)role;
    (void)flags;
    (void)file;
    (void)begin;
    (void)end;
    if (!make_room((void **)&a->region, &a->n_regions, self, sizeof *a->region)) {
        return stop_reading(a, NULL);
    }
    a->region[self] = paradigm == OTF2_PARADIGM_MPI ? name + 1 : 0;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_group(void *own, OTF2_GroupRef self, OTF2_StringRef name,
                                      OTF2_GroupType type, OTF2_Paradigm paradigm,
                                      OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
{
    struct trace_otf2_archive *a = own;
    (void)name;
    if (!make_room((void **)&a->group, &a->n_groups, self, sizeof *a->group)) {
        return stop_reading(a, NULL);
    }
    struct trace_otf2_group *g = &a->group[self];
    free(g->member);
    *g = (struct trace_otf2_group){malloc((n + 1) * sizeof *g->member), n, type,
                                   paradigm == OTF2_PARADIGM_MPI,
                                   (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0};
    if (g->member == NULL) {
        return stop_reading(a, NULL);
    }
    if (n > 0) {
        memcpy(g->member, members, n * sizeof *members);
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_comm(void *own, OTF2_CommRef self, OTF2_StringRef name,
                                     OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct trace_otf2_archive *a = own;
    (void)name;
    (void)parent;
    (void)flags;
    if (!make_room((void **)&a->comm, &a->n_comms, self, sizeof *a->comm)) {
        return stop_reading(a, NULL);
    }
    a->comm[self] = (struct trace_otf2_comm){.group = group, .there = true};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_intercomm(void *own, OTF2_CommRef self, OTF2_StringRef name,
                                          OTF2_GroupRef one, OTF2_GroupRef other,
                                          OTF2_CommRef common, OTF2_CommFlag flags)
{
    struct trace_otf2_archive *a = own;
    (void)name;
    (void)one;
    (void)other;
    (void)common;
    (void)flags;
    if (!make_room((void **)&a->comm, &a->n_comms, self, sizeof *a->comm)) {
        return stop_reading(a, NULL);
    }
    a->comm[self] = (struct trace_otf2_comm){.there = true, .between = true};
    return OTF2_CALLBACK_SUCCESS;
}

/* What a callback has said of it, or what the library says. */
static int fail_with_code(const char *path, OTF2_ErrorCode code, struct tan_error *e)
{
    struct tan_error said = *e;
    *e = (struct tan_error)TAN_ERROR_INIT;
    return tan_fail(e, "%s: %s", path,
                    said.status != TAN_DONE ? said.text : OTF2_Error_GetDescription(code));
}

static int read_definitions(struct trace_otf2_archive *a, const char *anchor, struct tan_error *e)
{
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(a->reader);
    OTF2_GlobalDefReaderCallbacks *calls = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_ErrorCode code = OTF2_ERROR_INVALID;
    uint64_t n;
    if (definitions != NULL && calls != NULL) {
        OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(calls, define_clock);
        OTF2_GlobalDefReaderCallbacks_SetStringCallback(calls, define_text);
        OTF2_GlobalDefReaderCallbacks_SetRegionCallback(calls, define_region);
        OTF2_GlobalDefReaderCallbacks_SetGroupCallback(calls, define_group);
        OTF2_GlobalDefReaderCallbacks_SetCommCallback(calls, define_comm);
        OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(calls, define_intercomm);
        OTF2_Reader_RegisterGlobalDefCallbacks(a->reader, definitions, calls, a);
        code = OTF2_Reader_ReadAllGlobalDefinitions(a->reader, definitions, &n);
    }
    OTF2_GlobalDefReaderCallbacks_Delete(calls);
    return code == OTF2_SUCCESS ? 0 : fail_with_code(anchor, code, e);
}

static int by_location(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Two ranks of one location would be told each other's events. */
static int check_locations(const struct trace_otf2_group *world, const char *anchor,
                           struct tan_error *e)
{
    uint64_t *sorted = malloc(world->n * sizeof *sorted);
    if (sorted == NULL) {
        return tan_fail_nomem(e);
    }
    memcpy(sorted, world->member, world->n * sizeof *sorted);
    qsort(sorted, world->n, sizeof *sorted, by_location);
    uint32_t i = 1;
    while (i < world->n && sorted[i] != sorted[i - 1]) {
        i++;
    }
    const uint64_t twice = i < world->n ? sorted[i] : 0;
    free(sorted);
    return i < world->n
               ? tan_fail(e, "%s: location %" PRIu64 " is said to be two ranks", anchor, twice)
               : 0;
}

/* Ranks: the list of locations, in the order of MPI_COMM_WORLD. */
static int find_ranks(struct trace_otf2_archive *a, const char *anchor, struct tan_error *e)
{
    const struct trace_otf2_group *world = NULL;
    for (size_t i = 0; i < a->n_groups; i++) {
        if (a->group[i].mpi && a->group[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
            world = &a->group[i];
        }
    }
    if (world == NULL || world->n == 0 || a->resolution == 0) {
        return tan_fail(e,
                        "%s: this archive does not say which locations are the ranks of an MPI "
                        "job, or what time its clock counts",
                        anchor);
    }
    if (check_locations(world, anchor, e) < 0) {
        return -1;
    }
    a->rank = calloc(world->n, sizeof *a->rank);
    if (a->rank == NULL) {
        return tan_fail_nomem(e);
    }
    a->ranks = world->n;
    for (uint32_t i = 0; i < a->ranks; i++) {
        a->rank[i].location = world->member[i];
        if (asprintf(&a->rank[i].path, "%s, rank %" PRIu32, anchor, i) < 0) {
            a->rank[i].path = NULL;
            return tan_fail_nomem(e);
        }
    }
    return 0;
}

/* The rank of a member of a group. */
static uint64_t rank_in(const struct trace_otf2_archive *a, const struct trace_otf2_group *g,
                        uint32_t i)
{
    if (g->type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
        return i;
    }
    if (g->type == OTF2_GROUP_TYPE_COMM_GROUP) {
        return g->member[i];
    }
    uint64_t rank = 0;
    while (rank < a->ranks && a->rank[rank].location != g->member[i]) {
        rank++;
    }
    return rank;
}

static int fill_comm(const struct trace_otf2_archive *a, struct trace_otf2_comm *c,
                     struct tan_error *e)
{
    if (!c->there || c->between || c->group >= a->n_groups) {
        return 0;
    }
    const struct trace_otf2_group *g = &a->group[c->group];
    c->self = g->type == OTF2_GROUP_TYPE_COMM_SELF;
    c->global = g->global;
    c->size = c->self ? 1 : g->n;
    c->rank = calloc(c->size + 1, sizeof *c->rank);
    if (c->rank == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < c->size && !c->self; i++) {
        const uint64_t rank = rank_in(a, g, i);
        if (rank >= a->ranks) {
            free(c->rank);
            c->rank = NULL;
            return 0;
        }
        c->rank[i] = (uint32_t)rank;
    }
    return 0;
}

const struct trace_otf2_comm *tan_trace_otf2_comm_of(const struct trace_otf2_archive *a,
                                                     uint32_t comm)
{
    return comm < a->n_comms && a->comm[comm].rank != NULL ? &a->comm[comm] : NULL;
}

const char *tan_trace_otf2_call_of(const struct trace_otf2_archive *a, OTF2_RegionRef region)
{
    const uint32_t text = region < a->n_regions ? a->region[region] : 0;
    const char *name = text > 0 && text <= a->n_texts ? a->text[text - 1] : NULL;
    return name != NULL && strncmp(name, "MPI_", 4) == 0 ? name : NULL;
}

int64_t tan_trace_otf2_time(const struct trace_otf2_archive *a, OTF2_TimeStamp ticks)
{
    const uint64_t second = 1000000000;
    const uint64_t since = ticks > a->offset ? ticks - a->offset : 0;
    const double rest = (double)(since % a->resolution) * 1e9 / (double)a->resolution;
    return (int64_t)(since / a->resolution * second + (uint64_t)(rest + 0.5));
}

enum trace_class tan_trace_otf2_kind_of(OTF2_CollectiveOp op)
{
    static const enum trace_class kinds[] = {
        [OTF2_COLLECTIVE_OP_BARRIER] = TRACE_BARRIER,
        [OTF2_COLLECTIVE_OP_BCAST] = TRACE_BCAST,
        [OTF2_COLLECTIVE_OP_GATHER] = TRACE_GATHER,
        [OTF2_COLLECTIVE_OP_GATHERV] = TRACE_GATHERV,
        [OTF2_COLLECTIVE_OP_SCATTER] = TRACE_SCATTER,
        [OTF2_COLLECTIVE_OP_SCATTERV] = TRACE_SCATTERV,
        [OTF2_COLLECTIVE_OP_ALLGATHER] = TRACE_ALLGATHER,
        [OTF2_COLLECTIVE_OP_ALLGATHERV] = TRACE_ALLGATHERV,
        [OTF2_COLLECTIVE_OP_ALLTOALL] = TRACE_ALLTOALL,
        [OTF2_COLLECTIVE_OP_ALLTOALLV] = TRACE_ALLTOALLV,
        [OTF2_COLLECTIVE_OP_ALLTOALLW] = TRACE_UNKNOWN,
        [OTF2_COLLECTIVE_OP_ALLREDUCE] = TRACE_ALLREDUCE,
        [OTF2_COLLECTIVE_OP_REDUCE] = TRACE_REDUCE,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = TRACE_REDUCE_SCATTER,
        [OTF2_COLLECTIVE_OP_SCAN] = TRACE_SCAN,
        [OTF2_COLLECTIVE_OP_EXSCAN] = TRACE_SCAN,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = TRACE_REDUCE_SCATTER_BLOCK,
        [OTF2_COLLECTIVE_OP_CREATE_HANDLE] = TRACE_NEW_COMM,
    };
    return op < sizeof kinds / sizeof kinds[0] ? kinds[op] : TRACE_LOCAL;
}

/* Reading a location for the first time */

struct scan {
    struct trace_otf2_archive *a;
    struct trace_otf2_rank *rank;
    struct tan_map open; /* request -> place of its outcome */
};

static struct trace_otf2_outcome *add_outcome(struct scan *s)
{
    struct trace_otf2_rank *r = s->rank;
    if (TAN_ONE_MORE(r->outcome, r->n_outcomes) < 0) {
        tan_fail_nomem(s->a->e);
        return NULL;
    }
    r->outcome[r->n_outcomes] = (struct trace_otf2_outcome){.kind = OTF2_UNFINISHED};
    return &r->outcome[r->n_outcomes++];
}

static OTF2_CallbackCode scan_request(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t at,
                                      void *own, OTF2_AttributeList *attributes, uint64_t request)
{
    struct scan *s = own;
    (void)location;
    (void)time;
    (void)at;
    (void)attributes;
    const size_t place = s->rank->n_outcomes;
    return place >= TRACE_MAP_NONE || add_outcome(s) == NULL ||
                   tan_trace_map_set(&s->open, request, (uint32_t)place, s->a->e) < 0
               ? OTF2_CALLBACK_INTERRUPT
               : OTF2_CALLBACK_SUCCESS;
}

/* The outcome of a request that ends; NULL: it has none here. */
static struct trace_otf2_outcome *end_request(struct scan *s, uint64_t request)
{
    const uint32_t place = tan_trace_map_find(&s->open, request);
    tan_map_remove(&s->open, request);
    return place == TRACE_MAP_NONE ? NULL : &s->rank->outcome[place];
}

static OTF2_CallbackCode scan_irecv(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t at,
                                    void *own, OTF2_AttributeList *attributes, uint32_t sender,
                                    OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                                    uint64_t request)
{
    (void)location;
    (void)time;
    (void)at;
    (void)attributes;
    struct trace_otf2_outcome *o = end_request(own, request);
    if (o != NULL) {
        *o = (struct trace_otf2_outcome){
            .kind = OTF2_MESSAGE, .comm = comm, .peer = sender, .tag = tag, .received = bytes};
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode scan_cancelled(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t at,
                                        void *own, OTF2_AttributeList *attributes, uint64_t request)
{
    (void)location;
    (void)time;
    (void)at;
    (void)attributes;
    struct trace_otf2_outcome *o = end_request(own, request);
    if (o != NULL) {
        o->kind = OTF2_CANCELLED;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode scan_completed(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t at,
                                        void *own, OTF2_AttributeList *attributes,
                                        OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root,
                                        uint64_t sent, uint64_t received, uint64_t request)
{
    (void)location;
    (void)time;
    (void)at;
    (void)attributes;
    struct trace_otf2_outcome *o = end_request(own, request);
    if (o != NULL) {
        *o = (struct trace_otf2_outcome){OTF2_OPERATION, op, comm, root, 0, 0, sent, received};
    }
    return OTF2_CALLBACK_SUCCESS;
}

/* Sizes differ from rank to rank. */
static bool has_sizes(OTF2_CollectiveOp op)
{
    const enum trace_class kind = tan_trace_otf2_kind_of(op);
    return kind == TRACE_REDUCE_SCATTER || (kind >= TRACE_GATHERV && kind <= TRACE_ALLTOALLV);
}

static OTF2_CallbackCode scan_collective(OTF2_LocationRef location, OTF2_TimeStamp time,
                                         uint64_t at, void *own, OTF2_AttributeList *attributes,
                                         OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root,
                                         uint64_t sent, uint64_t received)
{
    struct scan *s = own;
    (void)location;
    (void)time;
    (void)at;
    (void)attributes;
    if (!has_sizes(op)) {
        return OTF2_CALLBACK_SUCCESS;
    }
    struct trace_otf2_outcome *o = add_outcome(s);
    if (o == NULL) {
        return OTF2_CALLBACK_INTERRUPT;
    }
    *o = (struct trace_otf2_outcome){OTF2_OPERATION, op, comm, root, 0, 0, sent, received};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode scan_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t at,
                                    void *own, OTF2_AttributeList *attributes,
                                    OTF2_RegionRef region)
{
    struct scan *s = own;
    (void)location;
    (void)time;
    (void)at;
    (void)attributes;
    const char *name = tan_trace_otf2_call_of(s->a, region);
    s->rank->began = s->rank->began || (name != NULL && strncmp(name, "MPI_Init", 8) == 0 &&
                                        (name[8] == '\0' || name[8] == '_'));
    return OTF2_CALLBACK_SUCCESS;
}

int tan_trace_otf2_read(struct trace_otf2_archive *a, OTF2_EvtReader *events, const char *path,
                        struct tan_error *e)
{
    uint64_t n = 0;
    a->e = e;
    const OTF2_ErrorCode code = OTF2_Reader_ReadLocalEvents(a->reader, events, AT_ONCE, &n);
    const bool interrupted = code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK;
    if (e->status != TAN_DONE || (code != OTF2_SUCCESS && !interrupted)) {
        return fail_with_code(path, code, e);
    }
    return interrupted || n == AT_ONCE; /* behind the end it is not to be called */
}

static int scan_rank(struct trace_otf2_archive *a, struct trace_otf2_rank *r, struct tan_error *e)
{
    struct scan s = {.a = a, .rank = r};
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(a->reader, r->location);
    OTF2_EvtReaderCallbacks *calls = OTF2_EvtReaderCallbacks_New();
    int more = 1;
    if (events == NULL || calls == NULL) {
        OTF2_EvtReaderCallbacks_Delete(calls);
        return tan_fail(e, "%s: its events cannot be opened", r->path);
    }
    OTF2_EvtReaderCallbacks_SetLeaveCallback(calls, scan_leave);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(calls, scan_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(calls, scan_irecv);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(calls, scan_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, scan_collective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(calls, scan_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(calls, scan_completed);
    OTF2_Reader_RegisterEvtCallbacks(a->reader, events, calls, &s);
    OTF2_EvtReaderCallbacks_Delete(calls);
    while (more > 0) {
        more = tan_trace_otf2_read(a, events, r->path, e);
    }
    OTF2_Reader_CloseEvtReader(a->reader, events);
    tan_map_clear(&s.open);
    return more;
}

/* Sizes of each rank */

/* What a rank says of itself. */
static uint64_t own_size(const struct trace_otf2_outcome *o)
{
    const enum trace_class kind = tan_trace_otf2_kind_of(o->op);
    return kind == TRACE_SCATTERV || kind == TRACE_REDUCE_SCATTER ? o->received : o->sent;
}

static int keep_size(struct trace_otf2_comm *c, uint32_t rank, struct trace_otf2_outcome *o,
                     struct tan_error *e)
{
    o->place = c->seen++;
    if (c->seen > c->room_sizes) {
        const uint32_t room = 2 * c->room_sizes + 8;
        const size_t there = (size_t)c->room_sizes * c->size;
        uint64_t *more = realloc(c->sizes, (size_t)room * c->size * sizeof *more);
        if (more == NULL) {
            return tan_fail_nomem(e);
        }
        memset(more + there, 0, ((size_t)room * c->size - there) * sizeof *more);
        c->sizes = more;
        c->room_sizes = room;
    }
    c->n_sizes = c->seen > c->n_sizes ? c->seen : c->n_sizes;
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->self || c->rank[i] == rank) {
            c->sizes[(size_t)o->place * c->size + i] = own_size(o);
        }
    }
    return 0;
}

static int keep_sizes(struct trace_otf2_archive *a, uint32_t rank, struct tan_error *e)
{
    struct trace_otf2_rank *r = &a->rank[rank];
    for (size_t i = 0; i < a->n_comms; i++) {
        a->comm[i].seen = 0;
    }
    for (size_t i = 0; i < r->n_outcomes; i++) {
        struct trace_otf2_outcome *o = &r->outcome[i];
        if (o->kind == OTF2_OPERATION && has_sizes(o->op) &&
            tan_trace_otf2_comm_of(a, o->comm) != NULL &&
            keep_size(&a->comm[o->comm], rank, o, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Local definitions have the mapping of references and the offsets of clocks. */
static void read_local_definitions(struct trace_otf2_archive *a)
{
    if (OTF2_Reader_OpenDefFiles(a->reader) != OTF2_SUCCESS) {
        return;
    }
    for (uint32_t i = 0; i < a->ranks; i++) {
        uint64_t n;
        OTF2_DefReader *reader = OTF2_Reader_GetDefReader(a->reader, a->rank[i].location);
        if (reader != NULL) {
            OTF2_Reader_ReadAllLocalDefinitions(a->reader, reader, &n);
            OTF2_Reader_CloseDefReader(a->reader, reader);
        }
    }
    OTF2_Reader_CloseDefFiles(a->reader);
}

static int read_archive(struct trace_otf2_archive *a, const char *anchor, struct tan_error *e)
{
    a->e = e;
    if (OTF2_Reader_SetSerialCollectiveCallbacks(a->reader) != OTF2_SUCCESS ||
        read_definitions(a, anchor, e) < 0 || find_ranks(a, anchor, e) < 0) {
        return e->status != TAN_DONE ? -1 : tan_fail(e, "%s cannot be read", anchor);
    }
    int result = 0;
    for (size_t i = 0; i < a->n_comms && result == 0; i++) {
        result = fill_comm(a, &a->comm[i], e);
    }
    for (uint32_t i = 0; i < a->ranks; i++) {
        OTF2_Reader_SelectLocation(a->reader, a->rank[i].location);
    }
    read_local_definitions(a);
    const OTF2_ErrorCode code = OTF2_Reader_OpenEvtFiles(a->reader);
    if (code != OTF2_SUCCESS) {
        return fail_with_code(anchor, code, e);
    }
    for (uint32_t i = 0; i < a->ranks && result == 0; i++) {
        result = scan_rank(a, &a->rank[i], e) < 0 || keep_sizes(a, i, e) < 0 ? -1 : 0;
    }
    return result;
}

/* The library would print them. */
static OTF2_ErrorCode be_silent(void *own, const char *file, uint64_t line, const char *function,
                                OTF2_ErrorCode code, const char *format, va_list arguments)
{
    (void)own;
    (void)file;
    (void)line;
    (void)function;
    (void)format;
    (void)arguments;
    return code;
}

/* The library takes the number of properties in an anchor file on trust: it makes room for them by
 * a product that may overflow, and goes through all of them when they are not there. They stand
 * behind 46 bytes and three texts; each is two texts more. The second byte is the byte order. */
enum { ANCHOR_ORDER = 1, ANCHOR_FORMAT = 7, ANCHOR_TEXTS = 46 };

static bool has_its_properties(const char *anchor)
{
    size_t length;
    char *bytes = tan_read_file(anchor, &length, NULL);
    const char *end = bytes == NULL ? NULL : bytes + length;
    const char *at = bytes == NULL || length < ANCHOR_TEXTS ? end : bytes + ANCHOR_TEXTS;
    for (int text = 0; text < 3 && at < end; text++) {
        at += strnlen(at, (size_t)(end - at)) + 1;
    }
    bool has = true; /* what is shorter, the library refuses */
    if (end - at >= 4 && (unsigned char)bytes[ANCHOR_FORMAT] > 1) {
        uint32_t number;
        memcpy(&number, at, sizeof number);
        number = bytes[ANCHOR_ORDER] == 'B' ? le32toh(number) : be32toh(number);
        has = number <= (size_t)(end - at) / 2;
    }
    free(bytes);
    return has;
}

struct trace_otf2_archive *tan_trace_otf2_archive_open(const char *anchor, struct tan_error *e)
{
    struct trace_otf2_archive *a = calloc(1, sizeof *a);
    if (a == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    OTF2_Error_RegisterCallback(be_silent, NULL);
    a->reader = has_its_properties(anchor) ? OTF2_Reader_Open(anchor) : NULL;
    if (a->reader == NULL) {
        tan_fail(e, "%s: this is no anchor file of an OTF2 archive, or its files are not there",
                 anchor);
    }
    if (a->reader == NULL || read_archive(a, anchor, e) < 0) {
        tan_trace_otf2_archive_close(a);
        return NULL;
    }
    return a;
}

void tan_trace_otf2_archive_close(struct trace_otf2_archive *a)
{
    if (a->reader != NULL) {
        OTF2_Reader_CloseEvtFiles(a->reader);
        OTF2_Reader_Close(a->reader);
    }
    for (size_t i = 0; i < a->n_texts; i++) {
        free(a->text[i]);
    }
    for (size_t i = 0; i < a->n_groups; i++) {
        free(a->group[i].member);
    }
    for (size_t i = 0; i < a->n_comms; i++) {
        free(a->comm[i].rank);
        free(a->comm[i].sizes);
    }
    for (uint32_t i = 0; i < a->ranks; i++) {
        free(a->rank[i].path);
        free(a->rank[i].outcome);
    }
    free(a->text);
    free(a->region);
    free(a->group);
    free(a->comm);
    free(a->rank);
    free(a);
}
