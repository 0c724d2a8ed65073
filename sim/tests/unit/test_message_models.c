/* test_message_models.c - message models against parameters worked out by hand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <glob.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/json.h"
#include "model/machine/p2p.h"
#include "sim/engine/simulation.h"
#include "sim/goal/goal.h"
#include "sim/schedule/message_models.h"

static const uint64_t US = 1000000;

/* Up to 1000 bytes 2 + 1 + 3 us, beyond 2 + 1 + 0.1 k. */
static const char block[] =
    "{\"eager_bytes\": 1000, \"transfer\": \"RTA\", \"progress\": \"dependent\", \"sections\": ["
    "{\"to_bytes\": 1000, \"L_us\": 1, \"L_us_per_byte\": 0, \"o_s_us\": 2, \"o_r_us\": 3, "
    "\"g_us\": 4, \"G_us_per_byte\": 0.01},"
    "{\"from_bytes\": 1001, \"L_us\": 1, \"L_us_per_byte\": 0, \"o_s_us\": 2, \"o_r_us\": 0, "
    "\"O_r_us_per_byte\": 0.1, \"g_us\": 5, \"G_us_per_byte\": 0.1}], \"sizes\": ["
    "{\"bytes\": 1, \"half_us\": 6}, {\"bytes\": 1000, \"half_us\": 6}, "
    "{\"bytes\": 2000, \"half_us\": 203}]}";

static struct tan_p2p *messages_of(const char *text)
{
    struct tan_error e = TAN_ERROR_INIT;
    json_t *object = tan_json_parse(text, strlen(text), "m.json", &e);
    struct tan_p2p *p = tan_p2p_parse(object, "m.json", &e);
    assert_no_error(e);
    json_decref(object);
    return p;
}

static struct tan_p2p *messages(void)
{
    return messages_of(block);
}

static struct tan_schedule *parse(const char *text)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = tan_goal_parse(text, strlen(text), "test", false, &e);
    assert_no_error(e);
    return s;
}

static struct tan_sim_params params_of(const char *model, uint64_t bytes)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_machine machine = {.messages = messages()};
    struct tan_sim_params p = tan_sim_defaults;
    struct tan_sized_link *links;
    assert_int_equal(tan_message_model_params(tan_message_model_find(model), &machine, "m.json",
                                              bytes, NULL, &p, &links, &e),
                     0);
    assert_no_error(e);
    assert_null(links);
    assert_int_equal(machine.messages->progress, TAN_PROGRESS_DEPENDENT);
    tan_p2p_destroy(machine.messages);
    return p;
}

TEST(loggp)
{
    const struct tan_sim_params p = params_of("loggp", 2001);
    assert_int_equal(p.between.o, 2 * US);
    assert_int_equal(tan_link_o_r(&p.between), 3 * US);
    /* RTA: 2 o_s + 2 L + o_r + 2000 G; what o_s, o_r and the gaps leave is latency */
    assert_int_equal(p.between.L, 4 * US);
    assert_int_equal(p.between.g, 5 * US); /* of the size's section */
    assert_close(p.between.G, 0.1e6, 1e-12);
    assert_int_equal(p.S, TAN_SCHEDULE_MAX_BYTES);
    assert_int_equal(p.handshake, TAN_HANDSHAKE_NONE);
    assert_false(p.in_calls);
}

TEST(by_protocol)
{
    struct tan_sim_params p = params_of("fitted", 2000);
    assert_int_equal(p.S, 1000);
    assert_int_equal(p.handshake, TAN_HANDSHAKE_FETCH);
    assert_true(p.in_calls);
    assert_int_equal(p.between.o + p.between.L + tan_link_o_r(&p.between), 203 * US);
    p = params_of("loggops", 2000);
    assert_int_equal(p.handshake, TAN_HANDSHAKE_NONE);
    assert_int_equal(p.S, 1000);
    assert_false(p.in_calls);
    p = params_of("independent", 2000);
    assert_int_equal(p.handshake, TAN_HANDSHAKE_RTA);
    assert_false(p.in_calls);
    assert_null(tan_message_model_find("tan"));
}

/* One message takes as long, and all of its time is processor time. */
TEST(no_overlap)
{
    const struct tan_sim_params p = params_of("no-overlap", 500);
    assert_int_equal(p.between.o, 2 * US);
    assert_int_equal(p.between.L, US);
    assert_int_equal(tan_link_o_r(&p.between), 3 * US);
    assert_true(p.between.held);
    assert_false(params_of("fitted", 500).between.held);
}

/* A long message comes while its receiver computes for the first of two times. */
TEST(in_calls)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sim_params p = tan_sim_defaults;
    struct tan_simulation r;
    struct tan_schedule *s = parse("num_ranks 2\nrank 0 { send 100b to 1 }\nrank 1 {\n"
                                   "r: recv 100b from 0\na: calc 5\nb: calc 7\nw: calc 0\n"
                                   "a irequires r\nb requires a\nw requires r\nw requires b\n}\n");
    p.within = p.between = (struct tan_link){.L = 1000, .o = 100, .o_more = 900};
    p.S = 10;
    p.handshake = TAN_HANDSHAKE_FETCH;
    assert_int_equal(tan_simulate(s, &p, false, &r, &e), 0);
    assert_int_equal(r.rank_finish[0], 5000 + 1000 + 1000); /* between the two, and L back */
    assert_int_equal(r.rank_finish[1], 12000 + 1000);
    tan_simulation_clear(&r);
    p.in_calls = true;
    assert_int_equal(tan_simulate(s, &p, false, &r, &e), 0);
    assert_int_equal(r.rank_finish[0], 12000 + 1000 + 1000); /* in its wait */
    assert_int_equal(r.rank_finish[1], 12000 + 1000);
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
}

/* Mechanisms that a machine file knows. Up to 1000 bytes 1 + 10 + 3 us; beyond, where O' = 1, L =
 * 10 and move = G (k - 1) with G = 0.1: RAT               o_s = 2 O' + 2 + move, o_r = 3 O' + 2 L +
 * 2 + move, 4 O' + 3 L + 2 + move RTA               o_s = 2 O', o_r = O' + move, delivered after 2
 * O' + L + move; L + 5 back RTA, independent  o_s = 2 O', o_r = 3 O', delivered after 5 O' + 3 L +
 * move and RTA once more, whose sender knows 4 us before its receiver has everything. */
#define BEYOND(transfer, progress)                                                                 \
    "{\"eager_bytes\": 1000, \"transfer\": \"" transfer "\", \"progress\": \"" progress            \
    "\", \"sections\": [{\"to_bytes\": 1000, \"L_us\": 10, \"L_us_per_byte\": 0, \"o_s_us\": 1, "  \
    "\"o_r_us\": 3}, "
/* T and TA: as short messages, of 0.1 us a byte; the sender of TA knows 11 us later. */
#define EAGERLY                                                                                    \
    "{\"from_bytes\": 1001, \"o_s_us\": 2, \"o_r_us\": 3, \"L_us\": 9.9, \"L_us_per_byte\": 0.1, " \
    "\"g_us\": 0, \"G_us_per_byte\": 0.1"
static const char *const mechanisms[] = {
    BEYOND("RAT", "dependent") "{\"from_bytes\": 1001, \"o_s_us\": 3.9, \"O_s_us_per_byte\": 0.1, "
                               "\"o_r_us\": 24.9, \"O_r_us_per_byte\": 0.1, \"L_us\": 7.1, "
                               "\"L_us_per_byte\": -0.1, \"g_us\": 0, \"G_us_per_byte\": 0.1, "
                               "\"ack_us\": -10}]}",
    BEYOND("RTA", "dependent") "{\"from_bytes\": 1001, \"o_s_us\": 2, \"o_r_us\": 0.9, "
                               "\"O_r_us_per_byte\": 0.1, \"L_us\": 9, \"L_us_per_byte\": 0, "
                               "\"ack_us\": 15}]}",
    BEYOND("RTA",
           "independent") "{\"from_bytes\": 1001, \"o_s_us\": 2, \"o_r_us\": 3, \"L_us\": 29.9, "
                          "\"L_us_per_byte\": 0.1, \"g_us\": 0, \"G_us_per_byte\": 0.1, "
                          "\"ack_us\": 11}]}",
    BEYOND("RTA", "dependent") "{\"from_bytes\": 1001, \"to_bytes\": 5000, \"o_s_us\": 2, "
                               "\"o_r_us\": 0.9, \"O_r_us_per_byte\": 0.1, \"L_us\": 9, "
                               "\"L_us_per_byte\": 0, \"ack_us\": 0}, "
                               "{\"from_bytes\": 5001, \"o_s_us\": 2, \"o_r_us\": 0.4, "
                               "\"O_r_us_per_byte\": 0.1, \"L_us\": 12, \"L_us_per_byte\": 0, "
                               "\"ack_us\": -4}]}",
    BEYOND("T", "dependent") EAGERLY "}]}",
    BEYOND("T", "independent") EAGERLY "}]}",
    BEYOND("TA", "dependent") EAGERLY ", \"ack_us\": 11}]}",
};

/* The same of files with the parameters of a paper, by LogGPO's formulas. */
#define PUBLISHED(transfer, progress)                                                              \
    "{\"eager_bytes\": 1000, \"transfer\": \"" transfer "\", \"progress\": \"" progress            \
    "\", \"control_us\": 1, \"sections\": [{\"L_us\": 10, \"o_s_us\": 2, \"o_r_us\": 3, "          \
    "\"G_us_per_byte\": 0.1}]}"
static const char *const published[] = {
    PUBLISHED("T", "dependent"),   PUBLISHED("TA", "dependent"),    PUBLISHED("RAT", "dependent"),
    PUBLISHED("RTA", "dependent"), PUBLISHED("RTA", "independent"),
};

/* Both sides of an exchange: each computes, calls Isend or Irecv, computes, waits. */
struct exchange {
    uint64_t before[2], after[2]; /* nanoseconds: of the sender, of the receiver */
    uint64_t bytes;
};

static struct tan_schedule *schedule_of(const struct exchange *x)
{
    char text[512];
    snprintf(text, sizeof text,
             "num_ranks 2\n"
             "rank 0 {\na: calc %" PRIu64 "\nm: send %" PRIu64 "b to 1\nb: calc %" PRIu64
             "\nw: calc 0\nm requires a\nb irequires m\nw requires m\nw requires b\n}\n"
             "rank 1 {\na: calc %" PRIu64 "\nm: recv %" PRIu64 "b from 0\nb: calc %" PRIu64
             "\nw: calc 0\nm requires a\nb irequires m\nw requires m\nw requires b\n}\n",
             x->before[0], x->bytes, x->after[0], x->before[1], x->bytes, x->after[1]);
    return parse(text);
}

/* The ends of both sides in LogGPO's event form, picoseconds. */
static void by_events(const struct tan_p2p *p, const struct exchange *x, double ends[2])
{
    struct tan_loggpo_calls calls;
    struct tan_loggpo_costs costs;
    struct tan_loggpo_ends done;
    calls.isend = 1e-9 * (double)x->before[0];
    calls.irecv = 1e-9 * (double)x->before[1];
    calls.sender_computes = 1e-9 * (double)x->after[0];
    calls.receiver_computes = 1e-9 * (double)x->after[1];
    tan_p2p_costs(p, (int64_t)x->bytes, &costs);
    tan_loggpo_exchange(&costs, &calls, &done);
    ends[0] = done.sender * 1e12;
    ends[1] = done.receiver * 1e12;
}

/* Whether the simulation finds the same, but for the rounding of a message's parameters. */
static bool agrees(const struct tan_machine *machine, const char *model, const struct exchange *x)
{
    enum { ROUNDING = 4 };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sim_params params = tan_sim_defaults;
    struct tan_sized_link *links;
    struct tan_simulation r;
    struct tan_schedule *s = schedule_of(x);
    assert_int_equal(tan_message_model_params(tan_message_model_find(model), machine, "m.json",
                                              x->bytes, s, &params, &links, &e),
                     0);
    params.within = params.between;
    assert_int_equal(tan_simulate(s, &params, false, &r, &e), 0);
    assert_no_error(e);
    double ends[2];
    by_events(machine->messages, x, ends);
    const double sender = (double)r.rank_finish[0] - ends[0];
    const double receiver = (double)r.rank_finish[1] - ends[1];
    const bool same = fmax(fabs(sender), fabs(receiver)) <= ROUNDING;
    if (!same) {
        print_error("%" PRIu64 " B, sender %" PRIu64 " and %" PRIu64 " ns, receiver %" PRIu64
                    " and %" PRIu64 " ns: sender off by %.0f ps, receiver by %.0f ps\n",
                    x->bytes, x->before[0], x->after[0], x->before[1], x->after[1], sender,
                    receiver);
    }
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
    free(links);
    return same;
}

/* Over a grid of arrival times and computations. */
static void compare_with_events(const char *text, const char *model)
{
    static const uint64_t sizes[] = {1, 500, 1000, 1001, 2000, 100000};
    static const uint64_t befores[] = {0, 7003, 24007, 133001, 1000003};
    static const uint64_t afters[] = {0, 5009, 40013, 20000017};
    enum { SIZES = 6, BEFORES = 5, AFTERS = 4, ALL = SIZES * BEFORES * BEFORES * AFTERS * AFTERS };
    struct tan_machine machine = {.messages = messages_of(text)};
    int wrong = 0;
    for (int k = 0; k < ALL; k += thorough() ? 1 : 7) { /* 7 is prime to each number */
        int rest = k;
        struct exchange x = {.bytes = sizes[rest % SIZES]};
        rest /= SIZES;
        for (int side = 0; side < 2; side++) {
            x.before[side] = befores[rest % BEFORES];
            rest /= BEFORES;
            x.after[side] = afters[rest % AFTERS];
            rest /= AFTERS;
        }
        wrong += !agrees(&machine, model, &x);
    }
    if (wrong > 0) {
        print_error("%d of %d of %s\n", wrong, ALL, text);
    }
    tan_p2p_destroy(machine.messages);
    assert_int_equal(wrong, 0);
}

TEST(as_by_events)
{
    for (size_t i = 0; i < sizeof mechanisms / sizeof mechanisms[0]; i++) {
        compare_with_events(mechanisms[i], "fitted");
    }
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        compare_with_events(published[i], "loggpo");
    }
}

/* Several requests of one Waitall. By hand, microseconds, from section 2.2 of [Chen 2009]:
 * RTA of 2001 bytes: Isend 2, the request is there 11 after it, the receiver copies for 201, and
 * its sender knows 15 later. RAT of 2001 bytes: Isend O' = 1, L = 10, the receiver answers for 2
 * O', the sender pushes for O' + 2 + 200, L. Eager messages of 500 bytes: 1 + 10 + 3, one every 3.
 */
#define COMPUTE          "calc 1000000\n"
#define LONG             "calc 20000000\n"
#define SEND(name, size) name ": send " size "b to 1\n"
#define RECV(name, size) name ": recv " size "b from 0\n"
#define WAIT_BOTH        "w: calc 0\nw requires m\nw requires n\nw requires c\n"
/* Two messages to a rank that computes, calls Irecv twice, computes again, and waits for both. */
#define TWO_LATE(size)                                                                             \
    "num_ranks 2\nrank 0 {\n" SEND("m", size) SEND(                                                \
        "n", size) "c: calc 0\n" WAIT_BOTH                                                         \
                   "n irequires m\nc irequires n\n}\nrank 1 {\na: " COMPUTE RECV("m", size) RECV(  \
                       "n", size) "c: " LONG WAIT_BOTH                                             \
                                  "m requires a\nn requires a\nn irequires m\nc irequires n\n"     \
                                  "c irequires m\n}\n"
/* Both ranks send to each other, call Irecv, compute, and wait for both. */
#define ONE_WAY_OF_BOTH(rank, peer, size, time)                                                    \
    "rank " rank " {\nm: send " size "b to " peer "\nn: recv " size "b from " peer                 \
    "\nc: calc " time "\n" WAIT_BOTH "n irequires m\nc irequires n\nc irequires m\n}\n"
#define BOTH_WAYS(size, time)                                                                      \
    "num_ranks 2\n" ONE_WAY_OF_BOTH("0", "1", size, time) ONE_WAY_OF_BOTH("1", "0", size, time)
/* A receiver that waits at once for a message that is sent 1 ms later. */
#define ISEND_LATE(size)                                                                           \
    "num_ranks 2\nrank 0 {\na: " COMPUTE SEND(                                                     \
        "m", size) "c: calc 500000\nw: calc 0\n"                                                   \
                   "m requires a\nc irequires m\nw requires m\nw requires c\n}\nrank 1 {\n" RECV(  \
                       "m", size) "}\n"

TEST(several_requests)
{
    enum { RAT, RTA };
    static const struct {
        int mechanism;
        const char *schedule;
        uint64_t end[2]; /* us */
    } rows[] = {
        /* copied in the calls, 1000 to 1201 and to 1402; the sender knows 15 later */
        {RTA, TWO_LATE("2001"), {1417, 21402}},
        /* answered at 1002 and 1004, there at 1012 and 1014; pushed to 1215 and to 1418 */
        {RAT, TWO_LATE("2001"), {1418, 21004}},
        /* copied at 1003 and 1006 */
        {RTA, TWO_LATE("500"), {4, 21006}},
        {RAT, TWO_LATE("500"), {4, 21006}},
        /* requests come at 11, after Irecv at 2, so in Wait at 20002 (or at once): copied to 20203
         */
        {RTA, BOTH_WAYS("2001", "20000000"), {20218, 20218}},
        {RTA, BOTH_WAYS("2001", "5000"), {227, 227}},
        /* answered in Wait, 20001 to 20003, there at 20013, pushed to 20216, L */
        {RAT, BOTH_WAYS("2001", "20000000"), {20226, 20226}},
        {RAT, BOTH_WAYS("2001", "5000"), {236, 236}},
        /* eager: comes at 11, taken in Wait */
        {RTA, BOTH_WAYS("500", "20000000"), {20004, 20004}},
        {RTA, ISEND_LATE("2001"), {1502, 1212}},
        /* answered at 1013, there at 1023, pushed in Wait, 1501 to 1704 */
        {RAT, ISEND_LATE("2001"), {1704, 1714}},
        {RTA, ISEND_LATE("500"), {1501, 1014}},
    };
    enum { ROWS = sizeof rows / sizeof rows[0], ROUNDING = 4 };
    int wrong = 0;
    for (int i = 0; i < ROWS; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_machine machine = {.messages = messages_of(mechanisms[rows[i].mechanism])};
        struct tan_sim_params params = tan_sim_defaults;
        struct tan_sized_link *links;
        struct tan_simulation r;
        struct tan_schedule *s = parse(rows[i].schedule);
        assert_int_equal(tan_message_model_params(tan_message_model_find("fitted"), &machine,
                                                  "m.json", 1, s, &params, &links, &e),
                         0);
        params.within = params.between;
        assert_int_equal(tan_simulate(s, &params, false, &r, &e), 0);
        assert_no_error(e);
        for (int rank = 0; rank < 2; rank++) {
            const double off = (double)r.rank_finish[rank] - (double)rows[i].end[rank] * (double)US;
            if (fabs(off) > ROUNDING) {
                print_error("row %d, rank %d: %.6f us, not %" PRIu64 "\n", i, rank,
                            (double)r.rank_finish[rank] / (double)US, rows[i].end[rank]);
                wrong++;
            }
        }
        tan_simulation_clear(&r);
        tan_schedule_destroy(s);
        tan_p2p_destroy(machine.messages);
        free(links);
    }
    assert_int_equal(wrong, 0);
}

/* When the sender and the receiver of one message are done, picoseconds. */
static void ends(const struct tan_machine *machine, const char *model, uint64_t bytes,
                 uint64_t end[2])
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sim_params params = tan_sim_defaults;
    struct tan_sized_link *links;
    struct tan_simulation r;
    struct tan_schedule *s = schedule_of(&(struct exchange){.bytes = bytes});
    assert_int_equal(tan_message_model_params(tan_message_model_find(model), machine, "m.json",
                                              bytes, s, &params, &links, &e),
                     0);
    assert_int_equal(tan_simulate(s, &params, false, &r, &e), 0);
    assert_no_error(e);
    end[0] = r.rank_finish[0];
    end[1] = r.rank_finish[1];
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
    free(links);
}

static uint64_t receiver_end(const struct tan_machine *machine, const char *model, uint64_t bytes)
{
    uint64_t end[2];
    ends(machine, model, bytes, end);
    return end[1];
}

/* Beyond S messages that need no answer: 2 + 10 + 100 G + 3 us; the sender is free after its 2 us
 * (T), or when an acknowledgement of L + O' is back (TA). */
TEST(without_request)
{
    static const struct {
        const char *transfer;
        uint64_t sender; /* us */
    } rows[] = {{"T", 2}, {"TA", 25 + 11}};
    static const char *const progress[] = {"dependent", "independent"};
    static const char *const models[] = {"loggpo", "independent"};
    for (size_t i = 0; i < 2 * 2 * 2; i++) {
        char text[256];
        uint64_t end[2];
        snprintf(text, sizeof text,
                 "{\"eager_bytes\": 100, \"transfer\": \"%s\", \"progress\": \"%s\", "
                 "\"control_us\": 1, \"sections\": [{\"L_us\": 10, \"o_s_us\": 2, \"o_r_us\": 3, "
                 "\"G_us_per_byte\": 0.1}]}",
                 rows[i / 4].transfer, progress[i / 2 % 2]);
        struct tan_machine machine = {.messages = messages_of(text)};
        ends(&machine, models[i % 2], 101, end);
        assert_int_equal(end[0], rows[i / 4].sender * US);
        assert_int_equal(end[1], 25 * US);
        tan_p2p_destroy(machine.messages);
    }
}

/* L 10, o 2 and 3, G 0.1, O' 1 us, RAT; 101 bytes, by hand; the same as each formula by itself. */
TEST(papers)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_machine machine = {
        .messages = messages_of("{\"eager_bytes\": 100, \"transfer\": \"RAT\", \"progress\": "
                                "\"dependent\", \"control_us\": 1, \"sections\": [{\"L_us\": 10, "
                                "\"o_s_us\": 2, \"o_r_us\": 3, \"G_us_per_byte\": 0.1}]}")};
    static const struct {
        const char *model;
        uint64_t end; /* ns */
    } rows[] = {{"loggp", 67000}, {"loggpo", 46000}, {"loggops", 23100}, {"independent", 46000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(receiver_end(&machine, rows[i].model, 101), rows[i].end * 1000);
    }
    /* up to S: 2 + 10 + 3 us, and 99 G */
    assert_int_equal(receiver_end(&machine, "loggp", 100), 24900000);
    assert_int_equal(receiver_end(&machine, "loggpo", 100), 24900000);
    /* what a model lacks is named */
    struct tan_sim_params params = tan_sim_defaults;
    struct tan_sized_link *links;
    machine.messages->control = NAN;
    assert_int_equal(tan_message_model_params(tan_message_model_find("loggpo"), &machine, "m.json",
                                              101, NULL, &params, &links, &e),
                     -1);
    assert_error(
        e, TAN_FAILED,
        "lacks control_us for messages of 101 B, which model loggpo needs: tanbench p2p calibrate");
    /* also of a size that only the schedule has */
    struct tan_schedule *sizes = parse("num_ranks 2\nrank 0 {\nsend 100b to 1\nsend 101b to 1\n}\n"
                                       "rank 1 {\nrecv 100b from 0\nrecv 101b from 0\n}\n");
    assert_int_equal(tan_message_model_params(tan_message_model_find("loggpo"), &machine, "m.json",
                                              100, sizes, &params, &links, &e),
                     -1);
    assert_error(e, TAN_FAILED, "lacks control_us for messages of 101 B, which model loggpo needs");
    tan_schedule_destroy(sizes);
    machine.messages->eager = -1;
    assert_int_equal(tan_message_model_params(tan_message_model_find("independent"), &machine,
                                              "m.json", 101, NULL, &params, &links, &e),
                     -1);
    assert_error(e, TAN_FAILED, "lacks eager_bytes");
    tan_p2p_destroy(machine.messages);
}

/* A name is a promise: LogGOPS does not take the measured times of P-LogP, LogGP not LogGPO's, and
 * a file of two kinds of sections is refused. */
TEST(own_formula)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_link link;
    struct tan_machine machine = {
        .messages = messages_of("{\"sections\": [{\"L_us\": 10, \"o_s_us\": 2, \"o_r_us\": 3, "
                                "\"O_s_us_per_byte\": 0.02, \"O_r_us_per_byte\": 0.03, "
                                "\"G_us_per_byte\": 0.01}], \"sizes\": ["
                                "{\"bytes\": 1, \"half_us\": 50}, {\"bytes\": 100, \"half_us\": "
                                "90}]}")};
    /* max(2 + 0.02 * 100, 0.01 * 100) + 10 + 0.03 * 100 + 3 */
    assert_int_equal(receiver_end(&machine, "loggops", 100), 20 * US);
    tan_p2p_destroy(machine.messages);

    /* A message without data costs what one byte does. */
    machine.messages =
        messages_of("{\"sections\": [{\"to_bytes\": 1, \"L_us\": 10, \"o_s_us\": 2, \"o_r_us\": 4, "
                    "\"G_us_per_byte\": 0}, {\"from_bytes\": 2, \"L_us\": 10, \"o_s_us\": 20, "
                    "\"o_r_us\": 30, \"G_us_per_byte\": 0}]}");
    assert_int_equal(tan_machine_link(&machine, "m.json", "loggops", 0, &link, &e), 0);
    assert_int_equal(link.L, 10 * US);
    assert_int_equal(link.o, 3 * US);
    tan_p2p_destroy(machine.messages);

    machine.messages = messages(); /* beyond S by RTA: 2 * 2 + 2 * 1 + 3 + 2000 * 0.1 */
    assert_int_equal(receiver_end(&machine, "loggp", 1000), 6 * US + 9990000);
    assert_int_equal(receiver_end(&machine, "loggp", 2001), 209 * US);
    machine.messages->section[0].value[TAN_P2P_L_BYTE] = NAN;
    assert_string_equal(tan_message_model_best(&machine, "loggpo")->name, "loggpo");
    struct tan_sim_params p = tan_sim_defaults;
    struct tan_sized_link *links;
    assert_int_equal(tan_message_model_params(tan_message_model_find("fitted"), &machine, "m.json",
                                              500, NULL, &p, &links, &e),
                     -1);
    assert_error(e, TAN_FAILED, "lacks L_us_per_byte, which model fitted");
    tan_p2p_destroy(machine.messages);
}

/* Whether one message of the simulation takes what the model of the same name predicts, or is
 * refused where that predicts nothing. */
static bool is_as_predicted(const struct tan_machine *machine, const char *file, const char *name,
                            int64_t bytes)
{
    enum { ROUNDING = 4 };
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_p2p_model *model = tan_p2p_model_find(name);
    const double one_way = model->predict(machine->messages, bytes).delivered * 1e12;
    double end = NAN;
    if (isnan(one_way)) {
        struct tan_sim_params p = tan_sim_defaults;
        struct tan_sized_link *links;
        char lacks[128];
        assert_int_equal(tan_message_model_params(tan_message_model_find(name), machine, file,
                                                  (uint64_t)bytes, NULL, &p, &links, &e),
                         -1);
        const bool always = tan_p2p_lacks(machine->messages, model, 1) != NULL;
        char size[64] = "";
        snprintf(size, sizeof size, " for messages of %" PRId64 " B", bytes);
        snprintf(lacks, sizeof lacks, "lacks %s%s, which model %s",
                 tan_p2p_lacks(machine->messages, model, bytes), always ? "" : size, name);
        assert_error(e, TAN_FAILED, lacks);
        return true;
    }
    end = (double)receiver_end(machine, name, (uint64_t)bytes);
    const bool same = fabs(end - one_way) <= ROUNDING;
    if (!same) {
        print_error("%s %s %" PRId64 " B: %.0f, not %.0f ps\n", file, name, bytes, end, one_way);
    }
    return same;
}

TEST(as_predicted)
{
    static const char *const names[] = {"loggp", "loggpo", "loggops", "fitted"};
    static const int64_t sizes[] = {1, 8, 16, 100, 1000, 4096, 4097, 10000, 65536, 65537, 1000000};
    enum { NAMES = 4, SIZES = 11 };
    glob_t files;
    int wrong = 0;
    int blocks = 0;
    assert_int_equal(glob("configs/*.json", 0, NULL, &files), 0);
    assert_int_equal(glob("results/p2p/*/machine.json", GLOB_APPEND, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_machine *machine = tan_machine_load(files.gl_pathv[i], &e);
        assert_no_error(e);
        blocks += machine->messages != NULL;
        for (int k = 0; machine->messages != NULL && k < NAMES * SIZES; k++) {
            wrong +=
                !is_as_predicted(machine, files.gl_pathv[i], names[k / SIZES], sizes[k % SIZES]);
        }
        tan_machine_destroy(machine);
    }
    globfree(&files);
    assert_true(blocks >= 6);
    assert_int_equal(wrong, 0);
}

RUN_TESTS(NULL, NULL)
