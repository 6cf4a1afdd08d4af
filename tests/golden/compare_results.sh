#!/bin/sh
# The judge of the published results must itself tell equal from different.
set -u
: "${COMPARE_RESULTS:?must name compare_results}"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0

# expect EXIT OURS PUBLISHED TEXT_IN_THE_OUTPUT
expect() {
    printf '%s' "$2" >"$dir/ours.json"
    printf '%s' "$3" >"$dir/published.json"
    "$COMPARE_RESULTS" "$dir/ours.json" "$dir/published.json" >"$dir/out" 2>&1
    code=$?
    if [ "$code" -ne "$1" ] || ! grep -q -- "$4" "$dir/out"; then
        echo "FAIL: '$2' and '$3': exit $code, expected $1 and '$4'; printed:"
        cat "$dir/out"
        failures=$((failures + 1))
    fi
}

expect 0 '{"a": {"1": 1.000009}}' '{"a": {"1": 1.0}}' 'relative error 9e-06 at /a/1; same key order'
expect 1 '{"a": {"1": 1.000011}}' '{"a": {"1": 1.0}}' '/a/1: 1.0000'
expect 0 '{"Ms": 0.000009}' '{"Ms": 0.0}' 'absolute error 9e-06 at /Ms'
expect 1 '{"add": 0.000011}' '{"add": 0.0}' '/add: '
expect 1 '{"tadd": 0.000009}' '{"tadd": 0.0}' '/tadd: '
expect 1 '{"n": 4}' '{"n": 5}' '/n: values differ'
expect 1 '{"n": 4}' '{"n": 4.0}' '/n: an integer, published a real'
expect 1 '{"n": null}' '{"n": 4.0}' '/n: null, published a real'
expect 1 '{"n": 1.0}' '{"n": 1.0, "m": 1.0}' '/m: only in the published'
expect 1 '{"n": 1.0, "m": 1.0}' '{"n": 1.0}' '/m: only in ours'
expect 0 '{"n": 1.0, "m": 1.0}' '{"m": 1.0, "n": 1.0}' 'key order differs in 1 maps, first at /n'
expect 1 '[1.0, 2.0]' '[1.0]' 'different length'
expect 1 '{"s": "a"}' '{"s": "b"}' '/s: values differ'
expect 3 '{"s": ' '{"s": "b"}' 'ours.json'
[ "$failures" -eq 0 ]
