# perf.sh - --perf: complete packet and byte counts, times that add up to the waves', and termination
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/mpi/lib

fixed="--min-waves 20 --max-waves 20 --warmup 3 --passes 1 --wait yield --bytes 64 --request-bytes 16"
header=48

# counts TOPO NODE KEY VALUE: the process of that tree counted so much in each of its waves.
counts()
{
    awk -v topo="\"$1\"," -v node="$2," -v key="\"$3\":" -v wanted="$4" '
        $1 == "\"topo\":" { here = $2 == topo; inside = 0 }
        here && $1 == "\"node\":" { inside = $2 == node }
        here && inside && $1 == "\"waves\":" { waves = $2 + 0 }
        here && inside && $1 == key { found = $2 + 0; inside = 0; seen = 1 }
        END { exit !(seen && waves > 0 && found == wanted * waves) }' "$T/r.json" ||
        fail "$1: process $2 does not have $4 $3 in each wave"
}

# adds_up TREES [WAVES]: of each tree all waves were counted, and the times of the root add up to those
# of the waves that every process timed: the middle ones of every seven, in each pass of WAVES.
adds_up()
{
    awk -v trees="$1" -v pass="${2:-20}" '
        $1 == "\"n\":" { n = $2 + 0 }
        $1 == "\"batch\":" { batch = $2 + 0 }
        $1 == "\"node\":" { node = $2 + 0; sum = node ? sum : 0 }
        $1 == "\"timed\":" { timed[node] = $2 + 0; nodes = node + 1 }
        node == 0 && $1 == "\"waves\":" { waves = $2 + 0 }
        node == 0 && /"(filter|waiting|sending|answering|rest)_us":/ { sum += $2 }
        $1 == "\"samples_us\":" { inside = 1; all = found = i = 0; next }
        inside && /^ *\]/ {
            inside = 0; trees--; node = -1
            if (n != i || n * batch != waves || sum < 0.95 * all || sum > 1.05 * all) bad = 1
            for (k = 0; k < nodes; k++) if (timed[k] != found) bad = 1
        }
        inside {
            for (k = 0; k < batch; k++) if ((i % pass * batch + k) % 7 == 3) { all += $1; found++ }
            i++
        }
        END { exit bad || trees }' "$T/r.json" || fail "times do not add up to the waves'"
}

job "[03]" 7 $fixed nto1:4 levels:2x2 --perf --json "$T/r.json"
adds_up 2
for node in 0 1 2 3 4; do
    counts nto1:4 $node packets_in $((node ? 1 : 4))
    counts nto1:4 $node packets_out $((node ? 1 : 4))
done
counts nto1:4 0 bytes_in $((4 * (header + 64)))
counts nto1:4 0 bytes_out $((4 * (header + 16)))
counts levels:2x2 1 packets_in 3
counts levels:2x2 1 bytes_in $((header + 16 + 2 * (header + 64)))
counts levels:2x2 1 bytes_out $((header + 64 + 2 * (header + 16)))
says out '^nto1:4, [0-9]* waves of [0-9.]* us.*: means per wave and process$'
finite "$T/r.json"

# More waves; and so few that only the first one is timed.
job "[03]" 5 $fixed --min-waves 150 --max-waves 150 nto1:4 --perf --json "$T/r.json"
adds_up 1 150
job "[03]" 5 $fixed --min-waves 1 --max-waves 1 --warmup 0 nto1:4 --perf --json "$T/r.json"
counts nto1:4 4 timed 1

# Parked ranks; answers that go up as a stream; growing ones.
job "[03]" 7 $fixed --wait park --sync timeout:50ms levels:2x2 --perf --json "$T/r.json"
counts levels:2x2 0 packets_out 2
counts levels:2x2 3 packets_out 1
job "[03]" 5 $fixed --wait park --filter concat levels:2x1 --perf --json "$T/r.json"
counts levels:2x1 0 packets_in 2

# Passes and launches are added up, over the file of results.
alone "[03]" run $fixed --passes 2 --launches 2 nto1:2 --perf --json "$T/r.json"
adds_up 1

# A stream counts its pushing alone. Between hosts, every rank is woken for what it must send. A
# busy machine needs half a second for as many results as a rate needs.
job "[03]" 7 stream --wait park --duration 0.5s --topo nto1:6 --perf --json "$T/r.json"
awk '$1 == "\"flow\":" { flow = 1 }
    flow && $1 == "\"received\":" { received = $2 + 0; flow = 0 }
    $1 == "\"node\":" { node = $2 + 0 }
    node == 0 && $1 == "\"packets_in\":" { in_ = $2 + 0; node = -1 }
    $1 == "\"packets_out\":" { out += $2 }
    END { exit !(received > 0 && received == in_ && in_ == out) }' "$T/r.json" ||
    fail "packets of a stream are lost, or counted twice"
[ "$(grep -c '"cpu_us": [0-9.]*[1-9]' "$T/r.json")" -eq 7 ] || fail "a process of a stream takes no CPU time"
TANBENCH_SPLIT_HOST=3
export TANBENCH_SPLIT_HOST
for _ in 1 2 3 4 5; do
    job "[03]" 7 stream --wait park --duration 0.5s --topo nto1:6 --perf
    says out 'on 3 hosts'
    says out '^nto1:6, [0-9]* waves of [0-9.]* us.*: means per wave and process$'
done
job "[03]" 7 $fixed --wait park levels:2x2 --perf
unset TANBENCH_SPLIT_HOST

job 2 2 oneway $fixed chain:1 --perf
finish
