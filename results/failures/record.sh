#!/bin/sh
# record.sh - recovery.csv: recoveries by fanout and height on a simulated cluster
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: [BUILD=build] results/failures/record.sh DIR
# The first child of the root falls silent at the third wave. The same figures on any machine.
set -eu
bin=$(cd "${BUILD:-build}/bin" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
simulated="--quiet --platform crossbar --min-waves 4 --max-waves 4"
# shellcheck disable=SC2086
"$bin/tanbench" calibrate $simulated "$dir/machine.json" >/dev/null
"$bin/tanbench" p2p calibrate --quiet --platform crossbar "$dir/machine.json" >/dev/null
# shellcheck disable=SC2086
"$bin/tanbench" run $simulated --machine "$dir/machine.json" --fail 1@3 --heal grandparent --detect 1ms \
    --json "$dir/run.json" levels:2 levels:2x2 levels:2x2x2 levels:2x2x2x2 levels:2x2x2x2x2x2 \
    levels:4 levels:4x4 levels:4x4x4 levels:4x4x4x4 levels:8 levels:8x8 levels:8x8x8 \
    levels:16 levels:16x16 levels:16x16x16 levels:32 levels:32x32 >/dev/null
python3 - "$dir/run.json" >"$1/recovery.csv" <<'PYTHON'
import json
import sys

STEPS = ("notice", "reparent", "resend", "recovery")
print("fanout,height,leaves,noticed,recovered,before_us,after_us,"
      + ",".join(f"{step}_us,{step}_predicted_us" for step in STEPS))
cells = json.load(open(sys.argv[1]))["cells"]
for cell in sorted(cells, key=lambda c: (c["max_fanout"], c["height"])):
    failures = cell["failures"]
    recovery = failures["recoveries"][0]
    predicted = recovery["predicted_us"]["tan-overlap"]
    times = [f'{recovery["measured_us"].get(step, 0)},{predicted.get(step, 0)}' for step in STEPS]
    print(cell["max_fanout"], cell["height"], cell["leaves"], recovery["noticed"]["count"],
          recovery["recovered"]["count"], cell["wave_us"]["median"],
          failures["healed"]["wave_us"]["median"], *times, sep=",")
PYTHON
