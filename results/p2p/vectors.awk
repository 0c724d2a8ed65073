# vectors.awk - mean errors of the 16 vectors of validations, in %: least, median, most
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f vectors.awk MPI-TRANSPORT/validation.txt ...
# VECTOR MEAN % WORST % MEAN % WORST %: by lines, and by the measured sizes.
function spread(value, n,    i, j, swap)
{
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && value[j] < value[j - 1]; j--) {
            swap = value[j]
            value[j] = value[j - 1]
            value[j - 1] = swap
        }
    return sprintf("%.1f, %.1f, %.1f", value[1], (value[int((n + 1) / 2)] + value[int(n / 2) + 1]) / 2, value[n])
}
function print_row(    count, part)
{
    count = split(file, part, "/")
    sub(/\.txt$/, "", part[count])
    printf "%-28s %27s %27s\n", part[count - 1] "/" part[count], spread(lines, n), spread(sizes, n)
}
BEGIN {
    printf "%-28s %27s %27s\n", "", "by o_pack + O_pack k", "by the measured sizes"
}
FNR == 1 {
    if (n > 0)
        print_row()
    file = FILENAME
    n = 0
}
/^\([0-9,]*\) / {
    lines[++n] = $2 + 0
    sizes[n] = $6 + 0
}
END {
    print_row()
}
