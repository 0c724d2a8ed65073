# calibrate.sh - calibration, prediction, and what they refuse
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/mpi/lib

few="--min-waves 10 --max-waves 10"
# Whether the fit is good depends on the machine: 0, or 3 and a reason; a machine file either way.
fitted=$T/machine.json
$MPIEXEC -n 9 "$TANBENCH" calibrate "$fitted" $few --name here --json "$T/r.json" --report "$T/page.html" >"$T/out" 2>"$T/err"
status=$?
case $status in
0) grep -q 'not trustworthy' "$T/err" && fail "status 0 and $(cat "$T/err")" ;;
3)
    says err '^tanbench: not trustworthy: '
    # a fit that is doubted ends with what to do
    again='calibrate again'
    grep -q '"disturbed": true' "$T/r.json" && again="$again when nothing else uses the cores"
    ! grep -q ' R2 of ' "$T/err" || says err "; what to do: $again"
    ;;
*) fail "calibrate: $(cat "$T/err")" ;;
esac
# More ranks than cores are one doubt, which readers raise again; the file has the others.
grep -q '"doubts"' "$fitted"
good=$?
grep -q '"schema": "tan-machine/1"' "$fitted" || fail "no machine file"
grep -q '"name": "here"' "$fitted" || fail "no name"
grep -q '"oversubscribed": true' "$fitted" || fail "not marked oversubscribed"
finite "$fitted"
for part in '<h1>.*here' '<h2>Measured waves' '<h3>Parameters of ' '<td>latency of a message\|<td>time that a message is in flight<'; do
    grep -q "$part" "$T/page.html" || fail "no $part on the page"
done
[ "$(grep -c '"topo": "chain:' "$T/r.json")" -eq 8 ] || fail "not the 8 chains that 9 ranks can be"
says machine.json '"source": "tanbench calibrate: [0-9]* waves, waiting: park"'
says out 'L '

# The parameters of a good fit are those of what was measured: over all trees they predict neither
# much too long nor too short medians. (Whether the right ones are found, simulated_answers.test tells.)
[ "$(sed -n 's/.*"method": "\(.*\)",*/\1/p' "$fitted")" = joint ] || fail "another method than joint"
awk -v L="$(param L_us "$fitted")" -v a="$(param a_us "$fitted")" -v b="$(param b_us "$fitted")" \
    -v c="$(param c_us "$fitted")" -v C="$(param C_us "$fitted")" '
    $1 == "\"topo\":" { n = split($2, spec, /[":,]/); shape = spec[2]; size = spec[3] }
    $1 == "\"wave_us\":" { inside = 1 }
    inside && $1 == "\"median\":" {
        inside = 0
        hop = L + 2 * a
        wave = shape == "chain" ? C + size * hop : C + hop + b * (size - 1) + c * (size * size - 1)
        if (shape == "chain" || shape == "nto1") { sum += log(wave / $2); trees++ }
    }
    END {
        off = trees > 0 ? exp(sum / trees) : 0
        printf "predicted / measured: %.3f over %d trees\n", off, trees
        exit !(trees == 13 && (!good || (off > 0.75 && off < 1.33)))
    }' good=$good "$T/r.json" || fail "the parameters are not those of the waves: $(cat "$T/out")"

# A network that somebody says is one: times of ranks that outnumber cores are no doubt for that.
$MPIEXEC -n 6 "$TANBENCH" calibrate "$T/real.json" $few --network real --json "$T/real-r.json" >"$T/out" 2>"$T/err"
says out 'Network: said to be real, though ranks outnumber cores'
grep -q 'ranks outnumber cores\|more ranks than cores' "$T/err" && fail "doubted: $(cat "$T/err")"
for file in real real-r; do
    grep -q '"network": "real"' "$T/$file.json" || fail "$file.json does not say what the network is"
done
grep -q '"oversubscribed": true' "$T/real.json" || fail "real.json does not say that ranks outnumbered cores"

# They are what predictions are made of: two levels of fanout 2.
MACHINE=$fitted
alone 0 $few --topo binary:4 --json "$T/r.json"
says out 'Predictions for here'
predicted=$(sed -n '/"predicted_us"/,/}/s/.*"tan": \([0-9.]*\),*/\1/p' "$T/r.json")
awk -v L="$(param L_us "$fitted")" -v a="$(param a_us "$fitted")" -v b="$(param b_us "$fitted")" \
    -v c="$(param c_us "$fitted")" -v C="$(param C_us "$fitted")" -v found="$predicted" 'BEGIN {
        wave = C + 2 * (L + 2 * a + b + 3 * c)
        exit !(found > wave - 0.002 && found < wave + 0.002)
    }' || fail "binary:4 is predicted to take $predicted us by $(cat "$fitted")"

# What is not trustworthy goes beside the user's machine file, and any file that is replaced keeps its
# predecessor. Five ranks have too few N-to-1 trees.
mkdir -p "$HOME/.config/tan"
cp configs/cab.json "$HOME/.config/tan/machine.json"
job 3 5 calibrate $few --passes 1
cmp -s configs/cab.json "$HOME/.config/tan/machine.json" || fail "a good machine file was replaced"
grep -q '"doubts"' "$HOME/.config/tan/machine.untrusted.json" || fail "no file with doubts"
says out 'left .*/machine.json as it was'
says err '^tanbench: not trustworthy: .*too few N-to-1 trees'
cp "$fitted" "$T/old.json"
job '[03]' 5 calibrate "$T/old.json" $few --passes 1
cmp -s "$fitted" "$T/old.json~" || fail "the predecessor was not kept"
alone 0 $few --topo chain:1 --machine "$HOME/.config/tan/machine.untrusted.json"
says out '^NOT TRUSTWORTHY: '
rm -r "$HOME/.config"

# Fitting what polling ranks do to each other is refused before anything is measured.
job 3 5 calibrate "$T/no.json" --wait poll
says err 'park'
[ ! -e "$T/no.json" ] || fail "fitted all the same"
job 2 4 calibrate "$T/no.json"
says err '5 ranks'
job 1 5 calibrate "$T/no/such/folder.json" $few
says err 'folder.json'
printf 'elsewhere r1\n' >"$T/racks"
alone 1 calibrate "$T/no.json" $few --max-leaves 4 --racks "$T/racks"
says err '^tanbench: .*/racks: it puts "[^"]*" into no rack$'
[ "$(wc -l <"$T/err")" -eq 1 ] || fail "more than why hosts have no rack: $(cat "$T/err")"
# A resumed calibration or validation writes and judges the file that its command names.
job '[03]' 5 calibrate "$T/again.json" $few --passes 1 --json "$T/c.json"
rm -f "$T/again.json"
job '[03]' 5 resume "$T/c.json"
[ -s "$T/again.json" ] || fail "a resumed calibration did not write its file"
[ ! -e "$HOME/.config/tan/machine.json" ] || fail "a resumed calibration wrote the user's machine file"
job '[03]' 6 validate "$fitted" --shapes 2 --processes 5..6 $few --passes 1 --json "$T/v.json"
job '[03]' 6 resume "$T/v.json"
says out 'Predictions for here'
job 1 3 resume "$T/none.json"
says err 'cannot read .*none.json'
finish
