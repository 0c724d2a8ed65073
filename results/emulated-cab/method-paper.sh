#!/bin/sh
# method-paper.sh - waves as they were played, and as method paper predicts them from those of Table I
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: sh results/emulated-cab/method-paper.sh    at the top of the tree, the programs in PATH
set -eu
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
gzip -dc results/emulated-cab/table1.csv.gz | tan-fit --method=paper - -o "$T/paper.json" >"$T/out"
for machine in configs/cab-joint.json "$T/paper.json"; do
    tan-design predict chain:32 binary:32 twolevel:32 binomial:32 nto1:32 nto1:128 --machine "$machine" --json -
done | tr -d '",' | awk '
    BEGIN {
        printf "%-12s %9s %13s %9s\n", "tree", "played", "method paper", "error"
    }
    $1 == "topo:" {
        tree = $2
    }
    $1 == "wave_us:" {
        wave = 1
    }
    $1 == "tan:" && wave && tree in played {
        printf "%-12s %9.1f %13.1f %+7.1f %%\n", tree, played[tree], $2, 100 * ($2 / played[tree] - 1)
    }
    $1 == "tan:" && wave {
        played[tree] = $2
        wave = 0
    }'
