#!/usr/bin/env bash
# Segments with false headers and right checksums, of which libhdf5 1.10.8 crashed (some only where
# its memory was watched): one that the manifest does not name changes nothing, and one that stands
# for a named segment is a damaged one of its archive, and no more.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "FAIL: $*"
    exit 1
}
status_of() { # COMMAND...: its exit status; what it says is in the file said
    local status=0
    "$hindcast" "$@" >said 2>&1 || status=$?
    echo "$status"
}
"$hindcast" synth steps -q --dp 1 --pp 2 -o trace-a.csv
"$hindcast" ingest -q -a archive trace-a.csv >/dev/null
segment=$(echo archive/segments/*.h5)
cp "$segment" whole
unnamed=archive/segments/default~false~0.0123456789ab.h5
n=0
for false in "$root"/tests/fuzz/corpus/segment/libhdf5-*.h5; do
    cp "$false" "$unnamed"
    status=$(status_of check -a archive)
    [ "$status" = 0 ] || fail "check with an unnamed ${false##*/}: status $status: $(cat said)"
    grep -q "${unnamed#archive/}: unpublished: " said || fail "check does not tell of ${false##*/}"
    rm "$unnamed"
    cp --remove-destination "$false" "$segment"
    status=$(status_of check -a archive)
    [ "$status" = 1 ] || fail "check of ${false##*/}: status $status: $(cat said)"
    status=$(status_of whatif -a archive --all --no-cache)
    [ "$status" -le 1 ] || fail "whatif --all of ${false##*/}: status $status: $(cat said)"
    cp --remove-destination whole "$segment"
    n=$((n + 1))
done
[ "$n" -ge 6 ] || fail "the corpus has $n such segments only"
echo "$n false segments"
