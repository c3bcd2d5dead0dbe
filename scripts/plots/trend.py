"""How the runs of a folder compare, from the oldest to the newest."""

import sys

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from plots import dots, scene, style, units
from plots.intervals import median

NAME = "trend"
TITLE = "trend over runs"
# Runs that did another amount of work are no trend.
OBJECTS_TOLERANCE = 0.02
RUNS_MIN = 2
RATIOS = ("floor_ratio", "main_thread_floor_ratio")
TIMES = ("until_visible_s", "main_thread_s")


def draw(runs, folder):
    """Draws each scenario that two runs have; returns the files."""
    scenes = [one for run in runs for one in scene.scenes(run)]
    files = []
    for name in sorted({one.name for one in scenes}):
        files += _draw([one for one in scenes if one.name == name], folder)
    return files


def _draw(scenes, folder):
    comparable = [one for one in scenes if _is_like(one, scenes[-1])]
    for one in scenes:
        if one not in comparable:
            print(f"{one.run.folder}: {one.name}: left out: the newest run did another amount of work", file=sys.stderr)
    if len(comparable) < RUNS_MIN:
        return []
    has_floor = all(one.cells[RATIOS[0]].notna().any() for one in comparable)
    columns = RATIOS if has_floor else TIMES
    newest = comparable[-1]
    series = [(variant, strategy) for variant in newest.variants for strategy in newest.strategies]
    figure, axes = style.panels([4.6] * len(series), columns_max=3, header_inches=1.3, footer_inches=0.95)
    values = [value for one in comparable for column in columns for value in one.cells[column].dropna() if value > 0]
    if not values:
        return []
    for axis, (variant, strategy) in zip(axes, series):
        style.heading(axis, f"{strategy}\n{variant}" if variant else strategy)
        _series(axis, comparable, variant, strategy, columns, has_floor)
        _scale(axis, comparable, values, has_floor)
    figure.subplots_adjust(left=0.075, right=0.955, wspace=0.36)
    dots.key(figure, _key(has_floor))
    title = f"{newest.name}: {TITLE}"
    first, last = comparable[0].run.name, newest.run.name
    style.titled(
        figure,
        title,
        f"{len(comparable)} runs; medians, their 95 % intervals; logarithmic",
        f"contextbench, runs {first} to {last}",
    )
    return style.save(figure, folder, newest, NAME, title, "Each strategy's time and main-thread time, run after run.")


def _key(has_floor):
    if has_floor:
        return [("until durable ÷ floor", style.BLUE, "o"), ("main thread ÷ floor", style.VERMILLION, "D")]
    return [("total, until visible on main", style.BLUE, "o"), ("main thread busy", style.VERMILLION, "D")]


def _is_like(one, newest):
    objects, wanted = one.cells["objects"].median(), newest.cells["objects"].median()
    if objects != objects or wanted != wanted:
        return (objects != objects) == (wanted != wanted)
    return abs(objects - wanted) <= OBJECTS_TOLERANCE * wanted


def _series(axis, scenes, variant, strategy, columns, has_floor):
    ends = []
    for column, colour, marker in zip(columns, (style.BLUE, style.VERMILLION), ("o", "D")):
        points = []
        for place, one in enumerate(scenes):
            cells = one.cells
            middle = median(cells[(cells["variant"] == variant) & (cells["strategy"] == strategy)][column])
            if middle is None or middle.value <= 0:
                continue
            points.append((place, middle.value))
            if middle.low:
                axis.plot([place, place], [middle.low, middle.high], color=colour, linewidth=1.6, alpha=0.6)
        axis.plot(*zip(*points) if points else ([], []), color=colour, marker=marker, markersize=4.5, linewidth=1)
        ends += [(*points[-1], colour)] if points else []
    for place, value, colour in ends:
        text = units.significant(value) + "×" if has_floor else units.seconds(value)
        axis.annotate(
            text,
            (place, value),
            xytext=(6, _aside(value, ends)),
            textcoords="offset points",
            size=8,
            color=colour,
            va="center_baseline",
            annotation_clip=False,
        )


def _aside(value, ends):
    """Moves the labels of two values apart that are nearly the same."""
    low, high = min(end[1] for end in ends), max(end[1] for end in ends)
    if len(ends) < 2 or high / low > 1.8:
        return 0
    return 6 if value == high else -6


def _scale(axis, scenes, values, has_floor):
    low, high = min(values) / 1.2, max(values) * 1.2
    axis.set_yscale("log")
    axis.set_ylim(low, high)
    axis.yaxis.set_major_locator(FixedLocator(style.log_ticks(low, high, 5)))
    axis.yaxis.set_minor_locator(NullLocator())
    axis.yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:g}×" if has_floor else units.tick_seconds(value))
    )
    axis.tick_params(labelsize=8)
    axis.grid(True, axis="y")
    axis.grid(False, axis="x")
    axis.set_xlim(-0.4, len(scenes) - 0.6)
    places = sorted({0, len(scenes) - 1})
    axis.set_xticks(places, [_day(scenes[place].run) for place in places])


def _day(run):
    """The day and the minute at which a run began, from its identifier; the identifier where it has neither."""
    name = run.name
    if len(name) >= 15 and name[:8].isdigit() and name[9:15].isdigit():
        return f"{name[:4]}-{name[4:6]}-{name[6:8]}\n{name[9:11]}:{name[11:13]}"
    return name
