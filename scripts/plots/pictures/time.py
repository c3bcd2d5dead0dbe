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
        [("total, until visible on main", style.BLUE, "o"), ("main thread busy", style.VERMILLION, "D")],
    )
    title = f"{scene.name}: {TITLE}"
    style.titled(figure, title, f"{scene.facts}; {scene.marks}", scene.source)
    return style.save(
        figure,
        folder,
        scene,
        NAME,
        title,
        "Each strategy's wall time until all rows were visible on the main context, and the time its main thread was "
        "working or blocked.",
    )


def _row(axis, row, totals, mains):
    total, main = median(totals), median(mains)
    if total is None and main is None:
        dots.absent(axis, row)
        return
    if total and main:
        axis.plot([main.value, total.value], [row, row], color=style.RULE, linewidth=3, zorder=1)
    if total:
        dots.dot(axis, row, total, totals, style.BLUE, "o")
        dots.label(axis, row, max(total.value, *totals), units.seconds(total.value), style.BLUE, "right")
    if main:
        dots.dot(axis, row, main, mains, style.VERMILLION, "D", size=6)
        dots.label(axis, row, min(main.value, *mains), units.seconds(main.value), style.VERMILLION, "left")
