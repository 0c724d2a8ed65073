# starting.sh - a job that ends while it starts leaves nobody behind; standard input reaches rank 0
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/mpi/lib

# ended WHAT STATUS: the job ends within seconds, and so do all whose command lines hold $T.
ended()
{
    ends "$2" 20 "$1"
    for _ in $(seq 50); do
        pgrep -f "$T/" >/dev/null || return
        sleep 0.1
    done
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
comes_true [ -e "$T/deaf.begun" ] || fail "no $T/deaf.begun within 10 s"
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
says err "the launcher '.*leaver' ended with status 7 before the measurement began"

# At any moment of a start; what launchers print then is theirs.
for signal in TERM INT KILL; do
    for delay in 0 0.2 0.5; do
        "$TANBENCH" --machine "$MACHINE" --topo nto1:40 --max-time 60s --max-waves 10000000 --precision 0.01% \
            --journal "$T/$signal$delay.journal" >"$T/out" 2>"$T/err" </dev/null &
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
    exec "$TANBENCH" --machine "$MACHINE" --min-waves 10 --max-waves 10 --topo chain:2 --topo nto1:3 --journal "$T/hup.journal"
) >"$T/out" 2>"$T/err" </dev/null &
job=$!
until pgrep -P $job >/dev/null; do
    sleep 0.01
done
kill -HUP $job
ended nohup 0

# Standard input, read where the command line is and where rank 0 is, for each launch.
few="--min-waves 10 --max-waves 10"
echo '{"schema": "tan-experiment/1", "topologies": ["chain:2", "nto1:3"]}' >"$T/experiment.json"
echo '[-1, 0, 0]' >"$T/tree.json"
# piped ARGUMENT...: with standard input from $T/in, through a pipe.
piped()
{
    cat "$T/in" | "$TANBENCH" "$@" >"$T/out" 2>"$T/err" || fail "$*: $(cat "$T/err")"
}
cp configs/cab.json "$T/in"
piped $few --machine - --topo chain:2 --topo nto1:3
says out 'Predictions for Cab'
piped $few --emulate - --topo chain:2 --launches 2
says out 'Emulated: Cab'
cat "$T/in" | $MPIEXEC -n 3 "$TANBENCH" $few --emulate - --topo chain:2 >"$T/out" 2>"$T/err" || fail "$(cat "$T/err")"
says out 'Emulated: Cab'
cp "$T/experiment.json" "$T/in"
piped $few --machine "$MACHINE" --experiment -
says out '^nto1:3 '
cp "$T/tree.json" "$T/in"
piped $few --machine "$MACHINE" --topo file:- --launches 2
says out '^file:- '
alone 2 --topo file:- --experiment -
says err 'standard input (-) can be only one of '
finish
