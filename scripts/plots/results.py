"""Reads results folders."""

import csv
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas

from plots.bad_input import BadInput

SCHEMA_VERSION = 2
# A reason may hold all that a child has printed.
csv.field_size_limit(sys.maxsize)

# The columns that the pictures use, by file; `contextbench list columns` says what they mean.
KEYS = ["schema_version", "run", "cell", "scenario", "strategy", "options", "merge_policy", "seed", "repetition"]
COLUMNS = {
    "cells.csv": KEYS
    + [
        "arm",
        "objects",
        "until_visible_s",
        "floor_ratio",
        "main_thread_s",
        "main_thread_floor_ratio",
        "main_stall_ns_p99",
        "main_stall_ns_max",
        "verdict",
    ],
    "timings.csv": KEYS
    + ["phase", "operation", "role", "count"]
    + [f"latency_ns_{name}" for name in ["p50", "p90", "p99", "p999", "max"]],
    "violations.csv": KEYS + ["kind", "expected", "severity"],
}
TEXTS = [
    "arm",
    "run",
    "scenario",
    "strategy",
    "options",
    "merge_policy",
    "phase",
    "operation",
    "role",
    "kind",
    "expected",
    "severity",
    "verdict",
]
NEVER_EMPTY = ["schema_version", "run", "cell", "scenario", "strategy", "merge_policy", "seed", "repetition"]


@dataclass(frozen=True)
class Run:
    """A results folder as tables."""

    folder: Path
    manifest: dict
    cells: pandas.DataFrame
    timings: pandas.DataFrame
    violations: pandas.DataFrame

    @property
    def name(self):
        return self.manifest["run"]


def is_run(folder):
    """Whether the folder is a run's, rather than one that holds runs."""
    return (folder / "cells.csv").exists()


def runs_inside(folder):
    """The results folders directly inside a folder, by name, which is by time."""
    return sorted(inner for inner in folder.iterdir() if inner.is_dir() and is_run(inner))


def load(folder):
    """Reads one results folder; raises BadInput when it is damaged or of another version."""
    tables = {name: _table(folder / name, columns) for name, columns in COLUMNS.items()}
    # Cells that only ran as a baseline are not part of the run's results.
    base = tables["cells.csv"].loc[tables["cells.csv"]["arm"] == "base", "cell"]
    tables = {name: table[~table["cell"].isin(base)] for name, table in tables.items()}
    return Run(
        folder=folder,
        manifest=_manifest(folder / "manifest.json"),
        cells=tables["cells.csv"],
        timings=tables["timings.csv"],
        violations=tables["violations.csv"],
    )


def _table(path, columns):
    try:
        text = path.read_text(encoding="utf-8")
        table = pandas.read_csv(io.StringIO(text), index_col=False)
        incomplete = _incomplete_line(text, path)
    except FileNotFoundError:
        raise BadInput(path, "is missing", "Give a folder that contextbench run has written") from None
    except (OSError, ValueError, csv.Error) as error:
        raise BadInput(path, f"cannot be read as CSV: {error}", "Repeat the run, or restore the file") from None
    # A wrong version is reported before anything else, since other columns follow from it.
    versions = table["schema_version"].dropna().unique() if "schema_version" in table.columns else []
    _check_version(path, versions)
    missing = [name for name in columns if name not in table.columns]
    if missing:
        raise BadInput(path, f"has no column {', '.join(missing)}", "Repeat the run with this version of contextbench")
    declared = declared_columns(path.parent, path.name)
    unknown = [name for name in table.columns if name not in declared]
    if unknown:
        raise BadInput(
            path,
            f"has columns that are not known: {', '.join(unknown)}",
            "Draw it with the version of contextbench that wrote it; contextbench list columns shows those of this one",
        )
    if incomplete:
        raise BadInput(path, f"line {incomplete} is incomplete", "Take the line out, or repeat the run")
    words = [name for name in columns if name not in TEXTS and table[name].dtype == object and len(table)]
    if words:
        raise BadInput(
            path, f"has text in {', '.join(words)}, which holds numbers", "Repeat the run, or restore the file"
        )
    damaged = table[table[NEVER_EMPTY].isna().any(axis=1)]
    if len(damaged):
        raise BadInput(path, f"line {damaged.index[0] + 2} is incomplete", "Take the line out, or repeat the run")
    return table.fillna({"options": ""})


def _check_version(path, versions):
    if any(version != SCHEMA_VERSION for version in versions):
        shown = ", ".join(f"{version:g}" if isinstance(version, float) else str(version) for version in versions)
        raise BadInput(
            path,
            f"has schema version {shown}, and this draws version {SCHEMA_VERSION}",
            "Draw it with the version of contextbench that wrote it, or repeat the run",
        )


def _incomplete_line(text, path):
    """The first line that has not as many fields as the header, or that is cut off; None where all are whole."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    width = len(next(reader, []))
    for fields in reader:
        if len(fields) != width:
            return reader.line_num
    return None if text.endswith("\n") else reader.line_num


def declared_columns(folder, name):
    """The columns of a file, from the folder's own description of them: there is no other list."""
    path = folder / "columns.json"
    document = _document(path)
    try:
        return {column["name"] for column in document["files"][name]["columns"]}
    except (KeyError, TypeError):
        raise BadInput(path, f"does not say which columns {name} has", "Repeat the run, or restore the file") from None


def _document(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(path, "is missing", "Give a folder that contextbench run has written") from None
    except (OSError, ValueError) as error:
        raise BadInput(path, f"cannot be read as JSON: {error}", "Repeat the run, or restore the file") from None


def _manifest(path):
    manifest = _document(path)
    if not isinstance(manifest, dict) or not isinstance(manifest.get("run"), str):
        raise BadInput(path, "does not name its run", "Repeat the run, or restore the file")
    _check_version(path, [manifest.get("schema_version", "unknown")])
    return manifest
