"""ddp_loop.py - a plain loop of DistributedDataParallel, recorded: the two lines are marked.

    torchrun --nproc-per-node 4 ddp_loop.py traces      # or: python3 -m torch.distributed.run ...
    hindcast whatif traces
"""
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import hindcast_steps


def main(directory, steps):
    torch.set_num_threads(1)
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(256, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(),
                          nn.Linear(1024, 10))
    model = DistributedDataParallel(model, bucket_cap_mb=1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    recorder = hindcast_steps.record(directory, model, optimizer)  # the first line
    for _ in range(steps):
        inputs, labels = torch.randn(64, 256), torch.randint(10, (64,))
        with recorder.step():  # the second line
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(inputs), labels)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
    recorder.close()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "traces", int(sys.argv[2]) if len(sys.argv) > 2 else 40)
