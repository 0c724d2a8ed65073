# failures.sh - trees whose processes fall silent: every run ends, and results name exactly their leaves
# SPDX-License-Identifier: GPL-3.0-or-later
# leaks: elsewhere
# tanbench itself compares the leaves that each result names with its sums.
. tests/mpi/lib

few="--detect 300ms --warmup 1 --min-waves 4 --max-waves 4 --wait park"

# A busy machine may keep a process from answering in time: it is given up, too, which is said, and its
# leaves are those of another tree.
suspected()
{
    [ "$status" -eq 3 ] && grep -q 'Processes were given up that had not failed' "$T/err"
}

# lost POLICY FAILURES TREE FOUND NOTICED RECOVERED LEAVES: a run with these failures. In its only
# interrupted wave the processes FOUND are given up, NOTICED leaves are in the result by then, and
# RECOVERED in the end; LEAVES are the ranges in all later results. There are no more ranks than processes.
lost()
{
    policy=$1 failures_given=$2 tree=$3
    case $tree in
    levels:3x3) ranks_needed=13 ;;
    chain:3) ranks_needed=4 ;;
    esac
    job '[03]' $ranks_needed run $few --heal "$policy" --fail "$failures_given" "$tree" --json "$T/r.json"
    what="$tree, $failures_given, $policy"
    tr -d ' \n' <"$T/r.json" >"$T/flat"
    suspected && return
    [ "$status" -eq 0 ] || fail "$what: $(cat "$T/err")"
    found=$(grep -o '"process":[0-9]*' "$T/flat" | cut -d: -f2 | sort -n | tr '\n' ' ')
    [ "$found" = "$4 " ] || fail "$what: $found given up, not $4"
    noticed=$(sed 's/.*"noticed":{[^}]*"count":\([0-9]*\)}.*/\1/' "$T/flat")
    [ "$noticed" -eq "$5" ] || fail "$what: $noticed leaves before healing, not $5"
    recovered=$(sed 's/.*"recovered":{[^}]*"count":\([0-9]*\)}.*/\1/' "$T/flat")
    [ "$recovered" -eq "$6" ] || fail "$what: $recovered leaves in the wave, not $6"
    grep -q "\"count\":[0-9]*}}*\],\"leaves\":{\"ranges\":\[$7\]" "$T/flat" ||
        grep -q "\"leaves\":{\"ranges\":\[$7\]" "$T/flat" || fail "$what: not leaves $7 in the end: $(cat "$T/flat")"
    grep -q '"suspected":0,' "$T/flat" || fail "$what: suspected, and exit status 0"
}

# levels:3x3: processes 1 to 3 have leaves 4 to 12, numbered from 0 to 8.
lost grandparent 2@3 levels:3x3 2 6 9 '\[0,8\]'
lost promote 2@3 levels:3x3 2 6 9 '\[0,8\]'
lost root 2@3 levels:3x3 2 6 9 '\[0,8\]'
lost none 2@3 levels:3x3 2 6 6 '\[0,2\],\[6,8\]'
# A leaf; two and three at once, one of them below another.
lost grandparent 5@2 levels:3x3 5 8 8 '\[0,0\],\[2,8\]'
lost promote 1@2,3@2 levels:3x3 '1 3' 3 9 '\[0,8\]'
lost grandparent 1@2,4@2,6@2 levels:3x3 '1 4 6' 6 7 '\[1,1\],\[3,8\]'
# Processes that fail while the tree heals: the child that was to take the place; another, and a leaf that
# has been counted by then.
lost promote 2@2,9@healing levels:3x3 '2 9' 6 8 '\[0,4\],\[6,8\]'
lost grandparent 1@2,2@healing,7@healing levels:3x3 '1 2 7' 6 9 '\[0,2\],\[4,8\]'
# The root's only child, and all that a process has: chain:3 is 0 - 1 - 2 - 3.
lost grandparent 1@2 chain:3 1 0 1 '\[0,0\]'
lost promote 1@2,2@2 chain:3 '1 2' 0 1 '\[0,0\]'
lost none 1@2 chain:3 1 0 0 ''
lost root 3@2 chain:3 3 0 0 ''
reads out 'by then, none is in the result'
reads out 'process 3 was given up by process 2 after [0-9.]* ms (1 x 300 ms)'
# The last child of a process, whose other one has failed before: binary:4 has leaves 3 to 6.
job '[03]' 8 run $few --heal root --fail 3@2,4@4 binary:4 --json "$T/r.json"
suspected || { tr -d ' \n' <"$T/r.json" | grep -q '"leaves":{"ranges":\[\[2,3\]\]' || fail "both children of a process"; }

# Any processes at any waves, one to three at once; in most trees there are spare ranks.
runs=5
[ -z "${TEST_FULL:-}" ] || runs=100
for seed in $(seq $runs); do
    eval "$(awk -v seed="$seed" 'BEGIN {
        srand(seed)
        split("levels:3x3 binary:6 chain:4 nto1:7 binomial:4 levels:2x2x2 knomial:3:9 random:8:7", tree, " ")
        split("grandparent promote root none", policy, " ")
        for (i = 0; i <= int(3 * rand()); i++)
            fail = fail (i ? "," : "") "leaf@" (i && rand() < 0.3 ? "healing" : 2 + int(3 * rand()))
        while (rand() < 0.6)
            sub("leaf", "internal", fail)
        printf "tree=%s policy=%s fail=%s", tree[1 + int(8 * rand())], policy[1 + int(4 * rand())], fail
    }')"
    job '[023]' 16 run $few --heal "$policy" --fail "$fail" --seed "$seed" "$tree"
    [ "$status" -ne 2 ] || says err 'process left that could fail'
done

# Nobody fails: the same tree, and no recovery. Several passes: each begins with a whole tree.
job '[03]' 8 run $few --heal promote binary:4 --json "$T/r.json"
suspected || ! grep -q '"wave": ' "$T/r.json" || fail "a recovery, and nobody had failed"
job '[03]' 8 run $few --fail internal@2 --passes 2 --filter max --bytes 0,16KiB binary:4 --json "$T/r.json"
suspected || [ "$(grep -c '"wave": 2' "$T/r.json")" -eq 4 ] || fail "not a recovery in each pass of each size"
# Without failures, --detect alone has the same messages; interrupted while it waits for a silent process.
job '[03]' 8 run $few --detect 2s binary:4
reads out 'mode: failures, healing: grandparent, detection: 2000 ms a level'
interrupts 'interrupted during binary:4' -- run --fail 1@9 --detect 60s binary:4 --json "$T/cut.json"
reads out 'binary:4 (cut short)'
grep -q '"stopped": "interrupted"' "$T/cut.json" || fail "not interrupted: $(grep stopped "$T/cut.json")"
[ "$(sed -n 's/^ *"n": //p' "$T/cut.json" | head -n 1)" = 8, ] || fail "not 8 waves before an interrupted recovery"
# A journal has what is needed to print the same results.
alone '[03]' run $few --fail 1@2,leaf@4 binary:4 --journal "$T/j" --json "$T/r.json"
sed -n '/"cells"/,$p' "$T/r.json" >"$T/cells"
alone '[03]' resume "$T/j" --json "$T/again.json"
sed -n '/"cells"/,$p' "$T/again.json" | cmp -s - "$T/cells" || fail "other results from the journal: $(sed -n '/"cells"/,$p' "$T/again.json" | diff - "$T/cells")"
# Samples that are shown during the run (no --quiet): none of them is of a wave after the failure, which has
# no leaves and takes no time.
job '[03]' 3 run $few --fail 1@1000,2@1000 --bytes 1MiB nto1:2 --json "$T/r.json"
suspected || sed -n '/"wave_us"/,/}/s/^ *"min": \([0-9.]*\),/\1/p' "$T/r.json" | head -n 1 | holds '$1 > 2' ||
    fail "a wave of less than 2 us before the failure: $(grep -m 1 '"min"' "$T/r.json")"
# Between hosts, where no bell rings.
TANBENCH_SPLIT_HOST=3 job '[03]' 13 run $few --heal promote --fail 2@2,1@3 levels:3x3 --json "$T/r.json"
suspected || { tr -d ' \n' <"$T/r.json" | grep -q '"leaves":{"ranges":\[\[0,8\]\]' || fail "between hosts: leaves are missing"; }
finite "$T/r.json"
finish
