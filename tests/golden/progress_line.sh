#!/usr/bin/env bash
# On a terminal a study says how far it has come before the first of its lives is over, and takes the
# line away at the end. Ctrl-C takes it away too, says one thing, and leaves no file.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${SOURCE_DIR:?the source tree}"
. "$SOURCE_DIR/tests/support/needs_terminal.sh"
hindcast=$(realpath "$HINDCAST")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" >&2; exit 1; }
run() { python3 "$SOURCE_DIR/tests/support/on_terminal.py" "$@" >seen; }

# One life, of a second or so: a million nodes for 31 years.
cat >long.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 1, "seed": 1,
 "job": {"nodes": 1000000, "gpus_per_node": 8, "horizon_d": 11574},
 "faults": {"any": {"class": "explicit", "per_1000_node_days": 0.4, "remedy": "reattempt"}},
 "checkpoint": {"mode": "async", "every_s": 60}, "startup": {"full_s": 10}}
END

run '' "$hindcast" simulate -o whole.txt long.json
[ "$(tail -n 1 seen)" = 0 ] || fail "a study on a terminal: $(cat seen)"
grep -q 'simulate: 0 of 1 replicas and [0-9]* % of the next' seen || fail "no share of the first life: $(cat seen)"
head -n 1 seen | grep -q '\\r\\x1b\[K$' || fail "the line stays: $(cat seen)"
"$hindcast" simulate -o piped.txt long.json 2>notes
[ ! -s notes ] || fail "progress where there is no terminal"
cmp whole.txt piped.txt || fail "who looks changes the life"
run '' "$hindcast" simulate -q -o quiet.txt long.json
[ "$(cat seen)" = $'\n0' ] || fail "--quiet draws"

mkdir stopped
run 'of the next' "$hindcast" simulate --replicas 50 --html stopped/page.html -o stopped/answer.txt long.json
[ "$(tail -n 1 seen)" = 130 ] || fail "after Ctrl-C the status is $(tail -n 1 seen)"
head -n 1 seen | grep -q '\^C\\r\\x1b\[Khindcast: interrupted\\r\\n$' || fail "Ctrl-C leaves: $(cat seen)"
[ -z "$(ls -A stopped)" ] || fail "Ctrl-C leaves $(ls -A stopped)"
