# slurm.sh - what Slurm needs to broadcast a file to 31 nodes, or to launch tasks with a large environment
# SPDX-License-Identifier: GPL-3.0-or-later
# tools/slow-hosts 32 --rate 4Mbit --queue fair sh docs/slow-networks/slurm.sh 4 2 sbcast
#
# WIDTH REPEATS sbcast|srun: with this TreeWidth, from h1 to h2 to h32. Prints seconds: sbcast of a byte and of
# 1 MB with the same fanout, which is at most 8; srun with no environment and with one of 500 kB.
hosts=32 T=/run/shared slurm_lines="TreeWidth=$1
MessageTimeout=100"
. tests/within
. tests/hosts/slurm # daemons on all hosts
head -c 1000000 /dev/urandom >$T/large
echo >$T/small
salloc -N 31 -w 'h[2-32]' --no-shell 2>/dev/null
SLURM_JOB_ID=$(squeue -h -o %i)
export SLURM_JOB_ID
# timed WHAT COMMAND...: its seconds.
timed()
{
    what=$1 start=$(date +%s.%N)
    shift
    host exec h1 "$@" || exit 1
    echo "$what $(echo "$(date +%s.%N) $start" | awk '{ print $1 - $2 }')"
}
head -c 75000 /dev/urandom | base64 -w 0 >$T/value
# launch small|large: a task on each node.
cat >$T/launch <<EOF
[ \$1 = small ] || value=\$(cat $T/value)
exec env -i PATH="$PATH" SLURM_CONF="$SLURM_CONF" A=\$value B=\$value C=\$value D=\$value E=\$value \\
    srun --jobid=$SLURM_JOB_ID -N31 -n31 -w h[2-32] true
EOF
for _ in $(seq "$2"); do
    for size in small large; do
        case $3 in
        sbcast) timed "sbcast $size" sbcast -f --fanout="$1" $T/$size /tmp/file ;;
        srun) timed "srun $size" sh $T/launch $size ;;
        esac
    done
done
host count h1
