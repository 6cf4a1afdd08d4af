#!/usr/bin/env bash
# The report of a made-up fleet of 12 jobs (tests/support/fake_fleet.h) as text, JSON and CSV, byte by
# byte as in tests/fixtures/fleet. HINDCAST_REFRESH=1 writes these anew.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
fleet=$(realpath "${FAKE_FLEET_REPORT:-$root/build/tests/fake_fleet_report}")
expected=$root/tests/fixtures/fleet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$fleet" 12 "$work"
rm "$work/index.html" # its drawing is not of interest byte by byte: fleet_html.sh looks at it
sed -i "/\"\(tool_version\|commit\|libraries\|command\)\"/d" "$work/report.json"
# The 201 points of each curve are the JSON's quantiles.
head -n 3 "$work/csv/curves.csv" >"$work/curves-head.csv"
[ "$(wc -l <"$work/csv/curves.csv")" = 3217 ] || { echo "FAIL: not 16 curves of 201 points"; exit 1; }
rm "$work/csv/curves.csv"
(cd "$work/csv" && sed /curves.csv/d files.sha256 | sha256sum --check --quiet)
rm "$work/csv/files.sha256"
if [ "${HINDCAST_REFRESH:-}" = 1 ]; then
    rm -rf "$expected"
    cp -r "$work" "$expected"
    chmod 755 "$expected"
    exit
fi
diff -r "$expected" "$work"
echo "$(find "$expected" -type f | wc -l) files are as they were"
