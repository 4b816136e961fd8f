#!/usr/bin/env python3
"""Checks the #include lines of src/ and formats/ against the table of modules in src/CMakeLists.txt.

usage: check-includes.py [root]     (default: the project that holds this script)

Errors, each with file and line:
  - a file outside the folders of every module;
  - an #include that is not a path from src/ or from the root, or that matches two files;
  - an #include of a header whose module or outside library (OUTSIDE) the file's module links neither directly nor
    through others;
  - an #include of a public header (src/gpuhmm) if the file's module links no module that implements it (PUBLIC in the
    table), unless it links the whole library;
  - a public header that no module implements, or that includes a header of gpuhmm that is not public;
  - a link that no file of the module needs, or to a module that comes later in the table.
"""
import re
import sys
from pathlib import Path

PUBLIC_FOLDER = "gpuhmm/"
LIBRARY = "gpuhmm::gpuhmm"  # provides all public headers

# Start of a header's name -> the target that provides it.
OUTSIDE = {
    "CL/": "opencl_headers",
    "boost/asio/": "Boost::headers",
    "boost/beast/": "Boost::headers",
    "boost/iostreams/": "Boost::iostreams",
    "boost/program_options": "Boost::program_options",
    "dlfcn.h": "${CMAKE_DL_LIBS}",
    "hwy/": "highway",
    "mpi.h": "MPI::MPI_C",
    "nlohmann/": "nlohmann_json::nlohmann_json",
    "png.h": "PNG::PNG",
    "thread": "Threads::Threads",
    "zlib.h": "ZLIB::ZLIB",
}
CALL = re.compile(r"^[ \t]*gpuhmm_module\(([^)]*)\)", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


class Module:
    """One gpuhmm_module() call: its name, line, folders and direct links."""

    def __init__(self, words, line):
        self.name, self.line = words[0], line
        lists = {"FOLDERS": [], "PUBLIC": [], "LINK": [], "PROGRAM": []}
        current = None
        for word in words[1:]:
            if word in lists:
                current = lists[word]
            else:
                current.append(word)
        self.folders, self.links = lists["FOLDERS"], lists["LINK"]
        self.program = "PROGRAM" in words  # links modules without including their headers: its table of commands
        self.public = {f"{PUBLIC_FOLDER}{header}.hpp" for header in lists["PUBLIC"]}
        self.needed = set()  # targets whose headers the module's files include


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def read_modules(table):
    text = table.read_text()
    return [Module(m[1].split(), line_of(text, m.start())) for m in CALL.finditer(text)]


class Check:
    def __init__(self, root):
        self.root, self.errors, self.includes = root, [], 0
        self.table = root / "src/CMakeLists.txt"
        self.modules = read_modules(self.table)
        self.by_name = {module.name: module for module in self.modules}
        self.by_folder = {folder: module for module in self.modules for folder in module.folders}

    def error(self, path, line, message):
        self.errors.append(f"{path.relative_to(self.root)}:{line}: {message}")

    def reachable(self, module):
        """The targets that a module links, directly or through others."""
        found, open_ends = set(), list(module.links)
        while open_ends:
            target = open_ends.pop()
            if target not in found:
                found.add(target)
                open_ends += self.by_name[target].links if target in self.by_name else []
        return found

    def owner(self, path):
        return self.by_folder.get(path.parent.relative_to(self.root).as_posix())

    def target_of_own(self, path, line, name):
        """The module of one of gpuhmm's headers; None after an error."""
        answers = [base / name for base in (path.parent, self.root / "src", self.root) if (base / name).is_file()]
        if not answers:
            return self.error(path, line, f'no "{name}" under src/ or formats/')
        if len(answers) > 1:
            return self.error(path, line, f'"{name}" is two files: {answers[0]}, {answers[1]}')
        if answers[0] == path.parent / name:
            return self.error(path, line, f'give "{name}" as a path from src/ or formats/')
        return self.owner(answers[0])

    def check_public(self, path, line, header, module, links):
        """Checks an #include of a public header: the module must implement it or link a module that does."""
        implementers = [m.name for m in self.modules if header in m.public]
        linked = [LIBRARY] if LIBRARY in links else [name for name in implementers if name in links]
        module.needed.update(linked)
        if not (self.root / "src" / header).is_file():
            self.error(path, line, f'no "{header}" under src/')
        elif not linked and header not in module.public:
            wanted = " or ".join(implementers) or "no module"
            self.error(path, line, f"{module.name} includes {header}, which {wanted} implements, and links none of them")

    def check_public_header(self, path):
        """Checks a file of src/gpuhmm: it may include only public headers, since only these are installed."""
        text = path.read_text()
        for match in INCLUDE.finditer(text):
            self.includes += 1
            if match[1] and not match[1].startswith(PUBLIC_FOLDER):
                self.error(path, line_of(text, match.start()), f"a public header includes {match[1]}, which is not public")
        name = path.relative_to(self.root / "src").as_posix()
        if not any(name in module.public for module in self.modules):
            self.error(path, 1, "no module implements this public header (PUBLIC in src/CMakeLists.txt)")

    def check_file(self, path):
        if path.is_relative_to(self.root / "src" / PUBLIC_FOLDER):
            return self.check_public_header(path)
        module = self.owner(path)
        if not module:
            return self.error(path, 1, "the file is in no module of src/CMakeLists.txt")
        text, links = path.read_text(), self.reachable(module)
        for match in INCLUDE.finditer(text):
            own, outside = match.groups()
            line = line_of(text, match.start())
            self.includes += 1
            if own and own.startswith(PUBLIC_FOLDER):
                self.check_public(path, line, own, module, links)
                continue
            if own:
                brings = self.target_of_own(path, line, own)
                target = brings and brings.name
            else:
                target = next((t for start, t in OUTSIDE.items() if outside.startswith(start)), None)
            if not target or target == module.name:
                continue
            module.needed.add(target)
            if target not in links:
                self.error(path, line, f"{module.name} includes {own or outside} of {target}, which it does not link")

    def check_links(self, module):
        above = {m.name for m in self.modules[: self.modules.index(module)]}
        known = self.by_name.keys() | set(OUTSIDE.values()) | {LIBRARY}
        for link in module.links:
            if link not in known:
                self.error(self.table, module.line, f"{module.name} links {link}, which is neither a module nor in OUTSIDE")
            elif link in self.by_name and link not in above:
                self.error(self.table, module.line, f"{module.name} links {link}, which the table does not name before it")
            elif link not in module.needed and not module.program:
                self.error(self.table, module.line, f"{module.name} links {link} and includes none of its headers")

    def run(self):
        for top in ("src", "formats"):
            for path in sorted((self.root / top).rglob("*.[ch]pp")):
                self.check_file(path)
        for module in self.modules:
            self.check_links(module)
        for error in self.errors:
            print(error, file=sys.stderr)
        print(f"{self.includes} includes, {len(self.modules)} modules, {len(self.errors)} errors")
        return 1 if self.errors else 0


if __name__ == "__main__":
    sys.exit(Check(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()).run())
