# Variants, one that combines two, what moves the figure, and money.
cat >variants.json <<'END'
{
  "schema": "hindcast/scenario/1", "kind": "lifetime",
  "question": "Standbys, faster detection, or both?",
  "replicas": 50,
  "job": {"nodes": 512, "gpus_per_node": 8, "work_d": 30},
  "faults": {
    "machine": {"class": "explicit", "per_1000_node_days": 5, "remedy": "evict", "detect_s": 30},
    "hang": {"class": "implicit", "per_1000_node_days": 1, "remedy": "evict", "detect_s": 1800},
  },
  "checkpoint": {"mode": "async", "every_s": 600, "stall_s": 2, "durable_after_s": 60, "load_s": 60},
  "startup": {"full_s": {"lognormal": {"median": 600, "p99": 1500}}, "hot_s": 120},
  "recovery": {"warm_standbys": 0, "wake_s": 60, "replenish_h": 6, "reschedule_s": 600},
  "variants": {
    "standbys": {"set": {"/recovery/warm_standbys": 4}},
    "watched": {"set": {"/faults/hang/detect_s": 20}},
    "both": {"use": ["standbys", "watched"]},
  },
  "compare": {"figures": ["ettr", "mttr_s", "interaction"]},
  "sensitivity": {"values": {
    "/checkpoint/every_s": {"low": 300, "high": 1800},
    "/faults/machine/per_1000_node_days": {"low": 2.5, "high": 10},
  }},
  "report": {"figures": ["ettr", "wall_d", "cost", "lost_gpu_h", "mtbf_h"], "price_per_gpu_h": 2.5},
}
END
hindcast simulate variants.json
hindcast simulate --csv - variants.json | head -n 4
hindcast simulate -o answer/ variants.json >summary
cmp summary answer/summary.txt
head -n 2 answer/comparison.csv
cat answer/sensitivity.csv answer/causes.csv
# Nothing meets this.
hindcast simulate --replicas 5 --set '/find={"smallest": "/recovery/warm_standbys", "such_that": "ettr > 0.999", "range": {"from": 0, "to": 4, "step": 2}}' variants.json |
    sed -n '/^answer/,/^ETTR/p;/^tried/,$p'
# Of many values the best is tried first; "none" is said of both ends, and says that it is.
for condition in 'ettr >= 0.5' 'ettr > 1'; do
    hindcast simulate --replicas 2 --json --set '/find={"largest": "/recovery/warm_standbys", "such_that": "'"$condition"'", "range": {"from": 0, "to": 64, "step": 1}}' variants.json >found.json
    sed -n '/"found":/,/"changes"/p' found.json
    hindcast simulate --replicas 2 --set '/find={"largest": "/recovery/warm_standbys", "such_that": "'"$condition"'", "range": {"from": 0, "to": 64, "step": 1}}' -o "found $condition/" variants.json |
        sed -n '/^answer/,/^ETTR/p'
    grep -o 'These are the values that were tried[^<]*\|None of the [^<]*' "found $condition/report.html"
done
# Lives that do not come to an end.
hindcast simulate --replicas 5 --set /job/horizon_d=10 variants.json | sed -n '/^notes/,$p'
hindcast simulate --replicas 1 variants.json | sed -n '1,5p;/^notes/,$p'
