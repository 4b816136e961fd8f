"""`gpuhmm segments`: regions of proteins, and segments of vectors."""

import gzip
import json
import random
import struct
import unittest
import xml.etree.ElementTree as ElementTree

from Bio.SeqUtils import ProtParamData
from harness import REPOSITORY, TESTDATA, CommandLineTest

HYDROPATHY = REPOSITORY / "../shared/data/hydropathy"
EXAMPLE = [3, 5, 10, -5, -30, 5, 7, 2, -3, 10, -7, 5]
PROTEINS = TESTDATA / "seq/uniprot.fasta"
# Kyte, Doolittle 1982, in the order of the letters
KYTE_DOOLITTLE = dict(
    zip(
        "ARNDCQEGHILKMFPSTWYV",
        [18, -45, -35, -35, 25, -35, -35, -4, -32, 45, 38, -39, 19, 28, -16, -8, -7, -9, -13, 42],
    )
)


def maximal_segments(values):
    """All maximal segments by their definition: from the left, the longest one that begins at each position."""
    sums = [0]
    for value in values:
        sums.append(sums[-1] + value)
    found, left = [], 0
    while left < len(values):
        right, highest, at = left, sums[left], left
        for at in range(left + 1, len(sums)):
            if sums[at] <= sums[left]:
                break
            if sums[at] > highest:
                right, highest = at, sums[at]
        if right > left:
            found.append((left, right, sums[right] - sums[left]))
        left = max(right, left + 1)
    return found


def npy(values, kind, order="<"):
    """An .npy file of version 1.0."""
    letter = {"i4": "i", "i8": "q", "f4": "f", "f8": "d"}[kind]
    header = f"{{'descr': '{order}{kind}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return (
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(header))
        + header.encode()
        + struct.pack(f"{order}{len(values)}{letter}", *values)
    )


class SegmentsTest(CommandLineTest):
    def segments(self, *words, **keywords):
        """The rows of a run that must succeed quietly, without comment lines."""
        done = self.gpuhmm("segments", "--quiet", *words, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return [line.split("\t") for line in done.stdout.decode().splitlines() if not line.startswith("#")]


class NumberTests(SegmentsTest):
    def test_example_of_the_dissertation(self):
        path = self.path("x.txt", " ".join(map(str, EXAMPLE)))
        self.assertEqual(self.segments("--numbers", path), [["5", "9", "5", "21", "4.2"]])
        rows = self.segments("--numbers", "--all", path)
        self.assertEqual([row[:4] for row in rows], [["0", "2", "3", "18"], ["5", "9", "5", "21"], ["11", "11", "1", "5"]])

    def test_every_input_gives_the_same(self):
        expected = [["5", "9", "5", "21", "4.2"]]
        for kind in ("i4", "i8", "f4", "f8"):
            for order in "<>":
                self.assertEqual(self.segments(self.path("x.npy", npy(EXAMPLE, kind, order))), expected, kind)
        self.assertEqual(self.segments("--numbers", self.path("x.gz", gzip.compress(npy(EXAMPLE, "i4")))), expected)
        for kind, letter in {"int32": "i", "int64": "q", "float32": "f", "float64": "d"}.items():
            raw = self.path("x.raw", struct.pack(f">12{letter}", *EXAMPLE))
            self.assertEqual(self.segments("--dtype", kind, "--big-endian", raw), expected)
        text = ",".join(map(str, EXAMPLE)).encode()
        self.assertEqual(self.segments("--numbers", "-", input=text), expected)

    def test_random_vectors(self):
        generator = random.Random(5)
        for most in (1, 9, 2**62):
            values = [generator.randint(-most, most) for _ in range(3000)]
            path = self.path("x.npy", npy(values, "i8"))
            expected = maximal_segments(values)
            rows = self.segments("--all", path)
            self.assertEqual([(int(row[0]), int(row[1]) + 1, int(row[3])) for row in rows], expected)
            best = max(expected, key=lambda segment: segment[2])
            self.assertEqual([row[:4] for row in self.segments("--best", path)],
                             [[str(best[0]), str(best[1] - 1), str(best[1] - best[0]), str(best[2])]])

    def test_choices(self):
        path = self.path("x.txt", " ".join(map(str, EXAMPLE)))
        starts = lambda *words: [row[0] for row in self.segments("--numbers", *words, path)]
        self.assertEqual(starts("--top", "2"), ["0", "5"])
        self.assertEqual(starts("--all", "--min-length", "2"), ["0", "5"])
        self.assertEqual(starts("--all", "--min-score", "18.5"), ["5"])
        self.assertEqual(starts("--all", "--min-score", "2.1e1"), ["5"])
        self.assertEqual(starts("--min-score", "22"), ["-"])
        for kind in ("i4", "i8", "f4", "f8"):
            self.assertEqual(self.segments(self.path("empty.npy", npy([], kind))), [["-", "-", "0", "0", "-"]])
            self.assertEqual(self.segments("--all", self.path("one.npy", npy([7], kind))), [["0", "0", "1", "7", "7"]])

    def test_devices_give_the_same(self):
        generator = random.Random(6)
        path = self.path("x.npy", npy([generator.randint(-99, 99) for _ in range(50000)], "i4"))
        for words in (["--best"], ["--all"]):
            expected = self.segments(*words, path)
            self.assertEqual(self.segments("--device", "pthread", *words, path), expected)
            self.assertEqual(self.segments("--device", "0,0,none", *words, path), expected)

    def test_nothing_positive(self):
        self.assertEqual(self.segments("--numbers", self.path("x", "-1 -2 0")), [["-", "-", "0", "0", "-"]])
        self.assertEqual(self.segments("--numbers", "--all", self.path("x", "-1 -2 0")), [])

    def test_json(self):
        path = self.path("x.txt", " ".join(map(str, EXAMPLE)))
        done = self.gpuhmm("segments", "--numbers", "--format", "json", path)
        self.assertEqual(json.loads(done.stdout), {"start": 5, "end": 9, "length": 5, "sum": 21, "mean": 4.2})

    def test_bad_input(self):
        cases = {
            "1 nan": "nan",
            "1 2 x": "x",
            "1 9223372036854775808": "9223372036854775808",
        }
        for text, mention in cases.items():
            path = self.path("x.txt", text)
            out = self.path("out")
            self.assert_fails(self.gpuhmm("segments", "--numbers", "-o", out, path), 1, "x.txt", mention)
            self.assert_only("x.txt")
        self.assert_fails(self.gpuhmm("segments", self.path("y.npy", npy([1.0, float("inf")], "f8"))), 1, "y.npy")
        self.assert_fails(self.gpuhmm("segments", self.path("y.npy", npy([1, 2], "i4")[:-1])), 1, "y.npy")

    def test_wrong_usage(self):
        path = self.path("x.txt", "1 2")
        for words in (
            ["--best", "--all"],
            ["--best", "--top", "2"],
            ["--top", "0"],
            ["--numbers", "--format", "gff3"],
            ["--numbers", "--shift", "1"],
            ["--dtype", "int16"],
            ["--big-endian"],
            ["--min-score", "1e3"],  # proteins: decimals only
            ["--numbers", "--min-score", "x"],
            ["--numbers", "--min-score", "nan"],
            ["--numbers", "-o", path],
        ):
            self.assert_fails(self.gpuhmm("segments", *words, path), 2)
        self.assert_fails(self.gpuhmm("segments", "--numbers", "--device", "no such device", path), 3)


class ProteinTests(SegmentsTest):
    def proteins(self):
        name, records = None, {}
        for line in PROTEINS.read_text().splitlines():
            if line.startswith(">"):
                name = line[1:].split()[0]
                records[name] = ""
            else:
                records[name] += line.strip()
        return records

    def test_all_segments_of_proteins(self):
        expected = []
        for name, residues in self.proteins().items():
            if set(residues.upper()) - set(KYTE_DOOLITTLE):
                continue
            for begin, end, score in maximal_segments([KYTE_DOOLITTLE[c] - 12 for c in residues.upper()]):
                expected.append([name, str(begin + 1), str(end), str(end - begin), f"{score / 10:.1f}"])
        plain = {row[0] for row in expected}
        rows = self.segments("--scale", "kyte-doolittle", "--shift", "1.2", "--all", PROTEINS)
        self.assertEqual([row[:5] for row in rows if row[0] in plain], expected)

    def test_formats_have_the_same_regions(self):
        rows = self.segments(PROTEINS)
        self.assertGreater(len(rows), 20)
        places = [(row[0], int(row[1]), int(row[2])) for row in rows]
        gff = self.segments("--format", "gff3", PROTEINS)
        self.assertEqual([(row[0], int(row[3]), int(row[4])) for row in gff], places)
        self.assertEqual({row[2] for row in gff}, {"hydrophobic_region_of_peptide"})
        bed = self.segments("--format", "bed", PROTEINS)
        self.assertEqual([(row[0], int(row[1]) + 1, int(row[2])) for row in bed], places)
        self.assertEqual([row[6] for row in bed], [row[4] for row in rows])
        self.assertTrue(all(0 <= int(row[4]) <= 1000 for row in bed))
        helices = [row[0:1] + row[3].split() for row in self.segments("--format", "tmhmm", PROTEINS)]
        self.assertEqual([(row[0], int(row[1]), int(row[2])) for row in helices], places)
        objects = [json.loads(row[0]) for row in self.segments("--format", "json", PROTEINS)]
        self.assertEqual(len(objects), len(self.proteins()))
        self.assertEqual([(o["sequence"], r["start"], r["end"]) for o in objects for r in o["regions"]], places)
        short = self.segments("--format", "tmhmm-short", PROTEINS)
        self.assertEqual(sum(int(row[2].removeprefix("PredHel=")) for row in short), len(places))

    def test_best_is_one_of_all(self):
        everything = [row for row in self.segments("--all", PROTEINS)]
        best = self.segments("--best", PROTEINS)
        self.assertEqual([row[0] for row in best], list(self.proteins()))
        for row in best:
            scores = [float(other[4]) for other in everything if other[0] == row[0]]
            if row[1] == "-":
                self.assertEqual(scores, [])
            else:
                self.assertIn(row, everything)
                self.assertEqual(float(row[4]), max(scores))

    def test_many_sequences_come_in_order(self):
        """Several batches. Each sequence has one region, whose length depends on its number."""
        count = 80_000
        path = self.path("many.fa", "".join(f">p{i}\nDD{'I' * (12 + i % 7)}\n" for i in range(count)))
        for threads in (1, 3):
            done = self.gpuhmm("segments", "--device", "none", "--cpu", threads, path)
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = [row.split("\t") for row in done.stdout.decode().splitlines() if not row.startswith("#")]
            found = [(row[0], row[1], row[2]) for row in rows if row[0].startswith("p")]
            self.assertEqual(found, [(f"p{i}", "3", str(14 + i % 7)) for i in range(count)])

    def test_a_prepared_database_gives_the_same(self):
        database = self.path("db")
        self.assertEqual(self.gpuhmm("makedb", "--quiet", PROTEINS, database).returncode, 0)
        self.assertEqual(self.segments(database), self.segments(PROTEINS))

    def test_a_device_gives_the_same(self):
        for words in ([], ["--all"], ["--best"], ["--best", "--min-length", "12"], ["--all", "--top", "2"]):
            expected = self.segments(*words, PROTEINS)
            self.assertEqual(self.segments("--device", "pthread", *words, PROTEINS), expected)
            self.assertEqual(self.segments("--device", "0,0,none", *words, PROTEINS), expected)

    def test_scale_files(self):
        columns = "".join(f"{letter} {value / 10}\n" for letter, value in KYTE_DOOLITTLE.items())
        path = self.path("scale", columns)
        words = ("--shift", "1.27", "--min-score", "7.4", "--min-length", "9", PROTEINS)
        self.assertEqual(self.segments("--scale", path, *words), self.segments("--scale", "kyte-doolittle", *words))
        bad = self.path("bad", "A 1\nC ?\n")
        self.assert_fails(self.gpuhmm("segments", "--scale", bad, PROTEINS), 1, "bad: line 2")
        self.assert_fails(self.gpuhmm("segments", "--scale", "nonsense", PROTEINS), 2, "kyte-doolittle")
        self.assert_fails(self.gpuhmm("segments", "--window", "5", PROTEINS), 2, "--window needs --plot")
        self.assert_fails(self.gpuhmm("segments", "--plot", "a.png", PROTEINS), 2, ".svg")

    def test_stops_and_gaps_split_sequences(self):
        path = self.path("x.fa", ">a\nIIIIIIIIIIII*IIIIIIIIIIII-LLLLLLLLLLLL\n")
        self.assertEqual([row[1:3] for row in self.segments(path)], [["1", "12"], ["14", "25"], ["27", "38"]])

    def test_plot(self):
        plot = self.path("plot.svg")
        path = self.path("x.fa", ">a<b\n" + "D" * 30 + "L" * 20 + "K" * 30 + "\n>short\nLLL\n>none\n\n")
        rows = self.segments("--plot", plot, path)
        self.assertEqual([row[:3] for row in rows], [["a<b", "31", "50"]])
        drawing = ElementTree.parse(plot).getroot()
        space = "{http://www.w3.org/2000/svg}"
        groups = [group.get("class") for group in drawing.iter(f"{space}g")]
        self.assertEqual(groups.count("panel"), 3)
        regions = [group for group in drawing.iter(f"{space}g") if group.get("class") == "region"]
        self.assertEqual([r.find(f"{space}title").text.split(",")[0] for r in regions], ["31-50"])
        many = self.path("many.fa", "".join(f">{i}\nLLL\n" for i in range(101)))
        plot.unlink()
        done = self.gpuhmm("segments", "--plot", plot, "-o", self.path("out"), many)
        self.assert_fails(done, 2, "at most 100")
        self.assert_only("x.fa", "many.fa")

    def test_bad_input(self):
        self.assert_fails(self.gpuhmm("segments", self.path("x", "\x00\x01")), 1, "x")
        self.assert_fails(self.gpuhmm("segments", "/nonexistent"), 1, "/nonexistent")


class ScaleTests(SegmentsTest):
    def scale(self, name):
        """The values of a built-in scale, from the scores of single residues."""
        letters = "ARNDCQEGHILKMFPSTWYV"
        path = self.path("letters.fa", "".join(f">{letter}\n{letter}\n" for letter in letters))
        rows = self.segments("--scale", name, "--shift", "-20", "--all", path)
        self.assertEqual("".join(row[0] for row in rows), letters)
        return {row[0]: round(float(row[4]) - 20, 2) for row in rows}

    def test_scales_are_those_of_biopython(self):
        theirs = ProtParamData.gravy_scales
        # Engelman's are costs, Hopp and Woods's are hydrophilicities
        for name, values, sign in (
            ("kyte-doolittle", ProtParamData.kd, 1),
            ("hopp-woods", ProtParamData.hw, -1),
            ("eisenberg", theirs["Eisenberg"], 1),
            ("ges", theirs["Engelman"], -1),
            ("fauchere-pliska", theirs["Fauchere"], 1),
            ("sweet-eisenberg", theirs["Sweet"], 1),
        ):
            self.assertEqual(self.scale(name), {letter: sign * values[letter] for letter in self.scale(name)}, name)

    @unittest.skipUnless(HYDROPATHY.is_dir(), "no ../shared")
    def test_scales_are_those_of_emboss(self):
        rows = [line.split() for line in (HYDROPATHY / "Eaa_hydropathy.dat").read_text().splitlines()]
        rows = {row[0]: row[1:] for row in rows if len(row) == 4 and row[0].isalpha()}
        for column, name in enumerate(("kyte-doolittle", "sweet-eisenberg", "eisenberg")):
            self.assertEqual(self.scale(name), {letter: float(rows[letter][column]) for letter in self.scale(name)}, name)
        rows = [line.split() for line in (HYDROPATHY / "Ewhite-wimley.dat").read_text().splitlines()]
        rows = {row[0]: row for row in rows if len(row) == 5 and len(row[0]) == 1}
        # the file's values of Trp at the interface and of Asp and Glu in octanol differ from the published ones
        for column, name, others in ((1, "white-wimley-interface", "W"), (3, "white-wimley-octanol", "DE")):
            for letter, value in self.scale(name).items():
                if letter not in others:
                    self.assertEqual(value, -float(rows[letter][column]), f"{name} {letter}")
