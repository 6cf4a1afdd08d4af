#!/usr/bin/env bash
# The lifetime engine against a second simulation, in Python, that was written from docs/methods/lifetime.md and
# docs/scenario.md alone and draws everything one by one: 60 figures of 31 scenarios, each within 3.5 standard
# errors of the difference. lifetime_independent.json has the scenarios, and the means and standard errors of the
# second simulation (1,000 lives each, `golden.py 1000`, some minutes). The program itself is not part of the
# project: whoever changes the model on purpose writes the scenario's new means with a program of their own, or takes
# the case out. Refreshing them from hindcast would make the test say nothing.
# 'pool_partial' has those of a third program, 1,000 lives, written when the rule for standbys that come while hosts are
# chosen was changed; with the rule as it was, that one gave what the second had given (28.60 standbys used, not 28.50).
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
cases=$root/tests/golden/lifetime_independent.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
n=$(jq '.cases | length' "$cases")
for ((i = 0; i < n; i++)); do
    jq ".cases[$i].scenario" "$cases" >case.json
    "$hindcast" simulate --json case.json >result.json || { echo "FAIL: case $i: exit status $?"; exit 1; }
    jq -r --slurpfile r result.json ".cases[$i] | .name as \$name | .figures | to_entries[]
        | (\$r[0].runs[0] | .figures + {replicas: .replicas}) as \$f | \$f[.key] as \$h
        | ((((\$h.sd * \$h.sd / \$f.replicas) + .value.se * .value.se) | sqrt)) as \$se
        | \"\(\$name)\t\(.key)\t\(\$h.mean)\t\(.value.mean)\t\((\$h.mean - .value.mean) / \$se)\"" "$cases" >>found
done
awk -F '\t' '{ n++; sum += $5 * $5; if ($5 > 3.5 || $5 < -3.5) { bad = 1; print "FAIL: " $1 ": " $2 " is " $3 ", not " $4 " (z " $5 ")" } }
    END { printf "%d figures, root mean square of z %.2f\n", n, sqrt(sum / n); exit bad || n < 50 }' found
