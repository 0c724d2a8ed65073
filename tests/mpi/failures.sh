# failures.sh - a tree of which a process falls silent: every run ends, with the right leaves in every result
# SPDX-License-Identifier: GPL-3.0-or-later
# leaks: elsewhere
# tanbench itself compares the leaves in each result with those that live.
. tests/mpi/lib

few="--warmup 1 --min-waves 4 --max-waves 4 --wait park"

# value KEY: the first number with this key in the results
value()
{
    sed -n "s/.*\"$1\": \\([0-9.]*\\),*/\\1/p" "$T/r.json" | head -n 1
}

# lost PROCESS@WAVE TREE RANKS PARENT NOTICED RECOVERED: a run with this failure. Process PARENT gives the
# process up, NOTICED leaves are in the result by then, and RECOVERED in the end.
lost()
{
    job '[03]' "$3" run $few --fail "$1" "$2" --json "$T/r.json"
    what="$2, $1"
    found="$(value wave) $(value process) $(value parent) $(value noticed) $(value recovered)"
    [ "$found" = "${1#*@} ${1%@*} $4 $5 $6" ] || fail "$what: $found"
}

# levels:3x3: processes 1 to 3 have leaves 4 to 12. chain:3 is 0 - 1 - 2 - 3.
lost 2@3 levels:3x3 13 0 6 9
lost 5@2 levels:3x3 13 1 8 8
lost 1@2 chain:3 4 0 0 1
lost 2@2 chain:3 4 1 0 1
lost 3@2 chain:3 4 2 0 0
reads out 'process 3 was given up by process 2 after [0-9.]* ms (1 x 1000 ms)'
# binary:4 has leaves 3 to 6; its process 1 is 3 levels from the bottom with itself, so it has two seconds.
lost 1@4 binary:4 7 0 2 4
reads out 'process 1 was given up by process 0 after [0-9.]* ms (2 x 1000 ms)'
[ "$(value n)" -eq 3 ] || fail "not 3 waves before the failure"

# Several passes and sizes: each begins with a whole tree. Spare ranks.
job '[03]' 9 run $few --fail 1@2 --passes 2 --filter max --bytes 0,16KiB binary:4 --json "$T/r.json"
[ "$(grep -c '"wave": 2' "$T/r.json")" -eq 4 ] || fail "not a recovery in each pass of each size"
# Interrupted while it waits for the silent process.
interrupts 'interrupted during chain:20' -- run --fail 1@9 chain:20 --json "$T/r.json"
reads out 'chain:20 (cut short)'
grep -q '"stopped": "interrupted"' "$T/r.json" || fail "not interrupted: $(grep stopped "$T/r.json")"
[ "$(value n)" -eq 8 ] || fail "not 8 waves before an interrupted recovery"
# Samples that are shown during the run (no --quiet): none of them is of a wave after the failure, which has
# no leaves and takes no time.
job '[03]' 3 run $few --fail 1@1000 --bytes 1MiB chain:1 --json "$T/r.json"
sed -n '/"wave_us"/,/}/s/^ *"min": \([0-9.]*\),/\1/p' "$T/r.json" | head -n 1 | holds '$1 > 2' ||
    fail "a wave of less than 2 us before the failure: $(grep -m 1 '"min"' "$T/r.json")"
# Between hosts, where no bell rings.
TANBENCH_SPLIT_HOST=3 job '[03]' 13 run $few --fail 2@2 levels:3x3 --json "$T/r.json"
[ "$(value recovered)" -eq 9 ] || fail "between hosts: leaves are missing"
finite "$T/r.json"
finish
