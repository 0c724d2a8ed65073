# journal.sh - after any kill: finished cells are in the journal, resume completes the run, nobody is left
# SPDX-License-Identifier: GPL-3.0-or-later
# long
# mpis: one
# sanitized: no
. tests/mpi/lib

# Six cells of some 0.4 s.
cells="--topo pingpong --topo nto1:4 --topo chain:3 --topo binary:3 --topo chain:2 --topo nto1:3"
slow="--max-waves 10000000 --max-time 400ms --precision 0"
j=$T/j.journal

lines()
{
    if [ -e "$j" ]; then wc -l <"$j"; else echo 0; fi
}
has_cell()
{
    [ "$(lines)" -ge 2 ]
}

# measured ARGUMENT...: what drifts is measured, too (3), and how much waves drift is the machine's.
measured()
{
    tan -- "$@"
    case $? in 0 | 3) ;; *) fail "not measured: $*: $(cat "$T/err")" ;; esac
}

# start ARGUMENT...: a job that has finished a cell and is at another one.
start()
{
    rm -f "$j"
    "$TANBENCH" --machine "$MACHINE" $slow $cells --journal "$j" "$@" >"$T/out" 2>"$T/err" </dev/null &
    job=$!
    comes_true has_cell || fail "no first cell"
}

# gone: no process of the job is left soon after its end, launchers included.
gone()
{
    comes_true none_runs "$j" && return
    fail "$1: processes are left"
    pgrep -af "$j"
    pkill -9 -f "$j"
}

# struck WHAT STATUS SIGNAL WHOM...: a job whose process that WHOM prints gets this signal ends so, and
# its finished cells are kept. On a busy machine it may be over by then, or rank 0 not end within the 5 s
# after which its launcher ends it: its cells last longer next time.
struck()
{
    what=$1 expected=$2 signal=$3
    shift 3
    for time in 400ms 4s 40s; do
        $begin $passes --max-time $time
        before=$(lines)
        kill -$signal "$("$@")" 2>/dev/null
        wait $job
        status=$?
        [ "$(lines)" -lt 7 ] && ! grep -q -e 'after 6 of 6' -e 'in pass 2' -e 'interrupted during' "$T/err" && break
    done
    [ "$status" -eq "$expected" ] || fail "$what: exit status $status, not $expected: $(cat "$T/err")"
    gone "$what"
    [ "$(lines)" -ge "$before" ] || fail "$what: finished cells are lost"
    [ "$(lines)" -lt 7 ] || fail "$what: came too late to interrupt anything"
    cp "$j" "$T/before"
}
passes= begin=start

# resumed WHAT: what is missing is measured, what is there is left alone. Without TEST_FULL only where
# a signal came from outside and where one was handled.
resumed()
{
    if [ -z "${TEST_FULL:-}" ] && [ "$1" != 'launcher killed' ] && [ "$1" != interrupted ]; then
        return
    fi
    measured resume "$j" --json "$T/r.json"
    [ "$(grep -c '"complete": true' "$T/r.json")" -eq 6 ] || fail "$1: not 6 cells after resume"
    [ "$(lines)" -eq 7 ] || fail "$1: the journal has not 7 lines after resume"
    head -n "$(wc -l <"$T/before")" "$j" | cmp -s - "$T/before" || fail "$1: the journal's cells changed"
}

# Of the job: its launcher, and the process that started that.
launcher()
{
    pgrep -P "$job" mpi
}
parent()
{
    echo "$job"
}

struck "launcher killed" 1 KILL launcher
says err "the launcher .* was killed by signal 9 during "
resumed "launcher killed"

for rank in 2 0; do
    struck "rank $rank killed" 1 KILL process_of $rank "$j"
    says err "rank $rank on .* died"
    resumed "rank $rank killed"
done

struck "parent killed" 137 KILL parent
resumed "parent killed"

struck interrupted 1 INT parent
says err '^tanbench: interrupted after [1-5] of 6 topologies$'
says err "^tanbench: the measurements are kept: continue with tanbench resume $j\$"
resumed interrupted

# Passes are counted as passes.
passes='--passes 2'
struck "interrupted in a pass" 1 INT parent
says err '^tanbench: interrupted in pass 1 of 2 after [1-5] of 6 topologies$'

# Beside --json: a second run cannot take it away from the first.
j=$T/con.json.journal
long="--min-waves 10 --max-waves 10000000 --max-time 600s --precision 0"
"$TANBENCH" --machine "$MACHINE" $long --topo chain:2 --json "$T/con.json" >"$T/con.out" 2>"$T/con.err" </dev/null &
job=$!
comes_true [ -s "$j" ] || fail "no journal beside --json"
alone 1 $long --topo chain:2 --json "$T/con.json"
says err "^tanbench: $j: another run is writing it\$"
[ ! -e "$j~" ] && [ -s "$j" ] || fail "a second run has taken the journal away"
kill -INT $job
ends 1 "the first of two runs"
j=$T/j.journal

# A launcher of the user's own: nobody watches it but the ranks.
start_beside()
{
    rm -f "$j"
    $MPIEXEC -n 7 "$TANBENCH" --machine "$MACHINE" $slow $cells --journal "$j" "$@" >"$T/out" 2>"$T/err" </dev/null &
    job=$!
    comes_true has_cell || fail "no first cell"
}
passes= begin=start_beside
struck "own launcher killed" 137 KILL parent

# A line that was cut off is dropped; what is not a journal, or that of another run, is refused.
few="--min-waves 10 --max-waves 10"
rm -f "$j"
alone 0 $few $cells --journal "$j"
alone 1 $few $cells --journal "$j"
says err "$j exists: continue with tanbench resume $j, or remove it"
head -n 3 "$j" >"$T/cut"
head -c 40 "$j" >>"$T/cut"
cp "$T/cut" "$j"
alone 0 resume "$j"
says err "$j: dropped its last line, which was cut off"
[ "$(lines)" -eq 7 ] || fail "a cut journal has not 7 lines after resume"
head -c 40 "$j" >"$T/cut"
for empty in "$T/cut" /dev/null; do
    cat "$empty" >"$T/begun.journal"
    alone 1 resume "$T/begun.journal"
    says err 'begun.journal does not say which command began it: repeat that command'
done
# other SED WHAT: the journal is of a run that differs in this.
other()
{
    sed "1s/$1/" "$j" >"$T/other.journal"
    alone 1 resume "$T/other.journal"
    says err "other.journal is the journal of another run: $2"
}
other '"bytes":\[1024\]/"bytes":[16]' 'bytes was 16 there and is 1024 here'
other '"seed":1/"seed":2' 'seed was 2 there and is 1 here'
other '"topo":"pingpong"/"topo":"chain:9"' 'topo was "chain:9" there'
other '"mpi":"[^"]*"/"mpi":"Some MPI 9"' 'mpi was "Some MPI 9" there'
# Another machine may be forced, another plan may not.
alone 0 resume --force "$T/other.journal"
says err '^tanbench: going on although mpi was "Some MPI 9" there'
other '"seed":1/"seed":2' 'seed was 2 there'
alone 1 resume --force "$T/other.journal"
says err 'seed was 2 there and is 1 here$'
alone 1 resume "$T/none"
says err 'cannot read .*none'
echo '{"schema": "tan-results/1"}' >"$T/other"
alone 1 resume "$T/other"
says err 'other:1: not a line of a journal'
(flock 9 && : >"$T/held" && exec sleep 20) 9>>"$j" &
holder=$!
comes_true [ -e "$T/held" ] || fail "the journal could not be locked"
alone 1 resume "$j"
says err 'another run is writing it'
kill $holder

# What other modes measure is in it, too: nothing is left to measure, and the results are the same.
for mode in "oneway $few --sync none" "stream --duration 1s --sync timeout:5ms"; do
    rm -f "$j" "$T/r.json"
    alone 0 $mode --bytes 8,64 --topo chain:2 --topo nto1:3 --journal "$j" --json "$T/m.json"
    alone 0 resume "$j" --json "$T/r.json"
    [ "$(lines)" -eq 5 ] || fail "$mode: not 5 lines after resume"
    for file in m r; do
        sed -n '/"cells"/,$p' "$T/$file.json" >"$T/$file.cells"
    done
    diff "$T/m.cells" "$T/r.cells" || fail "$mode: other results after resume"
done
alone 2 stream --launches 2 --topo chain:2
says err '^tanbench: tanbench stream has no option --launches; it belongs to tanbench run, tanbench oneway'
alone 0 oneway $few --launches 2 --topo chain:2 --json "$T/r.json"
reads out 'median of a next launch, from those of 2 launches'
[ "$(sed -n 's/^ *"n": //p' "$T/r.json")" = 20, ] || fail "sync: two launches are not 20 waves"

# Passes that others disturbed do not count where a launch has better ones.
rm -f "$j"
measured $few --passes 2 --topo chain:2 --journal "$j"
# passes WHAT FIRST SECOND: say so of both in the journal, and read it again.
passes()
{
    sed -i -e "2s/\"disturbed\":[a-z]*/\"disturbed\":$2/" -e "3s/\"disturbed\":[a-z]*/\"disturbed\":$3/" "$j"
    measured resume "$j" --json "$T/r.json"
    cell=$(sed -n 's/^ *"median": \([0-9.]*\).*/\1/p' "$T/r.json" | head -n 1)
    second=$(sed -n 's/^ *"median_us": \([0-9.]*\).*/\1/p' "$T/r.json" | sed -n 2p)
    [ "$second" ] || fail "$1: no medians of two passes"
}
passes first true false
[ "$cell" = "$second" ] || fail "the disturbed pass counts: $cell, not $second"
grep -q '^Others used' "$T/out" && fail "it is said of a cell with a pass that nobody disturbed"
passes both true true
says out '^Others used the cores at the same time.*chain:2'
says out '(2 of 2'
tan -- resume "$j" --json "$T/r.json"
[ $? -eq 3 ] || fail "a tree that was only measured while others used the cores, and not status 3"
says err '^tanbench: not trustworthy: others used the cores while it was measured'
grep -q '"what": "disturbed"' "$T/r.json" || fail "the results do not say so"

# Beside --json there is one for as long as it is needed.
rm -f "$T"/r.json*
alone 0 $few $cells --json "$T/r.json"
[ ! -e "$T/r.json.journal" ] || fail "the journal stays behind although all is saved"

# A full disk: what is on it stays whole, and the rest is measured once there is room.
disk=$T/disk
mkdir "$disk"
if mount -t tmpfs -o size=16k none "$disk" 2>/dev/null; then
    j=$disk/j.journal
    many="--min-waves 600 --max-waves 600 --max-time 60s"
    alone 1 $many $cells --journal "$j"
    says err "cannot write $j: No space left on device; what was measured is kept in /tmp/"
    kept=$(sed -n 's/.*; what was measured is kept in //p' "$T/err")
    [ "$(grep -c '"topo": ' "$kept")" -eq 6 ] || fail "not all six cells are in $kept"
    rm -f "$kept"
    says out '^chain:3 '
    [ "$(tail -c 1 "$j" | od -An -c | tr -d ' ')" = '\n' ] || fail "the journal on a full disk is torn"
    [ "$(lines)" -ge 2 ] || fail "nothing was kept on the full disk"
    # Results that cannot be written: the journal has what was measured.
    alone 1 $many $cells --json "$disk/r.json" --journal "$T/kept.journal"
    says err "^tanbench: cannot write $disk/r.json: No space left on device\$"
    says err "^tanbench: the measurements are kept: continue with tanbench resume $T/kept.journal\$"
    # No room for a journal: nothing is measured, and no empty file stays behind.
    dd if=/dev/zero of="$disk/fill" bs=1k 2>"$T/dd"
    alone 1 calibrate "$disk/none.json" $few
    says err "^tanbench: cannot write $disk/none.json.journal: No space left on device\$"
    [ ! -e "$disk/none.json.journal" ] || fail "an empty journal stays behind"
    rm "$disk/fill"
    # A calibration keeps its waves beside its machine file, and its parameters elsewhere.
    ln -s "$T/beside.journal" "$disk/m.json.journal"
    alone 1 calibrate "$disk/m.json" $few
    says err "^tanbench: cannot write $disk/m.json: No space left on device; what was measured is kept in /tmp/"
    says err "^tanbench: the measurements are kept: continue with tanbench resume $disk/m.json.journal\$"
    kept=$(sed -n 's/.*; what was measured is kept in //p' "$T/err")
    grep -q '"schema": "tan-machine/' "$kept" || fail "the machine file is lost"
    rm -f "$kept"
    mount -o remount,size=4m none "$disk"
    alone '[03]' resume "$disk/m.json.journal"
    says out "^Wrote $disk/m.json\$"
    measured resume "$j"
    [ "$(lines)" -eq 7 ] || fail "a full disk's journal has not 7 lines after resume"
    umount "$disk"
    j=$T/j.journal
else
    echo "no tmpfs can be mounted here: a full disk was not tried"
fi

# Launches go on where they were, and the interval is that of a next one.
rm -f "$j"
alone 0 $few --topo chain:2 --topo nto1:3 --launches 2 --journal "$j"
alone 0 resume "$j" --launches 4 --json "$T/r.json"
[ "$(lines)" -eq 9 ] || fail "not 2 cells of 4 launches"
[ "$(grep -c '"launch": 3' "$T/r.json")" -eq 2 ] || fail "the last launch is not in the results"
[ "$(grep -c '"ci95_of": "next launch"' "$T/r.json")" -eq 2 ] || fail "not the interval of a next launch"
reads out 'from those of 4 launches'
alone 0 $few --topo chain:2 --launches 2 --json -
[ "$(grep -c '"launch":' "$T/out")" -eq 2 ] || fail "not 2 launches on standard output"
job 2 3 $few --topo chain:2 --launches 2
says err 'only a job that tanbench has started can be started again'
finish
