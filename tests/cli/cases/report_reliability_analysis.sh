# Fits, trend, two times and lemons of incidents.
cp "$SOURCE_DIR"/data/samples/incidents/* .
hindcast report reliability --fits --lemons cluster.jsonl | tail -22
hindcast report reliability --nodes 4 --to 5d --compare-from 5d events.json | tail -4
hindcast report reliability --by month --csv - --from 2001-01-01 records.csv | head -3
hindcast report reliability --compare-from 5d --compare-to 2d events.json || echo "-> $?"
hindcast report reliability --compare-from 2001-01-01 events.json || echo "-> $?"
hindcast report reliability --lemon-factor 0.5 events.json || echo "-> $?"
