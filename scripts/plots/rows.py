"""The rows of a picture: the cells of a scenario by strategy and variant."""

import re

import numpy


def with_variants(table, cells):
    """The table with a column `variant`: the options and the merge policy in which cells of one strategy differ.

    Options that only one strategy has, and those that are the same throughout, say nothing and are left out.
    """
    varying = set()
    for _, group in cells.groupby(["scenario", "strategy"]):
        scenario = group["scenario"].iloc[0]
        varying |= {(scenario, name) for name in _varying(group["options"].unique())}
        if group["merge_policy"].nunique() > 1:
            varying.add((scenario, "merge_policy"))

    def variant(row):
        options = [(name, value) for name, value in _pairs(row["options"]) if (row["scenario"], name) in varying]
        if (row["scenario"], "merge_policy") in varying:
            options.append(("merge_policy", row["merge_policy"]))
        return ", ".join(f"{name} {value}".replace("_", " ") for name, value in options)

    return table.assign(variant=[variant(row) for row in table.to_dict("records")])


def _pairs(options):
    return [tuple(pair.partition("=")[::2]) for pair in options.split(";") if pair]


def _varying(options):
    """Names of the options that do not have one value in all of these."""
    settings = [dict(_pairs(text)) for text in options]
    names = {name for setting in settings for name in setting}
    return {name for name in names if len({setting.get(name) for setting in settings}) > 1}


def in_order_of(table, column):
    """The strategies of a table, those with the smallest medians first; those without a value last.

    Variants count alike, however long they take.
    """
    medians = table.groupby(["strategy", "variant"])[column].median()
    means = numpy.log(medians.where(medians > 0)).groupby("strategy").mean()
    return list(means.sort_values(kind="stable", na_position="last").index)


def variants(table):
    """The variants of a table, in the order in which the plan has them first."""
    return list(table.sort_values(["repetition", "cell"])["variant"].drop_duplicates().sort_values(key=_natural))


def _natural(names):
    """Sorts `save every 5` before `save every 500`, and that before `save every 1000`."""
    return names.map(
        lambda name: tuple(part.zfill(12) if part.isdigit() else part for part in re.split(r"(\d+)", name))
    )
