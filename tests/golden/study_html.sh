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
"$hindcast" simulate -q --replicas 5 --set /recovery/pool_nodes=1220 -o pool/ "$root/examples/scenarios/spare-pool.jsonc" >/dev/null
rows=$(tr -d '\n' <pool/report.html | grep -oE 'What the GPUs did.*' | sed 's/<\/table>.*//' |
    grep -oE '<tr><th scope="row">[^<]*' | sed 's/.*>//' | sort)
grep -qx 'free nodes of the pool' <<<"$rows" || { echo "FAIL: no row of free nodes: $rows"; exit 1; }
[ -z "$(uniq -d <<<"$rows")" ] || { echo "FAIL: twice: $(uniq -d <<<"$rows")"; exit 1; }
cat >jobs.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 5, "job": {"nodes": 64, "work_d": 5, "priority": 1},
 "faults": {"machine": {"class": "explicit", "per_1000_node_days": 9, "remedy": "evict", "detect_s": 60}},
 "checkpoint": {"mode": "none"}, "startup": {"full_s": 600}, "recovery": {"pool_nodes": 84},
 "repair": {"automatic_s": 86400}, "jobs": {"a <b>": {"job": {"nodes": 16, "priority": 0}}}}
END
"$hindcast" simulate -q -o jobs/ jobs.json >jobs.txt
grep -q 'a &lt;b&gt;</th><td class="n">16</td><td class="n">0</td>' jobs/report.html || { echo "FAIL: no row of the other job"; exit 1; }
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
    grep -q '<tr><th scope="row">all</th><td class="n">[^<]*</td><td class="n">100\.0* %</td>' "$page.html" ||
        { echo "FAIL: the account of $page does not add up to what was held" >&2; exit 1; }
done
grep -q 'degraded' elastic.html || { echo "FAIL: the page of the elastic job has no degraded time" >&2; exit 1; }
# Steps of a job: one variant; and more than there is room for, with names that are not made for HTML.
"$hindcast" simulate -q -o step_timeline/ "$root/tests/scenarios/right/step_timeline.json" >/dev/null
mv step_timeline/report.html step_timeline.html
cp "$root"/data/samples/*-slow-worker.* .
{
    echo '{"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "trace-slow-worker.parquet"}, "draws": 2,'
    echo ' "edits": {"a pause <b>": {"select": {"op": "forward-compute", "stage": 0}, "pause_s": 0.01, "pause_as": "delay"},'
    echo '  "noise": {"scale": {"lognormal": {"mean": 1, "sd": 0.2}}},'
    echo '  "gone": {"select": {"worker": ["1/2"]}, "evict": {"after_steps": 2, "cost_s": 1}}}, "variants": {'
    for i in {1..30}; do
        echo " \"variant $i of <many> & a name that is longer than there is room for\": [\"a pause <b>\", \"noise\", \"gone\"],"
    done
    echo ' "last": ["noise"]}}'
} >many_steps.json
"$hindcast" simulate -q -o many_steps/ many_steps.json >many_steps.txt
mv many_steps/report.html many_steps.html
grep -q 'and 30 more variants, which --json lists' many_steps.txt || { echo "FAIL: variants left out are not counted"; exit 1; }
exec "$python" "$root/tests/tools/page_check.py" full.html plane.html planes.html least.html \
    hostile.html many.html delta-spares.html fail-slow.html several_jobs.html elastic.html jobs.html \
    step_timeline.html many_steps.html
