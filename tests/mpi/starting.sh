# starting.sh - a job that ends during startup leaves nobody behind; standard input reaches rank 0
# SPDX-License-Identifier: GPL-3.0-or-later
# long
# leaks: elsewhere
. tests/mpi/lib

# ended WHAT STATUS: the job ends soon, and so do all whose command lines hold $T.
ended()
{
    ends "$2" "$1"
    comes_true none_runs "$T/" && return
    fail "$1: processes are left: $(pgrep -af "$T/")"
    pkill -9 -f "$T/"
}

# A launcher that hears nothing, and of whose processes one is in a session of its own.
cat >"$T/deaf" <<'EOD'
#!/bin/sh
trap '' INT TERM HUP
setsid sh -c "trap '' INT TERM HUP; while :; do sleep 1; done; : $0" &
: >"$0.begun"
while :; do sleep 1; done
EOD
chmod +x "$T/deaf"
"$TANBENCH" --topo chain:2 --launcher "$T/deaf {n}" >"$T/out" 2>"$T/err" </dev/null &
job=$!
comes_true [ -e "$T/deaf.begun" ] || fail "no $T/deaf.begun"
kill -TERM $job
ended "a deaf launcher" 1
[ "$(cat "$T/err")" = 'tanbench: interrupted before the measurement began' ] || fail "not one sentence: $(cat "$T/err")"

# A launcher that fails and leaves a process.
cat >"$T/leaver" <<'EOD'
#!/bin/sh
setsid sh -c "while :; do sleep 1; done; : $0" &
exit 7
EOD
chmod +x "$T/leaver"
"$TANBENCH" --topo chain:2 --launcher "$T/leaver {n}" >"$T/out" 2>"$T/err" </dev/null &
job=$!
ended "a launcher that leaves" 1
says err 'the launcher ".*leaver" ended with status 7 before the measurement began'

# stopped NAME AFTER: run a launcher that does AFTER when SIGTERM comes, and send that.
stopped()
{
    cat >"$T/$1" <<EOF
#!/bin/sh
trap '$2; exit 1' TERM
: >"\$0.begun"
while :; do sleep 0.1; done
EOF
    chmod +x "$T/$1"
    "$TANBENCH" --topo chain:2 --launcher "$T/$1 {n}" >"$T/out" 2>"$T/err" </dev/null &
    job=$!
    comes_true [ -e "$T/$1.begun" ] || fail "no $T/$1.begun"
    kill -TERM $job
}
# What rank 0 reports counts, and else the user's signal.
stopped silent :
ended "a signal" 1
[ "$(cat "$T/err")" = 'tanbench: interrupted before the measurement began' ] || fail "not the signal: $(cat "$T/err")"
stopped orderly 'echo status 3 >>"$TANBENCH_REPORT"'
ended "a status after the signal" 3
[ -s "$T/err" ] && fail "more than a status: $(cat "$T/err")"

# Rank 0 on another host cannot be signalled: the launcher is, not by SIGINT, which srun does not pass on.
# far NAME COMMAND: run a launcher whose rank 0 has reported from there, and which then does COMMAND.
far()
{
    cat >"$T/$1" <<EOF
#!/bin/sh
trap 'echo status 3 >>"\$TANBENCH_REPORT"; exit 0' TERM
trap 'exit 9' INT
printf 'pid 0\ncell chain:2\n' >>"\$TANBENCH_REPORT"
: >"\$0.begun"
$2
EOF
    chmod +x "$T/$1"
    "$TANBENCH" --topo chain:2 --start-timeout 3s --launcher "$T/$1 {n}" >"$T/out" 2>"$T/err" </dev/null &
    job=$!
    comes_true [ -e "$T/$1.begun" ] || fail "no $T/$1.begun"
}
far signal 'while :; do sleep 0.1; done'
sleep 4 # the time for the start is over
kill -INT $job
ended "a signal to rank 0 elsewhere" 3
far during 'sleep 4; exit 9'
ended "a launcher that ends" 1
[ "$(cat "$T/err")" = "tanbench: the launcher \"$T/during\" ended with status 9 during chain:2" ] || fail "not the cell: $(cat "$T/err")"

# At any moment of a start; what launchers print then is theirs.
# Each signal at one moment; thorough: each at every moment.
i=0
for signal in TERM INT KILL; do
    for delay in 0 0.2 0.5; do
        i=$((i + 1))
        [ -n "${TEST_FULL:-}" ] || [ $((i % 4)) -eq 1 ] || continue
        "$TANBENCH" --machine "$MACHINE" --topo nto1:40 --max-time 600s --max-waves 10000000 --precision 0 \
            --json "$T/$signal$delay.json" >"$T/out" 2>"$T/err" </dev/null &
        job=$!
        until pgrep -P $job >/dev/null; do
            sleep 0.01
        done
        sleep $delay
        kill -$signal $job
        if [ $signal = KILL ]; then
            ended "killed after $delay s" 137
        else
            ended "$signal after $delay s" 1
            says err '^tanbench: interrupted '
        fi
    done
done

# nohup: a hang-up ends nothing.
(
    trap '' HUP
    exec "$TANBENCH" --machine "$MACHINE" --min-waves 10 --max-waves 10 --topo chain:2 --topo nto1:3 --json "$T/hup.json"
) >"$T/out" 2>"$T/err" </dev/null &
job=$!
until pgrep -P $job >/dev/null; do
    sleep 0.01
done
kill -HUP $job
ended nohup 0

# Standard input, read where the command line is and where rank 0 is, for each launch.
few="--min-waves 10 --max-waves 10"
echo '[-1, 0, 0]' >"$T/tree.json"
# piped ARGUMENT...: with standard input from $T/in, through a pipe.
piped()
{
    cat "$T/in" | "$TANBENCH" "$@" >"$T/out" 2>"$T/err" || quiet $? || fail "$*: $(cat "$T/err")"
}
cp configs/cab.json "$T/in"
piped $few --machine - --topo chain:2 --topo nto1:3
says out 'Predictions for Cab'
slow="--machine - --work 0.2s --warmup 0 --min-waves 2 --max-waves 2"
piped $slow --topo chain:2 --launches 2
says out 'Predictions for Cab'
cat "$T/in" | $MPIEXEC -n 3 "$TANBENCH" $slow --topo chain:2 >"$T/out" 2>"$T/err" || quiet $? || fail "$(cat "$T/err")"
says out 'Predictions for Cab'
# More than the 64 KiB that a launcher can pass on before rank 0 reads.
cp results/p2p/openmpi-shm/machine.json "$T/in"
piped $few --machine - --topo chain:2
says out 'Predictions for '
"$TANBENCH" p2p validate - --sizes 8 --max-time 0.5s <"$T/in" >"$T/out" 2>"$T/err"
case $? in
0 | 3) ;; # others may use the cores
*) fail "p2p validate -: $(cat "$T/err")" ;;
esac
says out '^Predictions of '
cp "$T/tree.json" "$T/in"
piped $few --machine "$MACHINE" --topo file:- --launches 2
says out '^file:- '
finish
