# slurm/site.bash - sourced: a real Slurm with accounting, of four nodes with eight made-up GPUs each,
# on this machine, without systemd: munged, mariadbd, slurmdbd, slurmctld and four slurmd, with
# configuration, state and ports of their own in a temporary directory. Needs root.

programs=(munged mariadbd mariadb-install-db slurmdbd slurmctld slurmd sbatch sacct sreport faketime)
has_programs() {
    local program
    for program in "${programs[@]}"; do
        command -v "$program" >/dev/null || return 1
    done
}
if [ "$(id -u)" != 0 ]; then
    echo "${0##*/}: skipped: needs root"
    exit 77
fi
if ! has_programs && ! { "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/deps" slurm && has_programs; }; then
    echo "${0##*/}: skipped: Slurm cannot be installed (scripts/deps slurm)"
    exit 77
fi

export TZ=UTC # slurmdbd sums up by hours of its zone
PHASE_MARK=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../../examples/recorders/phase-mark.sh")
work=$(mktemp -d /tmp/hindcast-slurm.XXXXXX)
chmod 755 "$work"
pids=()
stop() { # from the last started to the first; a slurmd may wait for a controller that is gone
    local i end=$((SECONDS + 10))
    for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
        kill "${pids[i]}" 2>/dev/null || true
    done
    for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
        while kill -0 "${pids[i]}" 2>/dev/null && [ $SECONDS -lt $end ]; do sleep 0.1; done
        kill -KILL "${pids[i]}" 2>/dev/null || true
        wait "${pids[i]}" 2>/dev/null || true
    done
    pids=()
}
clean() {
    # Jobs would outlive the daemons that started them.
    [ ! -e "$work/run/slurmctld.pid" ] || timeout 10 scancel --quiet --signal=KILL --full --state=RUNNING || true
    stop
    rm -rf "$work"
}
trap clean EXIT
fail() {
    echo "${0##*/}: $*" >&2
    [ -z "${SHOW_LOGS:-}" ] || tail -n 20 "$work"/log/* >&2 || true
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
# $1 ports in a row that nobody listens on and no call of this gave out before, as first_port; below
# those that the system gives to connections of programs (ip_local_port_range).
given_ports=' '
free_ports() {
    local port
    first_port=0
    while [ $first_port = 0 ]; do
        first_port=$((10000 + RANDOM % 20000))
        for ((port = first_port; port < first_port + $1; port++)); do
            if [[ $given_ports == *" $port "* ]] || (: </dev/tcp/127.0.0.1/$port) 2>/dev/null; then
                first_port=0
                break
            fi
        done
    done
    for ((port = first_port; port < first_port + $1; port++)); do
        given_ports+="$port "
    done
}
start() { # name, command...: a daemon in the background
    local name=$1
    shift
    "$@" >"$work/log/$name.out" 2>&1 &
    pids+=($!)
}

write_configuration() {
    local host
    host=$(hostname -s)
    cat >"$work/slurmdbd.conf" <<CONF
AuthType=auth/munge
AuthInfo=socket=$work/run/munge.socket
DbdHost=$host
DbdAddr=127.0.0.1
DbdPort=$dbd_port
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$database_port
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm_acct
LogFile=$work/log/slurmdbd
PidFile=$work/run/slurmdbd.pid
CONF
    chmod 600 "$work/slurmdbd.conf"
    cat >"$work/slurm.conf" <<CONF
ClusterName=twin
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/run/munge.socket
CryptoType=crypto/munge
SlurmctldPort=$controller_port
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool.%n
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd.%n.pid
SlurmctldLogFile=$work/log/slurmctld
SlurmdLogFile=$work/log/slurmd.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
Prolog=$work/prolog
PrologFlags=Alloc
Epilog=$work/epilog
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerNode=100
SchedulerParameters=sched_interval=1,bf_interval=1
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
MpiDefault=none
ReturnToService=1
KillWait=2
SlurmdTimeout=300
MinJobAge=3600
FirstJobId=1000
GresTypes=gpu
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$dbd_port
AccountingStoragePass=$work/run/munge.socket
AccountingStorageTRES=gres/gpu,gres/gpu:a100
AccountingStorageEnforce=associations
AccountingStoreFlags=job_comment
NodeName=gpu[01-04] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$node_ports-$((node_ports + 3))] CPUs=16 RealMemory=2000 Gres=gpu:a100:8 State=UNKNOWN
PartitionName=train Nodes=gpu[01-04] Default=YES MaxTime=60 State=UP PriorityTier=1
PartitionName=urgent Nodes=gpu[01-04] MaxTime=60 State=UP PriorityTier=10
CONF
    mkdir "$work/dev"
    for i in 0 1 2 3 4 5 6 7; do mknod "$work/dev/gpu$i" c 1 3; done
    echo "NodeName=gpu[01-04] Name=gpu Type=a100 File=$work/dev/gpu[0-7]" >"$work/gres.conf"
    # What a node is told of a job that begins or ends on it, in whole seconds of the clock that Slurm reads
    # (bash, too, takes them from time()); and the mark that a site would make of what it does before a job.
    cat >"$work/prolog" <<CONF
#!/bin/bash
echo "prolog \$EPOCHSECONDS \$SLURM_JOB_ID \$SLURM_JOB_RESTART_COUNT \$SLURMD_NODENAME \$SLURM_NODELIST" \
    "\$SLURM_JOB_CPUS_PER_NODE \${SLURM_JOB_GPUS:--} \$SLURM_JOB_USER \$SLURM_JOB_ACCOUNT \$SLURM_JOB_PARTITION" \
    >>"$work/given/\$SLURMD_NODENAME"
export HINDCAST_PHASES=$work/phases/prolog-\$SLURMD_NODENAME.log
begun=\$EPOCHREALTIME
sh $PHASE_MARK run environment sleep 1
echo "\$begun \$EPOCHREALTIME \$SLURM_JOB_ID \$SLURM_JOB_RESTART_COUNT \$SLURMD_NODENAME" >>"$work/prologs/\$SLURMD_NODENAME"
CONF
    cat >"$work/epilog" <<CONF
#!/bin/bash
echo "epilog \$EPOCHSECONDS \$SLURM_JOB_ID" >>"$work/given/\$SLURMD_NODENAME"
CONF
    chmod 755 "$work/prolog" "$work/epilog"
    # slurmd loads a plugin for control groups, which 22.05 cannot be told not to; that of version 1
    # needs no daemon, and looks only where it is told.
    printf 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=%s\n' "$work/cgroup" >"$work/cgroup.conf"
}

database() {
    mariadb --no-defaults -S "$work/run/db.sock" -u root -e "$1"
}

start_database() {
    mariadb-install-db --no-defaults --user=root --datadir="$work/db" \
        --auth-root-authentication-method=normal >"$work/log/install-db" 2>&1
    start mariadbd mariadbd --no-defaults --user=root --datadir="$work/db" \
        --socket="$work/run/db.sock" --bind-address=127.0.0.1 --port="$database_port" \
        --pid-file="$work/run/db.pid" --innodb-buffer-pool-size=64M
    wait_for 60 'the database' database 'select 1'
    for from in 127.0.0.1 localhost; do
        database "create user 'slurm'@'$from' identified by 'slurm';
                  grant all on *.* to 'slurm'@'$from'"
    done
}

start_slurm() {
    mkdir -p "$work"/{log,state,run,cgroup,db,phases,given,prologs}
    chmod 777 "$work/phases"
    dd if=/dev/urandom of="$work/munge.key" bs=128 count=1 status=none
    chmod 600 "$work/munge.key"
    free_ports 1 && database_port=$first_port
    free_ports 1 && dbd_port=$first_port
    free_ports 1 && controller_port=$first_port
    free_ports 4 && node_ports=$first_port
    start munged munged --foreground --force --key-file="$work/munge.key" \
        --socket="$work/run/munge.socket" --pid-file="$work/run/munged.pid" \
        --log-file="$work/log/munged" --seed-file="$work/run/munge.seed"
    wait_for 20 munged test -S "$work/run/munge.socket"
    start_database
    write_configuration
    export SLURM_CONF=$work/slurm.conf
    start slurmdbd slurmdbd -D
    wait_for 60 'slurmdbd' sacctmgr -n show cluster
    for words in 'cluster twin' 'account lab cluster=twin' 'account other cluster=twin' \
        'user root account=lab cluster=twin' 'user nobody account=other cluster=twin'; do
        # shellcheck disable=SC2086
        sacctmgr -i add $words >/dev/null
    done
    start slurmctld slurmctld -D -i -f "$SLURM_CONF"
    for n in 1 2 3 4; do
        start "slurmd.$n" slurmd -D -N "gpu0$n" -f "$SLURM_CONF"
    done
    are_idle() { [ "$(sinfo -h -N -p train -o %T | grep -c idle)" = 4 ]; }
    wait_for 60 'four idle nodes' are_idle
}
