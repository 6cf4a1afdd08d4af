# Kernel logs in the forms of other tools, and messages of other drivers.
lost="NVRM: Xid (PCI:0000:65:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus."
killed='Out of memory: Killed process 12345 (python3) total-vm:1kB'
show() {
    echo "# $1"
    hindcast ingest -q -o - --zone Europe/Berlin -a "archive-$1" "$1"
    hindcast query -a "archive-$1" events --columns time_ns,clock,node,class,code,process,line --as csv
}
file() { # name, line with %s for the message
    printf "$2\n" "$lost" >"$1"
    printf "$2\n" "$killed" >>"$1"
    show "$1"
}
file short-unix.log '1740327858.123456 n01 kernel: %s'
file short-full.log 'Sun 2025-02-23 16:24:18 CET n01 kernel: %s'
file facility.log '2025-02-23T16:24:18+01:00 n01 kern.err kernel: %s'
file bare-5424.log '1 2025-02-23T16:24:18.5Z n01 kernel - - - %s'
file conman.log '2025-02-23 16:24:18 [ 1000.1234] %s'
file cri.log '2025-02-23T16:24:18.123456789Z stdout F [ 1000.1234] %s'
printf "[ 1000.1234] n01 kernel: audit: type=2000 audit(1740327858.000:1): state=initialized\n[ 1001.1234] n01 kernel: $lost\n" >short-monotonic.log
show short-monotonic.log
printf "[    1.000000 <    0.000000>] audit: type=2000 audit(1740327858.000:1): state=initialized\n[    3.500000 <    2.500000>] $lost\n" >delta.log
show delta.log
printf '\036{"__REALTIME_TIMESTAMP": "1740327858000000", "_HOSTNAME": ["n01", "n02"], "MESSAGE": "%s"}\n' "$lost" >seq.json
show seq.json
printf 'data: {"__REALTIME_TIMESTAMP": "1740327858000000", "_HOSTNAME": "n01", "MESSAGE": null}\n\ndata: {"__REALTIME_TIMESTAMP": "1740327858000000", "_HOSTNAME": "n01", "MESSAGE": "%s"}\n\n' "$lost" >sse.json
show sse.json
printf '{"__REALTIME_TIMESTAMP" : "1740327858000000", "_HOSTNAME" : "n01", "MESSAGE" : [ %s ]}\n' "$(printf %s "$killed" | od -An -v -tu1 | xargs | tr ' ' ',')" >bytes.json
show bytes.json
printf '{"labels": {"host": "n01"}, "line": "%s", "timestamp": "2025-02-23T16:24:18Z"}\n' "$lost" >loki.json
show loki.json

cat >messages.txt <<'END'
NVRM: Xid (PCI:0018:01:00): 145, pid=1, name=nvlink, NVLINK: RLW_REMAP XC0 Link 03 Fatal Error, severity Fatal
NVRM: Xid (PCI:0018:01:00): 149, NVLINK: NETIR_LINK_DOWN Nonfatal XC1 i0 Link 02
NVRM: Xid (PCI:0000:c1:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 6(0x10000, 0x0)
NVRM: Xid (PCI:0000:c1:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)
NVRM: Xid (PCI:0000:c1:00): 171, pid=1, name=x, DRAM
NVRM: Xid (PCI:0000:c1:00): 999, pid=1, name=x, new
NVRM: nvGpuOpsReportFatalError: uvm encountered global fatal error 0x60, requiring os reboot to recover.
pcieport 0000:00:01.0: AER: Correctable error message received from 0000:01:00.0
pcieport 0000:00:01.0: AER: Uncorrectable (Fatal) error message received from 0000:01:00.0
{1}[Hardware Error]: event severity: corrected
CPU12: Core temperature above threshold, cpu clock throttled (total events = 1)
rcu: INFO: rcu_sched self-detected stall on CPU
BUG: kernel NULL pointer dereference, address: 0000000000000008
general protection fault, probably for non-canonical address 0x1: 0000 [#1] SMP NOPTI
mmfs: [E] Disk failure. Volume fs1. rc = 5. Physical volume nsd1.
nvme nvme0: I/O 123 QID 4 timeout, reset controller
Buffer I/O error on dev nvme0n1, logical block 0, async page read
critical medium error, dev sda, sector 123
XFS (sda1): metadata I/O error in "xfs_imap_to_bp+0x5c/0x80 [xfs]" at daddr 0x1 len 32 error 5
XFS (dm-0): Log I/O Error Detected.  Shutting down filesystem
BTRFS error (device sda1): bdev /dev/sda1 errs: wr 1
amdgpu 0000:03:00.0: amdgpu: GPU reset begin!
amdgpu 0000:03:00.0: amdgpu: ring sdma0 timeout, signaled seq=1, emitted seq=2
amdgpu 0000:03:00.0: amdgpu: uncorrectable hardware errors detected in umc block
amdgpu 0000:03:00.0: amdgpu: 1 correctable hardware errors detected in umc block
habanalabs 0000:19:00.0 accel0: device heartbeat has failed
i40e 0000:18:00.0 eno1: NIC Link is Down
python3[123]: a program that says segfault: no
END
awk '{ printf "2025-02-23T16:24:%02d,000000+00:00 %s\n", NR, $0 }' messages.txt >messages.log
hindcast ingest -q -o - -a archive-messages messages.log
hindcast query -a archive-messages events --columns line,class,effect,code,name,device --limit 50

echo "# what is refused, with what to do"
printf '[Feb23 16:24] %s\n[  +0.000123] %s\n' "$lost" "$killed" >human.log
printf 'Sun 2025-02-23 16:24:18.123456 UTC [s=abc;i=1]\n    _HOSTNAME=n01\n    MESSAGE=%s\n' "$lost" >verbose.log
printf '__CURSOR=s=abc\n__REALTIME_TIMESTAMP=1740327858000000\nMESSAGE=%s\n\n' "$lost" >export.log
printf '{\n\t"__REALTIME_TIMESTAMP" : "1740327858000000",\n\t"MESSAGE" : "%s"\n}\n' "$lost" >pretty.json
printf '%s\n%s\n' "$lost" "$killed" >cat.log
for log in human.log verbose.log export.log pretty.json cat.log; do hindcast ingest -a none "$log" || true; done
