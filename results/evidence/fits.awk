# fits.awk - what tan-fit makes of the waves at 300 us: every model's error of the rest, and joint's parameters
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f fits.awk MPI-TRANSPORT/calibrate.txt MPI-TRANSPORT/validate-near.txt MPI-TRANSPORT/fit.txt ...
# Of the runs that the waves are from only the status is taken.
FNR == 1 {
    count = split(FILENAME, part, "/")
    row = part[count - 1]
    if (!(row in known))
        order[++rows] = row
    known[row]
}
/^\(exit status / {
    status[row] = "  status " $3 + 0
}
FILENAME !~ /fit\.txt$/ {
    next
}
/^[abcC] / {
    sub(/,/, "", $5)
    parameter[row, $1] = $4 == "to" ? $2 " (" $3 "-" $5 ")" : $2
}
/^R2 of the chains/ {
    chains[row] = $NF
}
/^R2 of the N-to-1/ {
    nto1[row] = $NF
}
$1 ~ /^(tan|logp)/ && $3 == "%" {
    error[row, $1] = sprintf("%.1f (%+.0f)", $9, $11)
}
END {
    models = split("tan tan-paper logp logp-serial", model, " ")
    printf "%-12s", ""
    for (i = 1; i <= models; i++)
        printf " %12s", model[i]
    print ""
    for (r = 1; r <= rows; r++) {
        printf "%-12s", order[r]
        for (i = 1; i <= models; i++)
            printf " %12s", error[order[r], model[i]]
        print status[order[r]]
    }
    printf "\n%-12s %18s %18s %18s %18s %10s %7s\n", "joint, us", "a", "b", "c", "C", "R2: chains", "N-to-1"
    for (r = 1; r <= rows; r++) {
        row = order[r]
        printf "%-12s %18s %18s %18s %18s %10s %7s\n", row, parameter[row, "a"], parameter[row, "b"],
            parameter[row, "c"], parameter[row, "C"], chains[row], nto1[row]
    }
}
