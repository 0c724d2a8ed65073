# exchanges.awk - absolute errors of overheads, late receives and windows in validations, mean / worst, in %
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f exchanges.awk MPI-TRANSPORT/validation.txt ...
# The last column is the largest difference of an overlap ratio.
function heads(a, b, c, d, e, f, g, h)
{
    printf "%-28s %11s %11s %11s %11s %11s %11s %11s %8s\n", "", a, b, c, d, e, f, g, h
}
function of(i)
{
    return sprintf("%.0f / %.0f", value["mean", i], value["worst", i])
}
BEGIN {
    heads("sender", "receiver", "both,", "both,", "late", "", "both", "overlap")
    heads("computes", "computes", "sender", "receiver", "receive", "window", "ways", "ratio")
}
FNR == 1 {
    within = 0
}
$1 == "bytes" {
    within = $2 == "sender"
}
within && ($1 == "mean" || $1 == "worst") {
    for (i = 2; i <= NF; i += 2)
        value[$1, i / 2] = $i
}
within && /^Overlap ratios/ {
    count = split(FILENAME, part, "/")
    sub(/\.txt$/, "", part[count])
    printf "%-28s", part[count - 1] "/" part[count]
    for (i = 1; i <= 7; i++)
        printf " %11s", of(i)
    printf " %8.2f\n", $5
}
