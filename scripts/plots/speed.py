"""What scripts/speed measured: each peer's time as a ratio to C."""

import textwrap

import pandas

from plots import dots, style, units
from plots.bad_input import BadInput
from plots.intervals import median

NAME = "speed"
TITLE = "time of a row or object, as a ratio to C"
FILE = "speed.csv"
COLUMNS = {"workload", "meaning", "peer", "round", "seconds"}
FLOOR = "C"
# By the name that scripts/speed prints: what it is, colour and marker.
PEERS = {
    "stack": ("the stack", style.BLUE, "o"),
    "statements": ("Swift and prepared statements", style.GREEN, "s"),
    "GRDB": ("GRDB's records", style.VERMILLION, "D"),
}
# A dot's label is as high as a line of text, so that two peers of one row need two lines.
SPREAD = 0.26
NAME_CHARACTERS = 32


def is_measured(folder):
    """Whether a folder holds what `scripts/speed --csv FOLDER/speed.csv` wrote."""
    return (folder / FILE).is_file()


def draw(folder):
    """Draws the picture of a folder; returns its files."""
    rows = _load(folder / FILE)
    ratios = _ratios(rows)
    peers = [peer for peer in PEERS if peer in set(ratios["peer"])]
    if not peers:
        raise BadInput(folder / FILE, "has no peer beside C to compare", "Run scripts/speed without --peers")
    names = list(dict.fromkeys(ratios["meaning"]))
    figure, [axis] = style.panels([len(names) * (len(peers) + 0.6)], row_inches=0.19)
    is_log = style.scale([axis], ratios["ratio"].to_numpy(), "{:g}".format)
    axis.set_xlabel("time ÷ time of the same work in C" + style.scale_name(is_log))
    axis.axvline(1, color=style.INK, linewidth=0.9, zorder=1)
    for row, name in enumerate(names):
        for place, peer in enumerate(peers):
            own = ratios[(ratios["meaning"] == name) & (ratios["peer"] == peer)]["ratio"]
            middle = median(own)
            if middle is None:
                continue
            line = row + (place - (len(peers) - 1) / 2) * SPREAD
            _, colour, marker = PEERS[peer]
            dots.dot(axis, line, middle, own, colour, marker, size=6)
            dots.label(axis, line, max(own), units.significant(middle.value), colour, "right")
    style.name_rows(axis, [textwrap.fill(name, NAME_CHARACTERS) for name in names])
    style.fit_labels(figure, [axis])
    dots.key(figure, [PEERS[peer] for peer in peers])
    rounds = rows["round"].nunique()
    style.titled(
        figure,
        TITLE,
        f"{rounds} rounds, all peers in turn in each; medians of the rounds' ratios, their 95 % intervals, single rounds",
        "scripts/speed",
    )
    described = "For each workload the time that each peer takes, divided by that of the same work in C."
    return style.save(figure, folder / "pictures", _Measured(), NAME, TITLE, described)


class _Measured:
    """What a picture's files are named after."""

    name = NAME

    def file_name(self, picture, variant=""):
        return picture


def _load(file):
    try:
        rows = pandas.read_csv(file)
    except (ValueError, UnicodeDecodeError) as error:
        raise BadInput(file, f"is no CSV file: {error}", "Write it with scripts/speed --csv") from error
    missing = sorted(COLUMNS - set(rows.columns))
    if missing:
        raise BadInput(file, f"has no column {missing[0]}", "Write it with scripts/speed --csv")
    return rows


def _ratios(rows):
    """The ratio of each round: what slows a machine for seconds slows all peers of a round."""
    floor = rows[rows["peer"] == FLOOR].set_index(["workload", "round"])["seconds"]
    others = rows[rows["peer"] != FLOOR].copy()
    keys = pandas.MultiIndex.from_frame(others[["workload", "round"]])
    others["ratio"] = others["seconds"].to_numpy() / floor.reindex(keys).to_numpy()
    return others.dropna(subset=["ratio"])
