# launch.sh - without a launcher tanbench starts its own ranks, and loses nothing of what they say
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/mpi/lib

few="--min-waves 10 --max-waves 10"
alone 0 $few --topo chain:4 --json "$T/r.json"
says out '^chain:4 '
grep -q '"schema": "tan-results/1"' "$T/r.json" || fail "no results"
alone 3 $few --topo nto1:4 --wait yield
[ "$(grep -vc 'not trustworthy: ranks that wait by polling' "$T/err")" -eq 0 ] || fail "noise: $(cat "$T/err")"
alone 0 $few --topo chain:2 --ranks 5
says out ' 5 ranks on 1 host'
alone 0 $few --topo chain:2 --launcher "$MPIEXEC -n {n}"
alone 0 $few --topo chain:2 --json -
grep -q '"chain:2"' "$T/out" || fail "no results on stdout"
[ "$(grep -c 'LogP' "$T/err")" -eq 0 ] || fail "a table beside the JSON: $(cat "$T/err")"
# However long the command is.
alone 0 $few --topo chain:2 --launcher "env $(for i in $(seq 40); do printf 'TAN_LONG_%d=%d ' $i $i; done) $MPIEXEC -n {n}"
alone 1 --topo chain:2 --launcher 'no-such-launcher {n}'
says err "cannot start \"no-such-launcher\""
alone 1 --topo chain:2 --launcher 'false {n}'
says err "the launcher \"false\" ended with status 1 before the measurement began"
alone 1 --topo chain:2 --machine "$T/none.json"
says err 'none.json'

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
