# Faults of lives as a list of incidents: what it says, what it gives back, what it cannot carry.
cat >job.json <<'END'
{ "schema": "hindcast/scenario/1", "kind": "lifetime", "seed": 5,
  "job": {"nodes": 8, "work_d": 3, "step_s": 10},
  "faults": {
    "machine": {"class": "explicit", "per_1000_node_days": 100, "remedy": "evict", "detect_s": 30, "localise_s": 60},
    "slow": {"class": "implicit", "effect": "slow", "slow_factor": 1.5, "per_job_day": 0.5, "remedy": "none",
             "lasts_s": 20000},
    "switch": {"class": "explicit", "per_1000_domain_days": 200, "domain_nodes": 2, "remedy": "evict", "detect_s": 60}},
  "checkpoint": {"mode": "async", "every_s": 600, "durable_after_s": 60, "load_s": 30},
  "startup": {"full_s": {"exponential": {"mean": 600}}, "hot_s": 65},
  "recovery": {"pool_nodes": 12}, "repair": {"automatic_s": {"exponential": {"mean": 20000}}}}
END
cat >again.json <<'END'
{ "schema": "hindcast/scenario/1", "kind": "lifetime", "include": "job.json",
  "remove": ["/faults/machine/per_1000_node_days", "/faults/slow/per_job_day",
             "/faults/switch/per_1000_domain_days", "/faults/switch/domain_nodes"],
  "faults": {"machine": {"incidents_from": {"file": "faults.jsonl", "texts": ["machine"]}},
             "slow": {"incidents_from": {"file": "faults.jsonl", "texts": ["slow"]}},
             "switch": {"incidents_from": {"file": "faults.jsonl", "texts": ["switch"]}}}}
END
hindcast simulate --replica 3 --faults-out faults.jsonl job.json >first.txt
cat faults.jsonl
hindcast simulate --replica 3 --faults-out again.jsonl again.json >again.txt
sed 's/, "scope": "[a-z]*"//' faults.jsonl | cmp - again.jsonl
diff first.txt again.txt || true
echo "--- as a list of incidents"
hindcast report reliability faults.jsonl | head -4
echo "--- several replicas"
hindcast simulate --replica 3-4 --faults-out faults.jsonl job.json >first.txt
grep -c '"replica": 4' faults.jsonl
hindcast simulate --replica 3-4 --json again.json | jq -r '.notes[] | select(contains("machine"))'
fail() { "$@" >out || echo "exit $?" >&2; }
fail hindcast report reliability faults.jsonl
fail hindcast simulate --set '/faults/slow/incidents_from/replica=9' again.json
fail hindcast simulate --set '/faults/slow/incidents_from/texts=["slaw"]' again.json
echo "--- refused" >&2
fail hindcast simulate --faults-out x.jsonl job.json
fail hindcast simulate --replica 4-3 --faults-out x.jsonl job.json
fail hindcast simulate --replica 3 --replicas 4 job.json
fail hindcast simulate --replica 3 --faults-out absent/x.jsonl job.json
fail hindcast simulate --replica 3 --faults-out x.jsonl --set /faults/machine/misdiagnosis=0.1 job.json
fail hindcast simulate --replica 3 --faults-out x.jsonl --set /recovery/standbys_fail=true job.json
fail hindcast simulate --replica 3 --faults-out x.jsonl --set '/elastic={"on": true, "dp_replicas": 4}' job.json
fail hindcast simulate --replica 3-5 --faults-out x.jsonl --set '/faults={}' job.json
[ ! -e x.jsonl ]
