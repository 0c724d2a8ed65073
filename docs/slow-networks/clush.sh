# clush.sh - what ClusterShell needs to gather the output of all hosts, by its tree of gateways
# SPDX-License-Identifier: GPL-3.0-or-later
# tools/slow-hosts 43 --rate 8Mbit sh docs/slow-networks/clush.sh 42 levels:6x6 same 200000 30 10 3
#
# HOSTS TREE same|different BYTES GROOMING START REPEATS: clush on h1 runs a command on HOSTS others, the
# gateways of the TREE among them. START seconds after clush has begun each prints a line of BYTES bytes,
# which is the same everywhere, or ends with the host's name. Gateways report every GROOMING seconds, and
# when all below them have ended. Prints the seconds from that moment until clush has ended.
T=/run/shared
hosts="h[2-$(($1 + 1))]" output=$3 grooming=$5 start=$6
export CLUSTERSHELL_GW_PYTHON_EXECUTABLE=/usr/bin/python3 # others in PATH need not have ClusterShell
"${BUILD:-build}/bin/tan-design" --tree "$2" --target clustershell --hosts "$hosts" --output $T/design \
    >/dev/null || exit 1
sed 's/^admin:/h1:/' $T/design >$T/topology.conf
head -c "$4" /dev/zero | tr '\0' x >$T/text
# A host that is late has a negative time to sleep, and fails.
cat >$T/print <<EOF
text=\$(cat $T/text)
[ $output = same ] || text=\${text#????}\$(printf %4s "\$(hostname)")
sleep "\$(date +%s.%N | awk -v at="\$1" '{ print at - \$1 }')" && printf '%s\n' "\$text"
EOF
for _ in $(seq "$7"); do
    at=$(($(date +%s) + start))
    host exec h1 clush --topology=$T/topology.conf --grooming="$grooming" -f 64 -S -q -b -w "$hosts" \
        sh $T/print $at >$T/gathered 2>$T/err || { tail -n 3 $T/err >&2; exit 1; }
    date +%s.%N | awk -v at=$at '{ printf "gathered %.3f\n", $1 - at }'
done
