"""Whether a run's CSV files load in pandas without options.

    contextbench list columns | python check_loading.py DIR [SEED]

Every column has the type that its declaration promises, the pictures know the same columns, and every seed is SEED.
Exit 1 names what does not hold.
"""

import sys
from pathlib import Path

import pandas

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from plots import results  # noqa: E402

FILES = ["cells.csv", "timings.csv", "violations.csv"]


def declared(text):
    """The types of columns by file, as `contextbench list columns` prints them."""
    files, current = {}, None
    for line in text.splitlines():
        words = line.split()
        if words and words[0].endswith(".csv:"):
            current = files.setdefault(words[0].removesuffix(":"), {})
        elif current is not None and len(words) > 1 and words[1] in {"text", "integer", "number", "flag"}:
            current[words[0]] = words[1]
    return files


def faults(folder, types, seed):
    for name in FILES:
        table = pandas.read_csv(folder / name)
        if list(table.columns) != list(types[name]):
            yield f"{name}: has other columns than are declared"
        if not set(results.COLUMNS[name]) <= set(types[name]):
            yield f"{name}: the pictures draw columns that are not declared"
        if set(types[name]) != results.declared_columns(folder, name):
            yield f"{name}: columns.json has other columns than are declared"
        for column, type in types[name].items():
            values = table[column]
            kind, is_empty = values.dtype.kind, values.isna().all()
            fits = {
                "integer": kind == "i" or (kind == "f" and (values.dropna() % 1 == 0).all()),
                "number": kind in "if",
                "text": kind == "O",
                "flag": set(values.dropna()) <= {"yes", "no"},
            }[type]
            if not (is_empty or fits):
                yield f"{name}: {column} is declared {type} and loads as {values.dtype}"
        if seed is not None and set(table["seed"]) - {seed}:
            yield f"{name}: seeds load as {sorted(set(table['seed']))}"


def main(folder, seed=None):
    found = list(faults(Path(folder), declared(sys.stdin.read()), None if seed is None else int(seed)))
    print("\n".join(found) or "all columns load as they are declared")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
