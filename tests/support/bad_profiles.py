#!/usr/bin/env python3
"""Profiler traces in which something is wrong, a directory each: bad_profiles.py DIRECTORY. Two ranks,
two steps of 1 ms with a gemm, an all-reduce and a copy each, but for what the name of the directory
says. Figures are therefore easy to check by hand."""
import json
import os
import random
import sys


def event(cat, name, ts, dur, tid, **args):
    made = {"ph": "X", "cat": cat, "name": name, "pid": 100, "tid": tid, "ts": ts, "dur": dur}
    return {**made, "args": args} if args else made


def step(n, at, rank):
    """Rank 1 is 100 us late with its all-reduce."""
    late = 100 * rank
    gpu = {"device": rank}
    return [
        event("user_annotation", f"ProfilerStep#{n}", at, 930.0, 1),
        event("cpu_op", "aten::mm", at + 8, 8.0, 1),
        event("cuda_runtime", "cudaLaunchKernel", at + 10, 5.0, 1, correlation=10 * n + 1),
        event("cuda_runtime", "cudaStreamWaitEvent", at + 25, 1.0, 1, correlation=10 * n + 6),
        event("cuda_runtime", "cudaLaunchKernel", at + 30, 5.0, 1, correlation=10 * n + 2),
        event("cuda_runtime", "cudaDeviceSynchronize", at + 40, 820.0, 1, correlation=10 * n + 5),
        event("cuda_runtime", "cudaMemcpyAsync", at + 870, 5.0, 1, correlation=10 * n + 3),
        event("cuda_runtime", "cudaDeviceSynchronize", at + 876, 34.0, 1, correlation=10 * n + 4),
        event("kernel", "gemm", at + 20, 325.0 + late, 7, stream=7, correlation=10 * n + 1, **gpu),
        event("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", at + 350 + late, 500.0 - late, 20, stream=20,
              correlation=10 * n + 2, **gpu),
        event("gpu_memcpy", "Memcpy DtoH", at + 880, 20.0, 7, stream=7, correlation=10 * n + 3, bytes=64, **gpu),
    ]


def trace(rank, n_steps=2, first=1):
    events = [e for k in range(n_steps) for e in step(first + k, 1000.0 * (k + 1), rank)]
    info = {"rank": rank, "world_size": 2}
    return {"schemaVersion": 1, "distributedInfo": info, "baseTimeNanoseconds": 1790000000000000000, "traceEvents": events}


def kernels(made, name="ncclDevKernel"):
    return [e for e in made["traceEvents"] if e["name"].startswith(name)]


def change(made, what, rank):
    events, rng = made["traceEvents"], random.Random(what)
    if what == "texts":
        for e in events:
            e.update(pid="python", tid=f"stream {e['tid']}", ts=str(e["ts"]), dur=f" {e['dur']} ")
    elif what == "no-duration":
        del kernels(made)[0]["dur"]
    elif what == "negative-duration":
        kernels(made)[0]["dur"] = -5.0
    elif what == "no-start":
        del kernels(made)[0]["ts"]
    elif what == "far-start":
        kernels(made)[0]["ts"] = 1e300
    elif what == "no-object":
        events.insert(3, [1, 2])
    elif what == "no-correlation":
        for e in kernels(made):
            del e["args"]["correlation"]
    elif what == "correlation-0":
        for e in kernels(made):
            e["args"]["correlation"] = 0
    elif what == "correlation-twice":
        events += [event("cuda_runtime", "cudaLaunchKernel", e["ts"] + 400, 1.0, 1, **e["args"])
                   for e in events if e["cat"] == "cuda_runtime"]
    elif what == "one-launch":
        for i in range(500):
            events.append(event("kernel", "tiny", 1340.0 + i / 8, 0.125, 7, device=rank, stream=7, correlation=11))
    elif what == "same-stream":
        events.append(event("kernel", "over", 1300.0, 100.0, 7, device=rank, stream=7, correlation=11))
    elif what == "unordered":
        rng.shuffle(events)
    elif what == "equal-times":
        events += [dict(e) for e in events if e["cat"] == "cpu_op"] * 3
    elif what == "gpu-only":
        made["traceEvents"] = [e for e in events if e["cat"] in ("kernel", "gpu_memcpy")]
    elif what == "cpu-only":
        made["traceEvents"] = [e for e in events if e["cat"] not in ("kernel", "gpu_memcpy")]
    elif what == "no-step":
        made["traceEvents"] = [e for e in events if e["cat"] != "user_annotation"]
    elif what == "other-groups" and rank == 1:
        for e in kernels(made):
            e["args"].update({"Process Group Name": "77", "Collective name": "allreduce"})
    elif what == "hour-off" and rank == 1:
        made["baseTimeNanoseconds"] += 3600 * 10**9
    elif what == "long-names":
        for e in events:
            if e["cat"] == "cpu_op" or e["name"] == "gemm":
                e["name"] = e["name"] + "x" * 100000
    elif what == "lost-events":
        made["traceEvents"] = [e for e in events if e["cat"] == "user_annotation" or rng.random() < 0.8]
    elif what == "no-events":
        made["traceEvents"] = []
    elif what == "unequal-world" and rank == 1:
        made["distributedInfo"]["world_size"] = 4
    elif what == "unknown-rank":
        del made["distributedInfo"]["rank"]
    return made


def damage(text, what, rank):
    """Bytes of a file in place of its text."""
    if what == "cut" and rank == 1:
        return text[:len(text) * 4 // 5]
    if what == "control-byte":
        return text.replace(b"gemm", b"ge\x01\x02mm")
    if what == "bad-quote":
        return text.replace(b"gemm", b'ge"mm', 1)
    if what == "byte-order-mark":
        return b"\xef\xbb\xbf" + text
    if what == "no-utf-8":
        return text.replace(b"gemm", b"ge\xff\xc0mm")
    if what == "empty-file" and rank == 1:
        return b""
    if what == "array":
        return json.dumps(json.loads(text)["traceEvents"]).encode()
    return text


KINDS = ["right", "texts", "no-duration", "negative-duration", "no-start", "far-start", "no-object", "no-correlation", "correlation-0",
         "correlation-twice", "one-launch", "same-stream", "unordered", "equal-times", "gpu-only", "cpu-only", "no-step",
         "other-steps", "no-common-step", "other-groups", "hour-off", "long-names", "lost-events", "no-events", "unequal-world",
         "unknown-rank", "missing-rank", "twice", "apple-double", "cut", "control-byte", "bad-quote", "byte-order-mark", "no-utf-8",
         "empty-file", "array"]


def main():
    for what in KINDS:
        directory = os.path.join(sys.argv[1], what)
        os.makedirs(directory)
        for rank in range(2):
            if what == "missing-rank" and rank == 0:
                continue
            first = rank if what == "other-steps" else 5 * rank if what == "no-common-step" else 0
            made = change(trace(rank, 3 if what == "other-steps" else 2, 1 + first), what, rank)
            text = damage(json.dumps(made).encode(), what, rank)
            name = f"{'ab'[rank]}.json" if what == "unknown-rank" else f"rank-{rank}.json"
            with open(os.path.join(directory, name), "wb") as file:
                file.write(text)
            if what == "twice" and rank == 1:
                with open(os.path.join(directory, "rank-1-again.json"), "wb") as file:
                    file.write(text.replace(b"gemm", b"geem"))
            if what == "apple-double":
                with open(os.path.join(directory, "._" + name), "wb") as file:
                    file.write(b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X")


if __name__ == "__main__":
    main()
