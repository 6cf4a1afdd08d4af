#!/usr/bin/env bash
# The metrics of a night in a real Prometheus: its node-exporter reads the textfile, Prometheus scrapes that,
# its HTTP API returns every value of metrics.prom, and the rules of examples/nightly are evaluated. Debian's
# prometheus and prometheus-node-exporter are installed if they can be.
set -euo pipefail
hindcast=$(realpath "${HINDCAST:?}")
source_dir=$(realpath "${SOURCE_DIR:?}")
if ! command -v prometheus >/dev/null || ! command -v prometheus-node-exporter >/dev/null; then
    "$source_dir/scripts/deps" prometheus || { echo "skipped: prometheus cannot be installed"; exit 77; }
fi
command -v curl >/dev/null || { echo "skipped: curl is not installed"; exit 77; }
work=$(mktemp -d)
pids=()
cleanup() {
    [ ${#pids[@]} = 0 ] || kill "${pids[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
cd "$work"
fail() { echo "FAIL: $*"; tail -n 5 ./*.log 2>/dev/null; exit 1; }
free_port() { /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

"$hindcast" synth cluster -q -o made --nodes 24 --days 30 --jobs 250 --runs 4 --faults 90
"$hindcast" ingest -q -a A made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json made/starts/marks.log >/dev/null
"$hindcast" ingest -q -a A --zone Europe/Berlin made/logs/*/*.out >/dev/null
"$hindcast" report nightly -q -a A --date 2026-03-28 -o R # with a final day and a provisional one
grep -q 'state="provisional"' R/latest/metrics.prom && grep -q 'state="final"' R/latest/metrics.prom || fail "both states"
mkdir textfiles
cp R/latest/metrics.prom textfiles/hindcast.prom

exporter=$(free_port)
server=$(free_port)
cp "$source_dir"/examples/nightly/hindcast-rules.yml .
sed -e "s/localhost:9100/localhost:$exporter/" -e 's/scrape_interval: 1m/scrape_interval: 1s\n  evaluation_interval: 1s/' \
    "$source_dir/examples/nightly/prometheus.yml" >prometheus.yml
prometheus-node-exporter --collector.disable-defaults --collector.textfile \
    --collector.textfile.directory=textfiles --web.listen-address="127.0.0.1:$exporter" 2>exporter.log &
pids+=($!)
prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb --web.listen-address="127.0.0.1:$server" 2>server.log &
pids+=($!)
ask() { curl -sf --get "http://127.0.0.1:$server/api/v1/query" --data-urlencode "query=$1"; }
for _ in $(seq 60); do
    sleep 1
    [ "$(ask 'count(hindcast_gpu_seconds)' | jq '.data.result | length')" != 1 ] || break
done
ask 'node_textfile_scrape_error' | jq -e '.data.result[0].value[1] == "0"' >/dev/null || fail "the exporter cannot read it"

# Every series with its labels and value, as the API gives it, and as the file has it.
ask '{__name__=~"hindcast_.*", job="node"}' >got.json
cat >compare.py <<'PY'
import json
import re
import sys

def unescape(text):
    return re.sub(r'\\(.)', lambda m: "\n" if m.group(1) == "n" else m.group(1), text)

want = {}
for line in open("R/latest/metrics.prom", encoding="utf-8"):
    if line.startswith("#"):
        continue
    name, labels, value = re.fullmatch(r'(\w+)(?:\{(.*)\})? (\S+)\n', line).groups()
    found = re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels or "")
    # An empty label is none, for Prometheus.
    want[(name, frozenset((k, unescape(v)) for k, v in found if v))] = float(value)
got = {}
for row in json.load(open("got.json"))["data"]["result"]:
    labels = {k: v for k, v in row["metric"].items() if k not in ("__name__", "instance", "job")}
    got[(row["metric"]["__name__"], frozenset(labels.items()))] = float(row["value"][1])
wrong = [k for k in want.keys() | got.keys() if want.get(k) != got.get(k)]
print(f"{len(want)} series in the file, {len(got)} by the API, {len(wrong)} differ")
for key in wrong[:5]:
    print(key[0], dict(key[1]), want.get(key), got.get(key))
sys.exit(bool(wrong) or not want)
PY
/usr/bin/python3 compare.py || fail "the API returns something else"

# The leaves sum to what was held, also there; and the recorded rules are what the file gives.
ask 'max(abs(sum by (state) (hindcast_gpu_seconds) / on (state) hindcast_gpu_held_seconds - 1))' |
    jq -e '(.data.result[0].value[1] | tonumber) < 1e-9' >/dev/null || fail "the leaves do not sum to what was held"
for _ in $(seq 20); do
    [ "$(ask 'hindcast:gpu_lost:ratio' | jq '.data.result | length')" != 2 ] || break
    sleep 1
done
for state in final provisional; do
    want=$(awk -v s="state=\"$state\"" '$0 ~ s && /^hindcast_gpu_seconds/ && /what="(lost_work|abandoned|detection|localisation|recovery|startup.failed)"/ { lost += $NF }
        $0 ~ s && /^hindcast_gpu_held_seconds/ { held = $NF } END { printf "%.9f", lost / held }' R/latest/metrics.prom)
    ask "hindcast:gpu_lost:ratio{state=\"$state\"}" | jq -e --argjson w "$want" \
        '(.data.result[0].value[1] | tonumber) - $w | fabs < 1e-8' >/dev/null || fail "recorded ratio of $state"
done
echo "rules: $(curl -sf "http://127.0.0.1:$server/api/v1/rules" | jq '[.data.groups[].rules[] | select(.health == "ok")] | length') of 10 evaluated"
[ "$(curl -sf "http://127.0.0.1:$server/api/v1/rules" | jq '[.data.groups[].rules[] | select(.health == "ok")] | length')" = 10 ] || fail "rules"
