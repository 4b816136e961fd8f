#!/usr/bin/env python3
"""Checks the references in the pages and comments of this repository.

  check-docs.py

Checks that targets of links exist, that the sections that comments and pages cite exist, that docs/README.md lists all
pages in docs/, and that the page on test vectors names exactly the existing files. The last line is
`N passed, N failed`.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPECIFICATION = ROOT / "docs/spec"
HMMER3 = SPECIFICATION / "hmmer3"
MAP = ROOT / "docs/README.md"
SOURCE_FOLDERS = ("src", "formats", "cl", "tests", "bench", "scripts")
SOURCE_ENDINGS = {".hpp", ".cpp", ".h", ".cl", ".py", ".sh", ".txt", ".cmake", ".in"}

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
NUMBER = r"\d{1,2}\.\d{1,2}(?!\d)"
# between words of a comment, which may be on two lines
GAP = r"\s+(?:(?:///?<?|#|\*)\s*)?"
SECTION = rf"(?:{NUMBER}|[A-F]\b)"
CITATION = re.compile(rf"\bdocs/(?P<page>[\w/-]+\.md)(?P<sections>(?:,{GAP}{SECTION}(?:{GAP}to{GAP}{SECTION})?)*)")
# pages of HMMER3 number their sections 1, 2, 2.1: "docs/spec/hmmer3/domains.md, 5.3 and 10; reports.md, 8"
WHOLE = rf"{GAP}\d{{1,2}}(?:\.\d{{1,2}})?(?!\d)"
SECTIONS = rf"(?:,(?P<sections>{WHOLE}(?:(?:,|{GAP}and|{GAP}to){WHOLE})*))?"
HMMER3_PAGE = rf"(?P<page>[\w-]+\.md){SECTIONS}"
HMMER3_CITATION = re.compile(rf"\bdocs/spec/hmmer3/{HMMER3_PAGE}")
HMMER3_NEXT = re.compile(rf";{GAP}{HMMER3_PAGE}")
HMMER3_LINK = re.compile(rf"\]\((?P<page>[\w-]+\.md)\){SECTIONS}")
# "section 4.5", "sections 4.1 and 4.2"
IN_TEXT = re.compile(rf"\b[Ss]ections?\s+({NUMBER}(?:(?:,|\s+and|\s+to)\s+{NUMBER})*)")
OTHER_FORM = re.compile(rf"\b[Ss]pec(?:ification)?(?::{GAP}[a-z-]+)?{GAP}{NUMBER}|\(spec:")


def without_code(text):
    """The page with code blocks replaced by blanks, so that positions do not change."""
    return re.sub(r"^```.*?^```", lambda block: re.sub(r"[^\n]", " ", block[0]), text, flags=re.MULTILINE | re.DOTALL)


def headings(page):
    return re.findall(r"^#+ +(.+)$", without_code(page.read_text()), flags=re.MULTILINE)


def sections(page):
    """The section numbers of a page; "A." counts as A, "1." as 1."""
    found = (re.match(r"(\d+(?:\.\d+)?|[A-Z])\b", heading) for heading in headings(page))
    return {match[1] for match in found if match}


def anchor(heading):
    """GitHub's anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def that(self, holds, path, text, position, complaint):
        if holds:
            self.passed += 1
            return
        self.failed += 1
        line = text.count("\n", 0, position) + 1
        print(f"{path.relative_to(ROOT)}:{line}: {complaint}")

    def links(self, page):
        text = without_code(page.read_text())
        for link in LINK.finditer(text):
            if re.match(r"[a-z]+:", link[1]):
                continue
            name, _, fragment = link[1].partition("#")
            target = (page.parent / name).resolve() if name else page
            good = target.exists()
            if good and fragment:
                good = target.suffix == ".md" and fragment in map(anchor, headings(target))
            self.that(good, page, text, link.start(), f"the target of the link does not exist: {link[1]}")

    def citations(self, path):
        text = path.read_text(errors="replace")
        for citation in CITATION.finditer(text):
            page = ROOT / "docs" / citation["page"]
            self.that(page.exists(), path, text, citation.start(), f"there is no page docs/{citation['page']}")
            if not page.exists():
                continue
            for section in re.findall(SECTION, citation["sections"]):
                there = section in sections(page)
                self.that(there, path, text, citation.start(), f"docs/{citation['page']} has no section {section}")
        for citation in OTHER_FORM.finditer(text):
            complaint = f"cite as (docs/spec/PAGE.md, SECTION), not '{' '.join(citation[0].split())}'"
            self.that(False, path, text, citation.start(), complaint)

    def hmmer3_sections(self, path, text, citation):
        """The sections of a page of HMMER3's specification that a comment or another page of it cites."""
        page = HMMER3 / citation["page"]
        self.that(page.exists(), path, text, citation.start(), f"there is no page {page.relative_to(ROOT)}")
        if page.exists():
            for section in re.findall(r"[\d.]*\d", citation["sections"] or ""):
                there = section in sections(page)
                self.that(there, path, text, citation.start(), f"{page.relative_to(ROOT)} has no section {section}")

    def hmmer3_citations(self, path):
        text = path.read_text(errors="replace")
        for citation in HMMER3_CITATION.finditer(text):
            while citation:
                self.hmmer3_sections(path, text, citation)
                citation = HMMER3_NEXT.match(text, citation.end())
        if path.parent == HMMER3:
            for citation in HMMER3_LINK.finditer(text):
                self.hmmer3_sections(path, text, citation)
            for mention in re.finditer(r"\bsections? (\d+(?:\.\d+)?)", text):
                there = mention[1] in sections(path)
                self.that(there, path, text, mention.start(), f"has no section {mention[1]}")

    def sections_in_text(self, page, known):
        text = page.read_text()
        for mention in IN_TEXT.finditer(text):
            for section in re.findall(NUMBER, mention[1]):
                self.that(section in known, page, text, mention.start(), f"there is no section {section}")

    def on_map(self):
        listed = {(MAP.parent / name).resolve() for name in LINK.findall(MAP.read_text())}
        for page in sorted((ROOT / "docs").rglob("*.md")):
            if page != MAP and page.parent not in (SPECIFICATION, HMMER3):
                self.that(page in listed, page, "", 0, "is not listed in docs/README.md")
        for folder in (SPECIFICATION, HMMER3):
            table = folder / "README.md"
            contents = {(folder / name).resolve() for name in LINK.findall(table.read_text())}
            for page in sorted(folder.glob("*.md")):
                known = page in contents or page == table
                self.that(known, page, "", 0, f"is not in the table of {table.relative_to(ROOT)}")

    def vectors(self):
        page = SPECIFICATION / "test-vectors.md"
        text = page.read_text()
        folder = ROOT / "testdata/vectors"
        named = set()
        for mention in re.finditer(r"`([\w.-]+\.(?:hmm|bin|fa|txt))`", text):
            named.add(mention[1])
            complaint = f"there is no testdata/vectors/{mention[1]}"
            self.that((folder / mention[1]).exists(), page, text, mention.start(), complaint)
        for file in sorted(folder.iterdir()):
            self.that(file.name in named, file, "", 0, "is not named in docs/spec/test-vectors.md")


def main():
    checks = Checks()
    pages = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "testdata").rglob("*.md")])
    for page in pages:
        checks.links(page)
        checks.citations(page)
        checks.hmmer3_citations(page)
    sources = [path for folder in SOURCE_FOLDERS for path in sorted((ROOT / folder).rglob("*"))]
    for path in [ROOT / "CMakeLists.txt", *sources]:
        if path.is_file() and path.suffix in SOURCE_ENDINGS and path != Path(__file__).resolve():
            checks.citations(path)
            checks.hmmer3_citations(path)
    specification = sorted(SPECIFICATION.glob("*.md"))
    known = set().union(*map(sections, specification))
    for page in [*specification, ROOT / "docs/hmmer2-notes.md"]:
        checks.sections_in_text(page, known)
    checks.on_map()
    checks.vectors()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed or not checks.passed else 0


if __name__ == "__main__":
    sys.exit(main())
