# how_to_add.sh - in a copy of the tree, what CONTRIBUTING.md says of adding things is done and is enough
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
# long
# sanitized: no
# The copy is built twice. First steps are left out or wrong, which the tests that the sections name
# must notice; then all is right, and no output may change but where the sections say so.
set -u
case $BUILD in
/*) echo "BUILD is outside of the tree, so a copy of the tree cannot go on from it"; exit 77 ;;
esac
T=$(mktemp -d -p /tmp) || exit 1 # make reads no names with blanks, which TMPDIR may have
trap 'rm -rf "$T"' EXIT
copy=$T/copy
mkdir -p "$T/wrong" "$T/right" "$T/things" "$copy/$BUILD" || exit 1
bad=0 sections=''

complain() # TEXT
{
    echo "$1"
    bad=1
}

# The steps that follow add the thing NAME, as the section TITLE of CONTRIBUTING.md says.
thing() # TITLE NAME
{
    title=$1 name=$2 section=$T/things/$2
    sections="$sections $section"
    awk -v start="### $title: " 'index($0, start) == 1 { inside = 1; print; next } /^##/ { inside = 0 } inside' \
        CONTRIBUTING.md >"$section"
    [ -s "$section" ] || complain "CONTRIBUTING.md has no section \"$title: N\""
}

section_names() # PATH
{
    grep -q -F "\`$1\`" "$section" || complain "the section \"$title\" does not name $1"
}

# A step: puts the lines of standard input before the only line of FILE that begins with LINE, or into
# a new FILE. In the wrong tree they are what the sed command WRONG makes of them.
insert() # FILE LINE [WRONG]
{
    section_names "$(echo "$1" | sed "s/$name/NAME/")"
    echo "$1" >>"$section.files"
    cat >"$T/right.lines"
    sed "${3:-}" "$T/right.lines" >"$T/wrong.lines"
    for tree in wrong right; do
        file=$T/$tree/$1
        mkdir -p "${file%/*}"
        if [ ! -e "$1" ]; then
            cp "$T/$tree.lines" "$file"
            continue
        fi
        [ -e "$file" ] || cp "$1" "$file"
        awk -v lines="$T/$tree.lines" -v line="$2" '
            index($0, line) == 1 { n++; while ((getline new < lines) > 0) print new }
            { print }
            END { exit n != 1 }' "$file" >"$T/file" ||
            { echo "not one line of $1 begins with \"$2\": mend $0"; exit 1; }
        mv "$T/file" "$file"
    done
}

# What a test that the section names must say of the wrong tree.
fails() # TEST TEXT
{
    section_names "$1"
    echo "$1 $2" >>"$T/fails"
}

# A command that must succeed in the right tree; it may find its result doubtful.
use() # COMMAND...
{
    echo "$*" >>"$T/uses"
}

thing 'A shape of trees' wheel
insert topo/shapes.c '    {"levels", ' <<'END'
    {"wheel", "N", "wheel", build_nto1},
END
insert docs/man/tan.7 '.It Cm levels' d <<'END'
.It Cm wheel : Ns Ar N
A wheel.
END
fails script/options 'no wheel in tan.7'
use tan-design predict wheel:8

thing 'A filter' utmost
insert tanbench/plan/filter.c '    {.name = "avg"' 's/expect_last/expect_first/g' <<'END'
    {.name = "utmost",
     .help = "utmost",
     .combine = max_elements,
     .expected = expect_last},
END
insert docs/man/options/payload.mdoc '.Cm max' d <<'END'
.Cm utmost ,
END
fails script/options 'no utmost in tanbench-run.1'
fails unit/filter '  FAILED  .*every_filter_gives_the_expected_value'

thing 'A wait policy' doze
insert tanbench/ranks/wait.c '    {"park", ' <<'END'
    {"doze", "doze", false, false, receive_all, complete_polling, pause_park},
END
insert docs/man/options/wait.mdoc '.Cm auto ,' d <<'END'
.Cm doze
is another.
END
fails script/options 'no doze in tanbench-run.1'
use tanbench run --filter utmost --wait doze --min-waves 3 --max-waves 3 wheel:2

thing 'A model of waves' postal
insert model/wave/wave.h '    TAN_MODEL_LOGP_SERIAL' <<'END'
    TAN_MODEL_POSTAL,
END
insert model/wave/wave.c 'static double level_serial' 's/ + params->value.TAN_A.//' <<'END'
static double level_postal(const struct tan_params *params, int64_t fanout)
{
    return params->value[TAN_L] + params->value[TAN_A] + work_time(params, fanout);
}

END
insert model/wave/wave.c '    [TAN_MODEL_LOGP_SERIAL]' <<'END'
    [TAN_MODEL_POSTAL] = {.name = "postal", .help = "postal", .level = level_postal},
END
insert docs/man/tan.7 '.It Cm logp-serial' d <<'END'
.It Cm postal
L + a.
END
fails script/options 'no postal in tan.7'
fails unit/wave '  FAILED  .*paths_explain_the_time'
use tan-design --leaves 64 --model postal

thing 'A target' ivy
insert design/systems/rows/ivy.c '' 's/tan_knomial_split/tan_strided_knomial_split/' <<'END'
/* ivy.c - a system of the test of CONTRIBUTING.md
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "design/systems/knomial.h"
#include "design/systems/target.h"

static const struct tan_knob knobs[] = {
    {"stalks=", "radix", 2, 64, TAN_UP | TAN_DOWN, NULL, tan_knomial_split, tan_knomial_parents},
    {.name = NULL},
};

static const struct tan_default defaults[] = {
    {"default", 0, 4, NULL, NULL, NULL},
    {.name = NULL},
};

static int write_ivy(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    (void)e;
    fprintf(to, "stalks=%" PRId64 "\n", answer->up.value);
    return 0;
}

extern const struct tan_target tan_target_ivy;
const struct tan_target tan_target_ivy = {
    .name = "ivy",
    .title = "Ivy",
    .help = "stalks",
    .counts.population = TAN_ALL_MEMBERS,
    .counts.member = "leaves",
    .knobs = knobs,
    .defaults = defaults,
    .write = write_ivy,
    .comment = "#",
    .read_back = "ivy",
};
END
fails unit/targets '  FAILED  .*every_setting'
use tan-design --members 64 --target ivy

thing 'A pattern of communication' crossing
insert sim/schedule/patterns.c '    {"pipelined-ring", ' s/linear_alltoall_operations/linear_barrier_operations/ <<'END'
    {"crossing", NULL, "P", "crossing", linear_alltoall_operations, linear_alltoall},
END
insert sim/docs/man/tan-sim.1 '.It Cm pipelined-ring' d <<'END'
.It Cm crossing : Ns Ar P
A crossing.
END
fails script/options 'no crossing in tan-sim.1'
fails unit/patterns '  FAILED  .*all_end'
use tan-sim --pattern crossing:16

thing 'A distribution of noise' calm
insert sim/engine/noise.c '    {"pareto", ' <<'END'
    {"calm", "TIME", "calm", constant_quantile},
END
insert sim/docs/man/tan-sim-run.1 '.It Cm pareto' d <<'END'
.It Cm calm : Ns Ar TIME
END
fails script/options 'no calm in tan-sim-run.1'
use tan-sim --pattern crossing:16 --noise calm:1us

# The files that CONTRIBUTING.md names are there.
# shellcheck disable=SC2016  # they are no commands
grep -o '`[a-z_]*/[^` ]*`' CONTRIBUTING.md | tr -d '`' | sort -u | grep -v -e '[A-Z*]' -e '/x$' -e '[/_]x[.]' -e '^build/' |
    sed -E 's|^cli/.*|tests/&.test sim/tests/&.test|; s|^mpi/.*|tests/&.sh|; s|^script/(.*)|tests/scripts/\1.sh|; s|^unit/(.*)|tests/unit/*/test_\1.c sim/tests/unit/test_\1.c|' \
        >"$T/named"
while read -r path; do
    # shellcheck disable=SC2086,SC2012  # in one of these folders
    ls -d $path 2>/dev/null | grep -q . || complain "CONTRIBUTING.md names $path, which is not there"
done <"$T/named"

# The headings count the files.
for section in $sections; do
    read -r heading <"$section"
    count=$(sort -u "$section.files" | wc -l)
    [ "${heading##*: }" = "$count" ] || complain "\"$heading\" is $count: $(cat "$section.files")"
done
[ $bad -eq 0 ] || exit 1

# The copy goes on from what is built here.
for entry in *; do
    case $entry in
    build*) ;;
    *) cp -a "$entry" "$copy" || exit 1 ;;
    esac
done
for part in flags target-rows prefix lib obj bin mpi; do
    cp -a "$BUILD/$part" "$copy/$BUILD" || exit 1
done
cd "$copy" || exit 1

programs=$(printf "$BUILD/bin/%s " tanbench tan-design tan-fit tan-report tan-sim)
# Builds the tree, and leaves what its tests say in $T/TREE.log.
# shellcheck disable=SC2086,SC2046  # lists
try() # TREE UNIT...
{
    tree=$1
    shift
    for file in $(cd "$T/$tree" && find . -type f); do
        cmp -s "$T/$tree/$file" "$file" || cp "$T/$tree/$file" "$file"
    done
    units=$(printf '%s\n' "$@" | sort -u | sed "s|unit/|$BUILD/tests/test_|")
    make -j2 ONLY='' $programs $units >"$T/make" 2>&1 || { cat "$T/make"; exit 1; }
    ONLY='' tools/run-tests tests/scripts/options.sh $units >"$T/$tree.log" 2>&1
}

# shellcheck disable=SC2046  # a list
try wrong $(grep -o '^unit/[a-z_]*' "$T/fails")
while read -r test text; do
    awk -v test="$test" '/^[a-zA-Z]/ { inside = $2 == test } inside' "$T/wrong.log" | grep -q -e "$text" ||
        complain "$test does not say \"$text\" where a step is left out or wrong"
done <"$T/fails"
[ $bad -eq 0 ] || cat "$T/wrong.log"

# shellcheck disable=SC2046,SC2086
try right $(cat $sections | grep -o -w 'unit/[a-z_]*') || complain "$(cat "$T/right.log")"
while read -r command; do
    HOME=$T PATH=$PWD/$BUILD/bin:$PATH sh -c "$command" >"$T/out" 2>&1 </dev/null
    case $? in
    0 | 3) ;;
    *) complain "$command: $(cat "$T/out")" ;;
    esac
done <"$T/uses"

# The command line cases that show a thing are among those that its section lists, all of these have
# changed, no others have, and none has lost words (but for those that stand for others, and the columns
# that a further model drives off a full screen).
words() # FILE
{
    sed -E 's/^[>!]~? *//' "$1" | tr -s ' ,' '\n' | grep -v -e '[~*]' -e '[.][.][.]' | sort
}
mkdir "$T/cli" "$T/updated"
cp tests/cli/*.test sim/tests/cli/*.test "$T/cli"
UPDATE=1 ONLY='' tools/run-tests tests/cli/*.test sim/tests/cli/*.test >"$T/cli.log" 2>&1
cp tests/cli/*.test sim/tests/cli/*.test "$T/updated"
cd "$T/updated" || exit 1
for section in $sections; do
    tr '\n' ' ' <"$section" | grep -o 'Lists: [^.]*' | grep -o 'cli/[a-z-]*' | sed 's|cli/||; s|$|.test|' |
        sort >"$section.lists"
    grep -l -w "${section##*/}" -- *.test | comm -13 "$section.lists" - >"$T/others"
    [ ! -s "$T/others" ] || complain "not among the lists of \"$(head -n 1 "$section")\": $(cat "$T/others")"
done
for file in *.test; do
    cmp -s "$T/cli/$file" "$file" || echo "$file" >>"$T/changed"
    grep -q -x -F "$file" "$T/things/postal.lists" && continue
    words "$T/cli/$file" >"$T/before"
    words "$file" | comm -23 "$T/before" - >"$T/lost"
    [ ! -s "$T/lost" ] || complain "$file has lost these words: $(cat "$T/lost")"
done
sort -u "$T"/things/*.lists | diff -u --label CONTRIBUTING.md --label 'what has changed' - "$T/changed" || bad=1
exit $bad
