"""gpuhmm bench NAME --plots: every table of every experiment is drawn as a well-formed SVG file."""

import xml.etree.ElementTree

from harness import CommandLineTest

SVG = "{http://www.w3.org/2000/svg}"


class BenchPlotsTests(CommandLineTest):
    def plots(self, name, *words):
        """Draws all tables of an experiment, with small data, on the host: the roots of the files by table."""
        done = self.gpuhmm("bench", name, "--device", "none", "--runs", 1, "-q", "--plots", self.path("plots"), *words)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        tables = [line.split(":")[0].removeprefix("Table ") for line in done.stdout.decode().splitlines()
                  if line.startswith("Table ")]  # fmt: skip
        files = {path.name for path in self.path("plots").iterdir()}
        self.assertEqual(files, {f"{name}-{table}.svg" for table in tables})
        roots = {table: xml.etree.ElementTree.parse(self.path("plots") / f"{name}-{table}.svg").getroot()
                 for table in tables}  # fmt: skip
        for table, root in roots.items():
            self.assertEqual(root.tag, SVG + "svg", table)
            self.assertGreater(float(root.get("width")), 0, table)
            self.assertTrue([text.text for text in root.iter(SVG + "text")], table)
        return roots

    def marks(self, root):
        """The lines and bars of a plot."""
        return len(list(root.iter(SVG + "polyline"))) + len(list(root.iter(SVG + "rect")))

    def test_ladder(self):
        roots = self.plots("ladder")
        self.assertGreater(self.marks(roots["8.1"]), 20)

    def test_maximum(self):
        roots = self.plots("maximum", "--largest", 512)
        self.assertGreater(self.marks(roots["6.5"]), 1)

    def test_sort(self):
        roots = self.plots("sort", "--largest", 1_000)
        self.assertGreater(self.marks(roots["6"]), 20)

    def test_subsequence(self):
        roots = self.plots("subsequence", "--largest", 500)
        self.assertGreater(self.marks(roots["figure-1"]), 3)

    def test_reduce(self):
        roots = self.plots("reduce")
        self.assertGreater(self.marks(roots["means"]), 3)
