#!/usr/bin/env bash
# examples/nightly: a night by nightly.sh, its findings by mail, rules and dashboard that ask for metrics
# which there are, and units that systemd takes.
set -euo pipefail
hindcast=$(realpath "${HINDCAST:?}")
examples=$(realpath "${SOURCE_DIR:?}/examples/nightly")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE HINDCAST_SITE
fail() { echo "FAIL: $*"; exit 1; }

# A site, and its night.
"$hindcast" synth cluster -q -o made --nodes 16 --days 12 --jobs 100 --runs 3 --faults 90
cat >site.json <<'END'
{"schema": "hindcast/site/1", "sources": [
 {"name": "accounting", "files": "made/slurm/sacct.txt"}, {"name": "kernel", "files": "made/kernel/journal.json"},
 {"name": "marks", "files": "made/starts/marks.log"}]}
END
mkdir textfiles
export HINDCAST=$hindcast HINDCAST_ARCHIVE=$work/A HINDCAST_SITE=$work/site.json HINDCAST_REPORTS=$work/R TEXTFILES=$work/textfiles
"$examples/nightly.sh" --date 2026-03-05 >out 2>err || fail "nightly.sh ends with $?: $(cat err)"
cmp R/latest/metrics.prom textfiles/hindcast.prom
[ "$(find textfiles -type f | wc -l)" = 1 ] || fail "more than the textfile"
# What cannot be read is told, and the rest reported.
head -c 5000 /dev/zero >made/kernel/journal.json
code=0
"$examples/nightly.sh" --date 2026-03-06 >out 2>err || code=$?
[ $code != 0 ] && [ -e R/2026-03-06/index.html ] || fail "a source that cannot be read: exit $code, $(cat err)"

# Mail: of findings that are made up here, with text that must not become a header.
cat >sendmail <<'END'
#!/bin/sh
cat >>mails
END
chmod +x sendmail
export MAILTO=ops@example.org SENDMAIL=$work/sendmail
echo '[]' >R/latest/alerts.json
"$examples/mail-findings.sh"
[ ! -e mails ] || fail "a mail without findings"
jq -n '[{labels: {severity: "warning", kind: "lemon_node", finding: "0123456789abcdef", owner: "hw"},
         annotations: {summary: "node n1 failed\nBcc: all@example.org", day: "2026-03-06"}}]' >R/latest/alerts.json
"$examples/mail-findings.sh"
sed '/^$/q' mails >headers
[ "$(wc -l <headers)" = 4 ] && grep -qx 'Subject: hindcast: 1 finding(s) of 2026-03-06' headers || fail "$(cat headers)"
grep -q '^warning: node n1 failed' mails || fail "$(cat mails)"

# Rules and dashboard ask for metrics that there are, or that the rules record.
sed -n 's/^# TYPE \([a-z_]*\) .*/\1/p' textfiles/hindcast.prom >known
sed -n 's/.*record: //p' "$examples/hindcast-rules.yml" >>known
grep -ohE 'hindcast[:_][a-z_:]+' "$examples/hindcast-rules.yml" "$examples/hindcast-rules-test.yml" >asked
jq -r '.panels[].targets[].expr' "$examples/grafana-dashboard.json" | grep -oE 'hindcast[:_][a-z_:]+' >>asked
unknown=$(sort -u asked | grep -vxFf known || true)
[ -z "$unknown" ] || fail "no such metric: $unknown"

# The guide names every metric.
for metric in $(sed -n 's/^# TYPE \([a-z_]*\) .*/\1/p' textfiles/hindcast.prom); do
    grep -qF "\`$metric\`" "$SOURCE_DIR/docs/nightly.md" || fail "docs/nightly.md does not name $metric"
done

if command -v promtool >/dev/null; then
    (cd "$examples" && promtool check rules hindcast-rules.yml && promtool test rules hindcast-rules-test.yml &&
        promtool check config prometheus.yml) >promtool.out 2>&1 || fail "$(cat promtool.out)"
else
    echo "promtool is not installed: rules were not tested (scripts/deps prometheus)"
fi
if command -v systemd-analyze >/dev/null; then
    # The scripts and the man page are not installed here.
    systemd-analyze verify "$examples"/*.service "$examples"/*.timer 2>&1 |
        grep -vE 'is not executable: No such file|Command .man ' >units.out || true
    [ ! -s units.out ] || fail "$(cat units.out)"
fi
! command -v shellcheck >/dev/null || shellcheck "$examples"/*.sh
