# debian.sh - the tree builds a Debian package without errors of lintian, whose programs run
# SPDX-License-Identifier: GPL-3.0-or-later
# ci
# long
# sanitized: no
set -eu
for tool in git dh lintian; do
    command -v $tool >/dev/null || { echo "needs $tool"; exit 77; }
done
dir=$(mktemp -d -p /tmp) # make reads no names with blanks, which TMPDIR may have
trap 'rm -rf "$dir"' EXIT
archive=tan-$VERSION.tar.gz

git rev-parse --git-dir >/dev/null 2>&1 || { echo 'this is no checkout'; exit 77; }

# clean COMMAND...: without the settings of the build that is tested
clean()
{
    env -i PATH="$PATH" HOME="$dir" LC_ALL=C.UTF-8 "$@"
}

# The archive of a commit is the same each time.
clean make --silent dist BUILD="$dir" >/dev/null
mv "$dir/$archive" "$dir/first"
sleep 1
clean make --silent dist BUILD="$dir" >/dev/null
cmp "$dir/first" "$dir/$archive"

# The package is that of this tree, with all in it that git does not ignore.
mkdir "$dir/tan-$VERSION"
git ls-files -z --cached --others --exclude-standard --deduplicate |
    tar -c --null --ignore-failed-read -T - 2>/dev/null | tar -x -C "$dir/tan-$VERSION"
cd "$dir/tan-$VERSION"

# Without unit tests, which are tests of their own, and debugging information, which would be thrown away.
clean DEB_CFLAGS_STRIP=-g DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$(nproc)" \
    dpkg-buildpackage --no-sign --build=binary >"$dir/log" 2>&1 || { tail -n 30 "$dir/log"; exit 1; }
clean lintian --allow-root --fail-on error "$dir"/tan_"$VERSION"_*.changes || exit 1

dpkg --extract "$dir"/tan_"$VERSION"_*.deb "$dir/root"
export PATH="$dir/root/usr/bin:$PATH" HOME="$dir"
cd "$dir"
[ "$(tan-design --version)" = "tan-design $VERSION" ]
tan-design --leaves 4096 | grep '^The best tree for 4096 leaves is 16x16x16: '
tanbench --topo chain:3 --max-time 1s | grep '^chain:3 '
man -l "$dir/root/usr/share/man/man1/tan-design.1.gz" | grep -e --leaves >/dev/null
echo ok
