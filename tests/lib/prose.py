"""The comments of the sources, line by line: C, SQL, Python, shell and CMake."""

import io
import re
import tokenize

from documents import SOURCE

TEXT = {".c", ".h", ".sql", ".py", ".sh", ".case", ".md", ".cmake", ".txt", ".conf", ".service", ".timer", ".clang-tidy", ""}


def is_source(path):
    name = str(path.relative_to(SOURCE))
    return (path.is_file() and path.suffix in TEXT and "__pycache__" not in name and not name.startswith(("build", ".git/", "fixtures/inbox/"))
            and path.name not in ("LICENSE", "mutate.equal"))


def files():
    return sorted(str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*") if is_source(path))


def without_line_breaks(path):
    """The text with each comment on one line, so that a citation may be broken across lines."""
    return re.sub(r"\s*\n\s*(?:--|\*|#|//)? ?", " ", (SOURCE / path).read_text(encoding="utf-8", errors="replace"))


def language(path):
    ends = path.rpartition("/")[2].rpartition(".")[2]
    if ends in ("c", "h", "sql", "py", "sh", "cmake") or path.endswith("CMakeLists.txt"):
        return {"h": "c", "txt": "cmake"}.get(ends, ends)
    with open(SOURCE / path, encoding="utf-8", errors="replace") as file:
        first = file.readline()
    return "py" if first.startswith("#!") and "python" in first else "sh" if first.startswith("#!") else None


def lines_of_python(text):
    """Numbers of the lines that are comments or in docstrings."""
    found, starts = set(), True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.line[:token.start[1]].strip():
            found.add(token.start[0])
        elif token.type == tokenize.STRING and starts:
            found |= set(range(token.start[0], token.end[0] + 1))
        if token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            starts = True
        elif token.type not in (tokenize.NL, tokenize.COMMENT):
            starts = False
    return found


def comment_lines(path):
    """Each line that is a comment and nothing else, with its number."""
    kind = language(path)
    text = (SOURCE / path).read_text(encoding="utf-8", errors="replace")
    if kind is None:
        return
    of_python = lines_of_python(text) if kind == "py" else ()
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if kind == "py":
            is_comment = number in of_python
        elif kind == "c":
            is_comment = inside or stripped.startswith(("/*", "//"))
            if is_comment:
                inside = "*/" not in stripped
        else:
            is_comment = stripped.startswith("--" if kind == "sql" else "#")
        if is_comment:
            yield number, line
