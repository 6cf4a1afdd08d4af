#!/usr/bin/env python3
"""A second implementation of who hangs, to hold `hindcast diagnose collectives --json` against:

    hang_oracle.py ANSWER.json DUMP... [SUSPECT,SUSPECT]

Reads dumps with Python's pickle or json and follows the rules of docs/methods/collectives-diagnosis.md.
Groups are those of equal names. Compares suspects, late and behind ranks and counts; the last argument
says who must be suspected ("-": nobody). Exit status 1 on a difference."""
import collections
import json
import pickle
import re
import sys


def load(path):
    data = open(path, "rb").read()
    return json.loads(data) if data[:1] == b"{" else pickle.loads(data)


def number_or_text(name):
    return (0, int(name), "") if name.isdigit() else (1, 0, name)


def counters(dump, mixed):
    """By group name: (queued, ended); where ids and names contradict each other, only of groups with entries."""
    ids = sorted(dump.get("pg_status", {}), key=number_or_text)
    names = sorted(dump.get("pg_config", {}), key=number_or_text)
    told = {str(e["pg_id"]): e["process_group"][0] for e in dump["entries"]}
    by_order = dict(zip(ids, names)) if len(ids) == len(names) else {}
    if any(by_order.get(i) != name for i, name in told.items()) or not by_order:
        by_order = told
    return {name: (dump["pg_status"][i]["last_enqueued_collective"], dump["pg_status"][i]["last_completed_collective"])
            for i, name in by_order.items() if name not in mixed and i in dump["pg_status"]}


def differs(calls):
    ops = {e["profiling_name"] for e in calls}
    if len(ops) > 1:
        return True
    if "all_to_all" in next(iter(ops)) or "alltoall" in next(iter(ops)):
        return False
    return len({json.dumps([e[k] for k in ("input_sizes", "input_dtypes", "output_sizes", "output_dtypes")]) for e in calls}) > 1


def diagnose(dumps):
    members, entries = {}, collections.defaultdict(dict)
    mixed = {e["process_group"][0] for d in dumps.values() for e in d["entries"] if e["is_p2p"]}
    for rank, dump in dumps.items():
        for name, group in dump["pg_config"].items():
            members[name] = json.loads(group["ranks"])
        for e in dump["entries"]:
            if not e["is_p2p"]:
                entries[e["process_group"][0], e["collective_seq_id"]][rank] = e
    count = {rank: counters(dump, mixed) for rank, dump in dumps.items()}
    none = (None, None)
    late, waits, n_mismatched, n_complete = set(), collections.defaultdict(set), 0, 0
    behind_in, behind_by = collections.defaultdict(set), collections.Counter()
    for (name, seq), calls in sorted(entries.items()):
        n_mismatched += differs(list(calls.values()))
        n_complete += len(calls) == len(members[name])
        state = {}
        for r in members[name]:
            queued, ended = count.get(r, {}).get(name, none)
            if (r in calls and calls[r]["state"] == "completed") or (ended is not None and ended >= seq):
                state[r] = "ended"
            elif r in calls:
                state[r] = "waiting"
            elif queued is not None and queued < seq:
                state[r] = "absent"
            else:
                state[r] = "unknown"
        waiting = {r for r in state if state[r] == "waiting"}
        absent = {r for r in state if state[r] == "absent"}
        if waiting and absent:
            late |= absent
            for r in waiting:
                waits[r] |= absent
        told = {r: count[r][name][1] for r in members[name] if name in count.get(r, {})}
        for r in calls:
            if r in told and told[r] < seq <= max(told.values()):
                behind_in[r].add(name)
                behind_by[r, name] = max(told.values()) - told[r]
    behind = {r for r in behind_in if len(behind_in[r]) > 1 or max(behind_by[r, g] for g in behind_in[r]) > 1}
    first = {r for r in late if not waits[r] & late}
    return {"suspects": sorted(behind | first), "late": sorted(late), "behind": sorted(behind), "mismatched": n_mismatched,
            "all": len(entries), "complete": n_complete}


def main():
    answer = json.load(open(sys.argv[1], encoding="utf-8"))
    dumps = {int(re.findall(r"\d+", path.rsplit("/", 1)[-1])[-1]): load(path) for path in sys.argv[2:-1]}
    ours = diagnose(dumps)
    theirs = {"suspects": [s["rank"] for s in answer["suspects"]], "late": answer["late"], "behind": answer["behind"],
              "mismatched": answer["collectives"]["mismatched"], "all": answer["collectives"]["all"],
              "complete": answer["collectives"]["complete"]}
    wrong = [f"{key}: {theirs[key]} in place of {ours[key]}" for key in ours if ours[key] != theirs[key]]
    if sys.argv[-1] != "?":
        planted = [int(r) for r in sys.argv[-1].split(",") if r != "-"]
        if planted != theirs["suspects"]:
            wrong.append(f"suspects: {theirs['suspects']}, planted {planted}")
    print("\n".join(wrong) or "agrees")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
