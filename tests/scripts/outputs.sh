# outputs.sh - no output replaces an input of its program, nor another output
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
BUILD=${BUILD:-build}
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
failed=0

# The inputs, made anew for every row.
make_inputs()
{
    rm -rf "$T/in"
    mkdir "$T/in"
    printf 'process,parent\n0,-1\n1,0\n2,0\n' >"$T/in/tree.csv"
    printf 'h1\nh2\nh3\n' >"$T/in/hosts"
    printf 'h4\nh5\n' >"$T/in/more"
    printf 'h1 r1\nh2 r1\nh3 r2\n' >"$T/in/racks"
    printf 'topology,wave_us\nchain:1,5\nchain:2,9\nfile:%s,5\n' "$T/in/tree.csv" >"$T/in/waves.csv"
    printf '1000\n10\n' >"$T/in/noise"
    printf 'num_ranks 2\nrank 0 {\nl1: send 1b to 1\n}\nrank 1 {\nl1: recv 1b from 0\n}\n' >"$T/in/two.goal"
    cp configs/cab.json "$T/in/machine.json"
    cp "$T/tiers.json" "$T/design.json" "$T/in"
    ln -s machine.json "$T/in/alias"
    ln "$T/in/hosts" "$T/in/hard"
}
echo '{"schema": "tan-machine/1", "name": "tiers", "tan": {"L_us": 200, "a_us": 20, "b_us": 6, "c_us": 1},
"tiers": [{"name": "host", "L_us": 10, "a_us": 5, "b_us": 2}, {"name": "rack", "L_us": 40, "a_us": 10, "b_us": 3}]}' >"$T/tiers.json"
"$BUILD/bin/tan-design" --leaves 4 -m configs/cab.json --json "$T/design.json" >"$T/out" || exit 1

# Exit status | error | program | arguments, in the folder of the inputs, which stays as it was.
programs=$(cd "$BUILD/bin" && pwd)
while IFS='|' read -r wanted message program arguments; do
    make_inputs
    cp -a "$T/in" "$T/before"
    # shellcheck disable=SC2086  # a list of words
    (cd "$T/in" && "$programs/$program" $arguments) >"$T/out" 2>"$T/err"
    status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q -e "$message" "$T/err" || ! diff -r "$T/before" "$T/in"; then
        echo "$program $arguments: exit status $status"
        cat "$T/err"
        failed=1
    fi
    rm -rf "$T/before"
done <<'EOF_ROWS'
2|machine.json is one of the inputs|tan-design|--leaves 8 -m machine.json --json machine.json
2|alias is one of the inputs|tan-design|--leaves 8 -m machine.json --json alias
2|machine.json is one of the inputs|tan-design|--leaves 8 -m alias --report machine.json
2|machine.json is one of the inputs|tan-design|--fanouts -m machine.json --json machine.json
2|machine.json is one of the inputs|tan-design|--targets --leaves 8 -m machine.json --json machine.json
2|./../in/tree.csv is one of the inputs|tan-design|predict file:tree.csv -m machine.json --json ./../in/tree.csv
2|tree.csv is one of the inputs|tan-design|predict file:tree.csv -m machine.json --report tree.csv
2|tree.csv is one of the inputs|tan-design|--leaves 2 -m machine.json --compare file:tree.csv --json tree.csv
2|tree.csv is one of the inputs|tan-design|--tree file:tree.csv --output tree.csv
2|hosts is one of the inputs|tan-design|--leaves 2 -m tiers.json --hosts hosts --ranks-per-host 2 --json hosts
2|hard is one of the inputs|tan-design|--leaves 2 -m tiers.json --hosts hosts --ranks-per-host 2 --map hard
2|racks is one of the inputs|tan-design|--leaves 2 -m tiers.json --hosts hosts --racks racks --ranks-per-host 2 --json racks
2|hard is one of the inputs|tan-design|--leaves 2 -m tiers.json --hosts more --internal-hosts hosts --ranks-per-host 2 --json hard
2|--json and --report cannot both write x|tan-design|predict chain:2 -m machine.json --json x --report x
2|--json and --report cannot both write x|tan-design|--fanouts -m machine.json --json x --report ./x
2|--json and --report cannot both go to standard output|tan-design|messages 8 -m machine.json --json - --report -
2|--output and --map cannot both write x|tan-design|--leaves 2 -m tiers.json --hosts hosts --ranks-per-host 2 --output x --format csv --map x
2|waves.csv is one of the inputs|tan-fit|waves.csv -o waves.csv
2|tree.csv is one of the inputs|tan-fit|waves.csv -o tree.csv
2|tree.csv is one of the inputs|tan-fit|waves.csv --json tree.csv
2|noise is one of the inputs|tan-sim|-p bcast:4 --noise trace:noise --json noise
2|tree.csv is one of the inputs|tan-sim|--topo file:tree.csv -m machine.json --trace tree.csv
2|machine.json is one of the inputs|tan-sim|-t chain:2 -m machine.json --json machine.json
2|two.goal is one of the inputs|tan-sim|two.goal --trace two.goal
2|two.goal is one of the inputs|tan-sim|convert two.goal two.goal
2|tree.csv is one of the inputs|tan-sim|convert --topo file:tree.csv -m machine.json tree.csv
2|hosts is one of the inputs|tan-sim|-p bcast:3 --map hosts --report hosts
2|--json and --trace cannot both write x|tan-sim|-p bcast:4 --json x --trace x
2|--output would overwrite the input|tan-report|machine.json design.json -o design.json
EOF_ROWS
exit $failed
