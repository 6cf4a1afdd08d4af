# Logs of kernels and jobs into the table `events`: whatever the order, the rotation and the
# duplicates, the same rows; forms, times and bad input.
mkdir n1 n2
log() { # a line a second from the second on, of the nodes in turn
    for i in $(seq "$1" "$2"); do
        printf 'kern  :err   : 2026-03-01T10:00:%02d,000000+00:00 %s\n' "$i" \
            "NVRM: Xid (PCI:0000:$((18 + i % 2)):00): $((i % 3 ? 45 : 79)), pid=$((900 + i / 5)), name=python3, Ch $i"
        printf 'kern  :info  : 2026-03-01T10:00:%02d,000000+00:00 usb 1-1: new device\n' "$i"
    done
}
log 0 20 >n1/dmesg.1
log 15 40 >n1/dmesg # overlaps
log 0 3 >n2/dmesg
hindcast ingest -q -o - -a one n1/dmesg.1 n1/dmesg n2/dmesg
mkdir again again/n1 again/n2
shuf --random-source=<(yes) n1/dmesg >again/n1/dmesg
cat n1/dmesg.1 n1/dmesg.1 | gzip >again/n1/dmesg.1.gz
cp n2/dmesg again/n2/
hindcast ingest -q -o - -a two again/n2/dmesg again/n1/dmesg again/n1/dmesg.1.gz
for archive in one two; do
    hindcast query -a $archive events --as csv \
        --columns time_ns,clock,node,device,pid,process,class,code,name,effect,message,fact >$archive.csv
done
cmp one.csv two.csv && wc -l <one.csv
hindcast query -a one events --group-by node,code,effect --agg count
hindcast ingest -a one n1/dmesg

cat >slurm-77.out <<'END'
2026-03-01T10:00:00Z step 1
[rank3]: Traceback (most recent call last):
[rank3]:   File "/train.py", line 8, in step
[rank3]: RuntimeError: CUDA error: uncorrectable ECC error encountered
2026-03-01T10:00:09Z step 2
srun: error: n1: task 3: Exited with exit code 1
slurmstepd: error: *** JOB 77 ON n1 CANCELLED AT 2026-03-01T10:01:00 DUE TO NODE FAILURE ***
END
touch -d 2026-03-01T11:00:00Z slurm-77.out
hindcast ingest -q -o - -a three slurm-77.out
hindcast query -a three events --columns time_ns,from_ns,to_ns,clock,node,job,rank,class,effect,name

# Bad input: no time at all; cut off; empty; nothing that is known.
printf '<4>NVRM: Xid (PCI:0000:18:00): 79, x\n%s\n' "$(log 1 2)" >n1/kern.log
hindcast ingest -a bad n1/kern.log || echo "exit $?" >&2
hindcast ingest -a bad --max-bad 60% n1/kern.log
gzip <n1/dmesg | head -c 300 >cut.gz
hindcast ingest -a bad --format kernel-log cut.gz || echo "exit $?" >&2
: >empty
hindcast ingest -a bad --format kernel-log empty
echo '{"__REALTIME_TIMESTAMP":"x","MESSAGE":"NVRM: Xid (PCI:0:18:00): 79, x"' >half.json
hindcast ingest -a bad --format kernel-json half.json || echo "exit $?" >&2
