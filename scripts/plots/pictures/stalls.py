"""How late the main thread's ticks were: a histogram a strategy."""

import math

from plots import dots, histograms, style, units

NAME = "stalls"
TITLE = "stalls of the main thread"
TAG = "heartbeat/stall/main"
FRAME_SECONDS = 1 / 60
# Bars for each factor of ten, and what is earlier than the first.
BARS_A_DECADE = 6
LEAST_SECONDS = 1e-5
ROW_INCHES = 0.48


def draw(scene, folder):
    rows = {
        (variant, strategy): _ticks(scene, variant, strategy)
        for variant in scene.variants
        for strategy in scene.strategies
    }
    latest = [scene.cells["main_stall_ns_max"].max() / 1e9, *(ticks.longest / 1e9 for ticks in rows.values() if ticks)]
    latest = max((value for value in latest if value > 0), default=None)
    if latest is None:
        return []
    strategies, variants = scene.strategies, scene.variants
    figure, axes = style.panels([len(strategies)] * len(variants), row_inches=ROW_INCHES)
    highest = max((max(_bars(ticks).values()) for ticks in rows.values() if ticks), default=1)
    style.scale(
        axes,
        [LEAST_SECONDS, latest, FRAME_SECONDS],
        units.tick_seconds,
        log=True,
        room=0.6 if len(axes) > 1 else 0.31,
        left=0.02,
    )
    for axis, variant in zip(axes, variants):
        style.heading(axis, variant)
        axis.set_xlabel("lateness of a tick, logarithmic")
        axis.axvline(FRAME_SECONDS, color=style.FAINT, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
        axis.annotate(
            "a frame at 60 Hz",
            (FRAME_SECONDS, -0.75),
            # The other side has no room where all ticks are in time.
            xytext=(-4, 3),
            textcoords="offset points",
            ha="right",
            size=8,
            color=style.FAINT,
        )
        for row, strategy in enumerate(strategies):
            of_row = scene.cells[(scene.cells["variant"] == variant) & (scene.cells["strategy"] == strategy)]
            _row(axis, row, rows[variant, strategy], of_row["main_stall_ns_max"].max() / 1e9, highest)
        style.name_rows(axis, strategies)
        axis.set_ylim(len(strategies) - 0.7, -0.75)
    style.name_rows_once(axes)
    style.fit_labels(figure, axes)
    entries = [("ticks", style.BLUE, "s")] if any(rows.values()) else []
    dots.key(figure, [*entries, ("latest", style.VERMILLION, "D")])
    title = f"{scene.name}: {TITLE}"
    late = "; %: ticks late by a frame or more" if any(rows.values()) else ""
    note = "; height: number of ticks, logarithmic" if any(rows.values()) else ""
    style.titled(figure, title, f"{scene.facts}, all ticks of their cells{note}{late}", scene.source, scene.noise)
    return style.save(
        figure,
        folder,
        scene,
        NAME,
        title,
        "How late the heartbeat's ticks on each strategy's main queue were, as a histogram, which share of them was late by "
        "a frame at 60 Hz or more, and the latest of them.",
    )


def _ticks(scene, variant, strategy):
    """The lateness of all ticks; None where the cells kept no histograms."""
    cells = scene.cells[(scene.cells["variant"] == variant) & (scene.cells["strategy"] == strategy)]
    joined = histograms.of_cells(scene.run, cells[cells["main_stall_ns_max"].notna()]["cell"])
    ticks = (joined or {}).get(TAG)
    return ticks if ticks and ticks.total else None


def _bars(ticks):
    """Ticks by bar; the first holds all that were hardly late."""
    bars = {}
    for nanoseconds, count in ticks.counts.items():
        bar = max(0, math.floor(math.log10(max(nanoseconds, 1) / 1e9 / LEAST_SECONDS) * BARS_A_DECADE))
        bars[bar] = bars.get(bar, 0) + count
    return bars


def _row(axis, row, ticks, latest, highest):
    base = row + 0.3
    end = latest
    axis.axhline(base, color=style.RULE, linewidth=0.7, zorder=0)
    if ticks:
        for bar, count in _bars(ticks).items():
            left, right = (LEAST_SECONDS * 10 ** ((bar + side) / BARS_A_DECADE) for side in (0, 1))
            height = 0.78 * math.log(1 + count) / math.log(1 + highest)
            end = max(end, right)
            axis.fill_between([left, right], base - height, base, color=style.BLUE, linewidth=0, zorder=3)
    if not latest > 0:
        dots.absent(axis, row)
        return
    axis.plot(
        latest,
        base - 0.14,
        linestyle="none",
        marker="D",
        markersize=6,
        color=style.VERMILLION,
        markeredgecolor="white",
        zorder=4,
    )
    late = f", {_percent(_late_share(ticks))} late" if ticks else ""
    dots.label(axis, base - 0.14, end, units.seconds(latest) + late, style.VERMILLION, "right")


def _late_share(ticks):
    """The share of ticks that were late by a frame or more: a frame that a person misses."""
    return sum(count for nanoseconds, count in ticks.counts.items() if nanoseconds / 1e9 >= FRAME_SECONDS) / ticks.total


def _percent(share):
    return "0 %" if share == 0 else f"{share:.1%}".replace("%", " %") if share >= 0.001 else "<0.1 %"
