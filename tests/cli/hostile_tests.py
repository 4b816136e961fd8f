"""Files made to do harm: annotation of wrong length, missing parts, control sequences for terminals, and lines of
gigabytes in small gzip files."""

import functools
import gzip
import os
import resource

from harness import PROFILE, SEQUENCES, TIME_LIMIT, CommandLineTest, Settings

MIB = 1 << 20


class AlignmentTests(CommandLineTest):
    """Alignments that once corrupted memory or led to messages of a library."""

    @staticmethod
    def commands_on(path):
        quiet = ("--quiet", "--device", Settings.device, "-o", "o", PROFILE)
        return {
            "build": ("build", "--amino", "--hand", "o.hmm", path),
            "build, columns found": ("build", "--amino", "o.hmm", path),
            "search": ("search", *quiet, path),
            "scan": ("scan", *quiet, path),
            "makedb": ("makedb", path, "o.db"),
            "align": ("align", "-o", "o", PROFILE, path),
            "align --withali": ("align", "-o", "o", "--withali", path, PROFILE, SEQUENCES),
            "align --mapali": ("align", "-o", "o", "--mapali", path, PROFILE, SEQUENCES),
        }

    def assert_all_refuse(self, content, *mentions):
        path = self.path("bad", content)
        for name, words in self.commands_on(path).items():
            with self.subTest(name, content=content):
                done = self.gpuhmm(*words)
                message = done.stderr.decode(errors="replace")
                self.assertEqual(done.returncode, 1, message)
                self.assertEqual(message.count("\n"), 1, message)
                for mention in (path, *mentions):
                    self.assertIn(str(mention), message)
                self.assert_only("bad")

    def test_annotation_of_another_length(self):
        for tag in ("#=GC RF", "#=GC SS_cons", "#=GC SA_cons", "#=GC any", "#=GR a SS", "#=GR b SA"):
            for columns in (1, 4, 6, 5000):
                self.assert_all_refuse(
                    f"# STOCKHOLM 1.0\n{tag} {'x' * columns}\na ACDEF\nb ACDEG\n//\n",
                    f"line 5: {tag}", f"has {columns} columns; expected 5",
                )  # fmt: skip

    def test_selex_annotation_of_one_block(self):
        for tag in ("#=RF", "#=CS"):
            self.assert_all_refuse(f"a ACDEF\nb ACDEG\n{tag} xxxxx\n\na ACDEF\nb ACDEG\n", "5 columns; expected 10")

    def test_selex_annotation_without_rows(self):
        self.assert_all_refuse("#=RF xxxxx\n", "line 1: ", "#=RF")
        self.assert_all_refuse("#=RF xxxxx\n\na ACDEF\nb ACDEG\n", "line 2: ", "#=RF")
        self.assert_all_refuse("#=SS HHHHH\na ACDEF\nb ACDEG\n", "line 1: ")
        self.assert_all_refuse("#=RF xxxxx\na\nb\n", "no residues for row a")

    def test_phylip_without_rows_or_columns(self):
        for head in ("0 3", "3 0", "0 0"):
            self.assert_all_refuse(f"{head}\nx\n", "line 1: expected an alignment of at least one row")


class MessageTests(CommandLineTest):
    """Control characters in files and names do not reach the terminal."""

    # sets a window's title, sets a colour; a byte that is not UTF-8; the C1 form of a control sequence
    ESCAPES = b"\x1b]0;owned\x07\x1b[31m\xff\xc2\x9b"
    SHOWN = r"\x1b]0;owned\x07\x1b[31m\xff\xc2\x9b"

    def assert_printable(self, done, *mentions):
        text = done.stderr.decode()  # valid UTF-8
        self.assertNotEqual(done.returncode, 0)
        self.assertTrue(text.strip("\n").isprintable(), repr(text))
        for mention in mentions:
            self.assertIn(mention, text)

    def test_text_of_files(self):
        text = self.ESCAPES
        profile = PROFILE.read_bytes().replace(b"LENG  74", b"LENG  7" + text)
        cases = {
            "name of a record": ("makedb", self.path("a", b"ID   x" + text + b"\n"), "o"),
            "row": ("build", "o", self.path("b", b"CLUSTAL\na AC\nb" + text + b" ACD\n")),
            "annotation": ("build", "o", self.path("c", b"# STOCKHOLM 1.0\n#=GC " + text + b" x\na AC\n//\n")),
            "number of a profile": ("stat", self.path("d", profile)),
            "number": ("subsequence", "--k", "2", self.path("e", b"1 " + text + b" 2\n")),
        }
        for what, words in cases.items():
            with self.subTest(what):
                self.assert_printable(self.gpuhmm(*words), self.SHOWN)

    def test_names_of_files_and_options(self):
        name = os.fsdecode(self.ESCAPES)
        for words in (("stat", name), ("search", name, SEQUENCES), (name,), ("search", "--" + name), ("fetch", PROFILE, name),
                      ("search", "--device", name, PROFILE, SEQUENCES), ("build", "--informat", name, "a", "b")):  # fmt: skip
            with self.subTest(words=words):
                self.assert_printable(self.gpuhmm(*words), self.SHOWN)
        done = self.gpuhmm("stat", "new\nline")
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(rb"new\nline", done.stderr)

    def test_drop_in_names(self):
        link = self.path("hmmsearch2")
        link.symlink_to(Settings.gpuhmm)
        done = self.run_command([str(link), os.fsdecode(self.ESCAPES), str(SEQUENCES)])
        self.assert_printable(done, "FATAL: ", self.SHOWN)

    def test_other_scripts_are_printed_unchanged(self):
        done = self.gpuhmm("stat", "蛋白质 é.hmm")
        self.assertIn("gpuhmm: 蛋白质 é.hmm: ".encode(), done.stderr)

    def test_long_words_are_cut(self):
        done = self.gpuhmm("submatrix", self.path("m", "1 2\n3 " + "x" * 100_000 + "\n"))
        self.assertEqual(done.returncode, 1)
        self.assertLess(len(done.stderr), 7000)


class GiganticLineTests(CommandLineTest):
    """Gzip files of a few megabytes with lines of gigabytes are refused in bounded memory."""

    def bomb(self, name, head, repeated, size):
        """A gzip file of `head` and `size` MiB of repeated bytes."""
        path = self.path(name)
        member = gzip.compress(repeated * (64 * MIB // len(repeated)))
        with open(path, "wb") as out:
            out.write(gzip.compress(head))
            for _ in range(size // 64):
                out.write(member)
        return path

    def measured(self, words):
        """Runs the command, at most two minutes of processor time: exit status, output, message, memory in MiB."""
        limit = functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (TIME_LIMIT, TIME_LIMIT))
        done, peak = self.measure(self.command(*words), preexec_fn=limit)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace"), peak // MIB

    def assert_bounded(self, words, memory, *mentions):
        """The command fails with one line and takes less than `memory` MiB."""
        status, output, message, taken = self.measured(words)
        self.assertEqual((status, output), (1, b""), message)
        self.assertEqual(message.count("\n"), 1, message)
        for mention in mentions:
            self.assertIn(mention, message)
        self.assertLess(taken, memory)

    def test_one_sequence_of_two_gigabytes(self):
        path = self.bomb("long.fa.gz", b">long\n", b"A", 2048)
        words = ("search", "--quiet", "--device", Settings.device, "-o", "o", PROFILE, path)
        self.assert_bounded(words, 6000, "record 1: sequence long has more than 1073741824 residues")
        self.assert_only("long.fa.gz")

    def test_a_name_line_without_end(self):
        path = self.bomb("name.fa.gz", b">", b"x", 64)
        for words in (
            ("search", "--quiet", "--device", Settings.device, PROFILE, path),
            ("scan", "--quiet", "--device", Settings.device, PROFILE, path),
            ("makedb", path, "o.db"),
            ("align", PROFILE, path),
            ("segments", path),
        ):
            with self.subTest(words[0]):
                self.assert_bounded(words, 1000, "record 1: a name and description of more than 16777216 characters")
        self.assert_only("name.fa.gz")

    def test_a_line_of_a_profile_without_end(self):
        for head in (b"HMMER2.0  [2.3.2]\nNAME  ", b"HMMER3/f [3.3.2]\nNAME  "):
            path = self.bomb("line.hmm.gz", head, b"x", 64)
            for words in (("stat", path), ("convert", path, "o"), ("emit", path), ("calibrate", "-o", "o", path)):
                with self.subTest(words[0], head=head):
                    self.assert_bounded(words, 1000, "line 2: longer than 16777216 bytes")

    def test_a_profile_without_end(self):
        path = self.bomb("lines.hmm.gz", b"HMMER2.0  [2.3.2]\n", b"COM   x\n", 192)
        words = ("scan", "--quiet", "--device", Settings.device, path, SEQUENCES)
        self.assert_bounded(words, 2500, "line 1: no line // in the 134217728 bytes from here")
        for command in (("stat", path), ("calibrate", "-o", "o", path)):
            self.assert_bounded(command, 2500, "the profile takes more than 134217728 bytes")

    def test_a_dot_plot_of_long_proteins(self):
        path = self.path("long.fa", ">a\n" + "ACDEFGHIKL" * 4000 + "\n")
        for option in ((), ("--diagonal",)):
            words = ("submatrix", "--quiet", "--device", "none", "--dotplot", *option, path, path)
            self.assert_bounded(words, 500, "a dot plot of 40000 x ", "expected at most 1073741824")

    def test_words_of_a_long_line_are_counted(self):
        path = self.bomb("long.fa.gz", b">long\n", b"A", 192)
        words = ("kmers", "-k", "8", "--count", "--device", "none", "--memory", "100M", path)
        status, output, message, taken = self.measured(words)
        self.assertEqual((status, output, message), (0, f"AAAAAAAA\t{192 * MIB - 7}\n".encode(), ""))
        self.assertLess(taken, 300)
