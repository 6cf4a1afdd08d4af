# slurm/night_report.bash - sourced by slurm_night.sh, or by itself of dumps that were kept (KEEP=DIR):
#   HINDCAST=build/hindcast bash tests/long/slurm/night_report.bash DIR
# Reads the records of the night as docs/nightly.md tells, reports on it, and has night_check.py compare.
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    set -euo pipefail
    HINDCAST=$(realpath "${HINDCAST:?the program to test}")
    fail() {
        echo "night_report: $*" >&2
        exit 1
    }
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cp -rp "$1/." "$work"
    cd "$work"
    rm -rf records/site.json archive
fi

"$HINDCAST" site init -q records >said 2>&1 || fail "site init: $(cat said)"
"$HINDCAST" site check records/site.json >said 2>&1 || fail "site check: $(cat said)"
# A log that was just written may go on: the first reading leaves its end, the second, of the morning after, does not.
ingest() { "$HINDCAST" ingest -q -o - -a archive --site records/site.json >said 2>&1 || fail "ingest: $(cat said)"; }
ingest
find records/runs -name '*.out' -exec touch -d '-1 hour' {} +
ingest
# The day of the night; both days, where midnight was in it.
first=$(date -u -d "$(sed -n 2p records/sacct.txt | cut -d'|' -f11)" +%F)
last=$(date -u -d "$(cut -d'|' -f14 records/sacct.txt | sort | grep -E '^[0-9]{4}-' | tail -n 1)" +%F)
n_days=1
[ "$first" = "$last" ] || n_days=2
night=("$HINDCAST" report nightly -a archive --site records/site.json --date "$last" --days "$n_days")
"${night[@]}" --json >report.json || fail 'no report'
"${night[@]}" --explain all --csv - >slices.csv
"$HINDCAST" joins -a archive --json >joins.json
jq -e '.totals.adds_up' report.json >said || fail 'the leaves do not add up'
# The same account, by sreport itself.
"$HINDCAST" report account -a archive --sreport sreport-users.txt --json >reconciled.json ||
    fail 'the account differs from sreport'
jq -e '.sreport | .is_finding == false and .difference_gpu_hours == 0' reconciled.json >said ||
    fail "reconciled: $(jq .sreport reconciled.json)"
for n in 1 2 3 4; do "$HINDCAST" report node "gpu0$n" -a archive --json >"node-gpu0$n.json"; done
# The other reports read the same night.
span=(--from "$first" --to "$(date -u -d "$last + 1 day" +%F)")
for report in 'report ettr' 'report startup' 'report reliability --records' 'report capacity' 'top lost'; do
    # shellcheck disable=SC2086 # words
    "$HINDCAST" $report -a archive "${span[@]}" --json >"${report// /-}.json" || fail "$report"
done
python3 "$here/night_check.py" . ${VERBOSE:+-v}
