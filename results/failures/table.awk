# table.awk - recoveries of recovery.csv, and the largest errors of the model
# SPDX-License-Identifier: GPL-3.0-or-later
BEGIN {
    FS = ","
    print "fanout  height  leaves  missing  before us  notice us  heal us  by model    all us  by model  after us"
}
NR > 1 {
    heal = $10 + $12
    model = $11 + $13
    printf "%6d  %6d  %6d  %7d  %9.1f  %9.1f  %7.1f  %8.1f  %8.1f  %8.1f  %8.1f\n", \
        $1, $2, $3, $3 - $4, $6, $8, heal, model, $14, $15, $7
    e = ($15 - $14) / $14
    worst = e * e > worst * worst ? e : worst
    if (heal > 0) {
        e = (model - heal) / heal
        without = e * e > without * without ? e : without
    }
}
END {
    printf "\nThe model errs by %+.1f %% at worst for a whole recovery, and by %+.1f %% without the\n" \
        "time until the failure is noticed.\n", 100 * worst, 100 * without
}
