"""`gpuhmm bench ladder`: tables, JSON and drawings of the optimisations of a Viterbi kernel."""

import json
import xml.etree.ElementTree as ElementTree

from harness import TESTDATA, CommandLineTest


class BenchLadderTests(CommandLineTest):
    def bench(self, *words):
        done = self.gpuhmm("bench", "ladder", "--quiet", "--runs", 1, *words)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def test_tables_json_and_drawings(self):
        printed = self.bench("--device", "pthread", "--table", "10.2,10.5", "--json", "ladder.json",
                             "--plots", "plots")  # fmt: skip
        self.assertIn("Table 10.2: optimisations step by step", printed)
        run = json.loads(self.path("ladder.json").read_text())
        self.assertEqual(run["experiment"], "ladder")
        steps, memory = run["tables"]
        self.assertEqual((steps["id"], memory["id"]), ("10.2", "10.5"))
        self.assertEqual([column["origin"] for column in steps["columns"]],
                         ["setting", "published", "measured", "derived"])  # fmt: skip
        self.assertEqual([row[0] for row in steps["rows"]][:3], ["basic", "1", "1+2"])
        self.assertEqual(steps["rows"][0][1], 220.85)
        for row in steps["rows"]:
            self.assertGreater(row[2]["median"], 0, row[0])
        for table in ("10.2", "10.5"):
            root = ElementTree.parse(self.path(f"plots/ladder-{table}.svg")).getroot()
            self.assertTrue(root.tag.endswith("svg"))

    def test_without_a_device_the_reasons_are_told(self):
        printed = self.bench("--device", "none", "--table", "8.1")
        self.assertIn("no OpenCL device", printed)
        self.assertIn("97.34", printed)

    def test_real_profiles_and_sequences(self):
        sequences = self.path("long.fa", "".join(f">s{i}\n{'ACDEFGHIKLMNPQRSTVWY' * 30}\n" for i in range(5)))
        printed = self.bench("--device", "pthread", "--table", "8.1,7.1", "--database", sequences,
                             "--profiles", TESTDATA / "hmm/Pkinase_ls.hmm")  # fmt: skip
        self.assertIn("the file of profiles has none of this name", printed)
        self.assertIn(f"Drawn from {sequences}.", printed)
