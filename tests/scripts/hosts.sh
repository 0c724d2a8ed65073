# hosts.sh - emulated clusters: several at once, faithful networks, nothing left behind
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
. tests/within
hosts=$BUILD/tests/hosts/hosts
T=$(mktemp -d)
work=$(mktemp -d "$BUILD/hosts.XXXXXX") # below /tmp only what is in this folder can be seen
trap 'rm -rf "$T" "$work"' EXIT
failures=0

fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

"$hosts" 2 true 2>"$T/why"
status=$?
if [ "$status" -eq 77 ]; then
    cat "$T/why"
    exit 77
fi
[ "$status" -eq 0 ] || fail "exit status $status: $(cat "$T/why")"

# Hosts differ in all that a host has for itself, and share the rest. A pulled cable is silence, not
# an error, and what was under way goes on when it is back.
cat >"$work/inside" <<'EOF'
. tests/within
[ "$(hostname)" = login ] || echo "not the login node"
for h in h1 h2; do
    [ "$(host exec $h hostname)" = $h ] || echo "wrong name of $h"
    [ "$(ssh $h hostname)" = $h ] || echo "ssh does not reach $h"
    echo "text of $h" | ssh $h 'cat >/tmp/here; cat /tmp/here >/dev/shm/here; hostname >/run/shared/$(hostname)'
done
[ "$(host exec h1 cat /dev/shm/here)" = 'text of h1' ] || echo "h1 lost its file"
[ -e /tmp/here ] && echo "/tmp is shared"
[ "$(cat /run/shared/h2)" = h2 ] || echo "/run/shared is not"
[ -e Makefile ] && host exec h2 test -e Makefile || echo "another folder"
ssh h2 'exit 7'
[ $? -eq 7 ] || echo "exit status of ssh lost"
host exec h2 sh -c 'exit 9'
[ $? -eq 9 ] || echo "exit status of host exec lost"
[ "$(host exec h1 echo '' 'a  b')" = ' a  b' ] || echo "other arguments"
[ "$(ssh -x -o A=b h1 echo 'a  b' \; hostname)" = 'a b
h1' ] || echo "another command"
host exec h1 pgrep -x h2 >/dev/null && echo "h1 sees processes of h2"

ssh h2 'sleep 1; echo back; exec sleep 60' >/run/shared/out &
sleep 0.5
host cable h2 down
sleep 1.5
[ -s /run/shared/out ] && echo "the cable is not out"
host exec h2 pgrep -x sleep >/dev/null || echo "the command on h2 ended"
host cable h2 up
within 20 [ -s /run/shared/out ]
[ "$(cat /run/shared/out)" = back ] || echo "nothing came back"
# A process stops when it gets a core.
host pause h2
is_stopped()
{
    ps -o stat= -C sleep | grep -q ^T
}
within 20 is_stopped || echo "h2 is not paused"
host resume h2
host off h2
none_sleeps()
{
    ! pgrep -x sleep >/dev/null
}
within 20 none_sleeps || echo "processes of h2 are left"
kill -0 $! || echo "h2 has said goodbye"
host exec h2 true 2>/dev/null && echo "h2 is on"
exit 5
EOF
"$hosts" 2 sh "$work/inside" >"$T/out" 2>&1
status=$?
[ "$status" -eq 5 ] && [ ! -s "$T/out" ] || fail "exit status $status, not 5: $(cat "$T/out")"

# Two at once; each is killed, and nothing of it is left.
mark=$(basename "$work")
links=$(ip -o link | wc -l)
two_sleep()
{
    [ "$(pgrep -f "^sleep 1234.$$$1" | wc -l)" -eq 2 ]
}
none_sleeps()
{
    ! pgrep -f "^sleep 1234.$$$1" >/dev/null
}
unused()
{
    ! ls -l /proc/[0-9]*/ns/net 2>/dev/null | grep -qF "$1"
}
links_gone()
{
    [ "$(ip -o link | wc -l)" -eq "$links" ]
}
for signal in KILL TERM; do
    pids=
    for i in 1 2; do
        "$hosts" 3 sh -c "touch /tmp/$mark /dev/shm/$mark /run/shared/$mark
            for h in h1 h3; do host exec \$h sleep 1234.$$$i & done
            host exec h2 sh -c 'readlink /proc/self/ns/net >$work/net$i; exec sleep 1000'" &
        pids="$pids $!"
    done
    for i in 1 2; do
        comes_true [ -s "$work/net$i" ] || fail "no cluster"
        comes_true two_sleep $i || fail "no processes on the hosts"
    done
    kill -$signal $pids
    wait
    for i in 1 2; do
        comes_true none_sleeps $i || fail "processes are left after SIG$signal"
        comes_true unused "$(cat "$work/net$i")" || fail "a namespace is left after SIG$signal"
        rm "$work/net$i"
    done
    for file in /tmp/$mark /dev/shm/$mark /run/shared /run/hosts; do
        [ ! -e $file ] || fail "$file is left after SIG$signal"
    done
    grep -q /run/hosts /proc/self/mounts && fail "mounts are left after SIG$signal"
    comes_true links_gone || fail "network interfaces are left after SIG$signal"
done
[ "$failures" -eq 0 ]
