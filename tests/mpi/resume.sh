# resume.sh - after any kill: finished cells are in the results, resume completes the run, nobody is left
# SPDX-License-Identifier: GPL-3.0-or-later
# long
# sanitized: no
. tests/mpi/lib
umask 022 # resume runs the command in a file that only its owner can write

# Six cells of some 0.4 s.
cells="--topo pingpong --topo nto1:4 --topo chain:3 --topo binary:3 --topo chain:2 --topo nto1:3"
slow="--max-waves 10000000 --max-time 400ms --precision 0"
r=$T/results.json

# The parts in the results: cells, or their passes.
parts()
{
    if [ -e "$r" ]; then grep -c '"pass":' "$r"; else echo 0; fi
}
has_cell()
{
    [ "$(parts)" -ge 1 ]
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
    rm -f "$r"
    "$TANBENCH" --machine "$MACHINE" $slow $cells --json "$r" "$@" >"$T/out" 2>"$T/err" </dev/null &
    job=$!
    comes_true has_cell || fail "no first cell"
}

# gone: no process of the job is left soon after its end, launchers included.
gone()
{
    comes_true none_runs "$r" && return
    fail "$1: processes are left"
    pgrep -af "$r"
    pkill -9 -f "$r"
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
        before=$(parts)
        kill -$signal "$("$@")" 2>/dev/null
        wait $job
        status=$?
        [ "$(parts)" -lt 6 ] && ! grep -q -e 'after 6 of 6' -e 'in pass 2' -e 'interrupted during' "$T/err" && break
    done
    [ "$status" -eq "$expected" ] || fail "$what: exit status $status, not $expected: $(cat "$T/err")"
    gone "$what"
    [ "$(parts)" -ge "$before" ] || fail "$what: finished cells are lost"
    [ "$(parts)" -lt 6 ] || fail "$what: came too late to interrupt anything"
    cp "$r" "$T/before"
}
passes= begin=start

# samples FILE: each tree that is complete, with its first sample.
samples()
{
    awk '/"topo":/ { topo = $2; done = 0 } /"complete": true/ { done = 1 }
        first { if (done) print topo, $1; first = 0 } /"samples_us":/ { first = 1 }' "$1" | sort
}

# resumed WHAT: what is missing is measured, what is there is left alone. Without TEST_FULL only where
# a signal came from outside and where one was handled.
resumed()
{
    if [ -z "${TEST_FULL:-}" ] && [ "$1" != 'launcher killed' ] && [ "$1" != interrupted ]; then
        return
    fi
    measured resume "$r"
    [ "$(grep -c '"complete": true' "$r")" -eq 6 ] || fail "$1: not 6 cells after resume"
    samples "$T/before" >"$T/kept"
    samples "$r" | comm -13 - "$T/kept" >"$T/changed"
    [ -s "$T/kept" ] && [ ! -s "$T/changed" ] || fail "$1: measured again: $(cat "$T/changed")"
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
says err "^tanbench: the measurements are kept: continue with tanbench resume $r\$"
resumed "launcher killed"

for rank in 2 0; do
    struck "rank $rank killed" 1 KILL process_of $rank "$r"
    says err "^tanbench: interrupted \\(during\\|after\\) \\|the launcher .* ended with status [0-9]* during "
    resumed "rank $rank killed"
done

struck "parent killed" 137 KILL parent
resumed "parent killed"

struck interrupted 1 INT parent
says err '^tanbench: interrupted after [1-5] of 6 topologies$'
says err "^tanbench: the measurements are kept: continue with tanbench resume $r\$"
resumed interrupted

# Passes are counted as passes.
passes='--passes 2'
struck "interrupted in a pass" 1 INT parent
says err '^tanbench: interrupted in pass 1 of 2 after [1-5] of 6 topologies$'
measured resume "$r"
[ "$(parts)" -eq 12 ] || fail "$(parts) passes after resume, not two of six cells"

# A launcher of the user's own: nobody watches it but the ranks.
start_beside()
{
    rm -f "$r"
    $MPIEXEC -n 7 "$TANBENCH" --machine "$MACHINE" $slow $cells --json "$r" "$@" >"$T/out" 2>"$T/err" </dev/null &
    job=$!
    comes_true has_cell || fail "no first cell"
}
passes= begin=start_beside
struck "own launcher killed" 137 KILL parent

# What is of another run, or not of a run at all, is refused.
few="--min-waves 10 --max-waves 10"
rm -f "$r"
alone 0 $few $cells --json "$r"
# other SED WHAT: the results are of a run that differs in this.
other()
{
    sed "$1" "$r" >"$T/other.json"
    alone 1 resume "$T/other.json"
    says err "$2"
}
other 's/"topo": "pingpong"/"topo": "chain:9"/' 'is of another run: its command does not measure .* of chain:9'
other 's/"filter": "sum"/"filter": "max"/' 'is of another run: its command has another filter than'
other 's/"command": /"commands": /' 'does not say which command began it: repeat that command'
other 's/tan-results/tan-machine/' 'schema must be "tan-results/1"'
alone 2 resume "$r" --json "$T/else.json"
says err "tanbench resume writes to $r: drop --json"
chmod g+w "$r"
alone 1 resume "$r"
says err 'can be written by others'
chmod g-w "$r"
# Another machine is said.
sed 's/"mpi": "[^"]*"/"mpi": "Some MPI 9"/' "$r" >"$T/other.json"
alone 0 resume "$T/other.json"
says err '^tanbench: going on although mpi is not as in '

# Results of other modes are measured anew.
alone 0 oneway $few --topo chain:2 --json "$r"
alone 1 resume "$r"
says err 'is not of round trips, which alone can be resumed'
alone 2 oneway --launches 2 --topo chain:2
says err '^tanbench: tanbench oneway has no option --launches; it belongs to tanbench run, tanbench calibrate'
alone 2 run --fail 1@3 --launches 2 --topo chain:2
says err '^tanbench: --launches: not with --fail'

# Passes that others disturbed do not count where a launch has better ones.
measured $few --passes 2 --topo chain:2 --json "$r"
# passes WHAT FIRST SECOND: say so of both in the results, and read them again.
passes()
{
    awk -v first="$2" -v second="$3" '/"disturbed":/ { sub(/true|false/, n++ ? second : first) } { print }' \
        "$r" >"$T/changed" && cp "$T/changed" "$r"
    measured resume "$r"
    cell=$(sed -n 's/^ *"median": \([0-9.]*\).*/\1/p' "$r" | head -n 1)
    second=$(sed -n 's/^ *"median_us": \([0-9.]*\).*/\1/p' "$r" | sed -n 2p)
    [ "$second" ] || fail "$1: no medians of two passes"
}
passes first true false
[ "$cell" = "$second" ] || fail "the disturbed pass counts: $cell, not $second"
grep -q '^Others used' "$T/out" && fail "it is said of a cell with a pass that nobody disturbed"
passes both true true
says out '^Others used the cores at the same time.*chain:2'
reads out '(2 of 2'
tan -- resume "$r"
[ $? -eq 3 ] || fail "a tree that was only measured while others used the cores, and not status 3"
says err '^tanbench: not trustworthy: others used the cores while it was measured'
grep -q '"what": "disturbed"' "$r" || fail "the results do not say so"
alone 1 resume "$r" --report /dev/full
says err '^tanbench: cannot write /dev/full'

# A full disk: what was measured is kept elsewhere.
disk=$T/disk
mkdir "$disk"
if mount -t tmpfs -o size=16k none "$disk" 2>/dev/null; then
    many="--min-waves 600 --max-waves 600 --max-time 60s"
    alone 1 $many $cells --json "$disk/r.json"
    says err "cannot write $disk/r.json: No space left on device; what was measured is kept in /tmp/"
    kept=$(sed -n 's/.*; what was measured is kept in //p' "$T/err")
    [ "$(grep -c '"topo": ' "$kept")" -eq 6 ] || fail "not all six cells are in $kept"
    rm -f "$kept"
    says out '^chain:3 '
    umount "$disk"
else
    echo "no tmpfs can be mounted here: a full disk was not tried"
fi

# Launches go on where they were, and the interval is that of a next one.
alone 0 $few --topo chain:2 --topo nto1:3 --launches 2 --json "$r"
alone 0 resume "$r" --launches 4
[ "$(parts)" -eq 8 ] || fail "not 2 cells of 4 launches"
[ "$(grep -c '"launch": 3' "$r")" -eq 2 ] || fail "the last launch is not in the results"
[ "$(grep -c '"ci95_of": "next launch"' "$r")" -eq 2 ] || fail "not the interval of a next launch"
alone 0 resume "$r"
[ "$(parts)" -eq 8 ] || fail "4 launches are not complete"
reads out 'from those of 4 launches'
alone 0 $few --topo chain:2 --launches 2 --json -
[ "$(grep -c '"launch":' "$T/out")" -eq 2 ] || fail "not 2 launches on standard output"
job 2 3 $few --topo chain:2 --launches 2
says err 'only a job that tanbench has started can be started again'
finish
