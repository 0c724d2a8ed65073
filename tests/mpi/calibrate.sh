# calibrate.sh - the whole path: calibrate, predict, and what is refused
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/mpi/lib

few="--waves 10 --max-waves 10"
# Whether the fit is good depends on the machine: 0 or 3, and a machine file either way.
job=$T/machine.json
"$TANBENCH" --calibrate "$job" $few --max-leaves 8 --name here --json "$T/r.json" >"$T/out" 2>"$T/err"
case $? in 0 | 3) ;; *) fail "calibrate: $(cat "$T/err")" ;; esac
grep -q '"schema": "tan-machine/1"' "$job" || fail "no machine file"
grep -q '"name": "here"' "$job" || fail "no name"
grep -q '"oversubscribed": true' "$job" || fail "not marked oversubscribed"
grep -qi -e nan -e inf "$job" && fail "NaN or infinity in the machine file"
[ "$(grep -c '"topo": "chain:' "$T/r.json")" -eq 32 ] || fail "not 32 chains"
says out 'L '

MACHINE=$job
alone 0 $few --topo binary:4
says out 'Predictions for here'

# Fitting what polling ranks do to each other is refused before anything is measured.
alone 3 --calibrate "$T/no.json" --wait poll --max-leaves 8
says err 'park'
[ ! -e "$T/no.json" ] || fail "fitted all the same"
job 2 4 --calibrate "$T/no.json"
says err '5 ranks'
alone 1 --calibrate "$T/no/such/folder.json" $few --max-leaves 4
says err 'folder.json'
finish
