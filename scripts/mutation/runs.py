"""Runs of shipped scenarios, and searches, of a build with mutants: what each comes by, and what notices a mutant."""
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

# The order in which the strategies of a scenario are tried: those that differ most from each other come first.
STRATEGIES = [
    "notification-merge", "parent-child", "background-task", "coordinator-per-thread", "main-only", "nested-writer",
    "single-background-writer", "thread-confinement", "dedicated-thread", "history-merge", "batch-import",
    "model-actor", "async-perform",
]
NOT_EXERCISED, HARNESS_FAILED, USAGE = 2, 6, 64
# Kinds of violations that a busy machine may cause as well as a mutant.
BUSY = {"main-thread-stall"}
# A mutant may take all memory, or fill the disk.
MEMORY_MAX, FILE_MAX = 12 << 30, 4 << 30


@dataclass(frozen=True, order=True)
class Unit:
    """One scenario through one strategy, run or explored."""

    how: str
    scenario: str
    strategy: str
    schedules: int = 0

    @property
    def name(self):
        return f"{self.scenario} {self.strategy}" + (" explored" if self.how == "explore" else "")

    def arguments(self, out):
        if self.how == "run":
            # One repetition, which finds no more than a user's run does.
            return ["run", self.scenario, "--strategy", self.strategy, "--quick", "--quiet", "--repetitions", "1",
                    "--set", "warmup=0", "--out", out]
        return ["explore", self.scenario, "--strategy", self.strategy, "--schedules", str(self.schedules), "--shrink",
                "0s", "--out", out]


@dataclass
class Ending:
    """What became of a unit."""

    status: int
    seconds: float
    kinds: list = field(default_factory=list)

    @property
    def is_noticed(self):
        """Whether a user would see that something is wrong, and not only that a check had nothing to do."""
        return self.status not in (0, NOT_EXERCISED)


def names(executable):
    """All shipped scenarios."""
    listed = subprocess.run([executable, "list", "scenarios"], check=True, capture_output=True, text=True)
    return [line.split()[0] for line in listed.stdout.splitlines()[2:] if line.strip()]


def units(executable, scenarios, rounds):
    """A unit for each scenario and strategy, at most so many strategies of each; the first of all scenarios come first."""
    listed = subprocess.run(
        [executable, "run", *scenarios, "--quick", "--dry-run"], check=True, capture_output=True, text=True)
    # The plan has the last part of a scenario's name.
    full = {name.rpartition("/")[2]: name for name in scenarios}
    found = {}
    for line in listed.stdout.splitlines():
        cell = re.match(r" *\d+  (\S+) +(\S+)", line)
        if cell:
            found.setdefault(full[cell[1]], set()).add(cell[2])
    def order(strategy):
        return STRATEGIES.index(strategy) if strategy in STRATEGIES else len(STRATEGIES)

    ranked = []
    for scenario, strategies in found.items():
        for place, strategy in enumerate(sorted(strategies, key=order)[:rounds]):
            ranked.append((place, scenario, strategy))
    return [Unit("run", scenario, strategy) for _, scenario, strategy in sorted(ranked)]


def kinds_of(unit, out):
    """The kinds of what a unit found, for a reader."""
    if unit.how == "explore":
        try:
            cells = json.loads((out / "exploration.json").read_text())["cells"]
        except (FileNotFoundError, ValueError):
            return []
        return sorted({kind for cell in cells for finding in cell["findings"] for kind in finding["unexpectedKinds"]})
    try:
        with open(out / "violations.csv") as file:
            kinds = {row["kind"] for row in csv.DictReader(file) if row["severity"] == "error" and row["expected"] != "yes"}
        with open(out / "cells.csv") as file:
            endings = {row["ending"] for row in csv.DictReader(file)}
    except FileNotFoundError:
        return []
    if not kinds and "violated" in endings:
        kinds = {"expected violation missing"}
    return sorted(kinds | endings - {"passed", "violated", "inconclusive"})


def run(executable, unit, mutant, seconds, seen=None):
    """Runs one unit with one mutant; what has not ended by then is ended, and is a hang."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="contextbench-mutant-"))
    out = folder / "out"
    environment = {**os.environ, "CONTEXTBENCH_MUTANT": str(mutant), "TMPDIR": str(folder)}
    if seen:
        environment["CONTEXTBENCH_MUTANTS_SEEN"] = str(seen)
    begin = time.monotonic()
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", "prlimit", f"--as={MEMORY_MAX}", f"--fsize={FILE_MAX}", "--core=0", executable, *unit.arguments(out)],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        start_new_session=True)
    try:
        status = child.wait(timeout=seconds)
        kinds = kinds_of(unit, out)
        if not kinds and status not in (0, NOT_EXERCISED):
            kinds = ["harness failure" if status == HARNESS_FAILED else f"exit {status}"]
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        status, kinds = child.wait(), ["did not end"]
    took = time.monotonic() - begin
    shutil.rmtree(folder, ignore_errors=True)
    return Ending(status, took, kinds)


def is_seen_again(executable, unit, mutant, ending, seconds):
    """Whether what was noticed is due to the mutant as far as more runs can tell."""
    if set(ending.kinds) <= BUSY:
        return all(run(executable, unit, mutant, seconds).is_noticed for _ in range(3))
    return True


class Baseline:
    """What the build does without a mutant: which units are green, how long they take, and which mutants each comes by."""

    def __init__(self):
        self.seconds = {}
        self.seen = {}
        self.refused = {}
        self.unfit = set()

    def look(self, executable, unit, count):
        """Runs one unit, noting what it comes by."""
        with tempfile.NamedTemporaryFile(prefix="contextbench-seen-") as file:
            file.write(bytes(count + 1))
            file.flush()
            ending = run(executable, unit, -1, 600, file.name)
            seen = pathlib.Path(file.name).read_bytes()
        if ending.status == USAGE and unit.how == "explore":
            # A scenario that works in several processes, or kills them, is no simulation.
            self.unfit.add(unit)
        elif ending.status != 0:
            self.refused[unit] = f"exit {ending.status} {' '.join(ending.kinds)}".strip()
        else:
            self.seconds[unit] = ending.seconds
            self.seen[unit] = {number for number, mark in enumerate(seen) if mark}

    def written(self):
        """All of it, for a file."""
        return {
            "green": [[*vars(unit).values(), self.seconds[unit], sorted(self.seen[unit])] for unit in self.seconds],
            "refused": [[*vars(unit).values(), why] for unit, why in self.refused.items()],
            "unfit": [[*vars(unit).values()] for unit in self.unfit]}

    def read(self, record):
        """What was written."""
        for *unit, seconds, seen in record["green"]:
            self.seconds[Unit(*unit)], self.seen[Unit(*unit)] = seconds, set(seen)
        for *unit, why in record["refused"]:
            self.refused[Unit(*unit)] = why
        self.unfit = {Unit(*unit) for unit in record["unfit"]}

    def restrict(self, some):
        """Forgets all other units."""
        wanted = set(some)
        for known in (self.seconds, self.seen, self.refused):
            for unit in known.keys() - wanted:
                del known[unit]

    def patience(self, unit):
        """How long a unit may take: an unchanged one is far from it, on a busy machine as well."""
        return 20 + 8 * self.seconds[unit]

    def coming_by(self, number):
        """The units that come by a mutant."""
        return [unit for unit, seen in self.seen.items() if number in seen]
