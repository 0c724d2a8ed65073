# simulated.sh - ranks on simulated platforms: times computed by hand, marks in results, bad input
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -u
. tests/scripts/simgrid
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bin=$(cd "$BUILD/bin" && pwd) || exit 1
source=$PWD/tests/scripts
export HOME="$dir" LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME
cd "$dir" || exit 1

fail()
{
    echo "$1"
    [ ! -e out ] || cat out
    exit 1
}

# complains STATUS TEXT ARGUMENT...: what tanbench says, and its exit status
complains()
{
    status=$1 text=$2
    shift 2
    "$bin/tanbench" "$@" >out 2>&1
    found=$?
    [ $found -eq "$status" ] || fail "tanbench $*: status $found, not $status"
    grep -q -e "$text" out || fail "tanbench $*: no \"$text\""
}

if [ ! -e "$bin/../mpi/smpicc/tanbench-simulated" ]; then
    complains 1 'install libsimgrid-dev' run --platform crossbar chain:1
    needs_simgrid tanbench-simulated
fi

# platform FILE HOSTS [VERSION]: a message between hosts takes 2 us whatever its size
platform()
{
    cat >"$1" <<EOF_XML
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="${3:-4.1}">
<cluster id="c" prefix="h" suffix="" radical="0-$(($2 - 1))" speed="1Gf" bw="1e9GBps" lat="1us"/>
</platform>
EOF_XML
}

# wave FILE TOPO: its median in us
wave()
{
    python3 -c 'import json, sys
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["topo"] == sys.argv[2]:
        print("%.4f" % cell["wave_us"]["median"])' "$1" "$2"
}

near() # WHAT VALUE WANTED: within 0.5 %, of which 10 ns are a reading of the clock
{
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a > 0.995 * b && a < 1.005 * b) }' ||
        fail "$1: $2 us, not $3 us"
}

# Half of a round trip of chain:K is K (os + 2 us + or). With two leaves the root sends until 3 us; the
# second request is there at 5 us, its answer leaves at 7.7 us and is there at 9.7 us, when the root has
# received the first one, and received at 10.9 us.
platform fast.xml 40
rates='--os 1.5us --or 1.2us'
# shellcheck disable=SC2086  # a list of words
set -- run -q --platform fast.xml $rates chain:1 chain:8 nto1:2 levels:4x8
"$bin/tanbench" "$@" --json 1.json >out 2>&1 || fail "run"
near chain:1 "$(wave 1.json chain:1)" 4.7
near chain:8 "$(wave 1.json chain:8)" 37.6
near nto1:2 "$(wave 1.json nto1:2)" 5.45
grep -q '^Simulated: platform fast.xml' out || fail "the table does not say that it is simulated"
! grep -q -e '--launches' -e '--max-waves' out || fail "repetitions are alike, and more were recommended"
grep -q '"simulated": {' 1.json || fail "the results do not say that they are simulated"
grep -q '"simulator": "SimGrid ' 1.json || fail "no version of SimGrid"
"$bin/tanbench" "$@" --json 2.json >out 2>&1 || fail "run again"
for topo in chain:1 chain:8 nto1:2 levels:4x8; do
    [ "$(wave 1.json $topo)" = "$(wave 2.json $topo)" ] || fail "$topo differs between runs"
done

# A calibration does not touch the user's machine file, and every answer from it says what it is.
# shellcheck disable=SC2086  # a list of words
"$bin/tanbench" calibrate -q --platform fast.xml $rates --max-leaves 32 >out 2>&1
[ $? -le 3 ] && [ -e fast.json ] || fail "calibrate"
[ ! -e .config/tan/machine.json ] || fail "the user's machine file was written"
"$bin/tan-design" -m fast.json -l 32 >out 2>&1
grep -q '^From .*, simulated[.,]' out || fail "tan-design does not say it"
"$bin/tan-design" -m fast.json -l 32 --json=- >out 2>&1
grep -q '"simulated": "fast.xml"' out || fail "tan-design --json does not say it"

# The tree that it recommends is measured beside others: the fastest, and as fast as predicted.
best=$("$bin/tan-design" -m fast.json -l 32 --json=- | sed -n '/"best"/,/"levels"/s/.*"topo": "\(.*\)",/\1/p')
# shellcheck disable=SC2086  # a list of words
"$bin/tanbench" run -q --platform fast.xml $rates -m fast.json "$best" nto1:32 levels:2x16 levels:4x8 \
    --json 3.json >out 2>&1 || fail "the recommended tree $best"
python3 -c 'import json, sys
cells = json.load(open("3.json"))["cells"]
waves = [cell["wave_us"]["median"] for cell in cells]
error = cells[0]["predicted_us"]["tan-overlap"] / waves[0] - 1
sys.exit(waves[0] > min(waves) or abs(error) > 0.01 and "off by %.1f %%" % (100 * error))' >>out 2>&1 ||
    fail "the recommended tree $best"

# Single messages: overheads, their border and that of protocols come back; a message that waits for
# its receiver costs its sender nothing.
set -- p2p calibrate -q --platform fast.xml --os '0:1.5us:0.3ns;2KiB:3us:0s' --or 1.2us:0.5ns
"$bin/tanbench" "$@" --sizes 64,1KiB,2047,2KiB,16KiB,65535,65536,256KiB p.json >out 2>&1
[ $? -le 3 ] && [ -e p.json ] || fail "p2p calibrate"
grep -q -E '^ +1024 +[0-9.]+ +1\.8070* +1\.7120*' out || fail "o_s, o_r of 1 KiB are not 1.807 and 1.712 us"
grep -q -E '^ +2047 +[0-9.]+ +2\.1140* +2\.22' out || fail "o_s, o_r of 2047 B are not 2.114 and 2.224 us"
grep -q -E '^ +2048 +[0-9.]+ +3(\.0*)? +2\.22' out || fail "o_s, o_r of 2 KiB are not 3 and 2.224 us"
grep -q '^S: 65535 bytes' out || fail "S is not 65535"
grep -q 'progress independent' out || fail "messages beyond S do not make progress by themselves"
set -- p2p validate -q --platform fast.xml --os '0:1.5us:0.3ns;2KiB:3us:0s' --or 1.2us:0.5ns
for i in 1 2; do
    "$bin/tanbench" "$@" --sizes 300,100KiB p.json --json v$i.json >out 2>&1 || fail "p2p validate"
    grep -v -e '"date"' -e 'v[12].json' v$i.json >v$i
done
cmp v1 v2 || fail "p2p validate differs between runs"

# Sizes that no calibration saw, where overheads end at the eager limit, and where there are none:
# lines predict each of them.
sed '/<config>/,/<\/config>/d' "$source/../../configs/platforms/crossbar.xml" >free.xml
for platform in crossbar free.xml; do
    rm -f p.json
    "$bin/tanbench" p2p calibrate -q --platform $platform p.json >out 2>&1 || fail "p2p calibrate, $platform"
    "$bin/tanbench" p2p validate -q --platform $platform p.json --json v.json >out 2>&1 ||
        fail "p2p validate, $platform"
    python3 -c 'import json, sys
v = json.load(open("v.json"))
sys.exit(len(v["sizes"]) != 30 or v["models"]["fitted"]["worst_abs_error"] > 0.01)' ||
        fail "fitted is more than 1 % off, $platform"
done
# A file whose own times are a quarter off says nothing of any model; with a sixth it does.
for longer in 1.25:3:1 1.17:0:0; do
    status=${longer#*:}
    python3 -c 'import json, sys
m = json.load(open("p.json"))
for size in m["p2p"]["sizes"]:
    size["half_us"] *= float(sys.argv[1])
json.dump(m, open("longer.json", "w"))' "${longer%%:*}"
    "$bin/tanbench" p2p validate -q --platform free.xml longer.json --json v.json >out 2>&1
    [ $? -eq "${status%:*}" ] || fail "p2p validate ends with another status than ${status%:*}"
    grep -q -E 'fitted|loggpo|"window"|violations|Overheads' out v.json
    [ $? -eq "${status#*:}" ] || fail "models where times do not repeat, or none where they do"
    grep -q -E '^ +bytes +one-way us .* plogp$' out || fail "no repeatability"
done
# Where messages take no time, that is what is found.
"$bin/tanbench" p2p calibrate -q --platform no-costs --ranks 2 --sizes 1,8,64 none.json >out 2>&1 ||
    fail "p2p calibrate, no-costs"
grep -q -E '^ +64 +0 +0 +0 ' out || fail "a message takes time, no-costs"

# Every mode.
for mode in 'stream --duration 10ms levels:2x2' 'oneway levels:2x2' \
    'run --ranks-per-host 4 levels:8x8'; do
    # shellcheck disable=SC2086  # a list of words
    "$bin/tanbench" ${mode%% *} -q --platform fast.xml $rates ${mode#* } >out 2>&1 || fail "$mode"
done

# The tracer, linked into a program: three messages in a row take 100 us more each where the latency
# does, and tan-sim says so from a trace of the platform without them.
ring() # TRACE DIRECTORY
{
    TAN_TRACE_DIR=$1 smpirun -quiet -np 4 -platform fast.xml -hostfile ring.hosts --cfg=smpi/os:0:1.5e-6:0 \
        --cfg=smpi/or:0:1.5e-6:0 --cfg=smpi/simulate-computation:no --cfg=smpi/lat-factor:0:1 \
        --cfg=smpi/bw-factor:0:1 --cfg=smpi/async-small-thresh:65536 --log=root.thresh:critical ./ring
}
finish() # LATENCY
{
    "$bin/tan-sim" trace ring.trace -L "$1" -o 1.5us -g 0 -G 0 --json=- | python3 -c 'import json, sys
print("%.3f" % (json.load(sys.stdin)["finish_ns"] / 1e3))'
}
printf 'h0\nh1\nh2\nh3\n' >ring.hosts
smpicc -o ring "$source/simulated_ring.c" -Wl,-Bsymbolic -Wl,--whole-archive \
    "$bin/../mpi/smpicc/libtantrace.a" -Wl,--no-whole-archive -lzstd >out 2>&1 || fail "smpicc"
ring ring.trace >out 2>&1 || fail "the ring"
near 'the ring at + 100 us' "$(awk -v a="$(finish 102us)" -v b="$(finish 2us)" 'BEGIN { print a - b }')" 300

# A map places ranks on any hosts of the platform: those of a and of b are 20 us apart, not 2 us.
cat >sites.xml <<EOF_XML
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<cluster id="A" prefix="a" suffix="" radical="0-9" speed="1Gf" bw="1e9GBps" lat="1us"/>
<cluster id="B" prefix="b" suffix="" radical="0-9" speed="1Gf" bw="1e9GBps" lat="1us"/>
<link id="wan" bandwidth="1e9GBps" latency="18us"/>
<zoneRoute src="A" dst="B" gw_src="aA_router" gw_dst="bB_router"><link_ctn id="wan"/></zoneRoute>
</zone></platform>
EOF_XML
printf 'b7 b8\na9 a3\n' >near.map
printf 'b7 a9\nb8 a3\n' >far.map
printf 'b7 c1\nb8 a3\n' >no.map
for map in near:32.1 far:68.1; do
    # shellcheck disable=SC2086  # a list of words
    "$bin/tanbench" run -q --platform sites.xml $rates --map ${map%:*}.map chain:3 --json map.json >out 2>&1 ||
        fail "${map%:*}.map"
    near "${map%:*}.map" "$(wave map.json chain:3)" "${map#*:}"
done
# Depth first the nodes 0 1 3 7 15 16 8 4 9 10 2 5 11 12 6 13 14 are on the hosts in order.
echo a0 a1 b0 a2 a7 b1 b4 a3 a6 a8 a9 b2 b3 b5 b6 a4 a5 >depth.map
for map in depth depth.map block; do
    # shellcheck disable=SC2086  # a list of words
    "$bin/tanbench" run -q --platform sites.xml $rates --map $map binary:9 --json $map.json >out 2>&1 ||
        fail "binary:9, $map"
done
near 'depth first' "$(wave depth.json binary:9)" "$(wave depth.map.json binary:9)"
[ "$(wave depth.json binary:9)" != "$(wave block.json binary:9)" ] || fail "depth first is level by level"
complains 1 "Host not found: 'c1'" run --platform sites.xml --map no.map chain:3

# A frequency is kept: two hundred waves a second for a second, in every part of it.
"$bin/tanbench" stream -q --platform fast.xml --frequency 200 --duration 1s nto1:4 --json stream.json >out 2>&1
for key in '' _ci95; do
    tr -d '\n' <stream.json | grep -q "\"rate${key}_per_s\": [[ ]*\(199\.[5-9]\|200\.[0-4]\)" ||
        fail "200 waves per second are not kept"
done

# Whenever a run is interrupted, one sentence says so.
"$bin/tanbench" stream -q --platform fast.xml --duration 10000s levels:2x2 >out 2>&1 &
job=$!
until child=$(pgrep -P $job -f -- '-hostfile /proc') && pgrep -P "$child" smpimain >/dev/null; do
    kill -0 $job || fail "a stream of 10000 s has ended"
    sleep 0.1
done
sleep 1
kill -TERM $job
wait $job
[ $? -eq 1 ] || fail "the status of an interrupted stream is not 1"
[ "$(grep -c '^tanbench: interrupted' out)" -eq 1 ] || fail "no sentence about the interruption"
! grep -q 'Execution failed' out || fail "smpirun speaks, too"

complains 2 'has 40 hosts, and 41 ranks' run --platform fast.xml nto1:40
complains 1 'cannot read nowhere.xml' run --platform nowhere.xml nto1:4
complains 2 'did you mean crossbar?' run --platform crosbar nto1:4
complains 2 'Bad config key: smpi/nothing' run --platform fast.xml --platform-option smpi/nothing:1 nto1:4
complains 2 'name one with --platform' run --os 1us nto1:4
complains 2 'by --wait block' run --platform fast.xml --wait park nto1:4
complains 2 '\-\-os' run --platform fast.xml --os fast nto1:4
complains 2 "'smpi/os' badly formatted" run --platform fast.xml --platform-option smpi/os nto1:4
complains 2 'such as "a b.json"' run --platform fast.xml --json 'a b.json' nto1:4
platform old.xml 4 3
complains 2 'old.xml:3: .*THIS FILE IS TOO OLD (v:3.0)' run --platform old.xml nto1:3
echo 'no XML' >bad.xml
complains 2 'bad.xml:1: Invalid XML' run --platform bad.xml nto1:3
exit 0
