#!/usr/bin/env python3
"""Small profiler traces in the ways of AMD, Blackwell and inference servers, which are not at hand
as files of many ranks: vendor_traces.py DIRECTORY writes a directory of ranks for each way, with
clocks that are up to an hour apart. What is written follows what libkineto and roctracer print
(names of calls and kernels, where device and stream stand, what is absent)."""
import json
import os
import random
import sys

N_RANKS = 4


class Trace:
    """Events of one rank; t is the time on its clock in ns, from the base."""

    def __init__(self, rank, way):
        self.rank, self.way, self.events, self.correlation = rank, way, [], 1000 * rank
        self.random = random.Random(f"{way['name']}/{rank}")
        self.clock = (rank * 1234567891 * 523) % 3600000000000 if way.get("clocks", True) else 0

    def add(self, cat, name, start, duration, pid, tid, **args):
        text = way_number(self.way, start)
        event = {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": text,
                 "dur": way_number(self.way, duration)}
        if args:
            event["args"] = args
        self.events.append(event)

    def cpu(self, cat, name, start, duration, thread=0, **args):
        tid = 4000 + 7 * self.rank + thread
        self.add(cat, name, start, duration, *(("python", f"thread {tid}") if self.way.get("texts") else (4000, tid)), **args)

    def gpu(self, cat, name, start, duration, stream, **args):
        device = self.rank + self.way.get("first_device", 0)
        if not self.way.get("bare"):
            args.update(device=device, stream=stream)
        self.add(cat, name, start, duration, device, f"stream {stream}" if self.way.get("texts") else stream, **args)

    def call(self, name, start, duration, cat=None, **args):
        self.correlation += 1
        self.cpu(cat or self.way["calls"], name, start, duration, cbid=211, correlation=self.correlation, **args)
        return self.correlation


def way_number(way, value_ns):
    text = f"{value_ns // 1000}.{value_ns % 1000:03d}"
    return text if way.get("texts") else float(text)


WAYS = [
    {"name": "mi300", "calls": "cuda_runtime", "launch": ["hipLaunchKernel", "hipExtModuleLaunchKernel"], "first_device": 2,
     "gemm": "Cijk_Ailk_Bljk_BBS_BH_MT256x256x64_MI16x16x1", "comm": "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",
     "copy": "hipMemcpyWithStream", "wait": "hipStreamWaitEvent", "sync": "hipDeviceSynchronize", "records": True},
    {"name": "roctracer", "calls": "hip_runtime", "launch": ["hipModuleLaunchKernel"], "bare": True,
     "gemm": "__amd_rocclr_copyBuffer.kd", "comm": "rcclAllReduceKernel_RING_LL(ncclWorkElem)", "copy": "hipMemcpyAsync",
     "wait": "hipStreamWaitEvent", "sync": "hipEventSynchronize"},
    {"name": "b200", "calls": "cuda_runtime", "launch": ["cudaLaunchKernelExC", "cuLaunchKernelEx"], "priority": True,
     "gemm": "nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNT", "comm": "ncclSymkDevKernel_AllReduce_RSxLDMC_AGxSTMC_sum_bf16",
     "copy": "cudaMemcpyAsync", "wait": "cudaStreamWaitEvent", "sync": "cudaStreamSynchronize", "records": True, "seq": True,
     "syncs": True},
    {"name": "names-by-rank", "calls": "cuda_runtime", "launch": ["cudaLaunchKernel"], "gemm": "ampere_bf16_s16816gemm",
     "comm": "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "op": "_allgather_base",
     "copy": "cudaMemcpyAsync", "wait": "cudaStreamWaitEvent", "sync": "cudaDeviceSynchronize", "records": True,
     "names_by_rank": True},
    {"name": "texts", "calls": "Runtime", "launch": ["cudaLaunchKernel_ptsz"], "gemm": "gemm", "texts": True,
     "comm": "ncclKernel_ReduceScatter_RING_LL_Sum_half(ncclDevComm*, unsigned long, ncclWork*)", "op": "_reduce_scatter_base",
     "copy": "cudaMemcpyAsync", "wait": "cudaStreamWaitEvent", "sync": "cudaDeviceSynchronize", "records": True},
    {"name": "graphs", "calls": "cuda_runtime", "launch": ["cudaGraphLaunch"], "graph": 600, "steps": False, "clocks": True,
     "gemm": "nvjet_tst_64x8_64x16_4x1_v_bz_splitK_TNT", "comm": "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 4>(...)",
     "copy": "cudaMemcpyAsync", "wait": "cudaStreamWaitEvent", "sync": "cudaEventSynchronize"},
    {"name": "hip-graphs", "calls": "cuda_runtime", "launch": ["hipGraphLaunch"], "graph": 500, "steps": False,
     "gemm": "void ck::kernel_gemm_xdl_cshuffle_v3<...>", "comm": "void aiter::cross_device_reduce_2stage<__hip_bfloat16, 4>(...)",
     "copy": "hipMemcpyWithStream", "wait": "hipStreamWaitEvent", "sync": "hipEventSynchronize", "first_device": 4},
]


def facts(trace, k):
    way = trace.way
    found = {"Collective name": way.get("op", "allreduce"), "In msg nelems": 4096 + k, "Out msg nelems": 4 * (4096 + k),
             "dtype": "BFloat16", "Group size": N_RANKS,
             "Process Group Name": f"{trace.rank * 7919:032x}" if way.get("names_by_rank") else "0",
             "Process Group Description": "default_pg", "Process Group Ranks": "[0, 1, 2, ...]"}
    if way.get("op") == "_reduce_scatter_base":
        found["In msg nelems"] = 4 * (4096 + k)
    if way.get("seq"):
        found["Seq"] = k
    return found


def comm_start(way, k, rank, at):
    """All ranks end together; when each starts is drawn by collective and rank."""
    late = random.Random(f"late/{way['name']}/{k}/{rank}").randrange(400000)
    return at + late, at + 450000 + random.Random(f"end/{way['name']}/{k}/{rank}").randrange(3000) - late - at


def add_work(trace, k, at):
    """A compute kernel, a collective and a copy, each launched on its own."""
    way, launch = trace.way, trace.way["launch"]
    extra = {"priority": -5, "grid": [148, 1, 1], "graph node id": 0} if way.get("priority") else {}
    for i, name in enumerate(launch):
        driver = "cuda_driver" if name.startswith("cu") and not name.startswith("cuda") else None
        c = trace.call(name, at + 10000 + 9000 * i, 5000 + trace.random.randrange(999), driver)
        trace.gpu("kernel", way["gemm"], at + 40000 + 90000 * i, 60000 + trace.random.randrange(60000), 7, correlation=c, **extra)
    wait = trace.call(way["wait"], at + 28000, 1000)
    if way.get("syncs"):
        trace.add("cuda_sync", "Stream Wait Event", at + 28000, 0, trace.rank, 20, device=trace.rank, stream=20, correlation=wait,
                  wait_on_stream=7, wait_on_cuda_event_record_corr_id=wait - 1, wait_on_cuda_event_id=k, cuda_sync_kind="Stream Wait Event")
        trace.add("cuda_event", "cudaEventRecord", at + 27500, 0, trace.rank, 7, device=trace.rank, stream=7, correlation=wait - 1)
    said = facts(trace, k) if way.get("records") else {}
    if said:
        trace.cpu("cpu_op", "record_param_comms", at + 30000, 9000, **said)
    else:
        trace.cpu("user_annotation", "nccl:all_reduce", at + 30000, 9000)
    c = trace.call(launch[0], at + 32000, 4000)
    start, duration = comm_start(way, k, trace.rank, at + 60000)
    trace.gpu("kernel", way["comm"], start, duration, 20, correlation=c, **extra, **(said if way.get("seq") else {}))
    c = trace.call(way["copy"], at + 500000, 30000)
    trace.gpu("gpu_memcpy", "Memcpy HtoD (Host -> Device)", at + 512000, 9000, 8, correlation=c, bytes=4096)
    trace.gpu("gpu_memset", "Memset (Device)", at + 505000, 2000, 7, correlation=0, bytes=64)


def add_graph(trace, k, at):
    """One launch of many kernels, every 50th of which is a collective of all ranks."""
    way = trace.way
    c = trace.call(way["launch"][0], at + 10000, 90000)
    now = at + 120000
    for i in range(way["graph"]):
        if i % 50 == 49:
            start, duration = comm_start(way, k * 1000 + i, trace.rank, at + 500000 * (i // 50 + 1))
            trace.gpu("kernel", way["comm"], start, duration, 3, correlation=c, kind="Dispatch Task")
            now = start + duration + 3500
        else:
            length = 300 + trace.random.randrange(200)
            trace.gpu("kernel", way["gemm"], now, length, 3, correlation=c, **{"graph node id": i})
            now += length
    sync = trace.call(way["sync"], at + 110000, now - at)
    return sync


def write(directory, trace):
    way, rank = trace.way, trace.rank
    if way.get("steps", True):
        for step in range(3):
            at = trace.clock + 1000000 + step * 3000000
            trace.cpu("user_annotation", f"ProfilerStep#{step + 5}", at, 2990000)
            trace.gpu("gpu_user_annotation", f"ProfilerStep#{step + 5}", at + 40000, 2900000, 7)
            trace.cpu("python_function", "torch/nn/modules/module.py(1751): _call_impl", at, 2990000)
            for k in range(4):
                add_work(trace, step * 4 + k, at + k * 700000)
            trace.call(way["sync"], at + 2900000, 50000)
    else:
        for k in range(3):
            add_graph(trace, k, trace.clock + 1000000 + k * 10000000)
    order = list(range(N_RANKS))
    group = f"{rank * 7919:032x}" if way.get("names_by_rank") else "0"
    info = {"backend": "nccl", "rank": rank, "world_size": N_RANKS, "pg_count": 1,
            "pg_config": [{"pg_name": group, "pg_desc": "default_pg", "pg_size": N_RANKS,
                           "ranks": str(order) if way.get("texts") else order}]}
    trace.random.shuffle(trace.events)
    whole = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "", "computeMajor": 9}], "displayTimeUnit": "ms",
             "baseTimeNanoseconds": 1767189312000000000, "traceEvents": trace.events, "traceName": "x"}
    if way.get("records"):
        whole["distributedInfo"] = info
    with open(os.path.join(directory, f"host_rank[{rank}].json"), "w", encoding="utf-8") as out:
        json.dump(whole, out)


def main():
    for way in WAYS:
        directory = os.path.join(sys.argv[1], way["name"])
        os.makedirs(directory)
        for rank in range(N_RANKS):
            write(directory, Trace(rank, way))


if __name__ == "__main__":
    main()
