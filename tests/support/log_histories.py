#!/usr/bin/env python3
"""Random histories of the logs and dumps of a site: whatever happens to their files between ingests,
and where an ingest is killed, the tables are those of one clean ingest of all that an ingest could see.

    log_histories.py HINDCAST WORK SEED HISTORIES STEPS

Each log has a writer whose clock goes on. Its text is cut anywhere into what is written before and
after an ingest; its file is rotated, copied and truncated, compressed, cut, replaced. What an ingest
could see of a log are the whole lines of its files; of those contents, the ones that no other one
goes on from are what the clean ingest reads, in files under the same names.

Dumps (accounting, events and snapshots of nodes) say the same of a record again and again, as it was
at one moment or another, in any order of the moments.

What is not compared, and why:
  source          the files of the clean ingest have other names
  line of dumps   a record stands in many files: its line is that in the one that was read first
  time_ns, to_ns of events with the clock before_file
                  they are the time at which the file was written last, which files do not share

What is lost where the history is forgetful (the ledger is deleted while ends of files wait, or a packed
file is removed within ten minutes, of whose end nothing is known): see may_be_lost.

What cannot be recognised, so that no history does it: a log that rotation calls a.1.log, and not
a.log.1, before any ingest had seen its beginning as a.log, or after the ledger was lost, is a log of
its own. Logs of tasks have such names.
"""
import csv
import gzip
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

HINDCAST, WORK, SEED, HISTORIES, STEPS = (
    sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
DAY = 86400
START = int(time.time()) // DAY * DAY - 20 * DAY  # years are inferred from the time of the file
LONG_AGO = time.time() - DAY  # files that are at rest

TABLES = ("events", "train_steps", "cycles", "checkpoints", "train_measures", "phases", "jobs", "node_states")
DUMPED = ("jobs", "node_states")


def stamp(t, form):
    return time.strftime(form, time.gmtime(t))


class Writer:
    """Makes the text of a log, a block at a time."""
    may_begin_bare, has_header = True, False

    def __init__(self, path, dice):
        self.path, self.dice = path, dice
        self.now, self.count = START + dice.randrange(DAY), 0
        self.pending = ""  # text that is not in the file yet

    def tick(self, most=400):
        self.now += 1 + self.dice.randrange(most)
        return self.now

    def number(self):
        self.count += 1
        return self.count

    def begin(self):
        """What a file begins with after one that was cut or replaced."""
        return self.block()

    def late(self):
        """What a process writes that has an old file open still."""
        return self.block()


class Failures(Writer):
    """Lines of failures, as logs of jobs have them."""

    def traceback(self, prefix=""):
        n = self.number()
        return "".join(prefix + line + "\n" for line in (
            "Traceback (most recent call last):",
            f'  File "train.py", line {n}, in main',
            "    loop()",
            f'  File "loop.py", line {n + 1}, in loop',
            "    step()",
            f"RuntimeError: number {n}"))

    def torchrun(self):
        n = self.number()
        when = stamp(self.tick(), "%Y-%m-%d_%H:%M:%S")
        return (f"Root Cause (first observed failure):\n[0]:\n  time      : {when}\n  host      : n{n}\n"
                f"  rank      : {n % 8} (local_rank: 0)\n  exitcode  : {n} (pid: {1000 + n})\n"
                f"  error_file: <N/A>\n  traceback : Signal {n}\n{'=' * 20}\n")

    def failure(self):
        n = self.number()
        return self.dice.choice((
            lambda: self.traceback(),
            lambda: self.traceback(f"{n % 4}: "),
            lambda: self.torchrun(),
            lambda: f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {n} MiB\n",
            lambda: f"slurmstepd: error: *** STEP {n}.0 ON n1 CANCELLED AT "
                    f"{stamp(self.tick(), '%Y-%m-%dT%H:%M:%S')} DUE TO TIME LIMIT ***\n",
            lambda: f"n1:{n}:{n + 7} [0] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed "
                    f"by remote peer n{n}\n",
        ))()

    def stamped(self, text):
        return f"[{stamp(self.tick(), '%Y-%m-%d %H:%M:%S')},123] {text}\n"


class JobLog(Failures):
    def block(self):
        kind = self.dice.randrange(10)
        if kind < 3:
            return self.failure()
        if kind < 6:
            return self.stamped(f"all is well {self.number()}")
        if kind < 8:
            n = self.number()
            return self.stamped(f"CUDA error: an illegal memory access was encountered, number {n}")
        return "".join(f"line {self.number()} of no stamp\n" for _ in range(self.dice.randrange(4)))

    def begin(self):
        return (self.stamped("begins") if self.dice.randrange(3) else "") + self.failure()


class TrainingLog(Failures):
    iteration, has_launched = 0, False

    def launch(self):
        self.has_launched = True
        d, n = self.dice, self.number()
        date = "%Y-%m-%d %H:%M:%S"
        self.iteration = max(0, self.iteration - d.randrange(5))
        parts = [f"using world size: {8 + n}, data-parallel-size: 4\n"]
        if d.randrange(2):
            parts.append(">>> done with compiling and loading fused kernels. Compilation time: 17.880 seconds\n")
        if d.randrange(4):
            parts.append(f"time to initialize megatron (seconds): {20 + n}.967\n")
        parts.append(f"[after megatron is initialized] datetime: {stamp(self.tick(), date)} \n")
        if d.randrange(2):
            parts.append(f" successfully loaded checkpoint from /ckpt/{n} [ t 1/8 ] at iteration {self.iteration}\n")
        parts.append("(min, max) time across ranks (ms):\n    load-checkpoint ......: (90.12, 95.34)\n")
        parts.append(f"[after model, optimizer, and learning rate scheduler are built] datetime: {stamp(self.tick(), date)} \n")
        parts.append(f"[after dataloaders are built] datetime: {stamp(self.tick(), date)} \n")
        if d.randrange(2):
            parts.append(f"[before the start of training step] datetime: {stamp(self.tick(), date)} \n")
        return "".join(parts)

    def step(self):
        self.iteration += 1
        when = (f"[{stamp(self.tick(), '%Y-%m-%d %H:%M:%S')}.{self.dice.randrange(10**6):06d}] "
                if self.dice.randrange(5) else "")
        return (f" {when}iteration {self.iteration:8d}/ 5000 | consumed samples: {self.iteration * 64:12d} | "
                f"elapsed time per iteration (ms): {1000 + self.number()}.5 | lm loss: 3.1E+00 | "
                "number of skipped iterations: 0 | number of nan iterations: 0 |\n")

    def timers(self):
        n = self.number()
        return self.dice.choice((
            f"time (ms) | forward-compute: {n}.5 | optimizer: {n + 1}.25\n",
            f"(min, max) time across ranks (ms):\n    backward ....: ({n}.5, {n + 2}.5)\n"
            f"    all-grads-sync ....: ({n}.25, {n + 1}.0)\n",
            f"max time across ranks (ms):\n    params ....: {n}.5\n",
            f"times across ranks (ms):\n  batch:\n     rank  0: {n}.5\n     rank  1: {n}.75\n",
        ))

    def block(self):
        kind = self.dice.randrange(12)
        if kind == 0 or not self.has_launched:
            return self.launch()
        if kind < 6:
            return self.step() + (self.timers() if self.dice.randrange(3) == 0 else "")
        if kind < 8:
            return self.step()
        if kind < 9:
            return f"  successfully saved checkpoint from iteration {self.iteration:7d} to /ckpt/{self.number()} [ t 1/8 ]\n"
        if kind < 10:
            return self.failure()
        if kind < 11 and not self.dice.randrange(3):
            return f"[after training is done] datetime: {stamp(self.tick(), '%Y-%m-%d %H:%M:%S')} \n"
        return "".join(f"chatter {self.number()}\n" for _ in range(self.dice.randrange(90)))

    def begin(self):
        return self.launch()


def kernel_message(n):
    return (f"NVRM: Xid (PCI:0000:9b:00): {(79, 48, 31, 13)[n % 4]}, pid={n}, name=python, number {n}"
            if n % 3 else f"Out of memory: Killed process {n} (python) total-vm:{n}kB, anon-rss:1kB")


class Syslog(Writer):
    def block(self):
        out = ""
        for _ in range(1 + self.dice.randrange(4)):
            when = stamp(self.tick(), "%b %e %H:%M:%S")
            n = self.number()
            out += (f"{when} n1 kernel: [{n}.123456] {kernel_message(n)}\n" if self.dice.randrange(2)
                    else f"{when} n1 systemd[1]: Started session {n}.\n")
        return out


class Dmesg(Writer):
    """Seconds since boot. Without the line that dates them, the time of the file would: another one
    each time that it grows."""
    booted, may_begin_bare = None, False

    def begin(self):
        self.booted = self.tick()
        return (f"[    0.000000] Linux version 6.1.0 number {self.number()}\n[    0.500000] rtc_cmos 00:00: "
                f"setting system clock to {stamp(self.booted, '%Y-%m-%dT%H:%M:%S')} UTC ({self.booted})\n")

    def block(self):
        out = "" if self.booted else self.begin()
        return out + self.messages()

    def late(self):
        return ""

    def messages(self):
        out = ""
        for _ in range(1 + self.dice.randrange(3)):
            n = self.number()
            out += f"[{self.tick() - self.booted:5d}.123456] {kernel_message(n)}\n"
        return out


class Journal(Writer):
    def block(self):
        n = self.number()
        return (f'{{"__REALTIME_TIMESTAMP":"{self.tick() * 1000000}","_HOSTNAME":"n3","SYSLOG_IDENTIFIER":'
                f'"kernel","MESSAGE":"{kernel_message(n)}"}}\n')


class Marks(Writer):
    def __init__(self, path, dice):
        super().__init__(path, dice)
        self.open = []

    may_begin_bare = False

    def block(self):
        d, n = self.dice, self.number()
        when = stamp(self.tick(), "%Y-%m-%dT%H:%M:%SZ")
        if self.open and d.randrange(2):
            what, began = self.open.pop(d.randrange(len(self.open)))
            return f"hindcast-phase 1 {when} end {what}{began if d.randrange(2) else ''}\n"
        what = f"{d.choice(('image', 'environment', 'init'))} job={n} restart=0 node=n{n % 4}"
        self.open.append((what, f" began={when}"))
        return f"hindcast-phase 1 {when} start {what}\n"

    def begin(self):  # an end whose start another file has is bad
        self.open = []
        return self.block()

    def late(self):
        kept, self.open = self.open, []
        text = self.block()
        self.open = kept
        return text


class Dump(Writer):
    """A line for a record as it was at some moment: the later ones go on from the earlier."""
    may_begin_bare, has_header = False, True
    records, moments, has_begun = 12, 4, False

    def day(self, n):
        return stamp(START + n % 4 * DAY, "%Y-%m-%dT")

    def row(self):
        return self.line(1 + self.dice.randrange(self.records), self.dice.randrange(self.moments))

    def rows(self):
        return "".join(self.row() + "\n" for _ in range(1 + self.dice.randrange(3)))

    def block(self):
        return self.rows() if self.has_begun else self.begin()

    def begin(self):
        self.has_begun = True
        return self.header + "\n" + self.rows()

    def late(self):
        return self.rows()


class Accounting(Dump):
    header = "JobID|Cluster|User|Submit|Eligible|Start|End|ElapsedRaw|State|AllocTRES|NodeList|JobName"

    def line(self, n, moment):
        day = self.day(n)
        start = "Unknown" if moment == 0 else day + "02:00:00"
        end = day + "05:00:00" if moment == 3 else "Unknown"
        state = ("PENDING", "RUNNING", "RUNNING", "COMPLETED")[moment]
        given = "|" if moment == 0 else f"cpu=8,gres/gpu=8,node=1|n{n}"
        return f"{n}|c|u{n % 5}|{day}01:00:00|{day}01:00:00|{start}|{end}|{moment * 3600}|{state}|{given}|job {n}"


class NodeEvents(Dump):
    header = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User"
    moments = 2

    def line(self, n, moment):
        end = self.day(n) + "09:00:00" if moment else "Unknown"
        return f"c|n{n}|{self.day(n)}03:00:00|{end}|{('DOWN', 'DRAIN')[n % 2]}|reason {n}|root"


class Snapshots(Writer):
    """What is so at an instant, which the first line says: a file each, a line for each node."""
    may_begin_bare, has_header, has_begun = False, True, False

    def begin(self):
        self.has_begun = True
        return stamp(self.tick(), "%Y-%m-%dT%H:%M:%S+00:00\n") + self.block()

    def block(self):
        if not self.has_begun:
            return self.begin()
        n = self.number()
        return (f"NodeName=n{n} Arch=x86_64 CPUAlloc=8 CPUTot=16 Gres=gpu:8 State={('IDLE', 'MIXED')[n % 2]} "
                f"Partitions=gpu CfgTRES=cpu=16,gres/gpu=8 AllocTRES=cpu=8,gres/gpu={n % 8}\n")


def may_be_lost(table, row):
    """What the end of a file tells waits until nothing is written to it any more. Where the file was
    cut or replaced before, it is told by what the ledger knows of that end: where that was lost
    too, or a packed file, of which no end is known, was removed, it never is."""
    if table == "events":
        return row["clock"] == "before_file" or row["class"] == "torchrun"
    return table == "cycles" and row["clock"] != "stamped" and not row["first_iteration"]


def comparable(table, row):
    """Where a row is from is not compared: each clean file has another name. Nor is a time that is
    that of a file, since no two files have it from each other."""
    row.pop("source", None)
    if table in DUMPED:
        row.pop("line")
    if row.get("clock") == "before_file":
        row["time_ns"] = row["to_ns"] = ""
    return tuple(sorted(row.items()))


def whole_lines(text):
    return text[:text.rfind(b"\n") + 1]


def content(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        data = file.read()
    return data if path.endswith(".gz") else whole_lines(data)


class History:
    def __init__(self, seed):
        self.seed, self.dice = seed, random.Random(seed)
        self.root = os.path.join(WORK, str(seed))
        os.makedirs(self.root)
        os.chdir(self.root)
        self.writers = []
        for make, path in ((TrainingLog, "logs/train/run-7.log"), (JobLog, "logs/jobs/slurm-1001.out"),
                           (JobLog, "logs/jobs/train.err"), (Syslog, "logs/kern/n1/messages"),
                           (Dmesg, "logs/kern/n2/dmesg"), (Journal, "logs/json/journal.json"),
                           (Marks, "logs/marks/phases.log"), (Accounting, "logs/sacct/dump.txt"),
                           (NodeEvents, "logs/nodes/events.txt"), (Snapshots, "logs/snaps/nodes.txt")):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self.writers.append(make(path, self.dice))
        with open("site.json", "w") as file:
            file.write('{"schema": "hindcast/site/1", "sources": [\n')
            for name, kind, glob in (("t", "training-log", "logs/train/*"), ("j", "job-log", "logs/jobs/*"),
                                     ("s", "kernel-log", "logs/kern/*/*"), ("k", "kernel-json", "logs/json/*"),
                                     ("p", "phase-marks", "logs/marks/*"), ("a", "slurm-sacct", "logs/sacct/*"),
                                     ("e", "slurm-events", "logs/nodes/*"), ("n", "slurm-nodes", "logs/snaps/*")):
                file.write(f'{{"name": "{name}", "format": "{kind}", "files": "{glob}"}},\n')
            file.write("]}\n")
        self.seen = {writer.path: set() for writer in self.writers}
        self.last_seen = {}  # of each file
        self.story, self.n_old, self.resumed = [], 0, 0
        self.is_forgetful = self.dice.randrange(3) == 0  # its ledger is lost, packed files are removed

    def fail(self, why):
        print(f"seed {self.seed}, step {len(self.story)}: {why}\nin {self.root}:\n  " + "\n  ".join(self.story[-40:]))
        sys.exit(1)

    # ---- files ----

    def old_files(self, writer):
        folder, name = os.path.split(writer.path)
        stem, ending = os.path.splitext(name)
        ours = re.compile(f"{re.escape(name)}\\..+|{re.escape(stem)}\\.\\d+{re.escape(ending)}(\\.gz)?")
        return sorted(os.path.join(folder, f) for f in os.listdir(folder) if ours.fullmatch(f))

    def put(self, writer, text, mode="a"):
        with open(writer.path, mode) as file:
            file.write(text)

    def write(self, writer):
        writer.pending += writer.block()
        if self.dice.randrange(3):
            self.put(writer, writer.pending)
            writer.pending = ""
        else:  # cut anywhere
            n = self.dice.randrange(len(writer.pending) + 1)
            self.put(writer, writer.pending[:n])
            writer.pending = writer.pending[n:]

    def aside(self, writer, may_be_within=True):
        """Another name for a file of a log: a.log.1, or a.1.log."""
        self.n_old += 1
        stem, ending = os.path.splitext(writer.path)
        before = self.last_seen.get(writer.path)
        is_known = before and content(writer.path).startswith(before) and not self.is_forgetful
        if may_be_within and is_known and ending in (".log", ".out", ".err", ".txt") and self.dice.randrange(2):
            return f"{stem}.{self.n_old}{ending}"
        return f"{writer.path}.{self.n_old}"

    def start_anew(self, writer):
        """The file that the writer goes on with is empty: no half line is carried over."""
        is_bare = writer.may_begin_bare and self.dice.randrange(2)
        writer.pending = "" if is_bare else writer.begin()
        self.put(writer, "", "w")

    def cut(self, writer):
        """Behind some line; what goes on begins a line of its own. A dump keeps its header."""
        with open(writer.path, "rb") as file:
            lines = file.read().splitlines(True)
        if writer.has_header:
            lines = [line for line in lines if line.endswith(b"\n")]
        with open(writer.path, "wb") as file:
            file.write(b"".join(lines[:max(writer.has_header, self.dice.randrange(len(lines) + 1))]))
        writer.pending = writer.block() if writer.has_header and lines else writer.begin()
        self.put(writer, "" if not lines or writer.has_header else "\n")

    def happen(self, writer):
        d = self.dice
        what = d.randrange(24)
        old = self.old_files(writer)
        if not os.path.exists(writer.path):
            what = 0
        if what < 15 or (15 < what < 20 and len(old) > 8):
            for _ in range(1 + d.randrange(3)):
                self.write(writer)
            return "write"
        if what == 15:
            self.put(writer, writer.pending)
            writer.pending = ""
            return "flush"
        if what == 16:
            os.rename(writer.path, self.aside(writer))
            self.start_anew(writer)
            return "rotate"
        if what == 17:
            shutil.copy(writer.path, self.aside(writer))
            self.start_anew(writer)
            return "copy and truncate"
        if what == 18:
            self.cut(writer)
            return "cut"
        if what == 19:
            writer.pending = ""
            with open(writer.path + "~", "w") as file:
                file.write(writer.begin())
            os.rename(writer.path + "~", writer.path)
            return "replace"
        if not old:
            return "nothing"
        path = d.choice(old)
        if writer.has_header and not content(path) and what in (20, 22):
            return "nothing"  # a dump without its header is refused, unless it is an empty file
        if what == 20 and not path.endswith(".gz"):
            with open(path, "rb") as file, gzip.open(path + ".gz", "wb") as packed:
                packed.write(whole_lines(file.read()))  # whose last line would be read
            os.remove(path)
            return f"compress {path}"
        if what == 21:
            shutil.copy(path, self.aside(writer, False) + (".gz" if path.endswith(".gz") else ""))
            return f"duplicate {path}"
        if what == 22 and not path.endswith(".gz"):
            text = content(path)
            if os.path.getsize(path) > len(text):
                return "nothing"
            with open(path, "a") as file:
                file.write(writer.late())
            return f"write to {path}"
        if path.endswith(".gz") and not self.is_forgetful:
            return "nothing"
        os.remove(path)
        return f"remove {path}"

    # ---- ingests ----

    def see(self):
        for writer in self.writers:
            for path in [writer.path] + self.old_files(writer):
                if os.path.exists(path):
                    self.last_seen[path] = content(path)
                    self.seen[writer.path].add(content(path))

    def run(self, *args, ok=True):
        done = subprocess.run([HINDCAST, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if ok and done.returncode != 0:
            self.fail(f"{' '.join(args)}: {done.stderr}")
        return done

    def ingest(self):
        self.see()
        done = self.run("ingest", "-a", "a", "--max-bad", "1", "--site", "site.json", ok=False)
        if done.returncode and "no whole line" not in done.stderr:  # such a file is refused
            self.fail(f"ingest: {done.stderr}")
        self.story.append("ingest")
        self.resumed += "were read on from where" in done.stdout

    def kill(self):
        self.see()
        child = subprocess.Popen([HINDCAST, "ingest", "-q", "-a", "a", "--max-bad", "1", "--site", "site.json"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(self.dice.random() * 0.05)
        child.send_signal(signal.SIGKILL)
        child.wait()
        self.story.append("kill")

    # ---- comparing ----

    def table(self, archive, name):
        done = self.run("query", "-a", archive, name, "--as", "csv", ok=False)
        if done.returncode:
            return []
        rows = list(csv.DictReader(done.stdout.splitlines()))
        rows = [comparable(name, row) for row in rows]
        return sorted(set(rows) if name == "events" else rows)

    def clean(self):
        # The end of a file that is there at the end is told, though another file goes on from it.
        kept = {content(p) for w in self.writers for p in [w.path] + self.old_files(w) if os.path.exists(p)}
        os.rename("logs", "live")
        for path, contents in self.seen.items():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            last = [c for c in contents if c and (c in kept or not any(o != c and o.startswith(c) for o in contents))]
            for i, data in enumerate(sorted(last)):
                with open(f"{path}.{i + 1}", "wb") as file:
                    file.write(data)
        self.touch()
        done = self.run("ingest", "-a", "clean", "--max-bad", "1", "--site", "site.json", ok=False)
        if done.returncode:
            self.fail(f"clean ingest: {done.stderr}")
        os.rename("logs", "logs.clean")
        os.rename("live", "logs")

    def touch(self):
        for folder, _, names in os.walk("logs"):
            for name in names:
                os.utime(os.path.join(folder, name), (LONG_AGO, LONG_AGO))

    def compare(self):
        self.ingest()
        self.touch()
        self.ingest()
        self.clean()
        for name in TABLES:
            a, b = self.table("a", name), self.table("clean", name)
            has = set(a)
            b = [row for row in b if row in has or not (self.is_forgetful and may_be_lost(name, dict(row)))]
            if a != b:
                show = lambda rows: "\n    ".join(str(dict(r)) for r in rows[:4])
                self.fail(f"{name}: {len(a)} rows, not {len(b)}\n  too many:\n    {show([r for r in a if r not in b])}"
                          f"\n  lacking:\n    {show([r for r in b if r not in a])}")
        done = self.run("ingest", "-a", "a", "--max-bad", "1", "--site", "site.json", ok=False)
        if " new" in done.stdout:
            self.fail(f"an ingest of nothing new read something: {done.stdout}")
        self.run("check", "-a", "a")

    def live(self):
        d = self.dice
        for _ in range(STEPS):
            for writer in self.writers:
                if d.randrange(3) == 0:
                    self.story.append(f"{self.happen(writer)} {writer.path}")
            what = d.randrange(10)
            if what == 0:
                self.kill()
                self.ingest()
            elif what == 1 and self.is_forgetful:
                shutil.rmtree("a/derived", ignore_errors=True)
                self.story.append("lose derived/")
            elif what < 7:
                self.ingest()
        self.compare()
        if STEPS >= 20 and self.resumed == 0:
            self.fail("no file was read on from where reading had come")


for i in range(HISTORIES):
    History(SEED + i).live()
print(f"seed {SEED}, {HISTORIES} histories of {STEPS} steps")
