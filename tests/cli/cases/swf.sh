# Jobs in the Standard Workload Format: header, parts of jobs, what is not known, and what is wrong.
cat >log.swf <<'END'
; Version: 2.2
; Computer: made up
; MaxRecords: 9
; UnixStartTime: 1772359200
; Queue: 0 interactive
; Queue: 1 batch of the night
; Partition: 3 gpu
;
1 0 10.5 3600 64 -1 -1 64 7200 -1 1 4 1 2 1 3 -1 -1
2 60 -1 100 8 -1 -1 -1 -1 -1 -1 5 1 -1 0 7 -1 -1

3 61 200 400 8 -1 -1 -1 -1 -1 0 5 1 -1 -1 -1 -1 -1
3 61 200 100 8 -1 -1 -1 -1 -1 2 5 1 -1 -1 -1 -1 -1
3 -1 50 300 8 -1 -1 -1 -1 -1 4 5 1 -1 -1 -1 -1 -1
4 70 30 -1 -1 -1 -1 8 -1 -1 5 5 1 -1 1 -1 -1 -1
5 80 30 9 8 -1 -1 8 -1 -1 1 5 1 -1 1
-1 90 30 9 8 -1 -1 8 -1 -1 1 5 1 -1 1 -1 -1 -1
6 90 -3 9 8 -1 -1 8 -1 -1 1 5 1 -1 1 -1 -1 -1
7 90 3 9 8 -1 -1 8 -1 -1 6 5 1 -1 1 -1 -1 -1
END
hindcast ingest -q -o - --max-bad 0.9 --cluster made log.swf
hindcast query jobs --columns job,submit_ns,start_ns,end_ns,elapsed_ns,state,cpus,time_limit_ns
hindcast query jobs --columns job,cluster,partition,qos,account,user,name
hindcast report account | head -n 5
printf '1 5 0 10 4 -1 -1 -1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n' >bare.swf
hindcast ingest -q -o - -a bare bare.swf
head -c 40 bare.swf >cut.swf
hindcast ingest -q -o - -a bare cut.swf --format swf || true
printf '1 5 0 10 4 -1 -1 -1 -1 -1 9 1 1 -1 -1 -1 -1 -1\n' >plain.txt
hindcast ingest -q -o - -a bare plain.txt
