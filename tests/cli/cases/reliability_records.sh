# Failures of the infrastructure by the records of a cluster. In the night that is worked out by hand one node failure
# ended the launch of job 100: of 2 nodes for 7 h 10 min and 1 for an hour, 15 1/3 node-hours allocated. Job 200 failed
# for nobody knows why.
source "$SOURCE_DIR/tests/support/small_night.bash"
small_night
hindcast report reliability --records -a a
hindcast report reliability --records -a a --nodes 100 --csv - | cut -d, -f1-7
hindcast report reliability --records -a a --from 2026-03-02
hindcast report reliability --records -a a --json | sed -n '/"archive"/,/"rates"/p'
# An Xid on a node stops two jobs, and corrections say how far an incident reached.
cat >more.txt <<'END'
JobID|Cluster|User|Submit|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|StdOut|JobName|Restarts
300|c|ada|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T12:00:00|43200|FAILED|1|gres/gpu=4|n1|/l/%j.out|one|0
301|c|bob|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T12:00:10|43210|FAILED|1|gres/gpu=4|n1|/l/%j.out|two|0
302|c|bob|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T15:00:00|54000|FAILED|1|gres/gpu=8|n2|/l/%j.out|hung|0
END
cat >kernel.json <<'END'
{"__REALTIME_TIMESTAMP": "1772711990000000", "_HOSTNAME": "n1", "_TRANSPORT": "kernel", "MESSAGE": "NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus."}
{"__REALTIME_TIMESTAMP": "1772312000000000", "_HOSTNAME": "n2", "_TRANSPORT": "kernel", "MESSAGE": "usb 1-1: new high-speed USB device"}
END
printf '%s\n' 'date_ns,job,cause,detail,scope,author,reason' \
    '2026-03-06T10:00:00Z,302,infrastructure,hang of a switch,switch,ann,ticket 90' >corrections.csv
hindcast ingest -q -o - -a b more.txt kernel.json corrections.csv | cut -d, -f1
hindcast report reliability --records -a b | sed -n '1,8p;/^INCIDENTS/,$p'
hindcast report reliability --records -a b --csv tables -o text && cat tables/incidents.csv
for wrong in '--html page.html' '--fits' '--lemons' 'kernel.json' '--from 5d' '--compare-from 2026-03-01' '--from 2026-03-01T12:00:00Z'; do
    hindcast report reliability --records -a a $wrong || echo "exit $?" >&2
done
hindcast report reliability --records -a none || echo "exit $?" >&2
