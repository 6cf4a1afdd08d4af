"""fake_torch.py - as much of torch as examples/recorders/hindcast_steps.py touches, without torch: what gloo on a
CPU cannot show (reduce-scatter, FSDP's gathers, CUDA events) is tested with these, on a clock that only
moves when it is told to. install(rank, world, cuda) puts the modules where `import torch` finds them."""
import sys
import types

CLOCK = types.SimpleNamespace(host_ns=1_700_000_000_000_000_000, gpu_ns=5_000_000)


def pass_ms(milliseconds, gpu_ms=0):
    """Let time pass: on the host, and on the GPU, which is behind or ahead as it likes."""
    CLOCK.host_ns += round(milliseconds * 1e6)
    CLOCK.gpu_ns += round((gpu_ms or milliseconds) * 1e6)


class Event:
    def __init__(self, enable_timing=False):
        assert enable_timing
        self.at_ns = None

    def record(self, stream):
        assert stream == "stream"
        self.at_ns = CLOCK.gpu_ns

    def synchronize(self):
        assert self.at_ns is not None

    def elapsed_time(self, other):
        return (other.at_ns - self.at_ns) / 1e6


class Future:
    def __init__(self, value=None):
        self.result, self.callbacks = value, []

    def value(self):
        return self.result

    def add_done_callback(self, call):
        self.callbacks.append(call)

    def then(self, call):
        self.callbacks.append(call)
        return self

    def finish(self):
        for call in self.callbacks:
            call(self)


class Work:
    def __init__(self, future, wait_ms=0.0):
        self.future, self.wait_ms = future, wait_ms

    def get_future(self):
        if self.future is None:
            raise RuntimeError("this backend has no future")
        return self.future

    def wait(self):
        pass_ms(self.wait_ms)
        return True


class Tensor:
    def __init__(self, numel=100, is_cuda=False):
        self.count, self.is_cuda = numel, is_cuda

    def numel(self):
        return self.count

    def div_(self, _):
        return self


class ProcessGroup:
    def __init__(self, ranks):
        self.ranks = ranks


class Handle:
    def __init__(self, hooks, hook):
        self.hooks, self.hook = hooks, hook

    def remove(self):
        self.hooks.remove(self.hook)


class Module:
    """A model whose forward and backward passes are functions of the test."""

    def __init__(self, forward, is_cuda=False):
        self.inside, self.is_cuda, self.training = forward, is_cuda, True
        self.before, self.after = [], []

    def parameters(self):
        return iter([Tensor(is_cuda=self.is_cuda)])

    def register_forward_pre_hook(self, hook):
        self.before.append(hook)
        return Handle(self.before, hook)

    def register_forward_hook(self, hook):
        self.after.append(hook)
        return Handle(self.after, hook)

    def __call__(self):
        for hook in list(self.before):
            hook(self, ())
        self.inside()
        for hook in list(self.after):
            hook(self, (), None)


class DistributedDataParallel(Module):
    process_group = None

    def register_comm_hook(self, state, hook):
        self.hook = lambda bucket: hook(state, bucket)


class Bucket:
    def __init__(self, is_last):
        self.last = is_last

    def buffer(self):
        return Tensor()

    def is_last(self):
        return self.last


class Optimizer:
    def step(self):
        pass_ms(2)


def install(rank, world, cuda=False, follows=None):
    """Modules torch and torch.distributed, in which a blocking call takes 3 ms, and its end is put into
    dist.ends_ns; or ends when the same call of another rank, whose ends_ns follows is, has ended."""
    torch, dist = types.ModuleType("torch"), types.ModuleType("torch.distributed")
    inner = types.ModuleType("torch.distributed.distributed_c10d")
    torch.cuda = types.SimpleNamespace(is_available=lambda: cuda, synchronize=lambda: None, Event=Event,
                                       current_stream=lambda: "stream")
    torch.is_grad_enabled = lambda: True
    torch.autograd = types.SimpleNamespace(backward=lambda inside: inside())
    dist.is_initialized, dist.get_world_size, dist.get_rank = lambda: True, lambda: world, lambda: rank
    dist.get_process_group_ranks = lambda group: group.ranks
    dist.futures, dist.ends_ns = [], []

    def call(*_, async_op=False, **__):
        if not async_op:
            pass_ms(3)
            if follows:
                CLOCK.host_ns = follows[len(dist.ends_ns)]
            dist.ends_ns.append(CLOCK.host_ns)
            return None
        dist.futures.append(Future([Tensor()]))
        return Work(dist.futures[-1])

    def all_gather_object(everyone, mine):
        for number in range(world):
            place = (number // dist.pp, number % dist.pp)
            everyone[number] = {**mine, "host": f"host-{number}", "place": place}

    dist.pp = 1
    for name in ("send", "recv", "all_reduce", "reduce_scatter_tensor", "all_gather_into_tensor", "broadcast", "barrier"):
        setattr(dist, name, lambda *a, _name=name, **k: call(*a, **k))
    for name in ("isend", "irecv"):
        setattr(dist, name, lambda *a, _name=name, **k: Work(None, 4.0))
    dist.all_gather_object = all_gather_object
    for name in ("isend", "irecv"):
        setattr(inner, name, getattr(dist, name))
    torch.distributed, dist.distributed_c10d = dist, inner
    sys.modules.update({"torch": torch, "torch.distributed": dist, "torch.distributed.distributed_c10d": inner})
    sys.modules.pop("hindcast_steps", None)
    import hindcast_steps
    hindcast_steps.time = types.SimpleNamespace(
        time_ns=lambda: CLOCK.host_ns, perf_counter_ns=lambda: CLOCK.host_ns, strftime=lambda _: "")
    return hindcast_steps, torch, dist
