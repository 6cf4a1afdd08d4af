#!/usr/bin/env python3
"""Flight-recorder dumps of jobs whose hang is known: planted_hangs.py DIRECTORY writes a directory of
dumps for each incident, and truth.json: who is to be suspected (null: nothing is claimed).

Ranks run the same program of collectives over a world of eight (pairs, quarters, all, and sends
between stages); each may queue a few calls ahead of its GPU, a collective ends when all of its
members have come to it. Planted is where the program, or the GPU, of a rank stops."""
import json
import os
import pickle
import random
import sys

WORLD, AHEAD = 8, 6
GROUPS = {"0": ("default_pg", list(range(WORLD))),
          **{str(1 + i): ("tensor", [2 * i, 2 * i + 1]) for i in range(4)},
          **{str(11 + i): ("data", [i, i + 2, i + 4, i + 6]) for i in range(2)},
          **{str(100 + i): ("pipeline", [i, i + 4]) for i in range(4)}}
START = 1_790_000_000_000_000_000


def program(rank, n_steps, incident):
    """Calls of a rank: (group, op, elements)."""
    own = {d: name for name, (d, members) in GROUPS.items() if rank in members for d in [GROUPS[name][0]]}
    calls = []
    for step in range(n_steps):
        calls += [(own["tensor"], "_all_gather_base", 1024), (own["data"], "all_to_all", 100 + rank)]
        if incident.get("pipeline"):
            calls.append((own["pipeline"], "send 0->1" if rank < 4 else "recv 1<-0", 512))
        calls += [(own["tensor"], "_reduce_scatter_base", 2048), ("0", "all_reduce", 64 + step)]
        if incident.get("coalesced"):
            calls.append((own["data"], "coalesced", 4))
    for index, change in incident.get("changes", {}).get(rank, {}).items():
        calls[index] = change
    for index in incident.get("skips", {}).get(rank, []):
        calls[index] = None
    return [c for c in calls if c]


class Rank:
    def __init__(self, rank, incident, n_steps):
        self.calls = program(rank, n_steps, incident)
        counts, self.keys = {}, []
        for group, op, _ in self.calls:
            key = (group, "p2p" if op[:4] in ("send", "recv") else "coll")
            counts[key] = counts.get(key, 0) + 1
            self.keys.append((*key, counts[key]))
        self.stop = incident.get("stops", {}).get(rank, len(self.calls))
        self.stall = incident.get("stalls", {}).get(rank)  # from here on its GPU says nothing of ends
        self.queued = self.ended = 0


def run(incident, n_steps):
    ranks = [Rank(r, incident, n_steps) for r in range(WORLD)]
    moved = True
    while moved:
        moved = False
        for r in ranks:
            can = min(r.stop, len(r.calls), r.ended + AHEAD)
            moved, r.queued = moved or can > r.queued, max(can, r.queued)
        for i, r in enumerate(ranks):
            if r.ended >= r.queued:
                continue
            key = r.keys[r.ended]
            members = GROUPS[key[0]][1]
            # The others have come to it: all that they queued before has ended, or it is this call.
            def there(o):
                at = o.keys.index(key) if key in o.keys else len(o.keys)
                return at < o.queued and (at <= o.ended or (o.stall is not None and at <= o.stall + 3))
            if all(there(ranks[m]) for m in members) and not (r.stall is not None and r.ended >= r.stall):
                r.ended += 1
                moved = True
    return ranks


def entry(rank, at, r, ids, version):
    group, op, elements = r.calls[at]
    _, kind, seq = r.keys[at]
    ended, p2p = at < r.ended, kind == "p2p"
    created = START + at * 1_000_000 + rank * 1000
    made = {"record_id": at, "pg_id": ids[group], "process_group": (group, GROUPS[group][0]), "collective_seq_id": 0 if p2p else seq,
            "p2p_seq_id": seq if p2p else 0, "op_id": at, "profiling_name": "nccl:" + op, "time_created_ns": created,
            "input_sizes": [[elements]], "input_dtypes": ["Float"], "output_sizes": [[elements]], "output_dtypes": ["Float"],
            "state": "completed" if ended else "started" if at == r.ended else "scheduled",
            "time_discovered_started_ns": None, "time_discovered_completed_ns": created + 5 if ended else None,
            "retired": ended, "timeout_ms": 600000, "is_p2p": p2p,
            "frames": [{"name": "step", "filename": "/job/train.py", "line": 88}] * 3}
    if version >= (2, 4):
        made.update(thread_name="pt_nccl_main", thread_id="140")
    return made


def dump(rank, r, incident):
    own = [name for name, (_, members) in GROUPS.items() if rank in members]
    ids = {name: k for k, name in enumerate(own)}
    version = incident.get("version", (2, 9))
    keep = range(incident.get("lost", {}).get(rank, 0), r.queued)
    counters = {}
    for name in own:
        seqs = [k[2] for k in r.keys[:r.queued] if k[:2] == (name, "coll")]
        ended = [k[2] for k in r.keys[:r.ended] if k[:2] == (name, "coll")]
        counters[str(ids[name])] = {"last_enqueued_collective": max(seqs, default=-1), "last_started_collective": -1,
                                    "last_completed_collective": max(ended, default=-1)}
    made = {"version": "%d.%d" % version, "pg_config": {n: {"name": n, "desc": GROUPS[n][0], "ranks": str(GROUPS[n][1])} for n in own},
            "pg_status": counters, "entries": [entry(rank, at, r, ids, version) for at in keep]}
    made["comm_lib_version" if version >= (2, 10) else "nccl_version"] = "2.27.3"
    if version >= (2, 10):
        made.update(rank=rank, host_name=f"node{rank // 4}", nccl_comm_state={"id": {"N0_rank": str(rank)}})
    if incident.get("empty") is not None and rank in incident["empty"]:
        made["entries"] = []
    return made


def incidents():
    """Name: (what is planted, suspects)."""
    named = {"healthy": ({}, []),
             "healthy-overrun": ({"lost": {0: 9, 3: 17, 5: 2}}, []),
             "healthy-empty": ({"empty": range(WORLD)}, []),
             "rank-0": ({"stops": {0: 12}}, [0]),
             "last-rank": ({"stops": {7: 16}}, [7]),
             "all-to-all": ({"stops": {5: 13}}, [5]),
             "scatter": ({"stops": {2: 14}}, [2]),
             "never-came": ({"stops": {6: 0}}, [6]),
             "two": ({"stops": {1: 12, 6: 12}}, [1, 6]),
             "stage": ({"stops": {3: 17}, "pipeline": True}, [3]),
             "gpu": ({"stalls": {4: 12}}, [4]),
             "coalesced": ({"stops": {2: 15}, "coalesced": True}, [2]),
             "overrun": ({"stops": {4: 16}, "lost": {0: 11, 4: 14, 7: 3}}, [4]),
             "empty": ({"stops": {4: 12}, "empty": [4]}, [4]),
             "no-dump-of-others": ({"stops": {1: 13}, "absent": [6, 7]}, [1]),
             "no-dump-of-it": ({"stops": {1: 13}, "absent": [1]}, None),
             "op-differs": ({"changes": {3: {12: ("2", "all_reduce", 1024)}}}, None),
             "size-differs": ({"changes": {3: {15: ("0", "all_reduce", 9)}}}, None),
             "one-left-out": ({"skips": {5: [13]}}, None),
             "json": ({"stops": {2: 12}, "json": True}, [2])}
    for minor in range(3, 11):
        named[f"version-2.{minor}"] = ({"stops": {2: 12}, "version": (2, minor)}, [2])
    for seed in range(24):
        rng = random.Random(seed)
        rank, at = rng.randrange(WORLD), rng.randrange(24)
        named[f"random-{seed}"] = ({"stops": {rank: at}, "pipeline": seed % 3 == 0, "coalesced": seed % 4 == 1,
                                    "lost": {r: rng.randrange(at + 1) for r in range(WORLD)} if seed % 2 else {}}, [rank])
    for seed in range(12):
        rng = random.Random(f"anything/{seed}")
        stops = {r: rng.randrange(24) for r in rng.sample(range(WORLD), 3)}
        skips = {rng.randrange(WORLD): [rng.randrange(20)]}
        named[f"anything-{seed}"] = ({"stops": stops, "skips": skips, "stalls": {rng.randrange(WORLD): rng.randrange(20)},
                                      "absent": [rng.randrange(WORLD)], "lost": {r: rng.randrange(6) for r in range(WORLD)}}, None)
    return named


def main():
    truth = {}
    for name, (incident, suspects) in incidents().items():
        directory = os.path.join(sys.argv[1], name)
        os.makedirs(directory)
        truth[name] = suspects
        for rank, r in enumerate(run(incident, 6)):
            if rank in incident.get("absent", []):
                continue
            path = os.path.join(directory, f"nccl_trace_rank_{rank}")
            if incident.get("json"):
                with open(path + ".json", "w", encoding="utf-8") as file:
                    json.dump(dump(rank, r, incident), file)
            else:
                with open(path, "wb") as file:
                    pickle.dump(dump(rank, r, incident), file, protocol=2 + rank % 4)
    with open(os.path.join(sys.argv[1], "truth.json"), "w", encoding="utf-8") as file:
        json.dump(truth, file)


if __name__ == "__main__":
    main()
