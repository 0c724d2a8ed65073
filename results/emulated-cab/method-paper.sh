#!/bin/sh
# method-paper.sh - waves as they were played, and as method paper predicts them from those of Table I
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: sh results/emulated-cab/method-paper.sh    at the top of the tree, the programs in PATH
set -eu
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
gzip -dc results/emulated-cab/table1.csv.gz | tan-fit --method=paper - -o "$T/paper.json" >"$T/out"
for machine in configs/cab-joint.json "$T/paper.json"; do
    tan-design predict chain:32 binary:32 twolevel:32 binomial:32 nto1:32 nto1:128 --machine "$machine"
done | awk '
    BEGIN {
        printf "%-12s %9s %13s %9s\n", "tree", "played", "method paper", "error"
    }
    # TREE PROCESSES HEIGHT WAVE us ...
    $1 ~ /:/ && $5 == "us" && $1 in played {
        printf "%-12s %9.1f %13.1f %+7.1f %%\n", $1, played[$1], $4, 100 * ($4 / played[$1] - 1)
    }
    $1 ~ /:/ && $5 == "us" {
        played[$1] = $4
    }'
