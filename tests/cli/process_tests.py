"""The environment of a run: closed descriptors, signals, and files that are both input and output."""

import ctypes
import os
import resource
import shutil
import signal
import subprocess

from harness import PROFILE, SEQUENCES, TESTDATA, TIME_LIMIT, CommandLineTest


class ClosedDescriptorTests(CommandLineTest):
    """Daemons start programs with descriptors 0 to 2 closed; files opened later must not get those numbers."""

    def run_closed(self, words, redirections):
        script = '"$0" "$@" ' + redirections
        command = ["bash", "-c", script, *self.command(*words)]
        return subprocess.run(command, cwd=self.folder, capture_output=True, timeout=TIME_LIMIT)

    def calibrated(self, redirections):
        profile = self.path("p.hmm", PROFILE.read_bytes())
        done = self.run_closed(["calibrate", "--device", "none", "--num", "500", "--seed", "1", "p.hmm"], redirections)
        self.assertEqual(done.returncode, 0, done.stderr)
        return profile.read_bytes()

    def test_calibrated_profiles_are_the_same(self):
        expected = self.calibrated("")
        self.assertTrue(expected.startswith(b"HMMER2.0"))
        for closed in (">&-", "<&-", "<&- >&-", "2>&-", "<&- >&- 2>&-", "<&- 2>&-"):
            with self.subTest(closed):
                self.assertEqual(self.calibrated(closed), expected)
                self.assert_only("p.hmm")

    def test_outputs_of_other_commands_are_the_same(self):
        for words, output in (
            (["search", "--device", "none", "-o", "out", PROFILE, SEQUENCES], "out"),
            (["convert", "-F", PROFILE, "out"], "out"),
            (["build", "--amino", "-F", "out", TESTDATA / "seq/RRM_1.sto"], "out"),
            (["align", "-o", "out", PROFILE, TESTDATA / "seq/HBA_HUMAN.fasta"], "out"),
            (["emit", "--seed", "1", "-o", "out", PROFILE], "out"),
            (["kmers", "-k", "3", "-o", "out", SEQUENCES], "out"),
            (["makedb", SEQUENCES, "out"], "out"),
        ):
            with self.subTest(words[0]):
                expected = None
                for closed in ("", "<&- >&-", "<&- >&- 2>&-"):
                    done = self.run_closed(words, closed)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    written = [line for line in self.path(output).read_bytes().split(b"\n") if b"DATE" not in line]
                    expected = expected or written
                    self.assertEqual(written, expected)

    def test_a_result_for_a_closed_standard_output_is_an_error(self):
        for words in (
            ["search", "--device", "none", PROFILE, SEQUENCES],
            ["search", "--device", "none", "--tblout", "/dev/stdout", PROFILE, SEQUENCES],
            ["fetch", PROFILE, "RRM_1"],
            ["kmers", "-k", "3", SEQUENCES],
            ["convert", PROFILE, "-"],
            ["emit", PROFILE],
            ["stat", PROFILE],
            ["help"],
            ["--version"],
        ):
            with self.subTest(words):
                done = self.run_closed(words, ">&-")
                self.assert_fails(done, 1, "Bad file descriptor")
                self.assert_only()

    def test_a_closed_standard_input_is_empty(self):
        done = self.run_closed(["kmers", "-k", "3", "-"], "<&-")
        empty = self.gpuhmm("kmers", "-k", "3", "-", input=b"")
        self.assertEqual((done.returncode, done.stdout), (empty.returncode, empty.stdout))
        self.assertNotIn(b"Bad file", done.stderr)


def ending_signals():
    """All signals that end a program by default and can be handled, except SIGPIPE and SIGXFSZ."""
    others = {"CHLD", "CONT", "URG", "WINCH", "TSTP", "TTIN", "TTOU", "STOP", "KILL", "PIPE", "XFSZ"}
    others = {getattr(signal, "SIG" + name) for name in others}
    return [number for number in signal.valid_signals() if number not in others]


class EndingSignalTests(CommandLineTest):
    SILENT = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

    def start(self, *words, **keywords):
        def defaults():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            for number in ending_signals():
                signal.signal(number, signal.SIG_DFL)

        return subprocess.Popen(
            self.command(*words), cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, preexec_fn=defaults, **keywords,
        )  # fmt: skip

    def test_every_signal_that_ends_a_program(self):
        for number in ending_signals():
            with self.subTest(number):
                process = self.start("search", "--device", "none", "-o", "report", "--tblout", "table", PROFILE, "-")
                self.wait_for_files(1)
                status, message = self.interrupt(process, number)
                self.assertEqual(status, -number)
                self.assertEqual(message.count(b"\n"), 0 if number in self.SILENT else 1, message)
                if number == signal.SIGUSR1:
                    self.assertIn(b"gpuhmm: ended by signal SIGUSR1 (User defined signal 1)", message)
                self.assert_only()

    def test_spooled_runs_of_a_sort(self):
        temporary = self.path("tmp")
        temporary.mkdir()
        for number in (signal.SIGALRM, signal.SIGUSR2, signal.SIGTERM):
            process = self.start(
                "sort", "--memory", "1M", "-o", "sorted", "-", env={**os.environ, "TMPDIR": str(temporary)}
            )
            process.stdin.write(b"".join(b"line %d\n" % (i * 7919 % 1000003) for i in range(300000)))
            process.stdin.flush()
            self.wait_for_files(1)
            status, _ = self.interrupt(process, number)
            self.assertEqual(status, -number)
            self.assert_only("tmp")
            self.assertEqual(os.listdir(temporary), [])

    def test_the_limit_of_cpu_time(self):
        targets = self.path("many.fasta", SEQUENCES.read_bytes() * 400)
        words = ["search", "--device", "none", "-o", "report", TESTDATA / "hmm/Pkinase_ls.hmm", targets]
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 60))  # noqa: E731
        done = self.gpuhmm(*words, preexec_fn=limit)
        self.assertEqual(done.returncode, -signal.SIGXCPU)
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(b"gpuhmm: ended by signal SIGXCPU (CPU time limit exceeded)", done.stderr)
        self.assert_only("many.fasta")

    def test_the_limit_of_file_size(self):
        """Exceeding it is a write error, of outputs and of temporary files."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))  # noqa: E731
        many = self.path("many.txt", b"".join(b"%d\n" % (i * 7919 % 1000003) for i in range(300000)))
        for words in (
            ["search", "--device", "none", "-o", "report", PROFILE, SEQUENCES],
            ["convert", "-b", PROFILE, "out.hmm"],
            ["sort", "-o", "out", many],
            ["sort", "--memory", "1M", "-o", "out", many],
            ["makedb", SEQUENCES, "out.ghdb"],
        ):
            with self.subTest(words):
                self.assert_fails(self.gpuhmm(*words, preexec_fn=limit), 1, "File too large")
                self.assert_only("many.txt")


class ReleaseTests(CommandLineTest):
    """A run with devices leaves a process behind that ends when they are released; others do not."""

    PR_SET_CHILD_SUBREAPER = 36

    def setUp(self):
        super().setUp()
        take_over = ctypes.CDLL(None).prctl
        self.assertEqual(take_over(self.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0)
        self.addCleanup(take_over, self.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)

    def left_behind(self):
        """The exit codes of the processes that were left behind."""
        codes = []
        try:
            while True:
                codes.append(os.waitstatus_to_exitcode(os.waitpid(-1, 0)[1]))
        except ChildProcessError:
            return codes

    def run_and_wait(self, *words, **variables):
        """The output of a run with this environment variable, and what it has left behind."""
        environment = {name: value for name, value in os.environ.items() if name != "GPUHMM_RELEASE"}
        done = self.gpuhmm(*words, env={**environment, **variables})
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout, self.left_behind()

    def test_runs_with_devices(self):
        search = ["search", "--quiet", "--tblout", "-", "--format", "tab"]
        for words in (
            [*search, PROFILE, SEQUENCES],
            [*search, TESTDATA / "hmm/RRM_1_hmmer3.hmm", SEQUENCES],
            ["segments", SEQUENCES],
        ):
            with self.subTest(words):
                table, left = self.run_and_wait(*words, "--device", "none")
                self.assertEqual(left, [])
                on_device = [*words, "--device", "pthread"]
                self.assertEqual(self.run_and_wait(*on_device), (table, [0]))
                self.assertEqual(self.run_and_wait(*on_device, GPUHMM_RELEASE="wait"), (table, []))


class OutputNameTests(CommandLineTest):
    def test_a_dangling_link_gets_its_target(self):
        folder = self.path("sub")
        folder.mkdir()
        absolute = self.folder / "absolute"
        for link, target in (("a", "made"), ("b", "sub/made"), ("c", absolute), ("d", "e"), ("e", "far")):
            self.path(link).symlink_to(target)
        for link, target in (("a", "made"), ("b", "sub/made"), ("c", "absolute"), ("d", "far")):
            with self.subTest(link):
                done = self.gpuhmm("fetch", PROFILE, "RRM_1", "-o", link)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertTrue(self.path(link).is_symlink())
                self.assertEqual(self.path(target).read_bytes(), PROFILE.read_bytes())
        self.assertEqual(os.listdir(folder), ["made"])

    def test_links_that_lead_nowhere(self):
        self.path("loop").symlink_to("loop")
        self.path("deep").symlink_to("missing/file")
        for link, why in (("loop", "symbolic links"), ("deep", "No such file")):
            self.assert_fails(self.gpuhmm("fetch", PROFILE, "RRM_1", "-o", link), 1, link, why)
        self.assert_only("deep", "loop")

    def test_an_empty_name(self):
        sequences = TESTDATA / "seq/HBA_HUMAN.fasta"
        for words in (
            ["search", "--device", "none", "-o", "", PROFILE, sequences],
            ["scan", "--device", "none", "--tblout", "", PROFILE, sequences],
            ["fetch", "-o", "", PROFILE, "RRM_1"],
            ["convert", PROFILE, ""],
            ["calibrate", "-o", "", PROFILE],
            ["calibrate", "--histfile", "", PROFILE],
            ["build", "", TESTDATA / "seq/RRM_1.sto"],
            ["kmers", "-k", "3", "-o", "", sequences],
            ["sort", "-o", "", sequences],
            ["segments", "--plot", "", sequences],
            ["makedb", sequences, ""],
        ):
            with self.subTest(words):
                self.assert_fails(self.gpuhmm(*words), 2, "the name of an output file is empty")
        self.assert_only()


class OverwritingTests(CommandLineTest):
    """No command overwrites a file that it reads, under any of its names."""

    NUMBERS = "1 2 3\n4 5 6\n"

    def setUp(self):
        super().setUp()
        self.inputs = {
            "p.hmm": PROFILE.read_bytes(),
            "s.fa": (TESTDATA / "seq/HBA_HUMAN.fasta").read_bytes(),
            "t.fa": (TESTDATA / "seq/HBB_HUMAN.fasta").read_bytes(),
            "a.sto": (TESTDATA / "seq/RRM_1.sto").read_bytes(),
            "n.txt": self.NUMBERS.encode(),
        }
        for name, content in self.inputs.items():
            self.path(name, content)

    # command lines with OUT for the output, and the inputs that OUT is replaced by
    CASES = (
        ("search --device none -o OUT p.hmm s.fa", "p.hmm s.fa"),
        ("search --device none --tblout OUT p.hmm s.fa", "p.hmm s.fa"),
        ("search --device none --domtblout OUT p.hmm s.fa", "s.fa"),
        ("search --device none --json OUT p.hmm s.fa", "s.fa"),
        ("scan --device none -o OUT p.hmm s.fa", "p.hmm s.fa"),
        ("makedb s.fa OUT", "s.fa"),
        ("calibrate --num 50 -o OUT p.hmm", "p.hmm"),
        ("calibrate --num 50 --histfile OUT p.hmm", "p.hmm"),
        ("convert -A p.hmm OUT", "p.hmm"),
        ("fetch -o OUT p.hmm RRM_1", "p.hmm"),
        ("build -F OUT a.sto", "a.sto"),
        ("build -A OUT a.sto", "a.sto"),
        ("build -F --prior p.hmm OUT a.sto", "p.hmm a.sto"),
        ("build -F --null p.hmm OUT a.sto", "p.hmm"),
        ("build -F --pam p.hmm OUT a.sto", "p.hmm"),
        ("build -F -o OUT new.hmm a.sto", "a.sto"),
        ("build -F --cfile OUT new.hmm a.sto", "a.sto"),
        ("emit -o OUT p.hmm", "p.hmm"),
        ("align -o OUT p.hmm s.fa", "p.hmm s.fa"),
        ("align --withali a.sto -o OUT p.hmm s.fa", "a.sto"),
        ("align --mapali a.sto -o OUT p.hmm s.fa", "a.sto"),
        ("segments -o OUT s.fa", "s.fa"),
        ("segments --plot OUT s.fa", "s.fa"),
        ("segments --numbers -o OUT n.txt", "n.txt"),
        ("submatrix -o OUT n.txt", "n.txt"),
        ("submatrix --dotplot -o OUT s.fa t.fa", "s.fa t.fa"),
        ("submatrix --dotplot --matrix n.txt -o OUT s.fa t.fa", "n.txt"),
        ("subsequence -o OUT n.txt", "n.txt"),
        ("reduce -o OUT n.txt", "n.txt"),
        ("kmers -k 3 -o OUT s.fa", "s.fa"),
    )  # fmt: skip

    def names_of(self, name):
        """Other names of a file."""
        links = self.path("links")
        links.mkdir()
        (links / "symbolic").symlink_to(f"../{name}")
        (links / "twice").symlink_to("symbolic")
        os.link(self.path(name), links / "hard")
        yield from (name, f"./{name}", f"../{self.folder.name}/{name}", "links/symbolic", "links/twice", "links/hard")
        shutil.rmtree(links)

    def assert_inputs_unchanged(self):
        self.assert_only(*self.inputs)
        for name, content in self.inputs.items():
            self.assertEqual(self.path(name).read_bytes(), content, name)

    def test_an_output_that_is_an_input(self):
        for line, inputs in self.CASES:
            for name in inputs.split():
                for other in self.names_of(name):
                    with self.subTest(line, name=name, other=other):
                        words = [other if word == "OUT" else word for word in line.split()]
                        done = self.gpuhmm(*words)
                        self.assert_fails(done, 2, f"the output {other} is also the input {name}")
                self.assert_inputs_unchanged()

    def test_standard_input_and_output(self):
        for script, message in (
            ('"$P" kmers -k 3 -o s.fa - < s.fa', "the output s.fa is also the input standard input"),
            ('"$P" kmers -k 3 s.fa >> s.fa', "the output standard output is also the input s.fa"),
            ('"$P" fetch p.hmm RRM_1 >> p.hmm', "the output standard output is also the input p.hmm"),
            ('"$P" stat p.hmm >> p.hmm', "the output standard output is also the input p.hmm"),
            ('"$P" sort - < s.fa >> s.fa', "the output standard output is also the input standard input"),
            ('"$P" search --device none --tblout n.txt p.hmm s.fa >> n.txt', "two outputs go to the file"),
            ('"$P" emit -o n.txt p.hmm >> n.txt', "two outputs go to the file"),
        ):
            with self.subTest(script):
                done = self.shell(script, P=self.command()[0])
                self.assert_fails(done, 2, message)
                self.assert_inputs_unchanged()

    def test_an_index_that_is_a_link_to_its_file(self):
        self.path("p.hmm.ghpi").symlink_to("p.hmm")
        self.assert_fails(self.gpuhmm("index", "p.hmm"), 2, "the output p.hmm.ghpi is also the input p.hmm")

    def test_two_outputs_that_are_one_file(self):
        self.path("other").symlink_to("out")
        for line in (
            "search --device none -o out --tblout out p.hmm s.fa",
            "search --device none -o other --json out p.hmm s.fa",
            "search --device none -o - --json /dev/stdout p.hmm s.fa",
            "calibrate --num 50 --histfile other -o out p.hmm",
            "calibrate --num 50 --histfile - p.hmm",
            "build -o other out a.sto",
            "build --cfile other out a.sto",
            "segments -o other --plot out s.fa",
            "submatrix -o out.svg --plot ./out.svg n.txt",
        ):
            with self.subTest(line):
                done = self.gpuhmm(*line.split())
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertRegex(done.stderr.decode(), "two outputs go to the file|only one output can go to standard")
                self.assert_only("other", *self.inputs)

    def test_commands_that_work_in_place(self):
        self.path("link").symlink_to("n.txt")
        self.path("n.txt", "b\na\n")
        done = self.gpuhmm("sort", "-o", "link", "n.txt")
        self.assertEqual((done.returncode, done.stderr, self.path("n.txt").read_text()), (0, b"", "a\nb\n"))
        done = self.gpuhmm("calibrate", "--num", "500", "--seed", "1", "--device", "none", "p.hmm")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b"EVD", self.path("p.hmm").read_bytes())
        done = self.gpuhmm("convert", "-b", "-F", "p.hmm", "./p.hmm")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(self.gpuhmm("stat", "p.hmm").stdout.count(b"RRM_1"), 1)

    def test_drop_in_names(self):
        for name, line in (
            ("hmm2align", "-o s.fa p.hmm s.fa"),
            ("hmm2align", "-o p.hmm p.hmm s.fa"),
            ("hmm2convert", "-A p.hmm p.hmm"),
            ("hmm2build", "-F a.sto a.sto"),
            ("hmm2calibrate", "--num 50 --histfile p.hmm p.hmm"),
        ):
            with self.subTest(name, line=line):
                # argv[0] selects the program, so no link is needed
                done = self.run_command([name, *line.split()], executable=self.command()[0])
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr.decode(), "FATAL: .*(also the input|two outputs)")
                self.assert_inputs_unchanged()
