# latency.awk - growth of waves with the latency that was added, for each level, and the rest of each, us
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f latency.awk MPI-TRANSPORT/claims-L.txt ...
# The files of a transport stand together, by L. The slope of the rest over L, least squares, is what a
# wave grows by beyond its height. (Known is the height times L, and the share of slots.)
function print_transport(    i, k, mean, sum, squares, product)
{
    printf "%-12s %6s", transport, "dT/dL"
    for (k = 1; k <= runs; k++)
        printf " %5s", L[k]
    printf "\n  %-10s %6s", "status", ""
    for (k = 1; k <= runs; k++) {
        printf " %5d", status[k]
        mean += L[k] / runs
    }
    print ""
    for (i = 1; i <= trees; i++) {
        squares = product = 0
        for (k = 1; k <= runs; k++) {
            squares += (L[k] - mean) ^ 2
            product += (L[k] - mean) * rest[i, k]
        }
        printf "  %-10s %6.3f", tree[i], 1 + product / squares / height[i]
        for (k = 1; k <= runs; k++)
            printf " %5.0f", rest[i, k]
        print ""
    }
    print ""
    runs = 0
}
FNR == 1 {
    count = split(FILENAME, part, /[\/.-]/)
    if (runs > 0 && transport != part[count - 4] "-" part[count - 3])
        print_transport()
    transport = part[count - 4] "-" part[count - 3]
    L[++runs] = part[count - 1]
    status[runs] = trees = 0
}
$1 ~ /^(chain|nto1):/ && $11 == "%" {
    tree[++trees] = $1
    height[trees] = $3
    rest[trees, runs] = $8
}
/^\(exit status / {
    status[runs] = $3 + 0
}
END {
    print_transport()
}
