# calibrations.awk - what calibrations find, us, beside what follows from rate and bytes, and TAN's errors, %
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f calibrations.awk calibrate-MPI-QUEUE.txt ...
# 20000 B are 20924 on the wire, and their acknowledgements 462; at 8 Mbit/s a byte takes 1 us. L is that of
# a message, b in the order fifo half of both.
function print_row(    count, part)
{
    count = split(file, part, /[-.\/]/)
    printf "%-8s %-5s", part[count - 2], part[count - 1]
    printf " %22s %16s %22s %18s %7s %7s %14s %12s\n", value["L"], value["a"], value["b"], value["c"], chains, nto1,
        error["named"], error["random"]
}
BEGIN {
    format = "%-14s %22s %16s %22s %18s %7s %7s %14s %12s\n"
    printf format, "", "", "", "", "", "R2 of", "", "errors, mean", ""
    printf format, "", "L", "a", "b", "c", "chains", "N-to-1", "(worst): named", "random"
    printf format, "computed, fifo", 20924, 0, (20924 + 462) / 2, 0, "1.0000", "1.0000", "", ""
}
FNR == 1 {
    if (file != "")
        print_row()
    file = FILENAME
}
/^[Labc] / {
    sub(/,/, "", $5)
    value[$1] = $2 " (" $3 " to " $5 ")"
}
/^R2 of the chains/ {
    chains = $NF
}
/^R2 of the N-to-1/ {
    nto1 = $NF
}
$1 == "tan" && $2 ~ /named|random/ {
    error[$2] = sprintf("%.1f (%.1f)", $4, $8)
}
END {
    print_row()
}
