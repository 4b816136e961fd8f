"""The plots of segments and submatrix: axes, ticks, names and labels, parsed from the SVG."""

import re
from xml.etree import ElementTree

from harness import TESTDATA, CommandLineTest

SPACE = "{http://www.w3.org/2000/svg}"
ALPHA = TESTDATA / "seq/HBA_HUMAN.fasta"
BETA = TESTDATA / "seq/HBB_HUMAN.fasta"


class Text:
    """A text of a drawing with its approximate bounding box."""

    def __init__(self, element):
        self.text = "".join(element.itertext())
        size = float(element.get("font-size", "12"))
        # Helvetica's digits are 0.556 wide; its letters are narrower on average
        length = 0.5 * size * len(self.text)
        x, y = float(element.get("x")), float(element.get("y"))
        back = {"start": 0, "middle": length / 2, "end": length}[element.get("text-anchor", "start")]
        if "transform" in element.attrib:
            self.box = (x - 0.75 * size, y - length + back, x, y + back)
        else:
            self.box = (x - back, y - 0.75 * size, x - back + length, y)

    def meets(self, other):
        a, b = self.box, other.box
        return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def luminance(colour):
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class PictureTests(CommandLineTest):
    def drawing(self, path):
        """Parses an SVG and checks what all plots have in common."""
        root = ElementTree.parse(path).getroot()
        self.assertEqual(root.get("role"), "img")
        self.assertEqual([child.tag for child in root[:2]], [f"{SPACE}title", f"{SPACE}desc"])
        self.assertTrue(root[0].text and root[1].text)
        width, height = float(root.get("width")), float(root.get("height"))
        self.assertEqual(root.get("viewBox"), f"0 0 {root.get('width')} {root.get('height')}")
        texts = [Text(element) for element in root.iter(f"{SPACE}text")]
        for i, text in enumerate(texts):
            left, top, right, bottom = text.box
            self.assertTrue(left >= 0 and top >= 0 and right <= width and bottom <= height, text.text)
            for other in texts[:i]:
                self.assertFalse(text.meets(other), f"{text.text!r} lies over {other.text!r}")
        for element in root.iter():
            for key in ("x", "y", "width", "height", "x1", "x2", "y1", "y2"):
                self.assertRegex(element.get(key, "0"), r"^-?[0-9]+(\.[0-9]+)?$")
        return root

    def texts(self, root, under=None):
        found = root.iter(f"{SPACE}g") if under else [root]
        return [
            "".join(text.itertext())
            for group in found
            if under is None or group.get("class") == under
            for text in group.iter(f"{SPACE}text")
        ]

    def segments_plot(self, fasta, *options):
        path = self.path("x.fa", fasta)
        done = self.gpuhmm("segments", *options, "--plot", self.path("p.svg"), path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.drawing(self.path("p.svg"))

    def test_axes_of_a_hydropathy_profile(self):
        root = self.segments_plot(">a<b&c description\n" + "D" * 30 + "L" * 20 + "K" * 150 + "\n")
        axes = self.texts(root, "axis")
        self.assertIn("Residue", axes)
        self.assertIn("Hydropathy (kcal/mol)", axes)
        self.assertTrue({"1", "50", "100", "150", "200"} <= set(axes), axes)
        self.assertIn("−4", axes)
        self.assertEqual(self.texts(root, "region"), ["31–50"])
        self.assertIn("a<b&c", self.texts(root, "panel"))
        legend = self.texts(root, "legend")
        self.assertEqual(legend, ["mean of 19 residues", "shift 1.2", "region, first–last residue"])

    def test_scales_without_a_unit(self):
        root = self.segments_plot(">a\n" + "L" * 40 + "\n", "--scale", "kyte-doolittle")
        self.assertIn("Hydropathy (arb. units)", self.texts(root, "axis"))

    def test_hard_profiles(self):
        loops = "DEKRNQSTGP"
        many = "".join(loops * 2 + "LIVFLIVFLIVFLIVFLIVF" for _ in range(60)) + loops
        name = "x" * 300
        for fasta in (
            ">tiny\nMKL\n",
            ">one\nM\n",
            ">empty\n\n>two\nMKLV\n",
            f">{name}\n{many}\n",
            ">r5000\n" + (many * 3)[:5000] + "\n",
            ">latin\udce9\x1b[1m\nMKLVMKLVLLLLLLLLLLLLLLL\n",
            "".join(f">s{i}\n{many[i:]}\n" for i in range(20)),
        ):
            path = self.path("x.fa")
            path.write_bytes(fasta.encode("utf-8", "surrogateescape"))
            done = self.gpuhmm("segments", "--plot", self.path("p.svg"), path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.drawing(self.path("p.svg"))

    def test_sixty_regions_are_numbered(self):
        many = "".join("DEKRNQSTGP" * 2 + "LIVFLIVFLIVFLIVFLIVF" for _ in range(60))
        root = self.segments_plot(f">a\n{many}\n")
        self.assertEqual(self.texts(root, "region"), [str(i) for i in range(1, 61)])
        self.assertIn("region, first–last residue or its number", self.texts(root, "legend"))

    def submatrix_plot(self, *arguments, name="p.svg"):
        done = self.gpuhmm("submatrix", "--quiet", "--plot", self.path(name), *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.drawing(self.path(name)) if name.endswith("svg") else None

    def test_axes_of_a_matrix(self):
        rows = "\n".join(" ".join(str((i * 7 + k * 3) % 11 - 5) for k in range(12)) for i in range(200))
        root = self.submatrix_plot("--top", "3", self.path("a<b>.txt", rows + "\n"))
        axes = self.texts(root, "axis")
        self.assertTrue({"Row", "Column", "0", "50", "100", "150", "Value", "−4", "4"} <= set(axes), axes)
        self.assertEqual(self.texts(root)[:2], ["a<b>.txt", "200 rows × 12 columns"])
        self.assertEqual(sorted(self.texts(root, "rank")), ["1", "2", "3"])
        self.assertTrue(any(text.startswith("1: rows ") for text in self.texts(root, "legend")))

    def test_frames_are_visible_on_any_grey(self):
        root = self.submatrix_plot(self.path("m.txt", "1 2 -3\n-1 4 -5\n"))
        frame = next(group for group in root.iter(f"{SPACE}g") if group.get("class") == "rectangle")
        colours = [luminance(rect.get("stroke")) for rect in frame.iter(f"{SPACE}rect")]
        self.assertGreater(colours[0], 0.95)
        self.assertLess(colours[1], 0.35)

    def test_positions_of_frames_and_ticks_agree(self):
        rows = [["-1"] * 10 for _ in range(10)]
        for i in range(2, 6):
            rows[i][3:9] = ["5"] * 6
        root = self.submatrix_plot(self.path("m.txt", "\n".join(map(" ".join, rows)) + "\n"))
        frame = next(group for group in root.iter(f"{SPACE}g") if group.get("class") == "rectangle")
        rect = next(frame.iter(f"{SPACE}rect"))
        image = next(root.iter(f"{SPACE}image"))
        left, cell = float(image.get("x")), float(image.get("width")) / 10
        top = float(image.get("y"))
        self.assertAlmostEqual(float(rect.get("x")), left + 3 * cell, places=1)
        self.assertAlmostEqual(float(rect.get("y")), top + 2 * cell, places=1)
        self.assertAlmostEqual(float(rect.get("width")), 6 * cell, places=1)
        self.assertAlmostEqual(float(rect.get("height")), 4 * cell, places=1)
        ticks = [text for text in root.iter(f"{SPACE}text") if text.get("text-anchor") == "middle"]
        four = next(text for text in ticks if text.text == "4")
        self.assertAlmostEqual(float(four.get("x")), left + 4.5 * cell, places=1)

    def test_axes_of_dot_plots(self):
        root = self.submatrix_plot("--dotplot", ALPHA, BETA)
        axes = self.texts(root, "axis")
        self.assertIn("A: residue of sp|P69905|HBA_HUMAN", axes)
        self.assertIn("B: residue of sp|P68871|HBB_HUMAN", axes)
        self.assertIn("Score", axes)
        self.assertEqual(axes.count("1"), 2)
        root = self.submatrix_plot("--dotplot", "--diagonal", "--top", "2", ALPHA, BETA)
        self.assertIn("Diagonal: position in B − position in A", self.texts(root, "axis"))
        legend = self.texts(root, "legend")
        self.assertIn("no cells", legend)
        self.assertIn("1: A 48–141, B 53–146, diagonal 5, sum 213", legend)

    def test_hard_matrices(self):
        def cells(rows, columns):
            lines = ([str(i * 31 % 17 * (k % 5) - 20) for k in range(columns)] for i in range(rows))
            return "".join(" ".join(line) + "\n" for line in lines)

        for text, options in (
            ("1 -2 3\n4 5 -6\n-7 8 9\n", ()),
            (cells(512, 512), ("--top", "5")),
            (cells(3000, 200), ("--top", "20")),
            (cells(3, 2000), ("--top", "20")),
            ("7\n", ("--no-header",)),
            ("5 5\n5 5\n", ("--no-header",)),
            ("", ()),
            ("1e12 -3e12\n-1e11 5e12\n", ()),
            ("0.000001 -0.000003\n0.000002 0.000001\n", ()),
            (cells(30, 30), ("--top", "500", "--shift", "mean")),
        ):
            self.submatrix_plot(*options, self.path("m.txt", text))

    def test_png_has_the_same_size(self):
        path = self.path("m.txt", "1 -2 3\n4 5 -6\n-7 8 9\n")
        root = self.submatrix_plot(path)
        self.submatrix_plot(path, name="p.png")
        header = self.path("p.png").read_bytes()[:24]
        width, height = (int.from_bytes(header[at : at + 4], "big") for at in (16, 20))
        self.assertAlmostEqual(width / height, float(root.get("width")) / float(root.get("height")), places=1)

    def test_names_stay_text(self):
        path = self.path("m <&>.txt", "1 -2\n3 4\n")
        self.submatrix_plot(path)
        content = self.path("p.svg").read_text()
        self.assertIn("m &lt;&amp;&gt;.txt", content)
        self.assertIsNone(re.search(r"<script|onload", content))
