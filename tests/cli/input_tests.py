"""Input files: valid ones, compressed, piped and so on, and all kinds of invalid ones."""

import gzip
import os
import random
import subprocess
import threading

from harness import PROFILE, SEQUENCES, TESTDATA, CommandLineTest, Settings

NOISE = random.Random(3).randbytes(5000)


def results(report):
    """A report without the lines that name the searched files."""
    return [line for line in report.splitlines() if not line.startswith((b"HMM file:", b"Sequence database:"))]


class WrongInputTests(CommandLineTest):
    def assert_refused(self, profiles, sequences, named, *mentions):
        done = self.run_command(self.search_command(profiles, sequences))
        self.assert_fails(done, 1, named, *mentions)

    def refused_as_either(self, path):
        with self.subTest("profiles"):
            self.assert_refused(path, SEQUENCES, path)
        with self.subTest("sequences"):
            self.assert_refused(PROFILE, path, path)

    def test_missing_file(self):
        self.refused_as_either(self.path("missing.file"))

    def test_directory(self):
        self.refused_as_either(self.folder)

    def test_empty_file(self):
        self.refused_as_either(self.path("empty", b""))

    def test_blank_lines_only(self):
        self.refused_as_either(self.path("blank", b"\n\n  \n"))

    def test_binary_file(self):
        self.refused_as_either(self.path("noise", NOISE))

    def test_the_program_itself(self):
        self.refused_as_either(Settings.gpuhmm)

    def test_empty_gzip_file(self):
        self.refused_as_either(self.path("empty.gz", gzip.compress(b"")))

    def test_damaged_gzip_file(self):
        for source in (PROFILE, SEQUENCES):
            whole = gzip.compress(source.read_bytes())
            damaged = bytearray(whole)
            damaged[len(whole) // 2] ^= 0x55
            for kind, content in (("cut", whole[: len(whole) // 2]), ("cut_end", whole[:-3]), ("flip", damaged)):
                path = self.path(f"{kind}.gz", bytes(content))
                arguments = (path, SEQUENCES) if source == PROFILE else (PROFILE, path)
                with self.subTest(kind, source=source.name):
                    self.assert_refused(*arguments, path)

    def test_the_arguments_in_the_wrong_order(self):
        self.assert_refused(SEQUENCES, PROFILE, SEQUENCES)

    def test_profile_as_sequences(self):
        self.assert_refused(PROFILE, PROFILE, PROFILE)

    def test_truncated_profile(self):
        content = PROFILE.read_bytes()
        for size in (20, 600, len(content) // 2, len(content) - 4):
            with self.subTest(size=size):
                path = self.path("cut.hmm", content[:size])
                self.assert_refused(path, SEQUENCES, path)

    def test_second_profile_damaged(self):
        content = PROFILE.read_bytes()
        path = self.path("two.hmm", content + content[: len(content) // 2])
        done = self.run_command(self.search_command("-o", "report", path, SEQUENCES))
        self.assert_fails(done, 1, path)
        self.assert_only("two.hmm")

    def test_damaged_number_in_a_profile(self):
        lines = PROFILE.read_text().split("\n")
        at = next(i for i, line in enumerate(lines) if line.startswith("HMM ")) + 10
        lines[at] = lines[at][:12] + "x?!" + lines[at][15:]
        path = self.path("bad.hmm", "\n".join(lines))
        self.assert_refused(path, SEQUENCES, path, str(at + 1))

    def test_unreadable_file(self):
        path = self.path("locked", SEQUENCES.read_bytes())
        path.chmod(0)
        if os.access(path, os.R_OK):
            self.skipTest("this user may read everything")
        self.refused_as_either(path)

    def test_missing_cutoffs(self):
        profile, bases = TESTDATA / "hmm/MADE1_fs.hmm", TESTDATA / "dna/phiX174.fna"
        for option in ("--cut_ga", "--cut_nc", "--cut_tc"):
            done = self.run_command(self.search_command(option, profile, bases))
            self.assert_fails(done, 1, "MADE1")

    def test_mixed_alphabets(self):
        path = self.path("mixed.hmm", PROFILE.read_bytes() + (TESTDATA / "hmm/MADE1_fs.hmm").read_bytes())
        done = self.run_command(self.search_command("-o", "report", path, SEQUENCES))
        self.assert_fails(done, 1, path)
        self.assert_only("mixed.hmm")


class WrappedInputTests(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.expected = results(self.search(PROFILE, SEQUENCES))
        self.assertGreater(len(self.expected), 500)

    def test_gzip_is_recognized_by_content(self):
        packed = gzip.compress(SEQUENCES.read_bytes())
        profile = gzip.compress(PROFILE.read_bytes())
        for suffix in ("", ".gz"):
            report = self.search(self.path(f"p{suffix}", profile), self.path(f"s{suffix}", packed))
            self.assertEqual(results(report), self.expected)

    def test_gzip_of_several_members(self):
        content = SEQUENCES.read_bytes()
        parts = [content[:1000], content[1000:60000], b"", content[60000:]]
        path = self.path("members.gz", b"".join(gzip.compress(part) for part in parts))
        self.assertEqual(results(self.search(PROFILE, path)), self.expected)

    def test_sequences_from_standard_input(self):
        for content in (SEQUENCES.read_bytes(), gzip.compress(SEQUENCES.read_bytes())):
            report = self.search(PROFILE, "-", input=content)
            self.assertEqual(results(report), self.expected)
            self.assertIn(b"Sequence database:          -\n", report)

    def test_profiles_from_standard_input(self):
        for content in (PROFILE.read_bytes(), gzip.compress(PROFILE.read_bytes())):
            report = self.search("-", SEQUENCES, input=content)
            self.assertEqual(results(report), self.expected)

    def test_several_profiles_with_sequences_from_standard_input(self):
        path = self.path("three.hmm", PROFILE.read_bytes() * 3)
        report = self.search(path, "-", input=SEQUENCES.read_bytes())
        self.assertEqual(results(report), self.expected * 3)

    def test_named_pipe(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        writer = threading.Thread(target=lambda: pipe.write_bytes(SEQUENCES.read_bytes()))
        writer.start()
        report = self.search(PROFILE, pipe)
        writer.join()
        self.assertEqual(results(report), self.expected)

    def test_carriage_returns_and_no_final_newline(self):
        content = SEQUENCES.read_bytes().replace(b"\n", b"\r\n").rstrip()
        self.assertEqual(results(self.search(PROFILE, self.path("dos.fasta", content))), self.expected)

    def test_threads_and_batches_do_not_change_the_report(self):
        report = self.search(PROFILE, SEQUENCES)
        for words in (["--cpu", 1], ["--cpu", 3], ["--batch-residues", 1], ["--batch-residues", 5000, "--cpu", 2]):
            self.assertEqual(self.search(*words, PROFILE, SEQUENCES), report, words)

    def test_options_may_follow_the_arguments(self):
        self.assertEqual(
            self.search(PROFILE, SEQUENCES, "-E", "1e-3", "-T", "-5"),
            self.search("-E1e-3", "-T", "-5", PROFILE, SEQUENCES),
        )

    def test_database_of_empty_records(self):
        report = self.search(PROFILE, self.path("none.fasta", b">first\n>second\n\n"))
        self.assertIn(b"Total sequences searched: 0\n", report)

    def test_quiet_writes_nothing_to_standard_error_and_stats_does(self):
        done = subprocess.run(
            self.search_command("--stats", PROFILE, SEQUENCES), capture_output=True, cwd=self.folder, check=True
        )
        self.assertIn(b"310", done.stderr)
