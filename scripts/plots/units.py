"""Numbers as people read them."""

import math

_SECONDS = [("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0)]


def significant(number):
    """Three significant digits without an exponent: 0.00123, 1.23, 12.3, 123, 1,234."""
    if number == 0:
        return "0"
    decimals = max(0, 2 - math.floor(math.log10(abs(number)) + 1e-9))
    return f"{number:,.{decimals}f}"


def seconds(value):
    """1.23 s, 45.6 ms, 789 µs, 12.0 ns."""
    unit, size = next((step for step in reversed(_SECONDS) if abs(value) >= step[1] * 0.9995), _SECONDS[0])
    return f"{significant(value / size)} {unit}"


def tick_seconds(value):
    """As `seconds`, without digits that a tick does not have: 10 ms, 0.5 s."""
    unit, size = next((step for step in reversed(_SECONDS) if abs(value) >= step[1] * 0.9995), _SECONDS[0])
    return "0" if value == 0 else f"{value / size:g} {unit}"


def count(number):
    """105,000."""
    return f"{round(number):,}"


def compact(number):
    """950, 12.0 k, 1.50 M."""
    size, letter = _thousands(number)
    return significant(number / size) + letter


def tick_compact(number):
    """As `compact`, without digits that a tick does not have: 12 k, 1.5 M."""
    size, letter = _thousands(number)
    return f"{number / size:g}{letter}"


def _thousands(number):
    return next((step for step in [(1e9, " G"), (1e6, " M"), (1e3, " k")] if abs(number) >= step[0]), (1, ""))
