# --fail-on: exit 1, with the report written all the same, when a condition holds.
data="$SOURCE_DIR/data/samples"
worker=$data/trace-slow-worker.parquet stage=$data/trace-slow-stage.csv.gz
hindcast ingest -q -a arc "$data"/fleet/trace-* >/dev/null
hindcast whatif -q -a arc --all --shard 1/1 -o shard.json
cp "$SOURCE_DIR/tests/scenarios/spec/standbys.json" .
try() {
    code=0
    hindcast "$@" -o report.txt 2>&1 || code=$?
    words="$*"
    echo "${words//"$data"\//} -> $code, $([ -s report.txt ] && echo report || echo none)"
    rm -f report.txt
}
try whatif "$worker" --fail-on 'slowdown > 1.1'
try whatif "$worker" --fail-on 'slowdown.high < 1.1'
try whatif "$worker" --fail-on 'slowdown > 2' --fail-on 'waste >= 20 % and cost.gpu_hours_lost > 0.04'
try whatif "$worker" "$stage" --fail-on 'm_w.explained_by_removing.low > 50 %'
# Without intervals their ends are not known, and what is not known holds no condition.
try whatif --quick "$worker" --fail-on 'slowdown.low > 0'
try whatif "$worker" --fail-on 'slodown > 1.1'
try whatif "$worker" --fail-on 'waste > 10 GPU-h'
try whatif "$worker" --fail-on 'waste'
try whatif -a arc --all --fail-on 'straggling.share > 50 %'
try whatif -a arc --all --fail-on 'straggling.share.low > 99 %'
try whatif -a arc --all --shard 1/1 --fail-on 'jobs > 0'
try merge shard.json --fail-on 'lost_share > 1 %'
try merge shard.json --fail-on 'jobs < 1'
try report reliability "$data/incidents/cluster.csv" --fail-on 'repair.mttr_h > 60 min'
try report reliability "$data/incidents/cluster.csv" --fail-on 'rates.infrastructure.per_1000_node_days.low > 1000'
try simulate -q --replicas 2 standbys.json --fail-on 'ettr < 99 %'
try simulate -q --replicas 2 standbys.json --fail-on 'ettr.low > 1'
try simulate -q --replicas 2 standbys.json --fail-on 'ettr.middle > 1'
try simulate -q --replicas 40 standbys.json --fail-on 'wall_d.p50.high > 1 and ettr.p05 < 99 %'
try simulate -q --replicas 40 standbys.json --fail-on 'ettr.p95 < ettr'
try simulate -q --replicas 40 standbys.json --fail-on 'ettr.p90 > 0'
