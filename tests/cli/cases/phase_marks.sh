# Marks of start-up phases: open, closed, overlapping, and bad ones; then what the script writes.
M='hindcast-phase 1'
cat >open.log <<END
$M 2026-03-01T10:00:00Z start image job=7 restart=0 node=n01 rank=0
$M 2026-03-01T10:00:00.25Z start image job=7 restart=0 node=n02 rank=8
a line of something else
$M 2026-03-01T10:01:00Z end image job=7 restart=0 node=n01 rank=0
END
cat >closed.log <<END
$M 2026-03-01T10:02:00+01:00 end load job=6 restart=1 node=n01 rank=0 began=2026-03-01T10:00:00+01:00 detail=from step 400
$M 2026-03-01T10:03:00Z end image job=7 restart=0 node=n02 rank=8 began=2026-03-01T10:00:00.25Z
$M 1772359500000000000 start tidy_up job=7 node=n01
END
cat >bad.log <<END
$M 2026-03-01T10:00:00 start image job=7
$M 2026-03-01T10:00:00Z begin image job=7
$M 2026-03-01T10:00:00Z start
$M 2026-03-01T10:00:00Z start image job=x
$M 2026-03-01T10:00:00Z end image job=8
$M 2026-03-01T10:00:00Z end image job=8 began=2026-03-01T10:00:01Z
END
hindcast ingest -a a open.log
hindcast ingest -a a closed.log open.log
hindcast ingest -a b closed.log
hindcast ingest -a b open.log
hindcast ls -a a | cut -c1-36
hindcast ingest -a a bad.log || echo "exit $?" >&2

mark="$SOURCE_DIR/examples/recorders/phase-mark.sh"
export SLURM_JOB_ID=9 SLURM_RESTART_COUNT=2 SLURMD_NODENAME=n03 SLURM_PROCID=1
"$mark" start image
"$mark" end image from a cache
"$mark" run load false || echo "false gives $?"
"$mark" nonsense
# As the prolog of a node is told of a job that was requeued.
env -u SLURM_RESTART_COUNT -u SLURM_PROCID SLURM_JOB_RESTART_COUNT=3 "$mark" start environment
sed 's/20[0-9-]*T[0-9:.]*Z/TIME/g' hindcast-phases/9.log
hindcast ingest -a c hindcast-phases/9.log | sed 's/in [12] days/in some days/'
