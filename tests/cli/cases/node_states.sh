# History of nodes dumped while an event lasts and after it, in both forms; and snapshots.
cat >open.txt <<'END'
Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User
c||2026-03-01T00:00:00|Unknown||Cluster Registered TRES|
c|n01|2026-03-01T10:00:00|2026-03-01T10:30:00|DOWN*|Not responding|slurm(64030)
c|n02|2026-03-01T11:00:00|Unknown|DRAIN|fan | bearing|root(0)
END
cat >closed.txt <<'END'
   Cluster NodeName                  TimeStart             TimeEnd  State                         Reason       User 
---------- --------------- ------------------- ------------------- ------ ------------------------------ ---------- 
         c n02             2026-03-01T11:00:00 2026-03-01T15:00:00  DRAIN                  fan | bearing    root(0) 
         c n03             2026-03-02T11:00:00             Unknown  DOWN*                                   root(0) 
END
cat >bad.txt <<'END'
Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User
c|n01|2026-03-01T10:00:00|2026-03-01T09:00:00|DOWN|x|root(0)
c|n01|soon|2026-03-01T09:00:00|DOWN|x|root(0)
c|n01|Unknown|Unknown|DOWN|x|root(0)
c|n01
END
printf '%s\n' 'Cluster|State' 'c|DOWN' >lacking.txt
hindcast ingest -a a open.txt
hindcast ingest -a a closed.txt open.txt
hindcast ingest -a b closed.txt
hindcast ingest -a b open.txt
hindcast ls -a a | cut -c1-36
hindcast ls -a b | cut -c1-36
hindcast ingest -a a bad.txt || echo "exit $?" >&2
hindcast ingest -a a --format slurm-events lacking.txt || echo "exit $?" >&2

cat >nodes.txt <<'END'
2026-03-01T12:00:00+01:00
NodeName=n01 Arch=x86_64 CoresPerSocket=1 
   CPUAlloc=1 CPUEfctv=16 CPUTot=16 CPULoad=2.38
   Gres=gpu:h100:8(S:0-1)
   State=MIXED+PLANNED ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
   Partitions=train,urgent 
   CfgTRES=cpu=16,mem=1000M,billing=16,gres/gpu=8
   AllocTRES=cpu=1,gres/gpu=2

NodeName=n02 CPUTot=16 Gres=(null) 
   State=IDLE+DRAIN+NOT_RESPONDING
   CfgTRES=cpu=16
   AllocTRES=
   Reason=fan [left] of the rack [root@2026-03-01T11:00:00]
NodeName=n03 CPUTot=16
END
cat >oneline-20260301T110000Z.txt <<'END'
NodeName=n01 CPUTot=16 Gres=gpu:h100:8 State=MIXED+PLANNED Partitions=train,urgent CfgTRES=cpu=16,gres/gpu=8 AllocTRES=gres/gpu=2
NodeName=n02 CPUTot=16 Gres=(null) State=IDLE+DRAIN+NOT_RESPONDING CfgTRES=cpu=16 AllocTRES= Reason=fan [left] of the rack [root@2026-03-01T11:00:00]
END
hindcast ingest -a c --max-bad 50% nodes.txt
hindcast ingest -a c oneline-20260301T110000Z.txt
cat >sinfo.txt <<'END'
2026-03-01T12:00:00+01:00
Sun Mar 01 12:00:00 2026
NODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON              
n01            1    train*        mix- 16     16:1:1   1000        0      1   (null) none                
n01            1    urgent        mix- 16     16:1:1   1000        0      1   (null) none                
n02            1    train*    drained* 16     16:1:1   1000        0      1   (null) fan [left] of the ra
n04            1    train*       idle~ 16     16:1:1   1000        0      1   (null) none                
n05            1    train*    reserved 16     16:1:1   1000        0      1   (null) none                
n06            1    train*      maint* 16     16:1:1   1000        0      1   (null) none                
n07            1    train*       drain 16     16:1:1   1000        0      1   (null) none                
END
cat >short-20260301T130000Z.txt <<'END'
NODELIST REASON STATE GRES CPUS(A/I/O/T)
n01 none idle gpu:h100:8(S:0-1) 0/16/0/16
n02 link flaps often down* (null) 0/0/16/16
n[03-04] none idle (null) 0/16/0/16
END
hindcast ingest -a d sinfo.txt
hindcast ingest -a d --max-bad 50% short-20260301T130000Z.txt
for a in a b c d; do
    hindcast query node_states -a $a --as csv | cut -d, -f1-14
done

# The same nodes as JSON, of Slurm 22.05 and of later: the same rows as those of the text.
cat >nodes-20260301T110000Z.json <<'END'
{"meta": {"Slurm": {"release": "22.05.8"}}, "errors": [], "nodes": [
  {"architecture": "x86_64", "cpus": 16, "features": "", "gres": "gpu:h100:8", "name": "n01", "slurmd_version": "22.05.8",
   "partitions": ["train", "urgent"], "state": "mixed", "state_flags": ["PLANNED"], "reason": "", "reason_changed_at": 0,
   "reason_set_by_user": "", "tres": "cpu=16,gres/gpu=8", "tres_used": "gres/gpu=2", "alloc_cpus": 1},
  {"name": "n02", "cpus": 16, "gres": "", "partitions": [], "state": "idle", "state_flags": ["DRAIN", "NOT_RESPONDING"],
   "reason": "fan [left] of the rack", "reason_changed_at": 1772362800, "reason_set_by_user": "root", "tres": "cpu=16",
   "tres_used": ""}]}
END
mkdir later
cat >later/nodes-20260301T110000Z.json <<'END'
{"nodes": [
  {"slurmd_start_time": {"set": true, "infinite": false, "number": 1772300000}, "state": ["MIXED", "PLANNED"],
   "cpus": 16, "gres": "gpu:h100:8", "name": "n01", "partitions": ["train", "urgent"], "reason": "",
   "reason_changed_at": {"set": false, "infinite": false, "number": 5}, "reason_set_by_user": "", "gpu_spec": {"a": [1]},
   "tres": "cpu=16,gres/gpu=8", "tres_used": "gres/gpu=2"},
  {"name": "n02", "cpus": {"number": 16, "set": true}, "gres": "", "partitions": null, "state": ["IDLE", "DRAIN", "NOT_RESPONDING"],
   "reason": "fan [left] of the rack", "reason_changed_at": {"infinite": false, "number": 1772362800, "set": true},
   "reason_set_by_user": "root", "tres": "cpu=16", "tres_used": ""}],
 "last_update": {"set": true, "infinite": false, "number": 1772362000}, "errors": [], "warnings": []}
END
states() { hindcast query node_states -a "$1" --columns since_ns,node,state,flags,reason,reason_ns,user,gpus,gpus_used,gpu_type,cpus,partitions; }
for form in oneline-20260301T110000Z.txt nodes-20260301T110000Z.json later/nodes-20260301T110000Z.json; do
    hindcast ingest -q -a "of-$(dirname $form)-${form##*.}" $form >/dev/null
done
states of-.-json
states of-.-txt | diff - <(states of-.-json) && states of-later-json | diff - <(states of-.-json) && echo 'the same in three forms'
echo '{"nodes": [{"state_flags": [], "state": "idle"}, {"name": "n", "state": "idle", "cpus": "many"}, {"name": "m"}]}' >bad.json
hindcast ingest -a e bad.json || echo "exit $?" >&2
echo '{"state_flags": 1, "nodes": [{"name": "n", "state": "idle"}, {"name": ' >cut.json
hindcast ingest -a e cut.json 2>&1 | sed 's/of the file is taken.*/of the file is taken/' || true

# Reservations: a row a node; two that begin at once stay two, and one whose end was moved is one.
cat >reservations.txt <<'END'
ReservationName=upgrade StartTime=2026-03-02T08:00:00 EndTime=2026-03-02T12:00:00 Duration=04:00:00
   Nodes=n[01-02],x1 NodeCnt=3 CoreCnt=48 Features=(null) PartitionName=(null) Flags=MAINT,IGNORE_JOBS,SPEC_NODES
   TRES=cpu=48
   Users=root Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null) Watts=n/a
   MaxStartDelay=(null)

ReservationName=course StartTime=2026-03-02T08:00:00 EndTime=2026-03-02T12:00:00 Duration=04:00:00
   Nodes=n01 NodeCnt=1 CoreCnt=16 Features=(null) PartitionName=train Flags=SPEC_NODES
   Users=(null) Groups=(null) Accounts=teach Licenses=(null) State=INACTIVE BurstBuffer=(null) Watts=n/a

ReservationName=licenses StartTime=2026-03-02T08:00:00 EndTime=2026-03-03T08:00:00 Duration=1-00:00:00
   Nodes=(null) NodeCnt=0 CoreCnt=0 Features=(null) PartitionName=(null) Flags=ANY_NODES
END
cat >reservations2.txt <<'END'
ReservationName=upgrade StartTime=2026-03-02T08:00:00 EndTime=2026-03-02T16:00:00 Duration=08:00:00 Nodes=n[01-02],x1 NodeCnt=3 Flags=MAINT Users=root
ReservationName=wrong StartTime=2026-03-02T08:00:00 EndTime=2026-03-01T16:00:00 Nodes=n[01-02] NodeCnt=3
ReservationName=open StartTime=2026-03-02T08:00:00 EndTime=2026-03-04T16:00:00 Nodes=n[01- NodeCnt=3
END
planned() { hindcast query node_states -a "$1" --columns since_ns,until_ns,node,state,flags,reason,user,how; }
hindcast ingest -a r reservations.txt
hindcast ingest -a r --max-bad 90% reservations2.txt
planned r
hindcast ingest -q -a r2 --max-bad 90% reservations2.txt >/dev/null
hindcast ingest -q -a r2 reservations.txt >/dev/null
planned r2 | diff - <(planned r) && echo 'in either order'
