"""Reads the logs of histograms that a run keeps, one a cell: HdrHistogram's log format 1.3, compressed, version 2."""

import base64
import binascii
import functools
import re
import struct
import zlib
from dataclasses import dataclass, field

from plots.bad_input import BadInput

COMPRESSED_COOKIE, COOKIE = 0x1C849314, 0x1C849313
HEADER = struct.Struct(">IIIIqqd")
# The percentiles that a picture may show, and the samples that each needs, as for the columns of timings.csv.
SAMPLES_MIN = {0.5: 2, 0.9: 100, 0.99: 1_000, 0.999: 10_000}


@dataclass
class Histogram:
    """How often each value was recorded; nanoseconds. Values that share a count are given as the middle of their range."""

    counts: dict = field(default_factory=dict)

    def add(self, other):
        for value, count in other.counts.items():
            self.counts[value] = self.counts.get(value, 0) + count

    @property
    def total(self):
        return sum(self.counts.values())

    @property
    def longest(self):
        return max(self.counts)

    def quantile(self, share):
        """The value that this share of all does not exceed; None when there are too few of them to say."""
        if self.total < SAMPLES_MIN[share]:
            return None
        rank, seen = share * self.total, 0
        for value in sorted(self.counts):
            seen += self.counts[value]
            if seen >= rank:
                return value
        return None


def of_cells(run, cells):
    """The histograms of some cells by tag, each of all these cells together; None when a cell has no log."""
    joined = {}
    for cell in cells:
        path = run.folder / "histograms" / f"{cell}.hlog"
        if not path.exists():
            return None
        for tag, histogram in read(path).items():
            joined.setdefault(tag, Histogram()).add(histogram)
    return joined


def tag(*words):
    """The tag of what has these names; blanks and commas, which no tag may have, are dashes."""
    return re.sub(r"[\s,]", "-", "/".join(words))


@functools.cache
def read(path):
    """The histograms of a log by tag; raises BadInput when it is damaged."""
    histograms = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise BadInput(
            path, f"cannot be read: {error}", "Repeat the run, or take the folder of histograms away"
        ) from None
    for number, line in enumerate(lines, start=1):
        if not line or line.startswith(("#", '"')):
            continue
        try:
            tag, _, _, _, text = line.removeprefix("Tag=").split(",")
            histograms.setdefault(tag, Histogram()).add(decoded(base64.b64decode(text, validate=True)))
        except (ValueError, IndexError, struct.error, zlib.error, binascii.Error) as error:
            raise BadInput(
                path,
                f"line {number} holds no histogram: {error}",
                "Repeat the run, or take the folder of histograms away",
            ) from None
    return histograms


def decoded(data):
    """The histogram in these bytes; HdrHistogram, "AbstractHistogram.encodeIntoCompressedByteBuffer"."""
    cookie, length = struct.unpack(">II", data[:8])
    if cookie != COMPRESSED_COOKIE or length != len(data) - 8:
        raise ValueError("it is not compressed, or not of version 2")
    data = zlib.decompress(data[8:])
    cookie, length, offset, digits, lowest, _, ratio = HEADER.unpack(data[: HEADER.size])
    body = data[HEADER.size :]
    if cookie != COOKIE or length != len(body) or offset != 0 or ratio != 1.0 or lowest < 1 or not 0 <= digits <= 5:
        raise ValueError("its header is damaged")
    # Values below 2·10ᵈ have counts of their own; above, each doubling doubles how many share one.
    unit, half = lowest.bit_length() - 1, (2 * 10**digits - 1).bit_length() - 1
    counts, index, position = {}, 0, 0
    while position < len(body):
        number, position = _zigzag(body, position)
        if number < 0:
            index -= number
            continue
        if number > 0:
            bucket = max(0, (index >> half) - 1)
            least, width = (index - (bucket << half)) << (bucket + unit), 1 << (bucket + unit)
            counts[least + width // 2] = number
        index += 1
    return Histogram(counts)


def _zigzag(body, position):
    """A number in groups of seven bits, the lowest first; a ninth byte has eight. And the place behind it."""
    value = 0
    for step in range(9):
        byte = body[position]
        position += 1
        value |= (byte if step == 8 else byte & 0x7F) << (7 * step)
        if step == 8 or byte < 0x80:
            break
    return (value >> 1) ^ -(value & 1), position
