# trouble.sh - signals, dead ranks and full disks: a clear message, nothing lost, nobody left
# SPDX-License-Identifier: GPL-3.0-or-later
# leaks: elsewhere
. tests/mpi/lib

# begin ARGUMENT...: start a job; start ARGUMENT...: the same, and it has measured one cell and is busy
# with a long one.
begin()
{
    rm -f "$T/r.json"
    "$TANBENCH" --machine "$MACHINE" --seed 1 --min-waves 10 --max-waves 10000000 --max-time 600s \
        --precision 0 --json "$T/r.json" "$@" >"$T/out" 2>"$T/err" </dev/null &
    job=$!
}
start()
{
    begin "$@"
    within 60 [ -s "$T/r.json" ] || fail "no first cell"
}

# ended STATUS: the job of start ends promptly and so.
ended()
{
    ends "$1"
    grep -q '"topo": "pingpong"' "$T/r.json" || fail "the finished cell is lost"
    nobody_left
}

# Where the machine is so busy that rank 0 does not end within 5 s, the launcher is told to end it.
for signal in INT TERM; do
    for _ in 1 2 3; do
        start pingpong chain:4 --max-time 1s --topo nto1:4
        kill -$signal $job
        ended 1
        grep -q 'interrupted after [12] of 3' "$T/err" && break
    done
    says err 'interrupted after [12] of 3'
    says out '^pingpong'
done

# Ctrl-C in the user's own launcher reaches every rank.
printed='^chain:2 '
interrupts '^tanbench: interrupted during chain:2$' $MPIEXEC -n 3 -- stream chain:2 --duration 60s
says out "$printed"
printed=
nobody_left
# Single messages are kept, as far as they were measured: one-way times are too little for a machine file.
for launcher in "" "$MPIEXEC -n 2"; do
    interrupts '^tanbench: interrupted: one-way times alone were measured until then, too little for a machine file$' \
        $launcher -- p2p calibrate "$T/cut.json" --sizes 1,64 --max-time 600s --json "$T/r.json"
    [ -e "$T/cut.json" ] && fail "a machine file of one-way times"
    grep -q '"complete": false' "$T/r.json" || fail "the results do not say that they are incomplete"
    grep -q '"half_us": [0-9]' "$T/r.json" || fail "one-way times are lost"
    says out '^ *64 *[0-9]'
    nobody_left
done
# After that, in steps that may be missing, the machine file is written: send modes, in step 4, are the first.
script -qefc "exec $TANBENCH p2p calibrate $T/cut.json --sizes 1,64 --max-time 10s --send-modes --datatypes >$T/out" \
    /dev/null >"$T/typed" 2>&1 </dev/null &
job=$!
comes_true grep -q '\[step 4 of' "$T/typed" || fail "no send modes"
kill -INT "$(pgrep -P $job)"
ends 1
sed 's/.*\r\x1b\[K//; s/\r$//' "$T/typed" >"$T/err"
says err '^tanbench: interrupted: what was measured until then is kept$'
grep -q '"o_r_us": [0-9]' "$T/cut.json" || fail "interrupted p2p calibrate has no overheads"
grep -q '"datatypes"' "$T/cut.json" && fail "vectors that were not measured"
# So are comparisons with a machine file.
interrupts '^tanbench: interrupted: what was measured until then is kept$' -- \
    p2p validate "$T/cut.json" --sizes 8 --max-time 600s --json "$T/r.json"
grep -q '"complete": false' "$T/r.json" || fail "the comparison does not say that it is incomplete"
grep -q '"error": {' "$T/r.json" || fail "no comparison is kept"
nobody_left
# Of a job whose rank is killed, what was written after the first pass, and every ten seconds from then on.
rm "$T/r.json"
"$TANBENCH" p2p --sizes 1,64 --max-time 600s --json "$T/r.json" >"$T/out" 2>"$T/err" </dev/null &
job=$!
comes_true [ -s "$T/r.json" ] || fail "messages are not kept meanwhile"
kill -9 "$(process_of 1 "$T/r.json")"
ends 1
says err " during messages; $T/r.json has what was measured before\$\|^tanbench: interrupted: "
grep -q '"complete": false' "$T/r.json" || fail "the results do not say that they are incomplete"
nobody_left

# A victim of the second cell, whose waves take 20 ms each: the first is over at once, and this one outlasts
# the search for the victim, also on a busy machine.
victim_runs()
{
    victim=$(process_of 3 "$T/r.json")
    [ -n "$victim" ]
}
begin --max-waves 3000 --work 5ms --seed 3 --topo pingpong --topo nto1:4 # in this order
comes_true victim_runs || fail "no rank 3"
report=$(tr '\0' '\n' <"/proc/$victim/environ" | sed -n 's/^TANBENCH_REPORT=//p')
comes_true grep -q '^cell nto1:4$' "$report" || fail "nto1:4 has not begun"
comes_true [ -s "$T/r.json" ] || fail "no first cell"
kill -9 $victim
ended 1
# The launcher says so, and ends all ranks; rank 0 may still say how far it was.
says err "^tanbench: \\(interrupted\\|the launcher .* ended with status [0-9]*\\) during nto1:4\$"

# What cannot be written: known before anything is measured, or else said with its reason.
few="--min-waves 10 --max-waves 10 --topo chain:2"
for option in --json --raw; do
    alone 1 $few $option /dev/full
    says err '^tanbench: cannot write /dev/full: No space left on device'
    says out '^chain:2 '
    alone 1 $few $option "$T/none/results"
    says err 'none/results.*: No such file or directory$'
    [ -s "$T/out" ] && fail "measured what could not be written"
done
alone 1 calibrate "$T/none/machine.json"
says err 'cannot write .*none/machine.json: No such file or directory$'
# Nobody reads.
{
    "$TANBENCH" --machine "$MACHINE" $few --json - 2>"$T/err" </dev/null
    echo $? >"$T/status"
} | true
[ "$(cat "$T/status")" -eq 1 ] || fail "exit status $(cat "$T/status") when nobody reads"
says err 'tanbench: cannot write standard output: Broken pipe'
finish
