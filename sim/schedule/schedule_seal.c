/* schedule_seal.c - sealing a schedule: ranks, ports and channels
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "sim/schedule/arrays.h"
#include "sim/schedule/schedule.h"
#include "sim/schedule/schedule_internal.h"

/* Ranks */

static int name_ranks(struct tan_schedule_builder *b, struct tan_error *e)
{
    struct tan_schedule *s = b->schedule;
    s->first_op = malloc(s->ranks * sizeof *s->first_op);
    s->rank_ops = calloc(s->ranks, sizeof *s->rank_ops);
    if (s->first_op == NULL || s->rank_ops == NULL) {
        return tan_fail_nomem(e);
    }
    if (tan_grow(&s->ops, &b->room.ops, (uint64_t)s->n_ops + 1, sizeof *s->ops, e) != 0) {
        return -1;
    }
    memset(s->first_op, 0xff, s->ranks * sizeof *s->first_op); /* TAN_OP_NONE */
    for (uint32_t i = 0; i < b->blocks.n; i++) {
        const uint32_t rank = b->blocks.list[i].rank;
        if (s->first_op[rank] != TAN_OP_NONE) {
            return tan_fail(e, "rank %u is described twice", (unsigned)rank);
        }
        s->first_op[rank] = b->blocks.list[i].first_op;
        s->rank_ops[rank] =
            (i + 1 < b->blocks.n ? b->blocks.list[i + 1].first_op : s->n_ops) - s->first_op[rank];
    }
    for (uint32_t r = 0; r < s->ranks; r++) {
        if (s->first_op[r] == TAN_OP_NONE) {
            s->first_op[r] = s->n_ops;
        }
    }
    for (uint32_t op = 0; op < s->n_ops; op++) {
        s->n_roots += s->ops[op].requires == 0;
    }
    free(b->blocks.list);
    b->blocks.list = NULL;
    s->ops[s->n_ops] = (struct tan_op){.dependents = s->n_dependents};
    return 0;
}

/* Ports */

/* The ports of the current rank: by place (CPU << 8 | NIC), and the first one of each CPU and of
 * each NIC. */
struct ports {
    struct tan_map named;
    uint32_t room;
};
#define OF_PLACE (UINT64_C(1) << 32)
#define OF_CPU   (UINT64_C(2) << 32)
#define OF_NIC   (UINT64_C(3) << 32)

/* The port of this key, or else the next one, which is then the first of this key; -1 if memory is
 * short. */
static int64_t first_port(struct ports *p, const struct tan_schedule *s, uint64_t key)
{
    const int64_t found = tan_map_find(&p->named, key);
    if (found >= 0) {
        return found;
    }
    return tan_map_set(&p->named, key, s->n_ports) < 0 ? -1 : (int64_t)s->n_ports;
}

static int add_port(struct ports *p, struct tan_schedule *s, uint32_t rank, uint32_t place,
                    struct tan_error *e)
{
    const uint16_t cpu = (uint16_t)(place >> 8);
    const uint8_t nic = (uint8_t)place;
    const int64_t cpu_port = first_port(p, s, OF_CPU | cpu);
    const int64_t nic_port = first_port(p, s, OF_NIC | nic);
    if (cpu_port < 0 || nic_port < 0) {
        return tan_fail_nomem(e);
    }
    if (s->n_ports >= TAN_OP_PORT_MASK) {
        return tan_fail(e, "more than %u CPUs and NICs of ranks", (unsigned)TAN_OP_PORT_MASK);
    }
    if (tan_grow(&s->ports, &p->room, (uint64_t)s->n_ports + 1, sizeof *s->ports, e) != 0) {
        return -1;
    }
    s->ports[s->n_ports++] = (struct tan_port){.rank = rank,
                                               .cpu_port = (uint32_t)cpu_port,
                                               .nic_port = (uint32_t)nic_port,
                                               .cpu = cpu,
                                               .nic = nic};
    return 0;
}

/* The port of a place, which is added with its first operation; -1 on failure. */
static int64_t port_of(struct ports *p, struct tan_schedule *s, uint32_t rank, uint32_t place,
                       struct tan_error *e)
{
    const int64_t port = first_port(p, s, OF_PLACE | place);
    if (port < 0) {
        return tan_fail_nomem(e);
    }
    return port < s->n_ports || add_port(p, s, rank, place, e) == 0 ? port : -1;
}

static int name_rank_ports(struct ports *p, struct tan_schedule_builder *b, uint32_t rank,
                           struct tan_error *e)
{
    struct tan_schedule *s = b->schedule;
    tan_map_empty(&p->named);
    for (uint32_t i = 0; i < s->rank_ops[rank]; i++) {
        const uint32_t op = s->first_op[rank] + i;
        const int64_t port = port_of(p, s, rank, b->places.list[op], e);
        if (port < 0) {
            return -1;
        }
        s->ops[op].port |= (uint32_t)port;
    }
    return s->rank_ops[rank] == 0 && port_of(p, s, rank, 0, e) < 0 ? -1 : 0;
}

static int name_ports(struct tan_schedule_builder *b, struct tan_error *e)
{
    struct tan_schedule *s = b->schedule;
    struct ports p = {.room = 0};
    int result = 0;
    if (b->places.list == NULL) {
        s->n_ports = s->ranks;
        for (uint32_t r = 0; r < s->ranks; r++) {
            for (uint32_t i = 0; i < s->rank_ops[r]; i++) {
                s->ops[s->first_op[r] + i].port |= r;
            }
        }
        return 0;
    }
    for (uint32_t r = 0; r < s->ranks && result == 0; r++) {
        result = name_rank_ports(&p, b, r, e);
    }
    tan_map_clear(&p.named);
    return result;
}

/* Channels */

struct channels {
    struct tan_schedule_builder *b;
    uint32_t *arrivals;    /* sends, sorted by receiver */
    uint32_t *arrivals_at; /* per rank: end of its arrivals */
    struct tan_map named;  /* of the current rank, by source and tag */
    uint32_t room_sources, room_tags;
    /* For ranks with wildcards: the last channel by source, with the others chained */
    struct tan_map last;
    uint32_t *same_source, room_same;
    uint32_t room_fits_at, room_fits, n_fits;
};

static void channels_clear(struct channels *c)
{
    free(c->arrivals);
    free(c->arrivals_at);
    tan_map_clear(&c->named);
    tan_map_clear(&c->last);
    free(c->same_source);
}

/* Sort the sends by receiver, stably. */
static int sort_arrivals(struct channels *c, struct tan_error *e)
{
    const struct tan_schedule *s = c->b->schedule;
    uint32_t sends = 0;
    c->arrivals_at = calloc((size_t)s->ranks + 1, sizeof *c->arrivals_at);
    if (c->arrivals_at == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < s->n_ops; i++) {
        if (tan_op_kind(&s->ops[i]) == TAN_OP_SEND) {
            c->arrivals_at[s->ops[i].channel + 1]++;
            sends++;
        }
    }
    for (uint32_t r = 0; r < s->ranks; r++) {
        c->arrivals_at[r + 1] += c->arrivals_at[r];
    }
    if ((c->arrivals = malloc(((size_t)sends + 1) * sizeof *c->arrivals)) == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < s->n_ops; i++) {
        if (tan_op_kind(&s->ops[i]) == TAN_OP_SEND) {
            c->arrivals[c->arrivals_at[s->ops[i].channel]++] = i;
        }
    }
    return 0; /* every start has become an end */
}

static uint64_t name_of(uint32_t source, uint32_t tag)
{
    return (uint64_t)source << 32 | tag;
}

static int name_channel(struct channels *c, uint32_t source, uint32_t tag, uint32_t *channel,
                        struct tan_error *e)
{
    struct tan_schedule *s = c->b->schedule;
    int64_t found = tan_map_find(&c->named, name_of(source, tag));
    if (found < 0) {
        const uint32_t n = s->n_channels;
        if (tan_grow(&s->channel_source, &c->room_sources, (uint64_t)n + 1,
                     sizeof *s->channel_source, e) != 0 ||
            (c->b->tags.list != NULL && tan_grow(&s->channel_tag, &c->room_tags, (uint64_t)n + 1,
                                                 sizeof *s->channel_tag, e) != 0)) {
            return -1;
        }
        s->channel_source[n] = source;
        if (s->channel_tag != NULL) {
            s->channel_tag[n] = tag;
        }
        if (tan_map_add(&c->named, name_of(source, tag), n) < 0) {
            return tan_fail_nomem(e);
        }
        s->n_channels = n + 1;
        found = n;
    }
    *channel = (uint32_t)found;
    return 0;
}

static int add_fit(struct channels *c, uint32_t channel, struct tan_error *e)
{
    struct tan_schedule *s = c->b->schedule;
    if (tan_grow(&s->fits.list, &c->room_fits, (uint64_t)c->n_fits + 1, sizeof *s->fits.list, e) !=
        0) {
        return -1;
    }
    s->fits.list[c->n_fits++] = channel;
    return 0;
}

/* For a rank's channels, from `first` on: find the receives that fit each one's messages. Channels
 * before `sends` have receives, later ones only messages. */
static int name_fits(struct channels *c, uint32_t first, uint32_t sends, struct tan_error *e)
{
    struct tan_schedule *s = c->b->schedule;
    const uint32_t n = s->n_channels;
    if (tan_grow(&s->fits.at, &c->room_fits_at, (uint64_t)n + 1, sizeof *s->fits.at, e) != 0 ||
        tan_grow(&c->same_source, &c->room_same, n, sizeof *c->same_source, e) != 0) {
        return -1;
    }
    tan_map_empty(&c->last);
    for (uint32_t ch = first; ch < sends; ch++) {
        const int64_t last = tan_map_find(&c->last, s->channel_source[ch]);
        c->same_source[ch] = last < 0 ? TAN_OP_NONE : (uint32_t)last;
        if (tan_map_set(&c->last, s->channel_source[ch], ch) < 0) {
            return tan_fail_nomem(e);
        }
    }
    for (uint32_t ch = first; ch < n; ch++) {
        const uint32_t tag = s->channel_tag == NULL ? 0 : s->channel_tag[ch];
        const uint32_t sources[] = {s->channel_source[ch], TAN_ANY_SOURCE};
        const uint32_t tags[] = {tag, TAN_ANY_TAG};
        s->fits.at[ch] = c->n_fits;
        for (int i = sources[0] == TAN_ANY_SOURCE; i < 2; i++) {
            const int64_t last = tag == TAN_ANY_TAG ? tan_map_find(&c->last, sources[i]) : -1;
            for (uint32_t r = last < 0 ? TAN_OP_NONE : (uint32_t)last; r != TAN_OP_NONE;
                 r = c->same_source[r]) {
                if (add_fit(c, r, e) != 0) {
                    return -1;
                }
            }
            for (int k = 0; tag != TAN_ANY_TAG && k < 2; k++) {
                const int64_t fit = tan_map_find(&c->named, name_of(sources[i], tags[k]));
                if (fit >= 0 && fit < sends && add_fit(c, (uint32_t)fit, e) != 0) {
                    return -1;
                }
            }
        }
    }
    s->fits.at[n] = c->n_fits;
    return 0;
}

static int name_rank_channels(struct channels *c, uint32_t rank, struct tan_error *e)
{
    struct tan_schedule *s = c->b->schedule;
    const uint32_t *tags = c->b->tags.list;
    const uint32_t first = s->n_channels, op0 = s->first_op[rank];
    const uint32_t from = rank == 0 ? 0 : c->arrivals_at[rank - 1], to = c->arrivals_at[rank];
    tan_map_empty(&c->named);
    for (uint32_t op = op0; op < op0 + s->rank_ops[rank]; op++) {
        if (tan_op_kind(&s->ops[op]) == TAN_OP_RECV &&
            name_channel(c, s->ops[op].channel, tags == NULL ? 0 : tags[op], &s->ops[op].channel,
                         e) != 0) {
            return -1;
        }
    }
    const uint32_t sends = s->n_channels;
    for (uint32_t i = from; i < to; i++) {
        const uint32_t op = c->arrivals[i];
        if (name_channel(c, tan_schedule_op_rank(s, op), tags == NULL ? 0 : tags[op],
                         &s->ops[op].channel, e) != 0) {
            return -1;
        }
    }
    return c->b->wildcards ? name_fits(c, first, sends, e) : 0;
}

static int name_channels(struct tan_schedule_builder *b, struct tan_error *e)
{
    struct tan_schedule *s = b->schedule;
    struct channels c = {.b = b};
    s->first_channel = malloc(((size_t)s->ranks + 1) * sizeof *s->first_channel);
    if (s->first_channel == NULL) {
        return tan_fail_nomem(e);
    }
    int result = sort_arrivals(&c, e);
    for (uint32_t r = 0; r < s->ranks && result == 0; r++) {
        s->first_channel[r] = s->n_channels;
        result = name_rank_channels(&c, r, e);
    }
    s->first_channel[s->ranks] = s->n_channels;
    if (result == 0 && b->wildcards && s->fits.at == NULL &&
        (s->fits.at = calloc(1, sizeof *s->fits.at)) == NULL) {
        result = tan_fail_nomem(e);
    }
    channels_clear(&c);
    return result;
}

/* Release unused capacity of arrays, and move large ones to huge pages. */
static void trim_array(void *array, size_t elements, size_t element)
{
    void *old, *new;
    memcpy(&old, array, sizeof old);
    if (old == NULL || (new = malloc((elements + 1) * element)) == NULL) {
        return;
    }
    tan_use_big_pages(new, elements * element);
    memcpy(new, old, elements * element);
    memcpy(array, &new, sizeof new);
    free(old);
}

struct tan_schedule *tan_schedule_seal(struct tan_schedule_builder *b, struct tan_error *e)
{
    struct tan_schedule *s = b->schedule;
    free(b->edges.list);
    free(b->counts);
    b->edges.list = NULL;
    b->counts = NULL;
    if (name_ranks(b, e) != 0 ||
        (s->phases != NULL && tan_builder_fill_phases(b, s->n_ops, e) != 0)) {
        goto fail;
    }
    trim_array(&s->ops, (size_t)s->n_ops + 1, sizeof *s->ops);
    trim_array(&s->dependents, s->n_dependents, sizeof *s->dependents);
    trim_array(&s->lines, s->n_ops, sizeof *s->lines);
    trim_array(&s->phases, s->n_ops, sizeof *s->phases);
    if (name_ports(b, e) != 0 || name_channels(b, e) != 0) {
        goto fail;
    }
    trim_array(&s->channel_source, s->n_channels, sizeof *s->channel_source);
    trim_array(&s->channel_tag, s->n_channels, sizeof *s->channel_tag);
    b->schedule = NULL;
    tan_schedule_abandon(b);
    return s;
fail:
    tan_schedule_abandon(b);
    return NULL;
}
