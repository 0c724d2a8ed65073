/* match.c - matching of messages and receives in the order of MPI
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/match.h"

#include <stdlib.h>
#include <string.h>

#include "sim/schedule/arrays.h"

/* A FIFO linked through an array; empty if head is TAN_OP_NONE. */
struct list {
    uint32_t head, tail;
};

/* Flag in a head: the list holds messages, not receives. Without wildcards a channel never has
 * both. */
static const uint32_t MESSAGES = UINT32_C(1) << 31;

/* An unexpected message is listed in every channel whose receives it fits; when a receive takes it,
 * its entries in the other lists become stale. */
struct waiting {
    uint32_t send, next;
};

struct tan_match {
    const struct tan_schedule *schedule;
    uint32_t *links;    /* per operation: next in its list */
    struct list *lists; /* per channel: posted receives, and without wildcards also messages */
    /* With wildcards only */
    struct list *arrived;    /* per channel: entries of `waiting` */
    struct list unwanted;    /* entries of messages that fit no receive's channel */
    struct waiting *waiting; /* one for each channel a send fits, from waiting_at[send] on */
    uint32_t *waiting_at;    /* per operation */
    uint32_t *order;         /* per operation: turn of a queued receive; 1 for a queued message */
    uint32_t turn;
};

void tan_match_destroy(struct tan_match *m)
{
    if (m != NULL) {
        free(m->links);
        free(m->lists);
        free(m->arrived);
        free(m->waiting);
        free(m->waiting_at);
        free(m->order);
        free(m);
    }
}

/* Allocate for the maximum number of messages, so that a simulation cannot run out of memory
 * halfway. */
static int create_wild(struct tan_match *m, struct tan_error *e)
{
    const struct tan_schedule *s = m->schedule;
    const size_t n = s->n_ops;
    uint64_t total = 0;
    m->arrived = malloc(((size_t)s->n_channels + 1) * sizeof *m->arrived);
    m->waiting_at = malloc((n + 1) * sizeof *m->waiting_at);
    m->order = calloc(n + 1, sizeof *m->order);
    if (m->arrived == NULL || m->waiting_at == NULL || m->order == NULL) {
        return tan_fail_nomem(e);
    }
    memset(m->arrived, 0xff, ((size_t)s->n_channels + 1) * sizeof *m->arrived);
    for (uint32_t i = 0; i < s->n_ops; i++) {
        m->waiting_at[i] = (uint32_t)total;
        if (tan_op_kind(&s->ops[i]) == TAN_OP_SEND) {
            const uint32_t channel = s->ops[i].channel;
            const uint32_t fits = s->fits.at[channel + 1] - s->fits.at[channel];
            total += fits > 0 ? fits : 1;
        }
    }
    if (total >= UINT32_MAX) {
        return tan_fail(e, "messages with wildcard tags fit too many receives to be simulated");
    }
    m->waiting = malloc(((size_t)total + 1) * sizeof *m->waiting);
    return m->waiting == NULL ? tan_fail_nomem(e) : 0;
}

struct tan_match *tan_match_create(const struct tan_schedule *s, struct tan_error *e)
{
    struct tan_match *m = calloc(1, sizeof *m);
    if (m == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    m->schedule = s;
    m->unwanted = (struct list){TAN_OP_NONE, TAN_OP_NONE};
    m->links = malloc(((size_t)s->n_ops + 1) * sizeof *m->links);
    m->lists = malloc(((size_t)s->n_channels + 1) * sizeof *m->lists);
    if (m->links == NULL || m->lists == NULL) {
        tan_fail_nomem(e);
        goto fail;
    }
    tan_use_big_pages(m->links, (size_t)s->n_ops * sizeof *m->links);
    tan_use_big_pages(m->lists, (size_t)s->n_channels * sizeof *m->lists);
    memset(m->lists, 0xff, ((size_t)s->n_channels + 1) * sizeof *m->lists);
    if (s->fits.at != NULL && create_wild(m, e) != 0) {
        goto fail;
    }
    return m;
fail:
    tan_match_destroy(m);
    return NULL;
}

uint32_t *tan_match_links(struct tan_match *m)
{
    return m->links;
}

void tan_match_prefetch(const struct tan_match *m, uint32_t channel)
{
    __builtin_prefetch(&m->lists[channel], 1);
}

uint32_t tan_match_peek(const struct tan_match *m, uint32_t channel)
{
    const uint32_t head = m->lists[channel].head;
    return (head & MESSAGES) == 0 ? head : TAN_OP_NONE;
}

/* Without wildcards; `flag` is MESSAGES for a message, 0 for a receive. */
static uint32_t match_plain(struct tan_match *m, uint32_t op, uint32_t flag)
{
    struct list *list = &m->lists[m->schedule->ops[op].channel];
    if (list->head == TAN_OP_NONE) {
        *list = (struct list){op | flag, op};
        return TAN_OP_NONE;
    }
    if ((list->head & MESSAGES) == flag) {
        m->links[list->tail] = op;
        list->tail = op;
        return TAN_OP_NONE;
    }
    const uint32_t found = list->head & ~MESSAGES;
    list->head = found == list->tail ? TAN_OP_NONE : m->links[found] | (list->head & MESSAGES);
    return found;
}

static void append_item(struct list *list, uint32_t item, uint32_t *next_of_tail)
{
    if (list->head == TAN_OP_NONE) {
        list->head = item;
    } else {
        *next_of_tail = item;
    }
    list->tail = item;
}

static uint32_t match_message_wild(struct tan_match *m, uint32_t send)
{
    const struct tan_schedule *s = m->schedule;
    const uint32_t channel = s->ops[send].channel;
    const uint32_t from = s->fits.at[channel], to = s->fits.at[channel + 1];
    struct list *first = NULL;
    for (uint32_t i = from; i < to; i++) {
        struct list *list = &m->lists[s->fits.list[i]];
        if (list->head != TAN_OP_NONE &&
            (first == NULL || m->order[list->head] < m->order[first->head])) {
            first = list;
        }
    }
    if (first != NULL) {
        const uint32_t receive = first->head;
        first->head = receive == first->tail ? TAN_OP_NONE : m->links[receive];
        m->order[receive] = 0;
        return receive;
    }
    m->order[send] = 1;
    uint32_t entry = m->waiting_at[send];
    for (uint32_t i = from; i < to || i == from; i++, entry++) {
        struct list *list = from == to ? &m->unwanted : &m->arrived[s->fits.list[i]];
        m->waiting[entry].send = send;
        append_item(list, entry, list->head == TAN_OP_NONE ? NULL : &m->waiting[list->tail].next);
    }
    return TAN_OP_NONE;
}

static uint32_t match_receive_wild(struct tan_match *m, uint32_t receive)
{
    const uint32_t channel = m->schedule->ops[receive].channel;
    struct list *list = &m->arrived[channel];
    while (list->head != TAN_OP_NONE) {
        const struct waiting *w = &m->waiting[list->head];
        list->head = list->head == list->tail ? TAN_OP_NONE : w->next;
        if (m->order[w->send] != 0) {
            m->order[w->send] = 0;
            return w->send;
        }
    }
    m->order[receive] = ++m->turn;
    list = &m->lists[channel];
    append_item(list, receive, list->head == TAN_OP_NONE ? NULL : &m->links[list->tail]);
    return TAN_OP_NONE;
}

uint32_t tan_match_message(struct tan_match *m, uint32_t send)
{
    return m->order == NULL ? match_plain(m, send, MESSAGES) : match_message_wild(m, send);
}

uint32_t tan_match_receive(struct tan_match *m, uint32_t receive)
{
    return m->order == NULL ? match_plain(m, receive, 0) : match_receive_wild(m, receive);
}

void tan_match_left(const struct tan_match *m, uint8_t *left)
{
    const struct tan_schedule *s = m->schedule;
    for (uint32_t op = 0; m->order != NULL && op < s->n_ops; op++) {
        left[op] = m->order[op] != 0;
    }
    for (uint32_t c = 0; m->order == NULL && c < s->n_channels; c++) {
        const struct list *list = &m->lists[c];
        for (uint32_t op = list->head & ~MESSAGES; list->head != TAN_OP_NONE; op = m->links[op]) {
            left[op] = 1;
            if (op == list->tail) {
                break;
            }
        }
    }
}
