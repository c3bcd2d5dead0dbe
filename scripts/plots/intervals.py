"""Medians, and how far they can be trusted."""

from dataclasses import dataclass

import numpy

RESAMPLES = 5_000
CONFIDENCE = 0.95
# Of two values a bootstrap can only say that the median lies between them.
SAMPLES_MIN = 3


@dataclass(frozen=True)
class Median:
    """A median with the ends of its interval, which are None when the sample is too small for one."""

    value: float
    low: float | None
    high: float | None
    count: int


def median(sample):
    """The median of what was measured, with a percentile-bootstrap interval; None when nothing was.

    The draws are seeded: the same sample gives the same interval. Efron, Tibshirani, "An Introduction to the
    Bootstrap", 1993, chapter 13.
    """
    values = numpy.asarray(sample, dtype=float)
    values = values[numpy.isfinite(values)]
    if len(values) == 0:
        return None
    if len(values) < SAMPLES_MIN:
        return Median(float(numpy.median(values)), None, None, len(values))
    draws = numpy.random.default_rng(1).integers(len(values), size=(RESAMPLES, len(values)))
    medians = numpy.median(values[draws], axis=1)
    tail = (1 - CONFIDENCE) / 2
    low, high = numpy.quantile(medians, [tail, 1 - tail])
    return Median(float(numpy.median(values)), float(low), float(high), len(values))
