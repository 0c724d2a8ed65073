# oneway.awk - the rest of the way up, as measured and as TAN predicts it, us
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f oneway.awk MPI-TRANSPORT/oneway.txt ...
FNR == 1 {
    split(FILENAME, part, "/")
    run[++runs] = part[3]
    status[runs] = trees = 0
}
$3 == "KiB" && $12 == "%" {
    tree[++trees] = $1
    up[trees, runs] = $9
    tan[trees, runs] = $10
}
/^\(exit status / {
    status[runs] = $3 + 0
}
END {
    printf "%-10s", ""
    for (k = 1; k <= runs; k++)
        printf "   %11s    ", run[k]
    printf "\n%-10s", ""
    for (k = 1; k <= runs; k++)
        printf " %8s %8s", "up", "TAN"
    printf "\n%-10s", "status"
    for (k = 1; k <= runs; k++)
        printf " %8d %8s", status[k], ""
    print ""
    for (i = 1; i <= trees; i++) {
        printf "%-10s", tree[i]
        for (k = 1; k <= runs; k++)
            printf " %8.0f %8.0f", up[i, k], tan[i, k]
        print ""
    }
}
