# Tickets become incidents by a map of a site file; the template of the table is read back.
hindcast formats --template incidents | sed 's/^#2026/2026/' >filled.csv
hindcast ingest -q -o - -a a filled.csv
hindcast ls incidents -a a
cat >tickets.csv <<'END'
id,opened,closed,host,category,summary
T1,2026-03-01 10:00,2026-03-01 12:00,n07,HW,GPU memory
T2,2026-03-02 09:00,,n[1-4],NET,leaf 7 down
T3,2026-03-02 09:00,2026-03-01 09:00,n1,HW,GPU memory
T4,03/02/2026 09:00,,n1,HW,GPU memory
END
cat >site.json <<'END'
{
    "schema": "hindcast/site/1",
    "sources": [{
        "name": "tickets", "files": "tickets.csv", "zone": "Europe/Berlin",
        "map": {"table": "incidents", "columns": {
            "time_ns": {"from": "opened"}, "recovered_ns": {"from": "closed"}, "node": {"from": "host"},
            "text": {"from": "summary"}, "scope": {"from": "category", "values": {"HW": "node", "NET": "switch"}}}}
    }]
}
END
hindcast ingest -q -o - --site site.json -a s || echo "exit $?" >&2
hindcast ingest -q -o - --site site.json -a s --max-bad 0.6
hindcast ls incidents -a s
