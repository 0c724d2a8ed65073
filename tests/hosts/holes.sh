# holes.sh - hosts that cannot reach each other, or no longer, end the job with a message
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
hosts=3
. tests/hosts/lib

# h2 and h3 reach h1 but not each other, and nobody says so: packets go to a machine that is not there.
address=$(getent hosts h3 | awk '{ print $1 }')
device=$(host exec h2 ip -o route get "$address" | sed -n 's/.* dev \([^ ]*\).*/\1/p')
hole="ip neigh replace $address lladdr 02:00:00:00:00:99 nud permanent dev $device"

# It opens during the second visit of a topology: what was measured before is kept and shown.
a_cell()
{
    grep -q '"complete": true' "$T/r.json" 2>/dev/null
}
(tan $at $(launcher 3 1) -- --wait park --max-time 3s --max-waves 10000000 --precision 0 --passes 3 \
    --start-timeout 10s chain:2 --json "$T/r.json") &
job=$!
within 60 a_cell || fail "no first visit"
host exec h2 $hole || fail "no black hole between h2 and h3"
ends 1 "behind a hole that opens"
says err '^tanbench: nothing came back within .* s (--start-timeout allows more): a connection .* during chain:2$'
says err 'continue with tanbench resume '
says out '^chain:2 '
nobody_anywhere

# ended: the job that runs in the background has said why, and left no rank that waits.
ended()
{
    ends 1 "$1"
    says err '^tanbench: the \(job of \)\{0,1\}3 ranks \(have\|did\) not .* within 10 s'
    nobody_anywhere
}

few="--wait park --max-time 1s --start-timeout 10s chain:2"
(tan $at $(launcher 3 1) -- $few) &
job=$!
ended "behind a launcher"
(tan -- $few --launcher "$(launcher 3 1 | sed 's/[0-9]*$/{n}/')") &
job=$!
ended "with --launcher"
finish
