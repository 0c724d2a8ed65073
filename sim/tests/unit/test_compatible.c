/* test_compatible.c - LogGOPSim's semantics: its results, and a direct implementation of its rules
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/output.h"
#include "sim/engine/simulation.h"
#include "sim/goal/goal.h"
#include "sim/loggopsim/compatible.h"
#include "sim/loggopsim/event_heap.h"

static struct tan_sim_params whole(uint64_t L, uint64_t o, uint64_t g, uint64_t G, uint64_t O,
                                   uint64_t S)
{
    const struct tan_link link = {
        .L = L * TAN_PS_PER_NS,
        .o = o * TAN_PS_PER_NS,
        .g = g * TAN_PS_PER_NS,
        .G = (double)(G * TAN_PS_PER_NS),
        .O = (double)(O * TAN_PS_PER_NS),
    };
    return (struct tan_sim_params){.within = link, .between = link, .S = S};
}

/* LogGOPSim's results for schedules in files */

enum { LINE = 256 };

/* `events`: NULL when unknown. */
static void check_case(const char *name, const char *events)
{
    struct tan_error e = TAN_ERROR_INIT;
    char path[LINE];
    snprintf(path, sizeof path, "sim/tests/oracle/loggopsim/%s.goal", name);
    if (access(path, R_OK) != 0) {
        strcat(path, ".gz");
    }
    struct tan_schedule *s = tan_goal_load(path, true, &e);
    assert_no_error(e);
    snprintf(path, sizeof path, "sim/tests/oracle/loggopsim/%s.txt", name);
    char *wanted = tan_read_file(path, NULL, &e);
    assert_no_error(e);
    uint64_t L, o, g, G, O, S;
    assert_int_equal(sscanf(strstr(wanted, "L="),
                            "L=%" SCNu64 ", o=%" SCNu64 " g=%" SCNu64 ", G=%" SCNu64 ", O=%" SCNu64
                            ", P=%*u, S=%" SCNu64,
                            &L, &o, &g, &G, &O, &S),
                     6);
    const struct tan_sim_params p = whole(L, o, g, G, O, S);
    struct tan_simulation r;
    struct tan_compatible_times times;
    assert_int_equal(tan_simulate_compatible(s, &p, &r, &times, &e), 0);
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    tan_compatible_print(s, &p, &r, &times, to);
    fclose(to);
    if (strcmp(text, wanted) != 0) {
        print_error("%s differs\n", name);
    }
    assert_string_equal(text, wanted);
    if (events != NULL) {
        assert_int_equal(r.events, strtoull(events, NULL, 10));
    }
    free(text);
    free(wanted);
    tan_simulation_clear(&r);
    tan_compatible_times_clear(&times);
    tan_schedule_destroy(s);
}

TEST(as_loggopsim)
{
    char line[LINE], name[64], events[16];
    FILE *from = fopen("sim/tests/oracle/loggopsim/cases.tsv", "r");
    assert_non_null(from);
    int cases = 0, counted = 0;
    while (fgets(line, sizeof line, from) != NULL) {
        if (sscanf(line, "%63s\t-%*[^\t]\t%15s", name, events) == 2) {
            const bool known = events[0] != '-';
            check_case(name, known ? events : NULL);
            cases++;
            counted += known;
        }
    }
    fclose(from);
    assert_int_equal(cases, 144);
    assert_int_equal(counted, 121);
}

/* A plain reading of the rules: everything in lists, whoever finds a clock busy goes back into the
 * one queue. */

enum { RANKS = 6, UNITS = 3, OPS = 64, ALL = RANKS * OPS };

struct edge {
    uint32_t rank, op, on;
    enum tan_requires when;
};

struct random_schedule {
    uint32_t ranks, n[RANKS];
    struct tan_op_spec op[RANKS][OPS];
    struct edge edge[4 * ALL];
    uint32_t n_edges;
};

struct item { /* an operation, or the message of a send */
    uint64_t time, number;
    uint32_t rank, op;
    bool message;
};

struct list {
    struct item item[2 * ALL];
    uint32_t n;
};

struct model {
    const struct random_schedule *s;
    uint64_t L, o, g, G, O, S;
    uint64_t cpu[RANKS][UNITS], sending[RANKS][UNITS], receiving[RANKS][UNITS];
    uint32_t missing[RANKS][OPS];
    struct list queue, posted[RANKS], arrived[RANKS], ready[RANKS];
    uint64_t numbers;
};

static void append(struct list *list, struct item item)
{
    assert_true(list->n < 2 * ALL);
    list->item[list->n++] = item;
}

static struct item take(struct list *list, uint32_t i)
{
    const struct item item = list->item[i];
    list->n--;
    memmove(&list->item[i], &list->item[i + 1], (list->n - i) * sizeof item);
    return item;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void met(struct model *m, uint32_t rank, uint32_t op, enum tan_requires when)
{
    for (uint32_t i = 0; i < m->s->n_edges; i++) {
        const struct edge *edge = &m->s->edge[i];
        if (edge->rank == rank && edge->on == op && edge->when == when &&
            --m->missing[rank][edge->op] == 0) {
            append(&m->ready[rank], (struct item){.rank = rank, .op = edge->op});
        }
    }
}

static void model_release(struct model *m)
{
    for (uint32_t rank = 0; rank < m->s->ranks; rank++) {
        for (enum tan_op_kind kind = TAN_OP_SEND; kind <= TAN_OP_CALC; kind++) {
            for (uint32_t i = 0; i < m->ready[rank].n; i++) {
                struct item item = m->ready[rank].item[i];
                const struct tan_op_spec *op = &m->s->op[rank][item.op];
                if (op->kind == kind) {
                    item.number = m->numbers++;
                    item.time = m->cpu[rank][op->cpu];
                    if (kind == TAN_OP_SEND) {
                        item.time = later(item.time, m->sending[rank][op->nic]);
                    }
                    append(&m->queue, item);
                }
            }
        }
        m->ready[rank].n = 0;
    }
}

static bool fits(const struct tan_op_spec *receive, uint32_t source, uint32_t tag)
{
    return (receive->peer == TAN_ANY_SOURCE || receive->peer == source) &&
           (receive->tag == TAN_ANY_TAG || tag == TAN_ANY_TAG || receive->tag == tag);
}

static void matched(struct model *m, struct item send, uint64_t size, uint16_t cpu, uint8_t nic,
                    uint64_t time)
{
    if (size > m->S) {
        met(m, send.rank, send.op, TAN_AFTER_FINISH);
        m->cpu[send.rank][cpu] = later(m->cpu[send.rank][cpu], time);
        m->sending[send.rank][nic] = later(m->sending[send.rank][nic], time);
    }
}

static void model_message(struct model *m, struct item item)
{
    const struct tan_op_spec *send = &m->s->op[item.rank][item.op];
    const uint32_t host = send->peer;
    uint64_t *cpu = &m->cpu[host][send->cpu], *nic = &m->receiving[host][send->nic];
    const uint64_t dO = (send->amount - 1) * m->O, dG = (send->amount - 1) * m->G;
    if (later(*cpu, *nic) > item.time) {
        item.time = later(*cpu, *nic);
        append(&m->queue, item);
        return;
    }
    *cpu = item.time + m->o + later(dO, dG);
    *nic = item.time + m->g + dG;
    for (uint32_t i = 0; i < m->posted[host].n; i++) {
        const uint32_t op = m->posted[host].item[i].op;
        if (fits(&m->s->op[host][op], item.rank, send->tag)) {
            take(&m->posted[host], i);
            met(m, host, op, TAN_AFTER_FINISH);
            matched(m, item, send->amount, send->cpu, send->nic, item.time);
            return;
        }
    }
    append(&m->arrived[host], item);
}

static void model_receive(struct model *m, struct item item)
{
    const struct tan_op_spec *receive = &m->s->op[item.rank][item.op];
    struct list *arrived = &m->arrived[item.rank];
    met(m, item.rank, item.op, TAN_AFTER_START);
    for (uint32_t i = 0; i < arrived->n; i++) {
        const struct item from = arrived->item[i];
        if (fits(receive, from.rank, m->s->op[from.rank][from.op].tag)) {
            const struct item send = take(arrived, i);
            met(m, item.rank, item.op, TAN_AFTER_FINISH);
            matched(m, send, receive->amount, receive->cpu, receive->nic, item.time);
            return;
        }
    }
    append(&m->posted[item.rank], item);
}

static void model_local(struct model *m, struct item item)
{
    const struct tan_op_spec *op = &m->s->op[item.rank][item.op];
    const bool send = op->kind == TAN_OP_SEND;
    uint64_t *cpu = &m->cpu[item.rank][op->cpu], *nic = &m->sending[item.rank][op->nic];
    const uint64_t free_at = send ? later(*cpu, *nic) : *cpu;
    if (free_at > item.time) {
        item.time = free_at;
        append(&m->queue, item);
        return;
    }
    met(m, item.rank, item.op, TAN_AFTER_START);
    if (send) {
        *cpu = item.time + m->o + (op->amount - 1) * m->O;
        *nic = item.time + m->g + (op->amount - 1) * m->G;
        append(&m->queue, (struct item){.time = item.time + m->o + m->L,
                                        .number = m->numbers++,
                                        .rank = item.rank,
                                        .op = item.op,
                                        .message = true});
    } else {
        *cpu = item.time + op->amount / TAN_PS_PER_NS;
    }
    if (!send || op->amount <= m->S) {
        met(m, item.rank, item.op, TAN_AFTER_FINISH);
    }
}

static void run_model(struct model *m)
{
    const struct random_schedule *s = m->s;
    for (uint32_t i = 0; i < s->n_edges; i++) {
        m->missing[s->edge[i].rank][s->edge[i].op]++;
    }
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        for (uint32_t op = 0; op < s->n[rank]; op++) {
            if (m->missing[rank][op] == 0) {
                append(&m->ready[rank], (struct item){.rank = rank, .op = op});
            }
        }
    }
    model_release(m);
    while (m->queue.n > 0) {
        uint32_t first = 0;
        for (uint32_t i = 1; i < m->queue.n; i++) {
            const struct item *a = &m->queue.item[i], *b = &m->queue.item[first];
            if (a->time < b->time || (a->time == b->time && a->number < b->number)) {
                first = i;
            }
        }
        const struct item item = take(&m->queue, first);
        if (item.message) {
            model_message(m, item);
        } else if (s->op[item.rank][item.op].kind == TAN_OP_RECV) {
            model_receive(m, item);
        } else {
            model_local(m, item);
        }
        model_release(m);
    }
}

/* Random schedules */

static uint32_t dice_state;

/* 0 .. n - 1 */
static uint32_t dice(uint32_t n)
{
    dice_state = dice_state * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)(dice_state >> 4) * n) >> 28);
}

static const uint64_t sizes[] = {0,   1,   1,    2,    8,     100,
                                 256, 257, 1024, 1025, 70000, UINT64_C(3) << 59};
static const uint64_t durations[] = {0, 1, 10, 500, 7777};
enum { SIZES = sizeof sizes / sizeof *sizes, DURATIONS = sizeof durations / sizeof *durations };

static void add_op(struct random_schedule *s, uint32_t rank, struct tan_op_spec op, uint32_t units)
{
    op.cpu = (uint8_t)(dice(2) * dice(units));
    op.nic = (uint8_t)(op.kind == TAN_OP_CALC ? 0 : dice(2) * dice(units));
    if (s->n[rank] < OPS) {
        s->op[rank][s->n[rank]++] = op;
    }
}

static struct random_schedule *make_random(uint32_t seed)
{
    struct random_schedule *s = calloc(1, sizeof *s);
    assert_non_null(s);
    dice_state = seed;
    s->ranks = 1 + dice(RANKS);
    const uint32_t units = 1 + dice(UNITS), tags = 1 + dice(3), ops = 1 + dice(1 + dice(80));
    const bool wildcards = dice(2), incast = dice(3) == 0;
    /* the first size is 0, and the last one makes times pass 2^64 */
    const uint32_t least = dice(2), most = SIZES - (dice(4) > 0);
    for (uint32_t i = 0; i < ops; i++) {
        const uint32_t from = dice(s->ranks), to = incast ? 0 : dice(s->ranks), kind = dice(10);
        struct tan_op_spec op = {.kind = TAN_OP_SEND,
                                 .amount = sizes[least + dice(most - least)],
                                 .peer = to,
                                 .tag = dice(tags)};
        if (kind < 3) {
            add_op(s, from,
                   (struct tan_op_spec){.kind = TAN_OP_CALC,
                                        .amount = durations[dice(DURATIONS)] * TAN_PS_PER_NS},
                   units);
            continue;
        }
        const bool any_tag = wildcards && dice(8) == 0;
        const uint32_t tag = op.tag;
        op.tag = any_tag && dice(2) ? TAN_ANY_TAG : tag;
        if (kind > 3) {
            add_op(s, from, op, units);
        }
        op.kind = TAN_OP_RECV;
        op.tag = any_tag && dice(2) ? TAN_ANY_TAG : tag;
        op.peer = wildcards && dice(6) == 0 ? TAN_ANY_SOURCE : from;
        op.amount = dice(6) == 0 ? sizes[dice(most)] : op.amount;
        if (kind != 4 || dice(3) > 0) {
            add_op(s, to, op, units);
        }
    }
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        const uint32_t often = 1 + dice(4), hub = dice(4) == 0;
        for (uint32_t op = 1; op < s->n[rank]; op++) {
            for (uint32_t k = dice(2) * dice(often); k > 0; k--) {
                s->edge[s->n_edges++] = (struct edge){
                    .rank = rank,
                    .op = op,
                    .on = hub ? 0 : dice(op),
                    .when = dice(3) == 0 ? TAN_AFTER_START : TAN_AFTER_FINISH,
                };
            }
        }
    }
    return s;
}

static struct tan_schedule *build(const struct random_schedule *s, bool backward)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule_builder *b = tan_schedule_begin(s->ranks, false, &e);
    for (uint32_t i = 0; i < s->ranks; i++) {
        const uint32_t rank = backward ? s->ranks - 1 - i : i;
        uint32_t index;
        tan_schedule_rank(b, rank, &e);
        for (uint32_t op = 0; op < s->n[rank]; op++) {
            tan_schedule_add(b, &s->op[rank][op], 0, &index, &e);
            assert_int_equal(index, op);
        }
        for (uint32_t k = 0; k < s->n_edges; k++) {
            if (s->edge[k].rank == rank) {
                tan_schedule_require(b, s->edge[k].op, s->edge[k].on, s->edge[k].when, &e);
            }
        }
        tan_schedule_rank_end(b, NULL, &e);
    }
    struct tan_schedule *built = tan_schedule_seal(b, &e);
    assert_no_error(e);
    return built;
}

static void check_left(const struct tan_schedule *s, const struct list *left, const uint32_t *ops,
                       uint32_t n)
{
    uint32_t at = 0;
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        for (uint32_t i = 0; i < left[rank].n; i++) {
            const struct item *item = &left[rank].item[i];
            assert_true(at < n);
            assert_int_equal(ops[at++], s->first_op[item->rank] + item->op);
        }
    }
    assert_int_equal(at, n);
}

static void compare(const struct random_schedule *random, const uint64_t v[6], bool backward)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_sim_params p = whole(v[0], v[1], v[2], v[3], v[4], v[5]);
    struct model *m = calloc(1, sizeof *m);
    assert_non_null(m);
    *m = (struct model){
        .s = random, .L = v[0], .o = v[1], .g = v[2], .G = v[3], .O = v[4], .S = v[5]};
    run_model(m);
    struct tan_schedule *s = build(random, backward);
    struct tan_simulation r;
    struct tan_compatible_times times;
    assert_int_equal(tan_simulate_compatible(s, &p, &r, &times, &e), 0);
    uint64_t last = 0;
    assert_int_equal(r.events, m->numbers);
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        uint64_t finish = 0;
        for (uint32_t c = 0; c < UNITS; c++) {
            finish = later(finish, m->cpu[rank][c]);
        }
        assert_int_equal(times.rank_ns[rank], finish);
        last = later(last, finish);
    }
    assert_int_equal(times.last_ns, last);
    assert_int_equal(times.rank_ns[r.last_rank], last);
    for (uint32_t rank = 0; rank < r.last_rank; rank++) {
        assert_true(times.rank_ns[rank] < last);
    }
    check_left(s, m->arrived, r.unexpected, r.n_unexpected);
    check_left(s, m->posted, r.unmatched, r.n_unmatched);
    tan_simulation_clear(&r);
    tan_compatible_times_clear(&times);
    tan_schedule_destroy(s);
    free(m);
}

TEST(as_its_rules_say)
{
    /* Some let clocks go back: 0 bytes for less than nothing, or times beyond 2^64. */
    static const uint64_t params[][6] = {
        {2500, 1500, 1000, 6, 0, 65535},
        {1000, 200, 400, 1, 0, 8192},
        {1800, 700, 1200, 3, 2, 1024},
        {600, 100, 50, 1, 4, 256},
        {500, 50, 5000, 2, 1, 4096},
        {0, 0, 0, 0, 0, 65535},
        {1, 1, 1, 1, 1, 1},
        {100000, 5000, 20000, 10, 0, 100},
        {10, 3, 7, 20, 50, 100},
        {0, 0, 0, 5, 3, 0},
        {100, 40, 2, 30, 45, 256},
        {UINT64_C(1) << 43, 1, UINT64_C(1) << 42, UINT64_C(1) << 41, 1, 100},
        {7, 0, 10, 3, 0, 1000},
    };
    const uint32_t schedules = thorough() ? 6000 : 1500;
    for (uint32_t seed = 1; seed <= schedules; seed++) {
        struct random_schedule *random = make_random(seed * 7919);
        compare(random, params[seed % (sizeof params / sizeof *params)], seed & 16);
        free(random);
    }
}

/* A dependent on another CPU runs in the past. So the message of rank 0 is sent first and comes to
 * rank 2 after that of rank 1; both wait for its calculation, and then the first one goes first. */
TEST(older_message_comes_later)
{
    static const uint64_t free_of_cost[6] = {0, 0, 0, 0, 0, 100};
    static const struct random_schedule s = {
        .ranks = 3,
        .n = {3, 2, 4},
        .op = {{{.kind = TAN_OP_CALC, .amount = 100 * TAN_PS_PER_NS},
                {.kind = TAN_OP_SEND, .amount = 8, .peer = 2},
                {.kind = TAN_OP_SEND, .amount = 8, .peer = 1, .cpu = 1, .nic = 1}},
               {{.kind = TAN_OP_RECV, .amount = 8, .peer = 0},
                {.kind = TAN_OP_SEND, .amount = 8, .peer = 2}},
               {{.kind = TAN_OP_CALC, .amount = 200 * TAN_PS_PER_NS},
                {.kind = TAN_OP_RECV, .amount = 8, .peer = TAN_ANY_SOURCE},
                {.kind = TAN_OP_RECV, .amount = 8, .peer = 1},
                {.kind = TAN_OP_RECV, .amount = 8, .peer = 1}}},
        .edge = {{0, 1, 0, TAN_AFTER_FINISH},
                 {0, 2, 1, TAN_AFTER_START},
                 {1, 1, 0, TAN_AFTER_FINISH}},
        .n_edges = 3,
    };
    compare(&s, free_of_cost, false);
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *built = build(&s, false);
    const struct tan_sim_params p = whole(0, 0, 0, 0, 0, 100);
    struct tan_simulation r;
    struct tan_compatible_times times;
    assert_int_equal(tan_simulate_compatible(built, &p, &r, &times, &e), 0);
    assert_int_equal(r.n_unexpected, 0);
    assert_int_equal(r.n_unmatched, 1);
    assert_int_equal(r.unmatched[0], built->first_op[2] + 3);
    tan_simulation_clear(&r);
    tan_compatible_times_clear(&times);
    tan_schedule_destroy(built);
}

static struct tan_schedule *one_rank(const struct tan_op_spec *op)
{
    struct tan_error e = TAN_ERROR_INIT;
    uint32_t index;
    struct tan_schedule_builder *b = tan_schedule_begin(3, false, &e);
    tan_schedule_rank(b, 1, &e);
    if (op != NULL) {
        tan_schedule_add(b, op, 0, &index, &e);
    }
    tan_schedule_rank_end(b, NULL, &e);
    struct tan_schedule *s = tan_schedule_seal(b, &e);
    assert_no_error(e);
    return s;
}

TEST(nothing_to_do)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = one_rank(NULL);
    struct tan_simulation r;
    struct tan_compatible_times times;
    assert_int_equal(tan_simulate_compatible(s, &tan_sim_defaults, &r, &times, &e), 0);
    assert_int_equal(r.events + times.last_ns + r.last_rank + r.n_unexpected + r.n_unmatched, 0);
    for (int rank = 0; rank < 3; rank++) {
        assert_int_equal(times.rank_ns[rank], 0);
    }
    tan_simulation_clear(&r);
    tan_compatible_times_clear(&times);
    tan_schedule_destroy(s);
}

TEST(only_nanoseconds)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_simulation r;
    struct tan_compatible_times times;
    struct tan_schedule *s = one_rank(&(struct tan_op_spec){.kind = TAN_OP_CALC, .amount = 1500});
    assert_int_equal(tan_simulate_compatible(s, &tan_sim_defaults, &r, &times, &e), -1);
    assert_error(e, TAN_FAILED,
                 "operation 1 of rank 1 calculates for 1.500 ns: LogGOPSim counts whole");
    tan_schedule_destroy(s);

    s = one_rank(&(struct tan_op_spec){.kind = TAN_OP_CALC, .amount = 5000});
    struct tan_sim_params p = tan_sim_defaults;
    p.within.L++; /* not used */
    assert_int_equal(tan_simulate_compatible(s, &p, &r, &times, &e), 0);
    assert_int_equal(times.rank_ns[1], 5);
    assert_null(r.rank_finish); /* which would be picoseconds */
    assert_int_equal(r.finish, 0);
    tan_simulation_clear(&r);
    tan_compatible_times_clear(&times);
    p.between.G = 1234;
    assert_int_equal(tan_simulate_compatible(s, &p, &r, &times, &e), -1);
    assert_error(e, TAN_FAILED, "G is 1.234 ns");
    p = tan_sim_defaults;
    p.between.g = 999;
    assert_int_equal(tan_simulate_compatible(s, &p, &r, &times, &e), -1);
    assert_error(e, TAN_FAILED, "g is 0.999 ns");
    tan_schedule_destroy(s);
}

/* Every event comes out once, and none before a lower one that is in. */
TEST(events_in_order)
{
    enum { EVENTS = 5000 };
    static bool in[EVENTS];
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_event_heap heap = {0};
    struct tan_heap_event event;
    static uint64_t time[EVENTS];
    uint32_t pushed = 0, taken = 0;
    dice_state = 1;
    while (taken < EVENTS) {
        if (pushed < EVENTS && dice(3) > 0) {
            time[pushed] = dice(2) ? dice(100) : pushed / 8;
            event = (struct tan_heap_event){
                .time = time[pushed], .number = pushed, .what = EVENTS - pushed};
            assert_int_equal((dice(2) ? tan_heap_push : tan_heap_push_late)(&heap, event, &e), 0);
            in[pushed++] = true;
        } else if (tan_heap_take(&heap, &event)) {
            assert_true(in[event.number]);
            assert_int_equal(event.time, time[event.number]);
            assert_int_equal(event.what, EVENTS - event.number);
            in[event.number] = false;
            taken++;
            for (uint32_t i = 0; i < pushed; i++) {
                assert_true(!in[i] || time[i] > event.time ||
                            (time[i] == event.time && i > event.number));
            }
        } else {
            assert_int_equal(taken, pushed);
        }
    }
    assert_false(tan_heap_take(&heap, &event));
    tan_heap_clear(&heap);
}

RUN_TESTS(NULL, NULL)
