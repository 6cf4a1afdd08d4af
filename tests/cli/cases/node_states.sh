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
