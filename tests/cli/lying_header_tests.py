"""Files whose headers claim more data than there is, and small inputs: memory depends on the actual data."""

import gzip
import random
import resource
import struct
import zlib

from harness import CommandLineTest

MIB = 1 << 20
ADDRESSES = 256 * MIB  # limit of the address space, including code and stacks of threads


def little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))


def npy(shape, data=b"", descr="<i4"):
    header = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def png(rows, columns, pixels=b"", depth=8, colours=0, interlaced=0):
    """A PNG file. `pixels` are the rows, each of which begins with its filter byte."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", columns, rows, depth, colours, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


ADAM7 = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))


def interlaced(image):
    """The rows of the seven Adam7 passes of an 8-bit image."""
    passes = b""
    for row, column, rows, columns in ADAM7:
        for line in image[row::rows]:
            if line[column::columns]:
                passes += b"\0" + bytes(line[column::columns])
    return passes


class LyingHeaderTests(CommandLineTest):
    def assert_refused(self, command, name, content, *expected):
        for packed in (False, True):
            path = self.path(name, gzip.compress(content) if packed else content)
            words = self.command(*command, "--device", "none")
            if command[0] != "subsequence":
                words += ["--cpu", "2"]
            for done in (
                self.run_command([*words, str(path)], preexec_fn=little_memory),
                self.run_command([*words, "-"], input=path.read_bytes(), preexec_fn=little_memory),
            ):
                self.assert_fails(done, 1, *expected)
                self.assertNotIn(b"out of memory", done.stderr)

    def test_npy(self):
        billion = 10**9
        for command, shape, descr, elements in (
            (("submatrix", "--quiet"), (40000, 50000), "<f8", 0),
            (("submatrix", "--quiet"), (2, billion), "|u1", 4096),
            (("segments", "--numbers"), (billion,), "<i4", 4096),
            (("subsequence",), (billion,), "<f8", 4096),
            (("subsequence", "--k", "1000000000"), (billion,), "<i4", 0),
            (("reduce",), (2, 100000, 100000), "<f8", 4096),
            (("reduce", "--op", "mean"), (2, 10000, 10000), "<f4", 0),
            (("reduce",), (billion, 3, 3), "<i4", 4096),
        ):
            data = b"\1" * (elements * int(descr[2]))
            self.assert_refused(command, "a.npy", npy(shape, data, descr), f"ends after {elements} elements")

    def test_stacks_without_matrices(self):
        for operation in ("min", "sum"):
            content = npy((0, 100000, 100000))
            self.assert_refused(("reduce", "--op", operation), "a.npy", content, "no matrices")

    def test_raw(self):
        command = ("reduce", "--dtype", "float64", "--shape", "100000x100000")
        self.assert_refused(command, "a.raw", b"\0" * 800, "ends after 100 elements", "10000000000")

    def test_png(self):
        for rows, columns, depth, colours, lace in (
            (20000, 20000, 8, 0, 0),
            (20000, 20000, 8, 0, 1),
            (40000, 40000, 1, 0, 0),
            (30000, 70000, 16, 6, 0),
            (2000, 1000000, 8, 2, 1),
        ):
            content = png(rows, columns, b"\0" * 999, depth, colours, lace)
            self.assert_refused(("submatrix", "--quiet"), "a.png", content, "not a valid PNG image")
        self.assert_refused(("submatrix", "--quiet"), "a.png", png(100000, 100000), "100000 x 100000", "pixels")

    def test_pgm(self):
        self.assert_refused(("submatrix", "--quiet"), "a.pgm", b"P5 40000 50000 255\n123", "3 of 2000000000")
        self.assert_refused(("submatrix", "--quiet"), "a.pgm", b"P2 40000 50000 255\n1 2 3", "3 of 2000000000")

    def test_interlaced_images_give_the_same_answers(self):
        source = random.Random(1)
        for rows, columns in ((1, 1), (1, 9), (9, 1), (3, 5), (8, 8), (17, 9), (40, 33)):
            image = [source.randbytes(columns) for _ in range(rows)]
            plain = png(rows, columns, b"".join(b"\0" + line for line in image))
            laced = png(rows, columns, interlaced(image), interlaced=1)
            answers = []
            for content in (plain, laced):
                path = self.path("a.png", content)
                done = self.gpuhmm("submatrix", "--quiet", "--shift", "128", "--top", "5", path)
                self.assertEqual(done.returncode, 0, done.stderr)
                answers.append(done.stdout)
            self.assertEqual(answers[0], answers[1], (rows, columns))


class SmallInputTests(CommandLineTest):
    def test_small_inputs_are_sorted_in_little_memory(self):
        lines = b"".join(b"line %d\n" % (i * 7919 % 10007) for i in range(10007))
        records = b"".join(b">r%d\nACGT%d\n" % (i * 7919 % 1009, i) for i in range(1009))
        for command, content in (
            (("sort",), lines),
            (("sort", "--unique", "--reverse"), lines),
            (("sort", "--by", "name"), records),
            (("sort", "--by", "sequence"), records),
            (("kmers", "-k", "5"), records),
            (("kmers", "-k", "40"), records),
        ):
            for data in (content, gzip.compress(content)):
                path = self.path("input", data)
                words = self.command(*command, "--device", "none", "--cpu", 2)
                expected = self.run_command([*words, str(path)])
                self.assertEqual(expected.returncode, 0, expected.stderr)
                for done in (
                    self.run_command([*words, str(path)], preexec_fn=little_memory),
                    self.run_command([*words, "-"], input=data, preexec_fn=little_memory),
                ):
                    self.assertEqual(done.stdout, expected.stdout)
