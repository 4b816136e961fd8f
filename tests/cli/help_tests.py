"""Help, suggestions for mistyped words, man pages, and completion by shells."""

import os
import pty
import re
import select
import shutil
import subprocess
import time

from harness import PROFILE, SEQUENCES, CommandLineTest, Settings
from usage_tests import COMMANDS

DROP_INS = [
    name
    for program in ("search", "pfam", "calibrate", "convert", "fetch", "build", "align", "emit", "index")
    for name in (f"hmm2{program}", f"hmm{program}2")
]


class HelpLayoutTests(CommandLineTest):
    def help_of(self, *words):
        done = self.gpuhmm("help", *words)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def test_no_line_is_longer_than_80_columns(self):
        for command in ("", *COMMANDS):
            text = self.help_of(*command.split())
            self.assertFalse([line for line in text.splitlines() if len(line) > 80 or line != line.rstrip()], command)

    def test_help_of_drop_in_names(self):
        for name in DROP_INS:
            self.path(name).symlink_to(Settings.gpuhmm)
            done = self.run_command([self.folder / name, "-h"])
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertFalse([line for line in done.stdout.decode().splitlines() if len(line) > 80], name)

    def test_help_before_the_command(self):
        for flag in ("--help", "-h"):
            done = self.gpuhmm(flag, "search")
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertEqual(done.stdout.decode(), self.help_of("search"))

    def test_the_letter_of_an_option_comes_first(self):
        for command in COMMANDS:
            text = self.help_of(command)
            self.assertNotIn("[ --", text)
            if command not in ("makedb", "index", "press", "convert", "build", "help"):
                self.assertRegex(text, r"(?m)^  -o, --output FILE( |$)", command)
        self.assertRegex(self.help_of("kmers"), r"(?m)^  -k, --k K +letters")
        self.assertRegex(self.help_of("subsequence"), r"(?m)^  -k, --k K +exactly")

    def test_help_lists_the_values_of_an_option(self):
        """The help of an option has every word that the option accepts."""
        script = self.gpuhmm("help", "--completion", "bash").stdout.decode()
        for command in COMMANDS:
            text = self.help_of(command)
            part = script.split(f"\n    {command})\n")[1].split("esac ;;")[0]
            for option, words in re.findall(r'^ +(--[\w-]+)[^)]*\) _gpuhmm_words "\$word" ([^;$]*); return', part, re.M):
                if option == "--informat":
                    continue
                said = re.split(rf"{option} [A-Z]+\s", text)[1].split("\n      --")[0]
                for word in words.split():
                    self.assertIn(word, said, (command, option))


class SuggestionTests(CommandLineTest):
    def test_commands(self):
        typed = {"serach": "search", "Search": "search", "calibrat": "calibrate", "allign": "align",
                 "submatirx": "submatrix", "device": "devices", "seq": None, "frobnicate": None}  # fmt: skip
        for word, meant in typed.items():
            for words in ([word], ["help", word], ["--help", word]):
                done = self.gpuhmm(*words)
                self.assert_fails(done, 2, f"no command '{word}'", "(see `gpuhmm help`)")
                message = done.stderr.decode()
                self.assertEqual(f"did you mean '{meant}'?" in message, meant is not None, message)
                self.assertEqual("did you mean" in message, meant is not None, message)

    def test_options(self):
        typed = {"--evaluee": "--evalue", "--tblou": None, "--cutga": "--cut_ga", "--cut-ga": "--cut_ga",
                 "-noali": "--noali", "--nothing-like-it": None, "--no-ali": "--noali", "--hlep": "--help",
                 "--threads": None, "--domtblot=x": "--domtblout", "-quiet": None}  # fmt: skip
        for word, meant in typed.items():
            if word in ("--tblou", "-quiet"):  # an abbreviation; -q followed by letters
                continue
            done = self.gpuhmm("search", word, PROFILE, SEQUENCES)
            self.assert_fails(done, 2, word.split("=")[0], "(see `gpuhmm help search`)")
            message = done.stderr.decode()
            self.assertEqual(f"did you mean '{meant}'?" in message, meant is not None, message)
            self.assertEqual("did you mean" in message, meant is not None, message)

    def test_values(self):
        done = self.gpuhmm("segments", "--format", "gff", SEQUENCES)
        self.assert_fails(done, 2, "tsv, json, gff3, bed, tmhmm or tmhmm-short", "not 'gff'", "did you mean 'gff3'?")

    def test_errors_name_the_help_of_their_command(self):
        for words in (["scan"], ["kmers", "-k", "0", SEQUENCES], ["sort", "--memory", "x", SEQUENCES],
                      ["bench", "turn"], ["search", "-E", "ten", PROFILE, SEQUENCES]):  # fmt: skip
            self.assert_fails(self.gpuhmm(*words), 2, f"(see `gpuhmm help {words[0]}`)")

    def test_an_option_before_the_command(self):
        self.assert_fails(self.gpuhmm("--quiet", "search"), 2, "expected a command before '--quiet'")


class WrittenFiles(CommandLineTest):
    """Tests of the files that `gpuhmm help --files` writes and the installation copies."""

    def setUp(self):
        super().setUp()
        done = self.gpuhmm("help", "--files", "share")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))


class ManPageTests(WrittenFiles):
    def test_every_command_and_drop_in_name_has_a_page_without_faults(self):
        folder = self.folder / "share/man/man1"
        names = ["gpuhmm", *(f"gpuhmm-{command}" for command in COMMANDS), *DROP_INS]
        self.assertLessEqual({f"{name}.1" for name in names}, set(os.listdir(folder)))
        for page in sorted(folder.iterdir()):
            done = self.run_command(["groff", "-ww", "-man", "-Tutf8", "-P-c", page])
            self.assertEqual((done.returncode, done.stderr), (0, b""), page.name)
            text = done.stdout.decode()
            self.assertIn(page.stem.upper(), text)
            self.assertNotRegex(text, r"(?m)^ *\.[A-Z]{2}")
        done = self.run_command(["man", "--warnings", "-l", folder / "gpuhmm-search.1"])
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_pages_say_what_help_says(self):
        for command in COMMANDS:
            page = re.sub(r"\\[eE]|\\f[BIR]|\\", "", self.gpuhmm("help", "--man", command).stdout.decode())
            for names in re.findall(r"(?m)^  (-. |-., --[\w-]+|    --[\w-]+)", self.gpuhmm("help", command).stdout.decode()):
                self.assertRegex(page, rf"(?m)^{re.escape(names.strip())}\b", command)
            self.assertEqual(page, re.sub(r"\\[eE]|\\f[BIR]|\\", "", (self.folder / f"share/man/man1/gpuhmm-{command}.1").read_text()))

    def test_pages_of_drop_in_names_have_the_options_of_their_program(self):
        page = self.gpuhmm("help", "--man", "hmmpfam2").stdout.decode()
        for part in ("hmmpfam2, hmm2pfam", r"\fB\-\-acc\fR", r"\fB\-E\fR \fI<x>\fR"):
            self.assertIn(part, page)
        self.assert_fails(self.gpuhmm("help", "--man", "hmm3search"), 2, "hmm3search")

    def test_a_folder_that_cannot_be_written(self):
        self.assert_fails(self.gpuhmm("help", "--files", "/proc/no/such"), 1, "/proc/no/such")


# Command line -> words that a shell should offer at its end, and words that it should not offer.
LINES = {
    "gpuhmm sea": ({"search"}, {"scan"}),
    "gpuhmm help su": ({"submatrix", "subsequence"}, {"search"}),
    "gpuhmm search --table-": (set(), set()),
    "gpuhmm search --format ": ({"space", "tab"}, {"tsv", "a.hmm"}),
    "gpuhmm kmers --format ": ({"tsv", "text", "fasta", "binary"}, {"space"}),
    "gpuhmm segments --scale g": ({"ges"}, set()),
    "gpuhmm search --device ": ({"auto", "none", "all"}, {"a.hmm"}),
    "gpuhmm search --cut_": ({"--cut_ga", "--cut_nc", "--cut_tc"}, {"--compat"}),
    "gpuhmm search ": ({"a.hmm"}, set()),
    "gpuhmm search --device none a.hmm ": ({"b.fasta"}, set()),
    "gpuhmm search -E 1 -o x a.hmm ": ({"b.fasta"}, set()),
    "gpuhmm bench ": ({"tune", "ladder", "reduce"}, {"a.hmm"}),
    "gpuhmm stat -o ": ({"a.hmm", "b.fasta"}, {"tune"}),
    "gpuhmm search --informat sto": ({"stockholm"}, {"fasta"}),
}
FILTERED = {"gpuhmm search ": "b.fasta", "gpuhmm search --device none a.hmm ": "a.hmm"}


class CompletionTests(WrittenFiles):
    def setUp(self):
        super().setUp()
        for name in ("a.hmm", "b.fasta", "c.txt"):
            self.path(name, "")

    def check(self, line, offered, shell):
        wanted, unwanted = LINES[line]
        self.assertLessEqual(wanted, offered, (shell, line))
        self.assertFalse(unwanted & offered, (shell, line, offered))

    def test_bash(self):
        script = self.folder / "share/bash-completion/completions/gpuhmm"
        self.assertEqual(self.gpuhmm("help", "--completion").stdout, script.read_bytes())
        for line in [*LINES, "gpuhmm search --format = t"]:
            words = line.split() + ([""] if line.endswith(" ") else [])
            code = f"""
                compopt() {{ :; }}
                . {script}
                COMP_WORDS=({' '.join(f'"{word}"' for word in words)}) COMP_CWORD={len(words) - 1}
                _gpuhmm
                printf '%s\\n' "${{COMPREPLY[@]}}"
            """
            done = self.run_command(["bash", "--norc", "-c", code])
            self.assertEqual((done.returncode, done.stderr), (0, b""), line)
            offered = set(done.stdout.decode().split())
            if "=" in line:
                self.assertEqual(offered, {"tab"})
                continue
            self.check(line, offered, "bash")
            if line in FILTERED:
                self.assertNotIn(FILTERED[line], offered)

    def test_fish(self):
        script = self.folder / "share/fish/vendor_completions.d/gpuhmm.fish"
        self.assertEqual(self.gpuhmm("help", "--completion", "fish").stdout, script.read_bytes())
        for line in LINES:
            done = self.run_command(
                ["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
                env={**os.environ, "HOME": str(self.folder)},
            )
            self.assertEqual((done.returncode, done.stderr), (0, b""), line)
            self.check(line, {words.split("\t")[0] for words in done.stdout.decode().splitlines()}, "fish")

    def zsh_offers(self, line):
        """What an interactive zsh shows after three tabs."""
        main, other = pty.openpty()
        environment = {"PATH": f"{Settings.gpuhmm.parent}:{os.environ['PATH']}", "TERM": "dumb", "HOME": str(self.folder)}
        shell = subprocess.Popen(
            ["zsh", "-f", "-i"], cwd=self.folder, stdin=other, stdout=other, stderr=other,
            env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(other)
        try:
            setting = "fpath=($PWD/share/zsh/site-functions $fpath); autoload -U compinit; compinit -u -D; LISTMAX=9999;"
            setting += " unsetopt beep menu_complete auto_menu; setopt bash_auto_list; zstyle ':completion:*' menu no;"
            os.write(main, f"{setting} PS1=; echo rea''dy\n".encode())
            self.read_until(main, "ready")
            os.write(main, f"{line}\t\t\t".encode())
            return self.read_until(main, *LINES[line][0]).decode(errors="replace")[len(line) :]
        finally:
            shell.kill()
            shell.wait()
            os.close(main)

    @staticmethod
    def read_until(terminal, *words):
        """What the terminal shows until it has shown all words and pauses, or for some seconds."""
        text, end = b"", time.monotonic() + (20 if words else 3)
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.7)[0]:
                text += os.read(terminal, 1 << 16)
            elif words and all(word.encode() in text for word in words):
                break
        return text

    def test_zsh(self):
        script = self.folder / "share/zsh/site-functions/_gpuhmm"
        self.assertEqual(self.gpuhmm("help", "--completion", "zsh").stdout, script.read_bytes())
        for line in LINES:
            wanted, unwanted = LINES[line]
            shown = self.zsh_offers(line)
            self.assertNotRegex(shown, r"_arguments:|parse error|not found", line)
            self.assertFalse([word for word in unwanted if re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w.-])", shown)], (line, shown))
            for word in wanted:
                rest = word[len(line.split(" ")[-1]) :]  # a single candidate is completed in place
                self.assertTrue(word in shown or (len(wanted) == 1 and rest in shown), (line, word, shown))

    def test_unknown_shell(self):
        self.assert_fails(self.gpuhmm("help", "--completion", "tcsh"), 2, "tcsh", "bash, zsh or fish")

    def test_the_shells_are_installed(self):
        for shell in ("bash", "zsh", "fish", "groff", "man"):
            self.assertIsNotNone(shutil.which(shell), shell)
