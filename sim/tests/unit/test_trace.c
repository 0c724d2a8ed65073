/* test_trace.c - traces of programs, against schedules written by hand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/machine/p2p.h"
#include "sim/engine/simulation.h"
#include "sim/goal/goal.h"
#include "sim/trace/trace_comms.h"
#include "sim/trace/trace_schedule.h"
#include "tests/unit/scratch_file.h"

enum { RANKS = 4 };

static void path_of(int rank, char *name, size_t size)
{
    snprintf(name, size, "%s/rank-%d.txt", scratch, rank);
}

static int remove_folder(void **state)
{
    for (int i = 0; i < RANKS; i++) {
        char name[PATH_MAX + 24];
        path_of(i, name, sizeof name);
        unlink(name);
    }
    return remove_scratch(state);
}

/* MPI_Init ends at 1000 us. */
static const char head[] = "# comm 0 = 0 1 2 3\n# comm 2 = 3 1 2\nMPI_Init:-:0:0:1000.000\n";

static void write_rank(int rank, const char *calls)
{
    char name[PATH_MAX + 24];
    char text[2000];
    path_of(rank, name, sizeof name);
    snprintf(text, sizeof text, "%s%s", head, calls);
    write_bytes_to(name, text, strlen(text));
}

/* `us` has a place for each rank of the schedule. */
static void finish_of(const struct tan_schedule *s, double *us)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_simulation simulation;
    struct tan_sim_params p = tan_sim_defaults; /* L 2.5, o 1.5, g 1 us, G 6 ns */
    p.within = p.between;
    assert_int_equal(tan_simulate(s, &p, false, &simulation, &e), 0);
    assert_no_error(e);
    assert_int_equal(simulation.n_blocked + simulation.n_unexpected + simulation.n_unmatched, 0);
    for (uint32_t i = 0; i < s->ranks; i++) {
        us[i] = (double)simulation.rank_finish[i] / 1e6;
    }
    tan_simulation_clear(&simulation);
}

static struct tan_trace_options options_of_traces = {.collectives = "usual"};

static void simulate_trace(const char *collective, double us[RANKS], struct tan_trace *trace)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_trace own;
    struct tan_trace_options options = options_of_traces;
    options.algorithms = &collective;
    options.n_algorithms = collective != NULL;
    struct tan_schedule *s = tan_trace_load(scratch, &options, trace != NULL ? trace : &own, &e);
    assert_no_error(e);
    assert_non_null(s);
    finish_of(s, us);
    tan_schedule_destroy(s);
    if (trace == NULL) {
        tan_trace_clear(&own);
    }
}

static void simulate_whole(const char *collectives, double us[RANKS])
{
    const struct tan_trace_options options = {.collectives = collectives};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_trace trace;
    struct tan_schedule *s = tan_trace_load(scratch, &options, &trace, &e);
    assert_no_error(e);
    finish_of(s, us);
    tan_schedule_destroy(s);
    tan_trace_clear(&trace);
}

/* The trace takes as long as the GOAL schedule `by_hand`, on every rank. */
static void assert_as_by_hand(const char *collective, const char *by_hand)
{
    struct tan_error e = TAN_ERROR_INIT;
    double traced[RANKS];
    double wanted[RANKS];
    simulate_trace(collective, traced, NULL);
    write_text(by_hand);
    struct tan_schedule *s = tan_goal_load(path, false, &e);
    assert_no_error(e);
    finish_of(s, wanted);
    for (int i = 0; i < RANKS; i++) {
        assert_close(traced[i], wanted[i], 1e-9);
    }
    tan_schedule_destroy(s);
    unlink(path);
}

#define END "MPI_Finalize:2000:2000:\n"

static void nothing_else(int from)
{
    for (int i = from; i < RANKS; i++) {
        write_rank(i, END);
    }
}

/* Computation before, between and after; ranks wait as in the simulation, not as in the trace. */
TEST(messages)
{
    struct tan_trace trace;
    double us[RANKS];
    write_rank(0, "MPI_Send:1010.000:1:2:5,4,4:1:7:0,0,4:1090.000:\n" END);
    write_rank(1, "MPI_Recv:1003.500:1:2:5,4,4:-1:-1:0,1,4:0:1100.000:;-1,0,7,8\n"
                  "MPI_Finalize:1105:1105:\n");
    nothing_else(2);
    simulate_trace(NULL, us, &trace);
    /* o + 7 G on the sender; then L, and o on the receiver; by hand from LogGOPS */
    assert_close(us[0], 10.0 + 1.5 + 910.0, 1e-9);
    assert_close(us[1], 10.0 + 1.5 + 7 * 0.006 + 2.5 + 1.5 + 5.0, 1e-9);
    assert_close(us[2], 1000.0, 1e-9);
    assert_int_equal(trace.rank[0].calls, 2);
    assert_int_equal(trace.rank[0].in_mpi_ns, 80000);
    assert_int_equal(trace.rank[1].run_ns, 105000);
    assert_string_equal(trace.call[0].name, "MPI_Recv");
    assert_int_equal(trace.call[1].bytes, 8);
    assert_int_equal(trace.doubts.n, 0);
    tan_trace_clear(&trace);
}

/* A receive is posted, 20 us are computed, and its wait ends when the message has come. */
TEST(phases)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_trace_options options = {.collectives = "usual"};
    struct tan_trace trace;
    struct tan_simulation r;
    struct tan_sim_params p = tan_sim_defaults; /* L 2.5, o 1.5, g 1 us, G 6 ns */
    static const struct {
        const char *name;
        double us;
    } wanted[] = {{"MPI_Send", 1.5},
                  {"MPI_Irecv", 0.0},
                  {"MPI_Wait", 80.0 + 1.5 + 7 * 0.006 + 2.5 + 1.5 - 30.0}};
    write_rank(0, "MPI_Send:1080.000:1:2:5,4,4:1:7:0,0,4:1090.000:\n"
                  "MPI_Finalize:1095:1095:\n");
    write_rank(1, "MPI_Irecv:1010.000:1:2:5,4,4:0:7:0,1,4:9:1011.000:0\n"
                  "MPI_Wait:1031.000:9:0:1092.000:;0,0,7,8\nMPI_Finalize:1097:1097:\n");
    nothing_else(2);
    struct tan_schedule *s = tan_trace_load(scratch, &options, &trace, &e);
    assert_no_error(e);
    p.within = p.between;
    assert_int_equal(tan_simulate(s, &p, false, &r, &e), 0);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        at_row("wanted[%zu]", i);
        size_t k = 0;
        while (k < trace.n_calls && strcmp(trace.call[k].name, wanted[i].name) != 0) {
            k++;
        }
        assert_true(k < trace.n_calls);
        assert_close(tan_phase_seconds(r.phase[trace.call[k].phase]) * 1e6 + 1.0,
                     wanted[i].us + 1.0, 1e-9);
    }
    /* all ranks compute as long as they did */
    assert_close(tan_phase_seconds(r.phase[TAN_TRACE_COMPUTATION]) * 1e6,
                 80.0 + 5 + 10 + 20 + 5 + 2000.0, 1e-9);
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
    tan_trace_clear(&trace);
}

/* Requests: a computation of 20 us hides the transfer; waits in another order than posted. */
TEST(requests)
{
    write_rank(0, "MPI_Irecv:1000.000:1:10:5,4,4:1:1:0,0,4:9:1000.000:0\n"
                  "MPI_Isend:1000.000:1:10:5,4,4:1:2:0,0,4:9:1000.000:1\n"
                  "MPI_Irecv:1000.000:1:10:5,4,4:-2:1:0,0,4:9:1000.000:2\n"
                  "MPI_Waitany:1020.000:3:9:1:0:1021.000:;1,-2,0,0\n"
                  "MPI_Waitall:1021.000:3:9:0:1022.000:;0,1,1,40;2,-2,0,0\n"
                  "MPI_Finalize:1022:1022:\n");
    write_rank(1, "MPI_Recv_init:1000.000:1:10:5,4,4:0:2:0,1,4:9:1000.000:0\n"
                  "MPI_Send_init:1000.000:1:10:5,4,4:0:1:0,1,4:9:1000.000:1\n"
                  "MPI_Startall:1000.000:2:9:1000.000:;0;1\n"
                  "MPI_Testall:1003.000:1:9:0:0:1004.000:\n"
                  "MPI_Testany:1005.000:1:9:0:0:0:1006.000:\n"
                  "MPI_Test:1007.000:9:1:0:1008.000:;0,0,2,40\n"
                  "MPI_Waitsome:1008.000:2:9:1:0:0:1009.000:;1,-2,0,0\n"
                  "MPI_Finalize:1009:1009:\n");
    nothing_else(2);
    struct tan_trace trace;
    double us[RANKS];
    simulate_trace(NULL, us, &trace);
    uint64_t received = 0;
    for (size_t i = 0; i < trace.n_calls; i++) {
        received += strcmp(trace.call[i].name, "MPI_Irecv") == 0 ? trace.call[i].bytes : 0;
    }
    assert_int_equal(received, 40); /* of two, one of which is from MPI_PROC_NULL */
    tan_trace_clear(&trace);
    /* rank 1 computes 3 us before its tests and 2 between them */
    assert_as_by_hand(NULL, "num_ranks 4\n"
                            "rank 0 {\nr: recv 40b from 1 tag 1\ns: send 40b to 1 tag 2\n"
                            "c: calc 20000\nw: calc 0\nv: calc 0\n"
                            "s irequires r\nc irequires s\nw requires c\nw requires s\n"
                            "v requires w\nv requires r\n}\n"
                            "rank 1 {\nr: recv 40b from 0 tag 2\ns: send 40b to 0 tag 1\n"
                            "c: calc 5000\nw: calc 0\nv: calc 0\n"
                            "s irequires r\nc irequires s\nw requires c\nw requires r\n"
                            "v requires w\nv requires s\n}\n"
                            "rank 2 {\nc: calc 1000000\n}\nrank 3 {\nc: calc 1000000\n}\n");
}

/* A broadcast of 100 integers from rank 1 of the communicator 3 1 2, which is rank 1 of the job:
 * its ranks turned so are 1 2 3. */
static const char broadcast[] = "MPI_Bcast:1000.000:1:100:5,4,4:1:2,%d,3:1001.000:\n"
                                "MPI_Finalize:1001:1001:\n";

TEST(subcommunicator)
{
    write_rank(0, END);
    for (int i = 1; i < RANKS; i++) {
        char calls[200];
        snprintf(calls, sizeof calls, broadcast, i % 3);
        write_rank(i, calls);
    }
    assert_as_by_hand(NULL, "num_ranks 4\nrank 0 {\nc: calc 1000000\n}\n"
                            "rank 1 {\na: send 400b to 2\nb: send 400b to 3\n}\n"
                            "rank 2 {\nrecv 400b from 1\n}\nrank 3 {\nrecv 400b from 1\n}\n");
    assert_as_by_hand("bcast=pipelined-ring:1",
                      "num_ranks 4\nrank 0 {\nc: calc 1000000\n}\n"
                      "rank 1 {\nsend 400b to 2\n}\n"
                      "rank 2 {\na: recv 400b from 1\nb: send 400b to 3\nb requires a\n}\n"
                      "rank 3 {\nrecv 400b from 2\n}\n");
}

/* Alltoallv of 1, 2, 3 integers for the ranks 3, 1, 2 and with as many from each as it has
 * for them: pairs, first with the next rank of the communicator. */
TEST(vectors)
{
    static const char format[] =
        "MPI_Alltoallv:1000.000:1:1:1,2,3:1:0,0,0:5,4,4:1:1:%s:1:0,0,0:5,4,4:2,%d,3:1001.000:\n"
        "MPI_Gatherv:1001.000:1:%d:5,4,4:1:1:%s:1:0,0,0:%s:0:2,%d,3:1002.000:\n"
        "MPI_Finalize:1002:1002:\n";
    static const char *const in[] = {NULL, "2,2,2", "3,3,3", "1,1,1"};
    write_rank(0, END);
    for (int i = 1; i < RANKS; i++) {
        char calls[600];
        snprintf(calls, sizeof calls, format, in[i], i % 3, i, i == 3 ? "3,1,2" : "0,0,0",
                 i == 3 ? "5,4,4" : "0,0,0", i % 3);
        write_rank(i, calls);
    }
    assert_as_by_hand(
        NULL,
        "num_ranks 4\nrank 0 {\nc: calc 1000000\n}\n"
        "rank 3 {\na: recv 4b from 2 tag 1\nb: send 8b to 1 tag 1\nc: recv 4b from 1 tag 1\n"
        "d: send 12b to 2 tag 1\nj: calc 0\nj requires a\nj requires b\nj requires c\n"
        "j requires d\ne: recv 4b from 1 tag 1\nf: recv 8b from 2 tag 1\ne requires j\n"
        "f requires j\n}\n"
        "rank 1 {\na: recv 8b from 3 tag 1\nb: send 12b to 2 tag 1\nc: recv 8b from 2 tag 1\n"
        "d: send 4b to 3 tag 1\nj: calc 0\nj requires a\nj requires b\nj requires c\n"
        "j requires d\ne: send 4b to 3 tag 1\ne requires j\n}\n"
        "rank 2 {\na: recv 12b from 1 tag 1\nb: send 4b to 3 tag 1\nc: recv 12b from 3 tag 1\n"
        "d: send 8b to 1 tag 1\nj: calc 0\nj requires a\nj requires b\nj requires c\n"
        "j requires d\ne: send 8b to 3 tag 1\ne requires j\n}\n");
}

/* Each of three ranks first receives from the one before it and sends to the one after it, then the
 * other way round. */
TEST(order_of_pairs)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_trace trace;
    char *text = NULL;
    size_t length;
    write_rank(0, END);
    for (int i = 1; i < RANKS; i++) {
        char calls[200];
        snprintf(calls, sizeof calls,
                 "MPI_Alltoallv:1000.000:1:1:1,1,1:1:0,0,0:5,4,4:1:1:1,1,1:1:0,0,0:5,4,4:2,%d,3:"
                 "1001.000:\n" END,
                 i % 3);
        write_rank(i, calls);
    }
    struct tan_schedule *s = tan_trace_load(scratch, &options_of_traces, &trace, &e);
    assert_no_error(e);
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    tan_goal_write_text(s, to);
    fclose(to);
    for (int i = 0; i < 3; i++) {
        char wanted[100];
        snprintf(wanted, sizeof wanted,
                 "rank %d {\nl1: recv 4b from %d\nl2: send 4b to %d\nl3: recv 4b from %d\n"
                 "l4: send 4b to %d\n",
                 i + 1, (i + 2) % 3 + 1, (i + 1) % 3 + 1, (i + 1) % 3 + 1, (i + 2) % 3 + 1);
        assert_non_null(strstr(text, wanted));
    }
    free(text);
    tan_schedule_destroy(s);
    tan_trace_clear(&trace);
}

/* liballprof's: requests by their addresses, whole microseconds, no lines of communicators, calls
 * that do nothing here. */
TEST(liballprof)
{
    static const char format[] = "# htor's PMPI Tracer 1.0 Output File\n\n"
                                 "MPI_Init:-:140:141:1000\n"
                                 "MPI_Comm_rank:1000:91,%d,4:140:1000\n%s"
                                 "MPI_Finalize:1040:-\n";
    static const char *const calls[] = {("MPI_Irecv:1000:1:3:5,8,8:1:1:91,0,4:800:1000\n"
                                         "MPI_Isend:1010:1:3:5,8,8:1:2:91,0,4:808:1010\n"
                                         "MPI_Waitall:1015:2:800:0:1020\n"),
                                        ("MPI_Recv:1000:1:3:5,8,8:0:2:91,1,4:0:1015\n"
                                         "MPI_Send:1030:1:3:5,8,8:0:1:91,1,4:1031\n"),
                                        "", ""};
    for (int i = 0; i < RANKS; i++) {
        char name[PATH_MAX + 24];
        char text[600];
        path_of(i, name, sizeof name);
        snprintf(text, sizeof text, format, i, calls[i]);
        write_bytes_to(name, text, strlen(text));
    }
    assert_as_by_hand(NULL,
                      "num_ranks 4\n"
                      "rank 0 {\nr: recv 24b from 1 tag 1\na: calc 10000\ns: send 24b to 1 tag 2\n"
                      "c: calc 5000\nw: calc 0\nd: calc 20000\na irequires r\ns requires a\n"
                      "c irequires s\nw requires c\nw requires s\nw requires r\nd requires w\n}\n"
                      "rank 1 {\nr: recv 24b from 0 tag 2\nc: calc 15000\n"
                      "s: send 24b to 0 tag 1\nd: calc 9000\nc requires r\ns requires c\n"
                      "d requires s\n}\n"
                      "rank 2 {\nc: calc 40000\n}\nrank 3 {\nc: calc 40000\n}\n");
}

/* A killed program's: the last line is not whole. */
TEST(cut_off)
{
    struct tan_trace trace;
    double us[RANKS];
    write_rank(0, "MPI_Send:1010.000:1:2:5,4,4:1:7:0,0,4:1011.000:\nMPI_Sen");
    write_rank(1, "MPI_Recv:1000.000:1:2:5,4,4:0:7:0,1,4:0:1015.000:;-1,0,7,8\n");
    nothing_else(2);
    simulate_trace(NULL, us, &trace);
    assert_true(trace.cut);
    assert_int_equal(trace.doubts.n, 1);
    assert_non_null(strstr(trace.doubts.row[0].text, "no MPI_Finalize"));
    tan_trace_clear(&trace);
}

/* However many there are. */
TEST(all_doubts_are_kept)
{
    enum { DOUBTS = 40 };
    struct tan_trace trace;
    double us[RANKS];
    char lines[2000] = "";
    for (int i = 0; i < DOUBTS; i++) {
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "# doubt: reason %d\n", i);
    }
    write_rank(0, lines);
    nothing_else(1);
    simulate_trace(NULL, us, &trace);
    assert_int_equal(trace.doubts.n, DOUBTS + 1); /* and that rank 0 is cut off */
    assert_string_equal(trace.doubts.row[DOUBTS - 1].text, "reason 39");
    tan_trace_clear(&trace);
}

TEST(map)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_map m = {.room = 0};
    assert_int_equal(tan_trace_map_find(&m, 3), TRACE_MAP_NONE);
    tan_map_remove(&m, 3);
    assert_int_equal(tan_trace_map_set(&m, 3, 7, &e), 0);
    assert_int_equal(tan_trace_map_find(&m, UINT64_MAX), TRACE_MAP_NONE);
    assert_int_equal(tan_trace_map_set(&m, UINT64_MAX, 7, &e), 0);
    assert_int_equal(tan_trace_map_find(&m, UINT64_MAX), TRACE_MAP_NONE);
    assert_int_equal(tan_trace_map_find(&m, 3), 7);
    assert_int_equal(tan_trace_map_set(&m, 3, UINT32_MAX - 1, &e), 0);
    assert_int_equal(tan_trace_map_find(&m, 3), UINT32_MAX - 1);
    tan_map_remove(&m, 3);
    assert_int_equal(tan_trace_map_find(&m, 3), TRACE_MAP_NONE);
    tan_map_clear(&m);
}

/* A send that was complete at once has no request, and is not the one that was cancelled: rank 1
 * waits for it. */
TEST(cancelled)
{
    double us[RANKS];
    write_rank(0, "MPI_Irecv:1000:1:10:5,4,4:-1:-1:0,0,4:9:1000:0\nMPI_Cancel:1000:9:1000:;0\n"
                  "MPI_Wait:1000:9:0:1000:;0,-3,-1,0\n"
                  "MPI_Isend:1010:1:2:5,4,4:1:7:0,0,4:8:1010:-1\nMPI_Finalize:1010:1010:\n");
    write_rank(1, "MPI_Recv:1000:1:2:5,4,4:0:7:0,1,4:0:1010:;-1,0,7,8\n"
                  "MPI_Finalize:1010:1010:\n");
    nothing_else(2);
    simulate_whole("usual", us);
    assert_close(us[0], 10.0 + 1.5, 1e-9);
    assert_close(us[1], 10.0 + 1.5 + 7 * 0.006 + 2.5 + 1.5, 1e-9);
}

/* Of a request that is started three times the second one is cancelled. */
TEST(cancelled_start)
{
    double us[RANKS];
    write_rank(0, "MPI_Recv_init:1000:1:2:5,4,4:1:7:0,0,4:9:1000:0\n"
                  "MPI_Start:1000:9:1000:;0\nMPI_Wait:1000:9:0:1000:;0,1,7,8\n"
                  "MPI_Start:1000:9:1000:;0\nMPI_Cancel:1000:9:1000:;0\n"
                  "MPI_Wait:1000:9:0:1000:;0,-3,-1,0\n"
                  "MPI_Start:1000:9:1000:;0\nMPI_Wait:1000:9:0:1000:;0,1,7,8\n"
                  "MPI_Finalize:1000:1000:\n");
    write_rank(1, "MPI_Send:1000:1:2:5,4,4:0:7:0,1,4:1000:\n"
                  "MPI_Send:1010:1:2:5,4,4:0:7:0,1,4:1010:\nMPI_Finalize:1010:1010:\n");
    nothing_else(2);
    simulate_whole("usual", us);
    assert_close(us[0], 1.5 + 10.0 + 1.5 + 7 * 0.006 + 2.5 + 1.5, 1e-9);
    assert_close(us[1], 1.5 + 10.0 + 1.5, 1e-9);
}

/* It gets the message that it got in the traced run: neither the barrier's nor that of rank 1,
 * which the simulation has earlier, and for which rank 0 would then wait for ever. */
TEST(any_tag)
{
    double us[RANKS];
    write_rank(0, "MPI_Irecv:1000:1:10:5,4,4:-1:-1:0,0,4:9:1000:0\nMPI_Barrier:1000:0,0,4:1000:\n"
                  "MPI_Recv:1000:1:10:5,4,4:-1:1:0,0,4:0:1600:;-1,1,1,40\n"
                  "MPI_Wait:1600:9:0:1600:;0,2,5,40\nMPI_Finalize:1600:1600:\n");
    write_rank(1, "MPI_Barrier:1000:0,1,4:1000:\nMPI_Send:1000:1:10:5,4,4:0:1:0,1,4:1000:\n"
                  "MPI_Finalize:1000:1000:\n");
    write_rank(2, "MPI_Barrier:1000:0,2,4:1000:\nMPI_Send:1500:1:10:5,4,4:0:5:0,2,4:1500:\n"
                  "MPI_Finalize:1500:1500:\n");
    write_rank(3, "MPI_Barrier:1000:0,3,4:1000:\nMPI_Finalize:1000:1000:\n");
    simulate_whole("usual", us);
    assert_in_range((int)us[0], 500, 599);
}

/* The message of rank 2, which comes 500 us later than that of rank 1 but came first in the traced
 * run, and 300 us of computation after it; Schedgen's receives take what comes first. */
TEST(any_source_with_schedgen)
{
    const char *sets[] = {"usual", "schedgen"};
    const int most[] = {899, 599};
    write_rank(0, "MPI_Recv:1000:1:10:5,4,4:-1:1:0,0,4:0:1000:;-1,2,1,40\n"
                  "MPI_Recv:1300:1:10:5,4,4:-1:1:0,0,4:0:1300:;-1,1,1,40\n"
                  "MPI_Finalize:1300:1300:\n");
    write_rank(1, "MPI_Send:1000:1:10:5,4,4:0:1:0,1,4:1000:\nMPI_Finalize:1000:1000:\n");
    write_rank(2, "MPI_Send:1500:1:10:5,4,4:0:1:0,2,4:1500:\nMPI_Finalize:1500:1500:\n");
    write_rank(3, "MPI_Finalize:1000:1000:\n");
    for (int i = 0; i < 2; i++) {
        double us[RANKS];
        simulate_whole(sets[i], us);
        assert_in_range((int)us[0], most[i] - 99, most[i]);
    }
}

/* The same if the message that came first in the traced run is of rank 0. */
TEST(any_source_is_rank_0)
{
    double us[RANKS];
    write_rank(0, "MPI_Send:1500:1:10:5,4,4:1:1:0,0,4:1500:\nMPI_Finalize:1500:1500:\n");
    write_rank(1, "MPI_Irecv:1000:1:10:5,4,4:-1:1:0,1,4:9:1000:0\n"
                  "MPI_Wait:1000:9:0:1000:;0,0,1,40\n"
                  "MPI_Recv:1300:1:10:5,4,4:-1:1:0,1,4:0:1300:;-1,2,1,40\n"
                  "MPI_Finalize:1300:1300:\n");
    write_rank(2, "MPI_Send:1000:1:10:5,4,4:1:1:0,2,4:1000:\nMPI_Finalize:1000:1000:\n");
    write_rank(3, "MPI_Finalize:1000:1000:\n");
    simulate_whole("usual", us);
    assert_in_range((int)us[1], 800, 899);
}

/* Microseconds that ranks compute when rank 1 waits for its message by tests: 8 us of them, of
 * which `inside` in the tests. */
static double computed(const char *inside)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_trace_options options = {.collectives = "usual"};
    struct tan_sim_params p = tan_sim_defaults;
    struct tan_trace trace;
    struct tan_simulation r;
    char calls[400];
    p.within = p.between;
    write_rank(0, "MPI_Send:1080.000:1:2:5,4,4:1:7:0,0,4:1090.000:\nMPI_Finalize:1090:1090:\n");
    snprintf(calls, sizeof calls,
             "MPI_Irecv:1010.000:1:2:5,4,4:0:7:0,1,4:9:1010.000:0\n"
             "# polls: 1012.000:1020.000:4:%s\n"
             "MPI_Test:1020.000:9:1:0:1021.000:;0,0,7,8\nMPI_Finalize:1021:1021:\n",
             inside);
    write_rank(1, calls);
    nothing_else(2);
    struct tan_schedule *s = tan_trace_load(scratch, &options, &trace, &e);
    assert_no_error(e);
    assert_int_equal(tan_simulate(s, &p, false, &r, &e), 0);
    const double us = tan_phase_seconds(r.phase[TAN_TRACE_COMPUTATION]) * 1e6;
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
    tan_trace_clear(&trace);
    return us;
}

/* Between tests a program computes; where it does so for longer than they take, they are no wait.
 */
TEST(polls)
{
    const double others =
        80.0 + 2 * 1000.0 + 10.0 + 2.0; /* before the send, the Irecv, the tests */
    assert_close(computed("6.000"), others + 2.0, 1e-9);
    assert_close(computed("3.000"), others + 8.0, 1e-9);
}

RUN_TESTS(make_scratch, remove_folder)
