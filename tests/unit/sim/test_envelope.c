/* test_envelope.c - the fastest of several schedules by a cost, by hand and against simulations
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/patterns.h"
#include "sim/sensitivity/envelope.h"
#include "sim/sensitivity/lowered.h"
#include "tests/unit/check.h"

/* 0 .. n - 1 */
static uint32_t dice(uint32_t n)
{
    static uint64_t state = 7;
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)((state >> 33) % n);
}

/* A function of two lines: from `start` with slope `a`, from `bend` on with slope `b`. */
static void make_lines(struct tan_response *r, struct tan_response_piece pieces[2], double start,
                       double a, double bend, double b)
{
    const double to = 100;
    *r = (struct tan_response){.cost = TAN_COST_L, .to = to, .start = start, .n_pieces = 2};
    pieces[0] = (struct tan_response_piece){
        .to = bend, .finish_from = start, .finish_to = start + a * bend, .exact = true};
    pieces[1] = (struct tan_response_piece){.from = bend,
                                            .to = to,
                                            .finish_from = pieces[0].finish_to,
                                            .finish_to = pieces[0].finish_to + b * (to - bend),
                                            .exact = true};
    r->pieces = pieces;
}

static void check_part(const struct tan_envelope_part *part, double from, double to, size_t best,
                       uint32_t ties, size_t next, double slower)
{
    assert_close(part->from, from, 1e-9);
    assert_close(part->to, to, 1e-9);
    assert_int_equal(part->best, best);
    assert_int_equal(part->ties, ties);
    assert_int_equal(part->next, next);
    assert_close(part->slower, slower, 1e-9);
}

/* 100 + 4 x, of slope 6 from 60 on, crosses 140 + 2 x at 20, 220; 300 is below that from 80 on. The
 * fourth is the second up to 50, and then grows by 3. */
static void by_hand(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_response r[4];
    struct tan_response_piece pieces[4][2];
    struct tan_envelope envelope;
    make_lines(&r[0], pieces[0], 100, 4, 60, 6);
    make_lines(&r[1], pieces[1], 140, 2, 30, 2);
    make_lines(&r[2], pieces[2], 300, 0, 10, 0);
    make_lines(&r[3], pieces[3], 140, 2, 50, 3);
    assert_int_equal(tan_envelope_find(r, 4, &envelope, &e), 0);
    assert_int_equal(envelope.n_parts, 4);
    check_part(&envelope.parts[0], 0, 20, 0, 1, 1, 160.0 / 140.0 - 1);
    check_part(&envelope.parts[1], 20, 50, 1, 2 + 8, 0, 240.0 / 210.0 - 1);
    check_part(&envelope.parts[2], 50, 80, 1, 2, 3, 285.0 / 270.0 - 1);
    check_part(&envelope.parts[3], 80, 100, 2, 4, 1, 320.0 / 300.0 - 1);
    assert_close(envelope.parts[1].finish_from, 180, 1e-9);
    assert_close(envelope.parts[1].finish_to, 240, 1e-9);
    assert_false(envelope.parts[0].about || envelope.parts[2].about);
    assert_ptr_equal(tan_envelope_at(&envelope, 0), &envelope.parts[0]);
    assert_ptr_equal(tan_envelope_at(&envelope, 19.9), &envelope.parts[0]);
    assert_ptr_equal(tan_envelope_at(&envelope, 20), &envelope.parts[1]);
    assert_ptr_equal(tan_envelope_at(&envelope, 100), &envelope.parts[3]);
    tan_envelope_clear(&envelope);
    /* where 300 crosses the second function, that is only known between simulations */
    r[1].pieces[1].exact = false;
    assert_int_equal(tan_envelope_find(r, 3, &envelope, &e), 0);
    assert_int_equal(envelope.n_parts, 3);
    assert_false(envelope.parts[0].about || envelope.parts[2].about);
    assert_true(envelope.parts[1].about);
    tan_envelope_clear(&envelope);
    /* by itself it is the fastest, and nothing is next */
    assert_int_equal(tan_envelope_find(r, 1, &envelope, &e), 0);
    assert_int_equal(envelope.n_parts, 1);
    check_part(&envelope.parts[0], 0, 100, 0, 1, 0, 0);
    tan_envelope_clear(&envelope);
    /* with rounding of 3, times that differ by no more are equal: the first stays the best until
     * 300 is less by more, and the second one is as fast from 18.5 to 21.5 only */
    r[0].rounded = 3;
    assert_int_equal(tan_envelope_find(r, 2, &envelope, &e), 0);
    assert_int_equal(envelope.n_parts, 2);
    assert_close(envelope.parts[1].from, 20, 1e-9);
    tan_envelope_clear(&envelope);
}

/* Two functions that cross twice within a picosecond: too short to be a range. */
static void narrow(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_response r[2];
    struct tan_response_piece pieces[2][2];
    struct tan_envelope envelope;
    make_lines(&r[0], pieces[0], 100, 10, 1, 0);
    make_lines(&r[1], pieces[1], 105, 0, 1, 20);
    assert_int_equal(tan_envelope_find(r, 2, &envelope, &e), 0);
    assert_int_equal(envelope.n_parts, 1);
    assert_close(envelope.parts[0].from, 0, 0);
    assert_close(envelope.parts[0].to, 100, 0);
    assert_int_equal(envelope.parts[0].best, 0);
    assert_int_equal(envelope.parts[0].next, 1);
    tan_envelope_clear(&envelope);
}

static void lowered(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_lowered l;
    struct tan_sized_link sizes[] = {
        {8, {.L = 700, .o = 50, .G = 2.5, .o_more = -20}, {.L = 300, .o = 40, .G = 4}},
        {64, {.L = 900, .o = 60, .G = 1.5}, {.L = 500, .o = 90, .G = 3}}};
    struct tan_sim_params p = {.between = {.L = 9, .o = 7, .G = 0.5},
                               .within = {.L = 4, .o = 8, .G = 0.75}};
    assert_close(tan_cost_least(&p, TAN_COST_L), 4, 0);
    assert_close(tan_cost_least(&p, TAN_COST_o), 7, 0);
    assert_close(tan_cost_least(&p, TAN_COST_G), 0.5, 0);
    assert_int_equal(tan_lowered_make(&p, TAN_COST_L, 3, &l, &e), 0);
    assert_int_equal(l.params.between.L, 6);
    assert_int_equal(l.params.within.L, 1);
    assert_int_equal(l.params.between.o, 7);
    tan_lowered_clear(&l);
    p.sizes = sizes;
    p.n_sizes = 2;
    assert_close(tan_cost_least(&p, TAN_COST_L), 300, 0);
    assert_close(tan_cost_least(&p, TAN_COST_o), 30, 0); /* of the receiver */
    assert_close(tan_cost_least(&p, TAN_COST_G), 1.5, 0);
    assert_int_equal(tan_lowered_make(&p, TAN_COST_o, 30, &l, &e), 0);
    assert_int_equal(l.params.sizes[0].link.o, 20);
    assert_int_equal(tan_link_o_r(&l.params.sizes[0].link), 0);
    assert_int_equal(l.params.sizes[1].within.o, 60);
    assert_int_equal(sizes[0].link.o, 50);
    tan_lowered_clear(&l);
    assert_int_equal(tan_lowered_make(&p, TAN_COST_G, 1.5, &l, &e), 0);
    assert_close(l.params.sizes[1].link.G, 0, 0);
    assert_close(tan_cost_of(&l.params.sizes[0].within, TAN_COST_G), 2.5, 0);
    tan_lowered_clear(&l);
}

/* Algorithms of collective operations */

enum { ALGORITHMS = 5 };

struct contest {
    struct tan_schedule *s[ALGORITHMS];
    struct tan_response r[ALGORITHMS];
    size_t n;
    struct tan_sim_params p;
};

static void make_contest(struct contest *c, const char *collective, unsigned ranks, uint64_t bytes)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_algorithm *first = tan_algorithms_of(collective);
    c->n = 0;
    for (; first[c->n].collective != NULL && strcmp(first[c->n].collective, collective) == 0;
         c->n++) {
        char spec[80];
        assert_true(c->n < ALGORITHMS);
        snprintf(spec, sizeof spec, "%s:%u", first[c->n].pattern, ranks);
        c->s[c->n] = tan_pattern_build(spec, bytes, &e);
        assert_no_error(e);
    }
}

static void clear_contest(struct contest *c)
{
    for (size_t i = 0; i < c->n; i++) {
        tan_schedule_destroy(c->s[i]);
        tan_response_clear(&c->r[i]);
    }
}

static double simulated(const struct contest *c, size_t i, enum tan_cost cost, double added)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sample sample;
    assert_int_equal(tan_sample_take(c->s[i], &c->p, cost, added, &sample, &e), 0);
    return sample.finish;
}

/* At a random point: the best is one of those that take the least time, and those tied with it take
 * no longer. */
static void check_point(const struct contest *c, const struct tan_envelope *envelope,
                        enum tan_cost cost, double added, double rounded)
{
    const struct tan_envelope_part *part = tan_envelope_at(envelope, added);
    const double best = simulated(c, part->best, cost, added);
    for (size_t i = 0; i < c->n; i++) {
        const double finish = simulated(c, i, cost, added);
        const bool tied = (part->ties >> i & 1) != 0;
        assert_true(best <= finish + rounded);
        assert_true(!tied || finish <= best + rounded);
    }
}

static void algorithms(void **state)
{
    (void)state;
    static const char *const collectives[] = {"allreduce", "barrier", "bcast", "reduce"};
    static const double most[TAN_COSTS] = {4e6, 4e6, 16384};
    struct tan_error e = TAN_ERROR_INIT;
    enum { CONTESTS = 72, POINTS = 30, SIMULATIONS = 300 };
    int changes = 0, ties = 0, checked = 0;
    for (int k = 0; k < CONTESTS; k++) {
        const enum tan_cost cost = (enum tan_cost)(k % TAN_COSTS);
        const char *collective = collectives[k / TAN_COSTS % 4];
        struct contest c = {.n = 0};
        struct tan_envelope envelope;
        double rounded = 1;
        const unsigned ranks = 2 + dice(7);
        const uint64_t bytes = UINT64_C(1) << dice(14);
        const struct tan_link link = {
            .L = dice(2000000), .o = dice(1000000), .g = dice(1000000), .G = dice(8000)};
        c.p = (struct tan_sim_params){.within = link, .between = link, .S = 65535};
        at_row("%s:%u, %d bytes, %c", collective, ranks, (int)bytes, tan_costs[cost].letter);
        make_contest(&c, collective, ranks, bytes);
        bool exact = true;
        for (size_t i = 0; i < c.n; i++) {
            const struct tan_cost_range range = {cost, most[cost]};
            assert_int_equal(
                tan_response_find(c.s[i], &c.p, NULL, &range, SIMULATIONS, &c.r[i], &e), 0);
            exact = exact && c.r[i].exact >= 1;
            rounded = fmax(rounded, 2 * c.r[i].rounded);
        }
        assert_int_equal(tan_envelope_find(c.r, c.n, &envelope, &e), 0);
        for (int i = 0; exact && i < POINTS; i++) {
            check_point(&c, &envelope, cost, floor(most[cost] * dice(1000000) / 1e6), rounded);
        }
        for (size_t i = 0; i < envelope.n_parts; i++) {
            ties += (envelope.parts[i].ties & (envelope.parts[i].ties - 1)) != 0;
        }
        changes += exact ? (int)envelope.n_parts - 1 : 0;
        checked += exact;
        tan_envelope_clear(&envelope);
        clear_contest(&c);
    }
    assert_true(checked > CONTESTS / 2 && changes > 8 && ties > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(narrow),
                                       cmocka_unit_test(lowered), cmocka_unit_test(algorithms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
