/* trace_collectives.c - collective operations of a trace as messages
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Receives and sends of a step are ordered so that no message waits for a receive that its own
 * receiver posts later. */
#include "sim/trace/trace_program.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

enum { SMALL = 10240 }; /* bytes up to which an allreduce exchanges whole vectors */

static const struct {
    const char *set, *collective;
    enum trace_class kind;
    uint64_t up_to;
    const char *pattern;
} rows[] = {
    {"usual", "barrier", TRACE_BARRIER, UINT64_MAX, "dissemination"},
    {"usual", "bcast", TRACE_BCAST, UINT64_MAX, "binomial-broadcast"},
    {"usual", "reduce", TRACE_REDUCE, UINT64_MAX, "binomial-reduce"},
    {"usual", "allreduce", TRACE_ALLREDUCE, SMALL, "recursive-doubling"},
    {"usual", "allreduce", TRACE_ALLREDUCE, UINT64_MAX, "ring-allreduce"},
    {"usual", "alltoall", TRACE_ALLTOALL, UINT64_MAX, "linear-alltoall"},
    {"schedgen", "barrier", TRACE_BARRIER, UINT64_MAX, "dissemination"},
    {"schedgen", "bcast", TRACE_BCAST, UINT64_MAX, "binomial-broadcast"},
    {"schedgen", "reduce", TRACE_REDUCE, UINT64_MAX, "binomial-reduce"},
    {"schedgen", "allreduce", TRACE_ALLREDUCE, UINT64_MAX, "dissemination"},
    {"schedgen", "allgather", TRACE_ALLGATHER, UINT64_MAX, "dissemination"},
    {"schedgen", "alltoall", TRACE_ALLTOALL, UINT64_MAX, "linear-alltoall"},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct tan_pattern *pattern_of(const char *name, size_t length)
{
    for (const struct tan_pattern *p = tan_patterns; p->name != NULL; p++) {
        if (strncmp(p->name, name, length) == 0 && p->name[length] == '\0') {
            return p;
        }
    }
    return NULL;
}

int tan_trace_algorithms_named(const char *name, struct trace_algorithms *out, struct tan_error *e)
{
    static const char *const sets[] = {"usual", "schedgen"};
    *out = (struct trace_algorithms){.schedgen = strcmp(name, "schedgen") == 0};
    if (tan_choice_find(TAN_CHOICES(sets), "--collectives", name, e) < 0) {
        return -1;
    }
    for (int i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].set, name) == 0) {
            out->row[out->n++] =
                (struct trace_algorithm){rows[i].collective, rows[i].kind, rows[i].up_to,
                                         pattern_of(rows[i].pattern, strlen(rows[i].pattern)), 1};
        }
    }
    return 0;
}

/* Whether a pattern is an algorithm of a collective operation. */
static bool is_algorithm_of(const struct tan_pattern *p, const char *collective, size_t length)
{
    const size_t name = strlen(p->name);
    for (const struct tan_algorithm *a = tan_algorithms; a->collective != NULL; a++) {
        if (strncmp(a->collective, collective, length) == 0 && a->collective[length] == '\0' &&
            strncmp(a->pattern, p->name, name) == 0 &&
            (a->pattern[name] == '\0' || a->pattern[name] == ':')) {
            return true;
        }
    }
    return false;
}

int tan_trace_algorithms_set(struct trace_algorithms *a, const char *text, struct tan_error *e)
{
    const size_t length = strcspn(text, "=");
    const char *name = text + length + (text[length] == '=');
    const size_t name_length = strcspn(name, ":");
    const struct tan_pattern *pattern = pattern_of(name, name_length);
    int64_t k = 1;
    if (pattern == NULL || !is_algorithm_of(pattern, text, length)) {
        struct tan_text known = {""};
        for (const struct tan_algorithm *row = tan_algorithms; row->collective != NULL; row++) {
            known = tan_printed("%s%s%s=%s", known.text, row == tan_algorithms ? "" : ", ",
                                row->collective, row->pattern);
        }
        return tan_fail_usage(e, "--collective: \"%.64s\" names no algorithm; they are %s", text,
                              known.text);
    }
    if (name[name_length] == ':' &&
        tan_parse_count("--collective: K", name + name_length + 1, 1, UINT32_MAX, &k, e) < 0) {
        return -1;
    }
    for (int i = 0; i < a->n; i++) {
        if (strncmp(a->row[i].collective, text, length) == 0 &&
            a->row[i].collective[length] == '\0') {
            a->row[i].pattern = pattern;
            a->row[i].k = (uint32_t)k;
        }
    }
    return 0;
}

void tan_trace_algorithms_help(FILE *to)
{
    enum { COLUMN = 12 };
    for (int i = 0; i < ROWS;) {
        const char *set = rows[i].set;
        struct tan_text list = {""};
        for (; i < ROWS && strcmp(rows[i].set, set) == 0; i++) {
            const bool limited = rows[i].up_to != UINT64_MAX;
            list = tan_printed("%s%s%s=%s%s%s", list.text, list.text[0] != '\0' ? ", " : "",
                               rows[i].collective, rows[i].pattern, limited ? " up to " : "",
                               limited ? tan_size_text((int64_t)rows[i].up_to).text : "");
        }
        tan_text_item(to, set, list.text, COLUMN);
    }
}

static uint64_t of_rank(const uint64_t *bytes, const struct trace_collective *q, uint32_t rank)
{
    return bytes != NULL ? bytes[rank] : q->bytes;
}

/* Messages between the root and each other rank. */
static void make_linear(struct tan_maker *m, const struct trace_collective *q, bool to_root)
{
    if (q->rank != q->root) {
        if (to_root) {
            tan_make_send(m, of_rank(q->out, q, q->root), q->root);
        } else {
            tan_make_recv(m, of_rank(q->in, q, q->root), q->root);
        }
        return;
    }
    for (uint32_t i = 0; i < q->size && !m->failed; i++) {
        if (i != q->root && to_root) {
            tan_make_recv(m, of_rank(q->in, q, i), i);
        } else if (i != q->root) {
            tan_make_send(m, of_rank(q->out, q, i), i);
        }
    }
}

/* In step i, send to the rank i above and receive from the rank i below. */
static void make_pairwise(struct tan_maker *m, const struct trace_collective *q)
{
    for (uint32_t i = 1; i < q->size && !m->failed; i++) {
        const uint32_t to = (q->rank + i) % q->size;
        const uint32_t from = (q->rank + q->size - i) % q->size;
        tan_make_recv(m, of_rank(q->in, q, from), from);
        tan_make_send(m, of_rank(q->out, q, to), to);
    }
}

/* In each step forward the block received in the previous one. */
static void make_ring(struct tan_maker *m, const struct trace_collective *q)
{
    const uint32_t to = (q->rank + 1) % q->size;
    const uint32_t from = (q->rank + q->size - 1) % q->size;
    struct tan_round round = {TAN_OP_NONE, TAN_OP_NONE};
    for (uint32_t i = 0; i + 1 < q->size && !m->failed; i++) {
        const uint32_t mine = (q->rank + q->size - i) % q->size;
        const uint32_t theirs = (from + q->size - i) % q->size;
        tan_make_round(m, &round, of_rank(q->in, q, mine), to, of_rank(q->in, q, theirs), from);
    }
}

static void make_scan(struct tan_maker *m, const struct trace_collective *q)
{
    const uint32_t got = q->rank == 0 ? TAN_OP_NONE : tan_make_recv(m, q->bytes, q->rank - 1);
    if (q->rank + 1 < q->size) {
        tan_make_require(m, tan_make_send(m, q->bytes, q->rank + 1), got);
    }
}

static const struct trace_algorithm *choose_algorithm(const struct trace_algorithms *a,
                                                      enum trace_class kind, uint64_t bytes)
{
    for (int i = 0; i < a->n; i++) {
        if (a->row[i].kind == kind && bytes <= a->row[i].up_to) {
            return &a->row[i];
        }
    }
    return NULL;
}

/* Patterns start at rank 0. MPI libraries rotate ranks so that the root comes first; Schedgen swaps
 * the root and rank 0. Returns the rank in the communicator of the pattern's rank `i`. */
static uint32_t rank_from_root(const struct trace_collective *q, bool swap, uint32_t i)
{
    return !swap ? (i + q->root) % q->size : i == 0 ? q->root : i == q->root ? 0 : i;
}

static void make_pattern(struct tan_maker *m, const struct trace_collective *q,
                         const struct trace_algorithm *a, bool swap)
{
    const struct tan_pattern_request request = {q->size, a->k, q->bytes, swap};
    const uint32_t place = /* the inverse, for this rank */
        swap ? rank_from_root(q, swap, q->rank) : (q->rank + q->size - q->root) % q->size;
    uint32_t *turned = NULL;
    if (q->root > 0) {
        turned = malloc(q->size * sizeof *turned);
        if (turned == NULL) {
            tan_fail_nomem(m->e);
            return;
        }
        for (uint32_t i = 0; i < q->size; i++) {
            turned[i] = q->member[rank_from_root(q, swap, i)];
        }
        m->rank_of = turned;
    }
    a->pattern->rank(m, &request, place);
    free(turned);
}

/* Messages of an operation that is not implemented by any pattern. */
static void make_messages(struct tan_maker *m, const struct trace_collective *q)
{
    switch (q->kind) {
    case TRACE_GATHER:
    case TRACE_GATHERV:
        make_linear(m, q, true);
        break;
    case TRACE_SCATTER:
    case TRACE_SCATTERV:
        make_linear(m, q, false);
        break;
    case TRACE_ALLGATHER:
    case TRACE_ALLGATHERV:
        make_ring(m, q);
        break;
    case TRACE_ALLTOALLV:
    case TRACE_REDUCE_SCATTER:
    case TRACE_REDUCE_SCATTER_BLOCK:
        make_pairwise(m, q);
        break;
    case TRACE_SCAN:
        make_scan(m, q);
        break;
    default:
        break;
    }
}

uint32_t tan_trace_collective_make(const struct trace_algorithms *a,
                                   const struct trace_collective *q, struct tan_schedule_builder *b,
                                   uint32_t first, struct tan_error *e)
{
    struct tan_maker m = {
        .builder = b, .e = e, .first = first, .rank_of = q->member, .tag = q->tag};
    struct trace_collective agreement = *q;
    if (q->kind == TRACE_NEW_COMM) { /* every rank needs information from every other */
        agreement.kind = TRACE_BARRIER;
        agreement.bytes = sizeof(int);
        q = &agreement;
    }
    const struct trace_algorithm *row = choose_algorithm(a, q->kind, q->bytes);
    if (row != NULL) {
        make_pattern(&m, q, row, a->schedgen);
    } else {
        make_messages(&m, q);
    }
    const uint32_t last = tan_make_calc(&m, 0);
    return m.failed || e->status != TAN_DONE ? first : first + last + 1;
}
