#!/usr/bin/env bash
# 160 shapes of synthetic profiler traces against their truth (golden/synth_shapes.bash).
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
. "$root/tests/golden/synth_shapes.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
# shellcheck disable=SC2046
try_shapes $(seq 0 159)
echo "$n_tried shapes, $n_asked of them with a planted rank that counts, $n_wrong wrong"
[ "$n_wrong" = 0 ] && [ "$n_tried" = 160 ] && [ "$n_asked" -ge 80 ]
