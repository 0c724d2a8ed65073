# exchanges.awk - absolute errors of overheads, late receives and windows in validations, mean / worst, in %
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f exchanges.awk MPI-TRANSPORT/validation.txt ...
BEGIN {
    printf "%-32s %9s %9s %9s %9s %9s %9s %9s\n", "", "sender", "receiver", "both,", "both,", "late", "", "both"
    printf "%-32s %9s %9s %9s %9s %9s %9s %9s\n", "", "computes", "computes", "sender", "receiver", "receive",
        "window", "ways"
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
within && $1 == "worst" {
    count = split(FILENAME, part, "/")
    printf "%-32s", part[count - 1] "/" part[count]
    for (i = 1; i <= 7; i++)
        printf " %9s", sprintf("%.0f / %.0f", value["mean", i], value["worst", i])
    print ""
}
