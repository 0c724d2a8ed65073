# schema.sh - JSON files written by the programs, and those of configs/ and results/, conform to docs/schema
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -u
for python in python3 /usr/bin/python3 ''; do
    "$python" -c 'import jsonschema' 2>/dev/null && break
done
[ -n "$python" ] || { echo "needs jsonschema for Python"; exit 77; }
. tests/no-blanks
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export HOME="$dir" LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME
bin=$BUILD/bin

# run COMMAND...: it ends with status 0, or with 3 (not trustworthy: the host is busy).
run()
{
    "$@" >"$dir/out" 2>&1 </dev/null
    status=$?
    case $status in
    0 | 3) ;;
    *)
        echo "exit status $status: $*"
        cat "$dir/out"
        exit 1
        ;;
    esac
}

# Designs, predictions and trees
run "$bin/tan-design" --leaves 64 --machine configs/cab.json --json "$dir/design.json"
run "$bin/tan-design" --leaves 64 --machine tests/data/messages-only.json --bytes 4KiB --growth concat \
    --json "$dir/design-bytes.json"
run "$bin/tan-design" predict binomial:8 nto1:4 --machine tests/data/messages-only.json --bytes 8KiB \
    --json "$dir/predict-bytes.json"
run "$bin/tan-design" --fanouts --leaves 64 --machine tests/data/messages-only.json --bytes 8KiB \
    --json "$dir/fanouts-bytes.json"
run "$bin/tan-design" --leaves 64 --machine tests/data/uncertain-cab.json --max-fanout 8 \
    --json "$dir/design-limits.json" --format json --output "$dir/tree.json"
run "$bin/tan-design" --leaves 64 --machine tests/data/uncertain-cab.json --latency 9us \
    --compare binary:64 nto1:60 --json "$dir/design-compared.json"
run "$bin/tan-design" --leaves 64 --latency 2us --overhead 1us --json "$dir/design-given.json"
run "$bin/tan-design" --leaves 64 --bandwidth 8Mbit --down-bytes 1kB --json "$dir/design-bandwidth.json"
echo '{"schema": "tan-machine/1", "name": "m", "tan": {"L_us": 2, "a_us": 1},
 "overlap": {"L_us": 2, "o_s_us": 1, "o_r_us": 0.5}}' >"$dir/overlap.json"
run "$bin/tan-design" --leaves 64 --model tan-overlap --machine "$dir/overlap.json" --json "$dir/design-overlap.json"
run "$bin/tan-design" --fanouts --leaves 64 --machine tests/data/uncertain-cab.json \
    --json "$dir/fanouts.json"
run "$bin/tan-design" --leaves 64 --work 5us --machine configs/cab.json --json "$dir/design-work.json"
run "$bin/tan-design" --leaves 64 --pareto latency,processes --max-fanout 8 --machine configs/cab.json \
    --json "$dir/pareto.json"
run "$bin/tan-design" --leaves 64 --pareto latency,loss --max-loss 20 --machine cab --json "$dir/pareto-loss.json"
run "$bin/tan-design" --members 64 --target slurm --failures p=1e-3 --machine cab --json "$dir/target-failures.json"
run "$bin/tan-design" --members 64 --target slurm --machine cab --json "$dir/target-break-even.json"
run "$bin/tan-design" --members 64 --target flux --machine tests/data/uncertain-cab.json \
    --json "$dir/target.json"
run "$bin/tan-design" --members 64 --target prrte --machine configs/cab.json --json "$dir/target-ways.json"
run "$bin/tan-design" --tree levels:3x4 --target prrte --machine configs/cab.json --json "$dir/target-tree.json"
run "$bin/tan-design" --members 64,512 --bytes 1kB,40kB --target openmpi-rules --machine tests/data/checked-messages.json \
    --json "$dir/rules.json"
run "$bin/tan-design" --members 64 --targets --machine configs/cab.json --json "$dir/targets.json"
cat >"$dir/tiers.json" <<'EOF'
{"schema": "tan-machine/1", "name": "two tiers", "tan": {"L_us": 200, "a_us": 20, "b_us": 6, "c_us": 0.2},
 "tiers": [{"name": "host", "L_us": 10, "a_us": 5, "b_us": 2, "ci95": {"a_us": [4, 6]}}]}
EOF
printf 'h%d\n' 1 2 3 4 5 6 7 8 >"$dir/hosts"
run "$bin/tan-design" --leaves 21 --hosts "$dir/hosts" --ranks-per-host 4 --machine "$dir/tiers.json" \
    --json "$dir/hosted.json"
cat >"$dir/racks.json" <<'EOF'
{"schema": "tan-machine/1", "name": "three tiers", "tan": {"L_us": 200, "a_us": 20, "b_us": 6, "c_us": 0.2},
 "tiers": [{"name": "host", "L_us": 10, "a_us": 5, "b_us": 2}, {"name": "rack", "L_us": 40, "a_us": 10, "b_us": 3}]}
EOF
printf 'SwitchName=s%d Nodes=h[%s]\n' 1 1-4 2 5-8 >"$dir/topology.conf"
run "$bin/tan-design" --leaves 21 --hosts "$dir/hosts" --ranks-per-host 4 --machine "$dir/racks.json" \
    --racks "$dir/topology.conf" --json "$dir/hosted-racks.json"
run "$bin/tan-design" --leaves 21 --hosts "$dir/hosts" --ranks-per-host 4 --machine "$dir/racks.json" \
    --json "$dir/hosted-note.json"
run "$bin/tan-design" predict binomial:8 nto1:4 --machine configs/cab.json \
    --json "$dir/predict.json"
# without a latency there are no parts of costs
echo '{"schema": "tan-machine/1", "name": "no latency", "tan": {"a_us": 3, "b_us": 0.4}}' >"$dir/split.json"
run "$bin/tan-design" --leaves 64 --machine "$dir/split.json" --json "$dir/design-split.json"
run "$bin/tan-design" predict nto1:8 --machine "$dir/split.json" --json "$dir/predict-split.json"
run "$bin/tan-design" messages 1,64KiB --machine configs/t3d.json --json "$dir/messages.json"

# Simulations: of a tree, with everything that can be asked for; one that never ends; LogGOPSim's
run "$bin/tan-sim" run --topo binary:8 --machine configs/cab.json --critical-path \
    --json "$dir/sim-tree.json"
run "$bin/tan-sim" run --pattern dissemination:64 --ranks-per-host 4 --noise exponential:1us \
    --eager 1024 --handshake rta --sensitivity L,G,o=+1us \
    --json "$dir/sim-pattern.json"
printf 'num_ranks 2\nrank 0 {\nl1: recv 8b from 1\nl2: send 8b to 1\nl2 requires l1\n}\n%s' \
    'rank 1 {
l1: recv 8b from 0
l2: send 8b to 0
l2 requires l1
}
' >"$dir/stuck.goal"
"$bin/tan-sim" run "$dir/stuck.goal" --json "$dir/sim-stuck.json" >"$dir/out" 2>&1
run "$bin/tan-sim" run --pattern halving-doubling:6 --bytes 4KiB \
    --machine results/p2p/openmpi-shm/machine.json --json "$dir/sim-machine.json"
run "$bin/tan-sim" run --pattern allreduce:32Ki --machine configs/t3d.json \
    --json "$dir/collective.json"
run "$bin/tan-sim" run --compatible --pattern binomial-reduce:16 --json "$dir/sim-compatible.json"

# Fits
gzip -dc results/emulated-cab/table1.csv.gz >"$dir/waves.csv"
run "$bin/tan-fit" "$dir/waves.csv" --json "$dir/fit.json" --output "$dir/fitted.json"
awk 'BEGIN { print "tree,gathered,wave_us"
    for (n = 16; n <= 64; n *= 2) for (r = 2; r <= 64; r *= 2) for (m = 1000; m <= 1000000; m *= 10)
        print "kary:" r ":" n " + kary:4:" n "," m "," 500 + 9 * r + m * n / 100 + r % 3 }' >"$dir/two.csv"
run "$bin/tan-fit" "$dir/two.csv" --json "$dir/fit-trees.json"

# Measurements
few="--min-waves 8 --max-waves 8 --warmup 1 --wait park"
run "$bin/tanbench" run $few nto1:2 chain:2 --passes 2 --launches 2 --machine "$dir/fitted.json" \
    --json "$dir/waves.json"
run "$bin/tanbench" run $few levels:2x2 --fail 1@2 --machine "$dir/fitted.json" --json "$dir/failures.json"
run "$bin/tanbench" oneway $few nto1:2 --json "$dir/oneway.json"
run "$bin/tanbench" stream --warmup 1 --wait park --duration 500ms nto1:2 --json "$dir/stream.json"
if [ -e "$bin/../mpi/smpicc/tanbench-simulated" ]; then
    run "$bin/tanbench" run nto1:2 --emulate configs/cab-two-modes.json --min-waves 8 --max-waves 8 \
        --json "$dir/emulated.json"
    # vectors take less than half a minute only there
    run "$bin/tanbench" p2p calibrate "$dir/simulated.json" --platform crossbar --sizes 1,4096 --send-modes --datatypes \
        --json "$dir/p2p-simulated.json"
fi
run "$bin/tanbench" calibrate "$dir/machine.json" --max-leaves 4 --passes 1 $few
run "$bin/tanbench" validate "$dir/machine.json" --shapes 2 --processes 3..8 $few \
    --json "$dir/validation.json"
mkdir "$dir/traced"
printf 'MPI_Init:-:0:0:1000\nMPI_Barrier:1000:0,0,1:1001:\nMPI_Finalize:1020:1020:\n' >"$dir/traced/rank-0.txt"
run "$bin/tan-sim" trace "$dir/traced" --json "$dir/sim-trace.json"
sed -i '$d' "$dir/traced/rank-0.txt" # cut off
"$bin/tan-sim" trace "$dir/traced" --json "$dir/sim-doubtful.json" >"$dir/out" 2>&1
run "$bin/tanbench" p2p calibrate "$dir/machine.json" --sizes 1,4096 --max-time 100ms --json "$dir/p2p.json"
run "$bin/tanbench" p2p validate "$dir/machine.json" --sizes 1,4096 --max-time 100ms \
    --json "$dir/p2p-validation.json"

# Every format that the code names has a schema.
bad=0
for format in $(grep -rhoE '"tan-[a-z0-9-]+/1"' base topo model design answer tanbench page cmd sim |
    tr -d '"' | sort -u); do
    grep -q "\"const\": \"$format\"" docs/schema/*.json || { echo "no schema of $format"; bad=1; }
done

# shellcheck disable=SC2046  # a list of words
"$python" -W ignore tests/scripts/validate_schema.py "$dir"/*.json -- \
    $(find configs results -name '*.json') || bad=1
exit $bad
