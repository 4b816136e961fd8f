"""The progress line on a pseudo-terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from harness import PROFILE, SEQUENCES, TESTDATA, TIME_LIMIT, CommandLineTest

PKINASE = TESTDATA / "hmm/Pkinase_ls.hmm"
CLEAR = b"\r\x1b[K"


class Terminal:
    """A pseudo-terminal that records what is written to it, with times."""

    def __init__(self, columns=80):
        self.master, self.slave = pty.openpty()
        self.resize(columns)
        self.pieces = []

    def resize(self, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def run(self, command, at=(), **keywords):
        """Runs the command and returns its exit status. `at`: pairs (number of pieces, action(process)), in order; the
        action runs when so many pieces have been written."""
        started = time.monotonic()
        waiting = list(at)
        process = subprocess.Popen(command, stderr=self.slave, stdin=subprocess.DEVNULL, **keywords)
        os.close(self.slave)
        while True:
            now = time.monotonic() - started
            if waiting and len(self.pieces) >= waiting[0][0]:
                waiting.pop(0)[1](process)
            if now > TIME_LIMIT:
                process.kill()
                raise AssertionError("the program did not end")
            if select.select([self.master], [], [], 0.02)[0]:
                try:
                    piece = os.read(self.master, 1 << 16)
                except OSError:  # the program has closed its side
                    piece = b""
                if not piece:
                    break
                self.pieces.append((time.monotonic() - started, piece))
        os.close(self.master)
        self.ended = time.monotonic() - started
        return process.wait(timeout=TIME_LIMIT)

    def text(self):
        return b"".join(piece for _, piece in self.pieces)

    def lines(self):
        """The progress lines in order, without messages."""
        return [line.decode() for line in self.text().split(CLEAR) if line and not line.endswith(b"\n")]

    def times(self):
        return [when for when, piece in self.pieces if piece.strip(CLEAR)]

    def screen(self):
        """The text on the last line at the end."""
        return self.text().split(CLEAR)[-1].split(b"\n")[-1]


class ProgressTests(CommandLineTest):
    FORM = re.compile(r" *(---|\d+\.\d)% \[(?:=*>? *| *<=> *)\](?: [-+.\de]+ [A-Za-z/ ]+,)? \d+:\d\d(?:, \d+:\d\d left)?$")

    def big(self, times):
        return self.path("big.fasta", SEQUENCES.read_bytes() * times)

    def watch(self, words_for, grows=True):
        """Checks a run of some seconds: frequent lines, percentages that never decrease, no line left at the end.
        `words_for(n)`: the words of a run n times as long as that of words_for(1)."""
        for scale in (1, 2, 4, 8, 16):
            terminal = Terminal()
            command = self.command(*words_for(scale))
            status = terminal.run(command, stdout=subprocess.DEVNULL, cwd=self.folder)
            self.assertEqual(status, 0, terminal.text())
            if terminal.ended > 2:
                break
        times = [0, *terminal.times(), terminal.ended]
        # a busy machine may delay a line
        self.assertLess(max(b - a for a, b in zip(times, times[1:])), 2.0)
        lines = terminal.lines()
        self.assertGreater(len(lines), terminal.ended)
        for line in lines:
            self.assertRegex(line, self.FORM)
            self.assertLess(len(line), 80)
        percents = [float(line.split("%")[0]) for line in lines if "---" not in line]
        self.assertEqual(percents, sorted(percents))
        if grows:
            self.assertGreater(len(set(percents)), 3, lines)
        self.assertEqual(terminal.screen(), b"")
        return terminal

    def test_search_of_one_batch(self):
        terminal = self.watch(
            lambda n: ["search", "--device", "none", "--cpu", 1, "-o", "out", PKINASE, self.big(250 * n)]
        )
        self.assertTrue(any("GCUPS" in line and "left" in line for line in terminal.lines()))

    def test_search_of_a_pipe(self):
        """The size of the input is unknown, so the bar only moves."""
        script = 'cat "$0" | "$@"'
        words = ["--device", "none", "--cpu", 1, "--batch-residues", 2000000, "-o", "out", PKINASE, "-"]
        search = self.command("search", *words)
        terminal = Terminal()
        command = ["bash", "-c", script, self.big(200), *search]
        status = terminal.run(command, stdout=subprocess.DEVNULL, cwd=self.folder)
        self.assertEqual(status, 0)
        self.assertTrue(all(re.fullmatch(self.FORM, line) for line in terminal.lines()), terminal.lines())
        moving = [line for line in terminal.lines() if "---% [" in line and "<=>" in line]
        self.assertGreater(len(set(line.index("<=>") for line in moving)), 2, terminal.lines())

    def test_scan(self):
        self.watch(lambda n: ["scan", "--device", "none", "--cpu", 1, "-o", "out", PKINASE, self.big(200 * n)])

    def test_calibrate(self):
        self.path("p.hmm", PKINASE.read_bytes())
        self.watch(lambda n: ["calibrate", "--device", "none", "--cpu", 1, "--num", 250000 * n, "-o", "out", "p.hmm"])

    def test_kmers_and_sort(self):
        kmers = ["kmers", "-k", 40, "--cpu", 1, "-o", "out", "--alphabet", "amino"]
        self.watch(lambda n: [*kmers, self.big(600 * n)])
        self.watch(lambda n: ["sort", "--cpu", 1, "--memory", "8M", "-o", "out", self.big(600 * n)])

    def test_build_of_many(self):
        alignment = (TESTDATA / "seq/RRM_1.sto").read_bytes()
        body = alignment.split(b"\n", 1)[1]
        body = re.sub(rb"#=GF ID.*\n", b"", body)

        def words(n):
            self.path("many.sto", b"".join(b"# STOCKHOLM 1.0\n#=GF ID p%d\n" % i + body for i in range(1000 * n)))
            return ["build", "-F", "out", "many.sto"]

        self.watch(words, grows=False)

    def test_no_line_without_a_terminal_or_with_quiet(self):
        big = self.big(30)
        for words in (
            ["search", "--device", "none", "-o", "out", PKINASE, big],
            ["scan", "--device", "none", "-o", "out", PKINASE, big],
            ["calibrate", "--device", "none", "--num", "30000", "-o", "out", PKINASE],
            ["sort", "-o", "out", big],
            ["kmers", "-k", "30", "--alphabet", "amino", "-o", "out", big],
            ["build", "-F", "out", TESTDATA / "seq/RRM_1.sto"],
        ):
            with self.subTest(words[0]):
                terminal = Terminal()
                status = terminal.run(
                    self.command(words[0], "--quiet", *words[1:]), stdout=subprocess.DEVNULL, cwd=self.folder
                )
                self.assertEqual((status, terminal.text()), (0, b""))
                self.assertNotIn(b"%", self.gpuhmm(*words).stderr)

    def test_width_and_resizing(self):
        terminal = Terminal(columns=30)
        resize = lambda process: terminal.resize(120)  # noqa: E731
        words = ["search", "--device", "none", "--cpu", 1, "-o", "out", PKINASE, self.big(300)]
        status = terminal.run(
            self.command(*words), at=[(2, resize)], stdout=subprocess.DEVNULL, cwd=self.folder
        )
        self.assertEqual(status, 0)
        lines = terminal.lines()
        self.assertLess(len(lines[0]), 30)
        self.assertGreater(len(lines[-1]), 60)
        self.assertLess(len(lines[-1]), 120)

    def test_a_report_on_the_same_terminal_is_whole(self):
        terminal = Terminal()
        profiles = self.path("two.hmm", PKINASE.read_bytes() * 2)
        words = ["search", "--device", "none", "--cpu", "1", profiles, self.big(60)]
        status = terminal.run(self.command(*words), stdout=terminal.slave, cwd=self.folder)
        self.assertEqual(status, 0)
        shown = re.sub(rb"\r\x1b\[K *(---|\d+\.\d)%[^\r]*(?=\r\x1b\[K)", b"", terminal.text()).replace(CLEAR, b"")
        expected = self.gpuhmm(*words).stdout
        self.assertEqual(shown.replace(b"\r\n", b"\n"), expected)

    def test_an_interrupted_run_clears_its_line(self):
        terminal = Terminal()
        words = ["search", "--device", "none", "--cpu", 1, "-o", "out", PKINASE, self.big(400)]
        interrupt = lambda process: process.send_signal(signal.SIGINT)  # noqa: E731
        status = terminal.run(
            self.command(*words), at=[(2, interrupt)], stdout=subprocess.DEVNULL, cwd=self.folder,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        self.assertEqual(status, -signal.SIGINT)
        self.assertTrue(terminal.lines())
        self.assertEqual(terminal.screen(), b"")
        self.assert_only("big.fasta")

    def test_short_runs_show_nothing(self):
        terminal = Terminal()
        status = terminal.run(
            self.command("search", "--device", "none", PROFILE, TESTDATA / "seq/HBA_HUMAN.fasta"),
            stdout=subprocess.DEVNULL, cwd=self.folder,
        )  # fmt: skip
        self.assertEqual((status, terminal.text()), (0, b""))
