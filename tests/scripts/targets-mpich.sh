# targets-mpich.sh - nonblocking collectives of MPICH configured by tan-design use the predicted trees
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
# sanitized: no
set -u
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
export HOME="$T"
failures=0
fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

TAN_DESIGN=$BUILD/bin/tan-design
version=$(mpichversion.mpich 2>/dev/null || mpichversion 2>/dev/null)
case $version in
*'ch4:ucx'*) ;;
*)
    echo "needs MPICH over UCX, whose messages can be seen"
    exit 77
    ;;
esac
mpiexec=$(command -v mpiexec.mpich || command -v mpiexec)
mpicc=$(command -v mpicc.mpich || command -v mpicc)
"$mpicc" tests/scripts/collective.c -o "$T/collective" || exit 1
cc -D_GNU_SOURCE -shared -fPIC tests/scripts/ucp_sources.c -o "$T/sources.so" -ldl || exit 1

# parents N SETTING KEY: as tan-design names them, "RANK PARENT" a line.
parents()
{
    "$TAN_DESIGN" --members "$1" --target mpich@4.1 --setting "$2" --machine cab --json - |
        tr -d ' \n' | sed "s/.*\"$3\":\[\([^]]*\)\].*/\1/" | tr , '\n' | awk '{ print NR - 1, $1 }' | tail -n +2
}
# agree N IREDUCE IBCAST
agree()
{
    for setting in "$2" "$3"; do
        "$TAN_DESIGN" --members "$1" --target mpich@4.1 --setting "$setting" --machine cab --output - || fail "$setting"
    done >"$T/environment"
    (
        . "$T/environment"
        "$mpiexec" -genv LD_PRELOAD "$T/sources.so" -n "$1" "$T/collective" nonblocking
    ) >"$T/sent" 2>&1 </dev/null || fail "mpiexec: $(tail -n 3 "$T/sent")"
    # The reduction comes first, and each collective has a tag of its own, one more than that before.
    grep '^awaits' "$T/sent" | sort -k 4 | awk -v up="$T/real-up" -v down="$T/real-down" '
        NR == 1 { first = $4 }
        $4 == first { print $3, $2 | ("sort -n >" up) }
        $4 != first { print $2, $3 | ("sort -n >" down) }'
    parents "$1" "$2" parents >"$T/designed-up"
    parents "$1" "$3" down_parents >"$T/designed-down"
    for way in up down; do
        cmp -s "$T/real-$way" "$T/designed-$way" ||
            fail "$1 ranks, $2 $3, $way: MPICH $(cat "$T/real-$way" | xargs), tan-design $(cat "$T/designed-$way" | xargs)"
    done
}

some='2 6 13'
[ -z "${TEST_FULL:-}" ] || some='2 4 7 9 16'
for n in $some; do
    agree $n ireduce=kary:1 ibcast=kary:3
    agree $n ireduce=kary:2 ibcast=knomial_1:2
    agree $n ireduce=kary:5 ibcast=knomial_1:3
    agree $n ireduce=knomial_1:2 ibcast=knomial_2:2
    agree $n ireduce=knomial_1:3 ibcast=knomial_2:4
    agree $n ireduce=knomial_1:4 ibcast=kary:2
    agree $n ireduce=knomial_2:2 ibcast=kary:4
    agree $n ireduce=knomial_2:3 ibcast=knomial_1:5
done
exit $((failures > 0))
