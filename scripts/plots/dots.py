"""Medians as dots in rows, with their intervals and the single values behind them."""

from matplotlib.lines import Line2D

from plots import style


def dot(axis, row, median, values, colour, marker, size=7):
    """Draws a median, its interval as a line through it, and each value as a small mark."""
    axis.plot(
        values, [row] * len(values), linestyle="none", marker="|", markersize=6, color=colour, alpha=0.45, zorder=2
    )
    if median.low is not None:
        axis.plot([median.low, median.high], [row, row], color=colour, linewidth=2, solid_capstyle="butt", zorder=3)
    axis.plot(
        median.value,
        row,
        linestyle="none",
        marker=marker,
        markersize=size,
        color=colour,
        markeredgecolor="white",
        markeredgewidth=0.8,
        zorder=4,
    )


def label(axis, row, x, text, colour, side):
    """Writes beside a dot, away from the other one of its row."""
    offset = 7 if side == "right" else -7
    axis.annotate(
        text,
        (x, row),
        xytext=(offset, 0),
        textcoords="offset points",
        size=8.5,
        color=colour,
        va="center_baseline",
        ha="left" if side == "right" else "right",
        zorder=5,
        # Keeps lines of the grid out of the text.
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.6},
    )


def absent(axis, row):
    """Says that a row has no value."""
    axis.annotate(
        "not measured",
        (0.01, row),
        xycoords=("axes fraction", "data"),
        size=8.5,
        color=style.FAINT,
        va="center_baseline",
    )


def key(figure, entries):
    """Explains the markers, (text, colour, marker) each, below the title."""
    handles = [
        Line2D(
            [],
            [],
            color=colour,
            marker=marker,
            markersize=7,
            markeredgewidth=2 if marker == "|" else 0,
            linewidth=0,
            label=text,
        )
        for text, colour, marker in entries
    ]
    height = figure.get_figheight()
    figure.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(0.004, 1 - 0.58 / height),
        ncols=len(handles),
        fontsize=9.5,
        handletextpad=0.5,
        columnspacing=1.4,
        borderpad=0.2,
    )
