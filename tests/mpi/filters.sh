# filters.sh - every filter computes the right value on lopsided trees
# SPDX-License-Identifier: GPL-3.0-or-later
# The root checks every element of every wave, so a wave that is measured is right.
. tests/mpi/lib

few="--min-waves 12 --max-waves 12 --warmup 2"
for filter in null sum min max avg concat; do
    job 0 9 --filter $filter $few --wait park --bytes 24 \
        --topo twolevel:5 --topo binomial:4 --topo chain:3 --topo random:4:7 --json "$T/r.json"
    [ "$(grep -c '"n": 12' "$T/r.json")" -eq 4 ] || fail "$filter: not 4 cells of 12 waves"
done

# Payloads from nothing to more than any eager limit, request and answer of different sizes.
job 0 9 $few --wait park --bytes 0 --topo binary:5
job 0 9 $few --wait park --bytes 8 --request-bytes 0 --topo binary:5
job 0 5 $few --wait park --bytes 1MiB --request-bytes 3 --topo nto1:4 --topo chain:4
job 0 5 $few --wait park --bytes 256KiB --filter concat --topo nto1:4 --topo levels:1x3
job 1 5 $few --bytes 1GiB --filter concat --topo nto1:4
says err 'a packet of 4294967344 bytes is more than one MPI message can hold'
finish
