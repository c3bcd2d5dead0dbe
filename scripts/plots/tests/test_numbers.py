import unittest

import numpy

from plots import style, units
from plots.intervals import median


class NumbersTests(unittest.TestCase):
    def test_numbers_have_three_significant_digits(self):
        shown = [units.significant(number) for number in [0.001234, 1.234, 12.34, 123.4, 1234.0, 0]]
        self.assertEqual(shown, ["0.00123", "1.23", "12.3", "123", "1,234", "0"])

    def test_times_have_the_unit_that_fits(self):
        shown = [units.seconds(value) for value in [2.5, 0.0456, 0.000789, 1.2e-8]]
        self.assertEqual(shown, ["2.50 s", "45.6 ms", "789 µs", "12.0 ns"])
        self.assertEqual([units.tick_seconds(value) for value in [0, 0.01, 2]], ["0", "10 ms", "2 s"])

    def test_large_numbers_are_short(self):
        self.assertEqual([units.compact(number) for number in [950, 12_000, 1_500_000]], ["950", "12.0 k", "1.50 M"])

    def test_ticks_are_round_and_no_more_than_fit(self):
        self.assertEqual(style.log_ticks(0.9, 12, 8), [1, 2, 5, 10])
        self.assertEqual(style.log_ticks(0.9, 1200, 4), [1, 10, 100, 1000])
        self.assertLessEqual(len(style.log_ticks(1e-9, 1e3, 4)), 5)


class MedianTests(unittest.TestCase):
    def test_nothing_measured_has_no_median(self):
        self.assertIsNone(median([]))
        self.assertIsNone(median([float("nan")]))

    def test_four_values_have_a_median_without_interval(self):
        middle = median([1.0, 2.0, 2.0, 3.0])
        self.assertEqual((middle.value, middle.low, middle.count), (2.0, None, 4))

    def test_the_interval_holds_the_true_median_as_often_as_it_says(self):
        random = numpy.random.default_rng(15)
        for count in [5, 6, 7, 8, 10, 20, 40]:
            middles = [median(random.exponential(size=count)) for _ in range(1_000)]
            held = sum(middle.low <= numpy.log(2) <= middle.high for middle in middles) / 1_000
            # On either side the room of two standard errors of the simulation.
            self.assertTrue(0.915 <= held <= 0.99, (count, held))

    def test_the_interval_holds_the_median_is_inside_the_sample_and_repeats(self):
        sample = [1.0, 1.1, 1.2, 1.3, 5.0]
        middle = median(sample)
        self.assertTrue(1.0 <= middle.low <= middle.value <= middle.high <= 5.0)
        self.assertEqual(middle, median(sample))

    def test_equal_values_leave_no_doubt(self):
        self.assertEqual((median([2.0] * 9).low, median([2.0] * 9).high), (2.0, 2.0))
