"""How late main's latest tick was, as a load grew: a curve a strategy."""

import re

from plots import style, units

NAME = "load"
TITLE = "main's latest tick by load"
FRAME_SECONDS = 1 / 60
LOADS_MIN = 2
# As many series as colours and markers can tell apart.
COLOURS = [style.BLUE, style.VERMILLION, style.GREEN, style.ORANGE, style.SKY, style.PURPLE]
MARKERS = "osD^vP"


def loads(scene):
    """The number of each variant, and the key that grows; nothing where the variants are no loads."""
    matches = {variant: re.fullmatch(r"([\w ]+) (\d+(?:\.\d+)?)", variant) for variant in scene.variants}
    keys = {match[1] for match in matches.values() if match}
    if len(matches) < LOADS_MIN or len(keys) != 1 or not all(matches.values()):
        return None, {}
    return keys.pop(), {variant: float(match[2]) for variant, match in matches.items()}


def draw(scene, folder):
    key, numbers = loads(scene)
    cells = scene.cells[scene.cells["main_stall_ns_max"].notna()]
    if not key or cells.empty:
        return []
    figure, (axis,) = style.panels([12])
    for place, strategy in enumerate(scene.strategies):
        own = cells[cells["strategy"] == strategy]
        medians = own.assign(load=own["variant"].map(numbers)).groupby("load")["main_stall_ns_max"].median() / 1e9
        axis.plot(
            medians.index,
            medians,
            color=COLOURS[place % len(COLOURS)],
            marker=MARKERS[(place + place // len(COLOURS)) % len(MARKERS)],
            linestyle="-" if place < len(COLOURS) else "--",
            label=strategy,
        )
    axis.axhline(FRAME_SECONDS, color=style.FAINT, linewidth=1, linestyle=(0, (4, 3)))
    axis.set_yscale("log")
    for place in [axis.yaxis.set_major_formatter, axis.yaxis.set_minor_formatter]:
        place(lambda value, _: units.tick_seconds(value))
    axis.set_xticks(sorted(numbers.values()))
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_xlabel(key)
    axis.legend(fontsize=8, ncols=2)
    title = f"{scene.name}: {TITLE}"
    style.titled(
        figure, title, f"{scene.facts}; medians; dashed: a frame at 60 Hz; logarithmic", scene.source, scene.noise)
    return style.save(
        figure,
        folder,
        scene,
        NAME,
        title,
        "How late the latest tick of each strategy's main queue was, as the load grew, and a frame at 60 Hz.",
    )
