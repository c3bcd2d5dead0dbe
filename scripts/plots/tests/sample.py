"""Results folders made for tests."""

import csv
import json
import tempfile
from contextlib import contextmanager
from pathlib import Path

from plots import results

STRATEGIES = ["parent-child", "notification-merge"]


@contextmanager
def folder():
    """A folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


OPERATIONS = [("save", "worker"), ("page-fetch", "main")]


def write_run(
    path,
    name="20260102-030405-abcd",
    strategies=STRATEGIES,
    repetitions=3,
    factor=1.0,
    operations=OPERATIONS,
    rare=None,
    **changes,
):
    """Writes a run of two strategies in two sizes; `changes` replaces values in all rows of cells.csv.

    Only the first strategy has the operation `rare`.
    """
    path.mkdir(parents=True, exist_ok=True)
    machine = {"cores": 2, "cpu_model": "Model <9000> & more"}
    manifest = {"schema_version": results.SCHEMA_VERSION, "run": name, "machine": machine}
    (path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    cells, timings, violations = [], [], []
    for repetition in range(repetitions):
        for place, strategy in enumerate(strategies):
            for size in [500, 5]:
                key = _key(name, len(cells), strategy, f"importers=4;save_every={size}", repetition)
                seconds = factor * (place + 1) * (1 + 0.1 * repetition) * (1 if size == 500 else 3)
                cells.append(key | _cell(seconds) | changes)
                for operation, role in operations:
                    if operation == rare and place > 0:
                        continue
                    timings.append(key | _timing(operation, role, seconds))
                if strategy == "parent-child":
                    violations.append(key | {"kind": "main-thread-stall", "expected": "yes", "severity": "warning"})
    files = {name: {"columns": [{"name": column} for column in columns]} for name, columns in results.COLUMNS.items()}
    (path / "columns.json").write_text(json.dumps({"files": files}), encoding="utf-8")
    _write(path / "cells.csv", results.COLUMNS["cells.csv"], cells)
    _write(path / "timings.csv", results.COLUMNS["timings.csv"], timings)
    _write(path / "violations.csv", results.COLUMNS["violations.csv"], violations)
    return path


def _key(name, cell, strategy, options, repetition):
    return {
        "schema_version": results.SCHEMA_VERSION,
        "run": name,
        "cell": cell,
        "scenario": "import",
        "strategy": strategy,
        "options": options,
        "merge_policy": "error",
        "seed": 2**63 - 1,
        "repetition": repetition,
    }


def _cell(seconds):
    return {
        "arm": "",
        "objects": 15_000,
        "until_visible_s": seconds,
        "floor_ratio": seconds * 2,
        "main_thread_s": seconds / 3,
        "main_thread_floor_ratio": seconds,
        "main_stall_ns_p99": "",
        "main_stall_ns_max": int(seconds * 2e8),
        "verdict": "held",
    }


def _timing(operation, role, seconds):
    return {
        "phase": "import",
        "operation": operation,
        "role": role,
        "count": 2_000,
        "latency_ns_p50": int(seconds * 1e5),
        "latency_ns_p90": int(seconds * 2e5),
        "latency_ns_p99": int(seconds * 4e5),
        "latency_ns_p999": "",
        "latency_ns_max": int(seconds * 9e5),
    }


def _write(path, columns, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
