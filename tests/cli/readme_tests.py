"""The lines that begin with `$` in the README and in docs print what the pages show."""

import os
import re
import shutil
import subprocess

from harness import REPOSITORY, TIME_LIMIT, CommandLineTest, Settings

MARK = "\x01end of a command\x01"


def examples(text):
    """(command line, lines shown) for each line that begins with `$` in a code block."""
    found = []
    for block in re.findall(r"(?ms)^```[a-z]*\n(.*?)^```$", text):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, _, shown = part.partition("\n")
            found.append((command, shown.splitlines()))
    return found


def agrees(shown, written):
    """True if the lines written are those shown, where `...` stands for any lines."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in written)) is not None


class ExampleTests(CommandLineTest):
    def setUp(self):
        super().setUp()
        # imitates a fresh clone after scripts/demo.sh
        files = subprocess.run(["git", "ls-files", "-z", "testdata"], cwd=REPOSITORY, capture_output=True, check=False).stdout
        names = files.decode().split("\0")[:-1] or [
            str(path.relative_to(REPOSITORY)) for path in (REPOSITORY / "testdata").rglob("*") if path.is_file()
        ]
        for name in names:
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, target)
        (self.folder / "build/release/src").mkdir(parents=True)
        (self.folder / "build/release/src/gpuhmm").symlink_to(Settings.gpuhmm)
        (self.folder / "build/gpuhmm").symlink_to("release/src/gpuhmm")

    def check_examples(self, path, before=()):
        found = [*before, *examples(path.read_text())]
        script = "".join(f"{command}\n(exit $?) || echo \"exit code $?\"\nprintf '%s\\n' '{MARK}'\n" for command, _ in found)
        clean = ":".join(part for part in os.environ["PATH"].split(":") if not os.path.exists(f"{part}/gpuhmm"))
        done = subprocess.run(
            ["bash", "--norc", "-c", script], cwd=self.folder, stdin=subprocess.DEVNULL, timeout=TIME_LIMIT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "PATH": clean}, check=False,
        )  # fmt: skip
        outputs = done.stdout.decode().split(MARK + "\n")
        self.assertEqual(len(outputs), len(found) + 1, outputs[-1])
        for (command, shown), written in zip(found, outputs):
            self.assertTrue(agrees(shown, written.splitlines()), f"{path.name}: {command}\n{written[:2000]}")
        return len(found) - len(before)

    def test_readme(self):
        self.assertGreaterEqual(self.check_examples(REPOSITORY / "README.md"), 2)

    def test_docs(self):
        path = 'export PATH="$PWD/build:$PATH"'
        self.assertIn(f"$ {path}\n", (REPOSITORY / "README.md").read_text())
        checked = 0
        for page in sorted((REPOSITORY / "docs").glob("*.md")):
            with self.subTest(page=page.name):
                checked += self.check_examples(page, [(path, [])])
        self.assertGreater(checked, 25)

    def test_links_lead_somewhere(self):
        for page in (REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")):
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
                self.assertTrue((page.parent / link).exists(), (page.name, link))

    def test_every_command_is_in_the_table_of_the_readme(self):
        text = (REPOSITORY / "README.md").read_text()
        table = re.findall(r"(?m)^\| (`.*)", text)
        listed = set(re.findall(r"`([a-z]+)[ `]", "\n".join(table)))
        shown = subprocess.run([Settings.gpuhmm, "help"], capture_output=True, check=True).stdout.decode()
        commands = set(re.findall(r"(?m)^  ([a-z]+) ", shown.split("commands:")[1]))
        self.assertEqual(listed, commands - {"help"})

    def test_the_comparison_finds_differences(self):
        self.assertTrue(agrees(["a", "...", "d"], ["a", "b", "c", "d "]))
        self.assertFalse(agrees(["a", "...", "d"], ["a", "b", "c", "e"]))
        self.assertFalse(agrees(["a"], ["a", "b"]))
        self.assertFalse(agrees([], ["gpuhmm: wrong"]))
