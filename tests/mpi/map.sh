# map.sh - placement of tree nodes on hosts, by keywords and files
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/mpi/lib

TANBENCH_SPLIT_HOST=2
export TANBENCH_SPLIT_HOST
few="--min-waves 5 --max-waves 5"
host=$(hostname | cut -d. -f1)

# placed N...: the hosts of the last job's ranks in order.
placed()
{
    found=$(tr -d ' \n' <"$T/r.json" | sed 's/.*"rank_host":\[\([0-9,]*\)\].*/\1/')
    [ "$found" = "$1" ] || fail "rank_host is $found, not $1"
}

# hosts K...: a map file of the pretended hosts with these numbers.
hosts()
{
    for k; do echo "$host.$k"; done >"$T/map"
}

# Sums and the order of concatenation are checked in every wave.
for topo in binary:2 mpi:3 pingpong; do
    job '[03]' 4 --topo $topo --map cyclic $few --json "$T/r.json"
    placed 0,1,0,1
    says r.json '"map": "cyclic"'
done
job '[03]' 4 --topo nto1:3 --topo chain:3 --filter concat --map cyclic $few --json "$T/r.json" --quiet
job '[03]' 4 --topo nto1:3 --topo chain:3 --filter concat --map cyclic $few
tr '\n' ' ' <"$T/out" | grep -q ', map: cyclic' || fail "no map: $(cat "$T/out")"
job '[03]' 4 --topo nto1:3 --map block $few --json "$T/r.json"
placed 0,0,1,1
job '[03]' 7 --topo levels:2x2 --filter concat --map depth $few --json "$T/r.json"
placed 0,0,0,0,1,1,1
says r.json '"map": "depth"'
job '[03]' 5 stream --topo chain:4 --duration 1s --map cyclic --json "$T/r.json"
placed 0,1,0,1,0
job '[03]' 4 --topo chain:3 $few --json "$T/r.json"
placed 0,0,1,1
says r.json '"map": "launcher"'
grep -q 'map:' "$T/out" && fail "a map is told of that was not given"

hosts 0 1 1 0
job '[03]' 4 --topo chain:3 --map "$T/map" $few --json "$T/r.json"
placed 0,1,1,0
{
    echo "# the root"
    echo "$host.0 # and more"
    echo
    echo "$host.1.example.org"
    echo "$host.0"
    echo "$host.1"
} >"$T/map"
job 2 4 --topo chain:3 --map "$T/map" $few
says err "map:4: this job has no ranks on \"$host.1.example.org\", only on $host.0, $host.1"
hosts 1 0 0 1
job 2 4 --topo chain:3 --map "$T/map" $few
says err "map:1: the first host must be that of the launcher's rank 0"
hosts 0 0 0 1
job 2 4 --topo chain:3 --map "$T/map" $few
says err "map:3: this job has no further rank on $host.0"
hosts 0 1 0 1 1
job 2 4 --topo chain:3 --map "$T/map" $few
says err 'map:5: too many hosts: there are only 4 ranks'
hosts 0 1
job 2 4 --topo chain:3 --map "$T/map" $few
says err 'map:2: the file ends after 2 hosts, but there are 4 ranks'
alone 1 --topo chain:1 --map "$T" $few
says err "Is a directory"

# Single messages are between the same ranks.
job "[03]" 4 p2p --sizes 8 --max-time 0.3s --map cyclic --json "$T/r.json"
placed 0,1,0,1

# The domain behind a name may be there or not.
unset TANBENCH_SPLIT_HOST
{ echo "$host.example.org"; echo "$host"; } >"$T/map"
alone '[03]' --topo chain:1 --map "$T/map" $few --json "$T/r.json"
placed 0,0
finish
