#!/bin/sh
# One night: read what is new, report on yesterday, hand the metrics to the node-exporter. Started by
# hindcast-nightly.service or by cron. Where a source cannot be read the report is made all the same,
# of what could be, and the end tells (exit status, and so systemd or the mail of cron).
set -u
: "${HINDCAST:=hindcast}"
: "${HINDCAST_ARCHIVE:=/var/lib/hindcast/archive}" # what was read
: "${HINDCAST_SITE:=/srv/records/site.json}"       # what there is to read
: "${HINDCAST_REPORTS:=/var/lib/hindcast/reports}" # a folder a night, and latest
: "${TEXTFILES=/var/lib/prometheus/node-exporter}" # of the node-exporter; empty: none
: "${TEXTFILE:=hindcast}"                          # its name there, without .prom
export HINDCAST_ARCHIVE HINDCAST_SITE

status=0
"$HINDCAST" ingest --quiet --lock-timeout 600 --site "$HINDCAST_SITE" || status=$?
# Options of a report by hand: nightly.sh --date 2026-03-20
"$HINDCAST" report nightly --quiet --site "$HINDCAST_SITE" -o "$HINDCAST_REPORTS" "$@" || exit $?

# The exporter reads *.prom; the rename lets it see no half of it.
if [ -n "$TEXTFILES" ]; then
    cp "$HINDCAST_REPORTS/latest/metrics.prom" "$TEXTFILES/.$TEXTFILE.new" &&
        mv "$TEXTFILES/.$TEXTFILE.new" "$TEXTFILES/$TEXTFILE.prom" || status=4
fi
exit "$status"
