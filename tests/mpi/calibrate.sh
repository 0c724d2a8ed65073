# calibrate.sh - the whole path: calibrate, predict, and what is refused
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/mpi/lib

few="--min-waves 10 --max-waves 10"
# Whether the fit is good depends on the machine: 0 or 3, and a machine file either way.
fitted=$T/machine.json
$MPIEXEC -n 9 "$TANBENCH" calibrate "$fitted" $few --name here --json "$T/r.json" >"$T/out" 2>"$T/err"
case $? in 0 | 3) ;; *) fail "calibrate: $(cat "$T/err")" ;; esac
grep -q '"schema": "tan-machine/1"' "$fitted" || fail "no machine file"
grep -q '"name": "here"' "$fitted" || fail "no name"
grep -q '"oversubscribed": true' "$fitted" || fail "not marked oversubscribed"
grep -qi -e nan -e inf "$fitted" && fail "NaN or infinity in the machine file"
[ "$(grep -c '"topo": "chain:' "$T/r.json")" -eq 8 ] || fail "not the 8 chains that 9 ranks can be"
says out 'L '

MACHINE=$fitted
alone 0 $few --topo binary:4
says out 'Predictions for here'

# Fitting what polling ranks do to each other is refused before anything is measured.
job 3 5 calibrate "$T/no.json" --wait poll
says err 'park'
[ ! -e "$T/no.json" ] || fail "fitted all the same"
job 2 4 calibrate "$T/no.json"
says err '5 ranks'
job 1 5 calibrate "$T/no/such/folder.json" $few
says err 'folder.json'
finish
