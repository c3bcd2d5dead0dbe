"""What a picture of one scenario is drawn from."""

import re
from dataclasses import dataclass

import pandas

from plots import rows, units
from plots.intervals import SAMPLES_MIN


@dataclass(frozen=True)
class Scene:
    """The tables of one scenario of a run, with a column `variant`."""

    run: object
    name: str
    file_stem: str
    cells: pandas.DataFrame
    timings: pandas.DataFrame
    violations: pandas.DataFrame

    def file_name(self, picture, variant=""):
        """The name of a picture's files, without what says their format."""
        return "-".join(part for part in [self.file_stem, picture, _plain(variant)] if part)

    @property
    def strategies(self):
        """The strategies, in the order in which all pictures of the scenario show them: the fastest first."""
        return rows.in_order_of(self.cells, "until_visible_s")

    @property
    def variants(self):
        return rows.variants(self.cells)

    @property
    def facts(self):
        """How much was done and how often: 105,016 objects, 5 repetitions."""
        facts = []
        objects = self.cells["objects"].dropna()
        if len(objects):
            low, high = units.count(objects.min()), units.count(objects.max())
            facts.append(f"{low} objects" if low == high else f"{low} to {high} objects")
        repetitions = self.cells["repetition"].nunique()
        facts.append(f"{repetitions} repetition" + ("" if repetitions == 1 else "s"))
        return ", ".join(facts)

    @property
    def marks(self):
        """What is drawn of several repetitions."""
        if self.cells["repetition"].nunique() < SAMPLES_MIN:
            return "medians"
        return "medians, their 95 % intervals, single values"

    @property
    def noise(self):
        """What made the machine noisy while the run measured; empty where nothing did."""
        return noise(self.run)

    @property
    def source(self):
        """Which run it was, and on what machine."""
        return source(self.run)


def _plain(text):
    """A text as a part of a file name."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-.")


def source(run):
    machine = run.manifest.get("machine")
    machine = machine if isinstance(machine, dict) else {}
    parts = [f"contextbench, run {run.name}"]
    if machine.get("cpu_model"):
        parts.append(f"{machine.get('cores', '?')} × {machine['cpu_model']}")
    return " · ".join(parts)


# As the warnings of `contextbench run` have them: others' share, the host's, and how much longer the same work took.
OTHERS_MAX, STEAL_MAX, SPREAD_MAX = 0.05, 0.01, 0.1


def noise(run):
    during = run.manifest.get("noise_during")
    during = during if isinstance(during, dict) else {}
    usual, slow = during.get("probe_seconds_median"), during.get("probe_seconds_p90")
    shares = [
        ("others", during.get("others_share"), OTHERS_MAX),
        ("host", during.get("steal_share"), STEAL_MAX),
        ("slower work", slow / usual - 1 if usual and slow else None, SPREAD_MAX),
    ]
    parts = [f"{name} {share * 100:.0f} %" for name, share, most in shares if share and share > most]
    return "noisy machine: " + ", ".join(parts) if parts else ""


def scenes(run):
    """The scenarios of a run, in the order of their names."""
    cells = rows.with_variants(run.cells, run.cells)
    timings = rows.with_variants(run.timings, run.cells)
    violations = rows.with_variants(run.violations, run.cells)
    names = sorted(cells["scenario"].unique())
    stems = _file_stems(names)
    return [
        Scene(
            run=run,
            name=str(name),
            file_stem=stems[name],
            cells=cells[cells["scenario"] == name],
            timings=timings[timings["scenario"] == name],
            violations=violations[violations["scenario"] == name],
        )
        for name in names
    ]


def _file_stems(names):
    """A beginning of file names for each scenario, no two the same."""
    stems = {}
    for name in names:
        stem = plain = _plain(str(name)) or "scenario"
        while stem in stems.values():
            stem = f"{plain}.{len(stems)}"
        stems[name] = stem
    return stems
