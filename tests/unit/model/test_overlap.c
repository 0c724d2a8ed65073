/* test_overlap.c - waves of overlapping requests and answers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "model/wave/overlap.h"
#include "sim/engine/simulation.h"
#include "topo/spec.h"

/* By hand */

/* L 10, o_s 2, o_r 3 us. */
static struct tan_overlap by_hand(void)
{
    const struct tan_overlap_message m = {.L = 10e-6, .o_s = 2e-6, .o_r = 3e-6};
    return (struct tan_overlap){.tiers = 1, .request = {m}, .answer = {m}};
}

static double us(const struct tan_overlap *p, enum tan_overlap_way way, const char *spec)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    const double time = tan_overlap_time(p, way, NULL, tree) * 1e6;
    tan_tree_destroy(tree);
    return time;
}

TEST(rounds_by_hand)
{
    static const struct {
        const char *spec;
        enum tan_overlap_way way;
        double g, growth, leaf, work, us;
    } rows[] = {
        /* a hop: 2 + 10 + 3 */
        {"chain:1", TAN_OVERLAP_UP, 0, 0, 0, 0, 15},
        {"chain:3", TAN_OVERLAP_DOWN, 0, 0, 0, 0, 45},
        {"chain:3", TAN_OVERLAP_ROUND, 0, 0, 7, 1, 90 + 7 + 3},
        /* all at once, one after the other */
        {"nto1:5", TAN_OVERLAP_UP, 0, 0, 0, 0, 15 + 4 * 3},
        {"nto1:5", TAN_OVERLAP_DOWN, 0, 0, 0, 0, 15 + 4 * 2},
        {"nto1:5", TAN_OVERLAP_UP, 4, 0, 0, 0, 15 + 4 * 4},
        {"nto1:5", TAN_OVERLAP_DOWN, 4, 0, 0, 0, 15 + 4 * 4},
        /* the first answer comes after 27 us, when 5 requests are out (10 us) */
        {"nto1:5", TAN_OVERLAP_ROUND, 0, 0, 0, 0, 27 + 5 * 3},
        /* 20 requests take 40 us: then all 20 answers wait */
        {"nto1:20", TAN_OVERLAP_ROUND, 0, 0, 0, 0, 20 * 5},
        /* the kink: 13 requests, 26 us, then 14 */
        {"nto1:13", TAN_OVERLAP_ROUND, 0, 0, 0, 0, 27 + 13 * 3},
        {"nto1:14", TAN_OVERLAP_ROUND, 0, 0, 0, 0, 14 * 5},
        /* each of 20 requests and answers takes 19 us longer; with one child nothing does */
        {"nto1:20", TAN_OVERLAP_ROUND, 0, 1, 0, 0, 20 * (5 + 2 * 19)},
        {"chain:2", TAN_OVERLAP_ROUND, 0, 1, 0, 0, 60},
        /* the NIC is the bottleneck both ways: requests every 40 us, answers between them */
        {"nto1:5", TAN_OVERLAP_ROUND, 40, 0, 0, 0, 30 + 4 * 40},
        /* every 28 us: the answer at 27 keeps the processor until 30, and so on */
        {"nto1:5", TAN_OVERLAP_ROUND, 28, 0, 0, 0, 30 + 4 * 30},
        /* answers of the two below: 3 + 27 + 2 * 3 after their requests are there */
        {"levels:2x2", TAN_OVERLAP_ROUND, 0, 0, 0, 0, 12 + 36 + 12 + 2 * 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_overlap p = by_hand();
        at_row("rows[%zu]: %s", i, rows[i].spec);
        p.request[0].g = p.answer[0].g = rows[i].g * 1e-6;
        p.answer[0].work = rows[i].work * 1e-6;
        p.growth = rows[i].growth * 1e-6;
        p.leaf = rows[i].leaf * 1e-6;
        assert_close(us(&p, rows[i].way, rows[i].spec), rows[i].us, 1e-9);
    }
}

/* As the simulator has them */

enum { NODES = 60 };

static uint64_t dice_state;

static uint32_t dice(uint32_t n)
{
    dice_state ^= dice_state << 13;
    dice_state ^= dice_state >> 7;
    dice_state ^= dice_state << 17;
    return (uint32_t)(dice_state >> 33) % n;
}

/* One wave: a tree, where its nodes are, and what messages cost, in whole picoseconds. */
struct job {
    int32_t size;
    struct tan_tree *tree;
    int32_t host[NODES];
    struct tan_sites sites;
    struct tan_overlap p;
    enum tan_overlap_way way;
    uint64_t unit; /* few picoseconds: many things happen at once */
};

static double time_of(const struct job *j, uint32_t most)
{
    return (double)(j->unit * (dice(5) == 0 ? 0 : dice(most))) * 1e-12;
}

static struct tan_overlap_message message_of(const struct job *j)
{
    return (struct tan_overlap_message){.L = time_of(j, 4000),
                                        .o_s = time_of(j, 2000),
                                        .o_r = time_of(j, 2000),
                                        .g = time_of(j, 3000)};
}

/* Answers of many leaves: a little of everything more. */
static void sized(const void *context, int tier, int64_t leaves, struct tan_overlap_message *m)
{
    const struct job *j = context;
    const double unit = (double)(j->unit * (uint64_t)leaves * (uint64_t)(tier + 3)) * 1e-12;
    m->o_s += 2 * unit;
    m->o_r += unit;
    m->g += 3 * unit;
}

static void make_costs(struct job *j)
{
    const double work = time_of(j, 900);
    for (int t = 0; t < j->p.tiers; t++) {
        j->p.request[t] = message_of(j);
        j->p.answer[t] = message_of(j);
        j->p.answer[t].work = work;
    }
    j->p.growth = time_of(j, 60);
    j->p.leaf = time_of(j, 3000);
    j->p.context = j;
}

static void make_job(struct job *j, uint64_t seed)
{
    struct tan_error e = TAN_ERROR_INIT;
    int32_t parent[NODES] = {-1};
    *j = (struct job){.sites.at = {j->host}};
    dice_state = (seed + 1) * 0x9e3779b97f4a7c15;
    j->size = 2 + (int32_t)dice(NODES - 1);
    j->way = 1 + dice(3);
    /* Leaves that start at once answer at once: if their costs differ, so does the time by their
     * order. */
    const bool up = j->way == TAN_OVERLAP_UP;
    j->p.tiers = up ? 1 : 1 + (int)dice(2);
    j->p.sized = !up && dice(3) == 0 ? sized : NULL;
    const bool alike = j->p.tiers == 1 && j->p.sized == NULL;
    j->unit = alike && dice(2) == 0 ? 1 : 99991;
    const uint32_t bush = 1 + dice(NODES); /* chains, bushes */
    for (int32_t i = 1; i < j->size; i++) {
        const int32_t least = dice(3) == 0 || i < (int32_t)bush ? 0 : i - (int32_t)bush;
        parent[i] = least + (int32_t)dice((uint32_t)(i - least));
        j->host[i] = (int32_t)dice(4);
    }
    j->tree = tan_tree_create(parent, j->size, NULL, &e);
    assert_no_error(e);
    make_costs(j);
}

/* The message of node `child`, up or down. */
static struct tan_overlap_message edge(const struct job *j, int32_t child, bool up)
{
    const int32_t parent = tan_tree_parent(j->tree, child);
    const int tier = j->p.tiers == 2 && j->host[parent] != j->host[child];
    const double growth = j->p.growth * (tan_tree_fanout(j->tree, parent) - 1);
    struct tan_overlap_message m = up ? j->p.answer[tier] : j->p.request[tier];
    int32_t leaves[NODES];
    tan_tree_leaf_counts(j->tree, leaves);
    if (up && j->p.sized != NULL) {
        j->p.sized(j, tier, leaves[child], &m);
    }
    *(up ? &m.o_r : &m.o_s) += growth;
    return m;
}

/* The bytes that name that message. */
static uint64_t bytes_of(int32_t child, bool up)
{
    return (uint64_t)(2 * child + up);
}

static uint64_t ps(double seconds)
{
    return (uint64_t)llround(seconds * 1e12);
}

static struct tan_link link_of(const struct job *j, int32_t child, bool up)
{
    const struct tan_overlap_message m = edge(j, child, up);
    return (struct tan_link){
        .L = ps(m.L),
        .o = ps(m.o_s),
        .o_more = (int64_t)ps(m.o_r + m.work) - (int64_t)ps(m.o_s),
        .g = ps(m.g),
    };
}

static void make_node(struct tan_maker *m, const void *context, uint32_t rank)
{
    const struct job *j = context;
    const int32_t node = (int32_t)rank, fanout = tan_tree_fanout(j->tree, node);
    const int32_t *child = tan_tree_children(j->tree, node);
    uint32_t on = TAN_OP_NONE, last[NODES];
    if (node > 0 && (j->way & TAN_OVERLAP_DOWN) != 0) {
        on = tan_make_recv(m, bytes_of(node, false), (uint32_t)tan_tree_parent(j->tree, node));
    }
    if (fanout == 0) {
        last[0] = tan_make_calc(m, ps(j->p.leaf));
        tan_make_require(m, last[0], on);
    }
    for (int32_t i = 0; i < fanout && (j->way & TAN_OVERLAP_DOWN) != 0; i++) {
        tan_make_require(m, tan_make_send(m, bytes_of(child[i], false), (uint32_t)child[i]), on);
    }
    if (j->way == TAN_OVERLAP_DOWN) {
        return;
    }
    for (int32_t i = 0; i < fanout; i++) {
        last[i] = tan_make_recv(m, bytes_of(child[i], true), (uint32_t)child[i]);
    }
    if (node > 0) {
        const uint32_t answer =
            tan_make_send(m, bytes_of(node, true), (uint32_t)tan_tree_parent(j->tree, node));
        for (int32_t i = 0; i < fanout || i == 0; i++) {
            tan_make_require(m, answer, last[i]);
        }
    }
}

static int by_bytes(const void *a, const void *b)
{
    const struct tan_sized_link *x = a, *y = b;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static uint64_t simulated(const struct job *j)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sized_link sizes[2 * NODES] = {0};
    struct tan_sim_params p = tan_sim_defaults;
    struct tan_simulation r;
    uint64_t latest = 0;
    p.sizes = sizes;
    for (int32_t i = 1; i < j->size; i++) {
        for (int up = 0; up < 2; up++) {
            sizes[p.n_sizes++] =
                (struct tan_sized_link){bytes_of(i, up), link_of(j, i, up), link_of(j, i, up)};
        }
    }
    qsort(sizes, p.n_sizes, sizeof *sizes, by_bytes);
    struct tan_schedule *s = tan_make_schedule((uint32_t)j->size, make_node, j, &e);
    assert_no_error(e);
    assert_int_equal(tan_simulate(s, &p, true, &r, &e), 0);
    for (uint32_t op = 0; op < s->n_ops; op++) { /* not sends, which may wait to be acknowledged */
        const int32_t node = (int32_t)tan_schedule_op_rank(s, op);
        const bool counts =
            tan_op_kind(&s->ops[op]) != TAN_OP_SEND && (j->way == TAN_OVERLAP_DOWN || node == 0);
        latest = counts && r.history[op].end > latest ? r.history[op].end : latest;
    }
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
    return latest;
}

TEST(simulated_the_same)
{
    for (uint64_t seed = 0; seed < 10000; seed++) {
        struct job j;
        make_job(&j, seed);
        at_row("seed %zu", (size_t)seed);
        const double time = tan_overlap_time(&j.p, j.way, &j.sites, j.tree);
        assert_close(time * 1e12, (double)simulated(&j), 1e-9 * time * 1e12);
        tan_tree_destroy(j.tree);
    }
}

/* A NIC that is shared, as a simulation of whole trees in which time passes from event to event:
 * what each message under way gets is the least of its shares of the sender's and of the receiver's
 * NIC. It is under way first and in the network then if it goes down, the other way round if it
 * goes up. */

struct flow {
    int32_t from, to;
    double left; /* of the NIC's time, ps */
    double starts, arrives;
    bool done, taken;
};

struct fluid {
    const struct job *j;
    struct flow flow[2 * NODES]; /* down to and up from each node */
    int n;
    double free[NODES]; /* when its processor is */
    int32_t answers[NODES];
    double now, finished;
};

static double share_of(const struct fluid *f, const struct flow *own)
{
    int out = 0, in = 0;
    for (int i = 0; i < f->n; i++) {
        const struct flow *w = &f->flow[i];
        const bool under_way = w->starts <= f->now && !w->done;
        out += under_way && w->from == own->from;
        in += under_way && w->to == own->to;
    }
    return 1.0 / (out > in ? out : in);
}

static void send(struct fluid *f, int32_t child, bool up, double when)
{
    const struct tan_overlap_message m = edge(f->j, child, up);
    const int32_t parent = tan_tree_parent(f->j->tree, child);
    const double rest = (m.L - m.g) * 1e12;
    f->flow[f->n++] = (struct flow){.from = up ? child : parent,
                                    .to = up ? parent : child,
                                    .left = m.g * 1e12,
                                    .starts = when + m.o_s * 1e12 + (up ? rest : 0),
                                    .arrives = INFINITY};
    f->free[f->flow[f->n - 1].from] = when + m.o_s * 1e12;
}

/* A node that has all it needs. */
static void answer(struct fluid *f, int32_t node)
{
    const bool asked = tan_tree_parent(f->j->tree, node) >= 0;
    if (asked && f->j->way != TAN_OVERLAP_DOWN) {
        send(f, node, true, f->free[node]);
    } else {
        f->finished = fmax(f->finished, f->free[node]);
    }
}

static void begin(struct fluid *f, int32_t node)
{
    const int32_t fanout = tan_tree_fanout(f->j->tree, node);
    if (fanout == 0) {
        f->free[node] += f->j->p.leaf * 1e12;
        answer(f, node);
    }
    for (int32_t i = 0; i < fanout && f->j->way != TAN_OVERLAP_UP; i++) {
        send(f, tan_tree_children(f->j->tree, node)[i], false, f->free[node]);
    }
}

static void receive(struct fluid *f, struct flow *w)
{
    const bool up = tan_tree_parent(f->j->tree, w->from) == w->to;
    const struct tan_overlap_message m = edge(f->j, up ? w->from : w->to, up);
    w->taken = true;
    f->free[w->to] = fmax(f->free[w->to], w->arrives) + (m.o_r + (up ? m.work : 0)) * 1e12;
    if (!up) {
        begin(f, w->to);
    } else if (++f->answers[w->to] == tan_tree_fanout(f->j->tree, w->to)) {
        answer(f, w->to);
    }
}

/* The time until something starts, is through or arrives; moves what is under way. */
static bool pass_time(struct fluid *f)
{
    double share[2 * NODES], next = INFINITY;
    for (int i = 0; i < f->n; i++) {
        const struct flow *w = &f->flow[i];
        share[i] = w->starts <= f->now && !w->done ? share_of(f, w) : 0;
        next = fmin(next, share[i] > 0                       ? w->left / share[i]
                          : w->starts > f->now               ? w->starts - f->now
                          : !w->taken && w->arrives > f->now ? w->arrives - f->now
                                                             : INFINITY);
    }
    for (int i = 0; i < f->n && isfinite(next); i++) {
        struct flow *w = &f->flow[i];
        w->left -= share[i] * next;
        if (share[i] > 0 && w->left < 1e-6) {
            const bool up = tan_tree_parent(f->j->tree, w->from) == w->to;
            const struct tan_overlap_message m = edge(f->j, up ? w->from : w->to, up);
            w->done = true;
            w->arrives = f->now + next + (up ? 0 : (m.L - m.g) * 1e12);
        }
    }
    f->now += isfinite(next) ? next : 0;
    return isfinite(next);
}

/* Picoseconds. */
static double shared_by_events(const struct job *j)
{
    struct fluid f = {.j = j, .now = -1e9};
    for (int32_t node = 0; node < j->size; node++) {
        if (j->way != TAN_OVERLAP_UP ? node == 0 : tan_tree_fanout(j->tree, node) == 0) {
            begin(&f, node);
        }
    }
    while (pass_time(&f)) {
        for (int i = 0; i < f.n; i++) {
            struct flow *w = &f.flow[i];
            if (w->done && !w->taken && w->arrives <= f.now + 1e-6) {
                receive(&f, w);
            }
        }
    }
    return f.finished;
}

TEST(shared_as_by_events)
{
    for (uint64_t seed = 0; seed < (thorough() ? 3000 : 600); seed++) {
        struct job j;
        make_job(&j, seed);
        at_row("seed %zu", (size_t)seed);
        j.p.shared = true;
        for (int t = 0; t < j.p.tiers; t++) { /* bytes take part of the way */
            j.p.request[t].L += j.p.request[t].g;
            j.p.answer[t].L += j.p.answer[t].g + 6 * NODES * (double)j.unit * 1e-12;
        }
        const double ps = tan_overlap_time(&j.p, j.way, &j.sites, j.tree) * 1e12;
        assert_close(ps, shared_by_events(&j), 1e-9 * ps + 2 * j.size);
        tan_tree_destroy(j.tree);
    }
}

/* Half round trips of 64 KiB by SimGrid 3.32: tanbench run --platform crossbar --bytes 64KiB. Its
 * hosts take no time for long messages, which pass two links of 1 us and 12.5 GB/s. */
TEST(shared_as_by_simgrid)
{
    static const struct {
        const char *spec;
        double us;
    } rows[] = {
        {"levels:4x8", 66.996},  {"levels:16x2", 98.492},    {"levels:16x16x16", 257.970},
        {"binary:100", 84.870},  {"binomial:64", 105.867},   {"knomial:8:64", 101.116},
        {"kary:5:400", 102.492}, {"random:100:10", 147.363}, {"random:700:6", 384.578},
    };
    const double bytes = 65536 + 48; /* with tanbench's header */
    const struct tan_overlap_message m = {.L = 2e-6 + bytes / 12.5e9, .g = bytes / 12.5e9};
    const struct tan_overlap p = {
        .tiers = 1, .request = {m}, .answer = {m}, .leaf = 10e-9, .shared = true};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        at_row("%s", rows[i].spec);
        assert_close(us(&p, TAN_OVERLAP_ROUND, rows[i].spec) / 2, rows[i].us, 5e-4 * rows[i].us);
    }
}

/* Equal levels */

static double level_of(const struct tan_overlap *p, enum tan_overlap_way way, int64_t x,
                       int64_t leaves, double below, bool root)
{
    return tan_overlap_node(p, way, &(struct tan_children){x, leaves, below}, 1, root);
}

static double levels(const struct tan_overlap *p, enum tan_overlap_way way, const int64_t *fanout,
                     int n)
{
    double below = tan_overlap_leaf(p, way);
    int64_t leaves = 1;
    for (int i = n - 1; i >= 0; i--) {
        below = level_of(p, way, fanout[i], leaves, below, i == 0);
        leaves *= fanout[i];
    }
    return below;
}

TEST(levels_the_same)
{
    struct tan_error e = TAN_ERROR_INIT;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct job j;
        char spec[64] = "levels";
        int64_t fanout[8];
        const bool chain = seed % 5 == 0;
        const int n = (int)(1 + seed % (chain ? 8 : 4));
        make_job(&j, seed);
        j.p.shared = seed % 3 == 0;
        tan_tree_destroy(j.tree);
        for (int i = 0, length = 6; i < n; i++) {
            fanout[i] = 1 + dice(i == n - 1 ? 20 : chain ? 1 : 5);
            length += snprintf(spec + length, sizeof spec - (size_t)length, "%c%d",
                               i == 0 ? ':' : 'x', (int)fanout[i]);
        }
        j.tree = tan_spec_build(spec, &e);
        assert_no_error(e);
        at_row("seed %zu, %s", (size_t)seed, spec);
        const double time = tan_overlap_time(&j.p, j.way, NULL, j.tree);
        assert_close(levels(&j.p, j.way, fanout, n), time, 1e-12 * time + (j.p.shared ? 4e-12 : 0));
        tan_tree_destroy(j.tree);
    }
}

/* What the search prunes by: no level adds less, and a wider one not less. */
TEST(levels_add_at_least)
{
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct job j;
        double before = 0;
        make_job(&j, seed);
        tan_tree_destroy(j.tree);
        j.p.shared = seed % 2 == 0;
        for (int t = 0; t < j.p.tiers && j.p.shared; t++) {
            j.p.request[t].L += j.p.request[t].g;
            j.p.answer[t].L += j.p.answer[t].g;
        }
        const double leaf = tan_overlap_leaf(&j.p, j.way);
        for (int64_t x = 1; x < 100; x += 1 + x / 8) {
            at_row("seed %zu, %d children", (size_t)seed, (int)x);
            const double below = leaf + time_of(&j, 9000);
            const double adds = tan_overlap_adds(&j.p, j.way, x, 1);
            assert_true(adds <= level_of(&j.p, j.way, x, 1, below, false) - below + 4e-12);
            assert_true(adds >= before);
            before = adds;
        }
    }
}

/* 8 x 8 x 64, a message of each resource's in turn the slowest; what the formula says is worked by
 * hand: R = 3, D = 12 + below + 12. */
TEST(levels_by_hand)
{
    const int64_t fanout[] = {8, 8, 64};
    struct tan_overlap p = by_hand();
    /* 64 leaves: 3 + 64 * 5 = 323 before the answer; then 3 + 24 + 323 + 7 * 3 + 3 = 374, and at
     * the root 24 + 374 + 7 * 3 + 3 */
    assert_close(levels(&p, TAN_OVERLAP_ROUND, fanout, 3) * 1e6, 422, 1e-9);
    assert_close(us(&p, TAN_OVERLAP_ROUND, "levels:8x8x64"), 422, 1e-9);
    /* up: 12 + 63 * 3 + 3 = 204; 12 + 204 + 7 * 3 + 3 = 240; 276 */
    assert_close(levels(&p, TAN_OVERLAP_UP, fanout, 3) * 1e6, 276, 1e-9);
    /* down: 12 + 3 + 63 * 2 = 141; 141 + 15 + 7 * 2 = 170; 199 */
    assert_close(levels(&p, TAN_OVERLAP_DOWN, fanout, 3) * 1e6, 199, 1e-9);
    /* a level below for which memory was short */
    assert_true(isnan(level_of(&p, TAN_OVERLAP_ROUND, 8, 64, NAN, false)));
    /* The processors take no time, the NICs 7 us: 63 * 7 + 20 = 461, 461 + 7 * 7 + 20, and again */
    p.request[0] = p.answer[0] = (struct tan_overlap_message){.L = 10e-6, .g = 7e-6};
    assert_close(levels(&p, TAN_OVERLAP_ROUND, fanout, 3) * 1e6, 599, 1e-9);
    assert_close(us(&p, TAN_OVERLAP_ROUND, "levels:8x8x64"), 599, 1e-9);
    /* Answers take no time. A node has the request after 10 us, and its leaf 10 us later, but its
     * own NIC sends the request for 17 us. */
    const int64_t line[] = {1, 1};
    p = (struct tan_overlap){.tiers = 1, .request[0] = {.o_r = 10e-6, .g = 17e-6}};
    assert_close(levels(&p, TAN_OVERLAP_ROUND, line, 2) * 1e6, 27, 1e-9);
    assert_close(us(&p, TAN_OVERLAP_ROUND, "levels:1x1"), 27, 1e-9);
}

RUN_TESTS(NULL, NULL)
