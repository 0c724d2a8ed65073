# unfitted.awk - how far TAN's prediction of the rest of a wave is off, for the trees that no fit has seen
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f unfitted.awk MPI-TRANSPORT/validate-near.txt MPI-TRANSPORT/validate-middle.txt ...
# The rest that was measured, and TAN's, are those of each tree's line. Mean of absolute values, and the bias.
function of(row, kind)
{
    return sprintf("%.1f %% (%+.0f)", 100 * absolute[row, kind] / n[row, kind],
                   100 * sum[row, kind] / n[row, kind])
}
FNR == 1 {
    count = split(FILENAME, part, "/")
    row = sprintf("%-12s %s us", part[count - 1], part[count] ~ /near/ ? 300 : 500)
    order[++rows] = row
}
$2 !~ /^[0-9]+$/ || $11 != "%" || $1 ~ /^(chain|nto1):/ {
    next
}
{
    kind = $1 ~ /^random:/ ? "random" : "named"
    error = ($9 - $8) / $8
    n[row, kind]++
    sum[row, kind] += error
    absolute[row, kind] += error < 0 ? -error : error
}
END {
    printf "%-20s %14s %14s\n", "", "random trees", "named shapes"
    for (i = 1; i <= rows; i++) {
        printf "%-20s %14s %14s\n", order[i], of(order[i], "random"), of(order[i], "named")
    }
}
