"""A second simulation of a job's life, written from docs/methods/lifetime.md and docs/scenario.md alone.

It is there to be compared with, so it is naive: one life is one walk through time, nodes are counted and not named
(no lemons, no infants: one node is as good as another), and what the documents do not say is kept out of the settings,
or was asked of the engine and put into the documents. What it knows of a scenario: one job with a horizon; faults that evict, at a rate of nodes or of
domains or by a Weibull time between the faults of a node with its `age`; saves, also none; start-up as a whole;
standbys, a pool with its end, spares, repairs, both ways to wait, and elastic jobs. Other keys are an error.

    lives(scenario, n, seed)    mean and standard error of the figures of n lives, by name
"""
import heapq
import math
import random

HOUR, DAY = 3600.0, 86400.0
FIGURES = ["ettr", "interruptions", "evicted_nodes", "standbys_used", "rejoins", "total_gpu_h", "lost_gpu_h",
           "standby_idle_gpu_h", "pool_idle_gpu_h", "startup_gpu_h"]
KNOWN = {
    "": {"schema", "kind", "seed", "replicas", "job", "faults", "checkpoint", "startup", "recovery", "repair", "elastic"},
    "job": {"nodes", "horizon_d"},
    "checkpoint": {"mode", "every_s", "stall_s", "durable_after_s", "load_s"},
    "startup": {"full_s", "hot_s"},
    "recovery": {"warm_standbys", "wake_s", "replenish_h", "reschedule_s", "pool_nodes", "wait_for", "refill",
                 "spare_nodes", "preempt_s", "spares_return", "full_start_on_reschedule"},
    "repair": {"automatic_s", "to_manual", "manual_s"},
    "elastic": {"on", "dp_replicas", "min_replicas", "before_standbys", "keeps_state", "leave_s", "rejoin_s"},
    "fault": {"class", "remedy", "detect_s", "localise_s", "per_1000_node_days", "per_1000_domain_days",
              "domain_nodes", "between_h", "unit", "age", "age_h"},
}


def check_keys(scenario):
    parts = [("", scenario)] + [(name, scenario[name]) for name in KNOWN if name in scenario]
    parts += [("fault", fault) for fault in scenario["faults"].values()]
    for name, part in parts:
        if set(part) - KNOWN[name]:
            raise ValueError(f"{name}: unknown {set(part) - KNOWN[name]}")


def draw(value, rng):
    """A number, or one from a distribution."""
    if not isinstance(value, dict):
        return value
    (family, p), = value.items()
    if family == "exponential":
        return rng.expovariate(1 / p["mean"])
    if family == "lognormal":
        return p["median"] * math.exp(math.log(p["p99"] / p["median"]) / 2.3263478740408408 * rng.gauss(0, 1))
    if family == "weibull":
        return weibull_scale(p) * rng.expovariate(1) ** (1 / p["shape"])
    if family == "gamma":
        return rng.gammavariate(p["shape"], p["mean"] / p["shape"])
    raise ValueError(family)


def weibull_scale(p):
    return p["mean"] / math.gamma(1 + 1 / p["shape"])


class Over(Exception):
    """The horizon has come."""


class Life:
    def __init__(self, scenario, rng):
        self.rng = rng
        self.n = scenario["job"]["nodes"]
        self.end = scenario["job"]["horizon_d"] * DAY
        self.faults = list(scenario["faults"].values())
        self.save = scenario["checkpoint"]
        self.startup = scenario["startup"]
        self.recovery = scenario["recovery"]
        self.repair = scenario.get("repair", {})
        self.elastic = scenario.get("elastic", {"on": False})
        self.now = 0.0
        self.later = []                                     # (time, order, what, slot)
        self.order = 0
        # The pool. Without an end there is always a free node, and none is charged.
        self.pooled = "pool_nodes" in self.recovery
        self.target = self.recovery.get("warm_standbys", 0)
        self.standbys = self.target
        self.free = self.recovery["pool_nodes"] - self.n - self.target if self.pooled else 0
        self.spares = self.recovery.get("spare_nodes", 0)
        self.borrowed = 0
        self.waits = False                                  # the job stands until nodes come back
        self.wanted = 0                                     # for so many slots; then for its standbys
        self.slots_waiting = []
        # The job. A slot is here, or without a node; of those some have a host that starts up.
        self.running = False
        self.here = [True] * self.n
        self.absent = set()                                 # slots without a host: not held
        self.held_from_next_steps = set()
        self.in_with_next_steps = []
        self.came_back = False                              # a replica has become whole while steps run
        self.replicas = self.elastic["dp_replicas"] if self.elastic["on"] else 1
        self.exposure = 0.0
        self.rings = self.first_rings()
        self.total = 0.0                                    # s of steps, lost ones too
        self.has_saved = False
        self.forget_steps()
        # Sums.
        self.productive = 0.0                               # s at the speed of all replicas
        self.held = self.idle = self.pool_idle = 0.0        # node-s
        self.lost = self.starting = 0.0
        self.stops = self.evicted = self.used = self.rejoins = 0

    # ---- time ----

    def put(self, after, what, slot=None):
        self.order += 1
        heapq.heappush(self.later, (self.now + after, self.order, what, slot))

    def pass_to(self, time):
        """Lets time go by without looking at what happens."""
        if time > self.now:
            dt = time - self.now
            self.held += dt * (self.n - len(self.absent) + self.standbys + self.free)
            self.idle += dt * self.standbys
            self.pool_idle += dt * self.free
            self.now = time

    def stand(self, length):
        """Lets `length` go by, and the pool live on in it."""
        until = min(self.now + length, self.end)
        while self.later and self.later[0][0] <= until:
            self.next_event()
        self.pass_to(until)
        if until >= self.end:
            raise Over

    def next_event(self):
        time, _, what, slot = heapq.heappop(self.later)
        self.pass_to(time)
        if what == "return":
            self.node_returns()
        elif what == "standby":
            self.ordered_standby()
        elif what == "choose":
            self.choose_host(slot)
        elif what == "spare":
            self.host_chosen(slot)
        else:
            self.node_in(slot)

    # ---- the pool ----

    def node_returns(self):
        if self.wanted > 0:
            self.wanted -= 1
        elif self.slots_waiting and not self.waits:
            self.host_chosen(self.slots_waiting.pop(0))
        elif self.standbys < self.target:
            self.standbys += 1
        elif self.recovery.get("spares_return") and self.borrowed > 0:
            self.borrowed -= 1
            self.spares += 1
        else:
            self.free += 1

    def ordered_standby(self):
        """A standby that was ordered is a free node of the time at which it comes; with none free the order lapses."""
        if self.standbys == self.target:
            return
        if not self.pooled:
            self.standbys += 1
        elif self.free > 0:
            self.free -= 1
            self.standbys += 1

    def use_standby(self):
        self.standbys -= 1
        self.used += 1
        if self.recovery.get("refill", "always") == "always":
            self.put(draw(self.recovery.get("replenish_h", 0), self.rng) * HOUR, "standby")

    def evict(self, slot):
        self.evicted += 1
        self.here[slot] = False
        if not self.pooled:
            return
        length = draw(self.repair.get("automatic_s", 0), self.rng)
        if self.rng.random() < self.repair.get("to_manual", 0):
            length += draw(self.repair["manual_s"], self.rng)
        self.put(length, "return")

    # ---- hosts for a job that stands ----

    def find_hosts(self, slots):
        """Nodes for all of `slots`; the start after it is returned, by its key."""
        missing = len(slots)
        by_standbys = min(missing, self.standbys)
        for _ in range(by_standbys):
            self.use_standby()
        missing -= by_standbys
        if missing == 0:
            self.stand(draw(self.recovery.get("wake_s", 0), self.rng))
        else:
            self.stand(draw(self.recovery.get("reschedule_s", 0), self.rng))
            self.take_from_pool(missing)
        for slot in slots:
            self.node_in(slot)
        return "full_s" if missing > 0 and self.recovery.get("full_start_on_reschedule", True) else "hot_s"

    def take_free_and_standbys(self, missing):
        taken = min(missing, self.free)
        self.free -= taken
        while taken < missing and self.standbys > 0:
            self.use_standby()
            taken += 1
        return missing - taken

    def take_from_pool(self, missing):
        if not self.pooled:
            return
        missing = self.take_free_and_standbys(missing)
        if missing > 0 and self.spares > 0:
            taken = min(missing, self.spares)
            self.stand(draw(self.recovery.get("preempt_s", 0), self.rng))
            self.spares -= taken
            self.borrowed += taken
            self.free += taken
            missing = self.take_free_and_standbys(missing)
        if missing > 0:
            self.wait_for_nodes(missing)
        if self.recovery.get("refill", "always") == "at_reschedule":
            taken = min(self.free, self.target - self.standbys)
            self.free -= taken
            self.standbys += taken

    def wait_for_nodes(self, missing):
        """The next nodes that come back are for the job; what comes while it waits for standbys stands by."""
        self.wanted = missing
        self.waits = True
        with_standbys = self.recovery.get("wait_for", "job") == "job_and_standbys"
        while self.wanted > 0 or (with_standbys and self.standbys < self.target):
            if not self.later or self.later[0][0] >= self.end:
                self.stand(self.end - self.now)
            self.next_event()
        self.waits = False

    # ---- hosts for the slots of an elastic job that goes on without them ----

    def choose_host(self, slot):
        if not self.pooled:
            self.host_chosen(slot)
        elif self.waits:
            self.slots_waiting.append(slot)                 # behind a job that stands
        elif self.free > 0:
            self.free -= 1
            self.host_chosen(slot)
        elif self.standbys > 0:
            self.use_standby()
            self.host_chosen(slot)
        elif self.spares > 0:
            self.spares -= 1
            self.borrowed += 1
            self.put(draw(self.recovery.get("preempt_s", 0), self.rng), "spare", slot)
        else:
            self.slots_waiting.append(slot)

    def host_chosen(self, slot):
        """It starts up on its own; its state comes with the rejoin."""
        self.hold(slot)
        full = self.recovery.get("full_start_on_reschedule", True)
        self.put(draw(self.startup["full_s" if full else "hot_s"], self.rng), "in", slot)

    def hold(self, slot):
        if self.running:
            self.absent.discard(slot)
        else:
            self.held_from_next_steps.add(slot)

    def node_in(self, slot):
        """A node is in its slot: at once while steps run, else with the next steps."""
        self.hold(slot)
        if not self.running:
            self.in_with_next_steps.append(slot)
            return
        self.here[slot] = True
        self.new_clocks(slot)
        if self.is_whole(self.replica_of(slot)):
            self.came_back = True

    # ---- replicas ----

    def replica_of(self, slot):
        return slot // (self.n // self.replicas)

    def is_whole(self, replica):
        size = self.n // self.replicas
        return all(self.here[replica * size:(replica + 1) * size])

    def whole(self):
        return [r for r in range(self.replicas) if self.is_whole(r)]

    def may_leave(self, slots):
        e = self.elastic
        if not e["on"] or (self.standbys >= len(slots) and not e.get("before_standbys", False)):
            return False
        gone = {self.replica_of(s) for s in slots}
        return len([r for r in self.whole() if r not in gone]) >= e.get("min_replicas", 1)

    # ---- clocks of faults ----

    def first_rings(self):
        """Of each cause by renewals: the exposure of the job at which each slot fails next."""
        rings = {}
        for i, fault in enumerate(self.faults):
            if "between_h" in fault:
                rings[i] = [self.first_time(fault) for _ in range(self.n)]
        return rings

    def first_time(self, fault):
        p = fault["between_h"]["weibull"]
        scale, shape = weibull_scale(p) * HOUR, p["shape"]
        if fault.get("age") == "stationary":
            return scale * self.rng.gammavariate(1 + 1 / shape, 1) ** (1 / shape) * self.rng.random()
        age = draw(fault.get("age_h", 0), self.rng) * HOUR
        return scale * ((age / scale) ** shape + self.rng.expovariate(1)) ** (1 / shape) - age

    def new_clocks(self, slot):
        for i, rings in self.rings.items():
            rings[slot] = self.exposure + draw(self.faults[i]["between_h"], self.rng) * HOUR

    def next_fault(self, runs):
        """Time until the next fault of the nodes that run, its cause and its slots; by renewals slots may not run."""
        best = math.inf, None, None
        for i, fault in enumerate(self.faults):
            if i in self.rings:
                at = min(self.rings[i])
                found = at - self.exposure, i, [self.rings[i].index(at)]
            elif "per_1000_domain_days" in fault:
                size = fault["domain_nodes"]
                after = self.rng.expovariate(fault["per_1000_domain_days"] / 1000 / DAY * -(-self.n // size))
                first = self.rng.randrange(-(-self.n // size)) * size
                found = after, i, list(range(first, min(first + size, self.n)))
            else:
                after = self.rng.expovariate(fault["per_1000_node_days"] / 1000 / DAY * len(runs))
                found = after, i, [runs[self.rng.randrange(len(runs))]]
            best = min(best, found)
        return best

    # ---- steps and saves ----

    def forget_steps(self):
        """A start from a checkpoint: the next save comes a whole interval later."""
        self.since_snapshot = 0.0                           # s of steps
        self.at_risk = []                                   # (s of steps, speed, nodes held) since the durable save
        self.pending = []                                   # (time at which it is durable, total at its snapshot)
        self.stall_left = 0.0

    def risk(self):
        return sum(length for length, _, _ in self.at_risk)

    def saved(self, keep):
        """Of the steps at risk all but the last `keep` seconds are safe."""
        drop = self.risk() - keep
        while drop > 0 and self.at_risk:
            length, speed, held = self.at_risk[0]
            if length <= drop:
                self.at_risk.pop(0)
            else:
                self.at_risk[0] = length - drop, speed, held
            drop -= length

    def settle_saves(self):
        """What has become durable by now."""
        while self.pending and self.pending[0][0] <= self.now:
            _, total_then = self.pending.pop(0)
            self.has_saved = True
            self.saved(self.total - total_then)

    def make_steps(self, length, speed, held):
        if length > 0:
            self.total += length
            self.since_snapshot += length
            self.productive += length * speed
            if self.at_risk and self.at_risk[-1][1:] == (speed, held):
                self.at_risk[-1] = self.at_risk[-1][0] + length, speed, held
            else:
                self.at_risk.append((length, speed, held))

    def run_steps(self, length, speed, held):
        """Steps, and the saves among them, for `length`; no event is within."""
        end = self.now + length
        if self.save["mode"] == "none":
            self.make_steps(length, speed, held)
            self.pass_to(end)
            return
        every, stall = self.save["every_s"], self.save.get("stall_s", 0)
        durable = self.save.get("durable_after_s", 0) if self.save["mode"] == "async" else stall
        while True:
            if self.stall_left > 0:
                part = min(self.stall_left, end - self.now)
                self.stall_left -= part
                self.pass_to(self.now + part)
            part = min(every - self.since_snapshot, end - self.now)
            self.make_steps(part, speed, held)
            self.pass_to(self.now + part)
            self.settle_saves()
            if end - self.now <= 1e-7:
                self.pass_to(end)
                self.settle_saves()
                return
            self.since_snapshot = 0.0
            self.stall_left = stall
            self.pending.append((self.now + durable, self.total))

    def lose_steps(self):
        for length, speed, held in self.at_risk:
            self.productive -= length * speed
            self.lost += length * held
        self.forget_steps()

    # ---- the life ----

    def start(self, key, loads):
        before = self.now
        length = draw(self.startup.get(key, self.startup["full_s"]), self.rng)
        if loads and self.has_saved:
            length += draw(self.save.get("load_s", 0), self.rng)
        try:
            self.stand(length)
        finally:
            self.starting += (self.now - before) * (self.n - len(self.absent))

    def stop(self, cause, slots):
        fault = self.faults[cause]
        self.running = False
        self.stops += 1
        if not self.elastic["on"]:
            self.lose_steps()
        self.stand(draw(fault.get("detect_s", 0), self.rng))
        self.stand(draw(fault.get("localise_s", 0), self.rng))
        if self.may_leave(slots):
            self.leave(slots)
            return
        self.lose_steps()
        for slot in slots:
            self.evict(slot)
        self.start(self.find_hosts(slots), True)

    def leave(self, slots):
        for slot in slots:
            self.evict(slot)
            self.absent.add(slot)
            if self.standbys > 0:
                self.use_standby()
                self.hold(slot)
                self.put(draw(self.recovery.get("wake_s", 0), self.rng), "in", slot)
            else:
                self.put(draw(self.recovery.get("reschedule_s", 0), self.rng), "choose", slot)
        if not self.elastic.get("keeps_state", True):
            self.lose_steps()
        self.stand(draw(self.elastic.get("leave_s", 0), self.rng))
        if not self.elastic.get("keeps_state", True):
            self.start("hot_s", True)

    def rejoin(self):
        self.running = False
        self.rejoins += 1
        keeps = self.elastic.get("keeps_state", True)
        if not keeps:
            if self.save["mode"] != "none":
                self.stand(self.save.get("stall_s", 0))
                self.has_saved = True
            self.forget_steps()
        self.stand(draw(self.elastic.get("rejoin_s", 0), self.rng))
        if not keeps:
            self.start("hot_s", True)

    def run(self):
        """Steps until something stops them."""
        self.running = True
        for slot in self.in_with_next_steps:
            self.node_in(slot)
        self.in_with_next_steps.clear()
        self.came_back = False
        self.absent -= self.held_from_next_steps
        self.held_from_next_steps.clear()
        waiting, self.slots_waiting = self.slots_waiting, []
        for slot in waiting:                                # they look again when the job goes on
            self.choose_host(slot)
        while True:
            whole = self.whole()
            size = self.n // self.replicas
            runs = [s for r in whole for s in range(r * size, (r + 1) * size)]
            after, cause, slots = self.next_fault(runs)
            event = self.later[0][0] if self.later else math.inf
            until = min(self.now + after, event, self.end)
            length = until - self.now
            self.run_steps(length, len(whole) / self.replicas, self.n - len(self.absent))
            self.exposure += length
            if until >= self.end:
                raise Over
            if until == event:
                self.next_event()
                if self.came_back:
                    return self.rejoin()
            elif cause in self.rings and not set(slots) <= set(runs):
                for slot in slots:                          # it does not run: the renewal is dropped
                    self.rings[cause][slot] += draw(self.faults[cause]["between_h"], self.rng) * HOUR
            else:
                return self.stop(cause, slots)

    def live(self):
        try:
            self.start("full_s", False)
            while True:
                self.run()
        except Over:
            pass
        gpu_h = 8 / HOUR
        return {"ettr": self.productive / self.now, "interruptions": self.stops, "evicted_nodes": self.evicted,
                "standbys_used": self.used, "rejoins": self.rejoins, "total_gpu_h": self.held * gpu_h,
                "lost_gpu_h": self.lost * gpu_h, "standby_idle_gpu_h": self.idle * gpu_h,
                "pool_idle_gpu_h": self.pool_idle * gpu_h, "startup_gpu_h": self.starting * gpu_h}


def lives(scenario, n, seed):
    check_keys(scenario)
    rng = random.Random(seed)
    sums = {name: [0.0, 0.0] for name in FIGURES}
    for _ in range(n):
        for name, value in Life(scenario, rng).live().items():
            sums[name][0] += value
            sums[name][1] += value * value
    out = {}
    for name, (total, squares) in sums.items():
        mean = total / n
        out[name] = {"mean": mean, "se": math.sqrt(max(squares / n - mean * mean, 0) / (n - 1))}
    return out
