#!/usr/bin/env bash
# The version of each figure's method stands in a result, and what is not at 1 is told in the page of the
# method, with what it was before.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${SOURCE_DIR:?the source tree}"
hindcast=$(realpath "$HINDCAST")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" >&2; exit 1; }
# agrees PAGE LEAST: result.json has at least so many figures, and PAGE tells those that are not at 1.
agrees() {
    sed -nE 's/^ *\{"name": "([a-z_]+)".*"method": ([0-9]+).*/\1 \2/p' result.json | LC_ALL=C sort >told
    [ "$(wc -l <told)" -ge "$2" ] || fail "$1: not all figures say their method"
    awk '$2 != 1' told >changed
    awk '/^### Versions of their methods/ { inside = 1 } /^## / { inside = 0 } inside' \
        "$SOURCE_DIR/docs/methods/$1" | sed -nE 's/^\| `([a-z_]+)` \| ([0-9]+) \| .+ \| 1: .+ \|$/\1 \2/p' |
        LC_ALL=C sort >documented
    diff documented changed || fail "docs/methods/$1 tells other versions than the program"
}
"$hindcast" simulate --json --replicas 2 --set /report/price_per_gpu_h=2 -o result.json preset:meta-rsc2
agrees lifetime.md 31
"$hindcast" simulate --json -o result.json "$SOURCE_DIR/examples/scenarios/step-swap.jsonc"
agrees step-scenarios.md 10
