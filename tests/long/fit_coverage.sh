#!/usr/bin/env bash
# How often the intervals of fitted parameters hold what was planted, over 50 small clusters: at least 90 %
# of all, and of each kind of parameter no fewer than exact intervals of 95 % would leave in one of a
# hundred such tests. Other seeds may be named: fit_coverage.sh 201 250.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
first=${1:-1} last=${2:-50}
checks=$(mktemp)
trap 'rm -f "$checks"' EXIT
HINDCAST_SEEDS=$(seq -s ' ' "$first" "$last") bash "$root/tests/golden/fit_cluster.sh" >"$checks"
awk -v first="$first" -v last="$last" '
    # The probability that so few or fewer of n hold, of 95 % each.
    function few(held, n,    k, term, sum) {
        term = 0.05 ^ n
        for (k = 0; k <= held; k++) {
            sum += term
            term *= (n - k) / (k + 1) * 0.95 / 0.05
        }
        return sum
    }
    { n[$1]++; n["all"]++; held[$1] += $2 == "held"; held["all"] += $2 == "held" }
    END {
        for (name in n) {
            printf "fit_coverage: seeds %d to %d: %-22s %4d of %4d held, %5.1f %%\n", first, last, name, held[name], n[name],
                100 * held[name] / n[name]
            if (name != "all" && n[name] < 200 && few(held[name], n[name]) < 0.01)
                missed = missed " " name
        }
        if (held["all"] < 0.9 * n["all"])
            missed = missed " all"
        if (missed != "") {
            print "fit_coverage: too few:" missed
            exit 1
        }
    }' "$checks" | sort
exit "${PIPESTATUS[0]}"
