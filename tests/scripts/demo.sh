# demo.sh - make demo ends in a tree for this host, measured beside three others, within 60 lines
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export HOME="$dir" LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME

fail()
{
    echo "$1"
    cat "$dir/out"
    exit 1
}

# Programs under a name of their own, so that a demo of the user's keeps its files.
mkdir "$dir/build"
ln -s "$(cd "$BUILD" && pwd)/bin" "$dir/build/bin"
BUILD="$dir/build" tools/demo --passes 1 --max-time 10ms >"$dir/out" 2>&1 || fail "status $?"
[ "$(wc -l <"$dir/out")" -le 60 ] || fail "more than 60 lines"
grep -q '^The best tree for 4096 leaves: 16x16x16$' "$dir/out" || fail "no tree for Cab"
[ "$(grep -c '^The best tree' "$dir/out")" -eq 2 ] || fail "not one tree for Cab and one for this host"
best=$(sed -n 's/^- \([^ ]*\) was recommended, and is .*/\1/p' "$dir/out")
[ -n "$best" ] || fail "no recommended tree"

# Four different trees with times, the recommended one first; only the fastest one has no "slower".
sed -n '/^wave, us/,/^$/p' "$dir/out" >"$dir/table"
awk -v best="$best" '
    NR == 1 { next }
    NF > 0 && (seen[$1]++ || $2 <= 0 || (NR == 2 && $1 != best)) { exit bad = 1 }
    NF > 0 { rows++; slower += /%$/ }
    END { exit bad || rows != 4 || slower != 3 }' "$dir/table" || fail "not four measured trees"
grep -q '^- .*% (logp), .*% (tan)' "$dir/out" || fail "no errors of predictions"

# Its last line names the page, which shows the recommendation and the measurement.
report=$(tail -n 1 "$dir/out" | sed -n 's/^Report: //p')
grep -q '<h2>Recommended tree' "$report" && grep -q '<h2>Measured waves' "$report" || fail "no report"
