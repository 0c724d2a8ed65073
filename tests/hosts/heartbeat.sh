# heartbeat.sh - --heartbeat-timeout limits how long a host may be silent
# SPDX-License-Identifier: GPL-3.0-or-later
# mpis: one
hosts=3
. tests/hosts/lib

# Out for longer than the time that is allowed: h3 is named, and so is the time.
(
    tan host exec h1 $(launcher 3 1) -- run --wait park --heartbeat-timeout 6s --min-waves 10 \
        --max-waves 10000000 --precision 0 --max-time 3s chain:2 nto1:2 --json "$T/r.json"
    echo $? >"$T/status"
) &
a_cell()
{
    grep -q '^{"launch":' "$T/r.json.journal" 2>/dev/null
}
within 60 a_cell || fail "no first cell: $(cat "$T/err")"
host cable h3 down
within 45 [ -s "$T/status" ] || fail "no end: $(cat "$T/err")"
says err '^tanbench: .*h3 does not answer any more (for 6 s)'
finish
