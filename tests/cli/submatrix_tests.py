"""gpuhmm submatrix: matrices and images; output files and refused inputs."""

import csv
import gzip
import json
import random
import struct
import zlib
from pathlib import Path

from harness import REPOSITORY, TESTDATA, CommandLineTest

EXAMPLE = """-10 -10 20 -20 -30
5 -20 10 40 10
30 -40 20 -10 -15
-20 4 -5 50 10
10 -20 10 -40 10
"""
ALPHA = TESTDATA / "seq/HBA_HUMAN.fasta"
BETA = TESTDATA / "seq/HBB_HUMAN.fasta"
SHARED = REPOSITORY.parent / "shared/data/matrix"


def npy(kind, rows, columns, values):
    """A .npy file of numbers of this kind ('<i4', '<f8', ...)."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    code = {"i4": "i", "i8": "q", "f4": "f", "f8": "d"}[kind[1:]]
    return (
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(header))
        + header.encode()
        + struct.pack(f"<{len(values)}{code}", *values)
    )


def png(rows):
    """A grey PNG file of 8 bits."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


class SubmatrixTest(CommandLineTest):
    def submatrix(self, *words, **keywords):
        """A run that must succeed quietly; returns its standard output as text."""
        done = self.gpuhmm("submatrix", *words, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def rows(self, *words, **keywords):
        """The lines of the table, split, without comment lines."""
        lines = self.submatrix(*words, **keywords).splitlines()
        return [line.split("\t") for line in lines if not line.startswith("#")]


class InputTests(SubmatrixTest):
    expected = [["1", "1", "2", "3", "4", "3", "3", "110", "12.2222"]]

    def test_text_in_all_forms(self):
        numbers = EXAMPLE.split("\n")
        forms = {
            "plain": EXAMPLE,
            "csv": EXAMPLE.replace(" ", ","),
            "sized": "5 5\n" + EXAMPLE,
            "remarks": "# a remark\n" + "\r\n".join(numbers),
            "packed": gzip.compress(EXAMPLE.encode()),
        }
        for name, content in forms.items():
            with self.subTest(name):
                self.assertEqual(self.rows(self.path(name, content)), self.expected)
        self.assertEqual(self.rows("-", input=EXAMPLE.encode()), self.expected)

    def test_a_first_row_that_could_be_the_size(self):
        text = b"2 2\n1 2\n3 4\n"
        self.assertEqual(self.rows("-", input=text)[0][5:8], ["2", "2", "10"])
        self.assertEqual(self.rows("--no-header", "-", input=text)[0][5:8], ["3", "2", "14"])

    def test_npy(self):
        values = [int(word) for word in EXAMPLE.split()]
        for kind in ("<i4", "<i8", "<f4", "<f8"):
            path = self.path("m.npy", npy(kind, 5, 5, values))
            self.assertEqual(self.rows(path), self.expected)

    def test_images(self):
        pixels = [[10, 10, 10, 10], [10, 200, 201, 10], [10, 202, 203, 10]]
        pgm = "P2\n4 3\n255\n" + "\n".join(" ".join(map(str, row)) for row in pixels)
        expected = [["1", "1", "1", "2", "2", "2", "2", "406", "101.5"]]
        for name, content in (
            ("i.pgm", pgm),
            ("i.png", png(pixels)),
            ("i.pgm.gz", gzip.compress(pgm.encode())),
            ("raw.pgm", b"P5 4 3 255\n" + b"".join(map(bytes, pixels))),
        ):
            with self.subTest(name):
                self.assertEqual(self.rows("--shift", "100", self.path(name, content)), expected)

    def test_fractions_are_exact(self):
        self.assertEqual(self.rows("-", input=b"0.1 0.2 -0.7\n")[0][7], "0.3")
        self.assertEqual(self.rows("--shift", "0.05", "-", input=b"1 2 -7\n")[0][7], "2.90")

    def test_nothing_positive(self):
        self.assertIn("# no rectangle: nothing is positive\n", self.submatrix("-", input=b"-1 0\n-2 -3\n"))
        self.assertEqual(self.submatrix("--format", "json", "-", input=b"-1 0\n"), "")

    def test_extremes_of_64_bits(self):
        path = self.path("m.npy", npy("<i8", 1, 2, [2**63 - 1, 2**63 - 1]))
        self.assertEqual(self.rows(path)[0][7], str(2**64 - 2))


class ShiftTests(SubmatrixTest):
    def test_the_table_shows_the_shift(self):
        text = self.submatrix("--shift", "mean+1", "-", input=b"1 2 9\n")
        self.assertIn("; shift mean+1: 5 subtracted\n", text)

    def test_forms(self):
        for shift, total in (("1", "9"), ("mean", "5"), ("mean-2", "7"), ("mean+1sd", "1"), ("-1", "15")):
            with self.subTest(shift):
                rows = self.rows(f"--shift={shift}", "-", input=b"1 2 9\n")
                self.assertEqual(rows[0][7], total)


class TopTests(SubmatrixTest):
    def test_rectangles_have_no_common_cell(self):
        rows = self.rows("--top", "4", "-", input=b"5 -9 4\n-9 -9 -9\n3 -9 -1\n")
        self.assertEqual([row[7] for row in rows], ["5", "4", "3"])


    def test_least_sum(self):
        text = b"5 -9 4\n-9 -9 -9\n3 -9 -1\n"
        rows = self.rows("--top", "4", "--min-score", "3.5", "-", input=text)
        self.assertEqual([row[7] for row in rows], ["5", "4"])
        self.assertIn("# no rectangle: no sum is at least 6\n", self.submatrix("--min-score", "6", "-", input=text))


def best_rectangle(matrix, taken):
    """(sum, top, left, bottom, right) of the best rectangle without taken cells, by its definition."""
    best = None
    for top in range(len(matrix)):
        for bottom in range(top, len(matrix)):
            for left in range(len(matrix[0])):
                for right in range(left, len(matrix[0])):
                    cells = {(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)}
                    if cells & taken:
                        break
                    total = sum(matrix[r][c] for r, c in cells)
                    key = (-total, bottom, -top, right, -left)
                    if total > 0 and (best is None or key < best):
                        best = key
    return best and (-best[0], -best[2], -best[4], best[1], best[3])


class AllTests(SubmatrixTest):
    """--all against its definition, and the options that go with it."""

    def found(self, matrix, *words):
        text = "\n".join(" ".join(map(str, row)) for row in matrix) + "\n"
        rows = self.rows("--all", "--no-header", *words, "-", input=text.encode())
        self.assertEqual([int(row[0]) for row in rows], list(range(1, len(rows) + 1)))
        return [tuple(map(int, (row[7], *row[1:5]))) for row in rows]

    def expected(self, matrix):
        taken, found = set(), []
        while (best := best_rectangle(matrix, taken)) is not None:
            found.append(best)
            _, top, left, bottom, right = best
            taken |= {(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)}
        return found

    def test_definition(self):
        generator = random.Random(16)
        for rows, columns, size in ((5, 6, 1), (6, 5, 9), (1, 9, 2), (9, 1, 2), (4, 4, 3)):
            matrix = [[generator.randint(-size, size) for _ in range(columns)] for _ in range(rows)]
            with self.subTest(matrix):
                self.assertEqual(self.found(matrix, "--device", "none"), self.expected(matrix))
                self.assertEqual(self.found(matrix, "--device", "pthread,pthread"), self.expected(matrix))

    def test_one_row_has_the_segments_of_the_vector(self):
        generator = random.Random(17)
        numbers = [generator.randint(-3, 3) for _ in range(2000)]
        text = self.path("v.txt", " ".join(map(str, numbers)) + "\n")
        done = self.gpuhmm("segments", "--numbers", "--all", "--format", "json", text)
        segments = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertGreater(len(segments), 50)
        expected = sorted((-s["sum"], s["start"], s["end"]) for s in segments)
        found = self.found([numbers])
        self.assertEqual([(-total, left, right) for total, _, left, _, right in found], expected)

    def test_equal_sums(self):
        self.assertEqual(self.found([[5, -5, 3, 4]]), [(7, 0, 2, 0, 3), (5, 0, 0, 0, 0)])
        rows = self.rows("--top", "9", "-", input=b"5 -5 3 4\n")
        self.assertEqual([row[1:5] for row in rows], [["0", "0", "0", "3"]])

    def test_limits(self):
        matrix = [[9, -50, 7, -50, 5], [-50] * 5, [3, -50, 2, -50, 1]]
        for words, sums in (
            ((), [9, 7, 5, 3, 2, 1]),
            (("--top", "2"), [9, 7]),
            (("--min-score", "3"), [9, 7, 5, 3]),
            (("--min-score", "2.5", "--top", "9"), [9, 7, 5, 3]),
            (("--min-score", "-4"), [9, 7, 5, 3, 2, 1]),
            (("--min-score", "10"), []),
        ):
            with self.subTest(words):
                self.assertEqual([row[0] for row in self.found(matrix, *words)], sums)

    def test_json_has_all_digits(self):
        wide = b"6613622331535734217 4536857206655074959 8633810303206213535 -1"
        self.assertIn('"sum":19784289841397022711,', self.submatrix("--format", "json", "-", input=wide))
        shifted = self.submatrix("--shift", "mean", "--format", "json", "-", input=b"-4 9223372036854775807 5000")
        self.assertIn('"subtracted":3074457345618260268,', shifted)

    def test_nothing_positive(self):
        self.assertEqual(self.found([[-1, 0], [0, -3]]), [])
        self.assertIn("# no rectangle: nothing is positive\n", self.submatrix("--all", "-", input=b"-1 0\n"))
        self.assertIn("# no rectangle", self.submatrix("--all", "-", input=b""))

    def test_json_and_plot(self):
        path = self.path("m.txt", EXAMPLE)
        text = self.submatrix("--all", "--format", "json", "--plot", "p.svg", path)
        objects = [json.loads(line) for line in text.splitlines()]
        self.assertEqual([row[7] for row in self.rows("--all", path)], [str(o["sum"]) for o in objects])
        self.assertEqual(self.path("p.svg").read_text().count('class="rectangle"'), len(objects))

    def test_sheared_dot_plot(self):
        rows = self.rows("--dotplot", "--diagonal", "--all", "--min-score", "49", ALPHA, BETA)
        expected = ["48 141 53 146 5 5 213", "24 47 23 46 -1 -1 53", "3 18 4 19 1 1 49"]
        self.assertEqual([row[1:8] for row in rows], [line.split() for line in expected])

    def test_extremes_of_64_bits(self):
        high, low = 2**63 - 1, -(2**63)
        path = self.path("m.npy", npy("<i8", 2, 3, [high, low, high, high, 0, 1]))
        rows = self.rows("--all", path)
        self.assertEqual([row[7] for row in rows], [str(2 * high), str(high + 1)])


class OutputTests(SubmatrixTest):
    def test_json(self):
        text = self.submatrix("--format", "json", "--top", "2", self.path("m.txt", EXAMPLE))
        first, second = map(json.loads, text.splitlines())
        self.assertEqual(first["sum"], 110)
        self.assertEqual((first["top"], first["left"], first["bottom"], first["right"]), (1, 2, 3, 4))
        self.assertEqual(second["rank"], 2)

    def test_file_and_plots(self):
        path = self.path("m.txt", EXAMPLE)
        for plot, begins in (("p.svg", b"<?xml "), ("p.png", b"\x89PNG\r\n")):
            self.assertEqual(self.submatrix("-o", "table", "--plot", plot, path), "")
            self.assertTrue(self.path(plot).read_bytes().startswith(begins))
        self.assertIn("\t110\t", self.path("table").read_text())
        self.assert_only("m.txt", "p.png", "p.svg", "table")

    def test_plot_of_nothing(self):
        for plot in ("p.svg", "p.png"):
            self.assertIn("no rectangle", self.submatrix("--plot", plot, "-", input=b""))

    def test_devices_give_the_same(self):
        path = self.path("m.txt", EXAMPLE)
        expected = self.submatrix("--device", "none", path)
        for device in ("pthread", "auto", "pthread,pthread"):
            self.assertEqual(self.submatrix("--device", device, path), expected)


class RefusalTests(SubmatrixTest):
    def test_usage(self):
        path = self.path("m.txt", EXAMPLE)
        for words, mention in (
            ((), "missing argument"),
            ((path, path), "--dotplot"),
            (("--dotplot", path), "two files"),
            (("--diagonal", path), "--dotplot"),
            (("--dotplot", "-", "-"), "standard input"),
            (("--shift", "median", path), "median"),
            (("--top", "0", path), "--top"),
            (("--top", "x", path), "--top"),
            (("--all", "--top", "0", path), "--top"),
            (("--min-score", "much", path), "--min-score"),
            (("--format", "xml", path), "tsv or json"),
            (("--plot", "p.gif", path), ".svg or .png"),
            (("--plot", "m.txt.svg", "-o", "m.txt.svg", path), "two outputs"),
            (("-o", path, path), "input"),
            (("--cpu", "-1", path), "--cpu"),
        ):
            with self.subTest(words):
                self.assert_fails(self.gpuhmm("submatrix", *words), 2, mention)
        self.assert_only("m.txt")

    def test_bad_input_leaves_no_output(self):
        wrong = {
            "words": b"1 2\n3 x\n",
            "ragged": b"1 2\n3\n",
            "nan": b"1 2\n3 nan\n",
            "infinite.npy": npy("<f8", 1, 2, [1.0, float("inf")]),
            "cut.pgm": b"P5 9 9 255\n123",
            "cut.png": png([[1, 2], [3, 4]])[:40],
            "cut.gz": gzip.compress(EXAMPLE.encode())[:20],
            "cube.npy": npy("<i4", 2, 2, [1, 2, 3, 4]).replace(b"(2, 2), }", b"(1,2,2),}"),
        }
        for name, content in wrong.items():
            with self.subTest(name):
                path = self.path(name, content)
                done = self.gpuhmm("submatrix", "-o", "out", "--plot", "p.svg", path)
                self.assert_fails(done, 1, path)
                path.unlink()
                self.assert_only()
        self.assert_fails(self.gpuhmm("submatrix", "absent"), 1, "absent")

    def test_more_than_one_protein(self):
        two = self.path("two.fasta", ALPHA.read_text() + BETA.read_text())
        self.assert_fails(self.gpuhmm("submatrix", "--dotplot", two, BETA), 1, two, "more than one sequence")

    def test_unknown_device(self):
        path = self.path("m.txt", EXAMPLE)
        self.assert_fails(self.gpuhmm("submatrix", "--device", "nosuchdevice", path), 3, "nosuchdevice")


class SharedDataTests(SubmatrixTest):
    def test_expected_table(self):
        if not SHARED.exists():
            self.skipTest("no ../shared")
        with open(SHARED / "expected.tsv", newline="") as table:
            lines = list(csv.reader(table, delimiter="\t"))[1:]
        self.assertEqual(len(lines), 5)
        for name, _, rows, columns, _, _, _, total, *where in lines:
            with self.subTest(name):
                text = self.submatrix(SHARED / name)
                self.assertIn(f": {rows} rows, {columns} columns\n", text)
                found = text.splitlines()[-1].split("\t")
                self.assertEqual((found[7], found[1:5]), (total, where))
        for name, mean, *_ in lines[:2]:
            image = Path(name.replace(".txt", ".pgm"))
            text = self.submatrix("--shift", "mean", SHARED / image)
            self.assertIn(f"; shift mean: {mean} subtracted\n", text)
            self.assertEqual(text.splitlines()[-1], self.submatrix(SHARED / name).splitlines()[-1])
