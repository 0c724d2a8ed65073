# emulate.sh - --emulate: waves take no less than the machine file says, and nobody mistakes them
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
# mpis: one
. tests/mpi/lib

few="--min-waves 6 --max-waves 6 --warmup 1"
cab="--emulate configs/cab-joint.json"

# least TOPO MODEL_US: the shortest wave of the results takes what the model says, or longer.
least()
{
    awk -v topo="\"$1\"," -v model="$2" '
        $1 == "\"topo\":" { here = $2 == topo }
        here && $1 == "\"wave_us\":" { inside = 1 }
        here && inside && $1 == "\"min\":" { found = $2 + 0 >= model - 0.01; inside = 0 }
        END { exit !found }' "$T/r.json" || fail "$1 is faster than $2 us"
}

# A busy machine may be late more often than not (status 3), but never early.
"$MPIEXEC" -n 7 "$TANBENCH" --machine "$MACHINE" $cab $few --dilate 30 --topo pingpong \
    --topo chain:2 --topo nto1:6 --topo binary:3 --json "$T/r.json" >"$T/out" 2>"$T/err" </dev/null
case $? in 0 | 3) ;; *) fail "emulate: $(cat "$T/err")" ;; esac
least pingpong 98
least chain:2 393.2   # 2 (L + 2 a)
least nto1:6 206.01   # L + 2 a + 5 b + 35 c
least binary:3 395.708 # two levels of L + 2 a + b + 3 c
says out '^Emulated: Cab (configs/cab-joint.json), all times stretched by 30$'
says out '^These times are a machine file.s, emulated by sleeping'
says out '^Latency: mean '
sed -n '/"emulation": {/,/}/p' "$T/r.json" | grep -q '"dilation": 30' || fail "results do not say so"
[ "$(grep -c '"lateness": {' "$T/r.json")" -eq 4 ] || fail "no lateness in the results"
finite "$T/r.json"

# same_machine: the last calibration gave the parameters of Cab back, to 1 %. Not b, c and the mean L
# by themselves: b and c are told apart by what fanouts of up to 6 differ in, 3.9 and 5.5 us of 206,
# of which a wave that is late by 0.1 % takes away 0.2; and a mean has every late message in it. The
# costs of levels are made of them all, and medians have none.
same_machine()
{
    awk -v L="$(param L_us "$T/m.json")" -v a="$(param a_us "$T/m.json")" \
        -v b="$(param b_us "$T/m.json")" -v c="$(param c_us "$T/m.json")" \
        -v latency="$(sed -n '/"latency": {/,/}/s/.*"median_us": \([0-9.]*\),*/\1/p' "$T/m.json")" '
        function within(what, found, wanted)
        {
            if (!(found > 0.99 * wanted && found < 1.01 * wanted)) {
                printf "%s of %.3f us instead of %.3f\n", what, found, wanted
                bad = 1
            }
        }
        BEGIN {
            within("a median latency", latency, 98)
            for (x = 1; x <= 6; x++) {
                within("level(" x ")", L + 2 * a + b * (x - 1) + c * (x * x - 1),
                       98 + 2 * 49.3 + 0.783 * (x - 1) + 0.157 * (x * x - 1))
            }
            exit bad
        }'
}

# Where another machine comes back, this one must say that it was too busy. Then it is played slower.
back=no
for dilation in 20 40; do
    "$MPIEXEC" -n 7 "$TANBENCH" calibrate "$T/m.json" $cab --min-waves 15 --max-waves 15 --warmup 1 \
        --passes 1 --dilate $dilation >"$T/out" 2>"$T/err" </dev/null
    case $? in 0 | 3) ;; *) fail "calibrate: $(cat "$T/err")" ;; esac
    same_machine && back=yes && break
    says err 'not trustworthy: .*This machine is too slow or too busy to play that'
done

# What is fitted is marked, and goes where the user says; the user's own machine file is not touched.
grep -q '"name": "emulated Cab"' "$T/m.json" || fail "no name"
grep -q '"source": ".*not measured but emulated' "$T/m.json" || fail "not marked as emulated"
grep -q '"emulation": {' "$T/m.json" || fail "no emulation in its environment"
job 2 5 calibrate $cab
says err 'needs a FILE'
[ ! -e "$HOME/.config/tan/machine.json" ] || fail "the user's machine file was written"

# A journal of one dilation is not continued with another.
job '[03]' 3 $cab --dilate 100 --topo chain:1 --min-waves 2 --max-waves 2 --warmup 0 --journal "$T/j"
sed -i "1s/\"dilation\":100.0/\"dilation\":99.0/" "$T/j"
job 1 3 resume "$T/j"
says err 'dilation was 99.0 there and is 100.0 here'

# Two hosts of one kernel, the first with ranks 0 and 1: links are those of their tiers.
cat >"$T/tiers.json" <<'EOF'
{"schema": "tan-machine/1", "name": "two tiers", "tan": {"L_us": 200, "a_us": 20, "b_us": 6, "c_us": 0.2},
 "tiers": [{"name": "host", "L_us": 10, "a_us": 5, "b_us": 2}]}
EOF
TANBENCH_SPLIT_HOST=2
export TANBENCH_SPLIT_HOST
job "[03]" 3 --emulate "$T/tiers.json" --machine "$T/tiers.json" $few --topo chain:2 --topo nto1:2 --json "$T/r.json"
least chain:2 260  # 10 + 2 * 5, 200 + 2 * 20
least nto1:2 242.6 # the far child's way, and 2 + 3 * 0.2 for the near one
says out '^chain:2 .* 260\.0 '
says out '^nto1:2 .* 242\.6 '
unset TANBENCH_SPLIT_HOST

if [ "$failures" -eq 0 ] && [ $back = no ]; then
    echo "this machine is too busy to play Cab, at a 40th of its speed even"
    exit 77
fi
finish
