"""What README.md and docs/*.md hold: blocks, the commands in them, and what they show as a
command's output."""

import os
import re
import shlex
import shutil
from pathlib import Path
from types import SimpleNamespace

SOURCE = Path(os.environ["KSTAR_SOURCE_DIR"])
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (SOURCE / "docs").glob("*.md"))]

# Programs of other systems, which need not be on this machine; every other command is known by
# being a program.
ELSEWHERE = {"apt", "apt-get", "aws", "bq", "cd", "cpack", "curl", "gcloud", "kubectl", "sacct", "sacctmgr", "scontrol", "sendmail", "sudo", "systemctl"}


def text_of(page):
    return (SOURCE / page).read_text(encoding="utf-8")


def blocks(page):
    """Each block of literal text: its first line's number, its language (None: indented, "": fenced
    without one), its lines."""
    block, fence = None, None
    for number, line in enumerate([*text_of(page).splitlines(), ""], 1):
        if fence is None and line.startswith("```"):
            fence = block = SimpleNamespace(page=page, line=number + 1, language=line[3:].strip(), lines=[])
        elif fence is not None and line.startswith("```"):
            yield fence
            fence = block = None
        elif fence is not None:
            fence.lines.append(line)
        elif line.startswith("    ") and (block is not None or previous == ""):
            block = block or SimpleNamespace(page=page, line=number, language=None, lines=[])
            block.lines.append(line[4:])
        elif block is not None:
            yield block
            block = None
        previous = line.strip()


def is_whole(text):
    """Whether no quote is open and no backslash ends it."""
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return False
    return not text.endswith("\\")


def is_command(line):
    words = [word for word in line.split() if not re.fullmatch(r"[A-Z_]+=\S*", word)]
    if not words:
        return False
    return (words[0] in ELSEWHERE or shutil.which(words[0]) is not None
            or ("/" in words[0] and (SOURCE / words[0]).is_file() and os.access(SOURCE / words[0], os.X_OK)))


def commands(page):
    """Each command of a page with what the page shows as its output: a block ```text that follows
    it."""
    last = None
    for block in blocks(page):
        if block.language == "text" and last is not None:
            last.shown = block.lines
            continue
        last, pending = None, ""
        for number, line in enumerate(block.lines, block.line) if block.language in (None, "", "sh", "bash") else ():
            pending = f"{pending}\n{line}" if pending else line
            if (pending == line and not is_command(line)) or not pending.strip():
                pending = ""
            elif is_whole(pending):
                last = SimpleNamespace(page=page, line=number, text=re.sub(r"\s{2,}#.*", "", pending).strip(), shown=None)
                yield last
                pending = ""
        assert not pending, f"{page}, line {block.line}: a command does not end: {pending}"


def code_spans(page):
    """Texts between single backticks, outside blocks."""
    text = re.sub(r"^```.*?^```", "", text_of(page), flags=re.M | re.S)
    return [" ".join(span.split()) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", text)]


def files(page):
    """Files that a page shows whole: their names stand in the text before a block ```csv, a name a
    block. With the block's first line."""
    names, before = [], 0
    lines = text_of(page).splitlines()
    for block in blocks(page):
        names += re.findall(r"`(inbox/[\w./-]+\.\w+)`", " ".join(lines[before:block.line - 1]))
        before = block.line + len(block.lines)
        if block.language == "csv" and names:
            yield SimpleNamespace(line=block.line, name=names.pop(0), text="\n".join(block.lines) + "\n")
