#!/usr/bin/env bash
# A kind of input that hindcast does not have (tests/kinds) is ingested, listed, shown, checked, repaired and
# collected by commands that know nothing of it; hindcast without the kind still reads its archive.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
gauges=$(realpath "${HINDCAST_GAUGES:-$root/build/tests/hindcast_gauges}")
plain=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HINDCAST_ARCHIVE=archive
fail() { echo "FAIL: $*" | tee -a failures; }
# is WHAT COMMAND...: the last line of what it prints, spaces squeezed
is() {
    local wanted=$1 found
    shift
    found=$("$@" 2>&1 | tail -1 | tr -s ' ') || true
    [ "$found" = "$wanted" ] || fail "$*: '$found', not '$wanted'"
}

# 2026-03-01 and the day after, of one source; a bad row; one without a time.
mkdir day-1 day-2
printf 'gauges\n1772323300 hall 21.5\n1772323200 roof 101\n1772323400 hall 22\n1772323500 hall 23\n' >day-1/rack.csv
printf 'gauges\n1772409600 hall 19\n' >day-2/rack.csv
printf 'gauges\n' >empty.txt
printf 'gauges\n1772409600 hall 1900\n' >molten.txt
printf 'gauges\n1772409600 hall\n' >bad.txt
cp "$root/data/samples/incidents/cluster.csv" "$root/data/samples/trace-interleaved.csv" .

"$gauges" formats | grep -q '^gauges-text ' || fail "formats does not list it"
"$gauges" ingest day-1/rack.csv >ingested.txt
diff - ingested.txt <<'END' || fail "ingest says something else"
default/rack: ingested 'day-1/rack.csv' (gauges-text), 4 rows of readings from 4 records
  it was hot:
    the hottest: 101 degC
END
[ "$("$gauges" ingest -a other --json day-1/rack.csv | jq '.traces[0].hottest')" = 101 ] ||
    fail "ingest --json does not say what the guard does"
is "default/rack: unchanged, the archive holds 'day-1/rack.csv' already" "$gauges" ingest day-1/rack.csv
"$gauges" ingest -q day-2/rack.csv day-1/rack.csv cluster.csv trace-interleaved.csv >/dev/null
is "hindcast: 'molten.txt': a gauge melted" "$gauges" ingest molten.txt
is "hindcast: 'empty.txt' has no row with a time, so that nothing says of which day it is" \
    "$gauges" ingest empty.txt
{ "$gauges" ingest bad.txt 2>&1 || true; } | grep -q "1 of 1 rows are bad" || fail "a bad row is not counted"
is "hindcast: 'day-1/rack.csv' is a list of readings (gauges-text), not a step timeline: there is nothing to replay" \
    "$gauges" whatif day-1/rack.csv
is "hindcast: 'day-1/rack.csv' is a list of readings (gauges-text), not a list of incidents" \
    "$gauges" report reliability day-1/rack.csv

# ls and show.
listed=$("$gauges" ls --json | jq -c '[.jobs[] | [.kind, .id, .day, .tables.readings, .tables.alarms]]')
[ "$listed" = '[["incidents","cluster",null,null,null],["steps","interleaved",null,null,null],["gauges","rack","2026-03-01",4,1],["gauges","rack","2026-03-02",1,0]]' ] ||
    fail "ls --json lists something else: $listed"
"$gauges" ls | tr -s ' ' | cut -d' ' -f1-8 >ls.txt
diff - ls.txt <<'END' || fail "ls lists something else"
JOB ATTEMPT STEPS OPS INVENTORY INCIDENTS ALARMS READINGS
default/cluster 0 - - 1 6 - -
default/interleaved 0 8 6,752 - - - -
default/rack 2026-03-01 - - - - 1 4
default/rack 2026-03-02 - - - - 0 1
END
"$gauges" show rack#2026-03-01 | tr -s ' ' >show.txt
for line in 'source default/rack, day 2026-03-01' 'kind gauges: 4 rows of readings, 1 of alarms' \
    ' readings/value degC what it showed'; do
    grep -qx "$line" show.txt || fail "show lacks '$line': $(cat show.txt)"
done
[ "$("$gauges" show --json rack | jq -c '[.job.day, .kind, .tables]')" = '["2026-03-02","gauges",{"alarms":0,"readings":1}]' ] ||
    fail "show --json says something else: $("$gauges" show --json rack)"
is "hindcast: job 'rack' of archive 'archive' has 'readings', and not 'ops', which is wanted here: 'hindcast show rack' says what it is" \
    "$gauges" whatif rack

# check, repair without a manifest, gc of a day that was replaced.
"$gauges" check >check.txt || fail "check finds something: $(cat check.txt)"
cp archive/manifest.json before.json
rm archive/manifest.json
"$gauges" check --repair >/dev/null || fail "repair fails"
diff <(jq -c '.segments[]' before.json) <(jq -c '.segments[]' archive/manifest.json) ||
    fail "the repaired manifest says something else"
sleep 0.01
echo '1772323600 hall 24' >>day-1/rack.csv
"$gauges" ingest day-1/rack.csv | grep -qx "default/rack: replaced by 'day-1/rack.csv' (gauges-text), 5 rows of readings from 5 records" ||
    fail "ingest does not replace the day"
"$gauges" archive gc | grep -q '2026-03-01.*removed' || fail "gc does not remove the day that was replaced"
[ "$(find archive/segments -name '*.h5' | wc -l)" = 4 ] || fail "gc left or removed another segment"
"$gauges" check >check.txt || fail "check finds something after gc: $(cat check.txt)"

# A damaged segment is found.
segment=$(jq -r '.segments[] | select(.day == "2026-03-02") | .file' archive/manifest.json)
cp "archive/$segment" whole.h5
printf x | dd of="archive/$segment" bs=1 seek=9000 conv=notrunc status=none
if "$gauges" check >check.txt; then fail "damage is not found"; fi
grep -q "$segment: damaged" check.txt || fail "the damaged day is not named"
cat whole.h5 >"archive/$segment"

# Other readers.
segment=$(jq -r '.segments[] | select(.day == "2026-03-01") | .file' archive/manifest.json)
if command -v h5dump >/dev/null; then
    h5dump -d /readings/value "archive/$segment" | grep -q '21.5, 101, 22, 23, 24' || fail "h5dump reads other values"
    h5dump -a /table "archive/$segment" | grep -q '"readings"' || fail "the main table is not named"
    h5dump -a /job/day "archive/$segment" | grep -q '"2026-03-01"' || fail "the day is not named"
fi
# hindcast that does not know the kind lists, shows, checks and repairs it all the same.
"$plain" ls --json | jq -e '[.jobs[] | select(.id == "rack") | .kind] == ["readings", "readings"]' >/dev/null ||
    fail "the plain program does not list it"
"$plain" show rack | grep -q 'readings: 1 rows of readings, 0 of alarms' || fail "the plain program does not show it"
"$plain" check --repair >/dev/null || fail "the plain program does not repair it"
"$plain" check >/dev/null || fail "the plain program finds something"
"$plain" whatif interleaved >/dev/null || fail "the plain program does not find the timeline"
"$plain" ingest day-1/rack.csv 2>err && fail "the plain program ingests it"
grep -q "in none of the forms" err || fail "the plain program says something else: $(cat err)"
[ ! -s failures ]
