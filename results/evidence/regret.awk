# regret.awk - how much slower than the fastest of the trees in a table is the one that TAN picks
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f regret.awk MPI-TRANSPORT/N-leaves.txt ...
# `late` is the share of all waves that had a process that was late.
# The rest that was measured, plus the height times a latency: what a wave would take over links of
# that latency alone.
function regret(latency,    i, picked, best, took, least)
{
    picked = best = 1
    for (i = 2; i <= n; i++) {
        if (latency * height[i] + tan[i] < latency * height[picked] + tan[picked])
            picked = i
        if (latency * height[i] + rest[i] < latency * height[best] + rest[best])
            best = i
    }
    took = latency * height[picked] + rest[picked]
    least = latency * height[best] + rest[best]
    return 100 * (took / least - 1)
}
function print_row(    i)
{
    printf "%-24s", row
    for (i = 1; i <= count; i++)
        printf " %4.0f %%", regret(latency[i])
    printf "  %5.0f %%%s\n", late, status
    n = 0
    status = ""
}
BEGIN {
    count = split("1 2 5 10 20 50 300", latency, " ")
    printf "%-24s", "L of links, us"
    for (i = 1; i <= count; i++)
        printf " %4d  ", latency[i]
    print "     late"
}
FNR == 1 {
    if (row != "")
        print_row()
    split(FILENAME, part, "/")
    row = part[3] ", " substr(part[4], 1, 2) " leaves"
}
$1 ~ /^levels:/ && $2 > 0 {
    height[++n] = $3
    rest[n] = $8
    tan[n] = $9
}
/ waves [0-9]+ had/ {
    match($0, /Of [0-9]+ waves [0-9]+/)
    split(substr($0, RSTART, RLENGTH), part, " ")
    late = 100 * part[4] / part[2]
}
/^\(exit status / {
    status = "  status " $3 + 0
}
END {
    print_row()
}
