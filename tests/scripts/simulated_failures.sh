# simulated_failures.sh - recoveries on a simulated cluster, against the model and against fresh trees
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
# Every step of a recovery is within 5 % of tan-overlap's prediction, also reparent, whose messages have no
# payload, and resend within 10 %, since those who need not answer twice send no payload, either; a wave on
# the healed tree is within 5 % of one on a fresh tree of the same shape.
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bin=$(cd "$BUILD/bin" && pwd) || exit 1
platform=$PWD/configs/platforms/crossbar.xml
export HOME="$dir" LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME
if [ ! -e "$bin/../mpi/smpicc/tanbench-simulated" ]; then
    echo 'needs SimGrid (libsimgrid-dev)'
    exit 77
fi
cd "$dir" || exit 1
bad=0

simulate()
{
    command=$1
    shift
    # shellcheck disable=SC2086
    "$bin/tanbench" $command -q --platform "$platform" --os 1us:0.3ns --or 1us:0.3ns "$@" >out 2>&1 && return
    echo "tanbench $command $*: exit status $?"
    cat out
    exit 1
}

simulate calibrate machine.json
simulate 'p2p calibrate' machine.json

# recovers TREE FAILURES POLICY LEAVES: the run, with so many leaves in the result in the end
recovers()
{
    simulate run -m machine.json "$1" --fail "$2" --heal "$3" --detect 1ms --json run.json
    python3 - "$1 $2 $3" "$4" <<'PYTHON' || bad=1
import json, sys
failures = json.load(open("run.json"))["cells"][0]["failures"]
wrong = []
for recovery in failures["recoveries"]:
    measured, predicted = recovery["measured_us"], recovery["predicted_us"]["tan-overlap"]
    for step in measured:
        if abs(predicted[step] - measured[step]) > (0.1 if step == "resend" else 0.05) * measured[step]:
            wrong.append("%s takes %g us, predicted %g us" % (step, measured[step], predicted[step]))
if failures["leaves"]["count"] != int(sys.argv[2]):
    wrong.append("%d leaves in the end, not %s" % (failures["leaves"]["count"], sys.argv[2]))
if failures["suspected"] or failures["late"] or failures["overrun_us"] > 0.1:
    wrong.append("somebody was late")
if wrong:
    print(sys.argv[1] + ": " + "; ".join(wrong))
json.dump(failures["healed"]["parents"], open("tree.json", "w"))
sys.exit(len(wrong) > 0)
PYTHON
    simulate run -m machine.json file:tree.json --json fresh.json
    python3 - "$1 $2 $3" <<'PYTHON' || bad=1
import json, sys
healed = json.load(open("run.json"))["cells"][0]["failures"]["healed"]["wave_us"]["median"]
fresh = json.load(open("fresh.json"))["cells"][0]["wave_us"]["median"]
if abs(healed - fresh) > 0.05 * fresh:
    print("%s: healed waves of %g us, fresh ones of %g us" % (sys.argv[1], healed, fresh))
    sys.exit(1)
PYTHON
}

recovers levels:2x2 internal@3 grandparent 4
recovers levels:2x2x2x2 internal@3 promote 16
recovers levels:4x4x4 5@3 root 64
recovers levels:8x8 internal@3 none 56
recovers levels:16x4 internal@3 promote 64
recovers levels:32x4 internal@3 grandparent 128
recovers nto1:32 leaf@3 root 31
recovers chain:6 2@3,4@4 grandparent 1
recovers levels:4x4 1@3,2@healing,20@healing grandparent 15
# A wave in which somebody is suspected is no sample, and the fourth still is the last one before the failure.
"$bin/tanbench" run -q --platform "$platform" --os 1us --or 1us nto1:3 --warmup 0 --detect 1us --fail 1@5 \
    --json run.json >out 2>&1
[ $? -eq 3 ] || { echo "suspected, and not status 3: $(cat out)"; bad=1; }
python3 - <<'PYTHON' || bad=1
import json, sys
cell = json.load(open("run.json"))["cells"][0]
if cell["n"] != 3 or cell["failures"]["suspected"] != 3 or [r["wave"] for r in cell["failures"]["recoveries"]] != [1]:
    sys.exit("%d waves before the failure, %d suspected" % (cell["n"], cell["failures"]["suspected"]))
PYTHON
exit $bad
