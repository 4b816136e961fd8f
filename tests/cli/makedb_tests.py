"""gpuhmm makedb: databases, messages, refused inputs, and searches of databases."""

import gzip
import struct

from harness import PROFILE, SEQUENCES, TESTDATA, CommandLineTest

GENOME = TESTDATA / "dna/phiX174.fna"
VERSION_AT = 12  # of the header: after 8 bytes of magic and 4 of byte order


class MakedbTest(CommandLineTest):
    def makedb(self, *words, **keywords):
        return self.gpuhmm("makedb", *words, **keywords)

    def database(self, source=SEQUENCES):
        """A database of the source, made with --quiet."""
        path = self.path("made.ghdb")
        done = self.makedb("--quiet", source, path)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        return path

    def hits(self, profile, sequences):
        """The report of a search without the lines that name the files."""
        report = self.search(profile, sequences).splitlines()
        return [line for line in report if not line.startswith((b"HMM file:", b"Sequence database:"))]


class MakingTests(MakedbTest):
    def test_reports_what_was_written(self):
        done = self.makedb(SEQUENCES, self.path("made.ghdb"))
        residues = sum(len(line) for line in SEQUENCES.read_text().split("\n") if not line.startswith(">"))
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertEqual(
            done.stderr.decode(),
            f"310 sequences, {residues} residues, alphabet amino (guessed; --alphabet sets it)\n",
        )

    def test_search_gives_the_same_hits(self):
        self.assertEqual(self.hits(PROFILE, self.database()), self.hits(PROFILE, SEQUENCES))

    def test_gzipped_and_piped_sequences(self):
        expected = self.database().read_bytes()
        packed = self.path("packed.fasta.gz", gzip.compress(SEQUENCES.read_bytes()))
        self.assertEqual(self.makedb(packed, "packed.ghdb").returncode, 0)
        self.assertEqual(self.makedb("-", "piped.ghdb", input=SEQUENCES.read_bytes()).returncode, 0)
        self.assertEqual(self.path("packed.ghdb").read_bytes(), expected)
        self.assertEqual(self.path("piped.ghdb").read_bytes(), expected)

    def test_dna(self):
        done = self.makedb(GENOME, "dna.ghdb")
        self.assertIn(b"alphabet nucleic (guessed", done.stderr)
        given = self.makedb("--alphabet", "nucleic", GENOME, "given.ghdb")
        self.assertNotIn(b"guessed", given.stderr)
        self.assertEqual(self.path("dna.ghdb").read_bytes(), self.path("given.ghdb").read_bytes())
        profile = TESTDATA / "hmm/MADE1_fs.hmm"
        self.assertEqual(self.hits(profile, "dna.ghdb"), self.hits(profile, GENOME))

    def test_says_what_hmmer3_refuses(self):
        for residues, problem in (
            ("AC-D", "record 2: '-' is no residue of the profile's alphabet"),
            ("A>C x\nD", "record 2: HMMER3 reads a sequence of another length (a > within a line?); "
                         "search the sequence file itself"),
        ):
            with self.subTest(residues):
                source = self.path("odd.fasta", f">a\nACDE*\n>b\n{residues}\n".encode())
                done = self.makedb("--alphabet", "amino", source, "odd.ghdb")
                said = done.stderr.decode().splitlines()
                self.assertEqual(done.returncode, 0)
                self.assertEqual(said[1:], [f"{source}: searches with HMMER3's profiles will fail: {problem}"])
                quiet = self.makedb("--quiet", source, "odd.ghdb")
                self.assertEqual((quiet.returncode, quiet.stderr), (0, b""))

    def test_existing_database_is_replaced(self):
        path = self.path("made.ghdb", b"an older file")
        path.chmod(0o640)
        self.database()
        self.assertEqual(path.read_bytes()[1:5], b"GHDB")
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        self.assert_only("made.ghdb")


class RefusalTests(MakedbTest):
    def test_wrong_sequences_leave_nothing(self):
        wrong = {
            "empty": b"",
            "noise": bytes(range(256)) * 20,
            "profile.hmm": PROFILE.read_bytes(),
            "cut.gz": gzip.compress(SEQUENCES.read_bytes())[:5000],
        }
        for name, content in wrong.items():
            with self.subTest(name):
                path = self.path(name, content)
                self.assert_fails(self.makedb(path, "made.ghdb"), 1, path)
                path.unlink()
                self.assert_only()

    def test_missing_sequences(self):
        self.assert_fails(self.makedb("absent.fasta", "made.ghdb"), 1, "absent.fasta")
        self.assert_only()

    def test_failure_keeps_the_existing_database(self):
        path = self.path("made.ghdb", b"an older file")
        cut = self.path("cut.gz", gzip.compress(SEQUENCES.read_bytes())[:5000])
        self.assert_fails(self.makedb(cut, path), 1, cut)
        self.assertEqual(path.read_bytes(), b"an older file")
        self.assert_only("cut.gz", "made.ghdb")

    def test_usage(self):
        for words, mention in (
            ((SEQUENCES,), "missing argument"),
            ((SEQUENCES, "a", "b"), "too many arguments"),
            (("--alphabet", "klingon", SEQUENCES, "made.ghdb"), "amino or nucleic"),
            (("--informat", "word", SEQUENCES, "made.ghdb"), "word"),
        ):
            with self.subTest(words):
                self.assert_fails(self.makedb(*words), 2, mention)
        self.assert_only()

    def test_output_is_the_input(self):
        path = self.path("same.fasta", SEQUENCES.read_bytes())
        self.assert_fails(self.makedb(path, path), 2, "is also the input")
        self.assertEqual(path.read_bytes(), SEQUENCES.read_bytes())

    def test_output_in_a_missing_folder(self):
        self.assert_fails(self.makedb(SEQUENCES, "absent/made.ghdb"), 1, "absent/made.ghdb")

    def test_database_of_a_database(self):
        self.assert_fails(self.makedb(self.database(), "again.ghdb"), 1, "already a prepared database")
        self.assert_only("made.ghdb")


class WrongDatabaseTests(MakedbTest):
    def assert_search_refuses(self, path, *mentions, **keywords):
        done = self.run_command(self.search_command(PROFILE, path), **keywords)
        self.assert_fails(done, 1, *mentions)

    def test_other_version(self):
        content = bytearray(self.database().read_bytes())
        content[VERSION_AT : VERSION_AT + 4] = struct.pack("=I", 7)
        self.assert_search_refuses(self.path("new.ghdb", bytes(content)), "new.ghdb", "version 7", "makedb")

    def test_truncated(self):
        content = self.database().read_bytes()
        for size in (10, 16, 5000, len(content) // 2, len(content) - 1):
            with self.subTest(size=size):
                path = self.path("cut.ghdb", content[:size])
                self.assert_search_refuses(path, path)

    def test_other_alphabet(self):
        self.assert_search_refuses(self.database(GENOME), "made.ghdb", "alphabet")

    def test_gzipped_piped_or_with_a_format(self):
        path = self.database()
        packed = self.path("packed.gz", gzip.compress(path.read_bytes()))
        self.assert_search_refuses(packed, packed, "prepared database", "plain file")
        self.assert_search_refuses("-", "standard input", "plain file", input=path.read_bytes())
        done = self.run_command(self.search_command("--informat", "fasta", PROFILE, path))
        self.assert_fails(done, 1, path, "no format")
