#!/bin/sh
# record.sh - the TAN paper's Table I and figures, played in simulated time
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: sh results/emulated-cab/record.sh    at the top of the tree, the programs in PATH
set -eu
to=results/emulated-cab
cab="--quiet --emulate configs/cab-joint.json"
# shellcheck disable=SC2086  # lists of words
{
    tanbench calibrate $to/machine.json $cab --raw $to/table1.csv >$to/table1.txt
    gzip -9nf $to/table1.csv
    tanbench --experiment configs/paper-latency.json --quiet --emulate configs/cab-two-modes.json \
        --json $to/paper-latency.json >$to/latency.txt
    for figure in chain nto1 32 128; do
        tanbench --experiment configs/paper-$figure.json $cab --machine $to/machine.json \
            --json $to/paper-$figure.json >$to/paper-$figure.txt
    done
}
rm -f $to/*~
