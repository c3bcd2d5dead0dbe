import contextlib
import io
import json
import re
import shutil
import unittest
from unittest import mock
from xml.etree import ElementTree

from matplotlib import pyplot

from plots import __main__ as command
from plots import histograms, style
from plots.pictures import stalls
from plots.tests import sample


class PicturesTests(unittest.TestCase):
    def draw(self, *folders):
        """Exit code, files printed and messages of scripts/plot."""
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = command.main([str(folder) for folder in folders])
        return status, output.getvalue().split(), errors.getvalue()

    def test_a_run_gets_every_picture_as_png_and_svg(self):
        with sample.folder() as folder:
            status, files, errors = self.draw(sample.write_run(folder / "run"))
            names = sorted(file.name for file in (folder / "run/pictures").iterdir())
            self.assertEqual((status, errors), (0, ""))
            self.assertEqual(len(files), len(names))
            stems = [
                "import-latency-save-every-5",
                "import-latency-save-every-500",
                "import-load",
                "import-safety",
                "import-stalls",
                "import-throughput",
                "import-time",
            ]
            self.assertEqual(names, sorted(f"{stem}.{ending}" for stem in stems for ending in ["png", "svg"]))
            for file in folder.glob("run/pictures/*.png"):
                self.assertEqual(file.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_a_picture_that_is_interrupted_leaves_the_one_before_and_no_traceback(self):
        with sample.folder() as folder:
            run = sample.write_run(folder / "run")
            self.draw(run)
            before = {file.name: file.read_bytes() for file in (run / "pictures").iterdir()}

            def interrupted(figure, path, **rest):
                path.write_bytes(b"half of it")
                raise KeyboardInterrupt

            with mock.patch.object(pyplot.Figure, "savefig", interrupted):
                status, files, errors = self.draw(run)
            self.assertEqual((status, files, errors), (130, [], ""))
            self.assertEqual({file.name: file.read_bytes() for file in (run / "pictures").iterdir()}, before)

    def test_a_full_disk_ends_with_6_and_its_reason(self):
        with sample.folder() as folder:
            full = OSError(28, "No space left on device", "time.png")
            with mock.patch.object(pyplot.Figure, "savefig", side_effect=full):
                status, files, errors = self.draw(sample.write_run(folder / "run"))
            self.assertEqual((status, files), (6, []))
            self.assertEqual(errors, "time.png: cannot be written: No space left on device\n")

    def test_svg_is_well_formed_refers_to_itself_only_and_shares_no_name_with_other_pictures(self):
        with sample.folder() as folder:
            self.draw(sample.write_run(folder / "run"))
            seen = set()
            for file in folder.glob("run/pictures/*.svg"):
                text = file.read_text(encoding="utf-8")
                root = ElementTree.fromstring(text)
                self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
                self.assertTrue(text.startswith("<svg"))
                self.assertNotIn("<style", text)
                self.assertEqual(root.get("data-scenario"), "import")
                self.assertIn(f"import-{root.get('data-picture')}", file.name)
                names = [element.get("id") for element in root.iter() if element.get("id")]
                self.assertEqual(len(names), len(set(names)))
                self.assertTrue(seen.isdisjoint(names))
                seen.update(names)
                references = re.findall(r'href="([^"]*)"|url\(([^)]*)\)', text)
                for reference in ("".join(pair) for pair in references):
                    self.assertIn(reference.removeprefix("#"), names)
                    self.assertTrue(reference.startswith("#"))
                written = "".join(root.itertext())
                self.assertIn("notification-merge", written)
                self.assertIn("Model <9000> & more", written)

    def test_the_same_run_gives_the_same_svg(self):
        with sample.folder() as folder:
            run = sample.write_run(folder / "run")
            self.draw(run)
            first = {file.name: file.read_text(encoding="utf-8") for file in run.glob("pictures/*.svg")}
            shutil.rmtree(run / "pictures")
            self.draw(run)
            self.assertEqual(
                first, {file.name: file.read_text(encoding="utf-8") for file in run.glob("pictures/*.svg")}
            )

    def test_what_was_not_measured_is_not_drawn_and_that_is_said(self):
        with sample.folder() as folder:
            run = sample.write_run(folder / "run", main_stall_ns_max="", floor_ratio="")
            status, files, errors = self.draw(run)
            self.assertEqual(status, 0)
            self.assertFalse(any("stalls" in file for file in files))
            self.assertIn("nothing was measured for import: stalls of the main thread", errors)
            self.assertTrue((run / "pictures/import-throughput.svg").exists())

    def written(self, run, picture):
        return " ".join(ElementTree.parse(run / f"pictures/{picture}.svg").getroot().itertext())

    def test_a_noisy_machine_is_marked(self):
        with sample.folder() as folder:
            run = sample.write_run(folder / "run")
            path = run / "manifest.json"
            manifest = json.loads(path.read_text(encoding="utf-8"))
            for noise, mark in [
                ({"others_share": 0.04, "steal_share": 0.01}, ""),
                ({"probe_seconds_median": 1, "probe_seconds_p90": 1.09}, ""),
                ({"others_share": 0.2, "steal_share": 0.03}, "noisy machine: others 20 %, host 3 %"),
                ({"probe_seconds_median": 1, "probe_seconds_p90": 1.5}, "noisy machine: slower work 50 %"),
            ]:
                path.write_text(json.dumps(manifest | {"noise_during": noise}), encoding="utf-8")
                self.draw(run)
                for picture in ["time", "stalls", "throughput", "safety", "latency-save-every-5"]:
                    written = self.written(run, f"import-{picture}")
                    self.assertEqual(mark in written and "noisy" in written, bool(mark))

    def test_latency_is_no_higher_than_wide_and_has_no_empty_rows(self):
        with sample.folder() as folder:
            strategies = [f"strategy-{number}" for number in range(9)]
            operations = [(f"operation-{number}", "worker") for number in range(7)]
            run = sample.write_run(folder / "run", strategies=strategies, operations=operations, rare="operation-3")
            self.draw(run)
            pages = sorted(run.glob("pictures/import-latency-save-every-5-*.svg"))
            self.assertEqual(len(pages), 2)
            for page in pages:
                width, height = (
                    float(part) for part in ElementTree.parse(page).getroot().get("viewBox").split(" ")[2:]
                )
                self.assertLessEqual(height, width)
            first, second = (self.written(run, page.stem) for page in pages)
            self.assertIn("1 of 2", first)
            self.assertIn("operation-6", second)
            self.assertNotIn("operation-6", first)
            # Two lines of panels name their rows once each, and the one panel that has fewer names its own.
            self.assertEqual(first.count("strategy-8"), 2)
            self.assertEqual(first.count("strategy-0"), 3)
            self.assertIn("Missing percentiles had too few operations: 99.9 % from 10,000 operations on", first)

    def test_a_tick_is_late_from_a_frame_on(self):
        frame = 1_000_000_000 // 60
        ticks = histograms.Histogram({10: 6, frame - 1: 1, frame + 1: 2, 10 * frame: 1})
        self.assertEqual(stalls._late_share(ticks), 0.3)
        self.assertEqual([stalls._percent(share) for share in [0, 0.0001, 0.3]], ["0 %", "<0.1 %", "30.0 %"])

    def test_a_stall_is_labelled_behind_its_last_bar(self):
        figure, axes = style.panels([1])
        axes[0].set_xscale("log")
        latest = 0.034
        stalls._row(axes[0], 0, histograms.Histogram({int(latest * 1e9): 3}), latest, 3)
        bar = max(collection.get_paths()[0].get_extents().x1 for collection in axes[0].collections)
        self.assertGreater(bar, latest)
        self.assertEqual([text.xy[0] for text in axes[0].texts], [bar])
        pyplot.close(figure)

    def test_only_what_was_seen_is_in_the_key_of_costs(self):
        with sample.folder() as folder:
            run = sample.write_run(folder / "run")
            self.draw(run)
            written = self.written(run, "import-safety")
            self.assertIn("warning, in n of the cells", written)
            self.assertNotIn("violation, in n of the cells", written)

    def test_values_keep_clear_of_the_names_between_panels(self):
        with sample.folder() as folder:
            strategies = ["single-background-writer", "notification-merge"]
            run = sample.write_run(folder / "run", strategies=strategies, rare="save", factor=30)
            gaps = []

            def look(figure, folder, scene, picture, *_):
                if picture != "latency":
                    return []
                figure.canvas.draw()
                for axis in figure.axes:
                    ends = [name.get_window_extent().x1 for name in axis.get_yticklabels() if name.get_text()]
                    starts = [text.get_window_extent().x0 for text in axis.texts]
                    gaps.extend([(min(starts) - max(ends)) / figure.dpi] if ends else [])
                return []

            with mock.patch("plots.style.save", side_effect=look):
                self.draw(run)
            self.assertEqual(len(gaps), 4)
            self.assertGreater(min(gaps), 0.1, "inches")

    def test_main_may_take_longer_than_the_total(self):
        with sample.folder() as folder:
            run = sample.write_run(folder / "run", main_thread_s=9, until_visible_s=1)
            self.assertEqual(self.draw(run)[0], 0)
            self.assertIn("main thread busy, in the whole measured span", self.written(run, "import-time"))

    def test_a_run_without_cells_draws_nothing_and_says_so(self):
        with sample.folder() as folder:
            status, files, errors = self.draw(sample.write_run(folder / "run", repetitions=0))
            self.assertEqual((status, files), (0, []))
            self.assertIn("holds no cells", errors)

    def test_a_single_repetition_and_a_strategy_without_times_are_drawn(self):
        with sample.folder() as folder:
            status, files, _ = self.draw(sample.write_run(folder / "a", repetitions=1))
            self.assertEqual((status, len(files)), (0, 14))
            crashed = sample.write_run(folder / "b", until_visible_s="", main_thread_s="", objects="")
            status, files, errors = self.draw(crashed)
            self.assertEqual(status, 0)
            self.assertIn("nothing was measured for import: total and main-thread time", errors)

    def test_a_folder_of_runs_gets_their_trend(self):
        with sample.folder() as folder:
            for day in range(1, 4):
                sample.write_run(folder / f"2026010{day}-000000-0000", f"2026010{day}-000000-0000", factor=day)
            status, files, errors = self.draw(folder)
            self.assertEqual((status, errors), (0, ""))
            self.assertEqual([file.rsplit("/", 1)[1] for file in files], ["import-trend.png", "import-trend.svg"])
            written = (folder / "pictures/import-trend.svg").read_text(encoding="utf-8")
            self.assertIn("2026-01-03", written)

    def test_a_run_of_another_size_is_left_out_of_the_trend_and_that_is_said(self):
        with sample.folder() as folder:
            for day, objects in [(1, 10), (2, 15_000)]:
                sample.write_run(folder / f"run{day}", f"2026010{day}-000000-0000", objects=objects)
            status, files, errors = self.draw(folder)
            self.assertEqual((status, files), (0, []))
            self.assertIn("run1: import: left out: the newest run did another amount of work", errors)
            self.assertIn("no scenario has two comparable runs", errors)

    def test_a_folder_without_runs_is_refused(self):
        with sample.folder() as folder:
            status, _, errors = self.draw(folder)
            self.assertEqual(status, 64)
            self.assertIn("holds neither cells.csv nor speed.csv nor folders of runs", errors)

    def test_a_damaged_run_is_refused(self):
        with sample.folder() as folder:
            run = sample.write_run(folder / "run")
            (run / "timings.csv").unlink()
            status, _, errors = self.draw(run)
            self.assertEqual(status, 64)
            self.assertIn("timings.csv: is missing", errors)
