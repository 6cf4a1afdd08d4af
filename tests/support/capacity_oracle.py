"""A second account of installed GPU-time, for the records of `hindcast synth cluster`.

capacity_oracle.py make MADE OUT      writes what `synth cluster` does not: OUT/inventory.txt (a look at all
                                      nodes at the begin), OUT/hourly.txt (looks each hour, in the states that
                                      the history of nodes tells), OUT/queue.txt (looks at a queue)
capacity_oracle.py count MADE OUT ZONE   prints, for each day of the zone, its date and the GPU-nanoseconds of
                                      the eight leaves

It asks of the middle of each piece between two changes of a node what was so then, with a plain look at all
records of the node, where hindcast sweeps over changes. Times are whole seconds.
"""
import datetime
import re
import sys
import zoneinfo

UTC = datetime.timezone.utc
GPUS = 8
LOOK, HOLDS = 600, 900


def unix(text):
    return int(datetime.datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def stamp(second):
    return datetime.datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00")


def rows(path):
    with open(path) as file:
        names = file.readline().rstrip("\n").split("|")
        for line in file:
            yield dict(zip(names, line.rstrip("\n").split("|")))


def node_names(text):
    names = []
    for part in re.findall(r"[^,\[]+(?:\[[^\]]*\])?", text):
        if "[" not in part:
            names.append(part)
            continue
        stem, inside = part[:-1].split("[")
        for piece in inside.split(","):
            first, _, last = piece.partition("-")
            for number in range(int(first), int(last or first) + 1):
                names.append(stem + str(number).zfill(len(first)))
    return names


def read_jobs(made):
    """Of each node the jobs on it: from, to, GPUs there; and the last moment that any record tells of."""
    held, first, last = {}, None, 0
    for row in rows(made + "/slurm/sacct.txt"):
        if row["Start"] in ("Unknown", "None", ""):
            continue
        start = unix(row["Start"])
        end = unix(row["End"]) if row["End"] not in ("Unknown", "None", "") else start + int(row["ElapsedRaw"])
        first = start if first is None else min(first, start)
        last = max(last, end)
        found = re.search(r"gres/gpu=(\d+)", row["AllocTRES"])
        gpus, nodes = int(found.group(1)) if found else 0, node_names(row["NodeList"])
        for place, node in enumerate(nodes):
            part = gpus // len(nodes) + (place < gpus % len(nodes))
            held.setdefault(node, []).append((start, end, part))
    return held, first - first % 3600, last  # the hour of the look at all nodes


def read_events(made):
    events, moments = {}, []
    for row in rows(made + "/slurm/events.txt"):
        start = unix(row["TimeStart"])
        end = None if row["TimeEnd"] == "Unknown" else unix(row["TimeEnd"])
        moments += [start] + ([end] if end else [])
        events.setdefault(row["NodeName"], []).append((start, end, row["State"]))
    return events, (min(moments), max(moments)) if moments else (0, 0)


def all_nodes(held, events):
    """As many as the largest number says, also those that nothing happened to."""
    most = max(int(re.search(r"\d+$", name).group()) for name in list(held) + list(events))
    return ["gpu%04d" % (number + 1) for number in range(most)]


def partitions(node):
    number = int(node[-4:])
    return ["shared"] if number % 4 == 0 else ["train", "shared"] if number % 4 == 1 else ["train"]


def looks(first, last):
    """Looks at the queue: each 10 minutes, but two hours a day; partitions in which jobs want GPUs."""
    for at in range(first, last + 1, LOOK):
        hour = at // 3600
        if hour % 24 in (3, 4):
            continue
        wanted = (["train"] if hour % 3 == 0 else []) + (["shared"] if hour % 5 == 0 else [])
        yield at, wanted


def state_at(events, node, at):
    states = [state for start, end, state in events.get(node, []) if start <= at and (end is None or at < end)]
    return "down" if any("DOWN" in s for s in states) else "drained" if states else None


def make(made, out):
    held, first, last = read_jobs(made)
    events, _ = read_events(made)
    nodes = all_nodes(held, events)

    def show(file, at, states):
        file.write(stamp(at) + "\n")
        for node in nodes:
            state = {"down": "DOWN*", "drained": "IDLE+DRAIN", None: "IDLE"}[states(node, at)]
            file.write("NodeName=%s CPUTot=128 Gres=gpu:h100:8 State=%s Partitions=%s CfgTRES=cpu=128,gres/gpu=8\n"
                       % (node, state, ",".join(partitions(node))))

    with open(out + "/inventory.txt", "w") as file:
        show(file, first, lambda node, at: None)
    for at in range(first, last, 3600):
        name = datetime.datetime.fromtimestamp(at, UTC).strftime("/hourly-%Y%m%dT%H%M%SZ.txt")
        with open(out + name, "w") as file:
            show(file, at, lambda node, at: state_at(events, node, at))
    with open(out + "/queue.txt", "w") as file:
        for at, wanted in looks(first, last):
            file.write(stamp(at) + "\nJOBID|PARTITION|USER|ACCOUNT|STATE|REASON|NODES|TRES_PER_NODE|SUBMIT_TIME\n")
            file.write("9|train|ann|lab|PENDING|QOSMaxGRESPerUser|4|gres/gpu:8|2026-03-01T00:00:00\n")
            file.write("8|train,shared|ann|lab|RUNNING|None|4|gres/gpu:8|2026-03-01T00:00:00\n")
            file.write("7|shared|ann|lab|PENDING|Resources|4|N/A|2026-03-01T00:00:00\n")
            for number, partition in enumerate(wanted):
                reason = "Priority" if number else "Resources"
                file.write("%d|%s|bob|lab|PENDING|%s|2|gres/gpu:8|2026-03-01T00:00:00\n" % (number + 10, partition, reason))


def midnights(first, last, zone):
    place = zoneinfo.ZoneInfo(zone)
    day = datetime.datetime.fromtimestamp(first, place).date()
    while True:
        day += datetime.timedelta(days=1)
        at = int(datetime.datetime.combine(day, datetime.time(), place).timestamp())
        if at >= last:
            return
        yield at


def count(made, zone):
    held, first, last = read_jobs(made)
    events, _ = read_events(made)
    queue = list(looks(first, last))
    ends = {at: min(at + HOLDS, queue[i + 1][0] if i + 1 < len(queue) else at + HOLDS)
            for i, (at, _) in enumerate(queue)}
    wanted_at = dict(queue)
    cuts = [first, *midnights(first, last, zone), last]
    days = [[0] * 8 for _ in cuts[1:]]
    for node in all_nodes(held, events):
        changes = set(cuts) | set(ends) | set(ends.values())
        for start, end, _ in held.get(node, []):
            changes |= {start, end}
        for start, end, _ in events.get(node, []):
            changes |= {start} | ({end} if end else set())
        changes = sorted(at for at in changes if first <= at <= last)
        jobs, day, look = sorted(held.get(node, [])), 0, 0
        for at, after in zip(changes, changes[1:]):
            while cuts[day + 1] <= at:
                day += 1
            used = sum(gpus for start, end, gpus in jobs if start <= at < end)
            state, begin = state_at(events, node, at), at - at % LOOK
            known = [b for b in (begin, begin - LOOK) if b in ends and b <= at < ends[b]]
            if state:
                leaf = 1 if state == "down" else 2
            elif not known:
                leaf = 7
            else:
                leaf = 5 if set(wanted_at[known[0]]) & set(partitions(node)) else 6
            length = (after - at) * 10**9
            days[day][0] += used * length
            days[day][leaf] += (GPUS - used) * length
    for begin, leaves in zip(cuts, days):
        date = datetime.datetime.fromtimestamp(begin, zoneinfo.ZoneInfo(zone)).strftime("%Y-%m-%d")
        print(",".join([date] + [str(leaf) for leaf in leaves]))


if __name__ == "__main__":
    make(*sys.argv[2:]) if sys.argv[1] == "make" else count(sys.argv[2], sys.argv[3])
