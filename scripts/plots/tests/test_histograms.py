import unittest

from plots import histograms, results, scene
from plots.bad_input import BadInput
from plots.pictures import latency, stalls
from plots.tests import sample

# 1 ns once, 1 ms three times and 2 s twice, as HdrHistogram's library for Python writes them.
ENCODED = "HISTFAAAACp4nJNpmSzMwMDAxQABzFCaEch0M9ixgMH+A1SAae86RraF6xlZAIpWBx8="
LOG = f"""#[Histogram log format version 1.3]
#[StartTime: 0.000 (seconds since epoch)]
"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
Tag=heartbeat/stall/main,0.000,1.000,2000.000,{ENCODED}
"""


class HistogramTests(unittest.TestCase):
    def read(self, text):
        with sample.folder() as folder:
            (folder / "0.hlog").write_text(text, encoding="utf-8")
            return histograms.read(folder / "0.hlog")

    def test_a_log_of_another_library_is_read(self):
        histogram = self.read(LOG)["heartbeat/stall/main"]
        self.assertEqual(histogram.total, 6)
        self.assertEqual([count for _, count in sorted(histogram.counts.items())], [1, 3, 2])
        for value, wanted in zip(sorted(histogram.counts), [1, 1e6, 2e9]):
            self.assertLess(abs(value - wanted), wanted / 1000 + 1)
        self.assertLess(abs(histogram.quantile(0.5) - 1e6), 1e3)
        self.assertIsNone(histogram.quantile(0.99))

    def test_entries_of_one_tag_are_joined(self):
        self.assertEqual(self.read(LOG + LOG)["heartbeat/stall/main"].total, 12)

    def test_a_damaged_log_is_refused_with_its_line(self):
        for part, change in [(ENCODED, ENCODED[:-8]), (ENCODED, "!"), ("HISTFA", "HISTEw"), (",2000.000", "")]:
            with self.assertRaises(BadInput) as caught:
                self.read(LOG.replace(part, change))
            self.assertIn("0.hlog: line 4 holds no histogram", str(caught.exception))

    def test_a_scene_joins_the_ticks_of_its_repetitions_and_draws_them(self):
        with sample.folder() as folder:
            run = sample.write_run(folder / "run")
            (run / "histograms").mkdir()
            for cell in range(12):
                (run / "histograms" / f"{cell}.hlog").write_text(LOG, encoding="utf-8")
            one = scene.scenes(results.load(run))[0]
            self.assertEqual(stalls._ticks(one, "save every 5", "parent-child").total, 18)
            files = stalls.draw(one, run / "pictures")
            self.assertIn("number of ticks", files[1].read_text(encoding="utf-8"))
            # A cell without its log leaves the histogram incomplete, so there is none.
            (run / "histograms" / "1.hlog").unlink()
            self.assertIsNone(stalls._ticks(one, "save every 5", "parent-child"))

    def test_percentiles_of_operations_come_from_all_histograms_together(self):
        with sample.folder() as folder:
            run = sample.write_run(folder / "run")
            (run / "histograms").mkdir()
            tags = [("import", "save", "worker"), ("import", "page-fetch", "main")]
            log = "".join(LOG.replace("heartbeat/stall/main", histograms.tag(*words)) for words in tags)
            for cell in range(12):
                (run / "histograms" / f"{cell}.hlog").write_text(log, encoding="utf-8")
            one = scene.scenes(results.load(run))[0]
            timings = one.timings[one.timings["variant"] == "save every 5"]
            table = latency._of_histograms(one, timings)
            row = table.loc[("import", "save", "worker", "parent-child")]
            self.assertLess(abs(row["latency_ns_p50"] - 1e-3), 1e-6)
            self.assertTrue(row["latency_ns_p90"] != row["latency_ns_p90"])
            self.assertLess(abs(row["latency_ns_max"] - 2), 2e-3)
            self.assertEqual(list(table.index), list(latency._of_columns(timings).index))

    def test_tags_have_no_blanks_and_commas(self):
        self.assertEqual(histograms.tag("a phase", "b,c", "main"), "a-phase/b-c/main")
