# links.sh - --links: no wave is faster than its links, results say what is known, and refusals
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/mpi/lib

few="--min-waves 6 --max-waves 6 --warmup 1 --passes 1"
links="--links L=300us,slot=500us"

# takes TOPO KNOWN_US: those results say that so much is known, and no wave was faster.
takes()
{
    awk -v topo="\"$1\"," -v wanted="$2" '
        $1 == "\"topo\":" { here = $2 == topo }
        here && $1 == "\"wave_us\":" { inside = 1 }
        here && inside && $1 == "\"min\":" { least = $2 + 0; inside = 0 }
        here && $1 == "\"known_us\":" { known = $2 + 0 }
        END { exit !(known == wanted && least > known) }' "$T/r.json" ||
        fail "$1 is faster than its links, $2 us, or they are not known"
}

# A busy machine may be late more often than not (status 3), but never early.
job "[03]" 7 $links $few chain:1 chain:3 nto1:6 levels:2x2 --json "$T/r.json"
takes chain:1 300
takes chain:3 900
takes nto1:6 1550    # 300 + 5/2 500
takes levels:2x2 1350 # 600 + 3/2 500
says out '^Links: latency 300 us, slots of 500 us, a wave every 10 ms$'
says out ' known .* rest .* TAN .* error .* late$'
tr '\n' ' ' <"$T/out" |
    grep -q -e ' Of [0-9]* waves [0-9]* had a process that was more than 2 us late' \
        -e ' None of [0-9]* waves had a process that was more than 2 us late' || fail "no lateness"
sed -n '/"links": {/,/}/p' "$T/r.json" | grep -q '"slot_us": 500' || fail "results do not say so"
for key in lateness known_us overhead_error; do
    [ "$(grep -c "\"$key\":" "$T/r.json")" -eq 4 ] || fail "no $key in the results"
done
finite "$T/r.json"

# A slot that is not given is chosen for the trees; one at which processes are due together is
# measured, but not to be trusted.
job "[03]" 7 --links L=300us $few chain:3 levels:2x2 --json "$T/r.json"
says out '^Links: latency 300 us, slots of [0-9]*00 us, a wave every [0-9]* ms$'
grep -q 'take each other.s core' "$T/out" "$T/err" && fail "a slot that is too short was chosen"
job 3 7 --links L=300us,slot=500us $few levels:2x2 --json "$T/r.json"
cat "$T/out" "$T/err" | tr '\n' ' ' | grep -q "take each other's core.*levels:2x2 (100 us)" ||
    fail "crowded processes are trusted"

# One way: leaves begin in turns, and no packet is at the root before its links have let it.
job "[03]" 7 oneway $links $few chain:3 nto1:6 levels:2x2 --json "$T/r.json"
says out ' up us .* known .* rest .* TAN .* error .* late$'
awk '$1 == "\"up_us\":" { inside = 1 }
    inside && $1 == "\"min\":" { least = $2 + 0; inside = 0 }
    $1 == "\"known_up_us\":" { n++; bad = bad || least <= $2 + 0 }
    END { exit bad || n != 3 }' "$T/r.json" || fail "faster than its links one way"
[ "$(sed -n 's/^ *"known_up_us": \([0-9]*\).*/\1/p' "$T/r.json" | sort -n | tr '\n' ' ')" = \
    "900 2100 2800 " ] || fail "other ways up than 3 L, 2 L + 3 slot and L + 5 slot"

# Over TCP, ranks that sleep until their turn have a part in connecting. The search for leaks itself
# breaks off in jobs of so many ranks over TCP ("Tracer caught signal 11"), with links or without.
checked=${ASAN_OPTIONS-}
export OMPI_MCA_btl=self,tcp UCX_TLS=tcp,self ASAN_OPTIONS="$checked:detect_leaks=0"
job "[03]" 15 --links L=300us $few nto1:8 levels:2x2x2 --json "$T/r.json"
unset OMPI_MCA_btl UCX_TLS
export ASAN_OPTIONS="$checked"

# Ranks on several cores cannot be equally cold.
job "[03]" 3 $links $few --bind none chain:1 chain:2 --json "$T/r.json"
grep -q '"equally_cold": false' "$T/r.json" || fail "equally cold on any core"
tr '\n' ' ' <"$T/out" | grep -q 'Processes were not equally cold: that takes all ranks on one core' ||
    fail "nobody says so"
job 2 3 --links L=300us,period=1ms $few chain:2
says err 'take 1.2 ms and more: period=1ms is too short'

# Long messages, of which receivers ask for the rest, and answers that grow.
job "[03]" 5 $links $few levels:2x2:2 --bytes 256KiB --filter concat --json "$T/r.json"
takes levels:2x2:2 850

# A calibration knows L, and measures no ping-pong. Its validation predicts for other links.
job "[03]" 7 calibrate "$T/m.json" $links $few --json "$T/r.json"
case $(param L_us "$T/m.json") in 300 | 300.0) ;; *) fail "L of $(param L_us "$T/m.json") us" ;; esac
grep -q '"source": ".*L was added to its messages' "$T/m.json" || fail "not marked"
grep -q '"links": {' "$T/m.json" || fail "no links in its environment"

# Ranks without the real-time class are not equally cold, which the machine file says.
case $(grep '"equally_cold":' "$T/r.json") in
*true*) ! grep -q '"what": "links-warm"' "$T/m.json" || fail "a doubt without a reason" ;;
*false*) grep -q '"what": "links-warm"' "$T/m.json" || fail "no doubt in the machine file" ;;
*) fail "equally cold or not?" ;;
esac
grep -q '"topo": "pingpong"' "$T/r.json" && fail "a ping-pong without latency"
job "[03]" 7 validate "$T/m.json" --links L=400us,slot=600us $few --shapes 1 --processes 5..7 \
    --json "$T/r.json"
says out ' regret .* of rest '
awk '$1 == "\"known_us\":" { n++; bad = bad || $2 + 0 < 400 }
    $1 == "\"overhead_error\":" { inside = 1 }
    inside && $1 == "\"tan\":" { errors++; inside = 0 }
    END { exit bad || n == 0 || errors != n }' "$T/r.json" || fail "nothing known of the links"
grep -q '"overhead_mean_abs_error":' "$T/r.json" || fail "the models are not judged by the rest"

# A journal is not continued over other links.
job "[03]" 3 $links $few chain:1 --journal "$T/j"
sed -i '1s/"slot_us":500/"slot_us":600/' "$T/j"
job 1 3 resume "$T/j"
says err 'slot_us was 600.* there and is 500.* here'

TANBENCH_SPLIT_HOST=2
export TANBENCH_SPLIT_HOST
job 2 3 $links $few chain:2
says err '^tanbench: --links with ranks on .* latencies are added within one host'
unset TANBENCH_SPLIT_HOST
finish
