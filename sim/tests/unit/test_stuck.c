/* test_stuck.c - jobs that never end: cycles, missing partners, chains of waits
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>

#include "sim/engine/deadlock.h"
#include "sim/goal/goal.h"

struct job {
    struct tan_schedule *schedule;
    struct tan_simulation simulation;
    struct tan_stuck stuck;
};

static struct job simulate(const char *text, const struct tan_sim_params *p)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct job j;
    j.schedule = tan_goal_parse(text, strlen(text), "text", false, &e);
    assert_no_error(e);
    assert_int_equal(tan_simulate(j.schedule, p, false, &j.simulation, &e), 0);
    assert_int_equal(tan_stuck_find(j.schedule, &j.simulation, &j.stuck, &e), 0);
    assert_no_error(e);
    return j;
}

static void clear(struct job *j)
{
    tan_schedule_destroy(j->schedule);
    tan_simulation_clear(&j->simulation);
    tan_stuck_clear(&j->stuck);
}

/* The lines of the steps, and what each waits for. */
static void check_steps(const struct job *j, const int (*wanted)[2], size_t n)
{
    assert_int_equal(j->stuck.n_steps, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(j->schedule->lines[j->stuck.steps[i].op], wanted[i][0]);
        assert_int_equal(j->stuck.steps[i].waits_for, wanted[i][1]);
    }
}

TEST(ended)
{
    struct job j = simulate("num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n",
                            &tan_sim_defaults);
    assert_true(tan_ended_well(&j.simulation));
    assert_int_equal(j.stuck.n_steps, 0);
    clear(&j);
}

/* Two ranks that both receive first; a third that depends on the circle but is not part of it. */
TEST(circle)
{
    struct job j = simulate("num_ranks 3\n"
                            "rank 2 {\n"
                            "a: recv 8b from 0 tag 5\n"
                            "b: calc 5\n"
                            "b requires a\n"
                            "}\n"
                            "rank 0 {\n"
                            "a: recv 8b from 1\n"
                            "b: send 8b to 1\n"
                            "c: send 8b to 2 tag 5\n"
                            "b requires a\n"
                            "c requires b\n"
                            "}\n"
                            "rank 1 {\n"
                            "a: recv 8b from 0\n"
                            "b: calc 7\n"
                            "c: send 8b to 0\n"
                            "b irequires a\n"
                            "c requires b\n"
                            "c requires a\n"
                            "}\n",
                            &tan_sim_defaults);
    assert_false(tan_ended_well(&j.simulation));
    assert_true(j.stuck.circle);
    static const int steps[][2] = {{9, TAN_WAITS_FINISH},
                                   {8, TAN_WAITS_MESSAGE},
                                   {17, TAN_WAITS_FINISH},
                                   {15, TAN_WAITS_MESSAGE}};
    check_steps(&j, steps, 4);
    clear(&j);
}

TEST(missing_partners)
{
    struct tan_sim_params p = tan_sim_defaults;
    /* rank 1 waits for a message with a tag that nobody sends, and rank 0 for rank 1 */
    struct job j = simulate("num_ranks 2\n"
                            "rank 0 {\n"
                            "a: recv 8b from -1\n"
                            "b: calc 1\n"
                            "b requires a\n"
                            "}\n"
                            "rank 1 {\n"
                            "a: recv 8b from 0 tag 3\n"
                            "b: send 8b to 0\n"
                            "b requires a\n"
                            "}\n",
                            &p);
    assert_false(j.stuck.circle);
    static const int steps[][2] = {{4, TAN_WAITS_FINISH},
                                   {3, TAN_WAITS_MESSAGE},
                                   {9, TAN_WAITS_FINISH},
                                   {8, TAN_WAITS_NOBODY}};
    check_steps(&j, steps, 4);
    clear(&j);

    /* a message that nobody receives: nothing is blocked when it is short ... */
    static const char lost[] =
        "num_ranks 2\nrank 0 {\na: send 8b to 1\nb: calc 3\nb requires a\n}\n"
        "rank 1 {\n}\n";
    j = simulate(lost, &p);
    assert_false(tan_ended_well(&j.simulation));
    assert_int_equal(j.simulation.n_unexpected, 1);
    assert_int_equal(j.stuck.n_steps, 0);
    clear(&j);
    /* ... and its sender when it is long */
    p.S = 7;
    j = simulate(lost, &p);
    static const int sender[][2] = {{4, TAN_WAITS_FINISH}, {3, TAN_WAITS_NOBODY}};
    check_steps(&j, sender, 2);
    clear(&j);
}

/* Long messages both ways: each receive waits for the rank's own send. */
TEST(rendezvous)
{
    static const char text[] = "num_ranks 2\n"
                               "rank 0 {\n"
                               "a: send 8b to 1\n"
                               "b: recv 8b from 1\n"
                               "b requires a\n"
                               "}\n"
                               "rank 1 {\n"
                               "a: send 8b to 0\n"
                               "b: recv 8b from 0\n"
                               "b requires a\n"
                               "}\n";
    struct tan_sim_params p = tan_sim_defaults;
    struct job j = simulate(text, &p);
    assert_true(tan_ended_well(&j.simulation));
    clear(&j);
    p.S = 4;
    static const enum tan_handshake handshakes[] = {TAN_HANDSHAKE_NONE, TAN_HANDSHAKE_RAT,
                                                    TAN_HANDSHAKE_RTA, TAN_HANDSHAKE_FETCH};
    for (size_t i = 0; i < sizeof handshakes / sizeof handshakes[0]; i++) {
        p.handshake = handshakes[i];
        j = simulate(text, &p);
        assert_true(j.stuck.circle);
        static const int steps[][2] = {{4, TAN_WAITS_FINISH},
                                       {3, TAN_WAITS_RECEIVE},
                                       {9, TAN_WAITS_FINISH},
                                       {8, TAN_WAITS_RECEIVE}};
        check_steps(&j, steps, 4);
        clear(&j);
    }
}

/* A ring of many ranks that all receive first. */
TEST(long_circle)
{
    enum { RANKS = 20000 };
    char *text = malloc(RANKS * 100);
    size_t used = (size_t)sprintf(text, "num_ranks %d\n", RANKS);
    for (int r = 0; r < RANKS; r++) {
        used += (size_t)sprintf(text + used,
                                "rank %d {\na: recv 1b from %d\nb: send 1b to %d\n"
                                "b requires a\n}\n",
                                r, (r + RANKS - 1) % RANKS, (r + 1) % RANKS);
    }
    struct job j = simulate(text, &tan_sim_defaults);
    assert_true(j.stuck.circle);
    assert_int_equal(j.stuck.n_steps, 2 * RANKS);
    clear(&j);
    free(text);
}

RUN_TESTS(NULL, NULL)
