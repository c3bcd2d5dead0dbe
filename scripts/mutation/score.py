"""Shares with their intervals."""
import math

SURE = 1.959963984540054


def wilson(part, whole):
    """The ends of the 95 % interval of a share, after Wilson 1927; it needs no large sample."""
    if whole == 0:
        return 0.0, 1.0
    share = part / whole
    middle = share + SURE**2 / (2 * whole)
    width = SURE * math.sqrt(share * (1 - share) / whole + SURE**2 / (4 * whole**2))
    below = 1 + SURE**2 / whole
    return max(0.0, (middle - width) / below), min(1.0, (middle + width) / below)


def said(part, whole):
    """45 of 60, 75.0 % (62.8 % to 84.2 %)"""
    low, high = wilson(part, whole)
    share = f"{100 * part / whole:.1f} %" if whole else "–"
    return f"{part} of {whole}, {share} ({100 * low:.1f} % to {100 * high:.1f} %)"
