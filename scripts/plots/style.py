"""How all pictures look, and how they become files."""

import math

import matplotlib
from matplotlib import pyplot
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from plots import svg, whole

# Okabe, Ito, "Color Universal Design", 2008: distinguishable with any colour vision. Every series has a marker of
# its own as well.
BLUE, VERMILLION, GREEN, ORANGE, SKY, PURPLE = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7"
INK, FAINT, RULE = "#222222", "#6B6B6B", "#DDDDDD"

WIDTH_INCHES = 8.4
ROW_INCHES = 0.33
# Between two lines of panels: the upper one's axis and the lower one's heading.
GAP_INCHES = 0.95
# Two pixels for each that a README shows.
DOTS_PER_INCH = 200
# Labels below an axis as wide as the figure.
TICKS_MAX = 8
# A span of values from which on a linear axis would hide the small ones.
LOG_FROM_RATIO = 6

matplotlib.rcParams.update(
    {
        "font.family": ["DejaVu Sans"],
        "font.size": 10,
        "svg.fonttype": "none",
        "svg.hashsalt": "contextbench",
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": RULE,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.grid": True,
        "axes.grid.axis": "x",
        "grid.color": RULE,
        "grid.linewidth": 0.7,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.spines.left": False,
        "ytick.left": False,
        "legend.frameon": False,
    }
)


def panels(rows, columns_max=2, header_inches=1.2, footer_inches=0.75, widths=None, row_inches=ROW_INCHES):
    """A figure with a panel for each number in `rows`, which says how many rows it shows, line by line.

    `widths` are the columns' shares, all the same without it. Returns the figure and the axes.
    """
    columns = min(len(rows), columns_max)
    lines = [rows[start : start + columns] for start in range(0, len(rows), columns)]
    heights = [max(0.7, max(line) * row_inches + 0.2) for line in lines]
    height = header_inches + sum(heights) + (len(lines) - 1) * GAP_INCHES + footer_inches
    figure, axes = pyplot.subplots(
        len(lines), columns, squeeze=False, figsize=(WIDTH_INCHES, height), height_ratios=heights, width_ratios=widths
    )
    figure.subplots_adjust(
        top=1 - header_inches / height,
        bottom=footer_inches / height,
        hspace=GAP_INCHES * len(lines) / sum(heights),
        wspace=0.1,
    )
    flat = list(axes.flat)
    for spare in flat[len(rows) :]:
        spare.remove()
    return figure, flat[: len(rows)]


def titled(figure, title, subtitle, footer, noise=""):
    """Puts the title, a line below it and the source at the foot, all at the left edge; at the right what was noisy."""
    height = figure.get_figheight()
    figure.text(0.012, 1 - 0.12 / height, title, size=13, weight="bold", va="top")
    figure.text(0.012, 1 - 0.42 / height, subtitle, size=9.5, color=FAINT, va="top")
    figure.text(0.012, 0.08 / height, footer, size=8, color=FAINT, va="bottom")
    if noise:
        figure.text(0.985, 0.08 / height, noise, size=8, weight="bold", color=VERMILLION, va="bottom", ha="right")


def name_rows(axes, names):
    """Writes one name a row, from the top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def heading(axis, text):
    """Names a panel."""
    if text:
        axis.set_title(text, loc="left", size=10, weight="bold")


def name_rows_once(axes):
    """Leaves the rows' names to the first panel of each line, for panels of one line that have the same rows."""
    for axis in axes:
        if not axis.get_subplotspec().is_first_col():
            axis.set_yticklabels([])


def fit_labels(figure, axes):
    """Makes the left margin as wide as the longest name of a row needs, and gaps where other panels have names."""
    figure.canvas.draw()
    first = [axis for axis in axes if axis.get_subplotspec().is_first_col()]
    left = min(0.5, _names_share(figure, first))
    gap = _names_share(figure, [axis for axis in axes if axis not in first])
    figure.subplots_adjust(left=left, right=0.972)
    columns = axes[0].get_subplotspec().get_gridspec().ncols if axes else 1
    if gap and columns > 1:
        width = (0.972 - left - gap * (columns - 1)) / columns
        figure.subplots_adjust(wspace=gap / width)


def _names_share(figure, axes):
    """How much of the figure's width the longest name of a row takes; 0 where none has one."""
    widths = [
        label.get_window_extent().width for axis in axes for label in axis.get_yticklabels() if label.get_text()
    ]
    return (max(widths) / figure.dpi + 0.22) / figure.get_figwidth() if widths else 0


def scale(axes, values, formatter, log=None, room=0.16, left=0.14, ticks_max=TICKS_MAX):
    """Gives the axes one x scale that holds the values: logarithmic when they span a lot, else from zero.

    `room` and, on a logarithmic scale, `left` are kept free for labels, as shares of the width.
    Returns whether the scale is logarithmic.
    """
    positive = [value for value in values if value > 0]
    is_log = bool(positive) and len(positive) == len(values) and max(positive) / min(positive) >= LOG_FROM_RATIO
    is_log = bool(positive) and (is_log if log is None else log)
    for axis in axes:
        columns = axis.get_subplotspec().get_gridspec().ncols
        if is_log:
            span = max(max(positive) / min(positive), 3)
            low, high = min(positive) / span**left, max(positive) * span**room
            axis.set_xscale("log")
            axis.set_xlim(low, high)
            axis.xaxis.set_major_locator(FixedLocator(log_ticks(low, high, ticks_max // columns)))
            axis.xaxis.set_minor_locator(NullLocator())
        else:
            axis.set_xlim(0, max(values, default=1) * (1 + room) or 1)
            axis.xaxis.set_major_locator(MaxNLocator(5 if columns == 1 else 4))
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: formatter(value)))
    return is_log


def log_ticks(low, high, count_max):
    """Round numbers between two limits, evenly spread on a logarithmic axis, as many as fit."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = [[1, 2, 5], [1, 3], [1]]
    for digits, every in [*((digits, 1) for digits in steps), ([1], 2), ([1], 3)]:
        ticks = [digit * 10.0**decade for decade in decades if decade % every == 0 for digit in digits]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if len(ticks) <= count_max:
            break
    return ticks


def scale_name(is_log):
    """What an axis' label says about its scale."""
    return ", logarithmic" if is_log else ""


def save(figure, folder, scene, picture, title, description, variant=""):
    """Writes a scenario's picture as PNG and as SVG, and closes the figure. Returns their paths."""
    folder.mkdir(exist_ok=True)
    name = scene.file_name(picture, variant)
    png, vector = folder / f"{name}.png", folder / f"{name}.svg"
    with whole.file(png) as draft:
        figure.savefig(
            draft, format="png", dpi=DOTS_PER_INCH, facecolor="white", metadata={"Title": title, "Software": None}
        )
    with whole.file(vector) as draft:
        svg.write(figure, draft, name, title, description, scene.name, picture)
    pyplot.close(figure)
    return [png, vector]
