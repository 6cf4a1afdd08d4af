"""real_training.py - one rank of a small training job on real processes, recorded by
examples/recorders/hindcast_steps.py: data parallel 2 x pipeline 2, a transformer block a stage, real
sends and all-reduces over gloo. tests/long/real_training.sh starts four of them.

Passes mostly sleep: four processes that compute on two cores are slowed by each other, and two equal
runs then differ by half. What is planted is sleep, too.

    real_training.py DIRECTORY STEPS PLANT       with RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT

PLANT: none; slow (rank 1 takes 60 ms more a step, over its forward passes); late (both ranks of host b
begin each step 60 ms late); stretch (rank 2 is slow in steps 40 to 60 only).
"""
import os
import socket
import sys
import time

import torch
import torch.distributed as dist
from torch import nn

import hindcast_steps

PP, MICROBATCHES, SEQUENCE, WIDTH = 2, 4, 16, 32
FORWARD_S, BACKWARD_S, PLANTED_S = 0.020, 0.040, 0.060
SLOW_RANK, STRETCH_RANK, LATE_RANKS, STRETCH = 1, 2, (2, 3), range(40, 61)


class SleepInBackward(torch.autograd.Function):
    """The backward pass of a stage takes its time here."""

    @staticmethod
    def forward(context, x):
        return x.view_as(x)

    @staticmethod
    def backward(context, gradient):
        time.sleep(BACKWARD_S)
        return gradient


class Stage(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.TransformerEncoderLayer(WIDTH, 2, 2 * WIDTH, dropout=0.0, batch_first=True)
        self.extra_s = 0.0

    def forward(self, x):
        time.sleep(FORWARD_S + self.extra_s)
        return self.block(SleepInBackward.apply(x))


def one_step(stage, x, is_first, is_last, peer):
    """One forward, one backward, as often as there are microbatches: activations go to the next stage,
    their gradients come back. A receive is posted as soon as there is nothing left to wait for, as
    Megatron-LM does: what is posted late counts as a launch delay."""
    def post():
        buffer = torch.empty_like(x)
        return buffer, dist.irecv(buffer, peer)

    arriving = post()
    for k in range(MICROBATCHES):
        given = x
        if not is_first:
            given, work = arriving
            work.wait()
        given = given.requires_grad_()
        out = stage(given)
        if is_last:
            if k + 1 < MICROBATCHES:
                arriving = post()
            (out ** 2).mean().backward()
            dist.send(given.grad, peer)
        else:
            dist.send(out.detach(), peer)
            gradient, work = arriving
            work.wait()
            out.backward(gradient)
            if k + 1 < MICROBATCHES:
                arriving = post()


def main(directory, n_steps, plant):
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    dp_rank, number = rank // PP, rank % PP
    columns = [dist.new_group([dp * PP + s for dp in range(dist.get_world_size() // PP)])
               for s in range(PP)]
    torch.manual_seed(number)
    stage = Stage()
    optimizer = torch.optim.SGD(stage.parameters(), lr=0.01)
    real_host = socket.gethostname
    socket.gethostname = lambda: "host-b" if rank in LATE_RANKS else "host-a"
    recorder = hindcast_steps.record(directory, stage, optimizer, pp=PP, dp_rank=dp_rank, stage=number)
    socket.gethostname = real_host
    x, peer = torch.randn(2, SEQUENCE, WIDTH), rank + 1 if number == 0 else rank - 1
    took = []
    for step in range(n_steps):
        slow = (plant == "slow" and rank == SLOW_RANK) or \
            (plant == "stretch" and rank == STRETCH_RANK and step in STRETCH)
        stage.extra_s = PLANTED_S / MICROBATCHES if slow else 0.0
        dist.barrier()
        begun = time.perf_counter()
        with recorder.step():
            if plant == "late" and rank in LATE_RANKS:
                time.sleep(PLANTED_S)
            optimizer.zero_grad()
            one_step(stage, x, number == 0, number == PP - 1, peer)
            for parameter in stage.parameters():
                dist.all_reduce(parameter.grad, group=columns[number])
            norm = sum(float(p.grad.norm()) ** 2 for p in stage.parameters())
            dist.all_reduce(torch.tensor([norm]))  # to clip by the norm of the whole model
            optimizer.step()
        dist.barrier()
        took.append(time.perf_counter() - begun)
    recorder.close()
    if rank == 0:
        with open(os.path.join(directory, "took.txt"), "w", encoding="utf-8") as out:
            out.writelines(f"{seconds:.9f}\n" for seconds in took)
    with open(os.path.join(directory, f"overhead-{rank}.txt"), "w", encoding="utf-8") as out:
        out.write("{:.0f} {:.6f}\n".format(*recorder.overhead()))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
