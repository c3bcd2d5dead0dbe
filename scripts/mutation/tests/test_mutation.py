import pathlib
import stat
import tempfile
import unittest

from mutation import planting, runs, score


def mutant(file, start):
    return {"file": file, "start": start, "place": start}


class Score(unittest.TestCase):
    def test_intervals_are_those_of_the_literature(self):
        # Newcombe, "Two-sided confidence intervals for the single proportion", 1998, method 3.
        for part, whole, low, high in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)]:
            ends = score.wilson(part, whole)
            self.assertAlmostEqual(ends[0], low, 4)
            self.assertAlmostEqual(ends[1], high, 4)

    def test_of_nothing_nothing_is_known(self):
        self.assertEqual(score.wilson(0, 0), (0, 1))


class Drawing(unittest.TestCase):
    def test_a_longer_draw_begins_with_the_shorter_one(self):
        places = [mutant("a", start) for start in range(100)]
        self.assertEqual(planting.drawn(places, 7, 30)[:10], planting.drawn(places, 7, 10))
        self.assertNotEqual(planting.drawn(places, 7, 10), planting.drawn(places, 8, 10))


class Blaming(unittest.TestCase):
    def setUp(self):
        self.planted = planting.Planted.__new__(planting.Planted)
        self.planted.planted = [
            {"number": number, "mutant": {"file": file}, "lines": lines, "around": around}
            for number, file, lines, around in [(1, "a", [3], [1, 9]), (2, "a", [5, 6], [1, 9]), (3, "a", [20], [15, 30]), (4, "b", [3], [1, 9])]]

    def test_an_error_is_due_to_the_mutant_on_its_line(self):
        self.assertEqual(self.planted.blamed("a", 6), [2])

    def test_or_to_all_of_its_function(self):
        self.assertEqual(self.planted.blamed("a", 8), [1, 2])

    def test_or_to_all_of_its_file(self):
        self.assertEqual(self.planted.blamed("a", 12), [1, 2, 3])
        self.assertEqual(self.planted.blamed("c", 3), [])

    def test_or_to_a_function_that_is_put_back_elsewhere(self):
        self.planted.planted = [
            {"number": number, "mutant": {"note": note}}
            for number, note in [(1, "with class A func adopt ( ) again"), (2, "class A func adopt ( )"), (3, "with func adopted ( ) again")]]
        self.assertEqual(self.planted.put_back("ambiguous use of 'adopt'"), [1])
        self.assertEqual(self.planted.put_back("invalid redeclaration of 'adopt()'"), [1])
        self.assertEqual(self.planted.put_back("expected expression"), [])


class Running(unittest.TestCase):
    """With a program in contextbench's place."""

    def run_of(self, script, seconds=20):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "contextbench"
            program.write_text("#!/bin/bash\nfor out; do :; done\nmkdir -p \"$out\"\n" + script)
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            return runs.run(program, runs.Unit("run", "import", "main-only"), 5, seconds)

    def test_a_green_run_is_not_noticed(self):
        self.assertFalse(self.run_of("exit 0").is_noticed)

    def test_a_check_without_anything_to_do_is_not_noticed(self):
        self.assertFalse(self.run_of("exit 2").is_noticed)

    def test_a_violation_is_noticed_under_its_kinds(self):
        ending = self.run_of(
            "printf 'kind,severity,expected\\nlost-record,error,no\\nwrong-value,error,yes\\nstale-read,warning,no\\n' >$out/violations.csv\n"
            "printf 'ending\\nviolated\\n' >$out/cells.csv\nexit 1")
        self.assertTrue(ending.is_noticed)
        self.assertEqual(ending.kinds, ["lost-record"])

    def test_a_missing_violation_is_noticed(self):
        ending = self.run_of(
            "printf 'kind,severity,expected\\n' >$out/violations.csv\nprintf 'ending\\nviolated\\n' >$out/cells.csv\nexit 1")
        self.assertEqual((ending.is_noticed, ending.kinds), (True, ["expected violation missing"]))

    def test_what_does_not_end_is_noticed(self):
        ending = self.run_of("sleep 1000", seconds=1)
        self.assertEqual((ending.is_noticed, ending.kinds), (True, ["did not end"]))

    def test_the_mutant_is_chosen_by_the_environment(self):
        self.assertEqual(self.run_of("exit $CONTEXTBENCH_MUTANT").status, 5)


class Tree(unittest.TestCase):
    def test_the_switch_has_its_places(self):
        from mutation import tree

        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "copy"
            tree.copy(copy)
            planting.put_switch(copy)
            self.assertIn("_mutated", (copy / "Sources/CRuntime/include/CRuntime.h").read_text())
            self.assertNotIn("treatAllWarnings", (copy / "Package.swift").read_text())


if __name__ == "__main__":
    unittest.main()
