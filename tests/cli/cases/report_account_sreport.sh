# The GPU-time of the records beside what sreport says of the same window.
cat >sacct.txt <<'END'
JobID|Cluster|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|NCPUS|AllocTRES|NodeList
1|c|a|u1|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|COMPLETED|1|8|cpu=8,gres/gpu=8,node=1|n1
2|c|a|u2|2026-03-01T00:00:00|2026-03-01T00:30:00|2026-03-01T01:00:00|2026-03-01T02:00:00|3600|FAILED|2|16|cpu=16,gres/gpu=16|n[2-3]
3|c|b|u1|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-02-28T23:00:00|2026-03-01T01:00:00|7200|COMPLETED|1|4|cpu=4,gres/gpu=1,node=1|n4
END
# Two users, one of them in two accounts; of job 3 one hour is before the window.
report() {
    cat <<END
--------------------------------------------------------------------------------
Cluster/Account/User Utilization 2026-03-01T00:00:00 - 2026-03-01T23:59:59 (86400 secs)
Usage reported in TRES $1
--------------------------------------------------------------------------------
Cluster|Account|Login|Proper Name|TRES Name|Used
c|root|||gres/gpu|$2
c|a|||gres/gpu|$2
c|a|u1|One|gres/gpu|$3
c|a|u1|One|cpu|57600
c|a|u2|Two|gres/gpu|$4
c|b|u1|One|gres/gpu|$5
d|b|u9|Nine|gres/gpu|77
END
}
report Seconds 118800 57600 57600 3600 | sed '$d' >good.txt
report Seconds 118800 57500 57600 3600 | sed '$d' >near.txt
report Minutes 1980 960 959 60 | sed '$d' >minutes.txt
report Seconds 118800 57600 50000 3600 >far.txt
hindcast ingest -q -o - -a a sacct.txt
for file in good near minutes; do
    hindcast report account -a a --sreport $file.txt | sed -n '/^sreport/,/^queue/p'
done
hindcast report account -a a --sreport far.txt --cluster c >out || echo "exit $?" >&2
sed '/BY STATE/,$d' out
hindcast report account -a a --sreport far.txt --json >out || echo "exit $?" >&2
sed -n '/"sreport": {/,/^  }/p' out
# Not such reports.
sed 's/TRES Seconds/TRES Percentage of Total/' good.txt >percent.txt
sed '1,4d' good.txt >bare.txt
grep -v gres/gpu good.txt >cpus.txt
tr '|' ' ' <good.txt >columns.txt
cat good.txt far.txt >two.txt
sed 's/57600/5e4/' good.txt >number.txt
sed 's/Login/Name/' good.txt >login.txt
for file in percent bare cpus columns two number login; do
    hindcast report account -a a --sreport $file.txt || echo "exit $?" >&2
done
hindcast report account -a a --sreport good.txt --cluster e || echo "exit $?" >&2
hindcast report account -a a --sreport good.txt --from 2026-03-01 || echo "exit $?" >&2
hindcast report account -a a --zone UTC || echo "exit $?" >&2
# One hour further east, the window has two hours of job 3.
hindcast report account -a a --sreport good.txt --zone +01:00 >out || echo "exit $?" >&2
