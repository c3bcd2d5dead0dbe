import contextlib
import io
import unittest
from xml.etree import ElementTree

from plots import __main__ as command
from plots import speed
from plots.tests import sample

HEADER = "workload,meaning,peer,round,seconds,ns_each\n"


def rows(name, meaning, **peers):
    """Five rounds of each peer; in each the whole round is slower by as much."""
    lines = [
        f'{name},"{meaning}",{peer},{number + 1},{seconds * (1 + number)},1.0'
        for peer, seconds in peers.items()
        for number in range(5)
    ]
    return "\n".join(lines) + "\n"


class SpeedTests(unittest.TestCase):
    def draw(self, text):
        output, errors = io.StringIO(), io.StringIO()
        with sample.folder() as folder:
            (folder / "speed.csv").write_text(text, encoding="utf-8")
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
                status = command.main([str(folder)])
            pictures = {file.name: file.read_bytes() for file in folder.glob("pictures/*")}
        return status, pictures, errors.getvalue()

    def test_each_workload_is_a_row_with_the_ratio_of_each_peer(self):
        text = HEADER + rows("import", "import 21,000 rows, one save", C=0.5, statements=0.6, GRDB=3, stack=0.7)
        text += rows("look-up", "object by ID", stack=0.1)
        status, pictures, errors = self.draw(text)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(sorted(pictures), ["speed.png", "speed.svg"])
        written = "".join(ElementTree.fromstring(pictures["speed.svg"].decode()).itertext())
        for part in ["import 21,000 rows, one save", "1.40", "1.20", "6.00", "the stack", "GRDB's records"]:
            self.assertIn(part, written)
        self.assertNotIn("object by ID", written, "what C does not do has no ratio")

    def test_a_slow_round_is_no_other_ratio(self):
        _, pictures, _ = self.draw(HEADER + rows("fetch", "fetch", C=0.5, stack=0.5))
        self.assertIn("1.00", pictures["speed.svg"].decode())

    def test_a_file_that_cannot_be_drawn_is_refused_with_what_to_do(self):
        for text, cause in [
            (HEADER + rows("fetch", "fetch", C=0.5), "has no peer beside C"),
            ("workload,peer,round,seconds\nfetch,C,1,2\n", "has no column meaning"),
            ("", "is no CSV file"),
        ]:
            status, pictures, errors = self.draw(text)
            self.assertEqual((status, pictures), (64, {}))
            self.assertIn(cause, errors)
            self.assertIn("scripts/speed", errors)
