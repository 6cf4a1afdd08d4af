#!/usr/bin/env bash
# Each file of tests/scenarios/wrong is refused with the messages that stand in .expected beside it, and
# exit status 3. HINDCAST_REFRESH=1 writes these: read the diff before you commit it.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
cd "$root/tests/scenarios/wrong"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0 n_failed=0
for file in *.json; do
    code=0
    "$hindcast" scenario check "$file" >"$work/out" 2>"$work/err" || code=$?
    expected=${file%.json}.expected
    n=$((n + 1))
    [ "${HINDCAST_REFRESH:-}" != 1 ] || cp "$work/out" "$expected"
    if [ "$code" != 3 ] || ! [ -s "$work/out" ] ||
        ! grep -qx "hindcast: '$file' cannot be run" "$work/err" ||
        ! diff -u "$expected" "$work/out"; then
        echo "FAIL: $file: exit status $code: $(cat "$work/err")"
        n_failed=$((n_failed + 1))
    fi
done
for expected in *.expected; do
    [ -e "${expected%.expected}.json" ] || { echo "FAIL: $expected is of no file"; n_failed=$((n_failed + 1)); }
done
echo "$n wrong scenarios, $n_failed not as expected"
[ "$n" -ge 60 ] && [ "$n_failed" = 0 ]
