# demo.sh - make demo recommends for a simulated cluster what measurements there confirm
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
BUILD="$dir/build" tools/demo >"$dir/out" 2>&1
status=$?
if [ ! -e "$BUILD/mpi/smpicc/tanbench-simulated" ]; then
    [ "$status" -eq 1 ] && grep -q SimGrid "$dir/out" || fail "not refused without SimGrid"
    exit 0
fi
[ "$status" -eq 0 ] || fail "status $status"
[ "$(wc -l <"$dir/out")" -le 30 ] || fail "more than 30 lines"
! grep -q -i wrong "$dir/out" || fail "something is called wrong"
grep -q '^Set TreeWidth=' "$dir/out" || fail "no recommendation"

# Four trees with times: the recommended one comes first, no other is faster, and the model is at most 1 % off.
awk '
    /^a wave, in us/ { table = 1; next }
    table && NF == 0 { table = 0 }
    table {
        rows++
        if (rows == 1) best = $2
        if (seen[$1]++ || $2 <= 0 || $2 < best || $3 / $2 > 1.01 || $3 / $2 < 0.99) bad = 1
        if ((rows == 1) != /recommended$/) bad = 1
    }
    END { exit bad || rows != 4 }' "$dir/out" || fail "not the measured trees"

# The page shows the recommendation and the measurement.
report=$(sed -n 's/^The page: //p' "$dir/out")
for section in 'Setting of a system' 'Measured waves' 'Machine'; do
    grep -q "<h2>$section" "$report" || fail "no section $section in the page"
done
