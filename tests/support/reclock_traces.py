#!/usr/bin/env python3
"""The same run with other clocks: reclock_traces.py SEED FROM TO copies a directory of Kineto traces
with the clock of each rank but the first set forward or back, by a millisecond to some hours, and
events in another order. Traces whose times are whole microseconds are sometimes shifted event by
event, else by their base."""
import json
import os
import random
import sys


def shifted(trace, shift_ns, by_events):
    events = trace["traceEvents"]
    if by_events and all(isinstance(e.get("ts", 0), int) for e in events):
        for event in events:
            if "ts" in event:
                event["ts"] += shift_ns // 1000
        return
    trace["baseTimeNanoseconds"] = trace.get("baseTimeNanoseconds", 0) + shift_ns


def main():
    seed, source, target = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    rng = random.Random(seed)
    os.makedirs(target)
    for i, name in enumerate(sorted(os.listdir(source))):
        with open(os.path.join(source, name), encoding="utf-8") as file:
            trace = json.load(file, strict=False)
        rng.shuffle(trace["traceEvents"])
        shift_ns = rng.choice([-1, 1]) * 1000 * rng.randrange(1000, rng.choice([10**4, 10**8, 10**10]))
        shifted(trace, shift_ns if i else 0, rng.random() < 0.5)
        with open(os.path.join(target, name), "w", encoding="utf-8") as file:
            json.dump(trace, file)


if __name__ == "__main__":
    main()
