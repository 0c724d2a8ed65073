# faults.sh - pulled cables, hosts that are off or stopped: the run ends, and nothing is lost
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
hosts=4
. tests/hosts/lib

long="--start-timeout 10s --wait park --seed 1 --min-waves 10 --max-waves 10000000 --precision 0"

# begin FROM ARGUMENT...: a job on four hosts, started from the host FROM, that has finished one cell.
begin()
{
    from=$1
    shift
    rm -f "$T"/r.json* "$T/m.json" "$T/status"
    (
        tan host exec "$from" $(launcher 4 2) -- "$@" --json "$T/r.json"
        echo $? >"$T/status"
    ) &
    within 60 a_cell || {
        fail "no first cell: $*"
        cat "$T/out" "$T/err"
        ps ax
    }
}
a_cell()
{
    grep -q '"complete": true' "$T/r.json" 2>/dev/null
}

# ended STATUS: within the time that a wave may take, and the machine's own slowness.
ended()
{
    within 45 [ -s "$T/status" ] || {
        fail "no end"
        ps ax
        pkill -KILL -x 'mpi.*|tanbench'
    }
    case $(cat "$T/status") in
    $1) ;;
    *) fail "exit status $(cat "$T/status"), not $1: $(cat "$T/out" "$T/err")" ;;
    esac
}

# plug_in HOST: its cable, for a new job. A host that had no answer from another when the cable came
# back takes it for unreachable for some seconds more, and Open MPI does not try to connect again.
plug_in()
{
    host cable "$1" up
    for h in h1 h2 h3 h4; do
        within 30 host exec "$1" ssh $h true && within 30 host exec $h ssh "$1" true ||
            fail "$1 and $h do not reach each other"
    done 2>/dev/null
}

# Hydra, unlike Open MPI, has no probes by which its daemon on a host that is cut off would notice:
# what it started there is left to whoever manages the host.
clean()
{
    case $MPIEXEC in
    *mpich*) host exec "$1" pkill -KILL -x 'tanbench|hydra_pmi_proxy' ;;
    esac
}

# Short faults are survived. Whether such times can be trusted is another question: status 3.
begin h1 run $long --max-time 3s chain:7 nto1:7 chain:3
host cable h2 down
sleep 3
host cable h2 up
host pause h3
sleep 5
host resume h3
ended '[03]'
says out '^chain:7'

# A cable out for good. Plugged in again, the job goes on where it was.
begin h1 run $long --max-time 3s chain:7 nto1:7 chain:3 nto1:3
host cable h3 down
ended '[1-9]*'
says err 'during\|Remote daemon'
a_cell || fail "the finished cell is lost"
clean h3
for h in h1 h2 h3 h4; do
    comes_true host exec $h sh -c "! pgrep -x tanbench" || fail "a rank is left on $h"
done
nobody_anywhere
plug_in h3
tan host exec h1 $(launcher 4 2) -- resume "$T/r.json"
case $? in
0 | 3) ;;
*) fail "not resumed: $(cat "$T/err")" ;;
esac
for tree in chain:7 nto1:7 chain:3 nto1:3; do
    says out "^$tree "
done

if [ -n "${TEST_FULL:-}" ]; then
    host slow h4 1mbit
    begin login run $long --max-time 3s chain:7 nto1:7
    ended '[03]'
    host slow h4 none
    # The host of rank 0; the launcher is on another one.
    begin login run $long --max-time 10s --min-waves 10 pingpong chain:7 nto1:7
    host cable h1 down
    ended '[1-9]*'
    clean h1
    nobody_anywhere
    plug_in h1
    begin login calibrate "$T/m.json" $long --max-time 5s
    host off h4
    ended '[1-9]*'
    nobody_anywhere
fi
finish
