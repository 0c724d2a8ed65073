# launch.sh - without a launcher tanbench starts its own ranks and loses none of their output
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
# long
# leaks: elsewhere
. tests/mpi/lib

few="--min-waves 10 --max-waves 10"
alone 0 $few --topo chain:4 --json "$T/r.json"
says out '^chain:4 '
says err '^1 topology on 5 ranks: up to [0-9]* s if no wave takes more than 0.2 s$'
grep -q '"schema": "tan-results/1"' "$T/r.json" || fail "no results"
alone 3 $few --topo nto1:4 --wait yield --quiet
[ "$(grep -vc 'not trustworthy: ranks that wait by polling' "$T/err")" -eq 0 ] || fail "noise: $(cat "$T/err")"
alone 0 $few --topo chain:2 --ranks 5
says out ' 5 ranks on 1 host'
alone 0 $few --topo chain:2 --launcher "$MPIEXEC -n {n}"
alone 0 $few --topo chain:2 --json -
grep -q '"chain:2"' "$T/out" || fail "no results on stdout"
[ "$(grep -c 'LogP' "$T/err")" -eq 0 ] || fail "a table beside the JSON: $(cat "$T/err")"
# However long the command is.
alone 0 $few --topo chain:2 --launcher "env $(for i in $(seq 40); do printf 'TAN_LONG_%d=%d ' $i $i; done) $MPIEXEC -n {n}"
# Without a machine file nothing is predicted, instead of for another machine.
"$TANBENCH" $few chain:2 --json "$T/r.json" >"$T/out" 2>"$T/err" </dev/null || quiet $? || fail "$(cat "$T/err")"
says out '^No machine file, so no predictions: tanbench calibrate'
[ "$(grep -c 'LogP\|TAN' "$T/out")" -eq 0 ] || fail "predictions: $(cat "$T/out")"
grep -q '"machine": "none"' "$T/r.json" || fail "predictions for $(grep '"machine"' "$T/r.json")"
alone 1 --topo chain:2 --launcher 'no-such-launcher {n}'
says err "cannot start \"no-such-launcher\""
alone 1 --topo chain:2 --launcher 'false {n}'
says err "the launcher \"false\" ended with status 1 before the measurement began"
# A launcher that starts no rank, such as one that submits a job, is no success.
alone 1 --topo chain:2 --launcher 'true {n}'
says err '^tanbench: "true" ended with status 0, and no rank of the job has reported to .*: if it only submits a job, let that job run tanbench'
# Its own statuses are none of a measurement: neither wrong usage nor a doubt.
for own in 2 3; do
    alone 1 --topo chain:2 --launcher "sh -c 'exit $own' {n}"
    says err "^tanbench: \"sh\" ended with status $own, and no rank of the job has reported to "
done
# Nor is it with what another job has left in the environment.
cat >"$T/keep" <<'EOF'
#!/bin/sh
env | grep '^TANBENCH_[A-Z]*=' >"$0.variables"
EOF
chmod +x "$T/keep"
alone 1 --topo chain:2 --launcher "$T/keep {n}"
: >"$T/report"
for left in "TANBENCH_REPORT=$T/report" "$(cat "$T/keep.variables")" \
    "$(cat "$T/keep.variables") TANBENCH_REPORT=$T/report"; do
    # shellcheck disable=SC2086 # words
    env $left "$TANBENCH" --topo chain:2 --launcher 'true {n}' >"$T/out" 2>"$T/err" </dev/null
    status=$?
    [ $status -eq 1 ] || fail "status $status with $left"
    says err '^tanbench: "true" ended with status 0, '
done
# Words as in a shell.
alone 0 $few --topo chain:2 --launcher "'env' \"TAN_X=a b\" sh -c 'test \"\$TAN_X\" = \"a b\" && exec \"\$@\"' -- $MPIEXEC -n {n}"
alone 2 --topo chain:2 --launcher "$MPIEXEC -n {n} 'a"
says err "^tanbench: --launcher: a quote (') is not closed"
alone 1 --topo chain:2 --machine "$T/none.json"
says err 'none.json'

# A start that takes too long ends, with what the launcher says and nobody left behind.
cat >"$T/slow" <<'EOF'
#!/bin/sh
echo waiting for nodes
sleep 100 & echo $! >"$0.child"
wait
EOF
chmod +x "$T/slow"
alone 1 --topo chain:2 --launcher "$T/slow {n}" --start-timeout 300ms
says out '^waiting for nodes$'
says err '^tanbench: the job of 3 ranks did not start within 0.3 s, the limit of --start-timeout: "'
kill -0 "$(cat "$T/slow.child")" 2>/dev/null && fail "the launcher's process is left"
alone 0 $few --topo chain:2 --start-timeout 60s
# Ranks that never find each other: rank 1 begins late, or stops before the first wave, which takes
# seconds, is back.
cat >"$T/late" <<'EOF'
#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" = 1 ] && sleep 100
exec "$@"
EOF
cat >"$T/stops" <<'EOF'
#!/bin/sh
report=$(printf '%s\n' "$@" | sed -n 's/^TANBENCH_REPORT=//p')
if [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" = 1 ]; then
    (
        until grep -q '^cell' "$report"; do sleep 0.01; done
        kill -STOP $$
        sleep 100
        kill -KILL $$
    ) >/dev/null 2>&1 &
fi
exec "$@"
EOF
chmod +x "$T/late" "$T/stops"
tan $MPIEXEC -n 3 "$T/late" -- $few --topo chain:2 --start-timeout 1s && fail "ranks that never meet, and status 0"
says err '^tanbench: the 3 ranks have not found each other within 1 s (--start-timeout allows more)$'
alone 1 --topo chain:2 --work 5s --warmup 0 --min-waves 1 --max-waves 1 \
    --max-time 1ms --start-timeout 15s --launcher "$MPIEXEC -n {n} $T/stops"
says err '^tanbench: nothing came back within .* s (--start-timeout allows more): .* during chain:2$'
# A job that is stopped for longer than a wave may take, as by a batch system, and goes on.
cat >"$T/pauses" <<'EOF'
#!/bin/sh
report=$(printf '%s\n' "$@" | sed -n 's/^TANBENCH_REPORT=//p')
(
    until grep -q '^cell' "$report"; do sleep 0.01; done
    kill -STOP $$
    sleep 12
    kill -CONT $$
) >/dev/null 2>&1 &
exec "$@"
EOF
chmod +x "$T/pauses"
alone '[03]' --topo chain:2 --max-time 1s --max-waves 1000000 --precision 0 --passes 1 --start-timeout 8s \
    --launcher "$MPIEXEC -n {n} $T/pauses"
says out '^chain:2 '

# More ranks than this host holds.
(
    ulimit -n 60
    tan -- --topo nto1:40
    [ $? -eq 1 ] || fail "40 leaves with 60 open files: $(cat "$T/err")"
    says err 'the launcher of 41 ranks needs some [0-9]* open files, and this shell allows 60'
    [ "$failures" -eq 0 ]
) || failures=$((failures + 1))
alone 1 --topo nto1:100 --bytes 2000MB
says err '^tanbench: 101 ranks need some [0-9]\{3\}\.[0-9] GB of memory, and [0-9.]* GB are available here: '
alone 2 --topo nto1:1000000
says err '^tanbench: 1000001 ranks on [0-9]* cores* are more than 128 a core: use --launcher '

# UCX under MPICH gets a queue with places for all ranks; streams fill any; a user's own remains.
case $MPIEXEC in
*mpich*)
    while read -r places command; do
        alone 0 $command --dry-run
        says out "^UCX_SYSV_FIFO_SIZE=$places UCX_POSIX_FIFO_SIZE=$places mpiexec"
    done <<'EOF'
64 run chain:32
64 run nto1:47
128 run nto1:48
256 run nto1:128
1024 stream nto1:4
64 p2p
EOF
    tan env UCX_SYSV_FIFO_SIZE=512 UCX_POSIX_FIFO_SIZE=512 -- run chain:2 --dry-run
    says out '^mpiexec'
    ;;
esac

# The launcher of another MPI library: each process is alone, and one of them says so.
case $MPIEXEC in
*openmpi) other=mpiexec.mpich own='Open MPI' ;;
*) other=mpiexec.openmpi own=MPICH ;;
esac
if command -v $other >/dev/null; then
    tan $other -n 3 -- $few --topo chain:2 && fail "3 processes that are alone, and status 0"
    says err "^tanbench: each of the 3 processes is alone: .* does not belong to $own .*; start it with .*, or without a launcher\$"
    [ "$(grep -c 'is alone' "$T/err")" -eq 1 ] || fail "said more than once: $(cat "$T/err")"
    alone 2 $few --topo chain:2 --launcher "$other -n {n}"
    says err "^tanbench: each of the 3 processes is alone: .* does not belong to $own .*, or without --launcher\$"
    [ "$(grep -c 'is alone' "$T/err")" -eq 1 ] || fail "said more than once: $(cat "$T/err")"
else
    echo "there is no $other: the wrong launcher was not tried"
fi
# srun that knows nothing of this MPI library.
tan env SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=1 -- $few --topo chain:2 || fail "not the first of three: $(cat "$T/err")"
[ -s "$T/err" ] && fail "not the first of three says $(cat "$T/err")"
tan env SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=0 -- $few --topo chain:2
[ $? -eq 2 ] || fail "the first of three: $(cat "$T/err")"
says err 'each of the 3 processes is alone'

says err "srun has to be told .*; start them with srun --mpi=pm"
# In a shell of srun's the number of its tasks is not that of ranks.
tan env SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 SLURM_STEP_ID=0 -- $few --topo chain:2 || quiet $? || fail "one task: $(cat "$T/err")"

# Rank 0 on another host: process ids mean nothing there, and it has no variables but those in the
# command line. Its standard output is the launcher's. The current directory is shared, or is not.
cat >"$T/far" <<'EOF'
#!/bin/sh
ranks=$1
shift
for word; do
    case $word in
    TANBENCH_DOMAIN=*) word=TANBENCH_DOMAIN=elsewhere ;;
    TANBENCH_REPORT=*) word=${REPORT:-$word} ;;
    esac
    set -- "$@" "$word"
    shift
done
unset TANBENCH_REPORT TANBENCH_PARENT TANBENCH_LAUNCHER TANBENCH_LAUNCH TANBENCH_RESULTS TANBENCH_DOMAIN
exec $MPIEXEC -n "$ranks" "$@"
EOF
chmod +x "$T/far"
export MPIEXEC
here=$PWD
TANBENCH=$(realpath "$TANBENCH")
MACHINE=$PWD/$MACHINE
mkdir "$T/folder" && cd "$T/folder" || exit 1
alone 0 $few --topo chain:2 --launcher "$T/far {n}"
says out '^chain:2 '
[ "$(grep -v '^1 topology' "$T/err")" = '' ] || fail "rank 0 elsewhere: $(cat "$T/err")"
alone 0 $few --topo chain:2 --launches 2 --launcher "$T/far {n}"
[ "$(grep -c '^chain:2 ' "$T/out")" -eq 1 ] || fail "not one table of two launches: $(cat "$T/out")"
alone 3 $few --topo nto1:4 --wait yield --quiet --launcher "$T/far {n}"
alone 1 $few --topo chain:2 --map "$MACHINE" --launcher "$T/far {n}"
alone 1 $few --topo chain:2 --json /dev/full --launcher "$T/far {n}"
says err 'dev/full'
REPORT=TANBENCH_REPORT=$T/none/report
export REPORT
alone 1 $few --topo chain:2 --launcher "$T/far {n}"
says out '^chain:2 '
says err 'no rank of the job has reported to .*: .*start tanbench in a directory that their hosts share'
alone 1 $few --topo nto1:4 --wait yield --quiet --launcher "$T/far {n}"
says err 'ended with status 3, and no rank of the job has reported to '
unset REPORT
[ -z "$(ls -A)" ] || fail "left in the current directory: $(ls -A)"
cd "$here" || exit 1

# Standard output that cannot take the table is an error, also through a launcher.
if "$TANBENCH" --machine "$MACHINE" $few --topo chain:1 >/dev/full 2>"$T/err"; then
    fail "a full disk went unnoticed"
fi
says err 'cannot write standard output'
# What follows in the same file comes behind it.
{ echo first; "$TANBENCH" --machine "$MACHINE" $few --topo chain:1; echo last; } >"$T/out" 2>&1
[ "$(head -n 1 "$T/out")" = first ] && [ "$(tail -n 1 "$T/out")" = last ] || fail "order: $(cat "$T/out")"
says out '^chain:1 '
finish
