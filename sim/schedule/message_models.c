/* message_models.c - message models as simulation parameters, and links of a machine file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/message_models.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/machine/p2p.h"

static const double ps = 1e-12;

/* An empty message costs as much as one byte. */
static int64_t size_of(uint64_t bytes)
{
    return bytes > 0 ? (int64_t)bytes : 1;
}

static double or_zero(double value)
{
    return isnan(value) ? 0 : value;
}

/* Seconds per byte, limited so that the bytes after the first do not cost more than `all`. */
static double per_byte(double value, double all, double bytes)
{
    return bytes > 1 ? fmin(or_zero(value), fmax(0, all) / (bytes - 1)) : or_zero(value);
}

/* The sender's completion after delivery, minus L, in picoseconds; 0 if unknown. */
static int64_t ack_more(const struct tan_p2p *p, const struct tan_loggpo_costs *costs, uint64_t L,
                        int64_t bytes)
{
    const double most = (double)(UINT64_C(1) << 60);
    const double after = (costs->blocked - costs->delivered) / ps;
    return isnan(tan_p2p_section_of(p, bytes)->value[TAN_P2P_ACK])
               ? 0
               : llround(fmax(-most, fmin(most, after))) - (int64_t)L;
}

/* The bytes after the first at this gap, which may be NaN: picoseconds. */
static uint64_t bytes_at(double gap_per_byte, int64_t bytes)
{
    return tan_round_ps(fmax(0, or_zero(gap_per_byte)) * (double)(bytes - 1) / ps);
}

/* LogGPO's costs for one size, represented by its own o, o_r, L and g; `G` per byte is part of
 * `gap`. If both sides' overheads overlap (L < 0) they are scaled down, since in a simulation they
 * are consecutive. */
static struct tan_link by_costs(const struct tan_p2p *p, const struct tan_loggpo_costs *costs,
                                double gap, double G, int64_t bytes)
{
    const double both = costs->o_s + costs->o_r;
    const double share = both > costs->delivered ? costs->delivered / both : 1;
    const uint64_t o = tan_round_ps(share * costs->o_s / ps);
    const uint64_t o_r = tan_round_ps(share * costs->o_r / ps);
    const uint64_t L = tan_round_ps(fmax(0, costs->delivered - share * both) / ps);
    return (struct tan_link){
        .L = L,
        .o = o,
        .g = tan_round_ps(gap / ps),
        .o_more = (int64_t)o_r - (int64_t)o,
        .ack_more = ack_more(p, costs, L, bytes),
        .folded = bytes_at(G, bytes),
    };
}

/* The protocol of messages above S, and if it has control messages, their CPU time in picoseconds.
 * None, with *control unchanged, if S or O' is unknown or the protocol is T, in which senders need
 * nothing from receivers. */
static enum tan_handshake handshake_of(const struct tan_p2p *p, uint64_t *control)
{
    if (p->eager < 0 || isnan(tan_p2p_control(p))) {
        return TAN_HANDSHAKE_NONE;
    }
    const enum tan_transfer transfer = tan_p2p_transfer_of(p, p->eager + 1);
    if (transfer == TAN_TRANSFER_T) {
        return TAN_HANDSHAKE_NONE;
    }
    *control = tan_round_ps(tan_p2p_control(p) / ps);
    if (transfer == TAN_TRANSFER_TA) { /* the sender waits for the receiver, but the data do not */
        return TAN_HANDSHAKE_FETCH;
    }
    return p->progress == TAN_PROGRESS_INDEPENDENT ? TAN_HANDSHAKE_RTA
           : transfer == TAN_TRANSFER_RTA          ? TAN_HANDSHAKE_FETCH
                                                   : TAN_HANDSHAKE_RAT;
}

/* A message after a handshake takes 4 control + 3 L + o + (k - 1) max(G, O): G accounts for its
 * bytes, and the rest is in o if the sender pushes, else in L. */
static struct tan_link after_handshake(const struct tan_p2p *p,
                                       const struct tan_loggpo_costs *costs, double gap,
                                       int64_t bytes)
{
    const double *first = p->section[0].value;
    const double rest = fmax(0, costs->delivered - 4 * tan_p2p_control(p));
    const double moved = bytes > 1 ? fmin(gap, rest) : 0;
    const double known = fmax(0, first[TAN_P2P_L] + or_zero(first[TAN_P2P_L_BYTE]));
    const bool pushed = costs->progress != TAN_PROGRESS_INDEPENDENT;
    const double o =
        pushed ? fmax(0, rest - moved - 3 * known) : fmin(tan_p2p_control(p), rest - moved);
    const double byte = bytes > 1 ? moved / (double)(bytes - 1) : 0;
    const uint64_t L = tan_round_ps((rest - moved - o) / 3 / ps);
    return (struct tan_link){
        .L = L,
        .o = tan_round_ps(o / ps),
        .G = byte / ps,
        .O = pushed ? byte / ps : 0,
        .ack_more = ack_more(p, costs, L, bytes),
    };
}

/* The fitted lines of the message's section. */
static struct tan_link by_lines(const struct tan_p2p *p, int64_t bytes)
{
    struct tan_loggpo_costs costs;
    uint64_t control;
    const enum tan_handshake handshake = handshake_of(p, &control);
    const bool negotiates = handshake == TAN_HANDSHAKE_RAT || handshake == TAN_HANDSHAKE_RTA;
    const double interval = tan_p2p_interval_of(p, bytes);
    tan_p2p_costs(p, bytes, &costs);
    return negotiates && bytes > p->eager
               ? after_handshake(p, &costs, interval, bytes)
               : by_costs(p, &costs, interval, tan_p2p_gap_per_byte(tan_p2p_section_of(p, bytes)),
                          bytes);
}

/* LogGPO's formulas, which have no g: above S the parameters of its handshake, else its costs. */
static struct tan_link by_loggpo(const struct tan_p2p *p, int64_t bytes)
{
    const struct tan_loggpo v = tan_p2p_loggpo(p, bytes);
    struct tan_loggpo_costs costs;
    tan_p2p_costs_published(p, bytes, &costs);
    const bool independent = costs.progress == TAN_PROGRESS_INDEPENDENT;
    struct tan_link link = by_costs(p, &costs, v.G * (double)(bytes - 1), v.G, bytes);
    if (costs.transfer == TAN_TRANSFER_RAT || (independent && costs.transfer == TAN_TRANSFER_RTA)) {
        link = (struct tan_link){
            .L = tan_round_ps(v.L / ps),
            .o = tan_round_ps(v.start / ps),
            .G = v.G / ps,
            .O = independent ? 0 : v.G / ps,
        };
    }
    link.ack_more = llround((costs.blocked - costs.delivered) / ps) - (int64_t)link.L;
    return link;
}

/* LogGOPS, with a single overhead: the mean of both sides'. In the simulation a message takes o + L
 * + o + (k - 1) max(O, G). If that exceeds the formula, which uses max(o, gap) at the sender, G is
 * lowered and g takes the rest of the gap. */
static struct tan_link by_loggops(const struct tan_p2p *p, int64_t bytes)
{
    const struct tan_p2p_section *section = tan_p2p_section_of(p, bytes);
    const double *v = section->value;
    const double k = (double)bytes;
    const double one_way = tan_p2p_model_find("loggops")->predict(p, bytes).delivered;
    const double gap = or_zero(v[TAN_P2P_G]) + tan_p2p_gap_per_byte(section) * (k - 1);
    const double latency = fmax(0, tan_p2p_latency(p));
    /* overheads may overlap, but are consecutive in a simulation */
    const double byte = or_zero(v[TAN_P2P_O_S_BYTE]) + or_zero(v[TAN_P2P_O_R_BYTE]);
    const double overhead = fmin(v[TAN_P2P_O_S] + v[TAN_P2P_O_R] + byte * k, one_way) / 2;
    const double O = per_byte(byte / 2, overhead, k);
    const double o = fmax(0, overhead - O * (k - 1));
    const double G = per_byte(tan_p2p_gap_per_byte(section),
                              fmin(gap, fmax(one_way - latency - 2 * o, O * (k - 1))), k);
    return (struct tan_link){
        .L = tan_round_ps(fmax(0, one_way - 2 * o - fmax(O, G) * (k - 1)) / ps),
        .o = tan_round_ps(o / ps),
        .g = tan_round_ps(fmax(0, gap - G * (k - 1)) / ps),
        .G = G / ps,
        .O = O / ps,
        .folded = bytes_at(tan_p2p_gap_per_byte(section) - G, bytes),
    };
}

/* LogGP: overheads of a single byte, a gap per further byte, and the rest of the protocol in L. */
static struct tan_link by_loggp(const struct tan_p2p *p, int64_t bytes)
{
    const struct tan_p2p_section *section = tan_p2p_section_of(p, bytes);
    const double o_s = tan_p2p_at(p, TAN_P2P_SEND, 1), o_r = tan_p2p_at(p, TAN_P2P_RECEIVE, 1);
    const double G = tan_p2p_gap_per_byte(section);
    const double gaps = G * (double)(bytes - 1);
    const double delivered = tan_p2p_model_find("loggp")->predict(p, bytes).delivered;
    const uint64_t o = tan_round_ps(o_s / ps);
    return (struct tan_link){
        .L = tan_round_ps(fmax(0, delivered - o_s - o_r - gaps) / ps),
        .o = o,
        .g = tan_round_ps(fmax(0, or_zero(section->value[TAN_P2P_G])) / ps),
        .G = G / ps,
        .o_more = (int64_t)tan_round_ps(o_r / ps) - (int64_t)o,
    };
}

static const struct {
    const char *model;
    struct tan_link (*link)(const struct tan_p2p *, int64_t bytes);
} links_by[] = {
    {"loggp", by_loggp}, {"loggops", by_loggops}, {"loggpo", by_loggpo}, {"fitted", by_lines}};

int tan_machine_link(const struct tan_machine *machine, const char *file, const char *model,
                     uint64_t bytes, struct tan_link *link, struct tan_error *e)
{
    const double most_seconds = (double)(UINT64_C(1) << 60) * ps;
    const struct tan_p2p *p = machine->messages;
    const int64_t size = size_of(bytes);
    const struct tan_p2p_model *single = tan_p2p_model_find(model);
    if (p == NULL) {
        return tan_fail(e,
                        "%s has no p2p block, which holds what a message costs: tanbench p2p "
                        "calibrate FILE measures one, for --machine FILE; or say -L, -o, -g and -G "
                        "in place of --machine",
                        file);
    }
    if (tan_p2p_require(p, file, single, size, e) < 0) {
        return -1;
    }
    if (fmax(single->predict(p, size).delivered, tan_p2p_interval_of(p, size)) >= most_seconds) {
        return tan_fail_at(e, file, 0, 0,
                           "by its p2p block a message of %" PRId64
                           " B takes longer than a simulation can (13 days)",
                           size);
    }
    for (size_t i = 0; i < sizeof links_by / sizeof links_by[0]; i++) {
        if (strcmp(links_by[i].model, model) == 0) {
            *link = links_by[i].link(p, size);
        }
    }
    return 0;
}

static int by_bytes(const void *a, const void *b)
{
    const uint64_t x = ((const struct tan_sized_link *)a)->bytes;
    const uint64_t y = ((const struct tan_sized_link *)b)->bytes;
    return (x > y) - (x < y);
}

/* Sort the sizes and remove duplicates. */
static size_t drop_duplicates(struct tan_sized_link *links, size_t n)
{
    qsort(links, n, sizeof *links, by_bytes);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || links[kept - 1].bytes != links[i].bytes) {
            links[kept++] = links[i];
        }
    }
    return kept;
}

/* An entry for each size of messages sent in `schedule`, ascending, of which only `bytes` is set;
 * *n: their number. malloc'd, freed by the caller; NULL if memory is short. */
static struct tan_sized_link *sized_links(const struct tan_schedule *schedule, size_t *n,
                                          struct tan_error *e)
{
    enum { FIRST_ROOM = 1024 }; /* patterns repeat a few sizes */
    struct tan_sized_link *links = NULL;
    size_t room = 0;
    *n = 0;
    int result = TAN_RESERVE(links, room, FIRST_ROOM);
    for (uint32_t i = 0; result == 0 && i < schedule->n_ops; i++) {
        const struct tan_op *op = &schedule->ops[i];
        if (tan_op_kind(op) != TAN_OP_SEND || (*n > 0 && links[*n - 1].bytes == op->amount)) {
            continue;
        }
        if (*n == room && (*n = drop_duplicates(links, *n)) > room / 2) {
            result = TAN_RESERVE(links, room, room + 1);
        }
        if (result == 0) {
            links[(*n)++] = (struct tan_sized_link){.bytes = op->amount};
        }
    }
    if (result < 0) {
        free(links);
        tan_fail_nomem(e);
        return NULL;
    }
    *n = drop_duplicates(links, *n);
    return links;
}

const struct tan_message_model tan_message_models[] = {
    {"loggp", "LogGP", "as published: one overhead for all sizes, every message eager",
     .messages = "loggp", .eager = true},
    {"loggops", "LogGOPS", "as published: overheads by size, long messages wait for their receiver",
     .messages = "loggops"},
    {"loggpo", "LogGPO", "as published: by size, protocol and progress", .messages = "loggpo",
     .handshake = true, .in_calls = true},
    {"fitted", "fitted", "by size, protocol and progress, each message as long as measured",
     .messages = "fitted", .handshake = true, .in_calls = true},
    {"no-overlap", "no overlap", "a message keeps its sender from computing until it is there",
     .handshake = true, .in_calls = true, .no_overlap = true},
    {"independent", "independent", "long messages move while ranks compute", .handshake = true,
     .independent = true},
    {.name = NULL},
};

const struct tan_message_model *tan_message_model_find(const char *name)
{
    const struct tan_message_model *row = tan_message_models;
    while (row->name != NULL && strcmp(row->name, name) != 0) {
        row++;
    }
    return row->name != NULL ? row : NULL;
}

/* The machine with long messages that progress independently; its p2p block is `p`, with malloc'd
 * sections. NULL when memory is short. */
static struct tan_p2p_section *assume_independent(const struct tan_machine *machine,
                                                  struct tan_machine *copy, struct tan_p2p *p)
{
    const size_t size = machine->messages->n_sections * sizeof(struct tan_p2p_section);
    struct tan_p2p_section *sections = malloc(size);
    if (sections != NULL) {
        memcpy(sections, machine->messages->section, size);
        *copy = *machine;
        *p = *machine->messages;
        p->section = sections;
        if (!tan_p2p_assume_independent(p)) {
            p->progress = TAN_PROGRESS_INDEPENDENT; /* sufficient for the papers' formulas */
        }
        copy->messages = p;
    }
    return sections;
}

const struct tan_message_model *tan_message_model_best(const struct tan_machine *machine,
                                                       const char *otherwise)
{
    const bool complete = machine->messages != NULL && tan_p2p_complete(machine->messages);
    return tan_message_model_find(complete ? "fitted" : otherwise);
}

static int model_link(const struct tan_message_model *model, const struct tan_machine *machine,
                      const char *file, uint64_t bytes, struct tan_link *link, struct tan_error *e)
{
    const char *messages = model->messages != NULL
                               ? model->messages
                               : tan_message_model_best(machine, "loggpo")->messages;
    const int result = tan_machine_link(machine, file, messages, bytes, link, e);
    if (result == 0) {
        link->held = model->no_overlap;
    }
    return result;
}

static int costs_of(const struct tan_message_model *model, const struct tan_machine *machine,
                    const char *file, uint64_t bytes, const struct tan_schedule *schedule,
                    struct tan_sim_params *params, struct tan_sized_link **links,
                    struct tan_error *e)
{
    const struct tan_p2p *p = machine->messages;
    *links = NULL;
    if (model_link(model, machine, file, bytes, &params->between, e) < 0) {
        return -1;
    }
    const bool waits = p->eager >= 0 && tan_p2p_transfer_of(p, p->eager + 1) != TAN_TRANSFER_T;
    params->S = waits && !model->eager ? (uint64_t)p->eager : TAN_SCHEDULE_MAX_BYTES;
    params->handshake = model->handshake ? handshake_of(p, &params->control) : TAN_HANDSHAKE_NONE;
    params->in_calls = model->in_calls && p->progress != TAN_PROGRESS_INDEPENDENT;
    if (schedule == NULL) {
        return 0;
    }
    *links = sized_links(schedule, &params->n_sizes, e);
    for (size_t i = 0; *links != NULL && i < params->n_sizes; i++) {
        struct tan_sized_link *one = &(*links)[i];
        if (model_link(model, machine, file, one->bytes, &one->link, e) < 0) {
            free(*links);
            *links = NULL;
        } else {
            one->within = one->link;
        }
    }
    params->sizes = *links;
    return *links == NULL ? -1 : 0;
}

int tan_message_model_params(const struct tan_message_model *model,
                             const struct tan_machine *machine, const char *file, uint64_t bytes,
                             const struct tan_schedule *schedule, struct tan_sim_params *params,
                             struct tan_sized_link **links, struct tan_error *e)
{
    struct tan_machine copy;
    struct tan_p2p messages;
    struct tan_p2p_section *sections = NULL;
    if (model->independent && machine->messages != NULL && machine->messages->eager < 0) {
        return tan_fail_at(
            e, file, 0, 0,
            "the p2p block lacks eager_bytes, beyond which the model %s lets messages "
            "move by themselves: tanbench p2p calibrate measures it",
            model->name);
    }
    if (model->independent && machine->messages != NULL &&
        (sections = assume_independent(machine, &copy, &messages)) == NULL) {
        return tan_fail_nomem(e);
    }
    const int result = costs_of(model, sections != NULL ? &copy : machine, file, bytes, schedule,
                                params, links, e);
    free(sections);
    return result;
}
