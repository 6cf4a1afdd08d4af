# Failures with each class of evidence, a healthy end beside a stray line, and a restart in place.
cat >sacct.txt <<'END'
JobID|Cluster|User|Submit|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|StdOut|JobName
100|c|ada|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T02:00:00|7200|FAILED|2|gres/gpu=16|n[1-2]|/l/%j.out|big
101|c|ada|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T02:00:00|7200|NODE_FAIL|1|gres/gpu=8|n3|/l/%j.out|node
102|c|bob|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T03:00:00|10800|FAILED|1|gres/gpu=8|n4|/l/%j.out|mine
103|c|bob|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T03:00:00|10800|FAILED|1|gres/gpu=8|n5|/l/%j.out|stray
104|c|bob|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T03:00:00|10800|COMPLETED|1|gres/gpu=8|n6|/l/%j.out|well
105|c|bob|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T03:00:00|10800|CANCELLED|1|gres/gpu=8|n7|/l/%j.out|stopped
END
cat >kern.log <<'END'
2026-03-01T00:00:00+00:00 n9 kernel: NVRM: Xid (PCI:0000:18:00): 43, pid=1, name=python3, Ch 00000010
2026-03-05T01:59:00+00:00 n2 kernel: NVRM: Xid (PCI:0000:18:00): 79, pid=200, name=python3, GPU has fallen off the bus.
2026-03-05T01:59:02+00:00 n2 kernel: NVRM: Xid (PCI:0000:18:00): 79, pid=200, name=python3, GPU has fallen off the bus.
2026-03-05T02:59:59+00:00 n5 kernel: NVRM: Xid (PCI:0000:18:00): 45, pid=300, name=python3, Ch 00000010
2026-03-05T02:59:59+00:00 n6 kernel: NVRM: Xid (PCI:0000:18:00): 43, pid=400, name=python3, Ch 00000010
2026-03-09T00:00:00+00:00 n9 kernel: NVRM: Xid (PCI:0000:18:00): 43, pid=1, name=python3, Ch 00000010
END
cat >slurm-102.out <<'END'
2026-03-05 02:59:50 starting
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    main()
ValueError: bad shape
END
hindcast ingest -q -o - -a a sacct.txt kern.log slurm-102.out
hindcast report failures -a a
hindcast report failures -a a --csv - | cut -d, -f2,9,16-20,24,25
hindcast report failures -a a --json | grep -v '"tool\|"version\|"commit\|"command\|"source"\|{"cluster"'
hindcast report failures -a a --fail-on "by_side.infrastructure.failures > 1" >/dev/null || echo "exit $?" >&2
hindcast report failures -a a --cluster d || echo "exit $?" >&2
hindcast show -a a 102
hindcast show -a a n2
hindcast show -a a 101 --json | grep '"of"\|time_ns'
hindcast show -a a 999 || echo "exit $?" >&2
