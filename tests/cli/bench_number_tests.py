"""gpuhmm bench subsequence and gpuhmm bench reduce: tables as text, JSON and SVG."""

import json
import xml.etree.ElementTree

from harness import CommandLineTest


class BenchNumberTests(CommandLineTest):
    def bench(self, name, table, device, *words):
        """The text and the JSON of a quick run of one table, whose plot is well-formed."""
        done = self.gpuhmm(
            "bench", name, "--table", table, "--device", device, "--runs", 1, "--cpu", 2, "-q",
            "--json", self.path("run.json"), "--plots", self.path("plots"), *words,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        plot = xml.etree.ElementTree.parse(self.path("plots") / f"{name}-{table}.svg")
        self.assertTrue(plot.getroot().tag.endswith("svg"))
        (measured,) = json.loads(self.path("run.json").read_text())["tables"]
        self.assertEqual(measured["id"], table)
        for row in measured["rows"]:
            self.assertEqual(len(row), len(measured["columns"]))
        return done.stdout.decode(), measured

    def test_kernels_of_the_published_subsequence(self):
        text, table = self.bench("subsequence", "groups", "pthread")
        self.assertIn("Table groups: ", text)
        self.assertEqual([row[0] for row in table["rows"]], [16, 32, 64, 128, 256, 512, 1024])
        for row in table["rows"]:
            for cell in row[1:]:
                self.assertTrue("absent" in cell or cell["median"] > 0, cell)
        self.assertGreater(table["rows"][1][1]["median"], 0)

    def test_threads_of_the_host_need_no_device(self):
        _, table = self.bench("subsequence", "threads", "none")
        self.assertEqual([row[0] for row in table["rows"]], [1, 2])
        for row in table["rows"]:
            self.assertTrue(all(cell["median"] > 0 for cell in row[1:]))

    def test_longer_vectors_are_left_out(self):
        _, table = self.bench("subsequence", "figure-2", "none", "--full", "--largest", 1500)
        self.assertEqual([row[0] for row in table["rows"]], [500, 1000])

    def test_shorter_vectors_are_left_out_too(self):
        _, table = self.bench("subsequence", "figure-2", "none", "--smallest", 900, "--largest", 1500)
        self.assertEqual([row[0] for row in table["rows"]], [1000])

    def test_a_method_above_the_limit_has_its_predicted_time(self):
        _, table = self.bench("subsequence", "figure-2", "none", "--largest", 2000, "--limit", 0.001)
        first, last = table["rows"][0], table["rows"][-1]
        self.assertGreater(first[1]["median"], 0)
        self.assertRegex(last[1]["absent"], r"^predicted [0-9.]+ s, above --limit$")

    def test_the_ladder_of_reductions(self):
        _, table = self.bench("reduce", "ladder", "pthread")
        self.assertEqual(len(table["rows"]), 11)
        self.assertTrue(all(row[3]["median"] > 0 and row[5]["median"] > 0 for row in table["rows"]))

    def test_histograms_count_the_runs_of_the_host_without_a_device(self):
        text, table = self.bench("reduce", "2.1", "none")
        self.assertIn("no OpenCL device", text)
        self.assertEqual(sum(row[1] for row in table["rows"]), 1)
        self.assertEqual(table["rows"][0][2], {"absent": "no OpenCL device"})
