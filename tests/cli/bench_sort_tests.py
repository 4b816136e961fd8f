"""gpuhmm bench sort: a table as text, JSON and SVG."""

import json
import xml.etree.ElementTree

from harness import CommandLineTest

STAGES = [
    "GPU selection",
    "transfer",
    "extra costs",
    "index counting",
    "index transformation",
    "distribution",
    "copying back",
]


class BenchSortTests(CommandLineTest):
    def stages(self, device):
        """Table 6 of a run: its JSON and the text."""
        run, plots = self.path("run.json"), self.path("plots")
        words = ["--table", "6", "--device", device, "--runs", 1, "--quiet", "--json", run, "--plots", plots]
        done = self.gpuhmm("bench", "sort", *words)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        (table,) = json.loads(run.read_text())["tables"]
        self.assertEqual([row[0] for row in table["rows"]], STAGES)
        return table, done.stdout.decode()

    def test_stages_on_a_device(self):
        table, text = self.stages("pthread")
        names = [(column["name"], column["origin"]) for column in table["columns"][:3]]
        self.assertEqual(names, [("stage", "setting"), ("set 1", "published"), ("set 1", "measured")])
        for row in table["rows"]:
            self.assertEqual(row[2]["runs"], 1)
            self.assertGreater(row[2]["median"], 0)
        self.assertEqual(table["rows"][5][1], 0.034)
        self.assertIn("with --full", table["rows"][5][4]["absent"])
        self.assertIn("Table 6: ", text)
        plot = xml.etree.ElementTree.parse(self.path("plots") / "sort-6.svg")
        self.assertTrue(plot.getroot().tag.endswith("svg"))

    def test_published_stages_without_a_device(self):
        table, text = self.stages("none")
        self.assertEqual(table["rows"][5][1:3], [0.034, {"absent": "no OpenCL device"}])
        self.assertIn("no OpenCL device", text)

    def test_larger_sets_are_left_out_of_full_tables(self):
        run = self.path("run.json")
        words = ["--table", "rivals", "--device", "none", "--full", "--largest", 1_000_000, "--quiet"]
        done = self.gpuhmm("bench", "sort", *words, "--json", run)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        (table,) = json.loads(run.read_text())["tables"]
        for row in table["rows"]:
            self.assertEqual(row[-4:], [{"absent": "above --largest"}] * 4)

    def test_tables_that_are_not_there(self):
        done = self.gpuhmm("bench", "sort", "--table", "2", "--device", "none")
        self.assert_fails(done, 2, "bench sort has no table 2", "3, 4, 5")
