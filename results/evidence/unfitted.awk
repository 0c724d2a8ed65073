# unfitted.awk - how far TAN's prediction of the rest of a wave is off, for the trees that no fit has seen
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f unfitted.awk MPI-TRANSPORT/validate-near.txt MPI-TRANSPORT/validate-middle.txt ...
# The rest that was measured, and TAN's, are those of each tree's line.
$2 !~ /^[0-9]+$/ || $11 != "%" || $1 ~ /^(chain|nto1):/ {
    next
}
{
    kind = $1 ~ /^random:/ ? "random" : "named"
    key = FILENAME " " kind
    if (!(key in n))
        order[++keys] = key
    error = ($9 - $8) / $8
    n[key]++
    sum[key] += error
    absolute[key] += error < 0 ? -error : error
}
END {
    for (i = 1; i <= keys; i++) {
        key = order[i]
        printf "%-48s %2d trees  mean |error| %5.1f %%  bias %+6.1f %%\n", key, n[key],
            100 * absolute[key] / n[key], 100 * sum[key] / n[key]
    }
}
