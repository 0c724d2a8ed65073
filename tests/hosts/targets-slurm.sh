# targets-slurm.sh - the tree by which Slurm reaches its nodes: the one that tan-design names
# SPDX-License-Identifier: GPL-3.0-or-later
# mpis: one
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null; then
    echo "no Slurm here (slurmctld, slurmd, munged, slurm-client)"
    exit 77
fi
hosts=${TEST_FULL:+40}
hosts=${hosts:-13}
slurm_lines='DebugFlags=Route
SlurmctldDebug=debug
SlurmdDebug=debug
TreeWidth=2'
. tests/hosts/lib
. tests/hosts/slurm

TAN_DESIGN=${TAN_DESIGN:-${BUILD:-build}/bin/tan-design}
case $(slurmctld -V) in
*' '2[0-3].* | *' 24.05'*) target=slurm ;;
*) target=slurm-24.11 ;;
esac

# ranges LOG LIST: the sublists that the last split of this list in the log has made.
ranges()
{
    awk -v list="$2" '
        / ROUTE: split_hostlist: hl=/ { on = index($0 " ", " hl=" list " ") || index($0, "hl=" list " tree"); if (on) n = 0 }
        on && match($0, /sublist\[[0-9]+\] /) { range[n++] = substr($0, RSTART + RLENGTH) }
        END { for (i = 0; i < n; i++) print range[i] }' "$1"
}
# numbers LIST: the hosts of h[1-3,5], one a line.
numbers()
{
    echo "$1" | sed 's/^h\[\{0,1\}//; s/\]$//' | tr , '\n' | awk -F- '{ for (i = $1; i <= ($2 ? $2 : $1); i++) print i }'
}
# below HEAD LOG LIST: "CHILD PARENT" for all hosts of a list that HEAD hands on, by its log.
below()
{
    found=$(ranges "$2" "$3")
    if [ -z "$found" ]; then # few: reached directly, and not split
        numbers "$3" | sed "s/\$/ $1/"
        return
    fi
    for range in $found; do
        first=$(numbers "$range" | head -n 1)
        echo "$first $1"
        rest=$(numbers "$range" | tail -n +2)
        [ -n "$rest" ] || continue
        from=$(echo "$rest" | head -n 1) to=$(echo "$rest" | tail -n 1)
        (
            if [ "$from" = "$to" ]; then list=h$from; else list="h[$from-$to]"; fi
            below "$first" "$S/slurmd.h$first.log" "$list"
        )
    done
}
# real WIDTH: the parents of processes 0 to N as Slurm makes them when it launches on all nodes.
real()
{
    sed -i "s/^TreeWidth=.*/TreeWidth=$1/" "$SLURM_CONF"
    scontrol reconfigure
    within 10 grep -q "TreeWidth *= $1\$" <<END || echo "no TreeWidth $1"
$(scontrol show config | sed 's/ *$//')
END
    srun -N"$hosts" -vv true >"$T/launch" 2>&1 </dev/null || echo "srun: $(tail -n 3 "$T/launch")"
    echo "0 -1"
    below 0 "$T/launch" "h[1-$hosts]"
}
for width in 2 3 4 50; do
    real $width | sort -n | awk '{ printf "%s%s", (NR > 1 ? "," : ""), $2 }' >"$T/real"
    "$TAN_DESIGN" --members "$hosts" --target $target --setting TreeWidth=$width --machine cab --json - 2>"$T/err" |
        tr -d ' \n' | sed 's/.*"target":{//; s/.*"parents":\[\([^]]*\)\].*/\1/' >"$T/designed"
    if ! cmp -s "$T/real" "$T/designed"; then
        fail "$hosts nodes, width $width"
        echo "Slurm:      $(cat "$T/real")"
        echo "tan-design: $(cat "$T/designed")"
        grep -h ROUTE "$T/launch" "$S"/slurmd.h[1-4].log | tail -n 30
    fi
done
finish
