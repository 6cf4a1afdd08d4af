#!/usr/bin/env bash
# The page of made-up fleets of none, one (discarded), a few, 300 and 1,000 jobs in headless Chromium, as html_pages.sh
# does for those of jobs; and that it links all of their pages. PAGE_SHOTS=DIR keeps pictures of them.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
fleet=$(realpath "${FAKE_FLEET_REPORT:-$root/build/tests/fake_fleet_report}")
python=/usr/bin/python3
[ -x "$python" ] || { echo "skipped: '$python' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for n in 0 1 3 12 300 1000; do
    mkdir "$n"
    "$fleet" "$n" "$n"
    mv "$n/index.html" "fleet-$n.html"
    # The page of every analysed job is linked, also of those below the first 20, and no other.
    pages=$(sed -n 's/.*"page": "\([^"]*\)".*/\1/p' "$n/report.json" | sort)
    links=$(grep -o 'href="jobs/[^"]*"' "fleet-$n.html" | cut -d / -f 2 | tr -d '"' | sort || true)
    [ "$pages" = "$links" ] || { echo "FAIL: fleet-$n.html links $(echo "$links" | wc -w) of $(echo "$pages" | wc -w) pages"; exit 1; }
done
exec "$python" "$root/tests/tools/page_check.py" fleet-*.html
