# modes.sh - modes, loads and policies: messages arrive exactly once, and all documented output is there
# SPDX-License-Identifier: GPL-3.0-or-later
# long
# leaks: elsewhere
# The root checks every element of every packet, and sums over all of them at the end.
. tests/mpi/lib

few="--min-waves 8 --max-waves 8 --warmup 2 --wait park"
timed="--duration 500ms --warmup 2 --wait park"
trees="--topo twolevel:5 --topo binomial:4 --topo chain:3"

# number KEY: its values in the results, one per line.
number()
{
    sed -n "s/^ *\"$1\": \([-0-9.e+]*\),*$/\1/p" "$T/r.json"
}

job 0 9 $few $trees --json "$T/r.json"
[ "$(grep -c '"n": 8' "$T/r.json")" -eq 3 ] || fail "waves: not 3 cells of 8"
job 0 9 oneway $few $trees --json "$T/r.json"
[ "$(grep -c '"up_us"' "$T/r.json")" -eq 3 ] || fail "no one-way times"
says out '^Clocks: all ranks share'
job 0 9 stream $timed --filter concat --bytes 24 $trees --json "$T/r.json"
[ "$(number dropped | grep -c '^0$')" -eq 3 ] || fail "stream: packets are missing"
[ "$(number rate_per_s | awk '$1 > 0' | wc -l)" -eq 3 ] || fail "stream: no rate"
finite "$T/r.json"

# Results are whole but for the few at the end.
job 0 5 stream $timed --topo nto1:4 --json "$T/r.json"
[ "$(number whole)" -gt "$(number partial)" ] || fail "more partial than whole results"
[ "$(number queue_high)" -le $((4 * $(number window))) ] || fail "more waits than windows allow"

# A frequency is kept, or the tree's own is reported, as of a machine that is busy, which also makes up
# in the measured time for waves that were due before (simulated_answers has it exactly).
job 0 5 stream $timed --duration 1s --frequency 200 --topo nto1:4 --json "$T/r.json"
grep -q '^nto1:4 takes .* of the 200 waves per second asked for' "$T/out" && least=0 || least=190
number rate_per_s | holds "\$1 > $least && \$1 < 300" || fail "200 per second: $(number rate_per_s)"
# That is what it is compared with, not the tree's limit.
sed -n '/"predicted_per_s"/,/}/s/.*"tan": \([0-9.]*\),*/\1/p' "$T/r.json" | holds '$1 == 200' ||
    fail "200 per second are compared with more: $(cat "$T/out")"
job 0 3 stream $timed --frequency 1e8 --work 100us --topo nto1:2
says out 'of the 100000000 waves per second asked for'

# A slow parent holds its children up; nothing piles up.
job 0 4 stream $timed --work 1ms --topo chain:3 --json "$T/r.json"
number blocked | holds '$1 > 0.5' || fail "the leaf did not wait: $(number blocked)"
number rate_per_s | holds '$1 <= 1000' || fail "faster than its filter"

# Several sizes: a cell each; payloads from nothing to more than any eager limit.
job 0 4 $few --bytes 8..32,1MiB --topo chain:3 --json "$T/r.json"
[ "$(number bytes | tr '\n' ' ' | wc -w)" -eq 4 ] || fail "not 4 sizes"
says out 'bytes'
job 0 5 stream $timed --bytes 0,512KiB --topo levels:2x1
job 0 5 $few --filter concat --bytes 256KiB --topo nto1:4 --topo chain:4
job 0 5 stream $timed --duration 2s --filter concat --bytes 64KiB --topo binary:2

# A filter's duration is in every wave, for each child's message: two levels of 2 ms, one of 4 ms. It is
# predicted, too: half of it in half a round trip.
job 0 3 $few --work 2ms --topo chain:2 --json "$T/r.json"
sed -n '/"wave_us"/,/}/s/.*"min": \([0-9.]*\).*/\1/p' "$T/r.json" |
    holds '$1 >= 2000' || fail "a round trip of less than 4 ms"
predicted()
{
    sed -n '/"predicted_us"/,/}/s/.*"tan": \([0-9.]*\),*/\1/p' "$T/r.json"
}
job 0 3 $few --topo nto1:2 --json "$T/r.json"
without=$(predicted)
job 0 3 $few --work 2ms --topo nto1:2 --json "$T/r.json"
sed -n '/"wave_us"/,/}/s/.*"min": \([0-9.]*\).*/\1/p' "$T/r.json" |
    holds '$1 >= 2000' || fail "a round trip of two messages of 2 ms takes less than 4 ms"
predicted | holds "\$1 - ${without:-0} > 1999.9 && \$1 - ${without:-0} < 2000.1" ||
    fail "a filter of 4 ms changes the prediction from $without to $(predicted) us"

# Polling ranks: more of them than cores are measured but not believed.
job 0 2 stream --duration 1s --wait poll --topo chain:1
job 0 2 oneway --min-waves 8 --max-waves 8 --wait poll --topo chain:1

# between_hosts ARGUMENT...: a job between hosts; a busy machine may keep their clocks from agreeing
# well enough, which is then said.
between_hosts()
{
    job "[03]" "$@"
    [ "$status" -eq 0 ] || says err 'clocks are synchronised no better than'
}

# One host posing as three whose clocks differ by seconds and run apart: synchronised all the same.
TANBENCH_SPLIT_HOST=3 TANBENCH_SKEW_CLOCK=2.5:100
export TANBENCH_SPLIT_HOST TANBENCH_SKEW_CLOCK
between_hosts 7 oneway $few --topo binary:4 --work 5ms --json "$T/r.json"
says out '^Clocks: synchronised to '
# The clocks were compared for half a second, at each end to the accuracy that is reported.
accuracy=$(number accuracy_us)
number drift_ppm | holds "\$1 > 150 - 4 * ${accuracy:-0} && \$1 < 250 + 4 * ${accuracy:-0}" ||
    fail "drift of 200 ppm: $(number drift_ppm), to $(number accuracy_us) us"
number offset_us | holds '$1 > 4.9e6' || fail "offset of 5 s and more: $(number offset_us)"
unset TANBENCH_SKEW_CLOCK
finish
