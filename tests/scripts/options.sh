# options.sh - commands, options and shapes agree between help, man pages and completion
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
# shellcheck disable=SC2086  # commands may be two words
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bin=$(cd "$BUILD/bin" && pwd) || exit 1
PATH=$bin:$PATH
completion=$PWD/docs/completion/tan.bash
bad=0

complain() # TEXT
{
    echo "$1"
    bad=1
}

# same WHAT FILE OTHER-WHAT OTHER-FILE
same()
{
    diff -u --label "$1" --label "$3" "$dir/$2" "$dir/$4" || bad=1
}

# What is installed: no page names one of ours that is not there, and none has faults.
for source in docs/man/*.[1-9] sim/docs/man/*.[1-9]; do
    page=${source##*/}
    tools/man-page "$source" >"$dir/$page" || bad=1
    sed -n -E 's/^\.(It )?Xr (tan[a-z0-9-]*) ([1-9]).*/\2.\3/p' "$dir/$page" >"$dir/others"
    while read -r other; do
        [ -e "docs/man/$other" ] || [ -e "sim/docs/man/$other" ] || complain "$source names $other, which is not there"
    done <"$dir/others"
    # mdoc joins a delimiter that is a word to the word before.
    grep -n '^\.D[l1] .* [].,:;?!)(|[]\( \|$\)' "$dir/$page" >"$dir/joined" &&
        complain "$source: a delimiter needs \\& before it: $(cat "$dir/joined")"
    for lint in 'groff -z -man -Tutf8 -ww' 'mandoc -T lint -W warning'; do
        command -v ${lint%% *} >/dev/null || continue
        $lint "$dir/$page" >"$dir/faults" 2>&1
        [ ! -s "$dir/faults" ] || complain "$source: $(cat "$dir/faults")"
    done
done

# All that the help says of a command, or of a program's own options.
full_help() # PROGRAM [COMMAND]
{
    program=$1
    shift
    "$program" help "${@:-all}" </dev/null
}

# Both give one line per option: "-l --leaves=N", "--help".
help_options() # PROGRAM [COMMAND]
{
    full_help "$@" |
        sed -n -E 's/^  (-[A-Za-z0-9]), (--[^ ]+)( .*)?$/\1 \2/p; s/^      (--[^ ]+)( .*)?$/\1/p' | sort -u
}

# An option is an item ".It Fl l , Fl -leaves Ns = Ns Ar N" of the man page's lists.
man_options() # PAGE
{
    sed -n -E '/^\.It Fl/ { s/^\.It //; s/Fl -/--/g; s/Fl /-/g; s/ ,//; s/ Ns = Ns Ar /=/g; p; }' \
        "$dir/$1" | sort
}

# What the shell offers for the last word, in a folder without files.
completed() # PROGRAM WORD...
{
    (
        mkdir -p "$dir/empty" && cd "$dir/empty" || exit
        bash -c '. "$0"
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
            "$(complete -p "$1" | sed "s/.*-F \([^ ]*\).*/\1/")" "$1" "${@: -1}" "${@: -2:1}"
            printf "%s\n" "${COMPREPLY[@]}"' "$completion" "$@"
    ) | sed 's/[= ]*$//' | sort
}

check_options() # PROGRAM [COMMAND]
{
    page=$(echo "$*.1" | tr ' ' -)
    help_options "$@" >"$dir/help"
    man_options "$page" >"$dir/man"
    sed -E 's/^-. //; s/=.*//' "$dir/help" | sort >"$dir/long"
    completed "$@" -- >"$dir/completion"
    same "$* --help" help "docs/man/$page" man
    same "$* --help" long "completion of $*" completion
    [ "$(wc -l <"$dir/help")" -ge 3 ] || complain "$* --help lists too few options to be true"
}

# Names of commands: those that the help lists, that the overview lists, that have a page if it names one.
check_commands() # PROGRAM
{
    "$1" --help </dev/null |
        sed -n -E '/^Commands:/,/^$/s/^  ([^ ]+( [^ ]+)?)(  .*)?$/\1/p' >"$dir/commands"
    sed "s/^/$1-/; s/ /-/g" "$dir/commands" | sort >"$dir/named"
    sed -n -E "/^\.Sh COMMANDS/,/^\.Sh OPTIONS/s/^\.It Cm ([a-z]+)\$/$1-\1/p; s/^\.It Xr ($1-[^ ]+) 1\$/\1/p" \
        "$dir/$1.1" | sort >"$dir/listed"
    sed -n -E "s/^\.It Xr ($1-[^ ]+) 1\$/\1/p" "$dir/$1.1" | sort >"$dir/paged"
    find docs/man sim/docs/man -name "$1-*.1" | sed 's/.*\///; s/\.1$//' | sort >"$dir/pages"
    same "commands in $1 --help" named "commands in docs/man/$1.1" listed
    same "pages that docs/man/$1.1 names" paged "pages in docs/man" pages
}

for program in tanbench tan-sim tan-design tan-fit tan-report; do
    check_commands "$program"
    while read -r command; do
        [ "$program" = tan-design ] || check_options "$program" $command
        last=${command##* }
        completed "$program" ${command%"$last"} "$last" | grep -q -x -e "$last" ||
            complain "the completion lacks the command $program $command"
    done <"$dir/commands"
done
for program in tan-design tan-fit tan-report; do # have options of their own
    check_options "$program"
done
for program in tanbench tan-sim; do # without a command, they run
    completed "$program" -- >"$dir/completion"
    completed "$program" run -- >"$dir/long"
    same "completion of $program run" long "completion of $program" completion
done

# tan-trace is a script with short options only.
tan-trace --help | sed -n -E 's/^  (-[a-z]) .*/\1/p' | sort >"$dir/long"
sed -n -E 's/^\.Op Fl ([a-z])( Ar .*)?$/-\1/p' "$dir/tan-trace.1" | sort >"$dir/man"
completed tan-trace - | grep -v -x -e -h -e --help >"$dir/completion"
same 'tan-trace --help' long sim/docs/man/tan-trace.1 man
same 'tan-trace --help' long 'completion of tan-trace' completion
[ "$(wc -l <"$dir/long")" -ge 2 ] || complain "tan-trace --help lists too few options to be true"

offers() # WORD COMPLETED...
{
    word=$1
    shift
    completed "$@" | grep -q -x "$word" || complain "the completion of $* lacks $word"
}

offers mpich tan-trace -m ''
offers tan-sim tan-trace -o x tan-si
offers slurm-sbcast tan-design --target ''
offers csv tan-design --format ''
offers round tan-sim run --sweep ''
offers joint tan-fit --method ''
offers real tanbench --network ''
offers concat tan-design --growth ''
offers chain: tan-design --compare ''

# The effort of calibrate and validate by default, as help and page say, is what they plan with.
check_effort() # COMMAND [OPERAND]
{
    command=$1
    effort=
    tanbench help "$1" </dev/null | tr -s ' \n' '  ' >"$dir/help"
    for option in min-waves max-time passes; do
        value=$(sed -n "s/.*--$option=[^(]*([^)]*calibrate and validate: \([0-9a-z]*\)).*/\1/p" "$dir/help")
        sed -n "/^\.It Fl .*-$option /,/^\.It/p" "$dir/tanbench-$command.1" | tr '\n' ' ' |
            grep -q "The default is [0-9a-z]*, but $value in \.Cm calibrate and \.Cm validate" ||
            complain "--$option: tanbench $command --help says $value, its page does not"
        effort="$effort --$option $value"
    done
    tr '\n' ' ' <"$dir/tanbench-$command.1" |
        grep -q "$(echo "$effort" | sed 's/ *--[a-z-]* \([^ ]*\)/\1 /g' |
            (read -r waves time passes; echo "$passes passes of at least $waves waves and at most $time each"))" ||
        complain "docs/man/tanbench-$command.1 does not describe$effort"
    tanbench "$@" --dry-run >"$dir/planned"
    tanbench "$@" --dry-run $effort >"$dir/described"
    [ "$(sed 1q "$dir/planned")" = "$(sed 1q "$dir/described")" ] ||
        complain "tanbench $command does not plan with$effort: $(sed 1q "$dir/planned")"
}

check_effort calibrate --max-leaves 4
check_effort validate "$PWD/configs/cab.json" --shapes 1 --processes 3..4

# Words of a list in the help are in one of the pages, and offered by the shell.
check_words() # LIST LEAST PAGES PROGRAM COMMAND [OPTION]
{
    list=$1 least=$2 pages=$3
    shift 3
    words=$("$1" help "$2" </dev/null | sed -n -E "/^$list/,/^\$/s/^  ([a-z][a-z0-9.-]*:?).*/\1/p")
    [ "$(echo "$words" | wc -l)" -ge "$least" ] || complain "only these in the help: $words"
    completed "$@" '' >"$dir/completion"
    (cd "$dir" && cat $pages) >"$dir/words"
    for word in $words; do
        grep -q -E "Cm ${word%:}( |:|\$)" "$dir/words" || complain "no ${word%:} in $pages"
        grep -q -x -F "$word" "$dir/completion" || complain "the completion of $* lacks $word"
    done
}

check_words SPECs 11 tan.7 tan-design predict
check_words Topologies: 13 'tan.7 tanbench-run.1' tanbench run
check_words Trees 11 tan.7 tan-sim run --topo
check_words Patterns 14 tan-sim.1 tan-sim run --pattern
check_words Noise 7 tan-sim-run.1 tan-sim run --noise
check_words Filters 6 tanbench-run.1 tanbench run --filter
check_words 'How to wait' 5 tanbench-run.1 tanbench run --wait
check_words Models 4 tan.7 tan-design predict --model
check_words Formats 6 tan-design.1 tan-design convert --format

# Shipped files are those that a refusal lists.
tan-design --leaves 2 --machine nothing 2>&1 | sed -n 's/.* there are //p' | tr -d , >"$dir/machines"
[ "$(wc -w <"$dir/machines")" -ge 5 ] || complain "only these machines: $(cat "$dir/machines")"
for machine in $(cat "$dir/machines"); do
    [ -e "configs/$machine.json" ] || complain "no configs/$machine.json"
    offers "$machine" tan-design --machine ''
    for page in tan-design.1 tanbench-run.1; do
        grep -q -w -e "$machine" "$dir/$page" || complain "no $machine in docs/man/$page"
    done
done
for platform in configs/platforms/*.xml; do
    basename "$platform" .xml
done >"$dir/platforms"
while read -r platform; do
    offers "$platform" tanbench --platform ''
done <"$dir/platforms"
if ! tanbench --platform nothing chain:1 2>"$dir/refusal" && ! grep -q 'built without' "$dir/refusal"; then
    sed -n 's/.* is not one of //p' "$dir/refusal" | tr -d , | tr ' ' '\n' >"$dir/named"
    same 'configs/platforms' platforms 'tanbench --platform nothing' named
    tanbench --platform ./crossbar chain:1 2>&1 | grep -q 'cannot read ./crossbar' ||
        complain '--platform ./crossbar is a path'
fi
# Other shells offer the same words, in this folder and where they are installed.
installed=$dir/installed/share
mkdir -p "$installed/bash-completion/completions" "$installed/fish" "$installed/zsh"
cp "$completion" "$installed/bash-completion/completions/tanbench"
mkdir "$installed/fish/vendor_completions.d" "$installed/zsh/site-functions"
cp docs/completion/tan.fish "$installed/fish/vendor_completions.d/tanbench.fish"
cp docs/completion/_tan "$installed/zsh/site-functions"

in_fish() # FILE LINE
{
    fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$1" "$2" | sort
}

in_zsh() # FILE LINE
{
    zsh -f -c 'compadd() { [[ $1 != -S ]] || shift 2; shift; (( $# == 0 )) || print -l -- "$@" }
        fpath=(${1:h} $fpath) words=(${(z)2}) CURRENT=$#words
        autoload -U +X _tan && _tan' zsh "$1" "$2" | sort
}

same_words() # WORDS LINE
{
    echo "$1" | tr ' ' '\n' | sort >"$dir/wanted"
    for file in docs/completion/tan.fish "$installed/fish/vendor_completions.d/tanbench.fish" \
        docs/completion/_tan "$installed/zsh/site-functions/_tan"; do
        case $file in *fish) shell=fish ;; *) shell=zsh ;; esac
        command -v $shell >/dev/null || continue
        "in_$shell" "$file" "$2" >"$dir/words"
        cmp -s "$dir/wanted" "$dir/words" ||
            complain "$shell offers for '$2': $(tr '\n' ' ' <"$dir/words")"
    done
}
same_words 'validate' 'tanbench va'
same_words '--filter=' 'tanbench run --fil'
same_words '--filter=sum' 'tanbench run --filter=s'
same_words '--topo=binary: --topo=binomial:' 'tanbench --topo=bi'
same_words 'flux' 'tan-design --target fl'
same_words 'docs/man/' 'tan-report --output docs/ma'
same_words 'mpich' 'tan-trace -m mp'
exit $bad
