/* test_contention.c - samples are told apart by what others did to the cores meanwhile
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "tanbench/host/core_probe.c" /* the programs' folder is not part of the library */

#include "tanbench/p2p/contention.c"

enum { SIZES = 4, PASSES = 100 };
static const double us = 1e-6;

/* Looks at two cores, of which the second is half as fast: free, the leader's slowed, both slowed,
 * threads of one core. */
static const struct p2p_look free_cores = {{5.0e-6, 10.1e-6}, 0.07e-6};
static const struct p2p_look one = {{9.0e-6, 10.0e-6}, 0.08e-6};
static const struct p2p_look other = {{5.0e-6, 16.0e-6}, 0.06e-6};
static const struct p2p_look both = {{7.0e-6, 18.0e-6}, 0.07e-6};
static const struct p2p_look threads = {{5.0e-6, 10.0e-6}, 0.01e-6};

/* Sample `pass` of every size is pass us, seen with `before` and `after`. */
static void see(struct p2p_measurement *m, size_t pass, struct p2p_look before,
                struct p2p_look after)
{
    for (size_t i = 0; i < m->n_sizes; i++) {
        for (int group = 0; group < P2P_GROUPS; group++) {
            p2p_looks(m, i, (enum p2p_group)group, pass)[0] = before;
            p2p_looks(m, i, (enum p2p_group)group, pass)[1] = after;
        }
        for (int t = 0; t < TAN_P2P_TIMINGS; t++) {
            p2p_samples(m, i, (enum tan_p2p_timing)t)[pass] = (double)pass * us;
        }
    }
}

/* All cores free. */
static struct p2p_measurement measurement(void)
{
    struct p2p_measurement m = {
        .n_sizes = SIZES, .size = {1, 8, 64, 512}, .passes = {PASSES, PASSES}};
    m.sample = test_calloc(SIZES * TAN_P2P_TIMINGS * P2P_MOST_PASSES, sizeof *m.sample);
    m.look = test_calloc(SIZES * P2P_GROUPS * P2P_MOST_PASSES * 2, sizeof *m.look);
    for (size_t pass = 0; pass < PASSES; pass++) {
        see(&m, pass, free_cores, free_cores);
    }
    return m;
}

static struct p2p_conditions judged(const struct p2p_measurement *m, const struct tan_p2p *known)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct p2p_conditions c;
    assert_int_equal(p2p_conditions_judge(m, known, &c, &e), 0);
    return c;
}

static void clear(struct p2p_measurement *m, struct p2p_conditions *c)
{
    p2p_conditions_clear(c);
    test_free(m->sample);
    test_free(m->look);
}

static void all_free(void **state)
{
    (void)state;
    struct p2p_measurement m = measurement();
    double sample[PASSES];
    struct p2p_conditions c = judged(&m, NULL);
    assert_int_equal(c.slowed, 0);
    assert_close(c.share[0], 1, 1e-12);
    assert_close(c.work[0], 5e-6, 1e-12);
    assert_close(c.work[1], 10.1e-6, 1e-12);
    assert_close(c.turn, 0.07e-6, 1e-12);
    assert_int_equal(p2p_conditions_take(&c, &m, 2, TAN_P2P_TRAIN, sample), PASSES);
    assert_int_equal(p2p_conditions_select(&c, &m, 2, TAN_P2P_TRAIN, 1, sample), 0);
    clear(&m, &c);
}

/* Passes 0-29 free, 30-59 one slowed, 60-89 both, then 5 mixed and 5 on threads of one core. */
static struct p2p_measurement all_kinds(void)
{
    struct p2p_measurement m = measurement();
    for (size_t pass = 30; pass < PASSES; pass++) {
        const struct p2p_look before = pass < 45   ? one
                                       : pass < 60 ? other
                                       : pass < 90 ? both
                                       : pass < 95 ? one
                                                   : threads;
        see(&m, pass, before, pass >= 90 && pass < 95 ? other : before);
    }
    return m;
}

static void kinds(void **state)
{
    (void)state;
    struct p2p_measurement m = all_kinds();
    double sample[PASSES];
    struct p2p_conditions c = judged(&m, NULL);
    for (int k = 0; k < TAN_P2P_CONDITIONS; k++) {
        assert_close(c.share[k], 0.3, 1e-12);
        assert_int_equal(p2p_conditions_select(&c, &m, 3, TAN_P2P_TRIP, k, sample), 30);
        assert_close(sample[0], 30 * k * us, 1e-12);
        assert_close(sample[29], (30 * k + 29) * us, 1e-12);
    }
    assert_int_equal(p2p_condition_of(&c, 0, P2P_TRAINS, 92), P2P_MIXED);
    assert_int_equal(p2p_condition_of(&c, 0, P2P_TRAINS, 97), P2P_ELSEWHERE);
    assert_int_equal(c.slowed, 0);
    assert_close(c.half[0], 29.0 / 4 * us, 1e-12);
    clear(&m, &c);
}

/* Trips count to the last one, however many passes there were over everything else. */
static void more_trips(void **state)
{
    (void)state;
    struct p2p_measurement m = all_kinds();
    double sample[PASSES];
    m.passes[P2P_TRAINS] = 10;
    struct p2p_conditions c = judged(&m, NULL);
    assert_int_equal(p2p_conditions_select(&c, &m, 0, TAN_P2P_TRIP, 2, sample), 30);
    assert_close(sample[29], 89 * us, 1e-12);
    assert_int_equal(p2p_conditions_take(&c, &m, 0, TAN_P2P_LATE, sample), 10);
    assert_close(c.share[0], 40.0 / 110, 1e-12);
    assert_true(p2p_conditions_quiet(&c, &m));
    clear(&m, &c);
}

/* From one pass on, a group's samples are taken while both cores are slowed. */
static void slow_from(struct p2p_measurement *m, enum p2p_group group, size_t from)
{
    for (size_t i = 0; i < m->n_sizes; i++) {
        for (size_t pass = from; pass < PASSES; pass++) {
            p2p_looks(m, i, group, pass)[0] = both;
            p2p_looks(m, i, group, pass)[1] = both;
        }
    }
}

/* A condition that trips have enough of and another group has not is not chosen, for then the two
 * would be from different ones; a group with few passes is not asked. */
static void in_every_group(void **state)
{
    (void)state;
    static const enum p2p_group others[] = {P2P_TRAINS, P2P_COLD};
    for (size_t k = 0; k < 2; k++) {
        struct p2p_measurement m = measurement();
        m.passes[P2P_COLD] = 50;
        slow_from(&m, P2P_TRIPS, 80);
        slow_from(&m, others[k], 4);
        slow_from(&m, others[1 - k], 40);
        struct p2p_conditions c = judged(&m, NULL);
        double sample[PASSES];
        assert_false(p2p_conditions_quiet(&c, &m));
        assert_int_equal(c.slowed, 2);
        assert_int_equal(p2p_conditions_take(&c, &m, 0, TAN_P2P_COLD, sample), k == 0 ? 10 : 46);
        p2p_conditions_clear(&c);
        m.passes[others[k]] = 19;
        c = judged(&m, NULL);
        assert_true(p2p_conditions_quiet(&c, &m));
        assert_int_equal(c.slowed, 0);
        clear(&m, &c);
    }
}

static void as_known(void **state)
{
    (void)state;
    struct p2p_measurement m = all_kinds();
    struct tan_p2p_size size = {.bytes = 1};
    struct tan_p2p known = {
        .slowed = 2, .work = {NAN, NAN}, .turn = NAN, .size = &size, .n_sizes = 1};
    for (int s = 0; s < TAN_P2P_SERIES; s++) {
        size.value[s] = 1.0;
    }
    size.value[TAN_P2P_HALF_SLOWED] = NAN;
    struct p2p_conditions c = judged(&m, &known);
    assert_int_equal(c.slowed, 2); /* its own */
    p2p_conditions_clear(&c);
    for (size_t pass = 60; pass < 90; pass++) {
        see(&m, pass, one, one);
    }
    c = judged(&m, &known);
    assert_int_equal(c.slowed, 1); /* the other one that it knows */
    p2p_conditions_clear(&c);
    known.work[0] = 4e-6; /* none of these cores was ever free */
    known.work[1] = 8e-6;
    c = judged(&m, &known);
    assert_close(c.work[0], 4e-6, 1e-12);
    assert_close(c.fastest[0], 5e-6, 1e-12);
    assert_close(c.share[0] + c.share[1], 0, 1e-12);
    p2p_conditions_clear(&c);
    known.turn = 0.01e-6; /* and mostly it was elsewhere */
    c = judged(&m, &known);
    assert_int_equal(p2p_condition_of(&c, 0, P2P_TRIPS, 0), P2P_ELSEWHERE);
    assert_true(p2p_condition_of(&c, 0, P2P_TRIPS, 97) != P2P_ELSEWHERE);
    clear(&m, &c);
}

/* Too few of any condition: all that were not taken elsewhere; nothing else: all. */
static void few(void **state)
{
    (void)state;
    struct p2p_measurement m = all_kinds();
    double sample[PASSES];
    m.passes[P2P_TRIPS] = m.passes[P2P_TRAINS] = 4;
    see(&m, 3, threads, threads);
    struct p2p_conditions c = judged(&m, NULL);
    assert_int_equal(c.slowed, TAN_P2P_ANY);
    assert_int_equal(p2p_conditions_take(&c, &m, 0, TAN_P2P_TRIP, sample), 3);
    p2p_conditions_clear(&c);
    struct tan_p2p known = {.slowed = TAN_P2P_ANY, .work = {NAN, NAN}, .turn = 1e-6};
    c = judged(&m, &known);
    assert_int_equal(p2p_conditions_take(&c, &m, 0, TAN_P2P_TRIP, sample), 4);
    clear(&m, &c);
}

/* Between hosts there is no line to pass. */
static void between_hosts(void **state)
{
    (void)state;
    struct p2p_measurement m = measurement();
    struct p2p_look apart = free_cores;
    apart.turn = NAN;
    for (size_t pass = 0; pass < PASSES; pass++) {
        see(&m, pass, apart, apart);
    }
    struct p2p_conditions c = judged(&m, NULL);
    assert_int_equal(c.slowed, 0);
    assert_true(isnan(c.turn));
    clear(&m, &c);
}

/* Somebody who takes part in a call whenever told its number, until told STOP. */
struct partner {
    struct pace_line line;
    _Atomic uint64_t told, done;
};
static const uint64_t STOP = UINT64_MAX;

static void *take_part(void *at)
{
    struct partner *p = at;
    uint64_t call = 0;
    uint64_t told;
    while ((told = atomic_load(&p->told)) != STOP) {
        if (told > call) {
            call = told;
            pace_pass(&p->line, call * PACE_TURNS, false);
            atomic_store(&p->done, call);
        }
    }
    return NULL;
}

/* Turns are counted when both take part at the same time; alone nobody waits for long. */
static void passing(void **state)
{
    (void)state;
    struct partner p = {0};
    pthread_t thread;
    double turn = NAN;
    assert_true(pace_work() > 0);
    assert_true(isnan(pace_pass(&p.line, 0, true)));
    assert_true(isnan(pace_pass(&p.line, PACE_TURNS, false)));
    assert_int_equal(pthread_create(&thread, NULL, take_part, &p), 0);
    for (uint64_t call = 2; call < 20000 && isnan(turn); call++) {
        atomic_store(&p.told, call);
        turn = pace_pass(&p.line, call * PACE_TURNS, true);
        while (atomic_load(&p.done) < call) {
        }
    }
    atomic_store(&p.told, STOP);
    pthread_join(thread, NULL);
    assert_true(turn > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_free),       cmocka_unit_test(kinds),    cmocka_unit_test(more_trips),
        cmocka_unit_test(in_every_group), cmocka_unit_test(as_known), cmocka_unit_test(few),
        cmocka_unit_test(between_hosts),  cmocka_unit_test(passing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
