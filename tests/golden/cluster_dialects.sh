#!/usr/bin/env bash
# The months of one made-up cluster through each form of its records: the same tables. They lie over a change
# to summer time.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "cluster_dialects: $*" >&2
    exit 1
}
"$hindcast" synth cluster -q --nodes 32 --days 45 --jobs 2000 --runs 4 --faults 60 --seed 7 -o made
query() { "$hindcast" query "$2" -a "$1" "${@:3}" --as csv; }
ingest() { "$hindcast" ingest -q -a "$1" --zone Europe/Berlin "${@:2}" >/dev/null 2>&1; }

# Accounting: what all three forms say.
common=job,raw_job,array_task,cluster,partition,account,user,name,state,submit_ns,eligible_ns,start_ns,end_ns,elapsed_ns,nodes,gpus,node_list
"$hindcast" ingest -q -a full made/slurm/sacct.txt >/dev/null
ingest local made/slurm/sacct-local.txt
"$hindcast" ingest -q -a xdmod made/slurm/sacct-xdmod.txt >/dev/null
query full jobs --columns $common >full.csv
[ "$(wc -l <full.csv)" = "$(wc -l <made/slurm/sacct.txt)" ] || fail 'not a row a record'
for form in local xdmod; do
    query $form jobs --columns $common | diff full.csv - >difference || fail "$form: $(head -n 4 difference)"
done

# Kernel logs: four forms, one of them in local times without a year.
touch -d 2026-04-20 made/kernel/*
columns=time_ns,node,device,pid,process,class,code,effect,fact
for form in syslog-iso.log syslog-local.log journal.json log-store.jsonl; do
    ingest "$form" "made/kernel/$form"
    query "$form" events --columns $columns >"$form.csv"
    cmp "$form.csv" syslog-iso.log.csv || fail "$form has other events"
done
[ "$(wc -l <syslog-iso.log.csv)" -gt 50 ] || fail 'hardly an event'
echo "cluster_dialects: $(wc -l <full.csv) records, $(wc -l <syslog-iso.log.csv) events"
