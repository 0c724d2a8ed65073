# login.sh - jobs started on a host without ranks
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
hosts=3
. tests/hosts/lib

MACHINE=$PWD/$MACHINE
mkdir "$T/a folder" && cd "$T/a folder" || exit 1
few="--min-waves 10 --max-waves 10 --max-time 20s --wait park"
long="--max-time 3s --max-waves 10000000 --precision 0 --wait park"
far="$(launcher 3 1 | sed 's/[0-9]*$/{n}/')"

# nothing_beside: the report and the results of the launches are gone from the current directory.
nothing_beside()
{
    [ -z "$(find . -maxdepth 1 -name '.tanbench-*')" ] || fail "left in the current directory: $(ls -A)"
}

alone '[03]' $few --launcher "$far" --topo chain:2 --topo nto1:2
says out '3 ranks on 3 hosts'
says out '^nto1:2 '
grep -q 'launcher\|reported' "$T/err" && fail "a good run: $(cat "$T/err")"
alone '[03]' $few --launcher "$far" --launches 2 --topo chain:2 --start-timeout 60s
[ "$(grep -c '^chain:2 ' "$T/out")" -eq 1 ] || fail "not one table of two launches: $(cat "$T/out")"
grep -q 'launcher\|reported' "$T/err" && fail "two launches: $(cat "$T/err")"
alone 1 $few --launcher "$far" --topo chain:2 --map "$MACHINE"
# A file of hosts.
printf 'h1\nh2\nh3\n' >"$T/hosts"
case $MPIEXEC in
*mpich*) file="$MPIEXEC -f $T/hosts -ppn 1 -n" ;;
*) file="$MPIEXEC --hostfile $T/hosts --map-by node -n" ;;
esac
alone '[03]' $few --launcher "$file {n}" --topo chain:2
says out '3 ranks on 3 hosts'
tan $file 3 -- $few --topo chain:2
says out '3 ranks on 3 hosts'
nothing_beside

has_cell()
{
    grep -q '"complete": true' "$T/r.json"
}
# begin ARGUMENT...: start a long run from the login node and wait for its second cell.
begin()
{
    rm -f "$T/r.json"
    "$TANBENCH" --machine "$MACHINE" --json "$T/r.json" --launcher "$far" "$@" >"$T/out" 2>"$T/err" </dev/null &
    job=$!
    within 60 has_cell 2>/dev/null || fail "no cell in $T/r.json: $(cat "$T/err")"
}
for signal in INT TERM; do
    begin $long --topo nto1:2 --topo chain:2 --topo chain:1 --topo nto1:1 --topo pingpong
    kill -$signal $job
    ends 1 "$signal from the login node"
    says err '^tanbench: interrupted '
    says err 'continue with tanbench resume'
    nobody_anywhere
done
# The second one ends Open MPI's launcher before it has passed on what rank 0 says.
begin $long --topo nto1:2 --topo chain:2 --topo chain:1 --topo nto1:1 --topo pingpong
kill -INT $job
sleep 1
kill -INT $job
ends 1 "two signals from the login node"
says err '^tanbench: interrupted '
says err 'continue with tanbench resume'
nobody_anywhere
begin $long --topo nto1:2 --topo chain:2 --topo chain:1 --topo nto1:1 --topo pingpong
host exec h1 pkill -9 -x tanbench
wait $job && fail "rank 0 was killed, and status 0"
says err '^tanbench: the launcher ".*" ended with status [0-9]* during '
says err 'continue with tanbench resume'
nobody_anywhere
nothing_beside
finish
