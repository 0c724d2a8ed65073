# demo.sh - make demo yields trees for a simulated cluster and for this host, measured against others
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -u
. tests/no-blanks
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
ln -s "$(cd "$BUILD" && pwd)/bin" "$(cd "$BUILD" && pwd)/mpi" "$dir/build"
clusters=1
[ ! -e "$BUILD/mpi/smpicc/tanbench-simulated" ] || clusters=2
BUILD="$dir/build" tools/demo --passes 1 --max-time 10ms >"$dir/out" 2>&1 || fail "status $?"
[ "$(wc -l <"$dir/out")" -le 95 ] || fail "more than 95 lines"
grep -q '^The best tree for 4096 leaves: 16x16x16$' "$dir/out" || fail "no tree for Cab"
[ "$(grep -c '^The best tree' "$dir/out")" -eq $((clusters + 1)) ] || fail "not one tree for each cluster and one for this host"

# Five different trees of the simulated cluster and four of this host with times, the recommended one first; only the fastest one has no "slower".
awk -v clusters=$clusters '
    /^wave, us/ { rows = slower = 0; split("", seen); table = 1; next }
    table && / was recommended, and is / {
        if ($2 != first || rows != (tables < clusters - 1 ? 5 : 4) || slower != rows - 1) exit bad = 1
        tables++
        table = 0
    }
    table { if (!rows++) first = $1; if (seen[$1]++ || $2 <= 0) exit bad = 1; slower += /%$/ }
    END { exit bad || tables != clusters }' "$dir/out" || fail "not the measured trees"
grep -q '^- .*% (logp), .*% (tan)' "$dir/out" || fail "no errors of predictions"

# Its last line names the page, which shows the recommendation and the measurement.
report=$(tail -n 1 "$dir/out" | sed -n 's/^Report: //p')
grep -q '<h2>Recommended tree' "$report" && grep -q '<h2>Measured waves' "$report" || fail "no report"
