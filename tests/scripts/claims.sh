# claims.sh - README and results/ agree with the files beside them, and deviations are found
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
# sanitized: no
set -u
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
tools/claims || exit 1

# page COMMAND LINE...: a page that shows these lines of the command, and what is said of it
page()
{
    {
        printf '<!-- $ %s -->\n\n' "$1"
        shift
        printf '    %s\n' "$@"
        printf '\n<!-- end -->\n'
    } >"$T/page.md"
    tools/claims "$T/page.md" >"$T/out" 2>&1
}
page 'echo one; echo two' one two || { echo "not so"; cat "$T/out"; exit 1; }
! page 'echo one; echo two' one three || { echo "another line is not seen"; exit 1; }
grep -q '^-three$' "$T/out" && grep -q '^+two$' "$T/out" || { echo "not said where"; cat "$T/out"; exit 1; }
! page 'echo one; exit 1' one || { echo "a command that fails is not seen"; exit 1; }
! page true one || { echo "a command that prints nothing is not seen"; exit 1; }
page 'echo one' x
tools/claims --write "$T/page.md" >/dev/null && grep -qx '    one' "$T/page.md" || { echo "not written"; exit 1; }

# sentence COMMAND TEXT: the same of a text
sentence()
{
    printf '<!-- $ %s -->\n%s\n<!-- end -->\n' "$1" "$2" >"$T/page.md"
    tools/claims "$T/page.md" >"$T/out" 2>&1
}
sentence 'echo 3 to 4 %' 'It is off by 3 to
4 %, which is little.' || { echo "a sentence is not so"; cat "$T/out"; exit 1; }
! sentence 'echo 3 to 5 %' 'It is off by 3 to 4 %.' || { echo "another sentence is not seen"; exit 1; }
grep -q '^+3 to 5 %$' "$T/out" || { echo "not said what"; cat "$T/out"; exit 1; }
! tools/claims --write "$T/page.md" >/dev/null || { echo "a sentence is written"; exit 1; }

! sentence 'echo 3 to 4 %' 'It is off by 3 to 4 %, and once by 9.5 %.' || { echo "a share in a text is not seen"; exit 1; }
grep -q 'nothing prints: .*9.5 %' "$T/out" || { echo "not said which"; cat "$T/out"; exit 1; }

# loose TEXT: the same beside a table
loose()
{
    {
        printf '<!-- $ echo 4 %% -->\n\n    4 %%\n\n<!-- end -->\n\n'
        printf '%s\n' "$1"
    } >"$T/page.md"
    tools/claims "$T/page.md" >"$T/out" 2>&1
}
loose 'A tree of 2x4 with 95 % intervals; `--rate 4%`.' || { echo "a page is not so"; cat "$T/out"; exit 1; }
for text in 'It is 4 % faster.' 'Twice, in
4.5 % of cases.' '- It takes 7.2 times as long.' '| a | ten times |'; do
    ! loose "$text" || { echo "a share in no text is not seen: $text"; exit 1; }
done

# transcript LINE...
transcript()
{
    {
        printf '<!-- $ -->\n\n'
        printf '    %s\n' "$@"
        printf '\n<!-- end -->\n'
    } >"$T/page.md"
    tools/claims "$T/page.md" >"$T/out" 2>&1
}
transcript '$ seq 5' 1 ... 4 5 '$ echo one' one || { echo "a transcript is not so"; cat "$T/out"; exit 1; }
! transcript '$ seq 5' 1 ... 3 '$ echo one' one || { echo "another transcript is not seen"; exit 1; }
! transcript '$ seq 5' 1 2 || { echo "lines that a transcript lacks are not seen"; exit 1; }
# rewritten WHAT LINE...: what --write makes of the transcript
rewritten()
{
    tools/claims --write "$T/page.md" >"$T/out" || { echo "not written: $1"; cat "$T/out"; exit 1; }
    shift
    printf '    %s\n' "$@" >"$T/wanted"
    grep '^    ' "$T/page.md" | diff "$T/wanted" - || exit 1
}
! transcript '$ echo Best: 16x16; echo It takes 41 us; seq 9; echo Note' 'Best: 8x8' 'It took 40 us' ... 8 9 Note ||
    { echo "an old transcript passes"; exit 1; }
rewritten 'a transcript' '$ echo Best: 16x16; echo It takes 41 us; seq 9; echo Note' 'Best: 16x16' 'It takes 41 us' ... 8 9 Note
! transcript '$ printf "a\nThe tree of 12\nb\n"' ... 'The tree of 13' ... || { echo "an old line passes"; exit 1; }
rewritten 'a line' '$ printf "a\nThe tree of 12\nb\n"' ... 'The tree of 12' ...
echo text >"$T/page.md"
! tools/claims "$T/page.md" >/dev/null || { echo "a page without tables passes"; exit 1; }
