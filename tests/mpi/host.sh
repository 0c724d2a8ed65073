# host.sh - ranks that share cores: passes, placement, idle cores
# SPDX-License-Identifier: GPL-3.0-or-later
# leaks: elsewhere
. tests/mpi/lib

few="--min-waves 10 --max-waves 10"
fitted=$T/machine.json
$MPIEXEC -n 17 "$TANBENCH" calibrate "$fitted" $few --passes 2 --json "$T/r.json" >"$T/out" 2>"$T/err"
case $? in 0 | 3) ;; *) fail "calibrate: $(cat "$T/err")" ;; esac
# Two passes of 10 waves; the ping-pong is measured in both, too.
grep -q '"n": 20' "$T/r.json" || fail "passes do not add up"
[ "$(grep -c '"pass": 1' "$T/r.json")" -eq "$(grep -c '"pass": 0' "$T/r.json")" ] ||
    fail "not every tree was measured in the second pass"

alone 0 validate "$fitted" --shapes 3 --processes 9..17 --seed 5 $few --passes 1 --json "$T/v.json"
says out 'Trees that no fit has seen'
for key in models named reference_models mean_abs_error kendall_tau regret; do
    grep -q "\"$key\"" "$T/v.json" || fail "no $key"
done
[ "$(grep -c '"trees": 3' "$T/v.json")" -ge 3 ] || fail "not three random trees"

MACHINE=$fitted
alone 0 $few --topo binary:8 --quiet --json "$T/a.json"
grep -q . "$T/err" && ! grep -q 'not trustworthy' "$T/err" && fail "says $(cat "$T/err")"
# Root may keep cores from sleeping, if the machine has such a device.
if (: >/dev/cpu_dma_latency) 2>/dev/null; then
    grep -q '"cores_awake": true' "$T/a.json" || fail "the cores are not kept awake"
    ! grep -q 'Idle cores may sleep' "$T/out" || fail "cores may sleep although they are kept awake"
else
    reads out 'Idle cores may sleep, and waking them takes time, unless tanbench may write to /dev/cpu_dma_latency'
fi
alone 2 stream --passes 2 --topo nto1:4
says err '--passes'
# Processes that keep all cores busy are noticed, though waves may be precise.
loops=
for _ in $(seq $((2 * $(nproc)))); do
    sh -c 'while :; do :; done' &
    loops="$loops $!"
done
tan -- run nto1:6 --passes 2 --precision 0.01% --max-time 500ms --max-waves 10000000
status=$?
[ "$status" -eq 3 ] || fail "busy cores: exit status $status, not 3"
says err 'others used the cores while it was measured'
tan -- run nto1:6 --fail 6@50 --max-time 500ms
status=$?
kill $loops
[ "$status" -eq 3 ] || fail "busy cores, and a failure: exit status $status, not 3"
says err 'others used the cores while it was measured'

finish
