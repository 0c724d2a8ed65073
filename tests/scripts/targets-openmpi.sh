# targets-openmpi.sh - collectives of Open MPI configured by tan-design use the predicted trees
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
mpirun=$(command -v mpirun.openmpi || command -v mpirun)
mpicc=$(command -v mpicc.openmpi || command -v mpicc)
case $("${mpirun:-false}" --version 2>/dev/null) in
*'(OpenRTE) 4.1'* | *'(Open MPI) 4.1'*) ;;
*)
    echo "needs Open MPI 4.1, which the target is about"
    exit 77
    ;;
esac
"$mpicc" tests/scripts/collective.c -o "$T/collective" || exit 1
mkdir "$HOME/.openmpi"
params=$HOME/.openmpi/mca-params.conf

# parents N SETTING KEY: as tan-design names them, one a line after its rank.
parents()
{
    "$TAN_DESIGN" --members "$1" --target openmpi@4.1 --setting "$2" --machine cab --json - |
        tr -d ' \n' | sed "s/.*\"$3\":\[\([^]]*\)\].*/\1/" | tr , '\n' | awk '{ print NR - 1, $1 }'
}
# monitored N [INTS]: who sends to whom, in $T/sent. Each rank has a file of its own: lines of many ranks on one
# output are torn now and then.
monitored()
{
    rm -f "$T"/monitored.*
    "$mpirun" --mca mpi_yield_when_idle 1 --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
        --mca pml_monitoring_filename "$T/monitored" -n "$1" "$T/collective" "${2:-1}" >"$T/out" 2>&1 </dev/null ||
        fail "mpirun: $(tail -n 3 "$T/out")"
    cat "$T"/monitored.*.prof >"$T/sent" || fail "$1 ranks: no output of the monitoring"
}
# agree N REDUCE BCAST
agree()
{
    "$TAN_DESIGN" --members "$1" --target openmpi@4.1 --setting "$2" --machine cab --output "$T/up" >/dev/null &&
        "$TAN_DESIGN" --members "$1" --target openmpi@4.1 --setting "$3" --machine cab --output "$T/down" >/dev/null &&
        sort -u "$T/up" "$T/down" >"$params"
    monitored "$1"
    # Parents have lower ranks than their children: what goes down to rank numbers is the reduction.
    awk '$1 == "I" && $2 > $3 { print $2, $3 }' "$T/sent" | sort -n >"$T/real-up"
    awk '$1 == "I" && $2 < $3 { print $3, $2 }' "$T/sent" | sort -n >"$T/real-down"
    for way in up down; do
        setting=$2
        key=parents
        [ $way = up ] || setting=$3 key=down_parents
        parents "$1" "$setting" $key | tail -n +2 >"$T/designed"
        cmp -s "$T/real-$way" "$T/designed" ||
            fail "$1 ranks, $setting: Open MPI $(cat "$T/real-$way" | xargs), tan-design $(cat "$T/designed" | xargs)"
    done
}

some='2 5 13'
[ -z "${TEST_FULL:-}" ] || some='2 4 7 9 16'
for n in $some; do
    agree $n reduce=linear bcast=linear
    agree $n reduce=chain:1 bcast=chain:3
    agree $n reduce=chain:3 bcast=chain:4
    agree $n reduce=chain:32 bcast=chain:1
    agree $n reduce=pipeline bcast=pipeline
    agree $n reduce=binary bcast=binary
    agree $n reduce=binomial bcast=binomial
    agree $n reduce=binomial bcast=knomial:2
    agree $n reduce=chain:4 bcast=knomial:3
    agree $n reduce=chain:2 bcast=knomial:4
    agree $n reduce=chain:5 bcast=knomial:7
done

# The same by files of rules, which one run has for one collective.
obeyed()
{
    "$TAN_DESIGN" --members "$1" --target openmpi-rules --setting "$2" --machine cab --output "$T/rules" >/dev/null
    printf '%s\n' 'coll = ^han,adapt,sm' 'coll_tuned_use_dynamic_rules = 1' \
        "coll_tuned_dynamic_rules_filename = $T/rules" >"$params"
    monitored "$1"
    case $2 in
    reduce=*)
        key=parents
        awk '$1 == "I" && $2 > $3 { print $2, $3 }' "$T/sent" | sort -n >"$T/real"
        ;;
    *)
        key=down_parents
        awk '$1 == "I" && $2 < $3 { print $3, $2 }' "$T/sent" | sort -n >"$T/real"
        ;;
    esac
    parents "$1" "$2" $key | tail -n +2 >"$T/designed"
    cmp -s "$T/real" "$T/designed" ||
        fail "$1 ranks, rule of $2: Open MPI $(cat "$T/real" | xargs), tan-design $(cat "$T/designed" | xargs)"
}
for setting in reduce=linear reduce=chain:3 reduce=binary bcast=linear bcast=chain:4 bcast=binary bcast=pipeline; do
    obeyed 9 $setting
done

# A file for ranges of members and sizes says the same to Open MPI as to whoever reads it.
# ruled N BYTES COLLECTIVE: the setting in the remark of the rule that holds, as the format has it
ruled()
{
    awk -v n="$1" -v bytes="$2" -v id="$3" '
        /^#/ { next }
        left == 0 && !collectives { collectives = $1; left = 1; next }
        step == 0 { of = $1; step = 1; next }
        step == 1 { blocks = $1; step = 2; next }
        step == 2 { from = $1; step = 3; next }
        step == 3 { rows = $1; step = 4; next }
        step == 4 {
            if (of == id && from <= n && (from > best || best == "")) { best = from; rule = "" }
            if (of == id && from <= n && from == best && $1 <= bytes)
                rule = $2 == 0 ? "" : $6
            if (--rows == 0) step = --blocks > 0 ? 2 : 0
        }
        END { sub(/,$/, "", rule); print rule }' "$T/rules"
}
# ranged N INTS: both trees are those of the rules
ranged()
{
    monitored "$1" "$2"
    for id in 11 7; do
        setting=$(ruled "$1" $(($2 * 4)) $id)
        [ -n "$setting" ] || continue
        obeyed_rules=$((obeyed_rules + 1))
        if [ $id = 11 ]; then
            key=parents
            awk '$1 == "I" && $2 > $3 { print $2, $3 }' "$T/sent" | sort -n >"$T/real"
        else
            key=down_parents
            awk '$1 == "I" && $2 < $3 { print $3, $2 }' "$T/sent" | sort -n >"$T/real"
        fi
        parents "$1" "$setting" $key | tail -n +2 >"$T/designed"
        cmp -s "$T/real" "$T/designed" ||
            fail "$1 ranks, $(($2 * 4)) bytes, rule of $setting: Open MPI $(xargs <"$T/real")"
    done
}
obeyed_rules=0
"$TAN_DESIGN" --target openmpi-rules --members 4,7,9 --bytes 4,1KiB,16KiB --latency 2us --overhead 1us \
    --bandwidth 100MB/s --output "$T/rules" >/dev/null
printf '%s\n' 'coll = ^han,adapt,sm' 'coll_tuned_use_dynamic_rules = 1' \
    "coll_tuned_dynamic_rules_filename = $T/rules" >"$params"
for n in 5 7 9; do
    for ints in 1 300 4096; do
        ranged $n $ints
    done
done
[ $obeyed_rules -ge 6 ] || fail "only $obeyed_rules of the rules were tried: $(cat "$T/rules")"

# What it does by itself is what the default is said to be.
# defaults N BYTES
defaults()
{
    echo 'coll = ^han,adapt,sm' >"$params"
    monitored "$1" $(($2 / 4))
    "$TAN_DESIGN" --members "$1" --target openmpi@4.1 --latency 1us --overhead 1us --bandwidth 1GB/s --bytes "$2" \
        --json "$T/default.json" >/dev/null || fail "$1 ranks, $2 bytes: no answer"
    settings=$(tr -d ' \n' <"$T/default.json" | grep -o '"default":{"setting":"[^"]*' | sed 's/.*"//')
    for setting in $settings; do
        case $setting in
        reduce=*)
            key=parents
            awk '$1 == "I" && $2 > $3 { print $2, $3 }' "$T/sent" | sort -n >"$T/real"
            ;;
        *)
            key=down_parents
            awk '$1 == "I" && $2 < $3 { print $3, $2 }' "$T/sent" | sort -n >"$T/real"
            ;;
        esac
        parents "$1" "$setting" $key | tail -n +2 >"$T/designed"
        cmp -s "$T/real" "$T/designed" || fail "$1 ranks, $2 bytes: the default is not $setting: $(xargs <"$T/real")"
    done
    [ "$(echo "$settings" | wc -l)" = 2 ] || fail "$1 ranks, $2 bytes: no two defaults in: $settings"
}
for members in 3 7 13 17; do
    defaults $members 1024
done
defaults 13 4096
defaults 17 4096
if [ -n "${TEST_FULL:-}" ]; then
    defaults 13 16384
    defaults 40 1024
    defaults 40 2048
fi

# Smaller communicators do what they do without a rule.
"$TAN_DESIGN" --members 9 --target openmpi-rules --setting reduce=pipeline --machine cab --output "$T/rules" >/dev/null
for rules in "$T/rules" ''; do
    echo 'coll = ^han,adapt,sm' >"$params"
    [ -z "$rules" ] || printf '%s\n' 'coll_tuned_use_dynamic_rules = 1' \
        "coll_tuned_dynamic_rules_filename = $rules" >>"$params"
    monitored 8
    awk '$1 == "I" { print $2, $3 }' "$T/sent" | sort -n >"$T/with${rules:+out}"
done
[ -s "$T/with" ] && cmp -s "$T/with" "$T/without" || fail "8 ranks follow a rule for 9"

exit $((failures > 0))
