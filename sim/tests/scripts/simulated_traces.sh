# simulated_traces.sh - traces taken on a simulated cluster, simulated with a longer latency
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
#
# The truth is the run of each program, without the tracer, where messages take longer.
set -u
bin=$(cd "$BUILD/bin" && pwd) || exit 1
. tests/scripts/simgrid
needs_simgrid libtantrace.a
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
tools/evidence-programs "$dir" simgrid || exit 1
# kernel,ranks,arguments,added,measured,least,most,predicted: four kernels with four latencies
awk -F, 'NR > 1 && ($8 / $5 - 1) ^ 2 > 0.002 ^ 2 { print "more than 0.2 % apart:", $0; bad = 1 }
    END { exit bad || NR != 17 }' "$dir/simgrid.csv"
