# commands.sh - every command over several hosts
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
# long
# sanitized: no
hosts=${TEST_FULL:+8}
hosts=${hosts:-5} # calibrate needs as many ranks
. tests/hosts/lib

few="--min-waves 10 --max-waves 10 --max-time 20s --wait park"
for each in 1 2; do
    ranks=$((hosts * each))
    where="$ranks ranks on $hosts hosts"
    # Whether times can be trusted depends on the machine: status 3 and a reason.
    cluster '[03]' $hosts $each calibrate "$T/m.json" $few --passes 1 --json "$T/r.json"
    says out "$where"
    [ "$(grep -c '^ *"h[0-9]*",*$' "$T/r.json")" -eq $hosts ] || fail "other hosts in the results"
    grep -q '"tan"' "$T/m.json" || fail "no machine file"
    cluster '[03]' $hosts $each validate "$T/m.json" $few --passes 1 --shapes 2 --processes 3..$hosts
    says out "$where"
    cluster '[03]' $hosts $each run $few chain:$((ranks - 1)) nto1:$((ranks - 1)) pingpong
    says out "$where"
    says out '^pingpong'
    cluster '[03]' $hosts $each stream --wait park --duration 0.3s --warmup 10 nto1:$((ranks - 1))
    says out "$where"
    cluster '[03]' $hosts $each oneway $few chain:$((ranks - 1))
    says out "$where"
done
cluster '[03]' $hosts 1 p2p --sizes 1,1024,65536 --max-time 0.1s
says out "messages between rank 0 on h1 and rank $((hosts - 1)) on h$hosts\$"
# Ctrl-C: rank 0 is killed a second later, before the other hosts hear of it.
interrupts '^tanbench: interrupted: \(too early\|one-way times alone\|what was measured\)' $(launcher $hosts 1) -- p2p calibrate "$T/cut.json" --max-time 40s
nobody_anywhere
finish
