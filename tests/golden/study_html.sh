#!/usr/bin/env bash
# The pages of made-up studies (everything at once, two and three axes, almost nothing, names that
# are not made for HTML, as much as fits) in headless Chromium, as html_pages.sh does for those of
# jobs. PAGE_SHOTS=DIR keeps pictures of them.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
pages=$(realpath "${FAKE_STUDY_PAGES:-$root/build/tests/fake_study_pages}")
python=/usr/bin/python3
[ -x "$python" ] || { echo "skipped: '$python' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$pages" .
exec "$python" "$root/tests/tools/page_check.py" full.html plane.html planes.html least.html hostile.html many.html
