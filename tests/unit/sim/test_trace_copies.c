/* test_trace_copies.c - copies of a traced job: messages and finish times, by hand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/machine/p2p.h"
#include "sim/engine/simulate.h"
#include "sim/trace/trace_schedule.h"
#include "tests/unit/scratch_file.h"

enum { MOST = 4, MOST_COPIES = 3 };

static void path_of(uint32_t rank, char *name, size_t size)
{
    snprintf(name, size, "%s/rank-%" PRIu32 ".txt", scratch, rank);
}

static void remove_ranks(void)
{
    for (uint32_t i = 0; i < MOST; i++) {
        char name[PATH_MAX + 24];
        path_of(i, name, sizeof name);
        unlink(name);
    }
}

static int remove_folder(void **state)
{
    remove_ranks();
    return remove_scratch(state);
}

/* A job, and what is expected of its copies. MPI_Init ends at 1000 us. */
struct job {
    uint32_t ranks, copies;
    const char *calls[MOST];                /* lines of each rank */
    const char *wanted[MOST * MOST_COPIES]; /* its messages, "s8>1 r8<3 ": bytes and peer */
    double us;                              /* when the last one ends, with L = 1 us and no more */
};

static void write_ranks(const struct job *job)
{
    remove_ranks();
    for (uint32_t i = 0; i < job->ranks; i++) {
        char name[PATH_MAX + 24];
        path_of(i, name, sizeof name);
        FILE *to = fopen(name, "w");
        assert_non_null(to);
        fprintf(to, "# comm 0 =");
        for (uint32_t k = 0; k < job->ranks; k++) {
            fprintf(to, " %" PRIu32, k);
        }
        fprintf(to, "\nMPI_Init:-:0:0:1000\n%s", job->calls[i]);
        assert_int_equal(fclose(to), 0);
    }
}

static const char *messages_of(const struct tan_schedule *s, uint32_t rank)
{
    static char text[200];
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < s->rank_ops[rank]; i++) {
        const struct tan_op_spec op = tan_schedule_spec(s, s->first_op[rank] + i);
        if (op.kind != TAN_OP_CALC) {
            const bool sends = op.kind == TAN_OP_SEND;
            used += (size_t)snprintf(text + used, sizeof text - used, "%c%" PRIu64 "%c%" PRIu32 " ",
                                     sends ? 's' : 'r', op.amount, sends ? '>' : '<', op.peer);
        }
    }
    return text;
}

static struct tan_sim_params only_latency(void)
{
    struct tan_sim_params p = tan_sim_defaults;
    p.between = (struct tan_link){.L = 1000000};
    p.within = p.between;
    return p;
}

static void assert_copies(const struct job *job)
{
    const struct tan_trace_options options = {.collectives = "usual", .copies = job->copies};
    const struct tan_sim_params p = only_latency();
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_trace trace;
    struct tan_simulation simulation;
    write_ranks(job);
    struct tan_schedule *s = tan_trace_load(scratch, &options, &trace, &e);
    assert_no_error(e);
    assert_int_equal(s->ranks, job->ranks * job->copies);
    for (uint32_t i = 0; i < s->ranks; i++) {
        assert_string_equal(messages_of(s, i), job->wanted[i]);
    }
    assert_int_equal(tan_simulate(s, &p, false, &simulation, &e), 0);
    assert_close((double)simulation.finish / 1e6, job->us, 1e-9);
    tan_simulation_clear(&simulation);
    tan_schedule_destroy(s);
    tan_trace_clear(&trace);
}

#define RING_AND_SUM(rank, other)                                                                  \
    "MPI_Sendrecv:1010:0:8:1,1,1:" other ":7:0:8:1,1,1:" other ":7:0," rank ",2:0:1011:\n"         \
    "MPI_Allreduce:1020:0:0:4:1,1,1:0:0," rank ",2:1030:\nMPI_Finalize:1035:1035:\n"

/* 10 us, the exchange of each pair, 9 us, recursive doubling over all, 5 us. */
static void ring_and_sum(void **state)
{
    (void)state;
    assert_copies(&(struct job){
        .ranks = 2,
        .copies = 2,
        .calls = {RING_AND_SUM("0", "1"), RING_AND_SUM("1", "0")},
        .wanted = {"s8>1 r8<1 s4>1 r4<1 s4>2 r4<2 ", "s8>0 r8<0 s4>0 r4<0 s4>3 r4<3 ",
                   "s8>3 r8<3 s4>3 r4<3 s4>0 r4<0 ", "s8>2 r8<2 s4>2 r4<2 s4>1 r4<1 "},
        .us = 10 + 1 + 9 + 2 + 5,
    });
    /* ranks 4 and 5 hand their data to 0 and 1 while 2 and 3 exchange theirs, so that 0 and 1 have
     * the sum after two rounds, and the others after a third */
    assert_copies(&(struct job){
        .ranks = 2,
        .copies = 3,
        .calls = {RING_AND_SUM("0", "1"), RING_AND_SUM("1", "0")},
        .wanted = {"s8>1 r8<1 r4<4 s4>1 r4<1 s4>2 r4<2 s4>4 ",
                   "s8>0 r8<0 r4<5 s4>0 r4<0 s4>3 r4<3 s4>5 ", "s8>3 r8<3 s4>3 r4<3 s4>0 r4<0 ",
                   "s8>2 r8<2 s4>2 r4<2 s4>1 r4<1 ", "s8>5 r8<5 s4>0 r4<0 ",
                   "s8>4 r8<4 s4>1 r4<1 "},
        .us = 10 + 1 + 9 + 3 + 5,
    });
}

/* The communicator 2 0 becomes 2 0 5 3; its rank 1 is the root, which sends to 5 and 3, and 5 to 2.
 */
static void subcommunicator(void **state)
{
    (void)state;
    assert_copies(&(struct job){
        .ranks = 3,
        .copies = 2,
        .calls = {"# comm 2 = 2 0\nMPI_Recv:1000:0:5:1,1,1:0:7:2,1,2:0:1000:\n"
                  "MPI_Bcast:1000:0:4:1,1,1:1:2,1,2:1000:\nMPI_Finalize:1000:1000:\n",
                  "MPI_Finalize:1000:1000:\n",
                  "# comm 2 = 2 0\nMPI_Send:1000:0:5:1,1,1:1:7:2,0,2:1000:\n"
                  "MPI_Bcast:1000:0:4:1,1,1:1:2,0,2:1000:\nMPI_Finalize:1000:1000:\n"},
        .wanted = {"r5<2 s4>5 s4>3 ", "", "s5>0 r4<5 ", "r5<5 r4<0 ", "", "s5>3 r4<0 s4>2 "},
        .us = 1 + 2,
    });
}

/* The root's own block is in place; a copy of the root has one as long. */
static void roots(void **state)
{
    (void)state;
    assert_copies(&(struct job){
        .ranks = 2,
        .copies = 2,
        .calls = {"MPI_Gather:1000:0:0:0,0,0:0:8:1,1,1:0:0,0,2:1000:\n"
                  "MPI_Scatter:1000:0:16:1,1,1:0:0:0,0,0:0:0,0,2:1000:\nMPI_Finalize:1000:1000:\n",
                  "MPI_Gather:1000:0:8:1,1,1:0:0:0,0,0:0:0,1,2:1000:\n"
                  "MPI_Scatter:1000:0:0:0,0,0:0:16:1,1,1:0:0,1,2:1000:\n"
                  "MPI_Finalize:1000:1000:\n"},
        .wanted = {"r8<1 r8<2 r8<3 s16>1 s16>2 s16>3 ", "s8>0 r16<0 ", "s8>0 r16<0 ",
                   "s8>0 r16<0 "},
        .us = 2,
    });
    assert_copies(&(struct job){
        .ranks = 2,
        .copies = 2,
        .calls = {"MPI_Gatherv:1000:1:3:1,1,1:1:1:0,0:1:0,0:0,0,0:1:0,0,2:1000:\n"
                  "MPI_Scatterv:1000:1:1:0,0:1:0,0:0,0,0:1:2:1,1,1:1:0,0,2:1000:\n"
                  "MPI_Finalize:1000:1000:\n",
                  "MPI_Gatherv:1000:1:0:0,0,0:1:1:3,5:1:0,0:1,1,1:1:0,1,2:1000:\n"
                  "MPI_Scatterv:1000:1:1:2,6:1:0,0:1,1,1:1:0:0,0,0:1:0,1,2:1000:\n"
                  "MPI_Finalize:1000:1000:\n"},
        .wanted = {"s3>1 r2<1 ", "r3<0 r3<2 r5<3 s2>0 s2>2 s6>3 ", "s3>1 r2<1 ", "s5>1 r6<1 "},
        .us = 2,
    });
}

/* Rank 0 has 1 byte for ranks 0 and 2, 2 for 1 and 3; rank 1 has 3 and 4. */
static void lists(void **state)
{
    (void)state;
    assert_copies(&(struct job){
        .ranks = 2,
        .copies = 2,
        .calls = {"MPI_Alltoallv:1000:1:1:1,2:1:0,0:1,1,1:1:1:1,3:1:0,0:1,1,1:0,0,2:1000:\n"
                  "MPI_Finalize:1000:1000:\n",
                  "MPI_Alltoallv:1000:1:1:3,4:1:0,0:1,1,1:1:1:2,4:1:0,0:1,1,1:0,1,2:1000:\n"
                  "MPI_Finalize:1000:1000:\n"},
        .wanted = {"r3<3 s2>1 r1<2 s1>2 r3<1 s2>3 ", "r2<0 s3>2 r4<3 s4>3 r2<2 s3>0 ",
                   "r3<1 s2>3 r1<0 s1>0 r3<3 s2>1 ", "r2<2 s3>0 r4<1 s4>1 r2<0 s3>2 "},
        .us = 1,
    });
}

/* MPI_COMM_SELF stays alone, and its barrier takes as long as it did; a job of one rank does not.
 */
static void alone(void **state)
{
    (void)state;
    assert_copies(&(struct job){
        .ranks = 2,
        .copies = 2,
        .calls = {"# comm 1 = 0\nMPI_Barrier:1010:1,0,1:1015:\nMPI_Finalize:1020:1020:\n",
                  "# comm 1 = 1\nMPI_Barrier:1010:1,0,1:1015:\nMPI_Finalize:1020:1020:\n"},
        .wanted = {"", "", "", ""},
        .us = 20,
    });
    assert_copies(&(struct job){
        .ranks = 1,
        .copies = 2,
        .calls = {"# comm 1 = 0\nMPI_Barrier:1010:1,0,1:1015:\n"
                  "MPI_Allreduce:1015:0:0:4:1,1,1:0:0,0,1:1030:\nMPI_Finalize:1030:1030:\n"},
        .wanted = {"s4>1 r4<1 ", "s4>0 r4<0 "},
        .us = 15 + 1,
    });
}

/* A receive from any source gets the message of its own copy. */
static void any_source(void **state)
{
    (void)state;
    assert_copies(&(struct job){
        .ranks = 2,
        .copies = 2,
        .calls = {"MPI_Irecv:1000:0:8:1,1,1:-1:-1:0,0,2:9:1000:0\n"
                  "MPI_Wait:1000:9:0:1000:;0,1,5,8\nMPI_Finalize:1000:1000:\n",
                  "MPI_Send:1000:0:8:1,1,1:0:5:0,1,2:1000:\nMPI_Finalize:1000:1000:\n"},
        .wanted = {"r8<1 ", "s8>0 ", "r8<3 ", "s8>2 "},
        .us = 1,
    });
}

/* Messages of 2000 bytes that come to where one was sent from take 7 us more. */
static struct tan_p2p *dear_in_place(void)
{
    static const char text[] = "{\"eager_bytes\": 1000, \"sections\": [{\"L_us\": 1}], \"sizes\": ["
                               "{\"bytes\": 2000, \"half_us\": 1, \"in_place_us\": 8}]}";
    struct tan_error e = TAN_ERROR_INIT;
    json_t *json = json_loads(text, 0, NULL);
    struct tan_p2p *p = tan_p2p_parse(json, "a test", &e);
    assert_no_error(e);
    json_decref(json);
    return p;
}

/* What is said of the traced ranks is said of the first copy. Rank 0 computes 10 us, tests for one
 * in vain and another one with success after 1 more, which is computation; then a message comes in
 * place. Rank 1 computes 14 us. */
static void counted_once(void **state)
{
    (void)state;
    const struct job job = {
        .ranks = 2,
        .calls = {"MPI_Send:1010:4096:2000:1,1,1:1:7:0,0,2:1010:\n"
                  "MPI_Irecv:1010:4096:2000:1,1,1:1:8:0,0,2:9:1010:0\n"
                  "MPI_Test:1010:9:0:0:1011:\nMPI_Test:1012:9:1:0:1013:;0,1,8,2000\n"
                  "MPI_Finalize:1013:1013:\n",
                  "MPI_Recv:1010:4096:2000:1,1,1:0:7:0,1,2:0:1010:\n"
                  "MPI_Send:1010:8192:2000:1,1,1:0:8:0,1,2:1010:\nMPI_Finalize:1014:1014:\n"}};
    struct tan_p2p *messages = dear_in_place();
    const struct tan_trace_options options = {
        .collectives = "usual", .copies = 3, .messages = messages};
    const struct tan_sim_params p = only_latency();
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_trace trace;
    struct tan_simulation simulation;
    write_ranks(&job);
    struct tan_schedule *s = tan_trace_load(scratch, &options, &trace, &e);
    assert_no_error(e);
    assert_int_equal(tan_simulate(s, &p, false, &simulation, &e), 0);
    assert_int_equal(trace.ranks, 2);
    assert_int_equal(trace.copies, 3);
    assert_int_equal(trace.rank[0].calls, 5);
    assert_int_equal(trace.rank[1].calls, 3);
    assert_int_equal(trace.rank[0].run_ns, 13000);
    assert_close(trace.rank[0].polled * 1e6, 1.0, 1e-9);
    assert_close(trace.rank[0].in_place * 1e6, 7.0, 1e-9);
    assert_string_equal(trace.call[0].name, "MPI_Test");
    assert_int_equal(trace.call[0].calls, 2);
    assert_close(tan_phase_seconds(simulation.phase[TAN_TRACE_COMPUTATION]) * 1e6, 11.0 + 14.0,
                 1e-9);
    tan_simulation_clear(&simulation);
    tan_schedule_destroy(s);
    tan_trace_clear(&trace);
    tan_p2p_destroy(messages);
}

static void too_many(void **state)
{
    (void)state;
    const struct job job = {.ranks = 2, .calls = {RING_AND_SUM("0", "1"), RING_AND_SUM("1", "0")}};
    const struct tan_trace_options options = {.collectives = "usual",
                                              .copies = TAN_SCHEDULE_MAX_RANKS / 2 + 1};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_trace trace;
    write_ranks(&job);
    assert_null(tan_trace_load(scratch, &options, &trace, &e));
    assert_error(e, TAN_USAGE, "--extrapolate: a schedule has at most 536870912 ranks");
    tan_trace_clear(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring_and_sum), cmocka_unit_test(subcommunicator),
        cmocka_unit_test(roots),        cmocka_unit_test(lists),
        cmocka_unit_test(alone),        cmocka_unit_test(any_source),
        cmocka_unit_test(counted_once), cmocka_unit_test(too_many),
    };
    return cmocka_run_group_tests_name("trace_copies", tests, make_scratch, remove_folder);
}
