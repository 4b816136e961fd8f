"""gpuhmm bench maximum: its tables as text, JSON and SVG."""

import json
import os
import xml.etree.ElementTree

from harness import CommandLineTest


class BenchMaximumTests(CommandLineTest):
    def bench(self, device, table, *words):
        """The JSON of one table and the text."""
        done = self.gpuhmm(
            "bench", "maximum", "--table", table, "--device", device, "--runs", 1, "--quiet",
            "--json", self.path("run.json"), "--plots", self.path("plots"), *words,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        run = json.loads(self.path("run.json").read_text())
        return run["tables"], done.stdout.decode()

    def test_a_device_gives_figures_json_and_a_plot(self):
        tables, text = self.bench("pthread", "submatrix-branches")
        self.assertEqual([table["id"] for table in tables], ["submatrix-branches"])
        sets = [row[0] for row in tables[0]["rows"]]
        self.assertEqual(sets, ["random", "positive", "negative", "in-step", "out-of-step"])
        for row in tables[0]["rows"]:
            self.assertTrue(all(cell["median"] > 0 and cell["runs"] == 1 for cell in row[1:6]), row)
            self.assertGreater(row[6], 0)
        self.assertIn("Table submatrix-branches: Maximum submatrix, divergent and uniform branches", text)
        plot = xml.etree.ElementTree.parse(self.path("plots") / "maximum-submatrix-branches.svg")
        self.assertTrue(plot.getroot().tag.endswith("svg"))

    def test_without_a_device_the_published_and_the_hosts_figures_stand(self):
        tables, text = self.bench("none", "6.2,figure-6.2")
        self.assertEqual([table["id"] for table in tables], ["6.2", "figure-6.2"])
        columns = {column["name"]: i for i, column in enumerate(tables[0]["columns"])}
        first = tables[0]["rows"][0]
        self.assertEqual(first[columns["2 GPUs"]], 0.147)
        self.assertGreater(first[columns["S-seq"]]["median"], 0)
        self.assertEqual(first[columns["S-shared"]], {"absent": "no OpenCL device"})
        self.assertEqual(tables[0]["rows"][-1][columns["S-seq"]], {"absent": "with --full"})
        self.assertIn("no OpenCL device", text)
        self.assertTrue((self.path("plots") / "maximum-figure-6.2.svg").exists())

    def test_larger_sizes_are_left_out_of_full_tables(self):
        words = ["--full", "--largest", 512]
        tables, _ = self.bench("none", "6.5,6.1", *words)
        columns = {column["name"]: i for i, column in enumerate(tables[1]["columns"])}
        rows = [(row[0], row[columns["M-seq, transposed"]]) for row in tables[1]["rows"]]
        self.assertEqual(rows[0][0], 512)
        self.assertGreater(rows[0][1]["median"], 0)
        self.assertEqual({str(cell) for _, cell in rows[1:]}, {"{'absent': 'above --largest'}"})
        columns = {column["name"]: i for i, column in enumerate(tables[0]["columns"])}
        absent = {str(row[columns["S-seq"]]) for row in tables[0]["rows"]}
        self.assertEqual(absent, {"{'absent': 'above --largest'}"})

    def test_runs_above_the_limit_have_their_predicted_time(self):
        (table,), _ = self.bench("none", "6.5", "--full", "--largest", 1024, "--limit", 0.001)
        columns = {column["name"]: i for i, column in enumerate(table["columns"])}
        for name in ("M-seq, row-major", "M-seq, transposed"):
            measured, predicted = (row[columns[name]] for row in table["rows"][:2])
            self.assertGreater(measured["median"], 0)
            self.assertRegex(predicted["absent"], r"^predicted [0-9.]+ s, above --limit$")
            seconds = float(predicted["absent"].split()[1])
            self.assertAlmostEqual(seconds / (8 * measured["median"]), 1, delta=0.06)  # n^3, two digits

    def test_one_to_four_devices_share_a_vector(self):
        run = self.path("run.json")
        words = ["--table", "figure-6.2", "--device", "0,1,2,3", "--runs", 1, "-q", "--largest", 100_000]
        devices = {**os.environ, "POCL_DEVICES": "pthread pthread pthread pthread"}
        done = self.gpuhmm("bench", "maximum", *words, "--json", run, env=devices)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        (table,) = json.loads(run.read_text())["tables"]
        names = [column["name"] for column in table["columns"]]
        for count in ("1 device", "2 devices", "3 devices", "4 devices"):
            self.assertGreater(table["rows"][0][names.index(f"S-shared, {count}")]["median"], 0)

    def test_fewer_devices_than_a_table_needs(self):
        (table,), _ = self.bench("pthread", "6.4", "--largest", 100_000)
        absent = [cell["absent"] for cell in table["rows"][0] if isinstance(cell, dict) and "absent" in cell]
        self.assertEqual(set(absent), {"needs 4 devices; the run has 1"})

    def test_an_unknown_table_is_refused(self):
        done = self.gpuhmm("bench", "maximum", "--table", "6.7", "--device", "none")
        self.assert_fails(done, 2, "has no table 6.7", "6.1, 6.2")
