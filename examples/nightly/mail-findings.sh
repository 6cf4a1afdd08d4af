#!/bin/sh
# Mail the findings of the newest night to MAILTO; nothing where there are none that nobody has
# acknowledged. Needs jq and a sendmail (of postfix, exim, msmtp-mta, ...). What a finding says is
# foreign text and stays in the body.
set -eu
: "${HINDCAST_REPORTS:=/var/lib/hindcast/reports}"
: "${MAILTO:?who reads the findings}"
: "${SENDMAIL:=/usr/sbin/sendmail}"
: "${REPORT_URL:=file://$HINDCAST_REPORTS/latest/index.html}"

alerts=$HINDCAST_REPORTS/latest/alerts.json
count=$(jq length "$alerts")
[ "$count" -gt 0 ] || exit 0
day=$(jq -r '.[0].annotations.day' "$alerts")
{
    printf 'To: %s\n' "$MAILTO"
    printf 'Subject: hindcast: %s finding(s) of %s\n' "$count" "$day"
    printf 'Content-Type: text/plain; charset=utf-8\n\n'
    jq -r '.[] | "\(.labels.severity): \(.annotations.summary)\n    \(.labels.kind) \(.labels.finding)" +
        (if .labels.owner then ", for \(.labels.owner)" else "" end) + "\n"' "$alerts"
    printf '%s\n' "$REPORT_URL"
} | "$SENDMAIL" -t -i
