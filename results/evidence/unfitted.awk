# unfitted.awk - how far predictions of the rest of a wave are off, for trees that no fit has seen
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f unfitted.awk MPI-TRANSPORT/machine.json MPI-TRANSPORT/validate-near.txt MPI-TRANSPORT/skewed-near.txt ...
# The rest that was measured, and TAN's, are those of each tree's line. LogP's is 2a for each level, and C,
# by the machine file that stands before. Mean of absolute values, and the bias, in %.
function add(model, error)
{
    n[row, kind, model]++
    sum[row, kind, model] += error
    absolute[row, kind, model] += error < 0 ? -error : error
}
function of(row, kind, model,    mean)
{
    mean = 100 * absolute[row, kind, model] / n[row, kind, model]
    if (kind ~ /random|named/) {
        if (least[model] == "" || mean < least[model])
            least[model] = mean
        if (mean > most[model])
            most[model] = mean
    }
    return sprintf("%.1f (%+.0f)", mean, 100 * sum[row, kind, model] / n[row, kind, model])
}
function heads(a, b, c, d, e, f, g)
{
    printf "%-18s %11s %11s %11s %11s %11s %11s %11s\n", "", a, b, c, d, e, f, g
}
FNR == 1 && FILENAME ~ /txt$/ {
    count = split(FILENAME, part, "/")
    row = sprintf("%-11s %s us", part[count - 1], part[count] ~ /near/ ? 300 : 500)
    if (!(row in known))
        order[++rows] = row
    known[row]
}
$1 == "\"a_us\":" && $2 != "[" {
    a = $2 + 0
}
$1 == "\"C_us\":" && $2 != "[" {
    C = $2 + 0
}
$2 ~ /^[0-9]+$/ && $11 == "%" {
    kind = $1 ~ /^random:/ ? "random" : $1 ~ /^file:/ ? "skewed" : $1 ~ /^(chain|nto1):/ ? "again" : "named"
    add("TAN", ($9 - $8) / $8)
    add("LogP", (2 * a * $3 + C - $8) / $8)
}
/^\(exit status / {
    doubtful += !(row in status)
    status[row] = "  status " $3 + 0
}
END {
    heads("random", "", "named", "", "skewed", "", "fitted,")
    heads("trees", "", "shapes", "", "trees", "", "again")
    heads("TAN", "LogP", "TAN", "LogP", "TAN", "LogP", "TAN")
    for (i = 1; i <= rows; i++) {
        row = order[i]
        printf "%-18s %11s %11s %11s %11s %11s %11s %11s%s\n", row, of(row, "random", "TAN"), of(row, "random", "LogP"),
            of(row, "named", "TAN"), of(row, "named", "LogP"), of(row, "skewed", "TAN"), of(row, "skewed", "LogP"),
            of(row, "again", "TAN"), status[row]
    }
    printf "\nrandom trees and named shapes: off by %.0f to %.0f %% by TAN, %.0f to %.0f %% by LogP; ", least["TAN"],
        most["TAN"], least["LogP"], most["LogP"]
    printf "%d of %d rows have status 3\n", doubtful, rows
}
