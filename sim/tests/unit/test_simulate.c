/* test_simulate.c - simulation: closed forms, and LogGOPSim's results where both must agree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <glob.h>
#include <stdlib.h>

#include "sim/engine/noise.h"
#include "sim/engine/simulation.h"
#include "sim/goal/goal.h"
#include "sim/loggopsim/compatible.h"

static const uint64_t NS = 1000;

static struct tan_schedule *parse(const char *text)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = tan_goal_parse(text, strlen(text), "test", false, &e);
    assert_no_error(e);
    return s;
}

/* Finish times in picoseconds; the caller clears the result. */
static struct tan_simulation simulate(const char *text, const struct tan_sim_params *p)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = parse(text);
    struct tan_simulation r;
    assert_int_equal(tan_simulate(s, p, true, &r, &e), 0);
    assert_no_error(e);
    tan_schedule_destroy(s);
    return r;
}

static uint64_t finish_of(const char *text, const struct tan_sim_params *p, uint32_t rank)
{
    struct tan_simulation r = simulate(text, p);
    const uint64_t finish = r.rank_finish[rank];
    assert_int_equal(r.n_unexpected + r.n_unmatched + r.n_blocked + r.n_unfinished, 0);
    tan_simulation_clear(&r);
    return finish;
}

static const char one_message[] = "num_ranks 2\n"
                                  "rank 0 { send 1001b to 1 }\n"
                                  "rank 1 { recv 1001b from 0 }\n";

static struct tan_sim_params params(struct tan_link link)
{
    struct tan_sim_params p = tan_sim_defaults;
    p.within = p.between = link;
    p.control = link.o;
    return p;
}

/* An isolated message takes o + L + o + the larger of G and O for its bytes; the sender is busy for
 * o and O. */
TEST(test_one_message)
{
    struct tan_sim_params p = params((struct tan_link){.L = 700, .o = 30, .g = 90, .G = 2, .O = 1});
    assert_int_equal(finish_of(one_message, &p, 0), 30 + 1000);
    assert_int_equal(finish_of(one_message, &p, 1), 30 + 700 + 30 + 2000);
    p = params((struct tan_link){.L = 700, .o = 30, .g = 90, .G = 2, .O = 3});
    assert_int_equal(finish_of(one_message, &p, 1), 30 + 700 + 30 + 3000);
    /* Fractions of a picosecond a byte count: 1000 bytes at 0.0004. */
    p = params((struct tan_link){.L = 0, .o = 0, .g = 0, .G = 0.0014, .O = 0});
    assert_int_equal(finish_of(one_message, &p, 1), 1);
}

/* A message of no bytes costs what one of one byte does. */
TEST(test_no_bytes)
{
    const char text[] = "num_ranks 2\nrank 0 { send 0b to 1 }\nrank 1 { recv 0b from 0 }\n";
    assert_int_equal(finish_of(text, &tan_sim_defaults, 1), (1500 + 2500 + 1500) * NS);
}

/* Messages back to back leave, and are received, every max(o + O, g + G) and max(o + G, g + G). */
TEST(test_back_to_back)
{
    const char text[] = "num_ranks 2\n"
                        "rank 0 { send 1b to 1\n send 1b to 1\n send 1b to 1 }\n"
                        "rank 1 { recv 1b from 0\n recv 1b from 0\n recv 1b from 0 }\n";
    struct tan_sim_params p = params((struct tan_link){.L = 1000, .o = 30, .g = 90});
    assert_int_equal(finish_of(text, &p, 0), 2 * 90 + 30);
    assert_int_equal(finish_of(text, &p, 1), 2 * 90 + 30 + 1000 + 30);
    p = params((struct tan_link){.L = 1000, .o = 90, .g = 30});
    assert_int_equal(finish_of(text, &p, 1), 3 * 90 + 1000 + 90);
}

/* What waits on one CPU for what another one does waits until that has finished. */
TEST(test_several_cpus)
{
    assert_int_equal(finish_of("num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 500 cpu 1\n"
                               "b requires a\n}\n",
                               &tan_sim_defaults, 0),
                     1500 * NS);
    assert_int_equal(finish_of("num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 500 cpu 1\n"
                               "b irequires a\n}\n",
                               &tan_sim_defaults, 0),
                     1000 * NS);
    /* The latest of several predecessors counts, in whatever order they finish. */
    assert_int_equal(finish_of("num_ranks 1\nrank 0 {\na: calc 900 cpu 1\nb: calc 50 cpu 2\n"
                               "c: calc 7 cpu 3\nc requires a\nc requires b\n}\n",
                               &tan_sim_defaults, 0),
                     907 * NS);
    /* A message is charged to the CPU of the receive, not of the send: the calculation on CPU 0
     * goes on beside it. */
    struct tan_sim_params p = params((struct tan_link){.L = 100, .o = 30, .g = 90});
    assert_int_equal(finish_of("num_ranks 2\nrank 0 { send 1b to 1 }\n"
                               "rank 1 { calc 1\n recv 1b from 0 cpu 1 }\n",
                               &p, 1),
                     1 * NS);
    assert_int_equal(finish_of("num_ranks 2\nrank 0 { send 1b to 1 cpu 1 }\n"
                               "rank 1 { calc 1\n recv 1b from 0 }\n",
                               &p, 1),
                     1 * NS + 30);
    /* Two NICs send side by side where the CPU allows it, one does not. */
    assert_int_equal(finish_of("num_ranks 2\nrank 0 { send 1b to 1\n send 1b to 1 nic 1 }\n"
                               "rank 1 { recv 1b from 0\n recv 1b from 0 nic 1 }\n",
                               &p, 1),
                     30 + 30 + 100 + 30);
}

/* A message that comes before its receive waits for it, and then costs its overhead. */
TEST(test_late_receive)
{
    struct tan_sim_params p = params((struct tan_link){.L = 100, .o = 30, .g = 90});
    assert_int_equal(finish_of("num_ranks 2\nrank 0 { send 1b to 1 }\n"
                               "rank 1 {\na: calc 5\nb: recv 1b from 0\nb requires a\n}\n",
                               &p, 1),
                     5 * NS + 30);
}

/* Any source and any tag take what came first; order within a source holds. */
TEST(test_wildcards)
{
    struct tan_sim_params p = params((struct tan_link){.L = 100, .o = 10, .g = 10});
    struct tan_simulation r =
        simulate("num_ranks 3\n"
                 "rank 0 {\na: calc 1\nb: send 1b to 2 tag 7\nb requires a\n}\n"
                 "rank 1 {\nsend 1b to 2 tag 8\n}\n"
                 "rank 2 {\nrecv 1b from -1 tag -1\nrecv 1b from 0 tag -1\n}\n",
                 &p);
    /* operations: 0 calc, 1 send tag 7, 2 send tag 8, 3 and 4 the receives */
    assert_int_equal(r.history[3].match, 2);
    assert_int_equal(r.history[4].match, 1);
    tan_simulation_clear(&r);
}

/* S bytes are eager, S + 1 are not: then what waits for the send waits for the receive. */
TEST(test_rendezvous)
{
    struct tan_sim_params p = params((struct tan_link){.L = 100, .o = 30, .g = 90});
    const char text[] = "num_ranks 2\nrank 0 {\na: send 1001b to 1\nb: calc 2\nb requires a\n}\n"
                        "rank 1 {\na: calc 5\nb: recv 1001b from 0\nb requires a\n}\n";
    p.S = 1001;
    assert_int_equal(finish_of(text, &p, 0), 30 + 2 * NS);
    p.S = 1000;
    assert_int_equal(finish_of(text, &p, 0), 5 * NS + 2 * NS);
    assert_int_equal(finish_of(text, &p, 1), 5 * NS + 30);
    /* Matched while its own bytes still keep its CPU busy, a send finishes after them. */
    p = params((struct tan_link){.L = 100, .o = 30, .g = 90, .O = 1});
    p.S = 1000;
    assert_int_equal(finish_of("num_ranks 2\n"
                               "rank 0 {\na: send 1001b to 1\nb: calc 2 cpu 1\nb requires a\n}\n"
                               "rank 1 { recv 1001b from 0 }\n",
                               &p, 0),
                     30 + 1000 + 2 * NS);
}

/* LogGPO's end-to-end times where the receive is posted first: 4 O' + 3 L + o + (s - 1) G. */
TEST(test_handshakes)
{
    struct tan_sim_params p = params((struct tan_link){.L = 700, .o = 30, .g = 90, .G = 2, .O = 0});
    p.S = 1000;
    p.control = 11;
    const uint64_t end = 4 * 11 + 3 * 700 + 30 + 2000;
    p.handshake = TAN_HANDSHAKE_RAT;
    assert_int_equal(finish_of(one_message, &p, 1), end);
    /* The sender: request, 2 L and the receiver's two control messages, then its own transfer. */
    assert_int_equal(finish_of(one_message, &p, 0), 4 * 11 + 2 * 700 + 30);
    p.handshake = TAN_HANDSHAKE_RTA;
    assert_int_equal(finish_of(one_message, &p, 1), end);
    assert_int_equal(finish_of(one_message, &p, 0), end + 700); /* the acknowledgement */
    /* A receiver that comes late delays the data, not only the sender's completion. */
    p.handshake = TAN_HANDSHAKE_RAT;
    assert_int_equal(finish_of("num_ranks 2\nrank 0 { send 1001b to 1 }\n"
                               "rank 1 {\na: calc 5\nb: recv 1001b from 0\nb requires a\n}\n",
                               &p, 1),
                     5 * NS + 3 * 11 + 2 * 700 + 30 + 2000);
    /* An eager message does not care. */
    p.S = 1001;
    assert_int_equal(finish_of(one_message, &p, 1), 30 + 700 + 30 + 2000);
}

/* Three messages of 1001 bytes that arrive at once: the receiver's NIC takes one each g + (s - 1)
 * G, and the last one needs another (s - 1) G. The receiver's control messages, 22 apart, are
 * faster. */
TEST(test_handshakes_into_one)
{
    struct tan_sim_params p = params((struct tan_link){.L = 700, .o = 30, .g = 90, .G = 2, .O = 0});
    p.S = 1000;
    p.control = 11;
    const enum tan_handshake handshakes[] = {TAN_HANDSHAKE_RAT, TAN_HANDSHAKE_RTA};
    for (size_t i = 0; i < 2; i++) {
        at_row("handshake %zu", i);
        p.handshake = handshakes[i];
        assert_int_equal(finish_of("num_ranks 4\n"
                                   "rank 0 { recv 1001b from 1\n recv 1001b from 2\n"
                                   "recv 1001b from 3 }\n"
                                   "rank 1 { send 1001b to 0 }\nrank 2 { send 1001b to 0 }\n"
                                   "rank 3 { send 1001b to 0 }\n",
                                   &p, 0),
                         4 * 11 + 3 * 700 + 30 + 2 * (90 + 2000) + 2000);
    }
}

/* Messages within a host and between hosts. */
TEST(test_hosts)
{
    struct tan_sim_params p = tan_sim_defaults;
    p.within = (struct tan_link){.L = 10, .o = 1};
    p.between = (struct tan_link){.L = 1000, .o = 100};
    p.ranks_per_host = 2;
    const char text[] = "num_ranks 4\nrank 0 { send 1b to 1\nsend 1b to 2 }\n"
                        "rank 1 { recv 1b from 0 }\nrank 2 { recv 1b from 0 }\nrank 3 { }\n";
    struct tan_simulation r = simulate(text, &p);
    assert_int_equal(r.rank_finish[1], 12);
    assert_int_equal(r.rank_finish[2], 1 + 100 + 1000 + 100);
    tan_simulation_clear(&r);
    const uint32_t host_of[] = {0, 1, 0, 1};
    p.host_of = host_of;
    r = simulate(text, &p);
    assert_int_equal(r.rank_finish[1], 100 + 1000 + 100);
    assert_int_equal(r.rank_finish[2], 100 + 1 + 10 + 1);
    tan_simulation_clear(&r);
}

/* What never happens, and why. */
TEST(test_leftovers)
{
    struct tan_sim_params p = tan_sim_defaults;
    struct tan_simulation r =
        simulate("num_ranks 2\n"
                 "rank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb requires a\n}\n"
                 "rank 1 {\na: recv 1b from 0\nb: send 1b to 0\nb requires a\n}\n",
                 &p);
    assert_int_equal(r.n_unmatched, 2);
    assert_int_equal(r.n_blocked, 2);
    assert_int_equal(r.n_unexpected, 0);
    const uint32_t receives[] = {0, 2}, sends[] = {1, 3};
    assert_memory_equal(r.unmatched, receives, sizeof receives);
    assert_memory_equal(r.blocked, sends, sizeof sends);
    tan_simulation_clear(&r);
    /* Two long messages that cross: each send waits for the other rank's receive behind it. */
    p.S = 10;
    r = simulate("num_ranks 2\n"
                 "rank 0 {\na: send 11b to 1\nb: recv 11b from 1\nb requires a\n}\n"
                 "rank 1 {\na: send 11b to 0\nb: recv 11b from 0\nb requires a\n}\n",
                 &p);
    assert_int_equal(r.n_unfinished, 2);
    assert_int_equal(r.n_unexpected, 2);
    assert_int_equal(r.n_blocked, 2);
    tan_simulation_clear(&r);
    /* What waits only for the start of an unfinished send has run. */
    r = simulate("num_ranks 2\nrank 0 {\na: send 11b to 1\nb: calc 5\nb irequires a\n"
                 "c: calc 9\nc requires a\n}\nrank 1 { }\n",
                 &p);
    assert_int_equal(r.n_blocked, 1);
    assert_int_equal(r.blocked[0], 2);
    assert_int_equal(r.rank_finish[0], (1500 + 5) * NS);
    tan_simulation_clear(&r);
}

TEST(test_too_long)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = parse("num_ranks 1\nrank 0 {\na: calc 4000000000000000\n"
                                   "b: calc 4000000000000000\nb requires a\n}\n");
    struct tan_simulation r;
    assert_int_equal(tan_simulate(s, &tan_sim_defaults, false, &r, &e), -1);
    assert_error(e, TAN_FAILED, "2^62");
    tan_schedule_destroy(s);
}

/* Noise lengthens the latency of a message by what is drawn for its send. */
TEST(test_noise)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_noise *noise = tan_noise_parse("exponential:500ns", 7, &e);
    assert_no_error(e);
    struct tan_sim_params p = params((struct tan_link){.L = 700, .o = 30, .g = 90});
    p.noise = noise;
    assert_int_equal(finish_of(one_message, &p, 1), 30 + 700 + tan_noise_draw(noise, 0) + 30);
    tan_noise_destroy(noise);
}

/* Where LogGOPSim is sound (one CPU and NIC, no empty messages, no message that is there before its
 * receive), its results are ours, ties and all. */
static void check_against_compatible(const char *path, int *compared)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = tan_goal_load(path, true, &e);
    assert_no_error(e);
    for (int set = 0; set < 3; set++) {
        static const struct tan_link links[] = {
            {.L = 2500000, .o = 1500000, .g = 1000000, .G = 6000, .O = 0},
            {.L = 1800000, .o = 700000, .g = 1200000, .G = 3000, .O = 2000},
            {.L = 500000, .o = 50000, .g = 5000000, .G = 2000, .O = 1000}};
        struct tan_sim_params p = params(links[set]);
        p.S = set == 0 ? 65535 : 1024;
        struct tan_simulation sound, compatible;
        struct tan_compatible_times times;
        assert_int_equal(tan_simulate(s, &p, true, &sound, &e), 0);
        assert_int_equal(tan_simulate_compatible(s, &p, &compatible, &times, &e), 0);
        bool comparable = s->cpus == 0 && s->nics == 0;
        for (uint32_t op = 0; op < s->n_ops && comparable; op++) {
            const struct tan_history *h = &sound.history[op];
            comparable = tan_op_kind(&s->ops[op]) == TAN_OP_CALC || s->ops[op].amount > 0;
            if (tan_op_kind(&s->ops[op]) == TAN_OP_RECV && h->match != TAN_OP_NONE) {
                comparable = comparable && h->wire >= h->ready;
            }
        }
        comparable = comparable && sound.n_unexpected + sound.n_unmatched == 0;
        if (comparable) {
            (*compared)++;
            assert_int_equal(sound.events, compatible.events);
            for (uint32_t r = 0; r < s->ranks; r++) {
                assert_int_equal(sound.rank_finish[r], times.rank_ns[r] * NS);
            }
        }
        tan_simulation_clear(&sound);
        tan_simulation_clear(&compatible);
        tan_compatible_times_clear(&times);
    }
    tan_schedule_destroy(s);
}

TEST(test_against_compatible)
{
    glob_t files;
    int compared = 0;
    assert_int_equal(glob("sim/tests/oracle/loggopsim/*.goal*", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        check_against_compatible(files.gl_pathv[i], &compared);
    }
    globfree(&files);
    print_message("%d comparisons\n", compared);
    assert_true(compared >= 150);
}

/* Whether two links are equal does not depend on what lies between their members in memory. */
TEST(test_equal_links)
{
    static const struct tan_link wanted = {7, 3, 9, 2, 1, 4, 5, 0, true};
    struct tan_link links[2];
    for (int i = 0; i < 2; i++) {
        memset(&links[i], i == 0 ? 0 : 0xff, sizeof links[i]);
        links[i].L = wanted.L;
        links[i].o = wanted.o;
        links[i].g = wanted.g;
        links[i].G = wanted.G;
        links[i].O = wanted.O;
        links[i].o_more = wanted.o_more;
        links[i].ack_more = wanted.ack_more;
        links[i].held = wanted.held;
    }
    assert_true(tan_link_equal(&links[0], &links[1]));
    static const struct tan_link others[] = {
        {8, 3, 9, 2, 1, 4, 5, 0, true}, {7, 4, 9, 2, 1, 4, 5, 0, true},
        {7, 3, 8, 2, 1, 4, 5, 0, true}, {7, 3, 9, 3, 1, 4, 5, 0, true},
        {7, 3, 9, 2, 2, 4, 5, 0, true}, {7, 3, 9, 2, 1, 3, 5, 0, true},
        {7, 3, 9, 2, 1, 4, 6, 0, true}, {7, 3, 9, 2, 1, 4, 5, 0, false},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(tan_link_equal(&links[0], &others[i]));
    }
}

RUN_TESTS(NULL, NULL)
