# bench.sh - make bench computes ratios only from complete measurements
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"

# In place of tanbench: writes results of given medians; a median of "cut" is of an unfinished cell.
cat >"$dir/bin/tanbench" <<'EOF_TANBENCH'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
    --json) json=$2 ;;
    --topo) topos="${topos:-} $2" ;;
    esac
    shift
done
{
    printf '{\n  "mpi": "Some MPI",\n  "cells": [\n'
    for topo in $topos; do
        median=$(awk -v topo="$topo" '$1 == topo { print $2 }' "$MEDIANS")
        complete=true
        [ "$median" != cut ] || { complete=false median=1.0; }
        [ -n "$median" ] || continue
        printf '{\n  "topo": "%s",\n  "complete": %s,\n  "wave_us": {\n    "median": %s,\n    "mean": 7\n  },\n' \
            "$topo" $complete "$median"
        printf '  "launches": [\n    {\n  "median_us": 9\n    }\n  ]\n}\n'
    done
} >"$json"
echo "levels:2x6:4 (cut 3)  9 9 0 0 0 0"
exit 3
EOF_TANBENCH
chmod +x "$dir/bin/tanbench"
mkdir -p "$dir/mpi/mpicc.some" "$dir/tools"
ln -s ../../bin/tanbench "$dir/mpi/mpicc.some/tanbench"
# In place of bare-waves: another time in each round.
cat >"$dir/tools/bare-waves" <<'EOF_BARE'
#!/bin/sh
echo >>"$MEDIANS.rounds"
echo "chain:32 $(($(wc -l <"$MEDIANS.rounds") % 3 * 4 + 1))"
EOF_BARE
chmod +x "$dir/tools/bare-waves"

export MEDIANS="$dir/medians"
lines() # LINE...: these are in what bench prints
{
    BUILD=$dir RANKS=7 tools/bench | tr -s ' ' >"$dir/out"
    for line; do
        grep -q -x -e "$line" "$dir/out" || { echo "no line '$line' in:"; cat "$dir/out"; exit 1; }
    done
}

printf '%s\n' 'nto1:6 20.5' 'levels:2x6:4 10' 'mpi:7 5' 'chain:8 2' 'chain:32 8' 'chain:1 3' \
    'pingpong 2' >"$MEDIANS"
lines '7 levels:2x6:4 20.0 10.0 2.00' 'chain:32 / chain:8, parked: 16.0 / 4.0 = 4.00' \
    'chain:1 / bare ping-pong, 8, polling: 6.000 / 4.000 = 1.500' 'mpicc.some chain:32 16.0 5.0 3.20' \
    'nto1:128 (129 ranks), start to finish: [0-9.-]* s'
printf '%s\n' 'nto1:6 20.5' 'levels:2x6:4 cut' 'mpi:7 5' 'chain:8 0.0' 'chain:32 8' >"$MEDIANS"
lines '7 nto1:6 41.0 10.0 4.10' 'chain:32 / chain:8, parked: - / - = -' \
    'chain:1 / bare ping-pong, 8, polling: - / - = -'
printf '%s\n' 'nto1:6 20.5' 'mpi:7 cut' >"$MEDIANS"
lines '7 nto1:6 41.0 - -'
