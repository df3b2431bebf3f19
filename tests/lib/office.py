"""LibreOffice: it opens workbooks, types values in and shows their sheets, by office.bas, or saves
them."""

import os
import re
import subprocess
from pathlib import Path
from xml.sax.saxutils import escape

# LibreOffice's own files: a module of Basic, its library, the list of libraries, and that this user
# has been here before.
MODULE = """<?xml version="1.0" encoding="UTF-8"?>
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">{}</script:module>
"""
LIBRARY = """<?xml version="1.0" encoding="UTF-8"?>
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false">
 <library:element library:name="Module1"/>
</library:library>
"""
LIBRARIES = """<?xml version="1.0" encoding="UTF-8"?>
<library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink">
 <library:library library:name="Standard" library:link="false"/>
</library:libraries>
"""
SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
 <item oor:path="/org.openoffice.Setup/Office"><prop oor:name="ooSetupInstCompleted" oor:op="fuse"><value>true</value></prop></item>
</oor:items>
"""


class Cells:
    """Values of a sheet by row and column, both from 1."""

    def __init__(self, values=None):
        self.values = values or {}

    def column(self, number):
        return [value for (_, column), value in sorted(self.values.items()) if column == number]

    def iter_rows(self, max_row=None, max_col=None, values_only=True):
        assert values_only
        rows, columns = (max((place[at] for place in self.values), default=0) for at in (0, 1))
        for row in range(1, min(rows, max_row or rows) + 1):
            yield tuple(self.values.get((row, column)) for column in range(1, min(columns, max_col or columns) + 1))


def start(folder, *words, **environment):
    subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{os.environ['WORK']}/.office", *words],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=str(folder), **environment))


def run(tasks, folder):
    """office.bas at work; it is put where LibreOffice has programs of its user."""
    user, listed = Path(os.environ["WORK"]) / ".office" / "user", folder / "tasks"
    library = user / "basic" / "Standard"
    library.mkdir(parents=True, exist_ok=True)
    code = Path(__file__).with_name("office.bas").read_text(encoding="utf-8")
    (library / "Module1.xba").write_text(MODULE.format(escape(code)), encoding="utf-8")
    for path, text in ((library / "script.xlb", LIBRARY), (user / "basic" / "script.xlc", LIBRARIES), (user / "registrymodifications.xcu", SETTINGS)):
        path.exists() or path.write_text(text, encoding="utf-8")
    listed.write_text("".join("\t".join(map(str, words)) + "\n" for words in tasks), encoding="utf-8")
    start(folder, "macro:///Standard.Module1.Main", KSTAR_TEST_TASKS=str(listed))
    failed = folder / "tasks.failed"
    assert not failed.exists(), failed.read_text(encoding="utf-8")


WRITTEN = {"\\": "\\", "t": "\t", "n": "\n"}


def value_of(text):
    """What office.bas wrote of a cell: a number, or a text after an apostrophe."""
    return re.sub(r"\\(.)", lambda found: WRITTEN[found[1]], text[1:]) if text.startswith("'") else float(text)


def shown(path):
    """The sheets that a task of office.bas has written into a file: cells by name, in their order.
    A date is its number."""
    lines, sheets = iter(path.read_bytes().decode().split("\n")), {}
    for heading in lines:
        if heading:
            name, rows = heading.split("\t")
            sheets[name] = Cells({(row, column): value_of(text) for row in range(1, int(rows) + 1)
                                  for column, text in enumerate(next(lines).split("\t"), 1) if text})
    return sheets
