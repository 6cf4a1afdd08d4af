#!/bin/bash
# Run one golden case: tests/cli/run_case.sh CASE.sh
#
# CASE.sh runs in an empty directory, with `hindcast` (HINDCAST) on the PATH and SOURCE_DIR set. What
# it writes and its exit code must be those in CASE.out, CASE.err and CASE.exit beside it, where CWD
# stands for that directory and SOURCE_DIR for the tree.
# HINDCAST_REFRESH=1 writes these files instead: read the diff before you commit it.
set -eu
case=$(realpath "$1")
expected=${case%.sh}
: "${HINDCAST:?the program to test}" "${SOURCE_DIR:?the source tree}"

work=$(realpath "$(mktemp -d)")
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/cwd"
# What the case names of the source tree, as a copy: messages cut long paths, and a tree may be read-only.
for part in data/samples examples tests/fixtures tests/scenarios tests/support; do
    if grep -q "/$part" "$case"; then
        mkdir -p "$(dirname "$work/tree/$part")"
        cp -r "$SOURCE_DIR/$part" "$work/tree/$part"
        chmod -R u+w "$work/tree"
    fi
done
SOURCE_DIR=$work/tree
ln -s "$(realpath "$HINDCAST")" "$work/bin/hindcast"
export PATH="$work/bin:$PATH" SOURCE_DIR LC_ALL=C.UTF-8 TZ=UTC
unset HINDCAST_ARCHIVE HINDCAST_SITE OMP_NUM_THREADS

code=0
(cd "$work/cwd" && bash -eu "$case") >"$work/out" 2>"$work/err" </dev/null || code=$?
if [ "$code" = 77 ]; then # the machine lacks what the case needs, which it says
    cat "$work/out"
    exit 77
fi
echo "$code" >"$work/exit"
# Where the tree and the working directory are is no part of what is expected, nor what was built with what.
plain() { sed 's/[][\.*^$|]/\\&/g' <<<"$1"; } # as a pattern that means itself
sed -i -e "s|$(plain "$work/cwd")|CWD|g" -e "s|$(plain "$SOURCE_DIR")|SOURCE_DIR|g" \
    -e 's|^\( *"commit": \)"[^"]*"|\1"COMMIT"|; s|^\( *"libraries": \)"[^"]*"|\1"LIBRARIES"|' "$work/out" "$work/err"

if [ "${HINDCAST_REFRESH:-}" = 1 ]; then
    for part in out err exit; do cp "$work/$part" "$expected.$part"; done
    exit 0
fi
failed=0
for part in exit err out; do
    diff -u --label "expected $part" --label "actual $part" "$expected.$part" "$work/$part" || failed=1
done
exit $failed
