# slurm.sh - Slurm's file broadcast over seven nodes, by fanout
# SPDX-License-Identifier: GPL-3.0-or-later
# tools/slow-hosts 8 --rate 16Mbit --queue fair sh docs/slow-networks/slurm.sh
hosts=8 T=/run/shared slurm_lines=TreeWidth=2
. tests/within
. tests/hosts/slurm # daemons on h1 to h8
head -c 1000000 /dev/urandom >$T/file
echo >$T/small
salloc -N 7 -w 'h[2-8]' --no-shell
SLURM_JOB_ID=$(squeue -h -o %i)
export SLURM_JOB_ID
for fanout in 2 4 8; do
    for file in small file; do
        start=$(date +%s.%N)
        host exec h1 sbcast -f --fanout=$fanout $T/$file /tmp/file
        echo "fanout $fanout, $file: $(echo "$(date +%s.%N) $start" | awk '{ print $1 - $2 }') s"
    done
done
host count
