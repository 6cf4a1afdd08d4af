"""recorder_stubs.py DIRECTORY - examples/recorders/hindcast_steps.py on a fake torch (fake_torch.py): which op
each call becomes, and when it begins and ends. tests/golden/recorder_stubs.sh runs it, and reads what it writes."""
import csv
import os
import sys

from fake_torch import CLOCK, Bucket, DistributedDataParallel, Module, Optimizer, ProcessGroup, Tensor, install, pass_ms


def rows(directory, rank):
    with open(os.path.join(directory, f"rank-{rank}.csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file))


def brief(found, step):
    """(op type, chunk, duration in ms) of the ops of a step, by start."""
    of_step = sorted((r for r in found if int(r["step"]) == step), key=lambda r: (r["start_ts"], r["optype"]))
    return [(r["optype"], int(r["mc"]), round(1e3 * float(r["duration"]), 6)) for r in of_step]


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}:\n  found  {found}\n  wanted {wanted}")


def fsdp(directory):
    """Gathers in both passes, reductions in the backward one: the pieces between them are chunks."""
    ends_ns = None
    for rank in (1, 0):
        CLOCK.host_ns = 1_700_000_000_000_000_000
        steps, torch, dist = install(rank, 2, follows=ends_ns)

        def forward():
            for milliseconds in (10, 20):
                dist.all_gather_into_tensor(Tensor(), Tensor())
                pass_ms(milliseconds * (1 + rank))

        def backward():
            for milliseconds in (40, 20):
                dist.all_gather_into_tensor(Tensor(), Tensor())
                pass_ms(milliseconds * (1 + rank))
                dist.reduce_scatter_tensor(Tensor(), Tensor())
        model, optimizer = Module(forward), Optimizer()
        recorder = steps.record(directory, model, optimizer, job="fsdp")
        for _ in range(10):
            with recorder.step():
                model()
                torch.autograd.backward(backward)
                optimizer.step()
                dist.all_gather_into_tensor(Tensor(), Tensor())  # of the next step's parameters: no op
                dist.barrier()
        recorder.close()
        ends_ns = dist.ends_ns
        if rank == 0:  # it waits for rank 1, in its reductions
            check("FSDP waits", brief(rows(directory, 0), 3)[6], ("grads-reduce-scatter", 0, 43))
            continue
        slow = 1 + rank
        check("FSDP", brief(rows(directory, rank), 3), [
            ("params-all-gather", 0, 3), ("forward-compute", 0, 10 * slow), ("params-all-gather", 1, 3),
            ("forward-compute", 1, 20 * slow), ("params-all-gather", 0, 3), ("backward-compute", 0, 40 * slow),
            ("grads-reduce-scatter", 0, 3), ("params-all-gather", 1, 3), ("backward-compute", 1, 20 * slow),
            ("grads-reduce-scatter", 1, 3), ("optimizer", -1, 2)])
        check("FSDP: no op", dict(recorder.unrecorded), {"all_gather_into_tensor": 10, "barrier": 10})


def ddp(directory):
    """Two buckets: the first is reduced under the rest of the backward pass, and ends behind the second's start."""
    steps, torch, dist = install(0, 2)
    model, optimizer = DistributedDataParallel(lambda: pass_ms(10)), Optimizer()
    recorder = steps.record(directory, model, optimizer, job="ddp")

    def backward():
        pass_ms(8)
        model.hook(Bucket(False))
        pass_ms(4)
        model.hook(Bucket(True))
        pass_ms(1)
        dist.futures[-2].finish()
        pass_ms(5)
        dist.futures[-1].finish()
    with recorder.step():
        model()
        torch.autograd.backward(backward)
        dist.all_reduce(Tensor(1))
        optimizer.step()
        optimizer.step()
    try:
        with recorder.step():
            raise KeyError("a step that fails is not kept")
    except KeyError:
        pass
    check("a wrapped step is a method", optimizer.step.__func__.__name__, "step")
    recorder.close()
    check("DDP", brief(rows(directory, 0), 0), [
        ("forward-compute", 0, 10), ("backward-compute", 0, 8), ("backward-compute", 1, 4),
        ("grads-reduce-scatter", 0, 5), ("grads-reduce-scatter", 1, 5), ("optimizer-clip-main-grad", -1, 3),
        ("optimizer", -1, 4)])
    check("hooks are taken away", (model.before, model.after, "step" in vars(optimizer)), ([], [], False))


def pipeline(directory):
    """The middle stage of three: who is next and who before decides which transfer it is."""
    steps, torch, dist = install(1, 6)
    dist.pp = 3
    model, optimizer = Module(lambda: pass_ms(10)), Optimizer()
    recorder = steps.record(directory, model, optimizer, pp=3, dp_rank=0, stage=1, job="pp")
    column = ProcessGroup([1, 4])
    with recorder.step():
        work = dist.irecv(Tensor(), 0)
        pass_ms(1)
        work.wait()
        model()
        dist.send(Tensor(), 2)
        dist.recv(Tensor(), src=2)
        torch.autograd.backward(lambda: pass_ms(20))
        dist.isend(Tensor(), dst=0).wait()
        dist.send(Tensor(), 4)  # to the other dp rank: no op of a step
        dist.all_reduce(Tensor(), group=column)
        dist.all_reduce(Tensor())
        with recorder.op("layernorm-grads-all-reduce"):
            dist.broadcast(Tensor(), 0)
            pass_ms(6)
        optimizer.step()
    recorder.close()
    check("pipeline", brief(rows(directory, 1), 0), [
        ("forward-recv", 0, 5), ("forward-compute", 0, 10), ("forward-send", 0, 3), ("backward-recv", 0, 3),
        ("backward-compute", 0, 20), ("backward-send", 0, 4), ("grads-reduce-scatter", 0, 3),
        ("optimizer-clip-main-grad", -1, 3), ("layernorm-grads-all-reduce", 0, 9), ("optimizer", -1, 2)])


def cuda(directory):
    """The host launches in 1 ms what takes the GPU 30: what the GPU took is recorded, over many steps."""
    steps, torch, _ = install(0, 1, cuda=True)
    model, optimizer = Module(lambda: pass_ms(1, 30), is_cuda=True), Optimizer()
    recorder = steps.record(directory, model, optimizer, job="cuda")
    for _ in range(200):
        with recorder.step():
            model()
            torch.autograd.backward(lambda: pass_ms(1, 60))
            optimizer.step()
    recorder.close()
    found = rows(directory, 0)
    check("CUDA events", brief(found, 199), [("forward-compute", 0, 30), ("backward-compute", 0, 60), ("optimizer", -1, 2)])
    check("CUDA clock", round(float(found[-3]["start_ts"]) - float(found[0]["start_ts"]), 6), 199 * 0.092)


def ring(directory):
    """A full ring keeps the last steps, and none in part."""
    steps, torch, _ = install(0, 1)
    model, optimizer = Module(lambda: pass_ms(1)), Optimizer()
    recorder = steps.record(directory, model, optimizer, job="ring", capacity=10)
    for _ in range(7):
        with recorder.step():
            model()
            torch.autograd.backward(lambda: pass_ms(1))
            optimizer.step()
    recorder.close()
    check("ring", [r["step"] for r in rows(directory, 0)], [str(s) for s in (4, 5, 6) for _ in range(3)])


if __name__ == "__main__":
    for test in (fsdp, ddp, pipeline, cuda, ring):
        test(os.path.join(sys.argv[1], test.__name__))
