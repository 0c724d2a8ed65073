/* archive.c - definitions of an OTF2 archive, and outcomes of requests and collectives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-otf2/archive.h"

#include <dirent.h>
#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "base/output.h"

/* Lists have an entry for every reference up to the largest one; above this limit they are refused
 * as if memory were short. */
enum { MOST_REFERENCES = 1 << 26 };

/* Extend a list to hold `reference`; new entries are zero. */
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

static OTF2_CallbackCode stop_reading(struct archive *a)
{
    tan_fail_nomem(a->e);
    return OTF2_CALLBACK_INTERRUPT;
}

/* Definitions */

static OTF2_CallbackCode define_clock(void *own, uint64_t resolution, uint64_t offset,
                                      UNUSED uint64_t length, UNUSED uint64_t realtime)
{
    struct archive *a = own;
    a->resolution = resolution;
    a->offset = offset;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_text(void *own, OTF2_StringRef self, const char *string)
{
    struct archive *a = own;
    if (!make_room((void **)&a->text, &a->n_texts, self, sizeof *a->text)) {
        return stop_reading(a);
    }
    free(a->text[self]);
    a->text[self] = strdup(string);
    return a->text[self] == NULL ? stop_reading(a) : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_region(void *own, OTF2_RegionRef self, OTF2_StringRef name,
                                       UNUSED OTF2_StringRef canonical,
                                       UNUSED OTF2_StringRef description,
                                       UNUSED OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                       UNUSED OTF2_RegionFlag flags, UNUSED OTF2_StringRef file,
                                       UNUSED uint32_t begin, UNUSED uint32_t end)
{
    struct archive *a = own;
    if (!make_room((void **)&a->region, &a->n_regions, self, sizeof *a->region)) {
        return stop_reading(a);
    }
    a->region[self] = paradigm == OTF2_PARADIGM_MPI ? name + 1 : 0;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_group(void *own, OTF2_GroupRef self, UNUSED OTF2_StringRef name,
                                      OTF2_GroupType type, OTF2_Paradigm paradigm,
                                      OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
{
    struct archive *a = own;
    if (!make_room((void **)&a->group, &a->n_groups, self, sizeof *a->group)) {
        return stop_reading(a);
    }
    struct archive_group *g = &a->group[self];
    free(g->member);
    *g = (struct archive_group){malloc((n + 1) * sizeof *g->member), n, type,
                                paradigm == OTF2_PARADIGM_MPI,
                                (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0};
    if (g->member == NULL) {
        return stop_reading(a);
    }
    if (n > 0) {
        memcpy(g->member, members, n * sizeof *members);
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode keep_comm(struct archive *a, OTF2_CommRef self,
                                   const struct archive_comm *comm)
{
    if (!make_room((void **)&a->comm, &a->n_comms, self, sizeof *a->comm)) {
        return stop_reading(a);
    }
    a->comm[self] = *comm;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_comm(void *own, OTF2_CommRef self, UNUSED OTF2_StringRef name,
                                     OTF2_GroupRef group, UNUSED OTF2_CommRef parent,
                                     UNUSED OTF2_CommFlag flags)
{
    return keep_comm(own, self, &(struct archive_comm){.group = group, .there = true});
}

static OTF2_CallbackCode define_intercomm(void *own, OTF2_CommRef self, UNUSED OTF2_StringRef name,
                                          UNUSED OTF2_GroupRef one, UNUSED OTF2_GroupRef other,
                                          UNUSED OTF2_CommRef common, UNUSED OTF2_CommFlag flags)
{
    return keep_comm(own, self, &(struct archive_comm){.there = true, .between = true});
}

/* Fail with the message of a callback, or else that of the library. */
static int fail_with_code(const struct archive *a, const char *path, OTF2_ErrorCode code)
{
    struct tan_error said = *a->e;
    *a->e = (struct tan_error)TAN_ERROR_INIT;
    return tan_fail(a->e, "%s: %s", path,
                    said.status != TAN_DONE ? said.text : OTF2_Error_GetDescription(code));
}

static int read_definitions(struct archive *a)
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
    return code == OTF2_SUCCESS ? 0 : fail_with_code(a, a->anchor, code);
}

/* Find the regions that are MPI calls, by name. */
static int find_calls(struct archive *a)
{
    a->call = calloc(a->n_regions + 1, sizeof *a->call);
    if (a->call == NULL) {
        return tan_fail_nomem(a->e);
    }
    for (size_t i = 0; i < a->n_regions; i++) {
        const uint32_t text = a->region[i];
        const char *name = text > 0 && text <= a->n_texts ? a->text[text - 1] : NULL;
        if (name != NULL && strncmp(name, "MPI_", 4) == 0) {
            a->call[i] = tan_trace_call_find(name, strlen(name));
            a->call[i].name = name; /* for MPI_Ibcast the row is that of MPI_Bcast */
        }
    }
    return 0;
}

static int by_location(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Refuse two ranks at one location, since each would get the other's events. */
static int check_locations(const struct archive *a, const struct archive_group *world)
{
    uint64_t *sorted = malloc(world->n * sizeof *sorted);
    if (sorted == NULL) {
        return tan_fail_nomem(a->e);
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
               ? tan_fail(a->e, "%s: location %" PRIu64 " is used by two ranks", a->anchor, twice)
               : 0;
}

/* The ranks: the list of locations in the order of MPI_COMM_WORLD. */
static int find_ranks(struct archive *a)
{
    const struct archive_group *world = NULL;
    for (size_t i = 0; i < a->n_groups; i++) {
        if (a->group[i].mpi && a->group[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
            world = &a->group[i];
        }
    }
    if (world == NULL || world->n == 0 || a->resolution == 0) {
        return tan_fail(a->e,
                        "%s: this archive does not say which locations are the ranks of an MPI "
                        "job, or what time its clock counts",
                        a->anchor);
    }
    if (check_locations(a, world) < 0) {
        return -1;
    }
    a->rank = calloc(world->n, sizeof *a->rank);
    if (a->rank == NULL) {
        return tan_fail_nomem(a->e);
    }
    a->ranks = world->n;
    for (uint32_t i = 0; i < a->ranks; i++) {
        a->rank[i].location = world->member[i];
    }
    return 0;
}

/* The rank in the job of a group's member; at least a->ranks if it is none. */
static uint64_t rank_in(const struct archive *a, const struct archive_group *g, uint32_t i)
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

/* Find the ranks of a communicator; they stay unknown if its group is not usable. */
static int fill_comm(const struct archive *a, struct archive_comm *c)
{
    const struct archive_group *g = c->group < a->n_groups ? &a->group[c->group] : NULL;
    if (!c->there || c->between || g == NULL || g->n > a->ranks) {
        return 0;
    }
    c->self = g->type == OTF2_GROUP_TYPE_COMM_SELF;
    c->global = g->global;
    c->size = c->self ? 1 : g->n;
    c->rank = calloc(c->size + 1, sizeof *c->rank);
    if (c->rank == NULL) {
        return tan_fail_nomem(a->e);
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

static int fill_comms(struct archive *a)
{
    int result = 0;
    for (size_t i = 0; i < a->n_comms && result == 0; i++) {
        result = fill_comm(a, &a->comm[i]);
    }
    return result;
}

const struct archive_comm *archive_comm(const struct archive *a, uint32_t comm)
{
    return comm < a->n_comms && a->comm[comm].rank != NULL ? &a->comm[comm] : NULL;
}

const struct trace_call *archive_call(const struct archive *a, OTF2_RegionRef region)
{
    return region < a->n_regions && a->call[region].name != NULL ? &a->call[region] : NULL;
}

int64_t archive_time(const struct archive *a, OTF2_TimeStamp ticks)
{
    const uint64_t second = 1000000000;
    const uint64_t since = ticks > a->offset ? ticks - a->offset : 0;
    const double rest = (double)(since % a->resolution) * 1e9 / (double)a->resolution;
    return (int64_t)(since / a->resolution * second + (uint64_t)(rest + 0.5));
}

enum trace_class archive_kind_of(OTF2_CollectiveOp op)
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

bool archive_has_sizes(OTF2_CollectiveOp op)
{
    const enum trace_class kind = archive_kind_of(op);
    return kind == TRACE_REDUCE_SCATTER || (kind >= TRACE_GATHERV && kind <= TRACE_ALLTOALLV);
}

/* Reading a rank, for the first time to find outcomes */

int archive_read_rank(const struct archive *a, uint32_t rank, OTF2_EvtReaderCallbacks *calls,
                      void *own)
{
    char path[512];
    uint64_t n;
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(a->reader, a->rank[rank].location);
    OTF2_ErrorCode code = OTF2_ERROR_INVALID;
    if (events != NULL && calls != NULL) {
        OTF2_Reader_RegisterEvtCallbacks(a->reader, events, calls, own);
        code = OTF2_Reader_ReadAllLocalEvents(a->reader, events, &n);
    }
    if (events != NULL) {
        OTF2_Reader_CloseEvtReader(a->reader, events);
    }
    OTF2_EvtReaderCallbacks_Delete(calls);
    snprintf(path, sizeof path, "%s, rank %" PRIu32, a->anchor, rank);
    return code == OTF2_SUCCESS && a->e->status == TAN_DONE ? 0 : fail_with_code(a, path, code);
}

struct scan {
    struct archive *a;
    struct archive_rank *rank;
    struct tan_map open; /* request -> index of its outcome */
};

static OTF2_CallbackCode add_outcome(struct scan *s, const struct archive_outcome *outcome)
{
    struct archive_rank *r = s->rank;
    if (TAN_ONE_MORE(r->outcome, r->n_outcomes) < 0) {
        return stop_reading(s->a);
    }
    r->outcome[r->n_outcomes++] = *outcome;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode scan_request(RECORD, uint64_t request)
{
    struct scan *s = own;
    return tan_map_set(&s->open, request, (int64_t)s->rank->n_outcomes) < 0
               ? stop_reading(s->a)
               : add_outcome(s, &(struct archive_outcome){.kind = OUTCOME_NONE});
}

/* A request ends; it may have started before the trace. */
static OTF2_CallbackCode end_request(struct scan *s, uint64_t request,
                                     const struct archive_outcome *outcome)
{
    const int64_t place = tan_map_find(&s->open, request);
    tan_map_remove(&s->open, request);
    if (place >= 0) {
        s->rank->outcome[place] = *outcome;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode scan_irecv(RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                    uint64_t bytes, uint64_t request)
{
    return end_request(
        own, request,
        &(struct archive_outcome){
            .kind = OUTCOME_MESSAGE, .comm = comm, .peer = sender, .tag = tag, .received = bytes});
}

static OTF2_CallbackCode scan_cancelled(RECORD, uint64_t request)
{
    return end_request(own, request, &(struct archive_outcome){.kind = OUTCOME_CANCELLED});
}

static OTF2_CallbackCode scan_completed(RECORD, OTF2_CollectiveOp op, OTF2_CommRef comm,
                                        uint32_t root, uint64_t sent, uint64_t received,
                                        uint64_t request)
{
    return end_request(
        own, request,
        &(struct archive_outcome){OUTCOME_OPERATION, op, comm, root, 0, 0, sent, received});
}

static OTF2_CallbackCode scan_collective(RECORD, OTF2_CollectiveOp op, OTF2_CommRef comm,
                                         uint32_t root, uint64_t sent, uint64_t received)
{
    return !archive_has_sizes(op)
               ? OTF2_CALLBACK_SUCCESS
               : add_outcome(own, &(struct archive_outcome){OUTCOME_OPERATION, op, comm, root, 0, 0,
                                                            sent, received});
}

static OTF2_CallbackCode scan_leave(RECORD, OTF2_RegionRef region)
{
    struct scan *s = own;
    const struct trace_call *call = archive_call(s->a, region);
    s->rank->began = s->rank->began || (call != NULL && call->kind == TRACE_INIT);
    return OTF2_CALLBACK_SUCCESS;
}

static int scan_rank(struct archive *a, uint32_t rank)
{
    struct scan s = {.a = a, .rank = &a->rank[rank]};
    OTF2_EvtReaderCallbacks *calls = OTF2_EvtReaderCallbacks_New();
    if (calls != NULL) {
        OTF2_EvtReaderCallbacks_SetLeaveCallback(calls, scan_leave);
        OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(calls, scan_request);
        OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(calls, scan_irecv);
        OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(calls, scan_cancelled);
        OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, scan_collective);
        OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(calls, scan_request);
        OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(calls, scan_completed);
    }
    const int result = archive_read_rank(a, rank, calls, &s);
    tan_map_clear(&s.open);
    return result;
}

/* Sizes by rank */

/* The size in a rank's own record. */
static uint64_t own_size(const struct archive_outcome *o)
{
    const enum trace_class kind = archive_kind_of(o->op);
    return kind == TRACE_SCATTERV || kind == TRACE_REDUCE_SCATTER ? o->received : o->sent;
}

/* Number an operation with sizes by rank, and keep this rank's size. */
static int keep_size(const struct archive *a, struct archive_comm *c, uint32_t rank,
                     struct archive_outcome *o)
{
    o->place = c->seen++;
    if (c->seen > c->room_sizes) {
        const uint32_t room = 2 * c->room_sizes + 8;
        const size_t there = (size_t)c->room_sizes * c->size;
        uint64_t *more = realloc(c->sizes, ((size_t)room * c->size + 1) * sizeof *more);
        if (more == NULL) {
            return tan_fail_nomem(a->e);
        }
        memset(more + there, 0, ((size_t)room * c->size - there) * sizeof *more);
        c->sizes = more;
        c->room_sizes = room;
    }
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->self || c->rank[i] == rank) {
            c->sizes[(size_t)o->place * c->size + i] = own_size(o);
        }
    }
    return 0;
}

static int keep_sizes(struct archive *a, uint32_t rank)
{
    struct archive_rank *r = &a->rank[rank];
    for (size_t i = 0; i < a->n_comms; i++) {
        a->comm[i].seen = 0;
    }
    for (size_t i = 0; i < r->n_outcomes; i++) {
        struct archive_outcome *o = &r->outcome[i];
        if (o->kind == OUTCOME_OPERATION && archive_has_sizes(o->op) &&
            archive_comm(a, o->comm) != NULL && keep_size(a, &a->comm[o->comm], rank, o) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Local definitions map each rank's references to global ones and correct its clock; the library
 * applies them to the events. */
static void read_local_definitions(struct archive *a)
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

static int read_archive(struct archive *a)
{
    if (OTF2_Reader_SetSerialCollectiveCallbacks(a->reader) != OTF2_SUCCESS) {
        return tan_fail(a->e, "%s cannot be read", a->anchor);
    }
    if (read_definitions(a) < 0 || find_calls(a) < 0 || find_ranks(a) < 0 || fill_comms(a) < 0) {
        return -1;
    }
    for (uint32_t i = 0; i < a->ranks; i++) {
        OTF2_Reader_SelectLocation(a->reader, a->rank[i].location);
    }
    read_local_definitions(a);
    const OTF2_ErrorCode code = OTF2_Reader_OpenEvtFiles(a->reader);
    if (code != OTF2_SUCCESS) {
        return fail_with_code(a, a->anchor, code);
    }
    int result = 0;
    for (uint32_t i = 0; i < a->ranks && result == 0; i++) {
        result = scan_rank(a, i) < 0 || keep_sizes(a, i) < 0 ? -1 : 0;
    }
    return result;
}

/* By default the library prints its errors. */
static OTF2_ErrorCode be_silent(UNUSED void *own, UNUSED const char *file, UNUSED uint64_t line,
                                UNUSED const char *function, OTF2_ErrorCode code,
                                UNUSED const char *format, UNUSED va_list arguments)
{
    return code;
}

/* Files */

static bool is_anchor(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && strcmp(dot, ".otf2") == 0;
}

/* The path itself, or the first anchor file in that directory; freed by the caller. */
static char *find_anchor(const char *path, struct tan_error *e)
{
    DIR *open = opendir(path);
    char *found = open == NULL ? strdup(path) : NULL;
    const struct dirent *entry;
    bool seen = open == NULL;
    while (!seen && (entry = readdir(open)) != NULL) {
        seen = is_anchor(entry->d_name);
        if (seen && asprintf(&found, "%s/%s", path, entry->d_name) < 0) {
            found = NULL;
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    if (!seen) {
        tan_fail(e, "%s: there is no anchor file of an OTF2 archive in this folder", path);
    } else if (found == NULL) {
        tan_fail_nomem(e);
    }
    return found;
}

static int check_file(const char *folder, const char *name, struct tan_error *e)
{
    char *path;
    if (asprintf(&path, "%s%s", folder, name) < 0) {
        return tan_fail_nomem(e);
    }
    const int result = tan_input_regular(path, e);
    free(path);
    return result;
}

/* The library would wait for a pipe, or read a device, forever. Next to an anchor a.otf2 there are
 * a.def and the directory a. */
static int check_files(const char *anchor, struct tan_error *e)
{
    char *base = strdup(anchor);
    if (base == NULL) {
        return tan_fail_nomem(e);
    }
    if (is_anchor(base)) {
        *strrchr(base, '.') = '\0';
    }
    int result = tan_input_regular(anchor, e) < 0 ? -1 : check_file(base, ".def", e);
    DIR *open = result < 0 ? NULL : opendir(base);
    const struct dirent *entry;
    while (open != NULL && result == 0 && (entry = readdir(open)) != NULL) {
        char name[sizeof entry->d_name + 1];
        snprintf(name, sizeof name, "/%s", entry->d_name);
        result = entry->d_name[0] == '.' ? 0 : check_file(base, name, e);
    }
    if (open != NULL) {
        closedir(open);
    }
    free(base);
    return result;
}

/* The library trusts the number of properties in an anchor file: it allocates by a product that may
 * overflow, and iterates over properties that may not exist. They follow 46 bytes and three
 * strings; each consists of two strings. The second byte is the byte order. */
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
    bool has = true; /* shorter files are refused by the library */
    if (end - at >= 4 && (unsigned char)bytes[ANCHOR_FORMAT] > 1) {
        uint32_t number;
        memcpy(&number, at, sizeof number);
        number = bytes[ANCHOR_ORDER] == 'B' ? le32toh(number) : be32toh(number);
        has = number <= (size_t)(end - at) / 2;
    }
    free(bytes);
    return has;
}

static int open_reader(struct archive *a, const char *path)
{
    a->anchor = find_anchor(path, a->e);
    if (a->anchor == NULL || check_files(a->anchor, a->e) < 0) {
        return -1;
    }
    OTF2_Error_RegisterCallback(be_silent, NULL);
    a->reader = has_its_properties(a->anchor) ? OTF2_Reader_Open(a->anchor) : NULL;
    return a->reader != NULL
               ? 0
               : tan_fail(
                     a->e,
                     "%s: this is not an anchor file of an OTF2 archive, or its files are missing",
                     a->anchor);
}

struct archive *archive_open(const char *path, struct tan_error *e)
{
    struct archive *a = calloc(1, sizeof *a);
    if (a == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    a->e = e;
    if (open_reader(a, path) < 0 || read_archive(a) < 0) {
        archive_close(a);
        return NULL;
    }
    return a;
}

void archive_close(struct archive *a)
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
        free(a->rank[i].outcome);
    }
    free(a->anchor);
    free(a->text);
    free(a->region);
    free(a->call);
    free(a->group);
    free(a->comm);
    free(a->rank);
    free(a);
}
