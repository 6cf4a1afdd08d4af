#!/usr/bin/env bash
# The pages of made-up studies (everything at once, two and three axes, almost nothing, names that
# are not made for HTML, as much as fits) and of two scenarios in headless Chromium, as html_pages.sh
# does for those of jobs. PAGE_SHOTS=DIR keeps pictures of them.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
pages=$(realpath "${FAKE_STUDY_PAGES:-$root/build/tests/fake_study_pages}")
python=/usr/bin/python3
[ -x "$python" ] || { echo "skipped: '$python' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$pages" .
for scenario in delta-spares fail-slow; do
    "$hindcast" simulate -q --replicas 5 -o "$scenario/" "$root/examples/scenarios/$scenario.json" >/dev/null
    mv "$scenario/report.html" "$scenario.html"
done
# Each leaf of the account has one row: a pool's free nodes have theirs, and no other has two.
"$hindcast" simulate -q --replicas 5 --set /recovery/pool_nodes=1220 -o pool/ "$root/examples/scenarios/spare-pool.json" >/dev/null
rows=$(tr -d '\n' <pool/report.html | grep -oE 'What the GPUs did.*' | sed 's/<\/table>.*//' |
    grep -oE '<tr><td>[^<]*' | sed 's/.*>//' | sort)
grep -qx 'free nodes of the pool' <<<"$rows" || { echo "FAIL: no row of free nodes: $rows"; exit 1; }
[ -z "$(uniq -d <<<"$rows")" ] || { echo "FAIL: twice: $(uniq -d <<<"$rows")"; exit 1; }
cat >jobs.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 5, "job": {"nodes": 64, "work_d": 5, "priority": 1},
 "faults": {"machine": {"class": "explicit", "per_1000_node_days": 9, "remedy": "evict", "detect_s": 60}},
 "checkpoint": {"mode": "none"}, "startup": {"full_s": 600}, "recovery": {"pool_nodes": 84},
 "repair": {"automatic_s": 86400}, "jobs": {"a <b>": {"job": {"nodes": 16, "priority": 0}}}}
END
"$hindcast" simulate -q -o jobs/ jobs.json >jobs.txt
grep -q 'a &lt;b&gt;</td><td class="n">16</td><td class="n">0</td>' jobs/report.html || { echo "FAIL: no row of the other job"; exit 1; }
mv jobs/report.html jobs.html
for scenario in several_jobs elastic; do
    "$hindcast" simulate -q --replicas 5 -o "$scenario/" "$root/tests/scenarios/right/$scenario.json" >/dev/null
    mv "$scenario/report.html" "$scenario.html"
done
for wanted in 'id="jobs"' 'free nodes of the pool'; do
    grep -q "$wanted" several_jobs.html || { echo "FAIL: no $wanted on the page of several jobs" >&2; exit 1; }
done
# The rows of the account are all of it: on the page of each, "all" is 100 %.
for page in several_jobs elastic; do
    grep -q '<tr><td>all</td><td class="n">[^<]*</td><td class="n">100 %</td>' "$page.html" ||
        { echo "FAIL: the account of $page does not add up to what was held" >&2; exit 1; }
done
grep -q 'degraded' elastic.html || { echo "FAIL: the page of the elastic job has no degraded time" >&2; exit 1; }
exec "$python" "$root/tests/tools/page_check.py" full.html plane.html planes.html least.html \
    hostile.html many.html delta-spares.html fail-slow.html several_jobs.html elastic.html jobs.html
