# simulated_failures.sh - recoveries on a simulated cluster: deadlines, leaves, and waves against fresh trees
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -u
. tests/scripts/simgrid
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bin=$(cd "$BUILD/bin" && pwd) || exit 1
export HOME="$dir" LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME
needs_simgrid tanbench-simulated
cd "$dir" || exit 1
bad=0

# recovers TREE PROCESS FRESH LEVELS LEAVES: PROCESS of TREE fails, is given up after LEVELS seconds,
# and LEAVES are in the result; later waves take as long as those of the tree FRESH.
recovers()
{
    for run in "$1 --fail $2@3 --json run.json" "$3 --json fresh.json"; do
        # shellcheck disable=SC2086 # several words
        "$bin/tanbench" run -q --platform crossbar --os 1us:0.3ns --or 1us:0.3ns $run >out 2>&1 ||
            { echo "$run: exit status $?"; cat out; exit 1; }
    done
    python3 - "$@" <<'PYTHON' || bad=1
import json, sys
failures = json.load(open("run.json"))["cells"][0]["failures"]
fresh = json.load(open("fresh.json"))["cells"][0]["wave_us"]["median"]
healed = failures["healed"]["wave_us"]["median"]
recovery = failures["recoveries"][0]
wait = 1000000 * int(sys.argv[4])
wrong = []
if abs(recovery["waited_us"] - wait) > 0.1 or abs(recovery["deadline_us"] - wait) > 0.1:
    wrong.append("given up after %g us" % recovery["waited_us"])
if recovery["recovered"] != int(sys.argv[5]):
    wrong.append("%d leaves" % recovery["recovered"])
if abs(healed - fresh) > 0.05 * fresh:
    wrong.append("healed waves of %g us, fresh ones of %g us" % (healed, fresh))
if wrong:
    print("%s, %s: %s" % (sys.argv[1], sys.argv[2], "; ".join(wrong)))
sys.exit(len(wrong) > 0)
PYTHON
}

recovers nto1:32 7 nto1:31 1 31
recovers chain:6 2 chain:5 5 1
recovers levels:1x8x4 1 levels:8x4 3 32
exit $bad
