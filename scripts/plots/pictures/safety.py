"""Cost against safety: each strategy's time beside the kinds of violation that it showed."""

from plots import dots, style, units
from plots.intervals import median

NAME = "safety"
TITLE = "cost against safety"
ERROR, WARNING = (style.VERMILLION, "X"), (style.ORANGE, "^")


def draw(scene, folder):
    cells, violations, variants = scene.cells, scene.violations, scene.variants
    times = cells["until_visible_s"].dropna()
    if len(times) == 0 and len(violations) == 0:
        return []
    kinds = sorted(violations["kind"].unique())
    widths = [1, min(1.2, 0.36 + 0.13 * len(kinds))]
    figure, axes = style.panels(
        [scene.cells["strategy"].nunique()] * len(variants) * 2,
        columns_max=2,
        widths=widths,
        header_inches=max([1.2, *(0.8 + 0.045 * len(kind) for kind in kinds)]),
    )
    style.scale(axes[::2], times, units.tick_seconds, room=0.3)
    for variant, cost, safety in zip(variants, axes[::2], axes[1::2]):
        of_variant = cells[cells["variant"] == variant]
        seen = violations[violations["variant"] == variant]
        strategies = _safest_first(of_variant, seen, scene.strategies)
        style.heading(cost, variant)
        cost.set_xlabel("time until visible on main" + style.scale_name(cost.get_xscale() == "log"))
        for row, strategy in enumerate(strategies):
            _cost(cost, row, of_variant[of_variant["strategy"] == strategy]["until_visible_s"].dropna())
            _safety(
                safety, row, kinds, of_variant[of_variant["strategy"] == strategy], seen[seen["strategy"] == strategy]
            )
        style.name_rows(cost, strategies)
        style.name_rows(safety, [""] * len(strategies))
        _name_kinds(safety, kinds, is_first=safety is axes[1])
    style.fit_labels(figure, axes)
    severities = [("error", "violation", ERROR), ("warning", "warning", WARNING)]
    seen = [(f"{name}, in n of the cells", *mark) for severity, name, mark in severities if _is_any(violations, severity)]
    dots.key(figure, [("time", style.BLUE, "o"), *seen])
    title = f"{scene.name}: {TITLE}"
    subtitle = f"{scene.facts}; fewest kinds of violation first, then fastest"
    style.titled(figure, title, subtitle, scene.source, scene.noise)
    return style.save(
        figure,
        folder,
        scene,
        NAME,
        title,
        "Each strategy's time until all rows were visible, beside the kinds of violation that its cells showed.",
    )


def _is_any(violations, severity):
    return (violations["severity"] == severity).any()


def _safest_first(cells, violations, strategies):
    kinds = violations.groupby("strategy")["kind"].nunique()
    present = [name for name in strategies if (cells["strategy"] == name).any()]
    times = cells.groupby("strategy")["until_visible_s"].median().fillna(float("inf"))
    return sorted(present, key=lambda name: (kinds.get(name, 0), times[name]))


def _cost(axis, row, times):
    time = median(times)
    if time is None:
        dots.absent(axis, row)
        return
    dots.dot(axis, row, time, times, style.BLUE, "o")
    dots.label(axis, row, max(time.value, *times), units.seconds(time.value), style.BLUE, "right")


def _safety(axis, row, kinds, cells, violations):
    if len(violations) == 0:
        axis.annotate("none", (-0.4, row), size=8.5, color=style.GREEN, va="center_baseline", weight="bold")
        return
    axis.axhline(row, color=style.RULE, linewidth=0.7, zorder=0)
    # Cells that only warmed up may be violated, and have no row of their own.
    total = len({*cells["cell"], *violations["cell"]})
    for kind, of_kind in violations.groupby("kind"):
        colour, marker = ERROR if (of_kind["severity"] == "error").any() else WARNING
        x = kinds.index(kind)
        axis.plot(x, row, linestyle="none", marker=marker, markersize=9, color=colour, markeredgecolor="white")
        axis.annotate(
            f"{of_kind['cell'].nunique()}/{total}",
            (x, row),
            xytext=(7, 0),
            textcoords="offset points",
            size=8.5,
            color=style.INK,
            va="center_baseline",
        )


def _name_kinds(axis, kinds, is_first):
    axis.set_xlim(-0.6, max(len(kinds), 1) - 0.1)
    axis.grid(False)
    axis.spines["bottom"].set_visible(False)
    axis.xaxis.tick_top()
    axis.set_xticks(range(len(kinds)), kinds if is_first else [""] * len(kinds))
    axis.tick_params(axis="x", length=0)
    for name in axis.get_xticklabels():
        name.set(rotation=32, ha="left", rotation_mode="anchor", size=9)
    if is_first and not kinds:
        axis.set_title("no violation was seen", loc="left", size=10)
