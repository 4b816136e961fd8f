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

    def test_words_of_an_item_and_work_groups_are_parameters(self):
        run = self.path("run.json")
        words = ["--device", "pthread", "--runs", 1, "--quiet", "--words-per-item", 7, "--work-group", 96]
        done = self.gpuhmm("bench", "sort", "--table", "3,4,6", *words, "--json", run)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        by_words, by_group, stages = json.loads(run.read_text())["tables"]
        self.assertEqual([row[0] for row in by_words["rows"]], [1, 5, 25, 7])
        self.assertEqual([row[0] for row in by_group["rows"]], [192, 256, 384, 768, 96])
        for table, others in ((by_words, "Work-groups of 96."), (by_group, "Words a work-item: 7.")):
            self.assertEqual(table["rows"][-1][1], {"absent": "not in the publication"})
            self.assertGreater(table["rows"][-1][2]["median"], 0)
            self.assertIn(others, table["notes"][-1])
        self.assertIn("Words a work-item: 7; work-groups of 96.", stages["notes"][1])

    def test_a_work_group_that_the_device_does_not_take(self):
        words = ["--table", "6", "--device", "pthread", "--runs", 1, "--quiet", "--work-group", 65536]
        done = self.gpuhmm("bench", "sort", *words)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn("needs 65,536 work-items in a work-group; the device takes", done.stdout.decode())

    def test_smaller_sets_are_left_out(self):
        run = self.path("run.json")
        words = ["--table", "rivals", "--device", "none", "--smallest", 2_000_000, "--quiet"]
        done = self.gpuhmm("bench", "sort", *words, "--json", run)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        (table,) = json.loads(run.read_text())["tables"]
        self.assertEqual(table["rows"][0][-1], {"absent": "below --smallest"})

    def test_wrong_parameters(self):
        for words, message in (
            (["sort", "--words-per-item", 0], "option '--words-per-item' expects"),
            (["sort", "--words-per-item", "few"], "the argument ('few') for option '--words-per-item' is invalid"),
            (["sort", "--work-group", 65537], "option '--work-group' expects 1 to 65536"),
            (["reduce", "--work-group", 64], "--work-group is for bench sort; bench reduce does not read it"),
            (["tune", "--words-per-item", 5], "--words-per-item is for bench sort; bench tune does not read it"),
            (["sort", "--limit", 5], "--limit is for bench maximum, bench subsequence; bench sort does not read it"),
            (["sort", "--device", "0,0"], "option '--device' expects one device"),
        ):
            self.assert_fails(self.gpuhmm("bench", *words), 2, message)

    def test_tables_that_are_not_there(self):
        done = self.gpuhmm("bench", "sort", "--table", "2", "--device", "none")
        self.assert_fails(done, 2, "bench sort has no table 2", "3, 4, 5")
