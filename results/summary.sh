#!/bin/sh
# summary.sh - what the page of recorded runs says of them, a phrase a line, from their files
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: sh results/summary.sh    at the top of the tree, the programs in PATH
set -eu

# most COMMAND...: the largest of the percentages that come first in its lines
most()
{
    "$@" | sed -n 's/^[^%]* \([0-9.]*\) %.*/\1/p' | sort -n | tail -1
}

# worst COMMAND...: the worst error that its last line names
worst()
{
    "$@" | sed -n 's/.*worst [-+]\([0-9.]*\) %.*/\1/p'
}

simulated()
{
    tools/evidence-simulated --tables results/simulated "$1"
}
slow()
{
    tools/evidence-slow-network --tables results/slow-network "$1"
}
most simulated choice | awk '{ printf "up to %.1f times as long as the fastest\n", 1 + $1 / 100 }'
echo "within $(most slow choice) % of the fastest"
echo "file broadcasts within $(worst slow sbcast) %"
echo "fences over Open MPI's daemons within $(worst slow fences) %"
tools/evidence-programs --tables results/programs worst | awk -F'[ ,]+' '
    $1 == "calibrated:" { print "within " $5 " % on simulated clusters" }
    $1 == "slow:" { print $5 " % on a slowed network" }'
sed -n 's/.*TAN.*//; s/.*[-+]\([0-9.]*\) %$/\1/p' results/emulated-cab/paper-32.txt results/emulated-cab/paper-128.txt |
    sort -n | tail -1 | sed 's/.*/within & %/'
awk '$1 == "tan" { tan = $9 } $1 == "logp" { print tan " % by TAN, " $9 " % by LogP" }' results/evidence/mrnet/fit.txt
for t in openmpi-shm mpich-shm openmpi-tcp mpich-tcp; do
    echo "results/p2p/$t/validation.txt"
done | xargs python3 results/p2p/errors.py | awk '
    # NAME MEAN / WORST MEAN / WORST ...
    NR == 1 {
        for (i = 1; i <= NF; i++)
            at[$i] = 3 * i - 1
        next
    }
    {
        for (model in at) {
            mean = $at[model]
            least[model] = NR == 2 || mean < least[model] ? mean : least[model]
            most[model] = mean > most[model] ? mean : most[model]
        }
    }
    END {
        printf "LogGP as published %.1f to %.1f %%\n", least["loggp"], most["loggp"]
        printf "fitted to the machine %.1f to %.1f %%\n", least["fitted"], most["fitted"]
    }'
