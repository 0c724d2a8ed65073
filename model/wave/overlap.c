/* overlap.c - waves with overlapping requests and answers: TAN's recursion over messages of LogP
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time of a child does not depend on its siblings, so nodes are evaluated one by one from the
 * leaves up; all that matters about a child is the time from its request to the start of its
 * answer. A node is simulated on its own clock, which starts when it has the request. Times are
 * whole picoseconds, so that simultaneous events compare equal. */
#include "model/wave/overlap.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PS 1e-12

struct tan_overlap tan_overlap_of(const double value[TAN_OVERLAP_PARAMS], bool shared)
{
    const struct tan_overlap_message m = {.L = value[TAN_OVERLAP_L],
                                          .o_s = value[TAN_OVERLAP_O_S],
                                          .o_r = value[TAN_OVERLAP_O_R],
                                          .g = value[TAN_OVERLAP_G]};
    return (struct tan_overlap){.tiers = 1,
                                .request = {m},
                                .answer = {m},
                                .growth = value[TAN_OVERLAP_GROWTH],
                                .leaf = 2 * value[TAN_OVERLAP_C],
                                .shared = shared};
}

/* Heaps of messages, smallest key first; lists as long as they are pushed in this order, as they
 * mostly are */

struct item {
    double key;
    double turn; /* among equal keys */
    int64_t child;
};

struct heap {
    struct item *item; /* with room for all that are ever pushed while it is not empty */
    int64_t n;
    int64_t first; /* of a list; 0 in a heap */
    bool is_heap;
};

static const struct item *first_of(const struct heap *h)
{
    return &h->item[h->first];
}

static bool item_before(const struct item *a, const struct item *b)
{
    return a->key != b->key     ? a->key < b->key
           : a->turn != b->turn ? a->turn < b->turn
                                : a->child < b->child;
}

static void heap_push(struct heap *h, struct item item)
{
    const bool is_next = h->n == 0 || !item_before(&item, &h->item[h->first + h->n - 1]);
    if (!h->is_heap && is_next) {
        h->item[h->first + h->n++] = item;
        return;
    }
    if (!h->is_heap) { /* a list that begins at 0 is a heap */
        memmove(h->item, first_of(h), (size_t)h->n * sizeof item);
        h->first = 0;
        h->is_heap = true;
    }
    int64_t at = h->n++;
    for (; at > 0 && item_before(&item, &h->item[(at - 1) / 2]); at = (at - 1) / 2) {
        h->item[at] = h->item[(at - 1) / 2];
    }
    h->item[at] = item;
}

static struct item heap_pop(struct heap *h)
{
    const struct item first = *first_of(h);
    const struct item last = h->item[h->first + --h->n];
    if (h->n == 0) {
        h->first = 0;
        h->is_heap = false;
        return first;
    }
    if (!h->is_heap) {
        h->first++;
        return first;
    }
    int64_t at = 0;
    for (int64_t child = 1; child < h->n; child = 2 * at + 1) {
        child += child + 1 < h->n && item_before(&h->item[child + 1], &h->item[child]);
        if (!item_before(&h->item[child], &last)) {
            break;
        }
        h->item[at] = h->item[child];
        at = child;
    }
    h->item[at] = last;
    return first;
}

/* A node */

/* Messages that wait for the processor and a side of the NIC: requests to send, answers to take. */
enum lane { OUT, IN, LANES };

struct child {
    struct tan_overlap_message request, answer;
    double below; /* from its request to the start of its answer */
    /* Time at which its next operation was determined, which decides among operations that could
     * start at the same moment. */
    double turn;
    double through; /* time at which its message has left a shared NIC */
};

struct process {
    enum tan_overlap_way way;
    bool shared;                       /* the NIC, as in struct tan_overlap */
    double now, processor, nic[LANES]; /* time at which each is free */
    double done;                       /* end of the last message */
    int64_t last;                      /* the child that it is from, or goes to */
    struct child *child;
    struct heap coming;         /* answers, by arrival */
    struct heap waiting[LANES]; /* by turn; in the memory of `coming` */
};

static void queue_in_lane(struct process *p, enum lane lane, int64_t child)
{
    const double turn = p->child[child].turn;
    heap_push(&p->waiting[lane], (struct item){turn, turn, child});
}

static void end_message(struct process *p, int64_t child, double time)
{
    if (time >= p->done) {
        p->done = time;
        p->last = child;
    }
}

static void begin_answer(struct process *p, int64_t child, double time)
{
    const struct tan_overlap_message *m = &p->child[child].answer;
    p->child[child].turn = time;
    heap_push(&p->coming, (struct item){time + m->o_s + m->L, time, child});
}

static void send_request(struct process *p, int64_t child, double now)
{
    const struct tan_overlap_message *m = &p->child[child].request;
    const double ends = now + m->o_s + m->L + p->child[child].below;
    p->processor = now + m->o_s;
    p->nic[OUT] = now + m->g;
    if (p->way == TAN_OVERLAP_DOWN) {
        end_message(p, child, ends);
    } else {
        begin_answer(p, child, ends);
    }
}

static void take_answer(struct process *p, int64_t child, double now)
{
    const struct tan_overlap_message *m = &p->child[child].answer;
    p->processor = now + m->o_r + m->work;
    p->nic[IN] = now + m->g;
    end_message(p, child, p->processor);
}

/* Simulation of a node */

/* The lane whose first operation can start next, among equals the one with the smallest turn; -1 if
 * nothing is waiting. */
static int next_lane(const struct process *p, double *starts)
{
    int next = -1;
    *starts = INFINITY;
    for (int lane = 0; lane < LANES; lane++) {
        const struct heap *h = &p->waiting[lane];
        const double time = fmax(p->now, fmax(p->processor, p->nic[lane]));
        if (h->n > 0 && (time < *starts || (time == *starts &&
                                            first_of(h)->key < first_of(&p->waiting[next])->key))) {
            next = lane;
            *starts = time;
        }
    }
    return next;
}

static void run_messages(struct process *p)
{
    double starts;
    for (int lane; (lane = next_lane(p, &starts)) >= 0 || p->coming.n > 0;) {
        const struct item *first = first_of(&p->coming);
        const bool comes =
            p->coming.n > 0 &&
            (first->key < starts ||
             (first->key == starts && first->turn < first_of(&p->waiting[lane])->key));
        const struct item item = heap_pop(comes ? &p->coming : &p->waiting[lane]);
        p->now = comes ? item.key : starts;
        if (comes) {
            queue_in_lane(p, IN, item.child);
        } else if (lane == OUT) {
            send_request(p, item.child, p->now);
        } else {
            take_answer(p, item.child, p->now);
        }
    }
}

/* A node whose NIC is shared */

/* Transfer the messages that are `coming`, by the time at which they start to, over a side of the
 * NIC. A message is through as soon as the share of every message under way, the time for which it
 * alone would have occupied the NIC, has grown by its g; which order that is does not change. */
static void share_nic(struct process *p, enum lane side)
{
    struct heap *under_way = &p->waiting[side];
    double now = 0, share = 0;
    while (p->coming.n > 0 || under_way->n > 0) {
        const double sharers = (double)under_way->n;
        const double ends =
            under_way->n > 0 ? now + (first_of(under_way)->key - share) * sharers : INFINITY;
        if (under_way->n == 0 || (p->coming.n > 0 && first_of(&p->coming)->key < ends)) {
            struct item item = heap_pop(&p->coming);
            const struct child *c = &p->child[item.child];
            share += under_way->n > 0 ? (item.key - now) / sharers : 0;
            now = item.key;
            item.key = share + (side == OUT ? c->request.g : c->answer.g);
            heap_push(under_way, item);
        } else {
            const struct item item = heap_pop(under_way);
            now = ends;
            share = item.key;
            p->child[item.child].through = rint(now);
        }
    }
}

/* When the request of a child is answered; without one, on the way up, the leaves start by
 * themselves. */
static double answered(const struct process *p, const struct child *c)
{
    const struct tan_overlap_message *m = &c->request;
    return c->below + (p->way == TAN_OVERLAP_UP ? 0 : c->through + m->L - m->g);
}

static void run_shared(struct process *p, int64_t x)
{
    for (int64_t i = 0; i < x && p->way != TAN_OVERLAP_UP; i++) {
        p->processor += p->child[i].request.o_s;
        heap_push(&p->coming, (struct item){p->processor, p->processor, i});
    }
    share_nic(p, OUT);
    for (int64_t i = 0; i < x; i++) {
        struct child *c = &p->child[i];
        const struct tan_overlap_message *m = &c->answer;
        c->turn = answered(p, c);
        if (p->way == TAN_OVERLAP_DOWN) {
            end_message(p, i, c->turn);
        } else {
            heap_push(&p->coming, (struct item){c->turn + m->o_s + m->L - m->g, c->turn, i});
        }
    }
    share_nic(p, IN);
    for (int64_t i = 0; i < x && p->way != TAN_OVERLAP_DOWN; i++) {
        heap_push(&p->coming, (struct item){p->child[i].through, p->child[i].turn, i});
    }
    while (p->coming.n > 0) {
        const struct item item = heap_pop(&p->coming);
        take_answer(p, item.child, fmax(p->processor, item.key));
    }
}

/* How the request from its parent (NULL at the root and on the way up) delays a node's own
 * messages: by the receive, after which its clock starts, and by a NIC that is still busy. */
struct received {
    double busy, nic;
};

static struct received receipt_of(const struct tan_overlap_message *request)
{
    return request == NULL ? (struct received){0, 0}
                           : (struct received){request->o_r, request->g - request->o_r};
}

/* Time from request to answer of a node whose `x` children are set. */
static double node_time(struct process *p, enum tan_overlap_way way, int64_t x,
                        const struct tan_overlap_message *request, bool root)
{
    const struct received own = receipt_of(request);
    p->way = way;
    p->now = p->processor = p->done = p->nic[OUT] = 0;
    p->last = 0;
    p->nic[IN] = own.nic;
    if (p->shared) {
        run_shared(p, x);
        return own.busy + p->done;
    }
    for (int64_t i = 0; i < x; i++) {
        if (way == TAN_OVERLAP_UP) {
            begin_answer(p, i, p->child[i].below);
        } else { /* requests precede everything else */
            p->child[i].turn = (double)(i - x);
            queue_in_lane(p, OUT, i);
        }
    }
    run_messages(p);
    return own.busy + (root || way == TAN_OVERLAP_DOWN
                           ? p->done
                           : fmax(p->done, fmax(p->processor, p->nic[OUT])));
}

/* Allocate for nodes of up to `fanout` children. */
static int process_start(struct process *p, bool shared, int64_t fanout)
{
    const size_t n = (size_t)fanout;
    struct item *items = calloc(n, (LANES + 1) * sizeof *items);
    *p = (struct process){
        .shared = shared, .coming.item = items, .child = calloc(n, sizeof *p->child)};
    for (int i = 0; i < LANES && items != NULL; i++) {
        p->waiting[i].item = items + (size_t)(i + 1) * n;
    }
    return items == NULL || p->child == NULL ? -1 : 0;
}

static void process_end(struct process *p)
{
    free(p->coming.item);
    free(p->child);
}

/* Costs */

static double in_ps(double seconds)
{
    return rint(seconds / PS);
}

static struct tan_overlap_message in_whole_ps(const struct tan_overlap_message *m)
{
    return (struct tan_overlap_message){
        .L = in_ps(m->L),
        .o_s = in_ps(m->o_s),
        .o_r = in_ps(m->o_r),
        .g = in_ps(m->g),
        .work = in_ps(m->work),
    };
}

static struct tan_overlap_message request_of(const struct tan_overlap *p, int tier, int64_t x)
{
    struct tan_overlap_message m = p->request[tier];
    m.o_s += p->growth * (double)(x - 1);
    return in_whole_ps(&m);
}

static struct tan_overlap_message answer_of(const struct tan_overlap *p, int tier, int64_t x,
                                            int64_t leaves)
{
    struct tan_overlap_message m = p->answer[tier];
    if (p->sized != NULL) {
        p->sized(p->context, tier, leaves, &m);
    }
    m.o_r += p->growth * (double)(x - 1);
    return in_whole_ps(&m);
}

/* Arbitrary trees */

struct wave {
    const struct tan_overlap *p;
    enum tan_overlap_way way;
    const struct tan_sites *sites;
    const struct tan_tree *tree;
    struct process process;
    double *time;    /* `below` of every node */
    int32_t *last;   /* child that determines it; NULL unless needed */
    int32_t *leaves; /* below every node; NULL unless needed */
};

static int link_tier(const struct wave *w, int32_t a, int32_t b)
{
    const struct tan_tiers tiers = {.n = w->p->tiers};
    return tan_link_tier(&tiers, w->sites, a, b);
}

static void set_child(struct wave *w, int64_t i, int32_t node, int32_t child)
{
    const int tier = link_tier(w, node, child);
    const int32_t x = tan_tree_fanout(w->tree, node);
    struct child *c = &w->process.child[i];
    c->request = request_of(w->p, tier, x);
    c->answer = answer_of(w->p, tier, x, w->leaves == NULL ? 0 : w->leaves[child]);
    c->below = w->time[child];
}

static void set_time(struct wave *w, int32_t node)
{
    const int32_t fanout = tan_tree_fanout(w->tree, node);
    const int32_t parent = tan_tree_parent(w->tree, node);
    struct tan_overlap_message request;
    const bool asked = parent >= 0 && w->way != TAN_OVERLAP_UP;
    if (asked) {
        request = request_of(w->p, link_tier(w, node, parent), 1);
    }
    if (fanout == 0) {
        w->time[node] = receipt_of(asked ? &request : NULL).busy + in_ps(w->p->leaf);
        return;
    }
    for (int32_t i = 0; i < fanout; i++) {
        set_child(w, i, node, tan_tree_children(w->tree, node)[i]);
    }
    w->time[node] = node_time(&w->process, w->way, fanout, asked ? &request : NULL, parent < 0);
    if (w->last != NULL) {
        w->last[node] = tan_tree_children(w->tree, node)[w->process.last];
    }
}

double tan_overlap_times(const struct tan_overlap *p, enum tan_overlap_way way,
                         const struct tan_sites *sites, const struct tan_tree *tree, double *time,
                         int32_t *last)
{
    const int32_t size = tan_tree_size(tree);
    struct wave w = {.p = p, .way = way, .sites = sites, .tree = tree, .time = time, .last = last};
    double whole = NAN;
    w.leaves = p->sized != NULL ? calloc((size_t)size, sizeof *w.leaves) : NULL;
    if (process_start(&w.process, p->shared, tan_tree_max_fanout(tree)) == 0 &&
        (w.leaves != NULL || p->sized == NULL)) {
        if (w.leaves != NULL) {
            tan_tree_leaf_counts(tree, w.leaves);
        }
        for (int32_t node = size - 1; node >= 0; node--) {
            set_time(&w, node);
        }
        for (int32_t node = 0; node < size; node++) {
            time[node] *= PS;
        }
        whole = time[0];
    }
    process_end(&w.process);
    free(w.leaves);
    return whole;
}

double tan_overlap_time(const struct tan_overlap *p, enum tan_overlap_way way,
                        const struct tan_sites *sites, const struct tan_tree *tree)
{
    double *time = calloc((size_t)tan_tree_size(tree), sizeof *time);
    const double whole = time == NULL ? NAN : tan_overlap_times(p, way, sites, tree, time, NULL);
    free(time);
    return whole;
}

/* Equal levels */

static struct tan_overlap_pace pace_of(const struct tan_overlap_message *q,
                                       const struct tan_overlap_message *a,
                                       const struct tan_overlap_message *request)
{
    const double r = a->o_r + a->work;
    return (struct tan_overlap_pace){.own = receipt_of(request).busy,
                                     .send = q->o_s,
                                     .receive = r,
                                     .sends = fmax(q->o_s, q->g),
                                     .receives = fmax(r, a->g),
                                     .nic = q->g,
                                     .down = q->o_s + q->L,
                                     .up = a->o_s + a->L};
}

struct tan_overlap_pace tan_overlap_pace(const struct tan_overlap *p, int64_t x, int64_t leaves)
{
    const int tier = p->tiers - 1;
    const struct tan_overlap_message request = request_of(p, tier, x);
    const struct tan_overlap_message answer = answer_of(p, tier, x, leaves);
    const struct tan_overlap_message own = request_of(p, tier, 1);
    return pace_of(&request, &answer, &own);
}

/* The time of `x` children that are all equal to `c` by the formula; NAN if that does not apply. */
static double level_formula(const struct child *c, bool shared, enum tan_overlap_way way, int64_t x,
                            const struct tan_overlap_message *request, bool root)
{
    const struct tan_overlap_message *q = &c->request, *a = &c->answer;
    const struct received own = receipt_of(request);
    const struct tan_overlap_pace pace = pace_of(q, a, request);
    const double others = (double)(x - 1);
    const double s = pace.send, r = pace.receive;
    const double sends = pace.sends, receives = shared ? r : pace.receives;
    const bool down = way != TAN_OVERLAP_UP;
    const double asked = down ? q->o_s + q->L : 0;
    const double first = asked + c->below + a->o_s + a->L;
    if (way == TAN_OVERLAP_DOWN) {
        return own.busy + others * sends + asked + c->below;
    }
    if (!down) { /* shared: all arrive when the last one does */
        return first + others * (receives + (shared ? a->g : 0)) + r;
    }
    if (shared) {
        return s < fmax(q->g, a->g) && x > 1
                   ? NAN
                   : own.busy + fmax((double)x * (s + r), first + others * fmax(s, r) + r);
    }
    if (own.nic > first ||
        ((sends > s || receives > r) && others * sends + s > first && s + r > 0)) {
        return NAN;
    }
    const double taken = fmax((double)x * (s + r), first + others * fmax(sends, receives) + r);
    return own.busy + (root ? taken : fmax(taken, others * sends + pace.nic));
}

static struct child child_of(const struct tan_overlap *p, int64_t x,
                             const struct tan_children *kind)
{
    const int tier = p->tiers - 1;
    return (struct child){request_of(p, tier, x), answer_of(p, tier, x, kind->leaves),
                          in_ps(kind->below), 0, 0};
}

double tan_overlap_node(const struct tan_overlap *p, enum tan_overlap_way way,
                        const struct tan_children *kind, int n, bool root)
{
    const struct tan_overlap_message own = request_of(p, p->tiers - 1, 1);
    const struct tan_overlap_message *request = root || way == TAN_OVERLAP_UP ? NULL : &own;
    int64_t x = 0;
    for (int i = 0; i < n; i++) {
        if (isnan(kind[i].below)) { /* fmax would ignore it */
            return NAN;
        }
        x += kind[i].count;
    }
    const struct child first = child_of(p, x, &kind[0]);
    double time = n == 1 ? level_formula(&first, p->shared, way, x, request, root) : NAN;
    if (isnan(time)) {
        struct process process;
        if (process_start(&process, p->shared, x) == 0) {
            struct child *next = process.child;
            for (int i = 0; i < n; i++) {
                const struct child c = child_of(p, x, &kind[i]);
                for (int64_t k = 0; k < kind[i].count; k++) {
                    *next++ = c;
                }
            }
            time = node_time(&process, way, x, request, root);
        }
        process_end(&process);
    }
    return time * PS;
}

/* By how much the first of x messages, which start every s and occupy a shared NIC for g each, is
 * through later than alone; 0 or more, and rarely less than it is. As m messages are under way from
 * (m - 1) s on, its share after m s is s (1 + 1/2 + ... + 1/m). */
static double first_late(double s, double g, int64_t x)
{
    const double sharers = s < g ? fmin((double)(x - 1), floor(exp(g / s - 1))) : 0;
    const double harmonic = sharers > 0 ? gsl_sf_psi(sharers + 1) + M_EULER : 0;
    return fmax(sharers * (s + g) - (sharers + 1) * s * harmonic, 0);
}

double tan_overlap_others(const struct tan_overlap_message *request,
                          const struct tan_overlap_message *answer, bool shared,
                          enum tan_overlap_way way, int64_t x)
{
    const double others = (double)(x - 1);
    const double r = answer->o_r + answer->work;
    const double sends = fmax(request->o_s, request->g), receives = fmax(r, answer->g);
    if (way == TAN_OVERLAP_DOWN) {
        return others * sends;
    }
    if (way == TAN_OVERLAP_UP) {
        return others * (shared ? r + answer->g : receives);
    }
    return fmax(others * fmax(sends, receives),
                shared ? first_late(request->o_s, request->g, x) + others * receives : 0);
}

double tan_overlap_adds(const struct tan_overlap *p, enum tan_overlap_way way, int64_t x,
                        int64_t leaves)
{
    const int tier = p->tiers - 1;
    const struct tan_overlap_message request = request_of(p, tier, x);
    const struct tan_overlap_message answer = answer_of(p, tier, x, leaves);
    const struct tan_overlap_message own = request_of(p, tier, 1);
    const struct tan_overlap_pace pace = pace_of(&request, &answer, &own);
    return (((way & TAN_OVERLAP_DOWN) != 0 ? pace.own + pace.down : 0) +
            ((way & TAN_OVERLAP_UP) != 0 ? pace.up + pace.receive : 0) +
            tan_overlap_others(&request, &answer, p->shared, way, x)) *
           PS;
}

double tan_overlap_leaf(const struct tan_overlap *p, enum tan_overlap_way way)
{
    const struct tan_overlap_message own = request_of(p, p->tiers - 1, 1);
    return (receipt_of(way == TAN_OVERLAP_UP ? NULL : &own).busy + in_ps(p->leaf)) * PS;
}
