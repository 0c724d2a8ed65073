# goal.sh - schedules executed by real ranks
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/mpi/lib

sim=$BUILD/bin/tan-sim
# A calculation of 20 ms, then a message, then one of 30 ms on the other side: nothing is faster.
printf 'num_ranks 2\nrank 0 {\nc: calc 20000000\ns: send 4000b to 1 tag 3\ns requires c\n}\nrank 1 {\nr: recv 4000b from 0 tag 3\nc: calc 30000000\nc requires r\n}\n' >"$T/s.goal"
# A busy machine may keep ranks from beginning in time, which is then said.
alone '[03]' run-goal "$T/s.goal" --repeat 10 --json "$T/r.json"
says out '^Finish: median '
says out '2 ranks, 4 operations, executed 10 times'
grep '"median_us"' "$T/r.json" | holds '$2 + 0 >= 50000 && $2 + 0 < 500000' || fail "20 and 30 ms take $(grep median_us "$T/r.json")"

# Nor where ranks take turns on one core, beside others, and miss most of the instants.
printf 'num_ranks 3\nrank 0 { calc 5000000 }\nrank 1 { calc 5000000 }\nrank 2 { calc 5000000 }\n' >"$T/one_core.goal"
core=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
others=
for i in 1 2 3; do
    timeout 60 taskset -c "$core" sh -c 'while :; do :; done' &
    others="$others $!"
done
tan taskset -c "$core" $MPIEXEC -n 3 -- run-goal "$T/one_core.goal" --repeat 20 --json "$T/one_core.json"
kill $others
sed -n '/"samples_us"/,/]/p' "$T/one_core.json" | grep -o '[0-9.]*[0-9]' | sort -n | sed 1q | holds '$1 >= 5000' ||
    fail "5 ms take less: $(cat "$T/one_core.json" "$T/err")"

# Every pattern that tan-sim knows ends, also with messages beyond the eager limit, and under the
# user's own launcher.
for pattern in gather:3 scatter:3 linear-barrier:3 binomial-broadcast:5 binomial-reduce:5 dissemination:3 \
    nway-dissemination:2:5 recursive-doubling:4 halving-doubling:5 ring-allreduce:3 pipelined-ring:4:3 linear-alltoall:4; do
    "$sim" convert --pattern "$pattern" --bytes 100KiB "$T/p.goal" || fail "convert $pattern"
    job '[03]' "$(sed -n 's/^num_ranks //p' "$T/p.goal")" run-goal "$T/p.goal" --repeat 6
done
# From any source; irequires; a rank without operations.
printf 'num_ranks 3\nrank 0 {\na: recv 8b from -1 tag -1\nb: recv 8b from -1 tag 2\nc: calc 10\nc irequires a\nb requires a\n}\nrank 1 { send 8b to 0 tag 1 }\nrank 2 { calc 5 }\n' |
    sed 's/send 8b to 0 tag 1/x: send 8b to 0 tag 2\ny: send 8b to 0 tag 2\ny requires x/' >"$T/any.goal"
alone '[03]' run-goal "$T/any.goal" --repeat 6

# One host posing as three whose clocks differ by seconds: ranks begin at one instant all the same.
"$sim" convert --pattern gather:3 --bytes 1KiB "$T/p.goal" || fail "convert"
export TANBENCH_SPLIT_HOST=3 TANBENCH_SKEW_CLOCK=2.5:100
job '[03]' 3 run-goal "$T/p.goal" --repeat 6 --json "$T/split.json"
unset TANBENCH_SPLIT_HOST TANBENCH_SKEW_CLOCK
says out "All ranks begin at one instant of the hosts' clocks, which are known to [0-9.e+-]* us\\."
grep '"median_us"' "$T/split.json" | holds '$2 + 0 < 1000000' || fail "clocks are seconds apart: $(grep median_us "$T/split.json")"
grep '"clock_accuracy_us"' "$T/split.json" | holds '$2 + 0 > 0' || fail "clocks are known too well: $(grep clock_accuracy_us "$T/split.json")"

# Ranks that outnumber cores.
"$sim" convert --pattern "gather:$(($(nproc) + 1))" "$T/many.goal" || fail "convert"
job 3 "$(($(nproc) + 1))" run-goal "$T/many.goal" --repeat 6 --json "$T/many.json"
says err 'tanbench: not trustworthy: ranks outnumber cores'
grep -q '"trustworthy": false' "$T/many.json" || fail "ranks outnumber cores, and the file says nothing"

# Standard input, which every rank has to know.
for launcher in "" "$MPIEXEC -n 2"; do
    sed 's/0000000$/000/' "$T/s.goal" | $limit $launcher "$TANBENCH" run-goal - --repeat 6 >"$T/out" 2>"$T/err"
    case $? in
    0 | 3) ;;
    *) fail "run-goal -: $(cat "$T/err")" ;;
    esac
    says out '^standard input: 2 ranks, 4 operations, executed 6 times$'
done

# Interrupted, also by Ctrl-C in the user's own launcher, which reaches every rank and soon kills
# them: what there is by then is said and saved.
sed 's/0000000$/00000/' "$T/s.goal" >"$T/short.goal"
for launcher in "" "$MPIEXEC -n 2"; do
    rm -f "$T/cut.json"
    interrupts '^tanbench: interrupted after [0-9]*[0-9][0-9] of 100000 executions$' $launcher -- \
        run-goal "$T/short.goal" --repeat 100000 --json "$T/cut.json"
    # Hydra's own status after Ctrl-C is sometimes 0.
    [ -n "$launcher" ] || [ $status = 1 ] || fail "interrupted, and status $status"
    runs=$(sed -n 's/^tanbench: interrupted after \([0-9]*\) of .*/\1/p' "$T/err")
    says out "executed $runs times"
    saved=$(sed -n '/"samples_us"/,/]/p' "$T/cut.json" | grep -c '^ *[0-9]')
    [ "$saved" = "$runs" ] || fail "$saved of $runs runs are saved"
done

# What cannot be executed.
alone 2 run-goal
says err 'run-goal needs a schedule: tanbench run-goal FILE.goal'
alone 1 run-goal "$T/none.goal"
says err "cannot read $T/none.goal"
alone 2 run-goal "$T/s.goal" --ranks 3
says err "--ranks 3: $T/s.goal has 2"
job 2 3 run-goal "$T/s.goal"
says err "$T/s.goal needs 2 ranks, and the job has 3"
printf 'num_ranks 2\nrank 0 { recv 8b from 1 }\nrank 1 { calc 1 }\n' >"$T/stuck.goal"
alone 1 run-goal "$T/stuck.goal"
says err 'this schedule can never end: see tan-sim run'
printf 'num_ranks 2\nrank 0 { recv 8b from 1 cpu 1 }\nrank 1 { send 8b to 0 }\n' >"$T/cpu.goal"
alone 1 run-goal "$T/cpu.goal"
says err 'operation 1 of rank 0 cannot be executed: a rank has one CPU and one NIC, number 0'
alone 2 run-goal "$T/s.goal" --repeat 5
says err 'repeat'
alone 1 run-goal "$T/s.goal" --repeat 6 --json /dev/full
says err 'cannot write /dev/full'
kept=$(sed -n 's/.*; what was measured is kept in //p' "$T/err")
grep -q tan-goal-run/1 "$kept" || fail "what run-goal has measured is lost"
rm -f "$kept"

nobody_left
finish
