# What a GPU-hour of a partition costs, and what its nodes have, by the site file.
cat >sacct.txt <<'END'
JobID|Cluster|User|Partition|Submit|Start|End|ElapsedRaw|State|NNodes|AllocTRES|JobName
100|c|ada|h100|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T02:00:00|7200|COMPLETED|2|gres/gpu=16|big
101|c|ada|a100|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T01:00:00|3600|COMPLETED|1|gres/gpu=4|half
102|c|bob|h100|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T01:00:00|3600|FAILED|1||unsaid
103|c|bob|free|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T01:00:00|3600|COMPLETED|1|gres/gpu=1|gift
END
cat >prices.json <<'END'
{
    "schema": "hindcast/site/1",
    "currency": "EUR",
    "sources": [{"name": "accounting", "files": "sacct.txt"}],
    "partitions": {
        "h100": {"gpu_type": "H100", "gpus_per_node": 8, "price": 2.10},
        "a100": {"gpus_per_node": 4, "price": 0.95},
        "free": {"gpus_per_node": 1}
    }
}
END
hindcast ingest -q -o - -a a sacct.txt
hindcast report account -a a | head -8
hindcast report account -a a --site prices.json
hindcast report account -a a --site prices.json --csv - | grep 'partition\|,cost'
hindcast report account -a a --site prices.json --json | grep 'currency\|cost"\|estimated\|unpriced'
export HINDCAST_SITE=prices.json
hindcast report account -a a | grep '^cost'
unset HINDCAST_SITE
mv prices.json site.json
hindcast report account -a a | grep '^cost'
hindcast report account -a a --site none.json || echo "exit $?" >&2
