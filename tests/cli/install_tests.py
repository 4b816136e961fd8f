"""The files that `cmake --install` installs. The program under test must lie in a build folder."""

import os

from harness import REPOSITORY, CommandLineTest, Settings
from help_tests import DROP_INS
from usage_tests import COMMANDS


class InstallTests(CommandLineTest):
    def test_pages_scripts_and_documents(self):
        build = Settings.gpuhmm.parents[1]
        self.assertTrue((build / "cmake_install.cmake").exists(), f"{build} is not a build folder")
        done = self.run_command(["cmake", "--install", build, "--prefix", self.folder / "usr"])
        self.assertEqual(done.returncode, 0, done.stderr)
        share = self.folder / "usr/share"
        pages = {f"{name}.1" for name in ("gpuhmm", *(f"gpuhmm-{command}" for command in COMMANDS), *DROP_INS)}
        self.assertLessEqual(pages, set(os.listdir(share / "man/man1")))
        for script in ("bash-completion/completions/gpuhmm", "zsh/site-functions/_gpuhmm",
                       "fish/vendor_completions.d/gpuhmm.fish"):  # fmt: skip
            self.assertIn(b"gpuhmm", (share / script).read_bytes())
        installed, written = (
            {page.relative_to(folder) for page in folder.rglob("*.md")}
            for folder in (share / "doc/gpuhmm/docs", REPOSITORY / "docs")
        )
        self.assertEqual(installed, written)
        self.assertLessEqual({"README.md", "LICENSE", "CHANGELOG.md"}, set(os.listdir(share / "doc/gpuhmm")))
        for name in DROP_INS:
            self.assertTrue(os.access(self.folder / "usr/bin" / name, os.X_OK), name)
        shown = self.run_command(["man", "-w", "gpuhmm-search"], env={**os.environ, "MANPATH": str(share / "man")})
        self.assertEqual(shown.stdout.decode().strip(), str(share / "man/man1/gpuhmm-search.1"))
