# beside.awk - half round trips of MRNet and of tanbench over the same trees, in us
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f beside.awk waves.csv bench.txt
BEGIN {
    printf "%-11s %9s %9s %6s\n", "tree", "MRNet", "tanbench", "ratio"
}
FNR == NR {
    if (split($0, part, ",") == 3)
        mrnet[part[1]] = part[2]
    next
}
$1 == "mpicc.openmpi" && $2 in mrnet {
    printf "%-11s %9.1f %9.1f %6.1f\n", $2, mrnet[$2], $3 / 2, mrnet[$2] / ($3 / 2)
}
