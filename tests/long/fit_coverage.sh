#!/usr/bin/env bash
# How often the intervals of fitted parameters hold what was planted, over 50 small clusters: at least 90 %
# of each kind of parameter, and of all. Seeds may be named: fit_coverage.sh 201 250.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
first=${1:-1} last=${2:-50}
checks=$(mktemp)
trap 'rm -f "$checks"' EXIT
HINDCAST_SEEDS=$(seq -s ' ' "$first" "$last") bash "$root/tests/golden/fit_cluster.sh" >"$checks"
awk -v first="$first" -v last="$last" '
    { n[$1]++; n["all"]++; held[$1] += $2 == "held"; held["all"] += $2 == "held" }
    END {
        for (name in n) {
            printf "fit_coverage: seeds %d to %d: %-22s %4d of %4d held, %5.1f %%\n", first, last, name, held[name], n[name],
                100 * held[name] / n[name]
            if (held[name] < 0.9 * n[name] && n[name] >= 20)
                few = few " " name
        }
        if (few != "") {
            print "fit_coverage: less than 90 %:" few
            exit 1
        }
    }' "$checks" | sort
exit "${PIPESTATUS[0]}"
