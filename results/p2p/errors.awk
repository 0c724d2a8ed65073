# errors.awk - absolute errors of the models' one-way times in validations, mean / worst, in %
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f errors.awk MPI-TRANSPORT/validation.txt MPI-TRANSPORT/validation-again.txt ...
BEGIN {
    models = split("logp loggp loggps loggpo plogp", model, " ")
    printf "%-32s", ""
    for (i = 1; i <= models; i++)
        printf " %13s", model[i]
    print ""
}
FNR == 1 {
    count = split(FILENAME, part, "/")
}
$1 == "bytes" && $2 == "one-way" {
    for (i = 4; i <= NF; i++)
        column[$i] = i - 3
}
$1 == "mean" || $1 == "worst" {
    k = 0
    for (i = 2; i <= NF; i += 2)
        value[$1, ++k] = $i
}
$1 == "worst" {
    printf "%-32s", part[count - 1] "/" part[count]
    for (i = 1; i <= models; i++)
        printf " %13s", value["mean", column[model[i]]] " / " value["worst", column[model[i]]]
    print ""
    nextfile
}
