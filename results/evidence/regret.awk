# regret.awk - how much slower than the fastest of the trees in a table is the one that TAN picks
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: awk -f regret.awk MPI-TRANSPORT-N-leaves.txt
# The rest that was measured, plus the height times a latency: what a wave would take over links of
# that latency alone.
$1 ~ /^levels:/ && $2 > 0 {
    tree[++n] = $1
    height[n] = $3
    rest[n] = $8
    tan[n] = $9
}
END {
    count = split("1 2 5 10 20 50 300", latency, " ")
    for (i = 1; i <= count; i++) {
        picked = best = 1
        for (j = 2; j <= n; j++) {
            if (latency[i] * height[j] + tan[j] < latency[i] * height[picked] + tan[picked])
                picked = j
            if (latency[i] * height[j] + rest[j] < latency[i] * height[best] + rest[best])
                best = j
        }
        took = latency[i] * height[picked] + rest[picked]
        least = latency[i] * height[best] + rest[best]
        printf "L = %3d us  picked %-15s  fastest %-15s  %5.1f %% slower\n", latency[i], tree[picked],
            tree[best], 100 * (took / least - 1)
    }
}
