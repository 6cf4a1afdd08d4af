#!/usr/bin/env bash
# Every scenario of examples/scenarios is right, runs (with few replicas), is explained in README.md there,
# and answers as itself when it is printed as one document. What replays a recorded trace is only looked for
# in README.md: infinitehbd_replay.sh runs it.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Beside data/, where scenarios on steps look for their traces.
mkdir -p "$work/examples/scenarios"
cp "$root"/examples/scenarios/*.* "$work/examples/scenarios"
ln -s "$root/data" "$work/data"
cd "$work/examples/scenarios"
n=0 n_failed=0
fail() { echo "FAIL: $*"; n_failed=$((n_failed + 1)); }
for file in "$root"/examples/scenarios/*.json*; do
    file=${file##*/}
    n=$((n + 1))
    grep -q "^| \[${file%.json*}\]($file) |" README.md || fail "$file is not in README.md"
    ! grep -q '"fault_trace.json"' "$file" || continue
    few=(--replicas 3)
    ! grep -q '"kind": "replay"' "$file" || few=() # its replicas are steps
    "$hindcast" scenario check "$file" >out || { fail "$file is not right"; cat out; }
    "$hindcast" simulate "${few[@]}" "$file" >text || fail "$file does not run"
    [ "$(wc -l <text)" -ge 5 ] || fail "$file gives no answer"
    "$hindcast" simulate --json "${few[@]}" "$file" >figures || fail "$file does not run with --json"
    grep -q '"question": "' figures || fail "$file asks nothing"
    "$hindcast" scenario show "$file" >plain_document.json
    "$hindcast" scenario check plain_document.json >/dev/null || fail "$file, printed, is not right"
done
while read -r name; do
    [ -e "$name" ] || fail "README.md explains '$name', which is not there"
done < <(sed -n 's/^| \[[a-z0-9-]*\](\([a-z0-9-]*\.jsonc*\)) |.*/\1/p' README.md)
echo "$n scenarios, $n_failed failures"
[ "$n" -ge 26 ] && [ "$n_failed" = 0 ]
