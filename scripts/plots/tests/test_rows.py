import unittest

import pandas

from plots import rows


def table(*cells):
    """Rows of (strategy, options, merge policy, time)."""
    return pandas.DataFrame(
        [
            {
                "scenario": "s",
                "strategy": strategy,
                "options": options,
                "merge_policy": policy,
                "seconds": seconds,
                "repetition": 0,
                "cell": number,
            }
            for number, (strategy, options, policy, seconds) in enumerate(cells)
        ]
    )


class RowsTests(unittest.TestCase):
    def variants(self, *cells):
        cells = table(*cells)
        return rows.variants(rows.with_variants(cells, cells))

    def test_options_that_only_one_strategy_has_make_no_variant(self):
        self.assertEqual(self.variants(("a", "x=1;y=2", "error", 1), ("b", "x=1", "error", 1)), [""])

    def test_options_in_which_a_strategy_differs_make_variants_in_the_order_of_their_numbers(self):
        cells = [("a", f"save_every={size};x=1", "error", 1) for size in [1000, 5, 500]]
        self.assertEqual(self.variants(*cells), ["save every 5", "save every 500", "save every 1000"])

    def test_merge_policies_make_variants(self):
        cells = [("a", "", policy, 1) for policy in ["rollback", "error"]]
        self.assertEqual(self.variants(*cells), ["merge policy error", "merge policy rollback"])

    def test_an_option_that_is_absent_differs_from_one_that_is_there(self):
        self.assertEqual(self.variants(("a", "", "error", 1), ("a", "x=1", "error", 1)), ["", "x 1"])

    def test_the_fastest_come_first_and_what_was_not_measured_last(self):
        cells = table(("none", "", "error", float("nan")), ("slow", "", "error", 2), ("fast", "", "error", 1))
        cells = rows.with_variants(cells, cells)
        self.assertEqual(rows.in_order_of(cells, "seconds"), ["fast", "slow", "none"])

    def test_variants_count_alike_in_the_order(self):
        times = {"a": (1, 200), "b": (3, 100)}
        cells = table(*((name, f"x={x}", "error", times[name][x]) for name in times for x in (0, 1)))
        cells = rows.with_variants(cells, cells)
        self.assertEqual(rows.in_order_of(cells, "seconds"), ["a", "b"])
