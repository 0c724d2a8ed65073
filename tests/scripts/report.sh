# report.sh - reports from recorded runs, with and without gnuplot, and from hostile files
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
. tests/no-blanks
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export HOME="$dir" LC_ALL=C.UTF-8
# The system's own starts faster than one behind a manager of versions.
python=/usr/bin/python3
[ -x $python ] || python=python3
bin=${BUILD:-build}/bin
failures=0
fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}
report()
{
    "$bin/tan-report" "$@" >"$dir/out" 2>&1
}
# The same, and the scripts of its charts are in $dir/data.
scripted()
{
    PATH=$PWD/tests/cli/bin:$PATH GNUPLOT_SCRIPTS=$dir/data "$bin/tan-report" "$@" >"$dir/out" 2>&1
}

# well_formed FILE...: whatever is opened in this XML is closed.
well_formed()
{
    $python - "$@" 2>"$dir/err" <<'PYTHON' || fail "not well-formed: $(tail -n 1 "$dir/err")"
import sys, xml.parsers.expat
for file in sys.argv[1:]:
    try:
        xml.parsers.expat.ParserCreate().Parse(open(file, "rb").read(), True)
    except xml.parsers.expat.ExpatError as e:
        sys.exit(f"{file}: {e}")
PYTHON
}

# Nothing is loaded, there is no script; its body is among those that are checked at the end.
harmless()
{
    grep -qiE '<(script|img|iframe|link|object|embed)|(src|href)="?[a-z]+:|@import|javascript:' "$1" &&
        fail "$2: $(grep -oiE '<(script|img|iframe|link|object|embed)|(src|href)="?[a-z]+:|@import' "$1" | head -n 1)"
    n_bodies=$((n_bodies + 1))
    sed -n '/^<body>/,/^<\/body>/p' "$1" >"$dir/bodies/$n_bodies.$(basename "$1")"
}

n_bodies=0
mkdir "$dir/bodies"

design()
{
    "$bin/tan-design" "$@" >"$dir/out" 2>&1 || fail "tan-design $*: $(cat "$dir/out")"
}
design --leaves 4096 --machine cab --json "$dir/design.json"
design --members 40 --target slurm --machine cab --json "$dir/target.json"
design --members 64 --target mpich --machine cab --json "$dir/ways.json"
design --leaves 512 --targets --machine cab --json "$dir/targets.json"
design --leaves 512 --pareto latency,processes --machine cab --json "$dir/pareto.json"
design --leaves 512 --pareto latency,loss --machine cab --json "$dir/losses.json"
design predict nto1:8 binary:8 --machine cab --json "$dir/predict.json"
"$bin/tan-sim" run --pattern allreduce:16 --json "$dir/collective.json" >"$dir/out" 2>&1 ||
    fail "tan-sim: $(cat "$dir/out")"
"$bin/tan-sim" run --pattern binomial-reduce:64 --sensitivity L,o,G --json "$dir/sim.json" >"$dir/out" 2>&1 ||
    fail "tan-sim: $(cat "$dir/out")"

mkdir "$dir/traced"
for rank in 0 1; do
    printf 'MPI_Init:-:0:0:1000\nMPI_Barrier:1010:0,%d,2:1021:\nMPI_Finalize:1030:1030:\n' $rank >"$dir/traced/rank-$rank.txt"
done
"$bin/tan-sim" trace "$dir/traced" --json "$dir/program.json" >"$dir/out" 2>&1 || fail "tan-sim trace: $(cat "$dir/out")"

$python - "$dir/validation.json" <<'PYTHON'
import json, sys
sizes = [{"bytes": 8 << i, "error": {"logp": -0.5, "fitted": 0.02}} for i in range(9)]
exchanges = [{"kind": "sender_computes", "bytes": 8, "overlap_ratio": 0.5, "overlap_ratio_error": 0.1}]
json.dump({"schema": "tan-p2p-validation/1", "machine": {"name": "m"}, "sizes": sizes, "exchanges": exchanges,
    "models": {"logp": {"mean_abs_error": 0.5, "worst_abs_error": 0.5},
               "fitted": {"mean_abs_error": 0.02, "worst_abs_error": 0.02}},
    "exchange_errors": {"sender_computes": {"worst_overlap_difference": 0.1}}}, open(sys.argv[1], "w"))
PYTHON

# What --set changes, by what factor, and how sure that is.
"$bin/tan-sim" trace "$dir/traced" --set L=+1ms --json "$dir/changed.json" >"$dir/out" 2>&1 || fail "tan-sim --set: $(cat "$dir/out")"
report "$dir/changed.json" -o "$dir/answer.html" || fail "$(cat "$dir/out")"
sed -n '/<div class="answer">/{n;p;}' "$dir/answer.html" >"$dir/first"
grep -qE 'With L=\+1ms it takes [0-9.]+ ms, [0-9.]+ times the [0-9.]+ ms without' "$dir/first" ||
    fail "the effect of --set: $(cat "$dir/first")"

# Parameters that nobody named are a doubt, and those that somebody named are none.
HOME=$dir XDG_CONFIG_HOME=$dir "$bin/tan-design" --leaves 64 --json "$dir/default.json" >"$dir/out" 2>&1 || fail "$(cat "$dir/out")"
report "$dir/default.json" -o "$dir/answer.html" || fail "$(cat "$dir/out")"
grep -q 'for want of a file' "$dir/answer.html" || fail "the page does not say whose parameters these are"
report "$dir/design.json" -o "$dir/answer.html" || fail "$(cat "$dir/out")"
grep -q 'for want of a file' "$dir/answer.html" && fail "a machine that was named is taken for none"

printf 'h%d\n' 1 2 3 4 5 6 7 8 9 10 11 12 >"$dir/hosts"
printf '%s' '{"schema": "tan-machine/1", "name": "two tiers", "tan": {"L_us": 200, "a_us": 20, "b_us": 6, "c_us": 0.2},
    "tiers": [{"name": "host", "L_us": 10, "a_us": 5, "b_us": 2}]}' >"$dir/tiers.json"
design --leaves 90 --hosts "$dir/hosts" --ranks-per-host 10 --machine "$dir/tiers.json" --json "$dir/hosted.json"
report "$dir/hosted.json" -o "$dir/answer.html" || fail "hosted: $(cat "$dir/out")"
grep -q 'placement [a-z]*: ' "$dir/answer.html" || fail 'the placement is not explained'

# Sizes are whole numbers to the last digit.
report results/p2p/openmpi-shm/machine.json -o "$dir/answer.html" || fail "messages: $(cat "$dir/out")"
grep -q '<td>1048576</td>' "$dir/answer.html" || fail 'a size is not written whole'
grep -qE '<td>[0-9.]+e\+0[0-9]</td>' "$dir/answer.html" && fail 'a number is cut to six digits'

# A page that is made elsewhere, without the machine file, is the same.
mkdir "$dir/elsewhere"
cp configs/cab.json "$dir/gone.json"
design --leaves 96 --machine "$dir/gone.json" --json "$dir/elsewhere/design.json"
"$bin/tan-report" - -o "$dir/here.html" <"$dir/elsewhere/design.json" || fail 'a page of standard input'
rm "$dir/gone.json"
program=$(cd "$bin" && pwd)/tan-report
(cd "$dir/elsewhere" && HOME=/nonexistent "$program" - -o ../there.html <design.json) || fail 'a page made elsewhere'
cmp "$dir/here.html" "$dir/there.html" || fail 'a page made elsewhere differs'
[ "$(grep -c '<figure>' "$dir/there.html")" = 3 ] || fail "figures of a design made elsewhere: $(grep '<h3>' "$dir/there.html")"

"$bin/tan-fit" --details results/mrnet/waves.csv --json "$dir/fit.json" --report "$dir/fit.html" >"$dir/fit.txt" 2>&1 # not trustworthy
harmless "$dir/fit.html" 'the page of a fit'

# Every kind of file has an answer, and the page shows its first sentence.
for file in program design hosted target targets pareto losses predict collective sim fit; do
    report "$dir/$file.json" -o "$dir/answer.html" || fail "$file: $(cat "$dir/out")"
    $python -c 'import html, json, re, sys
first = json.load(open(sys.argv[1]))["answer"]["first"][0]
page = open(sys.argv[2]).read().split("<div class=\"answer\">", 1)[1].split("</div>", 1)[0]
sys.exit(first not in html.unescape(re.sub("<[^>]*>", "", page)))' "$dir/$file.json" "$dir/answer.html" ||
        fail "the page of $file does not begin as its answer does"
done
# What a terminal says, the page says.
for sentence in '45 % off on 16 trees of up to 137 processes left out of its' \
    '9 other trees held out' 'Fitted, off by 7.0 % on average' \
    'Held out, predicted by tan-overlap'; do
    grep -q "$sentence" "$dir/fit.txt" || fail "tan-fit does not say: $sentence"
    grep -q "$sentence" "$dir/fit.html" || fail "the page of a fit does not say: $sentence"
done
report results/mrnet/waves.csv -o "$dir/answer.html" && fail 'a table without a fit'
grep -q 'shown by tan-fit --report' "$dir/out" || fail "a table: $(cat "$dir/out")"

all="$dir/program.json $dir/fit.json $dir/validation.json $dir/design.json $dir/target.json $dir/targets.json $dir/pareto.json $dir/losses.json $dir/predict.json
    $dir/collective.json $dir/sim.json results/first-run/calibration.json results/first-run/machine.json
    results/first-run/paper-32.json results/evidence/mrnet/machine.json
    results/p2p/openmpi-shm/machine.json"
if command -v gnuplot >/dev/null; then
    mkdir "$dir/data"
    # shellcheck disable=SC2086 # lists of words
    scripted $all -o "$dir/all.html" --figures "$dir/figures" || fail "all: $(cat "$dir/out")"
    harmless "$dir/all.html" 'the page of all'
    for figure in messages message-errors overlap fanout leaves sensitivities values pareto pareto-2 \
        distributions predictions fit series-nto1 series-chain finish program calls \
        sensitivity-L sensitivity-o sensitivity-G; do
        [ -s "$dir/figures/$figure.svg" ] || fail "there is no figure $figure"
    done
    well_formed "$dir"/figures/*.svg
    # A name is there once: of elements, and of figures.
    grep -oE " id=['\"][^'\"]*" "$dir/all.html" | sort | uniq -d >"$dir/twice"
    [ -s "$dir/twice" ] && fail "twice in the page:$(head -n 3 "$dir/twice" | tr '\n' ' ')"
    grep -qx "set xlabel 'change of the wave time, %'" "$dir/data/sensitivities.gp" || fail 'sensitivities of what'
    grep -q "title 'flat tree overtaken'" "$dir/data/leaves.gp" || fail 'crossovers are not marked'
    # The figures of the paper, each from a recorded run.
    for run in first-run/paper-sizes:1 emulated-cab/paper-latency:2 emulated-cab/paper-chain:4 emulated-cab/paper-nto1:6 \
        emulated-cab/paper-32:7 emulated-cab/paper-128:8; do
        report --paper "results/${run%:*}.json" results/emulated-cab/machine.json -o "$dir/paper.html" --figures "$dir/paper" ||
            fail "paper, $run: $(cat "$dir/out")"
        [ -s "$dir/paper/paper-figure-${run#*:}.svg" ] || fail "$run has no Figure ${run#*:}"
        harmless "$dir/paper.html" "$run"
    done
    [ "$(ls "$dir/paper" | wc -l)" = 6 ] || fail "figures of the paper: $(ls "$dir/paper")"
    # In the paper's order, whatever the order of the files.
    report --paper results/emulated-cab/paper-32.json results/first-run/paper-sizes.json -o "$dir/paper.html" ||
        fail "paper, two files: $(cat "$dir/out")"
    [ "$(grep -o '<h3>Figure [0-9]' "$dir/paper.html" | tr '\n' ' ')" = '<h3>Figure 1 <h3>Figure 7 ' ] || fail 'order of the figures'
    # A line for each size in Figure 1, the smallest first.
    scripted --paper results/first-run/paper-sizes.json -o "$dir/paper.html" || fail "$(cat "$dir/out")"
    grep -o "title '[0-9]* KiB'" "$dir/data/paper-figure-1.gp" | tr '\n' ' ' | grep -q "^title '1 KiB' title '12 KiB' title '128 KiB' $" ||
        fail 'sizes of Figure 1'
    # The tic at the lower end of a logarithmic axis has its label.
    report "$dir/ways.json" -o "$dir/ways.html" || fail "both ways: $(cat "$dir/out")"
    grep -q '<text>bcast tree, without a type and k<' "$dir/ways.html" || fail "no advice on the way down"
    report "$dir/target.json" -o "$dir/answer.html" || fail "target: $(cat "$dir/out")"
    grep -q '>200 us<' "$dir/answer.html" || fail 'the lowest tic has no label'
    # No white discs below the points of intervals, which dark paper would show.
    grep -q "<use [^>]*color='white'" "$dir/all.html" && fail 'white discs in a chart'
    # A usual report: a design and a calibration.
    report "$dir/design.json" results/first-run/calibration.json -o "$dir/usual.html" || fail "usual: $(cat "$dir/out")"
    size=$(wc -c <"$dir/usual.html")
    [ "$size" -le 307200 ] || fail "a usual report has $size bytes"
else
    echo 'no gnuplot here: charts are not tried'
fi

# A measurement in one step; it may be doubted (3).
"$bin/tanbench" run nto1:3 binary:3 --quiet --max-time 20ms --passes 1 --report "$dir/run.html" >"$dir/out" 2>&1
case $? in 0 | 3) ;; *) fail "tanbench --report: $(tail -n 3 "$dir/out")" ;; esac
harmless "$dir/run.html" 'the page of a run'
grep -q '<h1>Measured waves' "$dir/run.html" || fail 'the page of a run has no waves'
said=$(grep '^Of 2 measured trees with 3 leaves, .* is the fastest: .* us a wave\.' "$dir/out") || fail "a run: $(cat "$dir/out")"
grep -qF "<p>$said</p>" "$dir/run.html" || fail "the page of a run does not say: $said"

"$bin/tanbench" p2p calibrate "$dir/m.json" --sizes 8,64 --quiet --max-time 1s --report "$dir/p2p.html" >"$dir/out" 2>&1
case $? in 0 | 3) ;; *) fail "tanbench p2p calibrate --report: $(tail -n 3 "$dir/out")" ;; esac
harmless "$dir/p2p.html" 'the page of messages'
grep -q '<h3>Single messages, by size' "$dir/p2p.html" || fail 'the page of messages has none'

# A gnuplot that fails: the figure is named, and no page is written.
mkdir -p "$dir/failing"
printf '#!/bin/sh\nexit 1\n' >"$dir/failing/gnuplot"
chmod +x "$dir/failing/gnuplot"
PATH=$dir/failing:$PATH "$bin/tan-report" results/first-run/paper-32.json -o "$dir/failed.html" 2>"$dir/out" && fail 'a gnuplot that fails'
[ "$(cat "$dir/out")" = 'tan-report: gnuplot failed on distributions' ] || fail "gnuplot fails: $(cat "$dir/out")"
[ -e "$dir/failed.html" ] && fail 'a page without the figure that gnuplot failed on'

# Without gnuplot there are tables.
mkdir "$dir/empty"
# shellcheck disable=SC2086
PATH=$dir/empty "$bin/tan-report" $all -o "$dir/tables.html" 2>"$dir/out" || fail "without gnuplot: $(cat "$dir/out")"
harmless "$dir/tables.html" 'the page without gnuplot'
grep -q 'gnuplot is not installed' "$dir/tables.html" || fail 'nothing says that charts are left out'
[ "$(grep -c '<summary>Numbers' "$dir/tables.html")" -ge 12 ] || fail 'tables are missing'

# Texts of files are texts, in the page and for gnuplot.
$python - "$dir" <<'PYTHON'
import json, sys
d = sys.argv[1]
def cell(topo, **more):
    return dict({"topo": topo, "leaves": 3, "processes": 4, "max_fanout": 3, "bytes": 8,
                 "wave_us": {"median": 3.0, "p5": 1, "p25": 2, "p75": 4, "p95": 5, "ci95": [2.5, 3.5]},
                 "predicted_us": {"tan": 3.1, "logp": 2}, "error": {"tan": 0.03},
                 "warnings": ["<script>alert(1)</script>"]}, **more)
def save(name, document):
    json.dump(document, open(f"{d}/{name}.json", "w"))
save("script", {"schema": "tan-results/1", "machine": "<img src=x onerror=alert(1)>",
    "environment": {"processor": "</td></table><script>", "date": "\u0001\u001b[1m"},
    "cells": [cell(f"a'`touch {d}/touched`\"<b>"), cell(f"'; system('touch {d}/touched'); print '"),
              cell("nto1:3")]})
save("many", {"schema": "tan-results/1", "machine": "m",
    "cells": [cell("nto1:%d" % (i % 1000 + 1)) for i in range(20000)]})
save("parents", {"schema": "tan-target/1", "machine": {"name": "x"}, "target": {"name": "<s>",
    "parents": [0, 0, 5], "wave_us": 1, "slower": 0, "setting": "x", "configuration": "<script>"}})
save("deep", {"schema": "tan-target/1", "target": {"parents": [-1] + list(range(100000))}})
save("huge", {"schema": "tan-design/1", "leaves": 1e300, "machine": {"name": "x", "file": "/etc/passwd"},
    "best": {"fanouts": [1e308, 1e308], "levels": [{"fanout": 1e308, "latency_us": 1e308}] * 100}})
save("types", {"schema": "tan-machine/1", "name": "x", "tan": {"a_us": "x", "draws_us": [[1], "y", {}]},
    "p2p": {"sizes": [{"bytes": -1, "half_us": 0}], "sections": [1, 2]}})
wave = {"median": 1e308, "p5": 1e-308, "p25": 1e-300, "p75": 1e308, "p95": 1e308, "ci95": [1e-308, 1e308]}
save("vast", {"schema": "tan-results/1", "cells": [cell("nto1:3", wave_us=wave), cell("nto1:4", wave_us=wave)]})
save("figures", {"schema": "tan-design/1", "leaves": 9, "machine": {"name": "x"},
    "best": {"topo": "nto1:9", "wave_us": 1}, "flat_until": 2, "sensitivity": [{"parameter": "", "value_us": 1, "stays_best_us": [1, 2]}],
    "figures": {"tree": {"parents": [-1] + [0] * 9, "critical": [1e300, -1, 9, "x", 10], "hosts": [-5]},
        "by_fanout": {"max_fanout": list(range(1, 100000)), "wave_us": 7},
        "by_leaves": {"leaves": [2, 9, "x", 1e308], "best_us": [1, None, 3, -1], "rules": [3, {"name": "<script>",
            "wave_us": [1, 2, 3, 4], "beats_flat": {"leaves": 1e308}}] * 1000},
        "by_parameter": [{"parameter": key, "value_us": 1, "tenth_more": 1e308} for key in ("", "u", "L_us")] * 1000}})
save("placed", {"schema": "tan-hosted/1", "figures": {"placement": "<script>",
    "tree": {"parents": [1, 0, -1], "hosts": [-1, 1e300, "x"]}}, "choices": [{}]})
save("ring", {"schema": "tan-hosted/1", "figures": {"tree": {"parents": [-1, 0, 0], "hosts": [-1, 1e300, "x"]}}})
save("models", {"schema": "tan-p2p-validation/1", "models": {f"m{i}": {} for i in range(2000)},
    "sizes": [{"bytes": 1, "error": {f"m{i}": 0.1 for i in range(2000)}}], "exchanges": 1})
save("sizeless", {"schema": "tan-machine/1", "name": "x",
    "p2p": {"sizes": [{"half_us": 1}, {"bytes": 1e300, "half_us": 2}]}})
save("misfit", {"schema": "tan-fit/1", "machine": 5, "fitted": [{"error": "x"}, 3], "held_out": 3, "identifiable": [1]})
save("none", {"schema": "tan-results/1", "cells": 5})
save("newer", {"schema": "tan-results/2", "cells": []})
save("list", [1, 2])
save("unknown", {"schema": "else/1"})
open(f"{d}/nan.json", "w").write('{"schema":"tan-results/1","cells":[{"a":NaN}]}')
open(f"{d}/empty.json", "w").write("")
open(f"{d}/cut.json", "w").write('{"schema":"tan-results/1","cells":[{"topo":"nt')
PYTHON
for file in script many parents deep huge types vast figures placed ring models sizeless misfit none; do
    report "$dir/$file.json" -o "$dir/$file.html" || fail "$file: $(cat "$dir/out")"
    harmless "$dir/$file.html" "$file"
done
[ -e "$dir/touched" ] && fail 'gnuplot ran a command out of a file'
[ "$(wc -c <"$dir/many.html")" -le 2000000 ] || fail 'many cells are not summarised'

# What cannot be shown is named, and the rest is shown.
refused()
{
    report "$dir/$1.json" "$dir/predict.json" -o "$dir/rest.html"
    status=$?
    [ "$status" -eq 1 ] || fail "$1: exit status $status"
    grep -qF "$2" "$dir/out" || fail "$1: $(cat "$dir/out")"
    grep -q 'Predicted waves' "$dir/rest.html" || fail "$1: the rest is not shown"
    rm -f "$dir/rest.html"
}
refused newer 'nothing can be shown of tan-results/2; tan-report --help lists what can'
refused list 'there is no schema in it'
refused unknown 'nothing can be shown of else/1'
refused nan 'not valid JSON'
refused empty 'not valid JSON'
refused cut 'not valid JSON'
report "$dir/empty.json" -o "$dir/rest.html"
[ $? -eq 1 ] && [ ! -e "$dir/rest.html" ] || fail 'a page of nothing was written'
if [ -c /dev/full ]; then
    report "$dir/predict.json" -o /dev/full && fail 'a full disk is not noticed'
    grep -q 'No space left' "$dir/out" || fail "a full disk: $(cat "$dir/out")"
fi

well_formed "$dir"/bodies/*
exit $((failures > 0))
