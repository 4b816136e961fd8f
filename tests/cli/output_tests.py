"""Output files are complete or absent: full disks, closed pipes and interrupts."""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import time

from harness import PROFILE, SEQUENCES, TESTDATA, TIME_LIMIT, CommandLineTest, Settings

OUTPUT_OPTIONS = ("-o", "--tblout", "--domtblout", "--json")


class OutputFileTests(CommandLineTest):
    def failing_input(self):
        """Sequences whose last record cannot be read, so that the search fails at its end."""
        return self.path("cut.fasta.gz", self.packed()[:-6])

    @staticmethod
    def packed():
        return subprocess.run(["gzip", "-c", SEQUENCES], stdout=subprocess.PIPE, check=True).stdout

    def test_all_outputs_of_one_run_are_those_of_single_runs(self):
        words = [word for option in OUTPUT_OPTIONS for word in (option, "all" + option)]
        self.assertEqual(self.search(*words, PROFILE, SEQUENCES), b"")
        for option in OUTPUT_OPTIONS:
            self.search("-o", "/dev/null", option, "single", PROFILE, SEQUENCES)
            if option == "-o":
                self.path("single", self.search(PROFILE, SEQUENCES))
            self.assertEqual(
                self.without_paths(self.path("single")), self.without_paths(self.path("all" + option)), option
            )

    def test_outputs_are_those_of_one_thread(self):
        many = self.path("many.fasta", SEQUENCES.read_bytes() * 4)
        words = ("search", "--quiet", "-E", "1e9", "--tblout", "t", "--domtblout", "d", "-o", "r", PROFILE, many)
        answers = []
        for device in ("none", "pthread"):
            for threads in (1, 5):
                done = self.run_command(self.command(*words, "--device", device, "--cpu", threads))
                self.assertEqual(done.returncode, 0, done.stderr)
                answers.append([self.path(name).read_bytes() for name in ("r", "t", "d")])
                self.assertGreater(answers[-1][0].count(b": domain 1 of "), 1000)
                self.assertTrue(answers[-1] == answers[0], f"other outputs by {device}, {threads} threads")

    @staticmethod
    def without_paths(path):
        return [line for line in path.read_bytes().splitlines() if not line.startswith(b"# ")]

    def test_a_file_in_a_folder_that_cannot_be_written_is_overwritten(self):
        program, profile, sequences = self.path("program"), self.path("profile"), self.path("sequences")
        for copy, original in ((program, Settings.gpuhmm), (profile, PROFILE), (sequences, SEQUENCES)):
            shutil.copyfile(original, copy)
        program.chmod(0o755)
        self.folder.chmod(0o755)
        user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        for bits in (0o555, 0o1777) if user else (0o555,):  # in /tmp and the like, others' files stay
            folder = self.path(f"folder{bits}")
            folder.mkdir()
            self.addCleanup(folder.chmod, 0o755)
            old = self.path(folder / "old", "x" * 10_000_000)
            old.chmod(0o666)
            folder.chmod(bits)
            inode = old.stat().st_ino
            for words, status in (((sequences,), 0), (("missing",), 1)):
                before = old.read_bytes()
                done = self.run_command([program, "search", "-q", "--device", "none", "-o", old, profile, *words], **user)
                self.assertEqual((done.returncode, done.stdout), (status, b""), done.stderr)
                if status == 0:
                    self.assertEqual(old.read_bytes(), self.search(profile, sequences))
                else:
                    self.assertEqual(old.read_bytes(), before)
            self.assertEqual(old.stat().st_ino, inode)
            if bits == 0o555:
                done = self.run_command([program, "search", "-q", "-o", folder / "new", profile, sequences], **user)
                self.assert_fails(done, 1, "new: cannot be written")
                done = self.run_command([program, "sort", "-q", "-o", old, sequences], **user)
                self.assert_fails(done, 1, "old: cannot be written")
            self.assertEqual([path.name for path in folder.iterdir()], ["old"])

    def test_full_disk(self):
        for option in OUTPUT_OPTIONS:
            with self.subTest(option):
                done = self.run_command(self.search_command(option, "/dev/full", PROFILE, SEQUENCES))
                self.assertEqual(done.returncode, 1)
                self.assertIn(b"/dev/full", done.stderr)
                self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assert_only()

    def test_full_disk_leaves_no_other_output(self):
        self.run_command(self.search_command("-o", "report", "--tblout", "/dev/full", PROFILE, SEQUENCES))
        self.assert_only()

    def test_standard_output_full(self):
        with open("/dev/full", "wb") as full:
            done = self.run_command(self.search_command(PROFILE, SEQUENCES), stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(b"\n"), 1)

    def test_help_to_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = self.run_command(self.command("--help"), stdout=full)
        self.assertEqual(done.returncode, 1)

    def test_missing_folder_and_folder_as_file(self):
        for option in OUTPUT_OPTIONS:
            for path in (self.folder / "missing/file", self.folder):
                done = self.run_command(self.search_command(option, path, PROFILE, SEQUENCES))
                self.assert_fails(done, 1, path)

    def test_existing_file_is_kept_when_the_search_fails(self):
        kept = self.path("kept", "precious")
        for option in OUTPUT_OPTIONS:
            done = self.run_command(self.search_command(option, kept, PROFILE, self.failing_input()))
            self.assertEqual(done.returncode, 1)
            self.assertEqual(kept.read_text(), "precious")
        self.assert_only("kept", "cut.fasta.gz")

    def test_existing_file_is_replaced_on_success_and_keeps_its_permissions(self):
        old = self.path("old", "x" * 10**6)
        old.chmod(0o640)
        self.search("-o", old, PROFILE, SEQUENCES)
        self.assertEqual(old.read_bytes(), self.search(PROFILE, SEQUENCES))
        self.assertEqual(stat.S_IMODE(old.stat().st_mode), 0o640)
        self.assert_only("old")

    def test_new_file_has_the_usual_permissions(self):
        self.shell('umask 027; "$PROGRAM" search --quiet --device none -o new "$P" "$S"', **self.names())
        self.assertEqual(stat.S_IMODE(self.path("new").stat().st_mode), 0o640)

    def names(self):
        return {"PROGRAM": self.command()[0], "P": PROFILE, "S": SEQUENCES}

    def test_closed_pipe_ends_quietly(self):
        many = self.path("many.hmm", PROFILE.read_bytes() * 20)
        done = self.shell('"$PROGRAM" search --quiet --device none "$M" "$S" | head -1', M=many, **self.names())
        self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGPIPE, b""))
        self.assertEqual(done.stdout.count(b"\n"), 1)

    def test_closed_pipe_leaves_no_files(self):
        many = self.path("many.hmm", PROFILE.read_bytes() * 20)
        script = '"$PROGRAM" search --quiet --device none -o - --tblout table "$M" "$S" | head -1'
        done = self.shell(script, M=many, **self.names())
        self.assertEqual(done.returncode, 128 + signal.SIGPIPE)
        self.assert_only("many.hmm")

    def test_table_to_standard_output_into_sort(self):
        for name in ("-", "/dev/stdout"):
            done = self.shell(
                f'"$PROGRAM" search --quiet --device none --tblout {name} --table-format tab "$P" "$S" | sort -r',
                **self.names(),
            )
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertNotIn(b"hmmsearch - search", done.stdout)
            self.assertGreater(done.stdout.count(b"\n"), 20)

    def test_report_to_a_named_output_beside_a_table_on_standard_output(self):
        table = self.search("--tblout", "-", "-o", "report", PROFILE, SEQUENCES)
        self.assertNotIn(b"hmmsearch - search", table)
        self.assertEqual(self.path("report").read_bytes(), self.search(PROFILE, SEQUENCES))


class InterruptTests(CommandLineTest):
    def start(self, *words, action=signal.SIG_DFL):
        """Starts a search with this action for signals, whatever action the tests inherited."""

        def set_signals():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, action)

        return subprocess.Popen(
            self.search_command(*words), cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, preexec_fn=set_signals,
        )  # fmt: skip

    def test_signals_while_reading(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start("-o", "report", "--tblout", "table", PROFILE, "-")
            process.stdin.write(b">one\nACDEFGHIKLMNPQRSTVWY\n")
            process.stdin.flush()
            self.wait_for_files(known=1)
            status, message = self.interrupt(process, number)
            self.assertEqual((status, message), (-number, b""))
            self.assert_only()

    def test_ignored_signals_stay_ignored(self):
        """Programs start so under nohup and in the background of a script."""
        process = self.start("-o", "report", PROFILE, "-", action=signal.SIG_IGN)
        self.wait_for_files(known=0)
        for number in (signal.SIGINT, signal.SIGHUP):
            process.send_signal(number)
        _, message = process.communicate(SEQUENCES.read_bytes(), timeout=TIME_LIMIT)
        self.assertEqual((process.returncode, message), (0, b""))
        self.assert_only("report")

    def test_signal_while_computing(self):
        targets = self.path("many.fasta", SEQUENCES.read_bytes() * 300)
        process = self.start("-o", "report", TESTDATA / "hmm/Pkinase_ls.hmm", targets)
        self.wait_for_files(known=1)
        time.sleep(0.7)
        started = time.monotonic()
        status, message = self.interrupt(process)
        self.assertEqual((status, message), (-signal.SIGINT, b""))
        self.assertLess(time.monotonic() - started, 5)
        self.assert_only("many.fasta")

    def test_the_shell_sees_130(self):
        script = '"$PROGRAM" search --quiet --device none -o report "$P" pipe & sleep 0.5; kill -INT $!; wait $!'
        os.mkfifo(self.path("pipe"))
        # without job control a shell's background job ignores SIGINT
        done = self.shell("set -m; " + script, PROGRAM=self.command()[0], P=PROFILE)
        self.assertEqual(done.returncode, 130)
        self.assert_only("pipe")


class TableTests(CommandLineTest):
    def rows(self, option, *words):
        text = self.search(option, "-", "--table-format", "tab", *words, PROFILE, SEQUENCES).decode()
        return [line.split("\t") for line in text.splitlines()]

    def test_tab_separated_tables_have_one_width(self):
        for option in ("--tblout", "--domtblout"):
            rows = self.rows(option, "-E", "1000")
            self.assertGreater(len(rows), 20)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})
            self.assertFalse([row for row in rows if "" in row])

    def test_several_profiles_share_one_header(self):
        path = self.path("two.hmm", PROFILE.read_bytes() + (TESTDATA / "hmm/Pkinase_ls.hmm").read_bytes())
        text = self.search("--tblout", "-", "--table-format", "tab", path, SEQUENCES).decode()
        heads = [line for line in text.splitlines() if line == text.splitlines()[0]]
        self.assertEqual(len(heads), 1)
        self.assertIn("\tRRM_1\t", text)
        self.assertIn("\tPkinase\t", text)

    def test_no_hits(self):
        for words in (["--tblout", "-"], ["--domtblout", "-"]):
            text = self.search(*words, "-E", "1e-300", PROFILE, SEQUENCES).decode()
            self.assertFalse([line for line in text.splitlines() if not line.startswith("#")])
        self.assertEqual(self.search("--json", "-", "-E", "1e-300", PROFILE, SEQUENCES), b"")

    def test_json_lines(self):
        lines = self.search("--json", "-", PROFILE, SEQUENCES).decode().splitlines()
        rows = self.rows("--tblout")
        objects = [json.loads(line) for line in lines]
        self.assertTrue(all(isinstance(item, dict) for item in objects))
        self.assertEqual(len(objects), len([row for row in rows if not row[0].startswith("#")]) - self.head_rows(rows))

    @staticmethod
    def head_rows(rows):
        return 0 if rows[0][0].startswith("#") else 1

    def test_json_of_odd_names(self):
        sequence = SEQUENCES.read_bytes().split(b">")[1:]
        odd = [b'na"me\\\x01\xff\xfe', "naïve→".encode(), b"x" * 3000]
        bodies = (body.split(b"\n", 1)[1] for body in sequence)
        content = b"".join(b">%s %s\n%s" % (name, name, body) for name, body in zip(odd, bodies))
        text = self.search("--json", "-", "-E", "1e9", "-T", "-9999", PROFILE, self.path("odd.fasta", content))
        self.assertEqual(len([json.loads(line) for line in text.decode("utf-8").splitlines()]), len(odd))


class ReportSectionTests(CommandLineTest):
    def test_sections_can_be_left_out(self):
        whole = self.search(PROFILE, SEQUENCES)
        self.assertIn(b"Alignments of top-scoring domains:", whole)
        self.assertIn(b"Histogram of all scores:", whole)
        self.assertNotIn(b"Alignments of top", self.search("--noali", PROFILE, SEQUENCES))
        self.assertEqual(self.search("--noali", PROFILE, SEQUENCES), self.search("-A", "0", PROFILE, SEQUENCES))
        self.assertNotIn(b"Histogram of all scores", self.search("--no-histogram", PROFILE, SEQUENCES))

    def test_hits_do_not_depend_on_the_sections(self):
        def lists(report):
            body = report.split(b"Scores for complete")[1]
            return re.split(rb"\n(?:Alignments of top|Histogram of|Total sequences)", body)[0].strip()

        whole = lists(self.search(PROFILE, SEQUENCES))
        for words in (["--noali"], ["--no-histogram"], ["--noali", "--no-histogram"]):
            self.assertEqual(lists(self.search(*words, PROFILE, SEQUENCES)), whole)
