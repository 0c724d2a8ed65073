# slow.sh - networks of known rate and delay: message times as computed, losses reported
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
# long
# sanitized: no
#
# 1 Mbit/s, so that a busy machine's delays are small beside the messages' times; what is computed is
# reached within 1 % in one of some tries.
set -u
. tests/within
RATE=1e6 DELAY=0.02
failures=0

fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# Messages of 50 to 250 full frames.
n50=72400 n100=144800 n150=217200 n250=362000

# seconds BYTES...: how long a link needs for these messages, headers and delay included.
seconds()
{
    echo "$*" | tr ' ' '\n' | awk -v rate=$RATE -v delay=$DELAY '
        { wire += $1 + 66 * int(($1 + 1447) / 1448) }
        END { printf "%.6f\n", wire * 8 / rate + delay }'
}

# near WANTED FILE: the lines "FROM TO SECONDS" are those of the file WANTED, with times within 1 %.
near()
{
    sort "$2" | awk -v wanted="$1" '
        { getline line <wanted; split(line, want, " ")
          if ($1 != want[1] || $2 != want[2] || $3 < want[3] * 0.99 || $3 > want[3] * 1.01) exit 1 }
        END { exit (getline line <wanted) > 0 }'
}

# takes WHAT MESSAGES... <WANTED: messages take that long.
takes()
{
    what=$1
    shift
    cat >"$T/wanted"
    for _ in 1 2 3 4 5 6 7 8; do
        tests/hosts/transfer "$@" >"$T/times" || fail "$what: not transferred"
        near "$T/wanted" "$T/times" && return
    done
    fail "$what: wanted $(tr '\n' ' ' <"$T/wanted"), got $(tr '\n' ' ' <"$T/times")"
}

# sent HOST: the bytes of its frames.
sent()
{
    host count "$1" | awk 'NR == 2 { print $5 }'
}

case ${1:-} in
fifo)
    T=/run/shared
    before=$(sent h1)
    takes "a message" h1:h2=$n150 <<EOF
h1 h2 $(seconds $n150)
EOF
    # Whole messages and what opens and closes a connection, as often as it was tried.
    echo "$(($(sent h1) - before)) $n150" |
        awk '{ wire = $2 / 1448 * 1514; tries = int($1 / wire)
               exit !(tries >= 1 && tries <= 8 && $1 - tries * wire < tries * 1000) }' ||
        fail "h1 has sent $(($(sent h1) - before)) bytes"
    # Three at once have a third each of the receiver's link, and the last one what is left.
    takes "one receiver" h1:h4=$n150 h2:h4=$n150 h3:h4=$n250 <<EOF
h1 h4 $(seconds $n150 $n150 $n150)
h2 h4 $(seconds $n150 $n150 $n150)
h3 h4 $(seconds $n150 $n150 $n250)
EOF
    takes "links of their own" h1:h2=$n150 h3:h4=$n250 <<EOF
h1 h2 $(seconds $n150)
h3 h4 $(seconds $n250)
EOF
    takes "one after the other" h1:h2=$n150,h3=$n50,h4=$n100 <<EOF
h1 h2 $(seconds $n150)
h1 h3 $(seconds $n150 $n50)
h1 h4 $(seconds $n150 $n50 $n100)
EOF
    host count | awk 'NR > 1 && $2 + $3 > 0' | grep . && fail "something was lost"
    ;;
fair)
    T=/run/shared
    takes "by turns" h1:h2=$n150,h3=$n50,h4=$n100 <<EOF
h1 h2 $(seconds $n150 $n50 $n100)
h1 h3 $(seconds $n50 $n50 $n50)
h1 h4 $(seconds $n100 $n50 $n100)
EOF
    ;;
lossy)
    # The cable is out in the midst of a message, and frames after it say so at once.
    tests/hosts/transfer h1:h2=$n150 >/dev/null &
    h1_sends()
    {
        [ "$(sent h1)" -ge 30000 ]
    }
    within 60 h1_sends || fail "nothing is sent"
    host cable h2 down
    sleep 0.1
    host cable h2 up
    wait
    host count h1 | awk 'NR == 2 { exit !($2 > 0) }' || fail "nothing was sent again: $(host count)"
    host count h2 | awk 'NR == 2 { exit !($3 > 0) }' || fail "nothing was lost: $(host count)"
    ;;
mpi)
    # A message of 40 kB, and what the MPI library puts before it: half of the way there and back. MPICH's
    # UCX would first ask whether the receiver wants it.
    export UCX_RNDV_THRESH=1000000
    hosts=3
    . tests/hosts/lib
    cluster '[03]' 3 1 run --wait park --bytes 40kB --min-waves 5 --max-waves 5 --max-time 20s chain:2
    wave=$(sed -n 's/^chain:2  *[0-9]*  *[0-9]*  *[0-9]*  *\([0-9.]*\).*/\1/p' "$T/out")
    echo "$wave $(seconds 40000)" | awk '{ exit !($1 > 0 && $1 / 1e6 >= 2 * $2 * 0.99 && $1 / 1e6 <= 2 * $2 * 1.2) }' ||
        fail "a chain of 2 takes $wave us, not 2 * $(seconds 40000) s: $(cat "$T/out")"
    ;;
esac
[ -z "${1:-}" ] || exit $failures

# --- Outside ---
hosts=${BUILD:-build}/tests/hosts/hosts
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
"$hosts" 1 --delay 1us true 2>"$T/err"
status=$?
if [ $status -eq 77 ]; then
    cat "$T/err"
    exit 77
fi
[ $status -eq 0 ] || fail "status $status: $(cat "$T/err")"

slow="tools/slow-hosts 4 --rate 1Mbit --delay 20ms"
for part in fifo "fair --queue fair" mpi; do
    $slow ${part#"${part%% *}"} sh "$0" "${part%% *}" >"$T/out" 2>&1
    status=$?
    [ $status -eq 0 ] || fail "${part%% *}: status $status: $(cat "$T/out")"
done
$slow sh "$0" lossy >"$T/out" 2>&1
status=$?
[ $status -eq 3 ] || fail "a lossy run: status $status: $(cat "$T/out")"
grep -q '^hosts: h1: TCP segments sent again: [1-9]' "$T/out" || fail "h1 is not named: $(cat "$T/out")"
grep -q '^hosts: h2: .*, frames lost: [1-9]' "$T/out" || fail "h2 is not named: $(cat "$T/out")"
$slow sh -c 'host cable h2 down; timeout 1 ssh h2 true; exit 5' >"$T/out" 2>&1
status=$?
[ $status -eq 5 ] && grep -q '^hosts: h2: .*, frames lost: [1-9]' "$T/out" || fail "a failed command: status $status: $(cat "$T/out")"

# refused STATUS SENTENCE COMMAND...: no cluster, and one sentence that says why.
refused()
{
    expected=$1 sentence=$2
    shift 2
    "$@" >"$T/out" 2>&1
    status=$?
    [ $status -eq "$expected" ] && [ "$(tail -n 1 "$T/out" | cut -c "1-${#sentence}")" = "$sentence" ] ||
        fail "$*: status $status: $(cat "$T/out"), not: $sentence"
}
refused 2 'slow-hosts: give --rate or --delay to make the network slow' tools/slow-hosts 2 true
for n in 0 201 h2; do
    refused 2 'hosts: the number of hosts must be a whole number from 1 to 200, not "' tools/slow-hosts $n --rate 8Mbit true
done
refused 2 'hosts: --rate must be a rate of at least 1bit/s with its unit (kbit, Mbit or Gbit' tools/slow-hosts 2 --rate 8M true
refused 2 'hosts: --delay must be a time with its unit (ns, us, ms, s' tools/slow-hosts 2 --delay 20 true
refused 2 'hosts: --queue: did you mean fifo? "lifo" is not one of fifo, fair' tools/slow-hosts 2 --rate 8Mbit --queue lifo true
refused 2 'hosts: --queue needs --rate' tools/slow-hosts 2 --delay 1ms --queue fair true
refused 2 'hosts: options: "--burst" is not one of --rate, --delay, --queue, --payload' tools/slow-hosts 2 --rate 8Mbit --burst 1 true
refused 2 'hosts: --payload: 2000 B are less than 5 full frames (7240 B)' tools/slow-hosts 2 --rate 8Mbit --payload 2kB true
refused 2 'hosts: --payload: 1.674 ms are less than 10 ms' tools/slow-hosts 2 --rate 100Mbit --payload 20kB true
refused 2 'hosts: there is no COMMAND' tools/slow-hosts 2 --rate 8Mbit
refused 77 'hosts: no cluster can be made here without ip' env PATH=/nowhere "$hosts" 2 --rate 8Mbit true
if [ "$(id -u)" -eq 0 ]; then
    refused 77 'hosts: no cluster can be made here: TAP devices of the kernel (/dev/net/tun): ' \
        unshare -m sh -c "mount -t tmpfs none /dev/net && '$hosts' 2 --rate 8Mbit true"
    refused 77 'hosts: no cluster can be made here: namespaces: ' \
        unshare -Ur sh -c "echo 0 >/proc/sys/user/max_net_namespaces && '$hosts' 2 --rate 8Mbit true"
fi

# Killed at any moment, nothing is left: not a process that knows of the cluster, nor a mount.
none_knows()
{
    grep -lF "SLOW_MARK=$$.$i." /proc/[0-9]*/environ >"$T/left" 2>/dev/null
    [ ! -s "$T/left" ]
}
for i in 1 2 3 4 5 6 7 8 9 10; do
    SLOW_MARK=$$.$i. "$hosts" 3 --rate 2Mbit --delay 20ms sh -c 'for h in h1 h2 h3; do host exec $h sleep 1000 & done; wait' &
    sleep "$(awk -v seed=$$$i 'BEGIN { srand(seed); print rand() * 1.5 }')"
    case $i in
    5 | 10) kill -KILL $! ;;
    *) kill -TERM $! ;;
    esac
    wait $!
    comes_true none_knows || fail "left after kill $i: $(cat "$T/left")"
    grep -q /run/hosts /proc/self/mounts && fail "mounts are left after kill $i"
done
[ "$failures" -eq 0 ]
