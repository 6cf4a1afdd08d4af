#!/usr/bin/env bash
# examples/slurm on a real Slurm of one node, which this test starts and stops: munged, slurmctld and
# slurmd with a configuration, state and ports of their own in a temporary directory, without
# systemd. An array of 16 shards runs; one task is killed at work and requeued; the merge starts
# after the array; its bytes are those of a run without shards.
# Needs root (slurmd starts jobs as their users) and Debian's slurm-wlm and munge.
set -euo pipefail
: "${HINDCAST:?the program to test}"
root=$(cd "${SOURCE_DIR:-$(dirname "$0")/../..}" && pwd)
HINDCAST=$(realpath "$HINDCAST")

for program in munged slurmctld slurmd sbatch scontrol squeue; do
    if ! command -v "$program" >/dev/null; then
        echo "slurm_array: skipped: no $program (scripts/deps slurm)"
        exit 77
    fi
done
if [ "$(id -u)" != 0 ]; then
    echo "slurm_array: skipped: needs root"
    exit 77
fi

work=$(mktemp -d /tmp/hindcast-slurm.XXXXXX)
chmod 755 "$work"
pids=()
stop() { # from the last started to the first
    local i
    for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
        kill "${pids[i]}" 2>/dev/null || true
        wait "${pids[i]}" 2>/dev/null || true
    done
    pids=()
}
clean() {
    stop
    rm -rf "$work"
}
trap clean EXIT
fail() {
    echo "slurm_array: $*" >&2
    tail -n 20 "$work"/log/* >&2 || true
    exit 1
}
wait_for() { # seconds, what for, command...
    local end=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || fail "waited in vain for $what"
        sleep 0.2
    done
}
free_port() {
    local port
    while port=$((20000 + RANDOM % 20000)); do
        if ! (: </dev/tcp/127.0.0.1/$port) 2>/dev/null; then
            echo $port
            return
        fi
    done
}

# ---- a Slurm of one node ----
mkdir -p "$work"/{log,state,spool,run,cgroup}
host=$(hostname -s)
dd if=/dev/urandom of="$work/munge.key" bs=128 count=1 status=none
chmod 600 "$work/munge.key"
munged --foreground --force --key-file="$work/munge.key" --socket="$work/run/munge.socket" \
    --pid-file="$work/run/munged.pid" --log-file="$work/log/munged" \
    --seed-file="$work/run/munge.seed" >"$work/log/munged.out" 2>&1 &
pids+=($!)
wait_for 20 munged test -S "$work/run/munge.socket"

cat >"$work/slurm.conf" <<CONF
ClusterName=hindcast
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/run/munge.socket
CryptoType=crypto/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd.pid
SlurmctldLogFile=$work/log/slurmctld
SlurmdLogFile=$work/log/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1
MpiDefault=none
ReturnToService=2
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=600 State=UP
CONF
# Nothing here uses control groups, but slurmd loads a plugin for them, which Slurm 22.05 cannot be told
# not to; that of version 1 needs no daemon, and looks only where it is told.
printf 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=%s\n' "$work/cgroup" >"$work/cgroup.conf"
export SLURM_CONF=$work/slurm.conf
slurmctld -D -i -f "$SLURM_CONF" >"$work/log/slurmctld.out" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" >"$work/log/slurmd.out" 2>&1 &
pids+=($!)
is_idle() { sinfo -h -o %T | grep -q idle; }
wait_for 60 'an idle node' is_idle

# ---- an archive, and the report without shards ----
cd "$work"
for i in $(seq 1 48); do
    "$HINDCAST" synth steps -q --dp $((i % 8 + 1)) --steps $((i % 9 + 5)) --seed "$i" \
        --slow-worker 0,0,1.$((i % 7)) -o "trace-job-$i.csv"
done
# One that takes long enough to be killed at work.
"$HINDCAST" synth steps -q --dp 128 --microbatches 32 --steps 40 --seed 99 --slow-worker 0,0,1.5 \
    -o trace-large.parquet
"$HINDCAST" ingest -q -a archive trace-*.csv trace-large.parquet >/dev/null
rm trace-*
"$HINDCAST" whatif --all --no-cache -q -a archive -o expected.txt
"$HINDCAST" whatif --all --no-cache -q -a archive --json -o expected.json

# ---- the array; a task is killed at work and requeued ----
export ARCHIVE=archive PARTS=$work/parts SHARDS=16 REPORT=$work/report HINDCAST
array=$(sbatch --parsable --array="0-$((SHARDS - 1))" --output="$work/log/task-%a" --chdir="$work" \
    "$root/examples/slurm/whatif-array.sbatch")
merge=$(sbatch --parsable --dependency="afterany:$array" --output="$work/log/merge" \
    --chdir="$work" "$root/examples/slurm/merge.sbatch")
# The largest job is dealt first, to shard 1.
at_work() { pgrep -f -- "--shard 1/16 .*$work/parts" >"$work/run/victim"; }
wait_for 120 'shard 1 at work' at_work
scontrol requeue "${array}_0"
[ ! -e parts/shard-1-of-16.json ] || fail "shard 1 was done before it could be killed"
requeued() { scontrol -o show job "${array}_0" | grep -q 'Restarts=1 '; }
wait_for 60 'the requeue' requeued
# Slurm holds a requeued task back for two minutes, unless it is told to begin now.
begins() {
    scontrol update "JobId=${array}_0" StartTime=now || true
    [ "$(squeue -h -j "${array}_0" -o %r)" != BeginTime ]
}
wait_for 60 'the requeued task to begin' begins

done_with() { [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]; }
wait_for 400 'the array' done_with "$array"
wait_for 120 'the merge' done_with "$merge"
cmp expected.txt report.txt || fail 'another text than without shards'
cmp expected.json report.json || fail 'another JSON than without shards'

# ---- the whole array again: every shard is done ----
again=$(sbatch --parsable --array="0-$((SHARDS - 1))" --output="$work/log/again-%a" --chdir="$work" \
    "$root/examples/slurm/whatif-array.sbatch")
wait_for 200 'the array again' done_with "$again"
[ "$(grep -l 'was done before with the same inputs' log/again-* | wc -l)" = "$SHARDS" ] ||
    fail 'a shard that was done was done again'

# ---- two tasks on their own, as after a failure ----
rm parts/shard-4-of-16.json parts/shard-8-of-16.json report.*
merge=$(sbatch --parsable --output="$work/log/merge-lacking" --chdir="$work" "$root/examples/slurm/merge.sbatch")
wait_for 120 'the merge that lacks shards' done_with "$merge"
tasks=$(sed -n 's/.*sbatch --array=\([0-9,]*\) .*/\1/p' log/merge-lacking)
[ "$tasks" = 3,7 ] || fail "the merge says to submit '$tasks', not 3,7"
[ ! -e report.txt ] || fail 'the merge wrote a report that lacks shards'
few=$(sbatch --parsable --array="$tasks" --output="$work/log/few-%a" --chdir="$work" \
    "$root/examples/slurm/whatif-array.sbatch")
merge=$(sbatch --parsable --dependency="afterok:$few" --output="$work/log/merge-few" \
    --chdir="$work" "$root/examples/slurm/merge.sbatch")
wait_for 120 'the two tasks and the merge' done_with "$merge"
cmp expected.txt report.txt || fail 'another text after two tasks were submitted again'

# ---- a report of records as an array ----
"$HINDCAST" synth cluster -q -o made --nodes 16 --days 20 --jobs 150 --runs 4 --faults 90
"$HINDCAST" ingest -q -a records made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json made/starts/marks.log >/dev/null
"$HINDCAST" ingest -q -a records --zone Europe/Berlin made/logs/*/*.out >/dev/null
"$HINDCAST" report nightly --no-cache -q -a records --date 2026-03-10 -o expected-nights
export ARCHIVE=records PARTS=$work/night-parts SHARDS=5 REPORT=$work/nights DATE=2026-03-10
array=$(sbatch --parsable --array="0-$((SHARDS - 1))" --output="$work/log/night-%a" --chdir="$work" \
    "$root/examples/slurm/night-array.sbatch")
merge=$(sbatch --parsable --dependency="afterok:$array" --output="$work/log/night-merge" \
    --chdir="$work" "$root/examples/slurm/night-merge.sbatch")
wait_for 200 'the array of a night' done_with "$array"
wait_for 120 'the merge of a night' done_with "$merge"
diff -r -x metrics.prom nights/2026-03-10 expected-nights/2026-03-10 || fail 'another night than without shards'
echo "slurm_array: 16 shards, one killed at work and requeued: the bytes of one process"
