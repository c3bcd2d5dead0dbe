"""Latency percentiles of every operation, on a logarithmic axis."""

import pandas

from plots import dots, histograms, style, units

NAME = "latency"
TITLE = "latency percentiles"
KEYS = ["phase", "operation", "role", "strategy"]
PERCENTILES = [
    ("latency_ns_p50", "median", style.BLUE, "o"),
    ("latency_ns_p90", "90 %", style.SKY, "^"),
    ("latency_ns_p99", "99 %", style.ORANGE, "s"),
    ("latency_ns_p999", "99.9 %", style.VERMILLION, "D"),
    ("latency_ns_max", "longest", style.INK, "|"),
]

COLUMNS = 2
TICKS_MAX_NARROW = 6
HEADER_INCHES, FOOTER_INCHES, ROW_INCHES = 1.15, 0.8, 0.27


def draw(scene, folder):
    files = []
    for variant in scene.variants:
        files += _draw(scene, folder, variant)
    return files


def _draw(scene, folder, variant):
    timings = scene.timings[(scene.timings["variant"] == variant) & (scene.timings["latency_ns_max"] > 0)]
    if len(timings) == 0:
        return []
    table = _of_histograms(scene, timings)
    source = "percentiles of all operations together"
    if table is None:
        table = _of_columns(timings)
        source = "medians of the cells' percentiles"
    operations = sorted(
        table.index.droplevel("strategy").unique(), key=lambda operation: (operation[2] != "main", operation)
    )
    pages = _pages(operations, [len(table.loc[operation]) for operation in operations])
    files = []
    for number, page in enumerate(pages):
        place = f"{number + 1} of {len(pages)}" if len(pages) > 1 else ""
        files += _page(scene, folder, variant, table, page, source, place)
    return files


def _pages(operations, heights):
    """Operations in pictures that are no higher than wide: as many lines of two panels as there is room for."""
    pages, room = [], 0
    for start in range(0, len(operations), COLUMNS):
        height = max(heights[start : start + COLUMNS]) * ROW_INCHES + 0.2 + style.GAP_INCHES
        if height > room or not pages:
            pages.append([])
            room = style.WIDTH_INCHES - HEADER_INCHES - FOOTER_INCHES + style.GAP_INCHES
        pages[-1] += operations[start : start + COLUMNS]
        room -= height
    return pages


def _page(scene, folder, variant, table, operations, source, place):
    names = [[name for name in scene.strategies if name in table.loc[operation].index] for operation in operations]
    figure, axes = style.panels(
        [len(of_panel) for of_panel in names],
        header_inches=HEADER_INCHES,
        footer_inches=FOOTER_INCHES,
        row_inches=ROW_INCHES,
    )
    # Names between the panels leave less room for values beside the dots, and for ticks.
    is_narrow = any(number % COLUMNS and own != names[number - 1] for number, own in enumerate(names))
    room = 0.7 if is_narrow else 0.42
    for number, (axis, operation) in enumerate(zip(axes, operations)):
        phase, name, role = operation
        of_operation = table.loc[operation]
        style.heading(axis, f"{name}, {role}" if phase == scene.name else f"{name}, {role}, phase {phase}")
        ticks = TICKS_MAX_NARROW if is_narrow else style.TICKS_MAX
        style.scale([axis], of_operation.stack(), units.tick_seconds, log=True, room=room, left=room, ticks_max=ticks)
        for row, strategy in enumerate(names[number]):
            _row(axis, row, of_operation.loc[strategy])
        style.name_rows(axis, names[number])
        # Panels of one line that have the same rows name them once.
        if number % COLUMNS and names[number] == names[number - 1]:
            axis.set_yticklabels([])
    style.fit_labels(figure, axes)
    of_page = table.loc[[entry for entry in table.index if entry[:3] in operations]]
    used = [entry for entry in PERCENTILES if of_page[entry[0]].notna().any()]
    dots.key(figure, [(name, colour, marker) for _, name, colour, marker in used])
    title = f"{scene.name}: {TITLE}" + "".join(f", {part}" for part in [variant, place] if part)
    style.titled(
        figure,
        title,
        f"{scene.facts}; {source}; logarithmic, each panel has its own scale",
        "\n".join(filter(None, [_absence(of_page), scene.source])),
        scene.noise,
    )
    return style.save(
        figure,
        folder,
        scene,
        NAME,
        title,
        "For every operation and kind of thread, each strategy's latency percentiles.",
        "-".join(part for part in [variant, place.split(" ")[0]] if part),
    )


def _absence(table):
    """Why percentiles are missing; empty where none is."""
    needed = [
        f"{name} from {count:,} operations on"
        for (column, name, *_), count in zip(PERCENTILES, histograms.SAMPLES_MIN.values())
        if table[column].isna().any()
    ]
    return f"Missing percentiles had too few operations: {', '.join(needed)}" if needed else ""


def _of_columns(timings):
    """Percentiles in seconds by operation and strategy: a cell's cannot be joined, so they are the usual cell's."""
    groups = timings.groupby(KEYS, sort=False)
    table = groups[[column for column, *_ in PERCENTILES]].median() / 1e9
    table["latency_ns_max"] = groups["latency_ns_max"].max() / 1e9
    return table.sort_index()


def _of_histograms(scene, timings):
    """As `_of_columns`, of all operations of the cells together; None unless every cell kept its histograms."""
    rows = {}
    for strategy, of_strategy in timings.groupby("strategy"):
        joined = histograms.of_cells(scene.run, of_strategy["cell"].unique())
        if joined is None:
            return None
        for phase, operation, role in of_strategy[KEYS[:-1]].drop_duplicates().itertuples(index=False):
            histogram = joined.get(histograms.tag(phase, operation, role))
            if histogram is None or not histogram.total:
                return None
            values = [histogram.quantile(share) for share in histograms.SAMPLES_MIN] + [histogram.longest]
            rows[phase, operation, role, strategy] = [value and value / 1e9 for value in values]
    index = pandas.MultiIndex.from_tuples(rows, names=KEYS)
    return pandas.DataFrame(list(rows.values()), index, [name for name, *_ in PERCENTILES], dtype=float).sort_index()


def _row(axis, row, percentiles):
    measured = [
        (percentiles[column], colour, marker) for column, _, colour, marker in PERCENTILES if percentiles[column] > 0
    ]
    if not measured:
        return
    axis.plot([measured[0][0], measured[-1][0]], [row, row], color=style.RULE, linewidth=3, zorder=1)
    for value, colour, marker in measured:
        axis.plot(
            value,
            row,
            linestyle="none",
            marker=marker,
            markersize=9 if marker == "|" else 6.5,
            color=colour,
            markeredgewidth=2 if marker == "|" else 0.6,
            markeredgecolor=colour if marker == "|" else "white",
            zorder=4,
        )
    dots.label(axis, row, measured[-1][0], units.seconds(measured[-1][0]), style.INK, "right")
    if percentiles["latency_ns_p50"] > 0:
        dots.label(
            axis, row, percentiles["latency_ns_p50"], units.seconds(percentiles["latency_ns_p50"]), style.BLUE, "left"
        )
