# slurm_check.bash - sourced: what hindcast makes of the dumps that slurm_records.sh made, in the directory dumps;
# the caller has fail() and HINDCAST. Of dumps that were kept (KEEP=DIR), by themselves:
#   HINDCAST=build/hindcast tests/long/slurm_check.bash DIR
if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    set -euo pipefail
    HINDCAST=$(realpath "${HINDCAST:?the program to test}")
    fail() {
        echo "slurm_check: $*" >&2
        exit 1
    }
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cp -rp "$1" "$work/dumps"
    cd "$work"
    export TZ=UTC
    # shellcheck disable=SC1091
    . dumps/jobs.env
fi

# ---- what hindcast makes of it ----
unset LD_PRELOAD
"$HINDCAST" ingest -q -a archive dumps/sacct.txt >/dev/null
"$HINDCAST" report account -a archive --csv - >account.csv
for form in sacct-xdmod sacct-steps sacct-no-duplicates; do # which say nothing that is not there
    "$HINDCAST" ingest -q -a archive "dumps/$form.txt" >said
    grep -q unchanged said || fail "$form.txt says something else: $(cat said)"
done

# Each job ended as it was made to end, in each of its attempts.
"$HINDCAST" query jobs -a archive --columns job,array_task,het_component,state,gpus,name --as csv |
    sort >got
cat >expected <<JOBS
$array,1,,completed,1,array
$array,2,,completed,1,array
$array,3,,completed,1,array
$array,4,,completed,1,array
$cancelled,,,cancelled,2,cancelled
$complete,,,completed,8,complete
$failed,,,failed,4,fail|pipe
$het,,0,completed,2,het
$het,,1,completed,1,het
$lowprio,,,completed,8,lowprio
$lowprio,,,preempted,8,lowprio
$again,,,completed,8,pretrain
$dependent,,,completed,1,dependent
$memory,,,failed,1,memory
$moved,,,completed,8,moved
$moved,,,node_fail,8,moved
$moved,,,node_fail,8,moved
$pretrain,,,failed,8,pretrain
$released,,,completed,1,released
$reserved,,,completed,2,reserved
$suspended,,,completed,1,suspended
$tune,,,completed,8,tune
$nodefail,,,node_fail,8,nodefail
$nogpu,,,completed,0,nogpu
$other,,,completed,3,other
$requeued,,,completed,4,requeued
$requeued,,,requeued,4,requeued
$timeout,,,timeout,2,timeout
$urgent,,,completed,8,urgent
job,array_task,het_component,state,gpus,name
JOBS
sort expected | diff - got || fail 'other jobs than were made'

# The GPU-time of all, and of each user, is what Slurm's own reports say.
seconds() { awk -F, -v by="$1" -v name="$2" '$1 == by && $2 == name { printf "%.0f", $4 * 3600 }' account.csv; }
of_sreport() { awk -F'|' -v name="$1" '$3 == name && $5 == "gres/gpu" { print $6 }' dumps/sreport-users.txt; }
for user in root nobody; do
    [ "$(seconds user $user)" = "$(of_sreport $user)" ] ||
        fail "$user: $(seconds user $user) GPU-seconds, by sreport $(of_sreport $user)"
done
all=$(awk -F, '$1 == "state" { s += $4 * 3600 } END { printf "%.0f", s }' account.csv)
by_sreport=$(awk -F'|' '$2 == "gres/gpu" { print $3 }' dumps/sreport-cluster.txt)
[ "$all" = "$by_sreport" ] || fail "$all GPU-seconds, by sreport $by_sreport"
"$HINDCAST" report account -a archive --sreport dumps/sreport-users.txt >reconciled ||
    fail "the account differs from sreport: $(grep -A 2 ^sreport reconciled)"
echo "slurm_records: $(wc -l <dumps/sacct-xdmod.txt) records, $all GPU-seconds, as sreport says"
