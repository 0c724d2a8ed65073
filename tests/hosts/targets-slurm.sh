# targets-slurm.sh - Slurm reaches its nodes through the tree that tan-design names
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
# sanitized: no
#
# Each width has daemons of its own, so that none still goes by the one before.
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null; then
    echo "needs Slurm (slurmctld, slurmd, munged, slurm-client)"
    exit 77
fi
hosts=40
if ! [ -S /run/hosts/control ]; then
    failed=0
    skipped=0
    for width in 2 3 4 50; do
        WIDTH=$width "${BUILD:-build}/tests/hosts/hosts" $hosts sh "$0"
        status=$?
        case $status in
        0) ;;
        77) skipped=77 ;;
        *) failed=1 ;;
        esac
    done
    [ $failed -eq 0 ] || exit 1
    exit $skipped
fi
slurm_lines="DebugFlags=Route
SlurmctldDebug=debug
SlurmdDebug=debug
TreeWidth=$WIDTH"
. tests/hosts/lib
. tests/hosts/slurm

TAN_DESIGN=${TAN_DESIGN:-${BUILD:-build}/bin/tan-design}
target=slurm@$(slurmctld -V | sed 's/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/')

# real N: launch on h1 to hN, and print the parents of the messages that did it: srun's are split
# in its own log.
real()
{
    timeout -k 5 60 srun -w "h[1-$1]" -N"$1" -vv true >"$T/launch" 2>&1 </dev/null || echo "srun ended with status $?:"
    tests/hosts/read-slurm-tree nodes="$1" "$T/launch" $(seq -f "$S/slurmd.h%.0f.log" "$1")
}
# designed N: the parents by tan-design.
designed()
{
    "$TAN_DESIGN" --members "$1" --target $target --setting TreeWidth="$WIDTH" --machine cab --json - 2>"$T/err" |
        tr -d ' \n' | sed 's/.*"target":{//; s/.*"parents":\[\([^]]*\)\].*/\1/'
    cat "$T/err" >&2
}
no_jobs()
{
    [ -z "$(squeue -h)" ]
}

for n in 5 13 40; do
    real=$(real $n)
    designed=$(designed $n)
    if [ "$real" != "$designed" ]; then
        fail "$n nodes, width $WIDTH: Slurm: $real; tan-design: $designed"
        grep -h ROUTE "$T/launch" "$S"/slurmd.h[1-3].log | tail -n 30
    fi
    within 20 no_jobs || fail "a job of $n nodes does not end: $(squeue)"
done
finish
