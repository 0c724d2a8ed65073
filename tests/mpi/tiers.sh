# tiers.sh - calibrate with several ranks on each of several hosts: both groups come back
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
# mpis: one
. tests/mpi/lib

cat >"$T/tiers.json" <<'EOF'
{"schema": "tan-machine/1", "name": "two tiers", "tan": {"L_us": 200, "a_us": 20, "b_us": 6, "c_us": 0.2},
 "tiers": [{"name": "host", "L_us": 10, "a_us": 5, "b_us": 2}]}
EOF
TANBENCH_SPLIT_HOST=3
export TANBENCH_SPLIT_HOST
few="--warmup 1 --passes 1 --min-waves 5 --max-waves 5"

# far FILE KEY, tier FILE KEY: of tan, of the first tier
far()
{
    sed -n "s/^ *\"$2\": \([0-9.e-]*\),*$/\1/p" "$1" | head -n 1
}
tier()
{
    sed -n '/"tiers": \[/,$p' "$1" >"$T/near"
    far "$T/near" "$2"
}

# close_to WHAT FOUND WANTED: to 5 %
close_to()
{
    awk -v found="$2" -v wanted="$3" \
        'BEGIN { exit !(found > 0.95 * wanted && found < 1.05 * wanted) }' || {
        echo "$1 of $2 instead of $3"
        return 1
    }
}

# The latencies, and the levels of a chain, which each group's trees tell without the other's.
same_machine()
{
    bad=0
    close_to "L" "$(far "$T/m.json" L_us)" 200 || bad=1
    close_to "L within a host" "$(tier "$T/m.json" L_us)" 10 || bad=1
    close_to "a level within a host" "$(awk -v L="$(tier "$T/m.json" L_us)" \
        -v a="$(tier "$T/m.json" a_us)" 'BEGIN { print L + 2 * a }' </dev/null)" 20 || bad=1
    close_to "a level" "$(awk -v L="$(far "$T/m.json" L_us)" -v a="$(far "$T/m.json" a_us)" \
        'BEGIN { print L + 2 * a }' </dev/null)" 240 || bad=1
    return $bad
}

# Where another machine comes back, this one must say that it was too busy.
back=no
for dilation in 20 60; do
    "$MPIEXEC" -n 9 "$TANBENCH" calibrate "$T/m.json" --emulate "$T/tiers.json" $few \
        --dilate $dilation --json "$T/r.json" >"$T/out" 2>"$T/err" </dev/null
    case $? in 0 | 3) ;; *) fail "calibrate: $(cat "$T/err")" ;; esac
    same_machine && back=yes && break
    says err 'not trustworthy: .*This machine is too slow or too busy to play that'
done
tr '\n' ' ' <"$T/out" | grep -q ', map: apart' || fail "no order: $(cat "$T/out")"
says out '^Within a host (tier host), where c and C are the same:$'
for topo in pingpong@host chain:1@host chain:2@host nto1:2@host chain:6 nto1:6; do
    grep -q "\"topo\": \"$topo\"" "$T/r.json" || fail "$topo was not measured"
done
for topo in chain:8 nto1:8; do
    ! grep -q "\"topo\": \"$topo\"" "$T/r.json" || fail "$topo has links of both tiers"
done

# Where ranks share hosts, predictions know it: 10 + 2 * 5 and 200 + 2 * 20.
job '[03]' 4 --machine "$T/tiers.json" --emulate "$T/tiers.json" $few --topo chain:1@host --topo chain:3 \
    --map block
says out '^chain:1@host .* 20\.0'
job 2 4 --topo chain:3@host $few
says err 'chain:3@host needs 4 ranks on rank 0.s host'

if [ "$failures" -eq 0 ] && [ $back = no ]; then
    echo "this machine is too busy to play two tiers, at a 60th of their speed even"
    exit 77
fi
finish
