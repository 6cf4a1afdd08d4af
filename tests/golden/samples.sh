#!/usr/bin/env bash
# data/samples holds what its README's commands write, to the byte, with one thread or several.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
for threads in 1 3; do
    OMP_NUM_THREADS=$threads "$root/scripts/make-samples" --check
done
