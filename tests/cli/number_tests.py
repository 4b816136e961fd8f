"""gpuhmm subsequence and gpuhmm reduce: answers, formats of input and output, refused inputs."""

import array
import gzip
import json
import os
import random
import struct

from harness import CommandLineTest

DEVICE = "pthread"  # the OpenCL CPU device
VECTOR = "4 6 1 3 8 4 6\n"
STACK = "3 7 -1\n4 4 4\n9 0 2\n\n5 -2 8\n4 1 6\n9 0 -7\n"


def npy(descr, shape, data):
    """A .npy file, version 1.0, of elements given as bytes."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


class NumberTest(CommandLineTest):
    def answer(self, *words, **keywords):
        """Standard output of a run that must succeed quietly."""
        done = self.gpuhmm(*words, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()


class SubsequenceTests(NumberTest):
    def positions(self, *words, vector=VECTOR):
        text = self.answer("subsequence", *words, self.path("vector.txt", vector))
        return [int(line.split("\t")[0]) for line in text.splitlines() if not line.startswith("#")]

    def test_worked_example(self):
        text = self.answer("subsequence", "--k", 3, self.path("vector.txt", VECTOR))
        self.assertEqual(
            text,
            "# increasing subsequence of 3 elements; sum 18, elements 3; positions counted from 0\n"
            "# position\tvalue\n0\t4\n1\t6\n4\t8\n",
        )

    def test_lengths(self):
        self.assertEqual(self.positions("-k", 1), [4])
        self.assertEqual(self.positions("-k", 4), [2, 3, 5, 6])
        self.assertEqual(self.positions("--at-most", 2), [1, 4])
        self.assertEqual(self.positions(), [0, 1, 4])
        self.assertEqual(self.positions("-k", 2, vector="5 5 1"), [])
        self.assertEqual(self.positions("-k", 2, "--non-decreasing", vector="5 5 1"), [0, 1])

    def test_threads_do_not_change_the_answer(self):
        random.seed(5)
        vector = array.array("i", [random.randint(-1000, 100000) for _ in range(20000)]).tobytes()
        path = self.path("vector.raw", vector)
        for words in (["-k", 25], ["--at-most", 12], []):
            run = ["subsequence", *words, "--dtype", "int32", path, "--device", "none", "--cpu"]
            alone = self.answer(*run, 1)
            for threads in (2, 7):
                self.assertEqual(self.answer(*run, threads), alone)
        plain = ["subsequence", "-k", 3, "--method", "plain", self.path("vector.txt", VECTOR), "--cpu"]
        self.assertEqual(self.answer(*plain, 3), self.answer(*plain, 1))

    def test_no_solution_is_reported_without_an_error(self):
        path = self.path("vector.txt", VECTOR)
        self.assertEqual(
            self.answer("subsequence", "-k", 5, path),
            "# no increasing subsequence of 5 elements; the longest has 4\n",
        )
        found = json.loads(self.answer("subsequence", "-k", 5, "--format", "json", path))
        self.assertEqual(found, {"elements": 0, "sum": None, "positions": [], "values": [], "longest": 4})

    def test_json_to_a_file(self):
        path, out = self.path("vector.txt", "0.25,-1\n0.5,1e3"), self.path("out.json")
        self.assertEqual(self.answer("subsequence", "--format", "json", "-o", out, path), "")
        self.assertEqual(
            json.loads(out.read_text()),
            {"elements": 3, "sum": 1000.75, "positions": [0, 2, 3], "values": [0.25, 0.5, 1000]},
        )

    def test_npy_gzip_pipe_column_and_raw(self):
        values = array.array("i", [4, 6, 1, 3, 8, 4, 6]).tobytes()
        expected = [0, 1, 4]
        packed = self.path("vector.npy.gz", gzip.compress(npy("<i4", "(7,)", values)))
        table = self.path("t.tsv", "name\tx\n" + "".join(f"a b\t{value}\n" for value in VECTOR.split()))
        for words, keywords in (
            ((packed,), {}),
            (("-",), {"input": VECTOR.encode()}),
            (("--column", "x", table), {}),
            (("--dtype", "int32", self.path("raw", values)), {}),
        ):
            text = self.answer("subsequence", "-k", 3, *words, **keywords)
            found = [int(line.split()[0]) for line in text.splitlines() if line[0] != "#"]
            self.assertEqual(found, expected)

    def test_every_method_gives_the_same_bytes(self):
        random.seed(4)
        path = self.path("vector.txt", " ".join(str(random.randint(-50, 50)) for _ in range(700)))
        for words in (("-k", 12), ("-k", 12, "--non-decreasing"), ("--at-most", 3), ("-k", 1), ("-k", 400)):
            expected = self.answer("subsequence", "--method", "plain", *words, path)
            self.assertEqual(self.answer("subsequence", "--method", "fenwick", *words, path), expected)

    def test_devices_give_the_bytes_of_the_host(self):
        random.seed(5)
        path = self.path("vector.txt", " ".join(str(random.randint(-99, 99)) for _ in range(400)))
        for words in (("-k", 6), ("-k", 6, "--non-decreasing"), ("--at-most", 2), ("-k", 390)):
            expected = self.answer("subsequence", "--device", "none", *words, path)
            for method in ("auto", "elements", "levels", "blocks"):
                found = self.answer("subsequence", "--device", DEVICE, "--method", method, *words, path)
                self.assertEqual(found, expected, method)

    def test_an_unsuitable_device_is_not_used_and_a_warning_says_so(self):
        done = self.gpuhmm("subsequence", "-k", 1, "--device", DEVICE, self.path("wide.txt", "1e300 1e-300"))
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr.decode(), r"\Agpuhmm: warning: .* was not used: .*double precision\n\Z")

    def test_stats(self):
        done = self.gpuhmm("subsequence", "-k", 2, "--stats", self.path("vector.txt", VECTOR))
        self.assertRegex(done.stderr.decode(), r"(?m)^engine    host\nmethod    fenwick\nsums      ")

    def test_wrong_usage(self):
        path = self.path("vector.txt", VECTOR)
        for words, mention in (
            (("-k", 0), "'--k' expects at least 1"),
            (("--at-most", -3), "'--at-most' expects at least 1"),
            (("-k", 1, "--at-most", 2), "--at-most"),
            (("--method", "magic"), "--method"),
            (("--method", "levels", "--device", "none"), "needs a device"),
            (("--format", "xml"), "--format"),
            (("--dtype", "int16"), "--dtype"),
            (("--big-endian",), "--dtype"),
            (("--column", 1, "--dtype", "int32"), "--column"),
            (("-o", path), "vector.txt"),
            (("--device", "0,1"), "one device"),
        ):
            self.assert_fails(self.gpuhmm("subsequence", *words, path), 2, mention)
        self.assert_fails(self.gpuhmm("subsequence", "--device", "nosuch", path), 3, "nosuch")

    def test_bad_input_leaves_nothing_behind(self):
        bad = self.path("bad.txt", "1 2\n3 x\n")
        self.assert_fails(self.gpuhmm("subsequence", "-o", "out", bad), 1, "bad.txt", "line 2", "'x'")
        self.assert_fails(self.gpuhmm("subsequence", "-o", "out", self.folder / "none"), 1, "none")
        nan = self.path("nan.txt", "1 nan\n")
        self.assert_fails(self.gpuhmm("subsequence", "-o", "out", nan), 1, "nan.txt", "element 1")
        self.assert_only("bad.txt", "nan.txt")


class ReduceTests(NumberTest):
    def matrix(self, *words, stack=STACK):
        text = self.answer("reduce", *words, self.path("stack.txt", stack))
        return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]

    def test_worked_example(self):
        self.assertEqual(
            self.answer("reduce", self.path("stack.txt", STACK)),
            "# min of 2 matrices 3 x 3, int64\n3\t-2\t-1\n4\t1\t4\n9\t0\t-7\n",
        )
        self.assertEqual(self.matrix("--op", "max")[0], ["5", "7", "8"])
        self.assertEqual(self.matrix("--op", "sum")[2], ["18", "0", "-5"])
        self.assertEqual(self.matrix("--op", "mean")[0], ["4", "2.5", "3.5"])

    def test_nan(self):
        stack = "nan 1\n\n2 -0\n\n0.0 nan\n"
        self.assertEqual(self.matrix(stack=stack), [["nan", "nan"]])
        self.assertEqual(self.matrix("--nan", "ignore", stack=stack), [["0", "-0"]])
        self.assertEqual(self.matrix("--nan", "ignore", "--op", "mean", stack=stack), [["1", "0.5"]])
        done = self.gpuhmm("reduce", "--nan", "error", self.path("nan.txt", "1 2\n3 4\n\n5 6\n7 nan\n"))
        self.assert_fails(done, 1, "nan.txt: matrix 1, row 1, column 1 (counted from 0)")

    def test_npy_in_and_out(self):
        stack = npy("<f4", "(3, 1, 2)", array.array("f", [1, -2, 0.5, 7, 3, 0]).tobytes())
        out = self.path("least.npy")
        done = self.answer("reduce", "--format", "npy", "-o", out, self.path("stack.npy", stack))
        self.assertEqual(done, "")
        self.assertEqual(out.read_bytes(), npy("<f4", "(1, 2)", array.array("f", [0.5, -2]).tobytes()))

    def test_raw_larger_than_a_block(self):
        """10 million elements: more than one block."""
        items = 1_111_113
        data = array.array("i", range(9 * items)).tobytes()
        path = self.path("stack.raw", data)
        text = self.answer("reduce", "--op", "max", "--dtype", "int32", "--shape", "3x3", path)
        last = [9 * items - 9 + i for i in range(9)]
        self.assertEqual([int(word) for word in text.split("\n", 1)[1].split()], last)
        mean = self.answer("reduce", "--op", "mean", "--dtype", "int32", "--shape", "3x3", path)
        self.assertEqual([float(w) for w in mean.split("\n", 1)[1].split()], [9 * (items - 1) / 2 + i for i in range(9)])

    def test_devices_give_the_bytes_of_the_host(self):
        random.seed(6)
        numbers = [random.choice((0.0, -0.0, float("nan"), random.gauss(0, 1e6))) for _ in range(9 * 1000)]
        reals = self.path("reals.npy", npy("<f8", "(1000, 3, 3)", array.array("d", numbers).tobytes()))
        whole = self.path("stack.txt", STACK)
        for op in ("min", "max", "sum", "mean"):
            for words in ((whole,), (reals,), ("--nan", "ignore", reals)):
                expected = self.answer("reduce", "--op", op, "--device", "none", *words)
                self.assertEqual(self.answer("reduce", "--op", op, "--device", DEVICE, *words), expected)

    def test_wrong_usage(self):
        path = self.path("stack.txt", STACK)
        for words, mention in (
            (("--op", "median"), "--op"),
            (("--nan", "skip"), "--nan"),
            (("--format", "json"), "--format"),
            (("--dtype", "int32"), "--shape"),
            (("--shape", "3x3"), "--dtype"),
            (("--dtype", "int32", "--shape", "3x"), "3x3"),
            (("--dtype", "int32", "--shape", "0x3"), "3x3"),
            (("-o", path), "stack.txt"),
        ):
            self.assert_fails(self.gpuhmm("reduce", *words, path), 2, mention)
        self.assert_fails(self.gpuhmm("reduce", "--device", "nosuch", path), 3, "nosuch")

    def test_bad_input_leaves_nothing_behind(self):
        empty = self.path("empty.txt", "")
        self.assert_fails(self.gpuhmm("reduce", "-o", "out", empty), 1, "empty.txt: no matrices")
        cut = self.path("cut.npy", npy("<i4", "(2, 1, 1)", b"\0" * 6))
        self.assert_fails(self.gpuhmm("reduce", "-o", "out", cut), 1, "cut.npy")
        high = self.path("high.txt", f"{2**63 - 1}\n\n1\n")
        self.assert_fails(self.gpuhmm("reduce", "--op", "sum", "-o", "out", high), 1, "high.txt", str(2**63))
        self.assert_only("empty.txt", "cut.npy", "high.txt")

    def test_a_byte_of_value_0_is_shown(self):
        done = self.gpuhmm("reduce", "-", input=b"1 \0 2\n")
        self.assert_fails(done, 1, "line 1: '\\x00'; expected a number")

    def test_full_disk_and_closed_pipe(self):
        path = self.path("stack.txt", STACK)
        if os.path.exists("/dev/full"):
            self.assert_fails(self.gpuhmm("reduce", "-o", "/dev/full", path), 1, "/dev/full")


