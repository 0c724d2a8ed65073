/* ahead.c - reading blocks of operations ahead in a thread
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/ahead.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sim/schedule/schedule_internal.h"

/* The next block of a rank. */
struct next {
    struct tan_schedule_builder *builder;
    uint32_t before; /* preceding operations of the rank */
    uint32_t gate;
    int more;
    bool ready;
};

struct tan_ahead {
    struct tan_feed feed; /* passed to the simulation */
    const struct tan_feed *source;
    struct next *next;  /* per rank */
    uint32_t *wanted;   /* ring of ranks whose next block is to be read, each at most once */
    uint32_t from, n;   /* first and number of its entries */
    struct tan_error e; /* error of the source */
    bool ends, started;
    pthread_t thread;
    pthread_mutex_t lock; /* protects everything except the source and blocks that are being read */
    pthread_cond_t work, done;
};

static void want_block(struct tan_ahead *a, uint32_t rank)
{
    a->wanted[(a->from + a->n) % a->source->ranks] = rank;
    a->n++;
}

static void read_block(struct tan_ahead *a, uint32_t rank)
{
    struct next *next = &a->next[rank];
    next->gate = TAN_OP_NONE;
    tan_builder_begin_block(next->builder, rank, next->before);
    next->more = a->source->more(a->source->context, rank, next->builder, &next->gate, &a->e);
    next->before += tan_schedule_added(next->builder);
}

static void *read_blocks(void *context)
{
    struct tan_ahead *a = context;
    pthread_mutex_lock(&a->lock);
    for (;;) {
        while (a->n == 0 && !a->ends) {
            pthread_cond_wait(&a->work, &a->lock);
        }
        if (a->ends) {
            break;
        }
        const uint32_t rank = a->wanted[a->from];
        a->from = (a->from + 1) % a->source->ranks;
        a->n--;
        pthread_mutex_unlock(&a->lock);
        read_block(a, rank);
        pthread_mutex_lock(&a->lock);
        a->next[rank].ready = true;
        a->ends = a->ends || a->next[rank].more < 0;
        pthread_cond_signal(&a->done);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* After a failure for any rank nothing more is read. */
static int take_block(void *context, uint32_t rank, struct tan_schedule_builder *b, uint32_t *gate,
                      struct tan_error *e)
{
    struct tan_ahead *a = context;
    struct next *next = &a->next[rank];
    pthread_mutex_lock(&a->lock);
    while (!next->ready && !a->ends) {
        pthread_cond_wait(&a->done, &a->lock);
    }
    const int more = next->ready ? next->more : -1;
    if (more >= 0) {
        tan_builder_take_block(b, next->builder);
        *gate = next->gate;
        next->ready = false;
    }
    if (more > 0) {
        want_block(a, rank);
        pthread_cond_signal(&a->work);
    }
    if (more < 0) {
        *e = a->e;
    }
    pthread_mutex_unlock(&a->lock);
    return more;
}

static int create_blocks(struct tan_ahead *a, struct tan_error *e)
{
    const uint32_t ranks = a->source->ranks;
    a->next = calloc(ranks, sizeof *a->next);
    a->wanted = calloc(ranks, sizeof *a->wanted);
    if (a->next == NULL || a->wanted == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t r = 0; r < ranks; r++) {
        a->next[r].builder = tan_schedule_begin(ranks, false, e);
        if (a->next[r].builder == NULL) {
            return -1;
        }
        want_block(a, r);
    }
    return 0;
}

struct tan_ahead *tan_ahead_start(const struct tan_feed *source, struct tan_error *e)
{
    struct tan_ahead *a = calloc(1, sizeof *a);
    if (a == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    a->source = source;
    a->feed = (struct tan_feed){source->ranks, take_block, a};
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->work, NULL);
    pthread_cond_init(&a->done, NULL);
    if (create_blocks(a, e) == 0) {
        a->started = pthread_create(&a->thread, NULL, read_blocks, a) == 0;
        if (!a->started) {
            tan_fail(e, "cannot start a thread");
        }
    }
    if (!a->started) {
        tan_ahead_stop(a);
        return NULL;
    }
    return a;
}

const struct tan_feed *tan_ahead_feed(const struct tan_ahead *a)
{
    return &a->feed;
}

void tan_ahead_stop(struct tan_ahead *a)
{
    if (a == NULL) {
        return;
    }
    if (a->started) {
        pthread_mutex_lock(&a->lock);
        a->ends = true;
        pthread_cond_signal(&a->work);
        pthread_mutex_unlock(&a->lock);
        pthread_join(a->thread, NULL);
    }
    for (uint32_t r = 0; a->next != NULL && r < a->source->ranks; r++) {
        tan_schedule_abandon(a->next[r].builder);
    }
    free(a->next);
    free(a->wanted);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->work);
    pthread_cond_destroy(&a->done);
    free(a);
}
