#!/usr/bin/env python3
"""night_train.py - one node's part of a launch of a small training job, in a job of slurm_night.sh; srun starts one a node.

    night_train.py DIRECTORY        with GPUS_PER_NODE, STEPS, STEP_S, SAVE_EVERY, EVALUATE_EVERY, TRUTH, CYCLE

A rank a GPU, each a process of its own: it fits its shard of a problem of least squares, and its gradients are summed
over all ranks by real connections, rank by rank, so that the weights after so many steps are the same to the bit whatever
was killed between. What a GPU would take is slept. Rank 0 prints the lines of Megatron-LM, saves the weights to DIRECTORY
and goes on from the last save there. A rank that dies is noticed by its parent, which tells of it as torchrun does,
and ends with 1.

What is done is written to TRUTH, apart from the log and by clocks of its own, a line each:
    nanoseconds since 1970, number of the allocation, restarts, cycle, node, what, number
Of times that have a beginning and an end, what is "begin-..." and "end-..."; the moments around a mark are "before-..."
and "behind-...".
"""
import array
import os
import signal
import socket
import struct
import subprocess
import sys
import time

directory = sys.argv[1]
job, restart = os.environ["SLURM_JOB_ID"], os.environ.get("SLURM_RESTART_COUNT", "0")
cycle, name = os.environ["CYCLE"], os.environ["SLURMD_NODENAME"]
node, n_nodes = int(os.environ["SLURM_NODEID"]), int(os.environ["SLURM_NNODES"])
per_node, last_step = int(os.environ["GPUS_PER_NODE"]), int(os.environ["STEPS"])
step_s, save_every = float(os.environ["STEP_S"]), int(os.environ["SAVE_EVERY"])
evaluate_every = int(os.environ["EVALUATE_EVERY"])
is_marked = bool(os.environ.get("MARKS"))  # its initialisation is told by phase-mark.sh, else by Megatron's lines
COMPILE_S, SAVE_S, EVALUATE_S, INIT_S, NOTICE_S = 1.2, 0.5, 0.4, 0.5, 0.5
N_WEIGHTS, PACK = 64, "64d"
truth = os.open(os.environ["TRUTH"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)


def did(what, number=0, at=None):
    """A line of the truth, by one write."""
    at = time.time_ns() if at is None else at
    os.write(truth, f"{at} {job} {restart} {cycle} {name} {what} {number}\n".encode())


def say(line):
    os.write(1, (line + "\n").encode())


def mark(begin_or_end, phase):
    """A mark of the node; what is done besides is told of the moments before and behind it."""
    did(f"before-{begin_or_end}-{phase}")
    subprocess.run(["sh", os.environ["PHASE_MARK"], begin_or_end, phase], check=True)
    did(f"behind-{begin_or_end}-{phase}")


def stamp():
    now = time.time_ns()
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(now // 10**9)) + f".{now % 10**9 // 1000:06d}"


def gradient(weights, rank, step):
    """Of least squares on one made-up row of the rank's own data."""
    x = [((rank * 7919 + step * 104729 + i * 1299709) % 1000) / 1000 - 0.5 for i in range(N_WEIGHTS)]
    error = sum(w * a for w, a in zip(weights, x)) - sum(x)
    return [error * a for a in x]


def descend(weights, summed, n_ranks):
    return [w - 0.01 * g / n_ranks for w, g in zip(weights, summed)]


def receive(connection, n):
    parts = b""
    while len(parts) < n:
        got = connection.recv(n - len(parts))
        if not got:
            raise ConnectionError("another rank is gone")
        parts += got
    return parts


class Group:
    """All ranks: rank 0 sums what the others send it, in order of their numbers."""

    def __init__(self, rank, n_ranks):
        self.rank, self.others = rank, {}
        place = f"{directory}/rendezvous-{job}-{restart}-{cycle}"
        if rank == 0:
            server = socket.create_server(("127.0.0.1", 0), backlog=n_ranks)
            with open(place + ".new", "w") as file:
                file.write(str(server.getsockname()[1]))
            os.rename(place + ".new", place)
            for _ in range(n_ranks - 1):
                connection, _ = server.accept()
                self.others[struct.unpack("i", receive(connection, 4))[0]] = connection
        else:
            while not os.path.exists(place):
                time.sleep(0.02)
            with open(place) as file:
                port = int(file.read())
            self.root = socket.create_connection(("127.0.0.1", port))
            self.root.sendall(struct.pack("i", rank))
        for connection in [*self.others.values()] if rank == 0 else [self.root]:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def sum(self, values):
        if self.rank:
            self.root.sendall(struct.pack(PACK, *values))
            return struct.unpack(PACK, receive(self.root, struct.calcsize(PACK)))
        for rank in sorted(self.others):
            theirs = struct.unpack(PACK, receive(self.others[rank], struct.calcsize(PACK)))
            values = [a + b for a, b in zip(values, theirs)]
        for connection in self.others.values():
            connection.sendall(struct.pack(PACK, *values))
        return values


def load():
    """The last step that was saved and its weights; before any save 0 and zeros."""
    try:
        with open(f"{directory}/latest") as file:
            iteration = int(file.read())
    except FileNotFoundError:
        return 0, [0.0] * N_WEIGHTS
    weights = array.array("d")
    with open(f"{directory}/iter_{iteration:07d}", "rb") as file:
        weights.fromfile(file, N_WEIGHTS)
    return iteration, list(weights)


def save(iteration, weights):
    path = f"{directory}/iter_{iteration:07d}"
    for to, content in ((path, array.array("d", weights).tobytes()), (f"{directory}/latest", str(iteration).encode())):
        with open(to + ".new", "wb") as file:
            file.write(content)
            os.fsync(file.fileno())
        os.rename(to + ".new", to)
    time.sleep(SAVE_S)


def train(rank):
    n_ranks, nothing, begun = n_nodes * per_node, [0.0] * N_WEIGHTS, time.time_ns()
    did("rank", f"{rank}:{os.getpid()}")
    if rank == 0:
        say(f"using world size: {n_ranks}, data-parallel size: {n_ranks}, tensor-model-parallel size: 1, pipeline-model-parallel size: 1")
        mark("start", "init") if is_marked else did("before-start-init", at=begun)
    time.sleep(INIT_S)
    group = Group(rank, n_ranks)
    group.sum(nothing)
    if rank == 0 and is_marked:
        mark("end", "init")
    elif rank == 0:
        say(f"time to initialize megatron (seconds): {(time.time_ns() - begun) / 1e9:.3f}")
        say(f"[after megatron is initialized] datetime: {stamp()[:19]} ")
        did("behind-end-init")
    iteration, weights = load()
    loaded = iteration
    if rank == 0:
        did("loaded", iteration)
        if iteration:
            say(f"  successfully loaded checkpoint from {directory} [ t 1/1, p 1/1 ] at iteration {iteration}")
    if rank == 0 and not is_marked:
        say(f"[after model, optimizer, and learning rate scheduler are built] datetime: {stamp()[:19]} ")
        say(f"[after dataloaders are built] datetime: {stamp()[:19]} ")
        say(f"[before the start of training step] datetime: {stamp()[:19]} ")
    group.sum(nothing)
    while iteration < last_step:
        iteration += 1
        begun = time.time_ns()
        if iteration == loaded + 1:
            time.sleep(COMPILE_S)
        time.sleep(step_s)
        summed = group.sum(gradient(weights, rank, iteration))
        weights = descend(weights, summed, n_ranks)
        ended = time.time_ns()
        if rank == 0:
            say(
                f" [{stamp()}] iteration {iteration:8d}/{last_step:8d} | consumed samples: {iteration * n_ranks:12d} | "
                f"elapsed time per iteration (ms): {(ended - begun) / 1e6:.1f} | learning rate: 1.000000E-02 | "
                f"global batch size: {n_ranks:5d} | lm loss: {sum(g * g for g in summed):.6E} | loss scale: 1.0 | "
                "grad norm: 0.123 | number of skipped iterations:   0 | number of nan iterations:   0 |"
            )
            did("said", iteration)
            did("begin-step", iteration, begun)
            did("end-step", iteration, ended)
            if iteration % evaluate_every == 0:
                did("begin-evaluation", iteration)
                time.sleep(EVALUATE_S)
                say("-" * 90)
                say(f" validation loss at iteration {iteration} | lm loss value: 2.000000E+00 | lm loss PPL: 7.389056E+00 | ")
                say("-" * 90)
                did("end-evaluation", iteration)
            if iteration % save_every == 0:
                did("begin-save", iteration)
                save(iteration, weights)
                say(f"  successfully saved checkpoint from iteration {iteration:7d} to {directory} [ t 1/1, p 1/1 ]")
                did("end-save", iteration)
        group.sum(nothing)  # all wait for the evaluation and the save
    if rank == 0:
        did("done", iteration)
        say("[after training is done] datetime: " + stamp()[:19])
        with open(f"{directory}/weights", "w") as file:
            file.write(" ".join(w.hex() for w in weights))



def stage():
    """The node's copy of the newest checkpoint, as a phase of the start-up; the second node is slower."""
    mark("start", "load")
    iteration, _ = load()
    if iteration:
        subprocess.run(["cp", f"{directory}/iter_{iteration:07d}", f"{directory}/staged-{name}"], check=True)
    time.sleep(0.3 + 0.4 * node)
    mark("end", "load")


def tell_failure(rank, pid, status):
    """As torchrun does."""
    bar, code = "=" * 60, -status
    say(
        time.strftime("E%m%d ") + f"{stamp()[11:]} {os.getpid()} torch/distributed/elastic/multiprocessing/api.py:869] "
        f"failed (exitcode: {code}) local_rank: {rank % per_node} (pid: {pid}) of binary: /usr/bin/python3"
    )
    did("told", rank)
    say(
        "\n".join(
            [
                bar, "night_train.py FAILED", "-" * 60, "Root Cause (first observed failure):", "[0]:",
                f"  time      : {stamp()[:19].replace(' ', '_')}", f"  host      : {name}",
                f"  rank      : {rank} (local_rank: {rank % per_node})", f"  exitcode  : {code} (pid: {pid})",
                "  error_file: <N/A>",
                f"  traceback : Signal {status} ({signal.Signals(status).name}) received by PID {pid}", bar,
            ]
        )
    )


def main():
    did("launched")
    stage()
    ranks = {}
    for rank in range(node * per_node, (node + 1) * per_node):
        pid = os.fork()
        if pid == 0:
            status = 0
            try:
                train(rank)
            except (ConnectionError, OSError):
                status = 3  # another rank is gone: that one is to blame
            os._exit(status)
        ranks[pid] = rank
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    failed = 0
    while ranks:
        pid, status = os.wait()
        rank = ranks.pop(pid)
        time.sleep(NOTICE_S)  # as torchrun, which looks at its processes at intervals
        if stopped:
            if not failed:
                say("Received Signals.SIGTERM death signal, shutting down workers")
            failed = 1
        if os.WIFSIGNALED(status) and not failed:
            did("noticed", rank)
            tell_failure(rank, pid, os.WTERMSIG(status))
        if status and not failed:
            failed = 1
            for other in ranks:
                os.kill(other, signal.SIGKILL)
    return failed


if __name__ == "__main__":
    sys.exit(main())
