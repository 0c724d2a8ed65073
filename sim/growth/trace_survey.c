/* trace_survey.c - who sends to whom in a trace, by communicator and tag
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/growth/trace_survey.h"

#include <stdlib.h>

#include "sim/calls/trace_event.h"

static void group_clear(struct trace_group *g)
{
    free(g->edge);
    free(g->sent);
    free(g->got);
    free(g->received);
    trace_map_clear(&g->at);
}

int trace_survey_init(struct trace_survey *s, uint32_t ranks, struct tan_error *e)
{
    *s = (struct trace_survey){.ranks = ranks};
    s->open = calloc(ranks, sizeof *s->open);
    return s->open == NULL ? tan_fail_nomem(e) : 0;
}

void trace_survey_clear(struct trace_survey *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        group_clear(&s->group[i]);
    }
    for (uint32_t i = 0; s->open != NULL && i < s->ranks; i++) {
        free(s->open[i].list);
    }
    free(s->group);
    free(s->open);
    trace_map_clear(&s->groups);
    *s = (struct trace_survey){.n = 0};
}

static uint64_t key_of(uint32_t place, int64_t tag)
{
    return (uint64_t)place << 32 | (uint32_t)tag;
}

/* Room for one more; NULL: there is none. */
static void *grow(void *list, uint32_t n, uint32_t *room, size_t size, struct tan_error *e)
{
    if (n < *room) {
        return list;
    }
    const uint32_t more = 2 * *room + 8;
    void *longer = realloc(list, more * size);
    if (longer == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    *room = more;
    return longer;
}

static struct trace_group *group_of(struct trace_survey *s, uint32_t place, uint32_t size,
                                    int64_t tag, struct tan_error *e)
{
    const uint32_t found = trace_map_find(&s->groups, key_of(place, tag));
    if (found != TRACE_MAP_NONE) {
        return &s->group[found];
    }
    struct trace_group *more = grow(s->group, s->n, &s->room, sizeof *more, e);
    if (more == NULL || trace_map_set(&s->groups, key_of(place, tag), s->n, e) < 0) {
        s->group = more == NULL ? s->group : more;
        return NULL;
    }
    s->group = more;
    s->group[s->n] = (struct trace_group){.place = place, .tag = tag, .size = size};
    return &s->group[s->n++];
}

int trace_survey_message(struct trace_survey *s, uint32_t place, uint32_t size, int64_t tag,
                         uint32_t own, uint32_t peer, bool receives, uint32_t call,
                         struct tan_error *e)
{
    struct trace_group *g = group_of(s, place, size, tag, e);
    const uint32_t from = receives ? peer : own;
    const uint32_t to = receives ? own : peer;
    const uint64_t key = (uint64_t)from << 32 | to;
    if (g == NULL) {
        return -1;
    }
    uint32_t at = trace_map_find(&g->at, key);
    if (at == TRACE_MAP_NONE) {
        struct trace_edge *more = grow(g->edge, g->n, &g->room, sizeof *more, e);
        if (more == NULL) {
            return -1;
        }
        g->edge = more;
        at = g->n++;
        g->edge[at] =
            (struct trace_edge){.from = from, .to = to, .call = call, .order = s->edges++};
        if (trace_map_set(&g->at, key, at, e) < 0) {
            return -1;
        }
    }
    g->edge[at].call = g->edge[at].sends == 0 && !receives ? call : g->edge[at].call;
    g->edge[at].sends += !receives;
    g->edge[at].receives += receives;
    return 0;
}

int64_t trace_survey_open(struct trace_survey *s, uint32_t rank,
                          const struct trace_open_receive *receive, struct tan_error *e)
{
    struct trace_open_receives *open = &s->open[rank];
    struct trace_open_receive *more = grow(open->list, open->n, &open->room, sizeof *more, e);
    if (more == NULL) {
        return -1;
    }
    open->list = more;
    open->list[open->n] = *receive;
    return open->n++;
}

static int by_sender(const void *a, const void *b)
{
    const struct trace_edge *x = a;
    const struct trace_edge *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

/* First places of each rank's edges, and the edges by receiver. */
static int index_group(struct trace_group *g, struct tan_error *e)
{
    g->sent = calloc(g->size + 2, sizeof *g->sent);
    g->received = calloc(g->size + 2, sizeof *g->received);
    g->got = calloc(g->n + 1, sizeof *g->got);
    if (g->sent == NULL || g->received == NULL || g->got == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < g->n; i++) {
        g->sent[g->edge[i].from + 1]++;
        g->received[g->edge[i].to + 2]++;
    }
    for (uint32_t i = 1; i <= g->size + 1; i++) {
        g->sent[i] += i <= g->size ? g->sent[i - 1] : 0;
        g->received[i] += g->received[i - 1];
    }
    for (uint32_t i = 0; i < g->n; i++) { /* moves each start to the next one */
        g->got[g->received[g->edge[i].to + 1]++] = i;
    }
    return 0;
}

int trace_survey_sort(struct trace_survey *s, struct tan_error *e)
{
    for (uint32_t i = 0; i < s->n; i++) {
        struct trace_group *g = &s->group[i];
        qsort(g->edge, g->n, sizeof *g->edge, by_sender);
        trace_map_clear(&g->at);
        if (index_group(g, e) < 0) {
            return -1;
        }
    }
    return 0;
}

const struct trace_group *trace_survey_find(const struct trace_survey *s, uint32_t place,
                                            int64_t tag)
{
    const uint32_t found = trace_map_find(&s->groups, key_of(place, tag));
    return found == TRACE_MAP_NONE ? NULL : &s->group[found];
}

const struct trace_edge *trace_group_edge(const struct trace_group *g, uint32_t from, uint32_t to)
{
    const struct trace_edge key = {.from = from, .to = to};
    return g->n == 0 ? NULL : bsearch(&key, g->edge, g->n, sizeof key, by_sender);
}
