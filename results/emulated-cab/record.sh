#!/bin/sh
# record.sh - the TAN paper's Table I and figures, played in simulated time
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: sh results/emulated-cab/record.sh    at the top of the tree, the programs in PATH
set -eu
to=results/emulated-cab
cab="--quiet --emulate configs/cab-joint.json"
few="--warmup 1 --min-waves 10 --max-waves 10" # the paper's ten waves after a first one
# figure NAME ARGUMENT...: run these trees, with the fitted machine's predictions.
figure()
{
    name=$1
    shift
    # shellcheck disable=SC2086  # a list of words
    tanbench run $cab --machine $to/machine.json --json $to/paper-$name.json "$@" >$to/paper-$name.txt
}
# shellcheck disable=SC2046,SC2086  # lists of words
{
    tanbench calibrate $to/machine.json $cab --raw $to/table1.csv >$to/table1.txt
    gzip -9nf $to/table1.csv
    tanbench run pingpong --min-waves 500 --max-waves 500 --quiet --emulate configs/cab-two-modes.json \
        --json $to/paper-latency.json >$to/latency.txt
    figure chain $few $(seq -f chain:%g 32)
    figure nto1 $few $(printf 'nto1:%d ' 1 2 3 4 6 8 12 $(seq 16 8 128))
    figure 32 twolevel:32 binomial:32 binary:32 nto1:32
    figure 128 twolevel:128 binomial:128 binary:128 nto1:128
}
rm -f $to/*~
