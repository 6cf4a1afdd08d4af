"""hindcast_steps.py - record the steps of a PyTorch training job for hindcast.

Copy this file beside the training script; it needs nothing but torch. Two lines record:

    import hindcast_steps
    recorder = hindcast_steps.record("traces", model, optimizer)      # after DDP or FSDP wrapping
    for batch in loader:
        with recorder.step():                                         # around one step
            ...

At the end of the process every rank writes traces/rank-N.csv, and rank 0 traces/meta.yaml. Then:

    hindcast whatif traces

What is recorded: forward passes (module hooks), backward passes (torch.autograd.backward), buckets of
DistributedDataParallel (a communication hook), optimizer.step, and the calls of torch.distributed.
docs/record.md says which op type each becomes. Times are CUDA events where the model is on a GPU, else
perf_counter_ns. Ops are kept in a ring of fixed length: of a long run the last steps are written.

Every rank records one process. `dp`, `pp`, `tp` are the sizes of the job; ranks are numbered as
Megatron-LM does (tp fastest, then dp, then pp) unless `dp_rank` and `stage` say where this one is.
"""
import atexit
import collections
import contextlib
import functools
import os
import socket
import sys
import time
import types
import uuid

import torch
import torch.distributed as dist

COLUMNS = "dp_rank,stage,rank,step,optype,start_ts,duration,seq_id,mc,mb_id,gmc,job,dp_size,pp_size"

FORWARD, BACKWARD, OPTIMIZER = "forward-compute", "backward-compute", "optimizer"
REDUCTION, GATHER = "grads-reduce-scatter", "params-all-gather"
CLIP, EMBEDDING = "optimizer-clip-main-grad", "embedding-grads-all-reduce"
OVERLAPPED_END = "separate-grads-all-reduce"
# What a step of Megatron-LM has and a job may lack: named in meta.yaml when no step had it.
DECLARABLE = ("gc", "layernorm-grads-all-reduce", EMBEDDING, REDUCTION, CLIP, OPTIMIZER)

SENDS, RECEIVES = ("send", "isend"), ("recv", "irecv")
REDUCTIONS = ("reduce_scatter", "reduce_scatter_tensor", "_reduce_scatter_base")
GATHERS = ("all_gather", "all_gather_into_tensor", "_all_gather_base")
NOT_STEP_OPS = ("broadcast", "barrier", "reduce", "gather", "scatter", "all_to_all", "all_to_all_single",
                "all_gather_object", "broadcast_object_list")
PATCHED = SENDS + RECEIVES + ("all_reduce",) + REDUCTIONS + GATHERS + NOT_STEP_OPS


class Op:
    """One op of a step. start and end are ns on the clock of the process, or marks of a CUDA clock."""

    __slots__ = ("step", "kind", "start", "end", "seq", "chunk", "microbatch", "is_async", "stream")

    def __init__(self, step, kind, start, seq, chunk, microbatch):
        self.step, self.kind, self.start, self.end = step, kind, start, None
        self.seq, self.chunk, self.microbatch, self.is_async = seq, chunk, microbatch, False
        self.stream = None  # of a pass, which may be cut by a call on another one


class HostClock:
    """Unix time that never goes back: the offset of perf_counter_ns is taken once."""

    def __init__(self):
        self.offset = time.time_ns() - time.perf_counter_ns()

    def mark(self, stream=None):
        return time.perf_counter_ns() + self.offset

    def stream(self):
        return None

    def resolve(self, mark):
        return mark

    def start_step(self):
        pass


class CudaClock:
    """Marks are events of the current stream, so that what the GPU does is timed and not its launch.

    elapsed_time has the precision of a float of milliseconds, so each step is timed from an event of its
    own, and these from one to the next: nothing is synchronised after the first."""

    def __init__(self):
        torch.cuda.synchronize()
        self.base = self._event()
        self.base.synchronize()
        now = time.time_ns()
        self.base_ns = lambda: now

    @staticmethod
    def _event(stream=None):
        event = torch.cuda.Event(enable_timing=True)
        event.record(stream or torch.cuda.current_stream())
        return event

    def mark(self, stream=None):
        return self.base, self.base_ns, self._event(stream)

    def stream(self):
        return torch.cuda.current_stream()

    def resolve(self, mark):
        base, base_ns, event = mark
        event.synchronize()
        return base_ns() + round(base.elapsed_time(event) * 1e6)

    def start_step(self):
        mark, known = self.mark(), []

        def base_ns():
            if not known:
                known.append(self.resolve(mark))
            return known[0]
        self.base, self.base_ns = mark[2], base_ns


class Work:
    """The handle of an asynchronous call, which ends its op: when its future is done, or when it is
    waited for where the backend gives no future (sends and receives of gloo)."""

    def __init__(self, work, recorder, op):
        self._work, self._recorder, self._op = work, recorder, op
        if recorder.is_cuda or op.kind in recorder.without_future:
            return
        try:
            work.get_future().add_done_callback(lambda _: recorder._finish(op))
        except Exception:  # once a kind: to fail takes milliseconds, since torch looks up its stack for the message
            recorder.without_future.add(op.kind)

    def wait(self, *args, **kwargs):
        result = self._work.wait(*args, **kwargs)
        self._recorder._finish(self._op)
        return result

    def __getattr__(self, name):
        return getattr(self._work, name)


class Recorder:
    def __init__(self, directory, model=None, optimizer=None, *, dp=None, pp=1, tp=1, dp_rank=None,
                 stage=None, job=None, capacity=1_000_000, buckets=True):
        started = time.perf_counter_ns()
        self.directory, self.capacity = directory, capacity
        self.world = dist.get_world_size() if dist.is_initialized() else 1
        self.rank = dist.get_rank() if dist.is_initialized() else 0
        self.pp, self.tp, self.dp = pp, tp, dp or self.world // (pp * tp)
        if self.dp * pp * tp != self.world:
            raise ValueError(f"dp {self.dp} x pp {pp} x tp {tp} is not the world of {self.world} ranks")
        self.dp_rank = self.rank // tp % self.dp if dp_rank is None else dp_rank
        self.stage = self.rank // (tp * self.dp) if stage is None else stage
        self.models = list(model) if isinstance(model, (list, tuple)) else [model] if model else []
        self.is_cuda = torch.cuda.is_available() and any(
            p.is_cuda for m in self.models for p in list(m.parameters())[:1])
        self.clock = CudaClock() if self.is_cuda else HostClock()
        self._meet(job)
        self.ring = collections.deque(maxlen=capacity)  # of finished steps, op by op
        self.ops, self.unresolved = [], []               # of this step, of the one before
        self.number, self.in_step, self.was_full = -1, False, False
        self.counts, self.members, self.unrecorded = {}, {}, collections.Counter()
        self.current_pass, self.depth, self.bucket = None, 0, 0
        self.cut_by, self.has_gathers = None, False  # of the current pass
        self.overlaps, self.without_future = False, set()
        self.own_ns = self.step_ns = self.n_ops = 0
        self.undo = []
        self._hook(optimizer, buckets)
        atexit.register(self.close)
        self.setup_ns, self.is_closed = time.perf_counter_ns() - started, False

    def _meet(self, job):
        """Let all ranks agree on the id of the job, and learn who is where."""
        mine = {"job": job or time.strftime("%Y%m%d-%H%M%S-") + uuid.uuid4().hex[:8],
                "host": socket.gethostname(), "place": (self.dp_rank, self.stage)}
        everyone = [mine] * self.world
        if self.world > 1:
            dist.all_gather_object(everyone, mine)
        self.job = everyone[0]["job"]
        self.hosts = [one["host"] for one in everyone]
        self.places = [one["place"] for one in everyone]

    # ---- steps ----

    @contextlib.contextmanager
    def step(self, number=None):
        """Around one training step. A step that ends in an exception is not kept."""
        entered = time.perf_counter_ns()
        self._resolve()
        self.number = self.number + 1 if number is None else number
        self.ops, self.counts, self.bucket, self.in_step = [], {}, 0, True
        self.clock.start_step()
        begun = time.perf_counter_ns()
        self.own_ns += begun - entered
        try:
            yield self
        except BaseException:
            self.ops = []
            raise
        finally:
            ended = time.perf_counter_ns()
            self._end_pass()
            self.in_step = False
            self.unresolved = self.ops
            self.n_ops += len(self.ops)
            self.step_ns += ended - entered
            self.own_ns += time.perf_counter_ns() - ended

    def _resolve(self):
        """Move the ops of the step before into the ring. Their events have passed by now."""
        ops, self.unresolved = self.unresolved, []
        stream_end = 0
        for op in ops:
            if op.end is None:
                self.unrecorded["unfinished " + op.kind] += 1
                continue
            start, end = self.clock.resolve(op.start), self.clock.resolve(op.end)
            if op.is_async:  # one communication stream: an op begins when the one before has ended
                start = min(max(start, stream_end), end)
                stream_end = max(stream_end, end)
            self.was_full |= len(self.ring) == self.capacity
            self.ring.append((op.step, op.kind, start, end, op.seq, op.chunk, op.microbatch))

    # ---- ops ----

    def _begin(self, kind, chunk=0, microbatch=None, stream=None):
        if not self.in_step:
            return None
        seq = self.counts.get(kind, 0)
        self.counts[kind] = seq + 1
        op = Op(self.number, kind, self.clock.mark(stream), seq, chunk, seq if microbatch is None else microbatch)
        op.stream = stream
        self.ops.append(op)
        return op

    def _finish(self, op):
        if op is not None and op.end is None:
            op.end = self.clock.mark(op.stream)

    @contextlib.contextmanager
    def op(self, kind, chunk=0, microbatch=None):
        """Record what is inside as one op, for frameworks whose calls say too little: kind is an op type
        of hindcast. Passes and calls of torch.distributed inside are not recorded by themselves."""
        entered = time.perf_counter_ns()
        op = self._begin(kind, chunk, microbatch) if self.depth == 0 else None
        self.depth += 1
        self.own_ns += time.perf_counter_ns() - entered
        try:
            yield
        finally:
            left = time.perf_counter_ns()
            self.depth -= 1
            self._finish(op)
            self.own_ns += time.perf_counter_ns() - left

    def _start_pass(self, kind, chunk, microbatch):
        if self.depth == 0 and self.current_pass is None:
            self.current_pass = self._begin(kind, chunk, microbatch, self.clock.stream())
            self.cut_by, self.has_gathers = None, False

    def _end_pass(self):
        if self.current_pass is not None and self.has_gathers and self.cut_by == REDUCTION:
            self._drop_piece()
        self._finish(self.current_pass)
        self.current_pass = None

    # Without a pipeline, a pass that meets other ranks is cut there: the pieces are model chunks of their
    # own, so that the graph of the step knows what a bucket or gather waited for, and what for it. FSDP
    # computes between a gather and the next call: a piece that a gather ends, and no gather began, is
    # next to nothing and would only blur what a pass takes; so is what follows the last reduction.

    def _drop_piece(self):
        self.ops.remove(self.current_pass)
        self.counts[self.current_pass.kind] -= 1

    def _cut_before(self, kind):
        """End the piece for a call of a kind: the piece (None where nothing is cut), and whether it is
        dropped."""
        part = self.current_pass
        if part is None or self.pp > 1:
            return None, False
        drops = kind == GATHER and self.cut_by != GATHER
        if drops:
            self._drop_piece()
        self._finish(part)
        self.current_pass, self.cut_by = None, kind
        self.has_gathers |= kind == GATHER
        return part, drops

    def _go_on(self, part, chunk):
        if part is not None:
            self.current_pass = self._begin(part.kind, chunk, part.microbatch, part.stream)

    # ---- hooks ----

    def _hook(self, optimizer, buckets):
        for chunk, model in enumerate(self.models):
            self._hook_forward(model, chunk)
            if buckets and self.dp > 1 and hasattr(model, "register_comm_hook"):
                self._hook_buckets(model)
        self._patch(torch.autograd, "backward", self._around_backward)
        for one in optimizer if isinstance(optimizer, (list, tuple)) else [optimizer] if optimizer else []:
            self._hook_optimizer(one)
        if self.world > 1:
            for name in PATCHED:
                if hasattr(dist, name):
                    self._patch(dist, name, self._around_call(name))

    def _patch(self, module, name, make):
        original = getattr(module, name)
        wrapper = make(original)
        wrapper.__name__, wrapper.__doc__ = name, getattr(original, "__doc__", None)
        places = [module]
        inner = sys.modules.get("torch.distributed.distributed_c10d")
        if module is dist and inner is not None and getattr(inner, name, None) is original:
            places.append(inner)  # P2POp compares functions with those of this module
        for place in places:
            setattr(place, name, wrapper)
            self.undo.append(functools.partial(setattr, place, name, original))

    def _hook_forward(self, model, chunk):
        def before(*_):
            entered = time.perf_counter_ns()
            if self.in_step and torch.is_grad_enabled() and model.training:
                self._start_pass(FORWARD, chunk, self.counts.get(("forward", chunk), 0))
                self.counts[("forward", chunk)] = self.counts.get(("forward", chunk), 0) + 1
            self.own_ns += time.perf_counter_ns() - entered

        def after(*_):
            entered = time.perf_counter_ns()
            if self.current_pass is not None and self.current_pass.kind == FORWARD:
                self._end_pass()
            self.own_ns += time.perf_counter_ns() - entered
        self.undo.append(model.register_forward_pre_hook(before).remove)
        self.undo.append(model.register_forward_hook(after).remove)

    def _around_backward(self, original):
        def backward(*args, **kwargs):
            entered = time.perf_counter_ns()
            microbatch = self.counts.get("backward", 0)
            self.counts["backward"] = microbatch + 1
            self._start_pass(BACKWARD, 0, microbatch)
            self.own_ns += time.perf_counter_ns() - entered
            try:
                return original(*args, **kwargs)
            finally:
                left = time.perf_counter_ns()
                self._end_pass()
                self.own_ns += time.perf_counter_ns() - left
        return backward

    def _hook_optimizer(self, optimizer):
        original = optimizer.step

        def step(this, *args, **kwargs):
            before = next((op for op in self.ops if op.kind == OPTIMIZER), None) if self.in_step else None
            op = before or self._begin(OPTIMIZER)
            try:
                return original(*args, **kwargs)
            finally:
                if op is not None:
                    op.end = self.clock.mark()
        ours = optimizer.step = types.MethodType(step, optimizer)  # schedulers look for a bound method

        def undo():
            if vars(optimizer).get("step") is ours:  # nobody has wrapped it since
                del optimizer.step
        self.undo.append(undo)

    def _hook_buckets(self, model):
        """A DDP bucket is reduced by C++, which no patch sees: a communication hook does it instead, in the
        same way. Where the script has a hook of its own, buckets are not seen, and that is said."""
        all_reduce = dist.all_reduce

        def reduce_bucket(_, bucket):
            entered = time.perf_counter_ns()
            tensor = bucket.buffer() if hasattr(bucket, "buffer") else bucket.get_tensor()
            part, number = self._cut_before(REDUCTION)[0], self.bucket
            self.bucket += 1
            op = self._begin(REDUCTION, 0 if self.pp > 1 else number)
            if op is not None:
                op.is_async, self.overlaps = True, True
            self.own_ns += time.perf_counter_ns() - entered
            group = getattr(model, "process_group", None)
            tensor.div_(self.dp)
            future = all_reduce(tensor, group=group, async_op=True).get_future()
            if not bucket.is_last():
                self._go_on(part, number + 1)

            def done(reduced):
                self._finish(op)
                return reduced.value()[0]
            return future.then(done)
        try:
            model.register_comm_hook(None, reduce_bucket)
        except RuntimeError as error:
            print(f"hindcast_steps: DDP buckets are not recorded, backward passes hold the wait for them: "
                  f"{error}", file=sys.stderr)

    # ---- calls of torch.distributed ----

    def _around_call(self, name):
        def make(original):
            def call(*args, **kwargs):
                if self.depth or not self.in_step:
                    return original(*args, **kwargs)
                entered = time.perf_counter_ns()
                kind = self._kind_of(name, args, kwargs)
                if kind is None:
                    self.unrecorded[name] += 1
                op, part = self._begin_call(kind)
                self.depth += 1
                self.own_ns += time.perf_counter_ns() - entered
                try:
                    result = original(*args, **kwargs)
                finally:
                    self.depth -= 1
                entered = time.perf_counter_ns()
                if op is not None and hasattr(result, "wait"):
                    op.is_async = kind in (REDUCTION, GATHER)
                    result = Work(result, self, op)
                else:
                    self._finish(op)
                self._go_on(part, op.chunk if op is not None and kind == GATHER else
                            op.chunk + 1 if op is not None else 0)
                self.own_ns += time.perf_counter_ns() - entered
                return result
            return call
        return make

    def _begin_call(self, kind):
        """A gather or reduction inside a pass cuts it. Of a gather the piece behind it is the chunk, of a
        reduction the piece before."""
        if kind is None:
            return None, None
        if kind not in (REDUCTION, GATHER) or self.current_pass is None:
            return self._begin(kind), None
        self.overlaps |= kind == REDUCTION
        part, is_dropped = self._cut_before(kind)
        chunk = part.chunk if part is not None else 0
        if part is not None and kind == GATHER and not is_dropped:
            chunk += 1
        return self._begin(kind, chunk), part

    def _kind_of(self, name, args, kwargs):
        if name in NOT_STEP_OPS:
            return None
        if name in SENDS or name in RECEIVES:
            peer = args[1] if len(args) > 1 else kwargs.get("dst" if name in SENDS else "src")
            return self._kind_of_transfer(name in SENDS, peer)
        ranks = self._ranks_of(kwargs.get("group") or next((a for a in args[1:] if a in self.members or
                                                            type(a).__name__ == "ProcessGroup"), None))
        is_dp = ranks == frozenset(r for r in range(self.world) if self.places[r][1] == self.stage
                                   and r % self.tp == self.rank % self.tp)
        if name in REDUCTIONS:
            return REDUCTION if is_dp else None
        if name in GATHERS:  # behind the optimizer it is for the next step, as ZeRO does
            return GATHER if is_dp and not self.counts.get(OPTIMIZER) else None
        return self._kind_of_all_reduce(ranks, is_dp, args[0] if args else kwargs["tensor"])

    def _kind_of_transfer(self, is_send, peer):
        if peer is None or self.places[peer][0] != self.dp_rank:
            return None
        distance = self.places[peer][1] - self.stage
        if distance not in (-1, 1):
            return None
        is_forward = distance == (1 if is_send else -1)
        return ("forward" if is_forward else "backward") + ("-send" if is_send else "-recv")

    def _kind_of_all_reduce(self, ranks, is_dp, tensor):
        in_forward = self.current_pass is not None and self.current_pass.kind == FORWARD
        ends = {self.places[r][1] for r in ranks} == {0, self.pp - 1}
        if in_forward:
            return None
        if self.counts.get(OPTIMIZER) or not self.counts.get(BACKWARD):
            return None  # an average of losses, say
        if len(ranks) == self.world and (self.pp > 1 or tensor.numel() == 1):
            return None if self.counts.get(CLIP) else CLIP
        if is_dp and self.dp > 1:
            return REDUCTION
        if ends and len(ranks) == 2 and self.pp > 2:
            return None if self.counts.get(EMBEDDING) else EMBEDDING
        return None

    def _ranks_of(self, group):
        """Global ranks of a group; None is the whole world."""
        if group is None:
            return frozenset(range(self.world))
        if group not in self.members:
            if hasattr(dist, "get_process_group_ranks"):
                ranks = dist.get_process_group_ranks(group)
            else:
                known = dist.distributed_c10d._pg_group_ranks.get(group)
                ranks = known.keys() if known else range(self.world)
            self.members[group] = frozenset(ranks)
        return self.members[group]

    # ---- what is written ----

    def close(self):
        """Write the files, once; take the hooks away."""
        if self.is_closed:
            return
        self.is_closed = True
        atexit.unregister(self.close)
        for undo in self.undo:
            undo()
        self._resolve()
        if self.rank % self.tp == 0:
            self._write_rows()
        if self.rank == 0:
            self._write_meta()
        self._report()

    def _write_rows(self):
        os.makedirs(self.directory, exist_ok=True)
        path = os.path.join(self.directory, f"rank-{self.rank}.csv")
        cut = self.ring[0][0] if self.was_full and self.ring else None  # the step that the ring begins in
        with open(path + ".part", "w", encoding="utf-8") as out:
            out.write(COLUMNS + "\n")
            for step, kind, start, end, seq, chunk, microbatch in self.ring:
                if step == cut:
                    continue
                duration = max(end - start, 0)
                has_chunk = kind not in (OPTIMIZER, CLIP, EMBEDDING)
                out.write(f"{self.dp_rank},{self.stage},{self.rank},{step},{kind},"
                          f"{start // 10**9}.{start % 10**9:09d},{duration // 10**9}.{duration % 10**9:09d},"
                          f"{seq},{chunk if has_chunk else -1},{microbatch if has_chunk else -1},"
                          f"{chunk * self.pp + self.stage if has_chunk else -1},"
                          f"{self.job},{self.dp},{self.pp}\n")
        os.replace(path + ".part", path)

    def _write_meta(self):
        seen = {row[1] for row in self.ring}
        absent = [kind for kind in DECLARABLE if kind not in seen and not (kind == REDUCTION and self.dp == 1)]
        if self.overlaps:
            absent.append(OVERLAPPED_END)
        if seen <= {FORWARD, BACKWARD}:
            absent = []  # passes only: a kind of trace of its own
        path = os.path.join(self.directory, "meta.yaml")
        with open(path + ".part", "w", encoding="utf-8") as out:
            out.write(f"job_id: {self.job}\ndp_size: {self.dp}\npp_size: {self.pp}\ntp_size: {self.tp}\n"
                      f"dsp_size: 1\nworld_size: {self.world}\n")
            out.write("nodes: {" + ", ".join(f"{r}: {host}" for r, host in enumerate(self.hosts)) + "}\n")
            out.write(f"absent_ops: [{', '.join(absent)}]\n" if absent else "")
        os.replace(path + ".part", path)

    def overhead(self):
        """What recording took: ns an op, and its share of the time in steps."""
        return self.own_ns / max(self.n_ops, 1), self.own_ns / max(self.step_ns, 1)

    def _report(self):
        an_op, share = self.overhead()
        print(f"hindcast_steps: rank {self.rank}: {self.n_ops} ops in {self.number + 1} steps; recording took "
              f"{an_op / 1000:.1f} us an op, {100 * share:.3f} % of the steps, and {self.setup_ns / 1e6:.1f} ms "
              "to set up", file=sys.stderr)
        if self.was_full:
            print(f"hindcast_steps: rank {self.rank}: the ring of {self.capacity} ops was full; the first steps "
                  "are not in the file", file=sys.stderr)
        if self.unrecorded:
            named = ", ".join(f"{n} {name}" for name, n in sorted(self.unrecorded.items()))
            print(f"hindcast_steps: rank {self.rank}: no op of a step: {named}", file=sys.stderr)


def record(directory, model=None, optimizer=None, **places):
    """Begin to record; see the head of this file. Close it, or let the end of the process do so."""
    return Recorder(directory, model, optimizer, **places)
