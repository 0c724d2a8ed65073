# trace.sh - programs traced by libtantrace.so, and their simulation
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/mpi/lib

library=$PWD/$(dirname "$TANBENCH")/libtantrace.so
sim=$BUILD/bin/tan-sim
compiler=$(echo "$MPIEXEC" | sed 's/mpiexec/mpicc/')
if ! command -v "$compiler" >/dev/null; then
    echo "needs $compiler for test programs"
    exit 77
fi
for program in calls more_calls cg sweep stencil fft; do
    $compiler -O2 -o "$T/$program" "sim/tests/mpi/programs/$program.c" -lm 2>"$T/err" || fail "$program: $(cat "$T/err")"
done

# traced DIR N PROGRAM ARGUMENT...: run it with the library; its output is left in $T/out.
traced()
{
    dir=$1 n=$2
    shift 2
    TAN_TRACE_DIR=$T/$dir.d $MPIEXEC -n "$n" env LD_PRELOAD="$library" "$@" >"$T/out" 2>"$T/err" </dev/null
}

# only_busy FILE: the only doubts in FILE are of this machine: fewer cores than ranks, or so busy that
# its ranks left MPI_Init farther apart than a short program takes.
only_busy()
{
    [ -s "$1" ] && ! grep -v -e 'more ranks than cores' -e 'ranks left MPI_Init .* longer than they ran' "$1" | grep -q .
}

# simulated STATUS DIR OPTION...: what the simulation says, in $T/sim and as JSON.
simulated()
{
    want=$1 dir=$2
    shift 2
    "$sim" trace --details "$T/$dir.d" --json "$T/$dir.json" "$@" >"$T/sim" 2>"$T/err"
    status=$?
    [ "$status" = 3 ] && only_busy "$T/err" && status=0
    [ "$status" = "$want" ] || fail "exit status $status, not $want: tan-sim trace $dir $*: $(cat "$T/err")"
}

# One of every call, between ranks, on their copies and halves: results are right, and the
# simulation ends, whatever it takes.
for n in 2 5; do
    traced "calls$n" "$n" "$T/calls" || fail "calls on $n ranks: $(cat "$T/err")"
    grep -qx right "$T/out" || fail "calls on $n ranks: $(cat "$T/out")"
    grep -q 'libtantrace' "$T/err" && fail "calls on $n ranks: $(cat "$T/err")"
    simulated 0 "calls$n"
    simulated 0 "calls$n" --collectives schedgen --collective bcast=pipelined-ring:1
    "$sim" convert "$T/calls$n.d" "$T/calls.goal" 2>"$T/err" || { [ $? -eq 3 ] && only_busy "$T/err"; } ||
        fail "convert: $(cat "$T/err")"
    "$sim" run "$T/calls.goal" >"$T/run" || fail "the converted schedule does not end"
done
# Every call that a rank has made is there, as often as it was made.
calls=$(zstdcat "$T/calls5.d/rank-0.txt.zst" | grep -c '^MPI_Ssend')
[ "$calls" = 4 ] || fail "$calls MPI_Ssend in place of 4"
zstdcat "$T/calls5.d/rank-0.txt.zst" | grep -q '^# comm [0-9]* = 4 2 0$' || fail "the communicator of every second rank is not there"

# Neighbours, matched probes, topologies, groups, types of their own, persistent collective calls.
for n in 2 5; do
    traced "more$n" "$n" "$T/more_calls" || fail "more calls on $n ranks: $(cat "$T/err")"
    grep -qx right "$T/out" || fail "more calls on $n ranks: $(cat "$T/out")"
    grep -q 'libtantrace' "$T/err" && fail "more calls on $n ranks: $(cat "$T/err")"
    simulated 0 "more$n"
done
lines=$(zstdcat "$T/more5.d/rank-0.txt.zst" | grep -c '^# call MPI_Neighbor_alltoallw')
[ "$lines" = 3 ] || fail "$lines MPI_Neighbor_alltoallw in place of 3"

# Rank files of an older trace with more ranks are not mixed with the new ones; other files stay.
touch "$T/more5.d/rank-notes.txt" "$T/more5.d/rank-9.txt.gz"
traced more5 2 "$T/more_calls" || fail "older trace: $(cat "$T/err")"
grep -q 'more5.d: [1-4] files* of an older trace' "$T/err" || fail "older trace: $(cat "$T/err")"
[ -e "$T/more5.d/rank-notes.txt" ] || fail "a file that is no trace is gone"
rm "$T/more5.d/rank-notes.txt"
simulated 0 more5

# What ranks compute is all that there is when messages cost nothing; what they cost is what is added.
traced cg 2 "$T/cg" 60 60 40 || fail "cg: $(cat "$T/err")"
grep -q '^residual' "$T/out" || fail "cg: $(cat "$T/out")"
simulated 0 cg -L 0 -o 0 -g 0 -G 0
python3 - "$T/cg.json" <<'PYTHON' || fail "cg: calculations that are not those of the trace"
import json, sys
ranks = json.load(open(sys.argv[1]))["program"]["ranks"]
computed_by_all = sum(rank["traced_us"] - rank["mpi_us"] for rank in ranks)
last_start = max(rank["started_us"] for rank in ranks)
for rank in ranks:
    computed = rank["traced_us"] - rank["mpi_us"]
    # ranks wait for each other, so that one of them computes at any time, and nothing else is added
    if not 0.999 * computed <= rank["simulated_us"] <= last_start + 1.001 * computed_by_all + 50:
        print(rank)
        sys.exit(1)
PYTHON
simulated_us() { awk '/^Finish/ { print $2 * ($3 ~ /^ms/ ? 1000 : $3 ~ /^s/ ? 1e6 : 1) }' "$T/sim"; }
before=$(simulated_us)
# 40 iterations with a halo exchange and two reductions, one reduction before them and one barrier:
# 121 + 1 exchanges of one after the other, and at last a reduction. Messages are on their way while
# the slower rank still computes, so the first simulation's time need not be added in full.
simulated 0 cg -L 1ms -o 0 -g 0 -G 0
awk -v a="$before" -v b="$(simulated_us)" 'BEGIN { exit !(b >= 122900 && b - a < 124500) }' ||
    fail "123 exchanges of 1 ms take $before and then $(simulated_us) us"

# A pipeline over a grid of communicators' ranks.
traced sweep 4 "$T/sweep" 20 4 4 || fail "sweep: $(cat "$T/err")"
simulated 0 sweep

# Halo exchanges of subarrays that overlap computations, and transpositions: results are right.
traced stencil 4 "$T/stencil" 6 10 100 || fail "stencil: $(cat "$T/err")"
grep -qx 'heat 864.000000 of 864' "$T/out" || fail "stencil: $(cat "$T/out")"
simulated 0 stencil
traced fft 4 "$T/fft" 32 4 100 || fail "fft: $(cat "$T/err")"
grep -Eqx 'error [0-9.]+e-1[0-9]' "$T/out" || fail "fft: $(cat "$T/out")"
simulated 0 fft

# Calls that take less than the clock tells apart: what is taken off them for the tracer makes no time
# go back, neither from call to call nor within one, and not in tests that find nothing.
cat >"$T/short.c" <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    int found;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 20000; i++) {
        MPI_Barrier(MPI_COMM_SELF);
        MPI_Iprobe(0, 1, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
        MPI_Iprobe(0, 1, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
C
$compiler -O2 -o "$T/short" "$T/short.c"
# In order: sums of times between calls cannot be negative. Tests took no longer than from the first
# one's start to the last one's end.
in_order() { zstdcat "$T/$1.d/rank-0.txt.zst" | awk -F: '
    /^# thread / { thread = $0 }
    /^# polls/ { start = $2 + 0; end = $3; n += $4
        if ($5 > end - start + 0.0005 || $5 < 0) { print "tests of", $5, "us:", $0; exit 1 } }
    /^MPI_/ && $2 != "-" { start = $2; end = $(NF - 1) }
    /^# polls/ || /^MPI_/ && $2 != "-" { lines++
        if (start < last[thread] - 0.0005 || end < start - 0.0005) { print "back from", last[thread], "us:", $0; exit 1 }
        last[thread] = end }
    END { print lines, n + 0 }'
}
traced short 1 "$T/short" || fail "short calls: $(cat "$T/err")"
zstdcat "$T/short.d/rank-0.txt.zst" | grep -Eqx '# clock:( 0\.0000[0-9]{5}){4}' || fail "no cost of the clock: $(zstdcat "$T/short.d/rank-0.txt.zst" | grep clock)"
[ "$(in_order short | cut -d' ' -f2)" = 40000 ] || fail "short calls: $(in_order short)"
simulated 0 short

# Numbers of every length, also from the cache of addresses; and pauses by another clock, since the tracer's
# may be the processor's counter: most of five, as the process may be interrupted between two readings.
cat >"$T/numbers.c" <<'C'
#include <inttypes.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
static void pass(uint64_t address)
{
    const int count = (int)(address % 1000000000);
    MPI_Send(&count, count, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Waitall(0, (MPI_Request *)(uintptr_t)address, MPI_STATUSES_IGNORE);
    printf("%d:%" PRIu64 "\n", count, address);
}
static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (uint64_t power = 1; power <= INT64_MAX / 10; power *= 10) {
        for (uint64_t digit = 1; digit < 10; digit++) {
            pass(digit * power - 1);
            pass(digit * power);
            pass(digit * power - 1);
            pass(digit * power + power / 7);
        }
    }
    for (int i = 0; i < 5; i++) { /* each shorter than the one before, whose comparison it uses */
        const struct timespec pause = {.tv_nsec = 90000000 - i * 15000000};
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = now_us();
        nanosleep(&pause, NULL);
        printf("pause %.3f\n", now_us() - begin);
    }
    MPI_Finalize();
    return 0;
}
C
$compiler -O2 -o "$T/numbers" "$T/numbers.c" || fail "numbers"
traced numbers 1 "$T/numbers" || fail "numbers: $(cat "$T/err")"
zstdcat "$T/numbers.d/rank-0.txt.zst" >"$T/text"
grep -v pause "$T/out" >"$T/passed"
awk -F: '/^MPI_Send:/ { count = $4 } /^MPI_Waitall:/ { print count ":" $4 }' "$T/text" | diff "$T/passed" - >"$T/diff" ||
    fail "numbers: $(head -n 4 "$T/diff")"
[ "$(wc -l <"$T/passed")" = 648 ] || fail "numbers: $(wc -l <"$T/passed")"
awk -F: '/^MPI_(Barrier|Finalize):/ { if (n++) print "traced", $2 - end; end = $4 }' "$T/text" | cat "$T/out" - | awk '
    $1 == "pause" { us[n++] = $2 }
    $1 == "traced" { off = $2 - us[k++]; if (off < 1000 && off > -1000) right++ }
    END { exit !(n == 5 && k == 5 && right >= 3) }' || fail "pauses: $(grep pause "$T/out") $(grep -E '^MPI_(Barrier|Finalize)' "$T/text")"

# An MPI may give one handle to all sends that are complete at once. Each has a number of its own,
# which its wait completes; requests that nobody waits for keep nothing in memory.
cat >"$T/at_once.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
int main(int argc, char **argv)
{
    enum { MESSAGES = 8, MANY = 1000 };
    const long rounds = atol(argv[argc - 1]);
    static int in[MANY];
    MPI_Request received[MANY];
    MPI_Request sent[MESSAGES];
    MPI_Request nobody;
    MPI_Status status;
    struct rusage before;
    struct rusage after;
    int found;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &received[i]);
    }
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Isend(&i, 1, MPI_INT, 0, i, MPI_COMM_SELF, &sent[i]);
    }
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Wait(&sent[i], &status);
    }
    MPI_Waitall(MESSAGES, received, MPI_STATUSES_IGNORE);
    for (long round = -1; round < rounds; round++) {
        for (int i = 0; i < MANY; i++) {
            MPI_Isend(&i, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &nobody);
        }
        if (round < 0) {
            getrusage(RUSAGE_SELF, &before);
        }
    }
    getrusage(RUSAGE_SELF, &after);
    printf("%ld\n", after.ru_maxrss - before.ru_maxrss);
    MPI_Iprobe(0, 1, MPI_COMM_SELF, &found, &status);
    MPI_Finalize();
    return 0;
}
C
$compiler -O2 -o "$T/at_once" "$T/at_once.c" || fail "at_once"
traced at_once 1 "$T/at_once" 1000 || fail "complete at once: $(cat "$T/err")"
zstdcat "$T/at_once.d/rank-0.txt.zst" | awk -F: '
    /^MPI_I(send|recv):/ { if ($NF < 0 || made[$NF]++) { print "no number of its own:", $0 } last[$(NF - 2)] = $NF }
    /^MPI_I(send|recv):/ && $6 != -2 { open++ }
    /^MPI_Wait/ { n = split($NF, done, ";")
        for (i = 2; i <= n; i++) { split(done[i], number, ","); open -= made[number[1]] > 0; made[number[1]] = 0 } }
    /^MPI_Wait:/ && number[1] != last[$3] { print "another number than " last[$3] ":", $0 }
    END { if (open != 0) { print open " requests without an end" } }' >"$T/ends"
[ -s "$T/ends" ] && fail "complete at once: $(cat "$T/ends")"
# a number and a handle for each of 10^6 requests would be 24 MB at least
[ "$(tail -n 1 "$T/out")" -lt 8000 ] || fail "10^6 requests that nobody waits for take $(cat "$T/out") KiB"
simulated 0 at_once

# Where errors are returned, a call that failed is only time, without a line; one that received too long a message, or
# completed some of its requests, is what it was.
cat >"$T/errors.c" <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, in[4], found;
    const int out[4] = {1, 2, 3, 4};
    MPI_Request request[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int failed = (MPI_Send(out, 1, MPI_INT, 99, 0, MPI_COMM_WORLD) != MPI_SUCCESS) +
                 (MPI_Bcast(in, 1, MPI_INT, 99, MPI_COMM_WORLD) != MPI_SUCCESS) +
                 (MPI_Iprobe(99, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    if (rank == 0) {
        MPI_Send(out, 4, MPI_INT, 1, 7, MPI_COMM_WORLD);
        MPI_Send(out, 4, MPI_INT, 1, 8, MPI_COMM_WORLD);
        MPI_Send(out, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    } else {
        failed += MPI_Recv(in, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS;
        MPI_Irecv(in, 2, MPI_INT, 0, 8, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(in + 2, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &request[1]);
        failed += MPI_Waitall(2, request, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
        for (int i = 0; i < 2; i++) {
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d failed\n", failed);
    MPI_Finalize();
    return 0;
}
C
$compiler -o "$T/errors" "$T/errors.c" || fail "errors"
traced errors 2 "$T/errors" || fail "errors: $(cat "$T/err")"
[ "$(sort "$T/out" | tr '\n' ' ')" = '3 failed 5 failed ' ] || fail "errors: $(cat "$T/out" "$T/err")"
zstdcat "$T/errors.d/rank-1.txt.zst" | grep -q -e '^MPI_Send' -e '^MPI_Bcast' -e '^MPI_Iprobe' -e '^# polls' &&
    fail "errors: $(zstdcat "$T/errors.d/rank-1.txt.zst")"
simulated 0 errors

# Calls with large counts and sessions, of MPI 4, are not traced: what lacks a partner is doubted, and a
# program without MPI_Init is noticed.
if nm -D "$(ldd "$T/errors" | awk '$1 ~ /^libmpi(ch)?\.so/ {print $3}')" | grep -qw MPI_Send_c; then
    cat >"$T/large.c" <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send_c(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
C
    $compiler -o "$T/large" "$T/large.c" && traced large 2 "$T/large" || fail "large counts: $(cat "$T/err")"
    simulated 3 large
    tr -s ' \n' ' ' <"$T/sim" | grep -q 'operations without partners: .*such as MPI_Send_c' || fail "large counts: $(cat "$T/sim")"
    cat >"$T/session.c" <<'C'
#include <mpi.h>
int main(void)
{
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Session_finalize(&session);
    return 0;
}
C
    : >"$T/marker"
    $compiler -o "$T/session" "$T/session.c" && TAN_TRACE_MARKER=$T/marker traced session 2 "$T/session" ||
        fail "a session: $(cat "$T/err")"
    [ "$(grep -c 'MPI sessions (MPI_Session_init) is not traced' "$T/err")" = 1 ] || fail "a session: $(cat "$T/err")"
    [ -s "$T/marker" ] || fail "a session: tan-trace is not told"
fi

# A killed program leaves a trace that can be simulated as far as it goes.
cat >"$T/killed.c" <<'C'
#include <mpi.h>
#include <signal.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 5; i++) {
        usleep(400000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0) {
        raise(SIGKILL);
    }
    usleep(3000000);
    MPI_Finalize();
    return 0;
}
C
$compiler -o "$T/killed" "$T/killed.c"
traced killed 2 "$T/killed"
simulated 3 killed
grep -q 'no MPI_Finalize' "$T/sim" || fail "nothing is said of a trace that ends early"
grep -q '^MPI_Barrier' "$T/sim" || fail "nothing is left of the killed program"

# So does one that ends in its own way, to its last call.
cat >"$T/ended.c" <<'C'
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    exit(3);
}
C
$compiler -o "$T/ended" "$T/ended.c"
for how in '' abort; do
    traced "ended$how" 1 "$T/ended" $how && fail "ended $how: exit status 0"
    simulated 3 "ended$how"
    grep -q '^MPI_Barrier' "$T/sim" || fail "the last call is not there: ended $how"
done

# A full disk ends the trace and not the program.
cat >"$T/full.c" <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
ssize_t write(int fd, const void *bytes, size_t n)
{
    char link[32], path[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, path, sizeof path - 1) > 0 && strstr(path, "/rank-0.txt.zst") != NULL) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, fd, bytes, n);
}
C
$compiler -shared -fPIC -o "$T/full.so" "$T/full.c"
: >"$T/marker"
TAN_TRACE_MARKER=$T/marker library=$T/full.so:$library traced full 2 "$T/cg" 10 10 2 || fail "full disk: $(cat "$T/err")"
[ -s "$T/marker" ] || fail "full disk: tan-trace is not told"
grep -q '^residual' "$T/out" || fail "full disk, no program: $(cat "$T/out")"
grep -q 'rank-0.txt.zst ends here: No space left' "$T/err" || fail "full disk: $(cat "$T/err")"

# Several threads: whole lines, one after the other, and every call.
cat >"$T/threads.c" <<'C'
#include <mpi.h>
#include <pthread.h>
static void *speak(void *context)
{
    int tag = *(int *)context;
    int in;
    for (int i = 0; i < 2000; i++) {
        MPI_Request r;
        MPI_Irecv(&in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &r);
        MPI_Send(&i, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    return NULL;
}
int main(int argc, char **argv)
{
    int level;
    int tags[2] = {1, 2};
    pthread_t thread[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    for (int i = 0; i < 2 && level == MPI_THREAD_MULTIPLE; i++) {
        pthread_create(&thread[i], NULL, speak, &tags[i]);
    }
    for (int i = 0; i < 2 && level == MPI_THREAD_MULTIPLE; i++) {
        pthread_join(thread[i], NULL);
    }
    MPI_Finalize();
    return level == MPI_THREAD_MULTIPLE ? 0 : 77;
}
C
$compiler -pthread -o "$T/threads" "$T/threads.c"
if traced threads 1 "$T/threads"; then
    calls=$(zstdcat "$T/threads.d/rank-0.txt.zst" | grep -c '^MPI_\(Irecv\|Send\|Wait\):[0-9.]*:[0-9:,.;-]*$')
    [ "$calls" = 12000 ] || fail "$calls calls of two threads in place of 12000"
    [ "$(in_order threads | cut -d' ' -f1)" -gt 12000 ] || fail "two threads: $(in_order threads)"
    zstdcat "$T/threads.d/rank-0.txt.zst" | grep -qx '# thread 2' || fail "two threads are not told apart"
    simulated 3 threads
fi

# One thread waits for what another one asks for: one after the other they would wait for ever.
cat >"$T/crossing.c" <<'C'
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
enum { TIMES = 100 };
static atomic_int waits;
static void *ask(void *context)
{
    for (int i = 0; i < TIMES; i++) {
        while (atomic_load(&waits) <= i) {
            sched_yield();
        }
        MPI_Send(context, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    return NULL;
}
int main(int argc, char **argv)
{
    int level;
    int rank;
    int number = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (level == MPI_THREAD_MULTIPLE && rank == 0) {
        pthread_create(&thread, NULL, ask, &number);
        for (int i = 0, in; i < TIMES; i++) {
            atomic_store(&waits, i + 1);
            MPI_Recv(&in, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        pthread_join(thread, NULL);
    }
    for (int i = 0; i < TIMES && level == MPI_THREAD_MULTIPLE && rank == 1; i++) {
        MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&number, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return level == MPI_THREAD_MULTIPLE ? 0 : 77;
}
C
$compiler -pthread -o "$T/crossing" "$T/crossing.c"
if traced crossing 2 "$T/crossing"; then
    simulated 3 crossing
    tr '\n' ' ' <"$T/sim" | tr -s ' ' | grep -q 'NOT TRUSTWORTHY: several threads call MPI' ||
        fail "calls that cross: $(cat "$T/sim")"
fi

# More ranks than cores are doubted, such as three that are bound to one core; a rank by itself is not, and
# neither is a trace that does not say.
core=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
traced shared 3 taskset -c "$core" "$T/more_calls" || fail "shared: $(cat "$T/err")"
said="more ranks than cores (3 ranks on 1 core of $(hostname)): "
for rank in 0 1 2; do
    zstdcat "$T/shared.d/rank-$rank.txt.zst" >"$T/text"
    grep -qx "# cores: 1 for 3 ranks on $(hostname)" "$T/text" || fail "shared: rank $rank: $(head "$T/text")"
    zstdcat "$T/shared.d/rank-$rank.txt.zst" | sed '/^# cores/d' | zstd -qo "$T/rank-$rank.txt.zst"
done
"$sim" trace --details "$T/shared.d" --json "$T/shared.json" >"$T/sim" 2>"$T/err"
[ $? = 3 ] || fail "shared: $(cat "$T/err")"
for file in "$T/err" "$T/shared.json"; do
    grep -qF "$said" "$file" || fail "shared: not in $file"
done
tr -s ' \n' ' ' <"$T/sim" | grep -qF "$said" || fail "shared: $(cat "$T/sim")"
mv "$T"/rank-*.txt.zst "$T/shared.d"
"$sim" trace "$T/shared.d" >"$T/sim" 2>"$T/err" || fail "without a line of cores: $(cat "$T/err")"
traced alone 1 "$T/short" || fail "alone: $(cat "$T/err")"
"$sim" trace "$T/alone.d" >"$T/sim" 2>"$T/err" || fail "alone: $(cat "$T/err")"

# What a link in the folder names is not written to, and the link stays.
printf mine >"$T/mine"
mkdir "$T/link.d"
ln -s "$T/mine" "$T/link.d/rank-0.txt.zst"
ln -s "$T/mine" "$T/link.d/rank-7.txt.zst"
traced link 1 "$T/short" || fail "a link: $(cat "$T/err")"
[ "$(cat "$T/mine")" = mine ] || fail "the trace has gone through a link"
[ -L "$T/link.d/rank-0.txt.zst" ] && [ -L "$T/link.d/rank-7.txt.zst" ] || fail "links are removed"
grep -q 'rank 0 is not traced: .*no regular file of this user' "$T/err" || fail "a link: $(cat "$T/err")"

# Linked in place of preloaded.
$compiler -o "$T/linked" sim/tests/mpi/programs/more_calls.c "$library" -Wl,-rpath,"$(dirname "$library")" || fail "linking"
TAN_TRACE_DIR=$T/linked.d $MPIEXEC -n 2 "$T/linked" >"$T/out" 2>"$T/err" </dev/null || fail "linked: $(cat "$T/err")"
grep -qx right "$T/out" || fail "linked: $(cat "$T/out")"
simulated 0 linked

# The library of another MPI says so.
for other in "$BUILD"/mpi/*/libtantrace.so; do
    other=$PWD/$other
    if [ "$other" != "$library" ]; then
        $MPIEXEC -n 1 env LD_PRELOAD="$other" "$T/calls" >"$T/out" 2>"$T/err" </dev/null && fail "a tracer of another MPI: status 0"
        grep -q "libtantrace: this one is for .*, and the program's MPI is " "$T/err" || fail "another MPI: $(cat "$T/err")"
    fi
done

# Fortran: the module mpi is traced; mpi_f08 is not, and that is said.
fortran=$(echo "$compiler" | sed 's/mpicc/mpif90/')
for module in mpi mpi_f08; do
    printf 'program p\nuse %s\ninteger :: e\ncall MPI_Init(e)\ncall MPI_Barrier(MPI_COMM_WORLD, e)\ncall MPI_Finalize(e)\nend\n' $module >"$T/$module.f90"
    command -v gfortran >/dev/null && $fortran -o "$T/$module" "$T/$module.f90" 2>"$T/err" || continue
    traced "$module" 2 "$T/$module" || fail "Fortran, $module: $(cat "$T/err")"
    if [ $module = mpi ]; then
        zstdcat "$T/mpi.d/rank-0.txt.zst" | grep -q '^MPI_Barrier' || fail "a barrier in Fortran is not traced"
        simulated 0 mpi
    else
        grep -q "calls of Fortran's module mpi_f08 are not traced" "$T/err" || fail "mpi_f08: $(cat "$T/err")"
    fi
done

# Its calls do what they did, and stand there once.
if command -v gfortran >/dev/null && $fortran -o "$T/fortran" sim/tests/mpi/programs/fortran.f90 2>"$T/err"; then
    for n in 2 3; do
        traced "fortran$n" "$n" "$T/fortran" || fail "Fortran on $n ranks: $(cat "$T/err")"
        grep -qx ' *right' "$T/out" || fail "Fortran on $n ranks: $(cat "$T/out" "$T/err")"
        grep -q 'libtantrace' "$T/err" && fail "Fortran on $n ranks: $(cat "$T/err")"
        for call in Sendrecv_replace Waitsome Ibarrier Ssend_init Iallreduce Ibcast Ialltoall Reduce_scatter_block Comm_split_type Comm_create_group Cancel; do
            lines=$(zstdcat "$T/fortran$n.d/rank-0.txt.zst" | grep -c "^MPI_$call:")
            [ "$lines" -ge 1 ] || fail "no MPI_$call of a Fortran program"
        done
        simulated 0 "fortran$n"
    done
fi

# Without a place for its files the program runs as it would.
TAN_TRACE_DIR=/proc/none $MPIEXEC -n 2 env LD_PRELOAD="$library" "$T/cg" 10 10 2 >"$T/out" 2>"$T/err" ||
    fail "no folder ends the program: $(cat "$T/err")"
grep -q '^residual' "$T/out" || fail "no folder, no program: $(cat "$T/out")"
grep -q 'rank 0 is not traced: cannot make the folder /proc/none' "$T/err" || fail "no folder: $(cat "$T/err")"

# The calls with which windows and files begin are doubted.
cat >"$T/unknown.c" <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Win window;
    MPI_File file;
    MPI_Status status;
    int here = 0;
    MPI_Init(&argc, &argv);
    MPI_Win_create(&here, sizeof here, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_all_begin(file, &here, 1, MPI_INT);
    MPI_File_write_all_end(file, &here, &status);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
C
$compiler -o "$T/unknown" "$T/unknown.c"
traced unknown 2 "$T/unknown" "$T/data" || fail "unknown: $(cat "$T/err")"
simulated 3 unknown
for call in MPI_Win_create MPI_File_open; do
    tr '\n' ' ' <"$T/sim" | grep -q "$call  *is  *not  *simulated" || fail "$call: $(cat "$T/sim")"
done

nobody_left
finish
