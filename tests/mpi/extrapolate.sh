# extrapolate.sh - extrapolated traces of programs against traces of the same programs on more ranks
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
. tests/mpi/lib

library=$PWD/$(dirname "$TANBENCH")/libtantrace.so
sim=$BUILD/bin/tan-sim
compiler=$(echo "$MPIEXEC" | sed 's/mpiexec/mpicc/')
if ! command -v "$compiler" >/dev/null; then
    echo "needs $compiler for test programs"
    exit 77
fi
for program in cg sweep; do
    $compiler -O2 -o "$T/$program" "tests/mpi/programs/$program.c" -lm 2>"$T/err" || fail "$program: $(cat "$T/err")"
done

# traced N PROGRAM ARGUMENT...: into $T/PROGRAM-N.
traced()
{
    n=$1 program=$2
    shift 2
    TAN_TRACE_DIR=$T/$program-$n $MPIEXEC -n "$n" env LD_PRELOAD="$library" "$T/$program" "$@" \
        >"$T/out" 2>"$T/err" </dev/null || fail "$program on $n ranks: $(cat "$T/err")"
}

# messages FILE OPTION...: of a trace, by rank: kind, bytes and peer, as often as they are.
messages()
{
    file=$1
    shift
    "$sim" convert "$@" "$T/goal" >"$T/out" 2>"$T/err" || { [ $? -eq 3 ] && only_cores "$T/err"; } ||
        fail "convert $*: $(cat "$T/err")"
    awk '$1 == "rank" { r = $2 } $2 == "send" || $2 == "recv" { print r, $2, $3, $5 }' "$T/goal" |
        sort >"$file"
    [ -s "$file" ] || fail "no messages: convert $*"
}

# same PROGRAM N K RULE: N ranks, K times as many, have the messages of the real ones, by this rule.
same()
{
    program=$1 n=$2 k=$3 rule=$4
    messages "$T/larger" "$T/$program-$n" --extrapolate "$k"
    messages "$T/real" "$T/$program-$((n * k))"
    cmp "$T/larger" "$T/real" || fail "$program: $k times $n ranks: $(diff "$T/larger" "$T/real" | head -n 5)"
    "$sim" trace "$T/$program-$n" --extrapolate "$k" --json "$T/json" >"$T/sim" 2>"$T/err" ||
        only_cores "$T/err" || fail "$program: $k times $n ranks: $(cat "$T/err")"
    grep -q "\"rule\": \"$rule\"" "$T/json" || fail "$program: no $rule: $(cat "$T/sim")"
}

# Halo exchanges along a line, with reductions of all ranks.
for n in 3 4 8 12; do
    traced "$n" cg 8 8 3
done
same cg 4 2 line
same cg 4 3 line
same cg 3 4 line

# Wavefronts over a grid of 3 x 3, then 6 x 3 and 9 x 3 ranks, from all corners.
for n in 9 18; do
    traced "$n" sweep 6 2 4
done
same sweep 9 2 grid

nobody_left
finish
