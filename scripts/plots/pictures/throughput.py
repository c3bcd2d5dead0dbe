"""Objects a second, and the time as a multiple of the floor's, with intervals."""

from plots import dots, style, units
from plots.intervals import median

NAME = "throughput"
TITLE = "throughput and floor ratio"


def draw(scene, folder):
    cells = scene.cells.assign(rate=scene.cells["objects"] / scene.cells["until_visible_s"])
    measures = [
        ("rate", "objects per second, until visible", units.compact, style.GREEN, "o"),
        (
            "floor_ratio",
            "until durable ÷ floor (in C)",
            lambda value: units.significant(value) + "×",
            style.PURPLE,
            "s",
        ),
    ]
    measures = [measure for measure in measures if cells[measure[0]].notna().any()]
    if not measures:
        return []
    strategies, variants = scene.strategies, scene.variants
    figure, axes = style.panels(
        [len(strategies)] * len(variants) * len(measures),
        columns_max=len(measures),
        header_inches=1.25 if variants[0] or len(variants) > 1 else 1.0,
    )
    for number, (column, name, text, colour, marker) in enumerate(measures):
        column_axes = axes[number :: len(measures)]
        is_log = style.scale(column_axes, cells[column].dropna(), _tick(column), room=0.36)
        for axis, variant in zip(column_axes, variants):
            style.heading(axis, f"{variant}\n{name}" if variant else name)
            if is_log:
                axis.set_xlabel("logarithmic")
            for row, strategy in enumerate(strategies):
                values = cells[(cells["variant"] == variant) & (cells["strategy"] == strategy)][column].dropna()
                middle = median(values)
                if middle is None:
                    dots.absent(axis, row)
                    continue
                dots.dot(axis, row, middle, values, colour, marker)
                dots.label(axis, row, max(middle.value, *values), text(middle.value), colour, "right")
            style.name_rows(axis, strategies)
    style.name_rows_once(axes)
    style.fit_labels(figure, axes)
    title = f"{scene.name}: {TITLE}"
    style.titled(figure, title, f"{scene.facts}; {scene.marks}", scene.source, scene.noise)
    return style.save(
        figure,
        folder,
        scene,
        NAME,
        title,
        "Each strategy's objects per second, and its time until durable as a multiple of that of the same rows in C.",
    )


def _tick(column):
    return units.tick_compact if column == "rate" else lambda value: f"{value:g}×"
