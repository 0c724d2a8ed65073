# waiting.sh - a parked rank that waits for another host leaves its core to others
# SPDX-License-Identifier: GPL-3.0-or-later
hosts=3
. tests/hosts/lib

# Each wave takes 100 ms, in which the leaf on h3 has nothing to do.
tan host exec h1 $(launcher 3 1) -- run --wait park --work 50ms --max-time 5s --min-waves 20 \
    --topo chain:2 --topo nto1:2 &
job=$!

# ticks: hundredths of a second that the rank on h3 has computed; nothing when it is not there.
ticks()
{
    host exec h3 sh -c 'rank=$(pgrep -x tanbench) && awk "{ print \$14 + \$15 }" "/proc/$rank/stat"' 2>/dev/null
}
started()
{
    [ "$(ticks)" ]
}
# On a busy machine launchers take their time.
within 60 started
least=1000
for _ in 1 2 3 4; do
    before=$(ticks)
    sleep 1
    after=$(ticks)
    if [ "$before" ] && [ "$after" ] && [ $((after - before)) -lt $least ]; then
        least=$((after - before))
    fi
done
wait $job
grep -q '^chain:2' "$T/out" || fail "not measured: $(cat "$T/err")"
[ $least -le 10 ] || fail "a rank that waits computes for $least ms of 100"
finish
