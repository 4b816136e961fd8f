#!/usr/bin/env python3
"""scripts/check-includes.py accepts this project and reports each kind of mistake in a small one.

Last line: N passed, N failed.
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = """
gpuhmm_module(low FOLDERS src/low LINK ZLIB::ZLIB)
gpuhmm_module(middle FOLDERS src/middle src/middle/part
              LINK low)
gpuhmm_module(files FOLDERS formats/files)
gpuhmm_module(program PROGRAM FOLDERS src/cli LINK middle files)
"""
FILES = {
    "src/low/low.hpp": "#pragma once\n#include <zlib.h>\n",
    "src/low/low.cpp": '#include "low/low.hpp"\n',
    "src/middle/middle.hpp": '#pragma once\n#include "low/low.hpp"\n',
    "src/middle/part/part.cpp": '#include "middle/middle.hpp"\n',
    "formats/files/files.hpp": "#pragma once\n#include <vector>\n",
    "src/cli/main.cpp": '#include "formats/files/files.hpp"\n#include "low/low.hpp"\n#include "middle/middle.hpp"\n',
}


class Includes(unittest.TestCase):
    def errors(self, table=TABLE, **changed):
        """What the check prints about the small project with other files and another table."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**FILES, "src/CMakeLists.txt": table, **changed}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            script = ROOT / "scripts/check-includes.py"
            done = subprocess.run([sys.executable, script, folder], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1 if done.stderr else 0)
        return done.stderr.splitlines()

    def test_accepts_this_project(self):
        done = subprocess.run([sys.executable, ROOT / "scripts/check-includes.py"], capture_output=True, text=True, check=False)
        self.assertEqual((done.stderr, done.returncode), ("", 0))

    def test_accepts_a_project_without_mistakes(self):
        self.assertEqual(self.errors(), [])

    def test_refuses_an_include_upward(self):
        found = self.errors(**{"src/low/low.cpp": '#include "low/low.hpp"\n\n#include "middle/middle.hpp"\n'})
        self.assertEqual(found, ["src/low/low.cpp:3: low includes middle/middle.hpp of middle, which it does not link"])

    def test_refuses_an_include_of_a_module_that_is_not_linked(self):
        found = self.errors(**{"src/middle/part/part.cpp": '#include "formats/files/files.hpp"\n'})
        self.assertEqual(
            found,
            ["src/middle/part/part.cpp:1: middle includes formats/files/files.hpp of files, which it does not link"],
        )

    def test_refuses_an_external_library_that_is_not_linked(self):
        found = self.errors(**{"formats/files/files.hpp": "#  include <zlib.h>\n"})
        self.assertEqual(
            found, ["formats/files/files.hpp:1: files includes zlib.h of ZLIB::ZLIB, which it does not link"]
        )

    def test_refuses_a_path_from_the_own_folder(self):
        found = self.errors(**{"src/low/low.cpp": '#include "low.hpp"\n'})
        self.assertEqual(found, ['src/low/low.cpp:1: give "low.hpp" as a path from src/ or formats/'])

    def test_refuses_a_header_that_does_not_exist(self):
        found = self.errors(**{"src/low/low.cpp": '#include "low/lost.hpp"\n'})
        self.assertEqual(found, ['src/low/low.cpp:1: no "low/lost.hpp" under src/ or formats/'])

    def test_refuses_a_path_of_two_files(self):
        found = self.errors(**{"src/middle/low/low.hpp": "", "src/low/low.hpp": "#include <zlib.h>\n"})
        self.assertIn('src/middle/middle.hpp:2: "low/low.hpp" is two files', "\n".join(found))

    def test_refuses_a_file_of_no_module(self):
        found = self.errors(**{"src/other/other.cpp": ""})
        self.assertEqual(found, ["src/other/other.cpp:1: the file is in no module of src/CMakeLists.txt"])

    def test_refuses_a_link_that_is_not_needed(self):
        found = self.errors(**{"src/middle/middle.hpp": "#pragma once\n"})
        self.assertEqual(found, ["src/CMakeLists.txt:3: middle links low and includes none of its headers"])

    def test_accepts_links_of_a_program_that_it_does_not_include(self):
        self.assertEqual(self.errors(**{"src/cli/main.cpp": '#include "middle/middle.hpp"\n'}), [])

    def public(self, implementer="PUBLIC shown", header="#pragma once\n", includes='#include "gpuhmm/shown.hpp"\n'):
        """Errors of a project in which `low` implements a public header that `middle` includes."""
        table = TABLE.replace("FOLDERS src/low", f"FOLDERS src/low {implementer}")
        middle = {"src/middle/middle.hpp": "#pragma once\n" + includes}
        return self.errors(table, **{"src/gpuhmm/shown.hpp": header}, **middle)

    def test_accepts_a_public_header(self):
        self.assertEqual(self.public(), [])

    def test_refuses_a_public_header_that_no_module_implements(self):
        found = self.public(implementer="")
        self.assertIn(
            "src/gpuhmm/shown.hpp:1: no module implements this public header (PUBLIC in src/CMakeLists.txt)", found
        )

    def test_refuses_a_public_header_that_includes_another_header(self):
        found = self.public(header='#pragma once\n#include "low/low.hpp"\n')
        self.assertEqual(found, ["src/gpuhmm/shown.hpp:2: a public header includes low/low.hpp, which is not public"])

    def test_refuses_a_public_header_of_a_module_that_is_not_linked(self):
        found = self.errors(
            TABLE.replace("FOLDERS src/low", "FOLDERS src/low PUBLIC shown"),
            **{"src/gpuhmm/shown.hpp": "#pragma once\n", "formats/files/files.hpp": '#include "gpuhmm/shown.hpp"\n'},
        )
        self.assertEqual(
            found,
            ["formats/files/files.hpp:1: files includes gpuhmm/shown.hpp, which low implements, and links none of them"],
        )

    def test_refuses_a_link_upward(self):
        found = self.errors(TABLE.replace("ZLIB::ZLIB", "ZLIB::ZLIB middle"))
        self.assertEqual(
            found, ["src/CMakeLists.txt:2: low links middle, which the table does not name before it"]
        )

    def test_refuses_an_unknown_link(self):
        found = self.errors(TABLE.replace("ZLIB::ZLIB", "ZLIB::ZLIB Lost::Lost"))
        self.assertEqual(
            found, ["src/CMakeLists.txt:2: low links Lost::Lost, which is neither a module nor in OUTSIDE"]
        )


if __name__ == "__main__":
    result = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromTestCase(Includes))
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad} passed, {bad} failed")
    sys.exit(1 if bad else 0)
