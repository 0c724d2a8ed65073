# slurm.sh - starting, stopping and resuming jobs under Slurm, with the job scripts of docs/clusters.md
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
# long
# sanitized: no
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null; then
    echo "needs Slurm (slurmctld, slurmd, munged, slurm-client)"
    exit 77
fi
hosts=8
. tests/hosts/lib
. tests/hosts/slurm

scripts=$PWD/docs/clusters
PATH=$(dirname "$TANBENCH"):$PATH
export PATH
cd "$T" || exit 1
MACHINE=$OLDPWD/$MACHINE
few="--min-waves 5 --max-waves 5 --max-time 20s --wait park"
case $MPIEXEC in
*mpich) pmi=pmi2 wrong=pmix ;;
*) pmi=pmix wrong=none ;;
esac

# started WHAT: the last command measured on all hosts and said nothing of trouble.
started()
{
    says out ' 8 ranks on 8 hosts'
    says out '^chain:7 '
    grep -q '^tanbench: .*\(launcher\|alone\|died\)' "$T/err" && fail "$1: $(cat "$T/err")"
}
# crashed: Open MPI 4.1.4 did in MPI_Init, once in some hundred starts on a busy machine: a message of a
# rank whose start is over comes to one that has no function for it yet (mca_btl_tcp). The other ranks
# wait for ever. It is a call of address 0 before any topology has been measured.
crashed()
{
    grep -q 'Failing at address: (nil)' "$T/err" && ! grep -q '^[a-z]*:[0-9]* ' "$T/out"
}
# direct STATUS COMMAND...: run it on the login node, for 80 s at most: status 124 is a job that Slurm
# does not start or does not end.
direct()
{
    expected=$1
    shift
    for try in 1 2 3; do
        timeout -k 5 80 "$@" >"$T/out" 2>"$T/err" </dev/null
        status=$?
        crashed || break
        squeue -h -o %i | xargs -r scancel
        within 30 no_jobs
    done
    case $status in
    $expected) ;;
    *)
        fail "exit status $status, not $expected: $*"
        cat "$T/out" "$T/err"
        ;;
    esac
    [ $status -ne 124 ] || slurm_state
}
no_jobs()
{
    [ -z "$(squeue -h 2>/dev/null)" ]
}
# batch STATUS SCRIPT ARGUMENT...: submit it and wait for its end. The option of srun is that of the MPI.
batch()
{
    sed "s/pmix/$pmi/" "$scripts/$2" >"$T/script"
    expected=$1
    shift 2
    direct "$expected" sbatch --wait --output="$T/out" --error="$T/err" "$T/script" "$@"
}

direct '[03]' srun -N8 -n8 --mpi=$pmi tanbench $few --machine "$MACHINE" chain:7
started srun
direct '[03]' tanbench $few --machine "$MACHINE" chain:7 --launches 2 --launcher "srun -N8 --mpi=$pmi -n {n}"
started "the login node"
[ -z "$(find . -name '.tanbench-*')" ] || fail "left: $(ls -A)"
direct '[03]' salloc -N8 --ntasks-per-node=1 tanbench $few --machine "$MACHINE" chain:7
started salloc
batch '[03]' srun.sbatch run $few --machine "$MACHINE" chain:7
started srun.sbatch
batch '[03]' alone.sbatch run $few --machine "$MACHINE" chain:7
started alone.sbatch
# As many ranks on each node as the list says, and nodes of the tree in turn on them.
direct '[03]' srun -N3 -n4 -m arbitrary -w h1,h1,h3,h5 --mpi=$pmi tanbench $few --machine "$MACHINE" chain:3 --map cyclic \
    --json "$T/r.json"
says out ' 4 ranks on 3 hosts'
tr -d ' \n' <"$T/r.json" | grep -q '"rank_host":\[0,1,2,0\]' || fail "another placement: $(cat "$T/r.json")"

# One sentence, not a hang, where srun was not told of the MPI; one task alone starts its own ranks.
direct 2 srun -N2 -n4 --mpi=$wrong tanbench $few chain:3
says err "^tanbench: each of the 4 processes is alone: srun has to be told .*; start them with srun --mpi=$pmi\$"
[ "$(grep -c 'is alone' "$T/err")" -eq 1 ] || fail "said more than once: $(cat "$T/err")"
direct 2 tanbench $few chain:3 --launcher 'srun -N2 --mpi=none -n {n}'
says err "srun has to be told .*; start them with srun --mpi=$pmi\$"
direct '[03]' srun -n1 tanbench $few --machine "$MACHINE" chain:2
says out ' 3 ranks on 1 host'

# A job that is ended, as by its time limit, or warned before; the next one measures what is missing.
long="--max-waves 10000000 --precision 0 --max-time 2s --wait park --machine $MACHINE"
cells='chain:7 nto1:7 chain:3 nto1:3 binary:4'
sed 's/pmix/'$pmi'/' "$scripts/resume.sbatch" >"$T/script"
# cell N: N cells are measured.
cell()
{
    [ "$(grep -c '"complete": true' waves.json)" -ge "$1" ]
}
# ended HOW N: submit the script, wait for the Nth cell, and cancel it.
ended()
{
    id=$(sbatch --parsable --output=job.out --error=job.err "$T/script" $long $cells)
    within 60 cell "$2" 2>/dev/null
    scancel $1 "$id"
    within 30 left "$id"
}
left()
{
    [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]
}
ended '--signal=TERM --batch' 1 # --signal=B:TERM@60
cp job.err err
says err '^tanbench: interrupted '
ended '' 2 # the time limit
n=$(grep -c '"complete": true' waves.json)
direct '[03]' sbatch --wait --output="$T/out" --error="$T/err" "$T/script" $long $cells
for spec in $cells; do
    says out "^$spec  "
done
grep -q 'cut short' "$T/out" && fail "not all measured: $(cat "$T/out")"
[ "$(grep -c '"complete": true' waves.json)" -eq 5 ] || fail "not 5 cells, $n before the last job"
# rows: what the table of the last job says of each topology, but for measured times.
rows()
{
    awk '$1 ~ /:/ && $2 ~ /^[0-9]+$/ { print $1, $2, $3, $8, $11 }' "$T/out"
}
rows >"$T/resumed"
batch '[03]' srun.sbatch run $long $cells
rows | cmp -s - "$T/resumed" || fail "the table of resumed jobs was: $(cat "$T/resumed"); in one go: $(rows)"
nobody_anywhere
finish
