# targets-clustershell.sh - clush reaches hosts through the tree that tan-design names
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
# sanitized: no
if ! command -v clush >/dev/null || ! /usr/bin/python3 -c 'import ClusterShell' 2>/dev/null; then
    echo "needs ClusterShell (clush, python3-clustershell)"
    exit 77
fi
hosts=15
. tests/hosts/lib

TAN_DESIGN=${TAN_DESIGN:-${BUILD:-build}/bin/tan-design}
export CLUSTERSHELL_GW_PYTHON_EXECUTABLE=/usr/bin/python3

# real N: the hosts below h1, and from which each has its connections. A gateway without hosts beside it has
# one to itself, too: clush leaves its own part to it.
real()
{
    $at timeout -k 5 60 clush -q -S --topology="$T/topology.conf" -w "h[2-$1]" \
        "ss -Htn '( sport = :22 )' | sed 's/.* \([0-9.]*\):[0-9]*\$/\1/' | sort -u" 2>&1 </dev/null |
        awk 'NR == FNR { name[$1] = $2; next } $1 != name[$2] ":" { print $1, name[$2] }' /etc/hosts -
}
# designed: the same by the answer, in which h1 is process 0.
designed()
{
    tr -d ' \n' <"$T/design" | sed 's/.*"parents":\[-1,\([^]]*\)\].*/\1/' | tr , '\n' |
        awk '{ print "h" NR + 1 ":", "h" $1 + 1 }'
}
for tree in nto1:1 nto1:12 chain:3 levels:3x3 levels:2x2x2 kary:3:7; do
    "$TAN_DESIGN" --tree $tree --target clustershell --machine cab --json "$T/design" >"$T/err" 2>&1
    n=$(designed | grep -c .)
    "$TAN_DESIGN" --tree $tree --target clustershell --machine cab --hosts "h[2-$((n + 1))]" \
        --json "$T/design" --output "$T/admin" >"$T/err" 2>&1 || fail "$tree: $(cat "$T/err")"
    sed 's/^admin:/h1:/' "$T/admin" >"$T/topology.conf"
    real $((n + 1)) | sort >"$T/real"
    designed | sort >"$T/designed"
    cmp -s "$T/real" "$T/designed" || fail "$tree: clush: $(cat "$T/real"); tan-design: $(cat "$T/designed")"
done
finish
