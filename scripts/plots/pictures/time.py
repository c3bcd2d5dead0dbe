"""Total against main-thread time per strategy."""

from plots import dots, style, units
from plots.intervals import median

NAME = "time"
TITLE = "total and main-thread time"


def draw(scene, folder):
    cells = scene.cells
    measured = cells[["until_visible_s", "main_thread_s"]].to_numpy().ravel()
    measured = measured[measured == measured]
    if len(measured) == 0:
        return []
    strategies, variants = scene.strategies, scene.variants
    figure, axes = style.panels([len(strategies)] * len(variants))
    is_log = style.scale(axes, measured, units.tick_seconds, room=0.34 if len(axes) > 1 else 0.16)
    for axis, variant in zip(axes, variants):
        style.heading(axis, variant)
        axis.set_xlabel("wall time" + style.scale_name(is_log))
        for row, strategy in enumerate(strategies):
            of_row = cells[(cells["variant"] == variant) & (cells["strategy"] == strategy)]
            _row(axis, row, of_row["until_visible_s"].dropna(), of_row["main_thread_s"].dropna())
        style.name_rows(axis, strategies)
    style.name_rows_once(axes)
    style.fit_labels(figure, axes)
    dots.key(
        figure,
        [
            ("first operation until visible on main", style.BLUE, "o"),
            # Its span has preparations and drains in it, so it can be the longer one.
            ("main thread busy, in the whole measured span", style.VERMILLION, "D"),
        ],
    )
    title = f"{scene.name}: {TITLE}"
    style.titled(figure, title, f"{scene.facts}; {scene.marks}", scene.source, scene.noise)
    return style.save(
        figure,
        folder,
        scene,
        NAME,
        title,
        "Each strategy's wall time until all rows were visible on the main context, and the time its main thread was "
        "working or blocked. The second is counted over the whole measured span, which begins before the first operation "
        "and ends after the last drain, so it can exceed the first.",
    )


def _row(axis, row, totals, mains):
    total, main = median(totals), median(mains)
    if total is None and main is None:
        dots.absent(axis, row)
        return
    if total:
        dots.dot(axis, row, total, totals, style.BLUE, "o")
        side = "left" if main and main.value > total.value else "right"
        dots.label(axis, row, _end(totals, side), units.seconds(total.value), style.BLUE, side)
    if main:
        dots.dot(axis, row, main, mains, style.VERMILLION, "D", size=6)
        side = "right" if total and main.value > total.value else "left"
        dots.label(axis, row, _end(mains, side), units.seconds(main.value), style.VERMILLION, side)


def _end(values, side):
    return max(values) if side == "right" else min(values)
