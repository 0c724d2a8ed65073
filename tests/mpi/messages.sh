# messages.sh - single messages: written to a machine file, read back, and what is refused
# SPDX-License-Identifier: GPL-3.0-or-later
# long
. tests/mpi/lib

m=$T/m.json
# Fail when a machine file has NaN, infinity or a negative number that is none of a section's
# latency, acknowledgement or line at 0 bytes.
sound() {
    awk '/"(L_us|L_us_per_byte|ack_us|o_s_us|o_r_us|g_us)":/ { interval = /\[$/; next }
        interval { interval = !/\]/; next }
        tolower($0) ~ /nan|inf/ || /(: |^ *)-/ { print FILENAME ": " $0; bad = 1 }
        END { exit bad }' "$1" || fail "NaN, infinity or a negative number in the machine file"
}
sizes="--sizes 1,2,4,8,64,512,4096,16384,65536,262144 --max-time 0.5s"
MACHINE=configs/cab.json
# Exit status 3, here and below: on a host that others use, too.
# Where they do, many messages may seem to take less time than few, and have no gap: once more then.
for attempt in 1 2 3; do
    rm -f "$m"
    alone '[03]' p2p calibrate "$m" $sizes --name here --json "$T/r.json"
    grep -q '"duplex_gap_us": ' "$m" && break
    echo "attempt $attempt: no gap"
done
says out '^Wrote'
says out '^S: '
grep -q '"name": "here"' "$m" || fail "no name"
grep -q '"sections"' "$m" || fail "no sections"
grep -q '"tan"' "$m" && fail "parameters of trees that nobody measured"
sound "$m"
for key in L_us_per_byte send_us duplex_gap_us alone_bytes tcp_congestion; do
    grep -q "\"$key\": " "$m" || fail "no $key in the machine file"
done
grep -q '"quiet": ' "$m" || fail "no share of quiet samples"
grep -q '"tan-p2p-results/1"' "$T/r.json" || fail "no results"
grep -q '"calls_quiet"' "$T/r.json" || fail "samples are not said to be quiet or not"

# An empty file is a new one, as it is for the calibration of trees.
: >"$T/empty.json"
alone '[03]' p2p calibrate "$T/empty.json" --sizes 1,64 --max-time 0.1s
grep -q '"tan-machine/1"' "$T/empty.json" || fail "an empty file was not filled"

job '[03]' 2 p2p validate "$m" --sizes 1,65536 --max-time 0.2s --json "$T/v.json"
says out 'predicted / measured'
for key in '"tan-p2p-validation/1"' '"plogp"' '"mean_abs_error"'; do
    grep -q "$key" "$T/v.json" || fail "no $key in the validation"
done
# Whether the last validation found the times of the machine file again, as on a host that others use
# it may not: then it compares no models.
repeats() { grep -q '"repeats": true' "$T/v.json"; }
# Both sides' overheads, late receives and windows are predicted.
if repeats; then
    says out '^Overheads of a side that computes'
    for kind in sender_computes receiver_computes both_compute_sender both_compute_receiver \
        late_receive window both_directions; do
        grep -q "\"kind\": \"$kind\"" "$T/v.json" || fail "no $kind in the validation"
    done
    grep -q '"worst_overlap_difference"' "$T/v.json" || fail "no overlap ratios in the validation"
fi
# Without --sizes: 30 sizes that the file lacks; thorough: another seed, other sizes. Without
# L_us_per_byte there are no exchanges.
sed '/"L_us_per_byte": [^[]/d' "$m" >"$T/plain.json"
for seed in 1 ${TEST_FULL:+2}; do
    job '[03]' 2 p2p validate "$T/plain.json" --max-time 0.1s --seed $seed --json "$T/v$seed.json"
    grep -q '"exchanges"' "$T/v$seed.json" && fail "exchanges without L_us_per_byte"
    sed -n '/^ *bytes *one-way/,/mean/s/^ *\([0-9][0-9]*\) .*/\1/p' "$T/out" >"$T/sizes$seed"
    [ "$(wc -l <"$T/sizes$seed")" = 30 ] || fail "not 30 sizes"
done
[ -e "$T/sizes2" ] && cmp -s "$T/sizes1" "$T/sizes2" && fail "the same sizes from another seed"
grep -qx -e 1 -e 64 -e 4096 -e 65536 "$T/sizes1" && fail "a size of the file"
# A file from a time when others used the cores says nothing of the models.
sed 's/"disturbed": true,//; s/"progress": "[a-z]*",/&"disturbed": true,/' "$m" >"$T/used.json"
job 3 2 p2p validate "$T/used.json" --sizes 1,8,64,512 --max-time 0.5s --json "$T/r.json"
says err 'not trustworthy: others used the cores'
grep -q '"disturbed": true' "$T/r.json" || fail "the results do not say that the machine file is disturbed"
# A file without the keys of this version, and with those of others.
cat >"$T/other.json" <<END
{"schema": "tan-machine/1", "name": "other", "p2p": {
    "sections": [{"L_us": 1, "o_s_us": 0.5, "o_r_us": 0.5, "G_us_per_byte": 0.001}],
    "slowed": 0, "work_us": [0.001, 0.001], "turn_us": 0.1, "copy": [{"bytes": 1, "us_per_byte": 1}],
    "sizes": [{"bytes": 1, "half_us": 1, "half_slowed_2_us": 2, "o_r_cold_us": 3}]}}
END
job '[03]' 2 p2p validate "$T/other.json" --sizes 1,8 --max-time 0.2s
says out 'one-way us .*plogp'
# Further ranks sleep.
job '[03]' 3 p2p --sizes 1,8,64,512 --max-time 0.2s
says out 'one-way us'
# With a limit nobody waits for quiet cores; what takes longer are the passes that a fit needs.
grep -q 'until the cores are quiet' "$T/err" && fail "quiet cores are waited for in spite of --max-time"

# Send modes and vectors of floats
alone '[03]' p2p calibrate "$T/more.json" --sizes 1,1000 --max-time 0.2s --send-modes --datatypes
says out '^LogGP signature'
for mode in Send Ssend Rsend Bsend Isend Issend Irsend Ibsend; do
    says out "^$mode "
    grep -q "\"$mode\": \[" "$T/more.json" || fail "no $mode in the machine file"
done
says out '^contiguous'
says out '^(1,1,4)'
says out '^(4,4,4)'
# Copying floats one by one takes longer than copying them together; on a busy machine that is seen
# only in more repetitions, and hardly under sanitizers. (On one side at least: MPI may receive long
# contiguous messages in another way, which takes longer than unpacking.)
packs()
{
    awk '$1 ~ /^\(.,1,4\)$/ { pack += $4 > 0; unpack += $6 > 0 } END { exit !(pack + unpack > 0) }' "$T/out"
}
if [ -z "${SANITIZE:-}" ]; then
    for time in 1s 5s 20s; do
        packs && break
        alone '[03]' p2p calibrate "$T/packs.json" --sizes 1,1000 --max-time $time --datatypes
    done
    packs || fail "no time to pack single floats: $(cat "$T/out")"
fi
sound "$T/more.json"
# What is not trustworthy, here from ranks that share a core, goes beside the user's machine file,
# with its trees; also when stdout is taken by the results.
mkdir -p "$HOME/.config/tan"
cp configs/cab.json "$HOME/.config/tan/machine.json"
core=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
tan taskset -c "$core" -- p2p calibrate --sizes 8 --max-time 0.1s --json -
[ $? -eq 3 ] || fail "ranks that share a core: $(cat "$T/err")"
cmp -s configs/cab.json "$HOME/.config/tan/machine.json" || fail "a good machine file was replaced"
says .config/tan/machine.untrusted.json '"a_us": 49.3'
says .config/tan/machine.untrusted.json '"half_us"'
says err '^Wrote .*/machine.untrusted.json'
says err 'left .*/machine.json as it was'
says err '^tanbench: not trustworthy: two ranks share a core'
[ "$(head -c 1 "$T/out")" = { ] || fail "more than JSON on standard output"
rm -r "$HOME/.config"

# Refused
job 2 1 p2p
says err 'two ranks'
job 1 2 p2p validate configs/cab.json
says err 'no p2p block'
job 1 2 p2p validate "$T/none.json"
says err 'none.json'
job 1 2 p2p calibrate "$T/no/such/folder.json" --sizes 1,8 --max-time 0.1s
says err 'folder.json'
nobody_left
finish
