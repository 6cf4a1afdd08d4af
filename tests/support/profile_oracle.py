#!/usr/bin/env python3
"""A second implementation of what is said of profiler traces, to hold hindcast's answer against.

    profile_oracle.py ANSWER.json TRACE...

Reads Kineto traces whole, with Python's own JSON, and compares with the answer of
`hindcast whatif --json` of the same traces: counts, steps, the breakdown of each step (by marking
every elementary interval), joined collectives, clocks, waits, transfers, busbw. Written from the
rules in docs/methods/profiler-traces.md, without a look at the C. Groups that were refused, drift
and point-to-point are not in it. Says each difference; exit status 1 where there is one."""
import bisect
import collections
import decimal
import gzip
import json
import re
import sys

GPU = {"kernel": "kernel", "gpu_memcpy": "memcpy", "memcpy": "memcpy", "gpu_memset": "memset", "memset": "memset"}
JOINT = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "barrier"}
SIZES = {"Float": 4, "Int": 4, "Half": 2, "BFloat16": 2, "Double": 8, "Long": 8, "Byte": 1, "Char": 1, "Bool": 1,
         "Float8_e4m3fn": 1}
OPS = {"allreduce": "all_reduce", "all_reduce": "all_reduce", "_allgather_base": "all_gather", "allgather": "all_gather",
       "all_gather": "all_gather", "_reduce_scatter_base": "reduce_scatter", "reduce_scatter": "reduce_scatter",
       "all_to_all": "all_to_all", "all_to_allv": "all_to_all", "alltoall_base": "all_to_all", "broadcast": "broadcast"}
KERNEL_OPS = (("allreduce", "all_reduce"), ("cross_device_reduce", "all_reduce"), ("allgather", "all_gather"),
              ("reducescatter", "reduce_scatter"), ("sendrecv", "all_to_all"), ("broadcast", "broadcast"))


def ns(value):
    """Microseconds as text or Decimal to ns, halves away from zero."""
    exact = decimal.Decimal(str(value).strip()) * 1000
    return int(exact.quantize(decimal.Decimal(1), rounding=decimal.ROUND_HALF_UP))


def lower_median(values):
    return sorted(values)[(len(values) - 1) // 2]


class Rank:
    def __init__(self, path):
        data = open(path, "rb").read()
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        trace = json.loads(data.decode("utf-8-sig", "replace"), parse_float=decimal.Decimal, strict=False)
        trace = {"traceEvents": trace} if isinstance(trace, list) else trace
        self.base = int(trace.get("baseTimeNanoseconds", 0))
        info = trace.get("distributedInfo", {})
        self.rank = info.get("rank")
        if self.rank is None:
            named = re.search(r"(?:rank|worker)[-_\[]?(\d+)", path.rsplit("/", 1)[-1], re.I)
            self.rank = int(named.group(1)) if named else 0
        self.members = {}
        for g in info.get("pg_config", []):
            members = json.loads(g["ranks"]) if isinstance(g["ranks"], str) else g["ranks"]
            self.members[g["pg_name"]] = (tuple(members), g.get("pg_desc"))
        self.gpu, self.calls, self.steps, self.records, self.notes = [], [], [], [], []
        self.n_cpu_ops = self.n_python = self.n_events = self.n_dropped = 0
        for event in trace["traceEvents"]:
            self.take(event)
        self.link()

    def take(self, e):
        if not isinstance(e, dict):
            self.n_dropped += 1
            return
        if e.get("ph") != "X":
            return
        self.n_events += 1
        cat, args, name = str(e.get("cat", "")).lower(), e.get("args", {}), e.get("name", "")
        try:
            start, dur = self.base + ns(e["ts"]), ns(e["dur"])
        except (KeyError, decimal.InvalidOperation):
            start, dur = 0, -1
        if dur < 0:
            self.n_dropped += 1
            return
        thread = (str(e.get("pid")), str(e.get("tid")))
        if cat in GPU:
            stream = args.get("stream", e.get("tid"))
            stream = -1 if stream == 4294967295 else stream
            self.gpu.append({"start": start, "end": start + dur, "stream": stream, "name": name, "class": GPU[cat],
                             "corr": args.get("correlation", 0), "args": args})
        elif cat.endswith(("_runtime", "_driver")) or cat == "runtime":
            self.calls.append((start, -dur, args.get("correlation", 0), thread))
        elif cat in ("cpu_op", "operator"):
            self.n_cpu_ops += 1
            if name == "record_param_comms" and args.get("Collective name") != "wait":
                self.records.append((start, start + dur, thread, args))
        elif cat == "python_function":
            self.n_python += 1
        elif cat == "user_annotation" and name.startswith("ProfilerStep#"):
            self.steps.append([start, start + dur, int(name[13:])])
        elif cat == "user_annotation" and name.startswith("nccl:"):
            self.notes.append((start, start + dur, thread, {"Collective name": name[5:]}))

    def activity(self, g):
        name = g["name"].lower()
        if g["class"] == "memcpy" or g["name"].startswith(("MEMORY_COPY_", "__amd_rocclr_copyBuffer")):
            return "memcpy"
        if g["class"] == "kernel" and ("Collective name" in g["args"] or re.search("nccl|rccl|hccl|cross_device_reduce", name)):
            return "comm"
        return "comp"

    def link(self):
        first = {}
        for call in sorted(self.calls, key=lambda c: (c[0], c[1])):
            if call[2] > 0:
                first.setdefault(call[2], call)
        self.steps.sort()
        if not self.steps and self.gpu + self.calls:
            self.steps = [[None, None, None]]
        starts = [s[0] for s in self.steps]
        for g in self.gpu:
            g["launch"] = first.get(g["corr"]) if g["corr"] > 0 else None
            g["act"] = self.activity(g)
            at = g["launch"][0] if g["launch"] else g["start"]
            g["step"] = 0 if starts == [None] else bisect.bisect_right(starts, at) - 1
            if starts != [None] and g["step"] == len(starts) - 1 and at >= self.steps[-1][1]:
                g["step"] = -1
        self.gpu.sort(key=lambda g: (g["start"], g["stream"]))
        self.n_unlinked = sum(g["launch"] is None for g in self.gpu)

    def windows(self):
        """Of each step that launched anything: (number, from, to)."""
        found = []
        for k, step in enumerate(self.steps):
            of_step = [g for g in self.gpu if g["step"] == k and (g["launch"] or self.n_unlinked == len(self.gpu))]
            if of_step:
                found.append([step[2], min(g["start"] for g in of_step), max(g["end"] for g in self.gpu if g["step"] == k)])
        for i in range(len(found) - 1):
            found[i][2] = found[i + 1][1]
        return found

    def breakdown(self, start, end):
        cuts = sorted({start, end} | {t for g in self.gpu for t in (g["start"], g["end"]) if start < t < end})
        index = {t: i for i, t in enumerate(cuts)}
        depth = {a: [0] * (len(cuts) + 1) for a in ("comp", "comm", "memcpy")}
        for g in self.gpu:
            a, b = max(g["start"], start), min(g["end"], end)
            if a < b:
                depth[g["act"]][index[a]] += 1
                depth[g["act"]][index[b]] -= 1
        total, now = collections.Counter(), collections.Counter()
        for i in range(len(cuts) - 1):
            for a in depth:
                now[a] += depth[a][i]
            length = cuts[i + 1] - cuts[i]
            what = next((a for a in ("comp", "comm", "memcpy") if now[a]), "idle")
            total[what] += length
            total["overlap"] += length if now["comp"] and now["comm"] else 0
        return {"window_ns": end - start, "compute_ns": total["comp"], "exposed_comm_ns": total["comm"],
                "overlapped_comm_ns": total["overlap"], "exposed_memcpy_ns": total["memcpy"], "idle_ns": total["idle"]}

    def enclosing(self, spans, launch):
        around = [s for s in spans if launch and s[2] == launch[3] and s[0] <= launch[0] <= s[1]]
        return max(around, key=lambda s: s[0])[3] if around else {}

    def collectives(self):
        """Kernels by key."""
        comm = [g for g in self.gpu if g["act"] == "comm"]
        streams = sorted({g["stream"] for g in comm})
        found, count = {}, collections.Counter()
        for g in sorted(comm, key=lambda g: (g["launch"][0] if g["launch"] else g["start"], g["start"])):
            facts = {}
            for source in (self.enclosing(self.notes, g["launch"]), self.enclosing(self.records, g["launch"]), g["args"]):
                facts.update(source)
            op = facts.get("Collective name")
            op = OPS.get(op, op) if op else next((o for text, o in KERNEL_OPS if text in g["name"].lower().replace("_", "")
                                                  or text in g["name"].lower()), "")
            name = facts.get("Process Group Name", streams.index(g["stream"]))
            group = self.members.get(name, name)
            if "Seq" in facts:
                key = (group, "seq", facts["Seq"])
            else:
                if g["launch"] is None or g["step"] < 0:
                    continue
                number = self.steps[g["step"]][2]
                key = (group, number, count[group, number])
                count[group, number] += 1
            found[key] = dict(g, op=op, facts=facts)
        return found


def align(ranks, joined):
    """Offset of each rank, by medians of ends."""
    joint = [m for m in joined.values() if next(iter(m.values()))["op"] in JOINT]
    index = sorted(r.rank for r in ranks)
    offset = {index[0]: 0}
    while len(offset) < len(index):
        best = None
        for new in index:
            for placed in sorted(offset):
                ends = [m[new]["end"] - m[placed]["end"] for m in joint if new in m and placed in m]
                if new not in offset and ends and (best is None or len(ends) > best[0]):
                    best = (len(ends), new, offset[placed] + lower_median(ends))
        if best is None:
            break
        offset[best[1]] = best[2]
    for _ in range(100):
        true = [lower_median([m[r]["end"] - offset[r] for r in m]) for m in joint]
        new = {r: lower_median([m[r]["end"] - t for m, t in zip(joint, true) if r in m] or [0]) for r in offset}
        new = {r: o - new[index[0]] for r, o in new.items()}
        if new == offset:
            break
        offset = new
    return offset


def busbw(op, n, kernels, transfer):
    sent = []
    for g in kernels:
        size = SIZES.get(g["facts"].get("dtype"))
        elements = g["facts"].get("Out msg nelems" if op == "all_gather" else "In msg nelems")
        if size is None or elements is None:
            return None
        sent.append(size * elements)
    factor = {"all_reduce": 2 * (n - 1) / n, "broadcast": 1}.get(op, (n - 1) / n)
    # nccl-tests counts what all ranks together hold of an all-gather and reduce-scatter, as here.
    return max(sent) * factor / transfer if transfer else None


class Comparison:
    def __init__(self):
        self.n, self.n_wrong = 0, 0

    def expect(self, what, ours, theirs):
        self.n += 1
        if isinstance(ours, float) and isinstance(theirs, (int, float)):
            same = abs(ours - theirs) <= 1e-9 * abs(ours)
        else:
            same = ours == theirs
        if not same:
            self.n_wrong += 1
            print(f"{what}: {theirs} in place of {ours}")


def compare_ranks(c, ranks, answer):
    told = {r["rank"]: r for r in answer["ranks"]}
    rows = collections.defaultdict(list)
    for row in answer["breakdown"]:
        rows[row["rank"]].append(row)
    c.expect("ranks", sorted(r.rank for r in ranks), sorted(told))
    for r in ranks:
        for key, value in (("gpu_events", len(r.gpu)), ("unlinked", r.n_unlinked), ("calls", len(r.calls)),
                           ("cpu_ops", r.n_cpu_ops), ("python_events", r.n_python), ("dropped", r.n_dropped)):
            c.expect(f"rank {r.rank} {key}", value, told[r.rank][key])
        windows = r.windows()
        c.expect(f"rank {r.rank} rows", len(windows), len(rows[r.rank]))
        for (number, start, end), row in zip(windows, rows[r.rank]):
            c.expect(f"rank {r.rank} step", number, row["step"])
            for key, value in r.breakdown(start, max(start, end)).items():
                c.expect(f"rank {r.rank} step {number} {key}", value, row[key])


def compare_collectives(c, ranks, answer):
    joined = collections.defaultdict(dict)
    common = set.intersection(*[{s[2] for s in r.steps} for r in ranks])
    for r in ranks:
        for key, kernel in r.collectives().items():
            if key[1] == "seq" or key[1] in common:
                joined[key][r.rank] = kernel
    joined = {k: m for k, m in joined.items() if len(m) > 1}
    offset = align(ranks, joined)
    for row in answer["stragglers"]:
        c.expect(f"offset of rank {row['rank']}", offset.get(row["rank"], 0), row["offset_ns"])
    rows = sorted((row["arrival_ns"], row["op"], row["transfer_ns"], row["members"]) for row in answer["collectives"])
    ours = []
    by_arrival = {(row["arrival_ns"], row["op"], row["transfer_ns"]): row for row in answer["collectives"]}
    for key, members in joined.items():
        start = {r: g["start"] - offset[r] for r, g in members.items()}
        arrival = max(start.values())
        op = next(iter(members.values()))["op"]
        transfer = min(g["end"] - g["start"] for g in members.values())
        ours.append((arrival, op, transfer, len(members)))
        row = by_arrival.get((arrival, op, transfer))
        if row is None:
            continue
        c.expect(f"{key} last", min(r for r in start if start[r] == arrival), row["last_rank"])
        c.expect(f"{key} waits", {r: arrival - s for r, s in start.items()}, {w["rank"]: w["wait_ns"] for w in row["waits"]})
        size = len(key[0][0]) if isinstance(key[0], tuple) else len(members)
        c.expect(f"{key} busbw", busbw(op, size, members.values(), transfer), row["busbw_gb_s"])
    c.expect("collectives", sorted(ours), rows)


def main():
    answer = json.load(open(sys.argv[1], encoding="utf-8"))
    ranks = [Rank(path) for path in sys.argv[2:]]
    c = Comparison()
    compare_ranks(c, ranks, answer)
    if len(ranks) > 1 and "collectives" in answer:
        compare_collectives(c, ranks, answer)
    print(f"{c.n} values compared, {c.n_wrong} differ")
    return 1 if c.n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
