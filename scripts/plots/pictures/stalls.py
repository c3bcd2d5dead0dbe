"""How late the main thread's ticks were."""

from plots import dots, style, units
from plots.intervals import median

NAME = "stalls"
TITLE = "stalls of the main thread"
FRAME_SECONDS = 1 / 60


def draw(scene, folder):
    cells = scene.cells.assign(
        longest=scene.cells["main_stall_ns_max"] / 1e9, usual=scene.cells["main_stall_ns_p99"] / 1e9
    )
    values = cells[["longest", "usual"]].to_numpy().ravel()
    values = values[values > 0]
    if len(values) == 0:
        return []
    strategies, variants = scene.strategies, scene.variants
    figure, axes = style.panels([len(strategies)] * len(variants))
    style.scale(axes, [*values, FRAME_SECONDS], units.tick_seconds, log=True, room=0.3 if len(axes) > 1 else 0.16)
    for axis, variant in zip(axes, variants):
        style.heading(axis, variant)
        axis.set_xlabel("lateness of a tick, logarithmic")
        axis.axvline(FRAME_SECONDS, color=style.FAINT, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
        axis.annotate(
            "a frame at 60 Hz", (FRAME_SECONDS, -0.5), xytext=(3, 3), textcoords="offset points", size=8, color=style.FAINT
        )
        for row, strategy in enumerate(strategies):
            _row(axis, row, cells[(cells["variant"] == variant) & (cells["strategy"] == strategy)])
        style.name_rows(axis, strategies)
    style.name_rows_once(axes)
    style.fit_labels(figure, axes)
    entries = [("latest tick of a cell", style.VERMILLION, "D")]
    if cells["usual"].notna().any():
        entries.append(("99 % of ticks were no later", style.BLUE, "o"))
    dots.key(figure, entries)
    title = f"{scene.name}: {TITLE}"
    style.titled(figure, title, f"{scene.facts}; {scene.marks}", scene.source)
    return style.save(
        figure, folder, f"{scene.file_stem}-{NAME}", title, "How late the ticks on each strategy's main queue were."
    )


def _row(axis, row, cells):
    longest, usual = cells["longest"].dropna(), cells["usual"].dropna()
    if len(longest) == 0:
        dots.absent(axis, row)
        return
    dots.dot(axis, row, median(longest), longest, style.VERMILLION, "D", size=6)
    dots.label(axis, row, longest.max(), units.seconds(median(longest).value), style.VERMILLION, "right")
    if len(usual):
        dots.dot(axis, row, median(usual), usual, style.BLUE, "o")
        dots.label(axis, row, usual.min(), units.seconds(median(usual).value), style.BLUE, "left")
