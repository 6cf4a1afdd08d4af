#!/usr/bin/env bash
# Tables of other tools through maps of a site file: the jobs of made-up months, written as Acme, Helios, Philly
# and a pod export of Kubernetes write theirs, give the columns that the accounting gave; steps as wandb writes
# them, and tickets, go into their tables; rows that cannot be read are counted by reason.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE HINDCAST_SITE
export TZ=UTC
fail() {
    echo "tabular_maps: $*" >&2
    exit 1
}
query() { "$hindcast" query "$2" -a "$1" "${@:3}" --as csv; }

"$hindcast" synth cluster -q --nodes 16 --days 20 --jobs 600 --runs 3 --faults 40 --seed 6 -o made
"$hindcast" ingest -q -a truth made/slurm/sacct.txt >/dev/null
# Attempts that ended, one a job: these traces have one row a job.
query truth jobs --columns job,user,partition,state,submit_ns,start_ns,end_ns,gpus,nodes \
    --where 'end_ns >= 2000-01-01 and start_ns >= 2000-01-01 and state in (completed, failed, cancelled, timeout, node_fail)' |
    awk -F, 'NR > 1 && !seen[$1]++' >jobs
[ "$(wc -l <jobs)" -gt 300 ] || fail "only $(wc -l <jobs) jobs"

s() { echo "substr($1, 1, length($1) - 9)"; } # seconds of nanoseconds
awk -F, -v OFS=, 'BEGIN { print "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time" }
    function iso(t) { return strftime("%Y-%m-%d %H:%M:%S+08:00", substr(t, 1, length(t) - 9) + 8 * 3600, 1) }
    { print $1, $2, $9, $8, 8, NR % 10 ? "Pretrain" : "Debug", toupper($4), iso($5), iso($6), iso($7), "", "", "" }' jobs >acme.csv
awk -F, -v OFS=, 'BEGIN { print "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,duration,queue" }
    { a = substr($5, 1, length($5) - 9); b = substr($6, 1, length($6) - 9); c = substr($7, 1, length($7) - 9)
      print $1, $2, $3, $8, 8, $9, toupper($4), strftime("%Y-%m-%d %H:%M:%S", a, 1), c - b, b - a, "" }' jobs >helios.csv
awk -F, 'BEGIN { printf "{\"made\": {\"jobs\": [1]}, \"log\": {\"jobs\": [" }
    { printf "%s{\"jobid\": \"application_%s\", \"user\": \"%s\", \"vc\": \"%s\", \"status\": \"%s\", \"submitted_time\": %s.%s, ",
          (NR > 1 ? ",\n" : ""), $1, $2, $3, $4 == "completed" ? "Pass" : $4 == "cancelled" ? "Killed" : "Failed",
          substr($5, 1, length($5) - 9), substr($5, length($5) - 8)
      printf "\"attempts\": [{\"start\": %s, \"end\": %s}]}", substr($6, 1, length($6) - 6), substr($7, 1, length($7) - 6) }
    END { print "]}}" }' jobs >philly.json
awk -F, '{ printf "{\"metadata\": {\"name\": \"train-%s-0\", \"labels\": {\"user\": \"%s\"}}, \"t\": {\"made\": %s, \"gone\": %s}, \"gpus\": \"%s\", \"deep\": {\"a\": [[{\"b\": 1}]]}, \"none\": null}\n", $1, $2, $5, $7, $8 }' jobs >pods.jsonl
cat >history.jsonl <<'END'
{"_step": 1, "_timestamp": 1772348400.25, "train/loss": 7.5, "tokens": 4194304}
{"_step": 2, "_timestamp": 1772348401.5, "train/loss": "NaN", "tokens": 8388608}
{"_step": "three", "_timestamp": 1772348402.5}

END
printf '{"_step": 4, "_timesta' >>history.jsonl
cat >tickets.csv <<'END'
Opened,Text,Verdict,Who
31.03.2026 14:05,"job 4711 died on n07, ""again""",HW,ann
31.03.2026 15:00,nothing to see,none,bob
32.03.2026 15:00,job 1,HW,bob
END
printf '7,1772348400,1772348500\n8,1772348400,\n' >bare.csv
cat >site.json <<'END'
{
  "schema": "hindcast/site/1",
  "sources": [
    {"name": "acme", "files": "acme.csv", "cluster": "acme",
     "map": {"table": "jobs", "only": {"type": ["Pretrain", "SFT"]},
       "columns": {"job": "job_id", "user": "user", "nodes": "node_num", "gpus": "gpu_num", "state": "state",
                   "submit_ns": "submit_time", "start_ns": "start_time", "end_ns": "end_time"}}},
    {"name": "helios", "files": "helios.csv", "cluster": "helios", "zone": "Asia/Shanghai",
     "map": {"table": "jobs",
       "columns": {"job": "job_id", "user": "user", "partition": "vc", "gpus": "gpu_num", "nodes": "node_num",
                   "state": {"from": "state"}, "submit_ns": "submit_time",
                   "start_ns": {"from": "submit_time", "plus": "queue"},
                   "elapsed_ns": {"from": "duration", "unit": "s"}}}},
    {"name": "philly", "files": "philly.json", "cluster": "philly",
     "map": {"table": "jobs", "layout": "json", "rows": "log.jobs",
       "columns": {"job": {"from": "jobid", "pattern": "_(\\d+)$"}, "user": "user", "partition": "vc",
                   "state": {"from": "status", "values": {"Pass": "completed", "Killed": "cancelled"}, "otherwise": "failed"},
                   "submit_ns": {"from": "submitted_time", "unit": "s"},
                   "start_ns": {"from": "attempts.0.start", "unit": "ms"},
                   "end_ns": {"from": "attempts.0.end", "unit": "ms"}}}},
    {"name": "pods", "files": "pods.jsonl", "cluster": "k8s",
     "map": {"table": "jobs",
       "columns": {"job": {"from": "metadata.name", "unit": "hash"}, "name": "metadata.name", "user": "metadata.labels.user",
                   "submit_ns": {"from": "t.made", "unit": "ns"}, "end_ns": {"from": "t.gone", "unit": "ns"},
                   "gpus": "gpus", "comment": "none", "state": {"value": "completed"}}}},
    {"name": "wandb", "files": "history.jsonl",
     "map": {"table": "train_steps",
       "columns": {"iteration": "_step", "end_ns": {"from": "_timestamp", "unit": "s"}, "loss": "train/loss",
                   "tokens": "tokens", "log": {"value": "run7"}}}},
    {"name": "tickets", "files": "tickets.csv", "zone": "Europe/Berlin",
     "map": {"table": "corrections", "only": {"Verdict": ["HW", "SW"]},
       "columns": {"date_ns": {"from": "Opened", "unit": "%d.%m.%Y %H:%M"}, "job": {"from": "Text", "pattern": "job (\\d+)"},
                   "node": {"from": "Text", "pattern": "\\bn\\d+"}, "cause": {"from": "Verdict", "values": {"HW": "infrastructure", "SW": "user"}},
                   "author": "Who", "reason": "Text", "scope": {"value": "node"}}}},
    {"name": "bare", "files": "bare.csv", "cluster": "bare",
     "map": {"table": "jobs", "layout": "csv", "header": ["id", "from", "to"],
       "columns": {"job": "id", "submit_ns": {"from": "from", "unit": "s"}, "end_ns": {"from": "to", "unit": "s"},
                   "state": {"value": "completed"}}}},
  ],
}
END
"$hindcast" site check site.json >said || fail "$(cat said)"
"$hindcast" ingest -a a --site site.json --max-bad 0.5 >said || fail "$(cat said)"

same() { # CLUSTER COLUMNS AWK: what the made-up table gives, against what was asked of the truth
    query a jobs --cluster "$1" --columns "$2" | tail -n +2 | sort >got
    awk -F, -v OFS=, "$3" jobs | sort >wanted
    cmp -s got wanted || fail "$1: $(diff got wanted | head -n 4)"
}
same acme job,user,state,submit_ns,start_ns,end_ns,gpus,nodes 'NR % 10 { print $1, $2, $4, $5, $6, $7, $8, $9 }'
grep -q "$(($(wc -l <jobs) / 10)) ignored, rows that 'only' of the map leaves out" said || fail "$(cat said)"
# Helios' times are local ones of Shanghai: eight hours earlier in UTC than the same numbers.
same helios job,user,partition,state,submit_ns,start_ns,elapsed_ns,gpus,nodes '{
    h = 28800; printf "%s,%s,%s,%s,%d000000000,%d000000000,%d000000000,%s,%s\n", $1, $2, $3, $4,
        substr($5, 1, length($5) - 9) - h, substr($6, 1, length($6) - 9) - h,
        substr($7, 1, length($7) - 9) - substr($6, 1, length($6) - 9), $8, $9 }'
same philly job,user,partition,state,submit_ns,start_ns,end_ns '{
    print $1, $2, $3, $4 == "completed" || $4 == "cancelled" ? $4 : "failed", $5, $6, $7 }'
same k8s name,user,state,submit_ns,end_ns,gpus,comment '{ print "train-" $1 "-0", $2, "completed", $5, $7, $8, "" }'
[ "$(query a jobs --cluster k8s --columns job | sort -u | wc -l)" = "$(($(wc -l <jobs) + 1))" ] || fail 'two pods have one number'
query a jobs --cluster bare --columns job,submit_ns,end_ns | tail -n +2 | tr '\n' ' ' |
    grep -qx '7,1772348400000000000,1772348500000000000 8,1772348400000000000, ' || fail "bare: $(query a jobs --cluster bare --columns job,submit_ns,end_ns)"
query a train_steps --columns iteration,end_ns,loss,tokens,log | tail -n +2 | tr '\n' ' ' |
    grep -qx '1,1772348400250000000,7.5,4194304,run7 2,1772348401500000000,,8388608,run7 ' ||
    fail "$(query a train_steps --columns iteration,end_ns,loss,tokens,log)"
# A half line waits, as of every log; the third step is no number.
grep -q "2 of 3 rows new" said && grep -q "line 3: _step: 'three' is no whole number" said || fail "$(cat said)"
query a corrections --columns date_ns,job,node,cause,scope,author,reason | tail -n +2 >got
echo '1774958700000000000,4711,n07,infrastructure,node,ann,"job 4711 died on n07, ""again"""' | cmp -s - got || fail "$(cat got)"
grep -q "line 4: Opened: '32.03.2026 15:00' is no time" said || fail "$(cat said)"

# Nothing is new; another map reads its file once more.
"$hindcast" ingest -q -o - -a a --site site.json >said
grep -q 'new' said && fail "$(cat said)"
sed 's/"log": {"value": "run7"}/"log": {"value": "run8"}/' site.json >other.json
"$hindcast" ingest -q -o - -a a --site other.json --max-bad 0.5 >said
[ "$(query a train_steps --columns log | sort -u | tr '\n' ' ')" = 'log run7 run8 ' ] || fail "$(cat said)"

# Mistakes in a map have their places.
cat >wrong.json <<'END'
{"schema": "hindcast/site/1", "sources": [
  {"name": "a", "files": "acme.csv", "format": "slurm-sacct",
   "map": {"table": "job", "columns": {}}},
  {"name": "b", "files": "acme.csv",
   "map": {"table": "jobs", "rows": "x", "layout": "xml", "columns": {
     "job": {"from": "job_id", "unit": "weeks"},
     "sate": "state",
     "state": {"from": "state", "values": {"X": "asleep"}, "otherwise": "failed"},
     "user": {"from": "user", "value": "ann", "unit": "s"},
     "name": {"from": "n", "pattern": "(a"},
     "gpus": {"value": "many", "form": "x"},
     "nodes": {"from": "n", "plus": "m"}
   }}}]}
END
"$hindcast" site check wrong.json >said && fail 'nothing is wrong'
for what in "wrong.json:2:48: /sources/0: a source has a format, or a map" "no table of records is called 'job' (did you mean 'jobs'?)" \
    "'rows' needs the layout 'json'" "'layout' is one of csv, jsonl, json, not 'xml'" "'weeks' is no unit" \
    "wrong.json:7:6: /sources/1/map/columns/sate: table 'jobs' has no column 'sate' (did you mean 'state'?)" "'asleep' is none of the words" \
    "either 'from', a column of the source, or 'value'" "the column 'user' holds a text, and has no unit 's'" \
    "is no regular expression: missing closing parenthesis, at letter 3" "'many' is no whole number" "unknown key 'form' (did you mean 'from'?)" \
    "'plus' is added to a time" "table 'jobs' needs 'submit_ns'"; do
    grep -qF "$what" said || fail "'$what' is not in: $(cat said)"
done
sed 's/"job_id", "user": "user", "nodes"/"jobid", "user": "user", "nodes"/' site.json >lacks.json
"$hindcast" site check lacks.json >said && fail 'a column that is not there is passed over'
grep -q "acme.csv: 'acme.csv' has no column 'jobid'" said || fail "$(cat said)"
if "$hindcast" ingest -q -o - -a b --site lacks.json 2>why >&2; then fail 'a column that is not there is read'; fi
grep -q "'acme.csv' has no column 'jobid'; it has job_id, user" why || fail "$(cat why)"
echo "tabular_maps: $(wc -l <jobs) jobs in four forms"
