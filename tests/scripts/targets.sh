# targets.sh - ClusterShell builds the predicted trees from files written by tan-design
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export HOME="$dir" LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME
design=${TAN_DESIGN:-${BUILD:-build}/bin/tan-design}
failures=0
left_out=

fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# with_module MODULE: in $python the Python that has it
with_module()
{
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $1" 2>/dev/null && return
    done
    left_out="$left_out, $1"
    return 1
}

# of FORM ARGUMENT...: what tan-design says of a tree or a setting
of()
{
    "$design" --machine configs/cab.json "$@" >"$dir/said" 2>&1 || fail "$*: $(cat "$dir/said")"
}

# edges_of_clustershell FILE ANSWER: ClusterShell's own parser finds the edges of the tree. Names have
# leading zeros or parts behind the number, and no order.
edges_of_clustershell()
{
    "$python" - "$1" "$2" <<'EOF'
import json, sys
from ClusterShell.NodeSet import NodeSet
from ClusterShell.Topology import TopologyParser

answer = json.load(open(sys.argv[2]))["target"]
parents = answer["parents"]
root = [line.split(":")[0] for line in open(sys.argv[1]) if line[0] not in "#[\n"][0]
names = [root] + list(map(str.strip, open(sys.argv[2] + ".hosts")))
expected = {(names[p], names[i]) for i, p in enumerate(parents) if p >= 0}
found = set()
for group in TopologyParser(sys.argv[1]).tree(root):
    if group.parent is not None:
        assert len(group.parent.nodeset) == 1, "a pool of gateways: %s" % group.parent.nodeset
        found |= {(str(group.parent.nodeset), node) for node in group.nodeset}
if found != expected:
    print("lost: %s; more: %s" % (sorted(expected - found)[:5], sorted(found - expected)[:5]))
    sys.exit(1)
print(len(found), "edges")
EOF
}

if with_module ClusterShell; then
    for tree in nto1:1 nto1:40 chain:4 levels:3x4 levels:2x3x5 binomial:64 kary:3:50 binary:64; do
        for form in 'n%d' 'n%03d' 'rack-%d-ib0'; do
            of --tree "$tree" --target clustershell --json "$dir/answer"
            "$python" - "$form" "$dir/answer" <<'EOF' >"$dir/answer.hosts"
import json, random, sys
hosts = len(json.load(open(sys.argv[2]))["target"]["parents"]) - 1
for number in random.Random(hosts).sample(range(2 * hosts), hosts):
    print(sys.argv[1] % number)
EOF
            of --tree "$tree" --target clustershell --hosts "$dir/answer.hosts" --json "$dir/answer" \
                --output "$dir/topology.conf"
            edges_of_clustershell "$dir/topology.conf" "$dir/answer" >"$dir/out" 2>&1 ||
                fail "clustershell, $tree, $form: $(tail -n 3 "$dir/out")"
        done
    done
fi

[ "$failures" -eq 0 ] || exit 1
if [ -n "$left_out" ]; then
    echo "needs for Python, and left out: ${left_out#, }"
    exit 77
fi
