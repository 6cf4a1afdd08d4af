# What recorded incidents say of a fleet, in each of the views.
cp "$SOURCE_DIR"/data/samples/incidents/* .
hindcast report reliability cluster.jsonl
hindcast report reliability --by node --nodes 4 --to 9d events.json
hindcast report reliability --by month --from 2001-01-01 records.csv | tail -3
hindcast report reliability --csv - records.csv
hindcast report reliability --csv - --by node cluster.csv
hindcast ingest -a fleet cluster.jsonl events.json records.csv
hindcast ingest -a fleet cluster.jsonl
hindcast ls -a fleet
hindcast report reliability -a fleet --by month | tail -8
hindcast formats | grep incidents
