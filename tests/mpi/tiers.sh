# tiers.sh - calibration with several ranks on each of several hosts: both tiers are measured
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
. tests/mpi/lib

cat >"$T/tiers.json" <<'EOF'
{"schema": "tan-machine/1", "name": "two tiers", "tan": {"L_us": 200, "a_us": 20, "b_us": 6, "c_us": 0.2},
 "tiers": [{"name": "host", "L_us": 10, "a_us": 5, "b_us": 2}]}
EOF
TANBENCH_SPLIT_HOST=3
export TANBENCH_SPLIT_HOST
few="--warmup 1 --passes 1 --min-waves 5 --max-waves 5"

"$MPIEXEC" -n 9 "$TANBENCH" calibrate "$T/m.json" $few --json "$T/r.json" >"$T/out" 2>"$T/err" </dev/null
case $? in 0 | 3) ;; *) fail "calibrate: $(cat "$T/err")" ;; esac
tr '\n' ' ' <"$T/out" | grep -q ', map: apart' || fail "no order: $(cat "$T/out")"
says out '^Within a host (tier host), where c and C are the same:$'
for topo in pingpong@host chain:1@host chain:2@host nto1:2@host chain:6 nto1:6; do
    grep -q "\"topo\": \"$topo\"" "$T/r.json" || fail "$topo was not measured"
done
for topo in chain:8 nto1:8; do
    ! grep -q "\"topo\": \"$topo\"" "$T/r.json" || fail "$topo has links of both tiers"
done

# Where ranks share hosts, predictions know it: 10 + 2 * 5, and 2 (200 + 2 * 20) of three hops.
job '[03]' 4 --machine "$T/tiers.json" $few --topo chain:1@host --topo chain:3 --map block
says out '^chain:1@host .* 20\.00 '
job 2 4 --topo chain:3@host $few
says err 'chain:3@host needs 4 ranks on rank 0.s host'

finish
