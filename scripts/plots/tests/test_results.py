import unittest

from plots import results
from plots.bad_input import BadInput
from plots.tests import sample


class ResultsTests(unittest.TestCase):
    def refusal(self, damage):
        """The error for a run after `damage` was done to its folder."""
        with sample.folder() as folder:
            run = sample.write_run(folder / "run")
            damage(run)
            with self.assertRaises(BadInput) as caught:
                results.load(run)
            return str(caught.exception)

    def edit(self, name, old, new, also="", by=""):
        def damage(run):
            text = (run / name).read_text(encoding="utf-8")
            self.assertIn(old, text)
            (run / name).write_text(text.replace(old, new).replace(also, by), encoding="utf-8")

        return damage

    def test_a_run_is_read_with_its_seeds_whole_and_empty_fields_as_not_measured(self):
        with sample.folder() as folder:
            run = results.load(sample.write_run(folder / "run"))
        self.assertEqual(len(run.cells), 12)
        self.assertEqual(set(run.cells["seed"]), {2**63 - 1})
        self.assertTrue(run.cells["main_stall_ns_p99"].isna().all())

    def test_cells_that_only_ran_to_be_compared_with_are_left_out(self):
        with sample.folder() as folder:
            path = sample.write_run(folder / "run")
            lines = (path / "cells.csv").read_text(encoding="utf-8").splitlines(keepends=True)
            lines[1] = lines[1].replace(",,15000", ",base,15000")
            lines[2] = lines[2].replace(",,15000", ",head,15000")
            (path / "cells.csv").write_text("".join(lines), encoding="utf-8")
            run = results.load(path)
        self.assertEqual(list(run.cells["cell"]), list(range(1, 12)))
        self.assertEqual(set(run.timings["cell"]), set(range(1, 12)))

    def test_a_missing_file_is_named(self):
        for name in ["timings.csv", "violations.csv", "columns.json", "manifest.json"]:
            self.assertIn(f"{name}: is missing", self.refusal(lambda run: (run / name).unlink()))

    def test_a_missing_column_is_named(self):
        self.assertIn("has no column floor_ratio", self.refusal(self.edit("cells.csv", ",floor_ratio", ",ratio")))

    def test_an_unknown_column_is_named(self):
        for name in results.COLUMNS:
            self.assertIn(
                f"{name}: has columns that are not known: extra. Draw it with",
                self.refusal(self.edit(name, ",repetition,", ",repetition,extra,", also="\n2,", by="\n2,1,")),
            )

    def test_columns_that_are_not_described_are_reported(self):
        self.assertIn(
            "columns.json: does not say which columns cells.csv has",
            self.refusal(self.edit("columns.json", '"cells.csv"', '"other.csv"')),
        )

    def test_of_another_version_the_version_is_reported_and_not_its_columns(self):
        def change(run):
            self.edit("cells.csv", "\n2,", "\n77,")(run)
            self.edit("cells.csv", ",floor_ratio", ",ratio")(run)

        self.assertIn("has schema version 77, and", self.refusal(change))

    def test_a_line_that_is_cut_off_is_numbered_wherever_it_is_cut(self):
        def cut(run):
            text = (run / "cells.csv").read_text(encoding="utf-8")
            (run / "cells.csv").write_text(text[:-2], encoding="utf-8")

        def drop_a_field(run):
            lines = (run / "timings.csv").read_text(encoding="utf-8").split("\n")
            lines[3] = lines[3].rpartition(",")[0]
            (run / "timings.csv").write_text("\n".join(lines), encoding="utf-8")

        self.assertIn("cells.csv: line 13 is incomplete", self.refusal(cut))
        self.assertIn("timings.csv: line 4 is incomplete", self.refusal(drop_a_field))

    def test_another_schema_version_is_refused(self):
        self.assertIn("has schema version 77, and", self.refusal(self.edit("cells.csv", "\n2,", "\n77,")))
        version = f'"schema_version": {results.SCHEMA_VERSION}'
        self.assertIn(
            "manifest.json: has schema version 77, and",
            self.refusal(self.edit("manifest.json", version, '"schema_version": 77')),
        )

    def test_a_damaged_line_is_numbered(self):
        def cut(run):
            text = (run / "cells.csv").read_text(encoding="utf-8")
            (run / "cells.csv").write_text(text[: text.rindex("9223372036854775807")], encoding="utf-8")

        self.assertIn("line 13 is incomplete", self.refusal(cut))

    def test_text_that_is_not_csv_or_json_is_refused(self):
        self.assertIn(
            "cannot be read as CSV", self.refusal(lambda run: (run / "cells.csv").write_bytes(b"\xff\xfe\x00"))
        )
        self.assertIn("cannot be read as CSV", self.refusal(lambda run: (run / "cells.csv").write_text("")))
        self.assertIn("cannot be read as JSON", self.refusal(lambda run: (run / "manifest.json").write_text("{")))
        self.assertIn("does not name its run", self.refusal(lambda run: (run / "manifest.json").write_text("[]")))

    def test_numbers_that_are_text_are_refused(self):
        self.assertIn("floor_ratio", self.refusal(self.write_a_word))

    def write_a_word(self, run):
        lines = (run / "cells.csv").read_text(encoding="utf-8").split("\n")
        place = lines[0].split(",").index("floor_ratio")
        fields = lines[1].split(",")
        fields[place] = "fast"
        (run / "cells.csv").write_text("\n".join([lines[0], ",".join(fields), *lines[2:]]), encoding="utf-8")
