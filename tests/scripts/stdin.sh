# stdin.sh - standard input or a named pipe, readable only once, is refused as two inputs
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
BUILD=${BUILD:-build}
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
failed=0

printf 'process,parent\n0,-1\n1,0\n2,0\n' >"$T/tree.csv"
printf 'h1\nh2\nh3\n' >"$T/hosts"
printf 'topology,wave_us\nchain:1,5\nchain:2,9\nfile:-,5\n' >"$T/waves.csv"
printf 'num_ranks 2\nrank 0 {\nl1: send 1b to 1\n}\nrank 1 {\nl1: recv 1b from 0\n}\n' >"$T/two.goal"
cp configs/cab.json "$T/machine.json"
cp results/p2p/openmpi-shm/machine.json "$T/p2p.json"
echo '{"schema": "tan-machine/1", "name": "tiers", "tan": {"L_us": 200, "a_us": 20, "b_us": 6, "c_us": 1},
"tiers": [{"name": "host", "L_us": 10, "a_us": 5, "b_us": 2}, {"name": "rack", "L_us": 40, "a_us": 10, "b_us": 3}]}' >"$T/tiers.json"
"$BUILD/bin/tan-design" --leaves 4 -m "$T/machine.json" --json "$T/design.json" >"$T/out" || exit 1

# Standard input | exit status | program | arguments: the first input that it is can be read.
while IFS='|' read -r input wanted program arguments; do
    # shellcheck disable=SC2086  # a list of words
    cat "$T/$input" | "$BUILD/bin/$program" $arguments >"$T/out" 2>"$T/err"
    status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q 'standard input (-) can be only one of the inputs' "$T/err"; then
        echo "$program $arguments <$input: exit status $status"
        cat "$T/err"
        failed=1
    fi
done <<EOF_ROWS
tree.csv|2|tan-design|predict file:- file:- -m $T/machine.json
tree.csv|2|tan-design|predict file:- file:/dev/stdin -m $T/machine.json
tree.csv|2|tan-design|predict file:/dev/fd/0 file:- -m $T/machine.json
tree.csv|2|tan-design|--compare file:- file:- --leaves 2 -m $T/machine.json
machine.json|2|tan-design|predict file:- -m -
tiers.json|2|tan-design|--leaves 2 -m - --hosts - --ranks-per-host 1
hosts|2|tan-design|--leaves 2 -m $T/tiers.json --hosts - --racks - --ranks-per-host 2
waves.csv|2|tan-fit|-
two.goal|2|tan-sim|- --map -
p2p.json|2|tan-sim|- -m - --model loggp
machine.json|2|tan-sim|--topo file:- -m -
design.json|2|tan-report|- - -o $T/page.html
EOF_ROWS

# A named pipe, $T/pipe, has one reader, too: another would wait for a writer for ever.
mkfifo "$T/pipe"
while IFS='|' read -r input wanted said program arguments; do
    cat "$T/$input" >"$T/pipe" &
    writer=$!
    # shellcheck disable=SC2086  # a list of words
    timeout 60 "$BUILD/bin/$program" $arguments >"$T/out" 2>"$T/err"
    status=$?
    kill "$writer" 2>/dev/null
    wait "$writer" 2>/dev/null
    if [ "$status" -ne "$wanted" ] || ! grep -q "pipe is a pipe, $said" "$T/err"; then
        echo "$program $arguments, pipe from $input: exit status $status"
        cat "$T/err"
        failed=1
    fi
done <<EOF_ROWS
tree.csv|2|which can be read only once|tan-design|predict file:$T/pipe file:$T/pipe -m $T/machine.json
machine.json|2|which can be read only once|tan-sim|--topo file:$T/tree.csv -m $T/pipe --map $T/pipe
two.goal|2|which can be read only once|tan-sim|$T/pipe --map $T/pipe
design.json|1|which can be read only once|tan-report|$T/pipe $T/pipe -o $T/page.html
machine.json|2|and inputs are read|tanbench|chain:2 --emulate $T/pipe
machine.json|2|and inputs are read|tanbench|chain:2 --machine $T/pipe
tree.csv|2|and inputs are read|tanbench|chain:1 file:$T/pipe --dry-run
machine.json|2|and inputs are read|tanbench|validate $T/pipe
EOF_ROWS

# Standard input by another name is not the file that it is redirected from in the ranks of a job.
exec 3<"$T/machine.json"
while IFS='|' read -r input arguments; do
    # shellcheck disable=SC2086  # a list of words
    timeout 60 "$BUILD/bin/tanbench" $arguments <"$T/$input" >"$T/out" 2>"$T/err"
    status=$?
    if [ "$status" -ne 2 ] || ! grep -q 'is open in this process alone' "$T/err"; then
        echo "tanbench $arguments <$input: exit status $status"
        cat "$T/err"
        failed=1
    fi
done <<EOF_ROWS
machine.json|chain:2 --emulate /dev/stdin
machine.json|validate /proc/self/fd/0
tree.csv|file:/dev/fd/0 --dry-run
tree.csv|file:/proc/thread-self/fd/0 --dry-run
machine.json|chain:2 --machine /proc/$$/fd/3 --dry-run
EOF_ROWS

# An ordinary name that begins like that of a descriptor.
if "$BUILD/bin/tanbench" validate /dev/stdin-data.json --dry-run >"$T/out" 2>"$T/err" ||
    ! grep -q 'cannot read /dev/stdin-data.json: No such file' "$T/err"; then
    echo "tanbench validate /dev/stdin-data.json is not looked up as a file"
    cat "$T/err"
    failed=1
fi
exit $failed
