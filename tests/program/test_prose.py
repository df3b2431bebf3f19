"""What sources say to people: the pages and headings that comments cite are there,
and a comment has no line of more than 100 columns."""

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

import prose
from documents import SOURCE, text_of
from saying import it

COLUMNS = 100
# A page that is not in the project.
ABSENT_PAGE = re.compile(r"\bdesign\.md\b|\bdesign,? \(?(?:section )?[0-9]", re.I)


def expect_none(wrong):
    assert not wrong, "\n".join(wrong)


def headings(page):
    return re.findall(r"^#+ (.*)$", text_of(page), re.M)


def is_there(page, heading):
    """`heading` begins with one of the page's; "section 3" is the heading that has the number."""
    number = re.match(r"sections? ([0-9]+)", heading)
    if number:
        return any(name.startswith(f"{number.group(1)}. ") for name in headings(page))
    return any(heading.startswith(name) for name in headings(page))


it("is run over all the sources")
files = prose.files()
assert len(files) > 700, len(files)

it("cites pages that are in the project")
wrong = []
for path in files:
    text = prose.without_line_breaks(path)
    wrong += [f"{path}: {found}" for found in ABSENT_PAGE.findall(text)]
    wrong += [f"{path}: {page} is not there" for page in re.findall(r"\bdocs/[\w-]+\.md\b", text) if not (SOURCE / page).exists()]
expect_none(wrong)

it("cites headings that the pages have")
cited = [(path, page, heading) for path in files
         for page, heading in re.findall(r"\b(docs/[\w-]+\.md), ([A-Z][^.;:)]*|sections? [0-9]+)", prose.without_line_breaks(path))]
assert len(cited) > 40, len(cited)
expect_none([f"{path}: {page}, {heading}: no such heading" for path, page, heading in cited if not is_there(page, heading)])

it("finds such a citation where there is one")
assert ABSENT_PAGE.search("as in design" + ".md") and ABSENT_PAGE.search("(design" + " 3.6)") and not is_there("docs/close.md", "No heading")

it("has no line of a comment or a docstring of more than 100 columns, but for addresses of pages")


def is_too_long(line):
    return len(line) > COLUMNS and "https://" not in line


lines = [(path, number, line) for path in files for number, line in prose.comment_lines(path)]
looked_at = {path for path, _, _ in lines}
for room in ("tests/database/", "tests/program/", "tests/lib/", "tests/unit/", "fixtures/", "fixtures/expected/"):
    assert any(path.startswith(room) and path.endswith(".py") for path in looked_at), room
assert is_too_long("# " + "a " * COLUMNS) and not is_too_long("# https://" + "a" * COLUMNS)
expect_none([f"{path}:{number}" for path, number, line in lines if is_too_long(line)])

it("has no line of more than 100 columns in what a page of tests/cases says before its tables")
pages = sorted((SOURCE / "tests" / "cases").glob("*.case"))
assert len(pages) > 100, pages
expect_none([f"{path.name}:{number}" for path in pages
             for number, line in enumerate(path.read_text(encoding="utf-8").partition("\n== ")[0].splitlines(), 1) if len(line) > 100])
