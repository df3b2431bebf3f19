"""The rooms of the sources: includes and links point down the list, and no files include each other
in a circle."""

import os
import re
from pathlib import Path
from saying import it

SOURCE = Path(os.environ["KSTAR_SOURCE_DIR"])

# Each room may use the rooms above it in this list that it names, and no other
# (docs/architecture.md).
ROOMS = {
    "base": set(),
    "print": {"base"},
    "model": set(),
    "ingest": {"base"},
    "report": {"base"},
    "allocate": {"base", "model"},
    "explain": {"base", "print", "allocate"},
    "night": {"base", "print", "model", "ingest", "report", "allocate"},
    "forecast": {"base", "print", "model", "report", "night"},
    "suggest": {"base"},
    "advise": {"base", "print", "model", "ingest", "night", "forecast"},
    "cli": {"base", "print", "model", "ingest", "report", "explain", "night", "forecast", "suggest", "advise"},
}


def includes(path):
    return set(re.findall(r'^#include "([^"]+/[^"]+)"', (SOURCE / path).read_text(encoding="utf-8"), re.M))


def circles(uses):
    """Groups of nodes of which each leads to each other (Tarjan's algorithm)."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in uses.get(node, ()):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(uses):
        if node not in order:
            visit(node)
    return found


files = [path.relative_to(SOURCE) for room in ROOMS for path in sorted((SOURCE / room).rglob("*.[ch]"))]

it("has every C file in a room of the list")
rooms_there = {path.relative_to(SOURCE).parts[0] for path in SOURCE.rglob("*.c") if not path.relative_to(SOURCE).parts[0].startswith(("build", "tests"))}
assert rooms_there == set(ROOMS), rooms_there ^ set(ROOMS)

it("includes no header of a room that it does not name")
wrong = [f"{path} includes {header}" for path in files for header in sorted(includes(path))
         if header.split("/")[0] in ROOMS and header.split("/")[0] not in ROOMS[path.parts[0]] | {path.parts[0]}]
assert not wrong, "\n".join(wrong)

it("links no library of a room that it does not name")
build_files = {room: (SOURCE / room / "CMakeLists.txt").read_text(encoding="utf-8") for room in ROOMS}
room_of = {library: room for room, text in build_files.items() for library in re.findall(r"^add_(?:library|executable)\((kstar\w*)", text, re.M)}
links = [(room, library) for room, text in build_files.items() for linked in re.findall(r"^target_link_libraries\(([^)]*)\)", text, re.M)
         for library in re.findall(r"\bkstar\w*", linked)]
assert len(links) > 20, links
wrong = [f"{room} links {library}" for room, library in links if room_of.get(library, room) not in ROOMS[room] | {room}]
assert not wrong, "\n".join(wrong)

it("holds no circle of files: a .c file and its header are one")
uses = {}
for path in files:
    name = str(path.with_suffix(""))
    uses.setdefault(name, set()).update(header[:-2] for header in includes(path) if header[:-2] != name)
assert circles({"a": {"b"}, "b": {"a"}, "c": {"a"}}) == [["a", "b"]]
assert not circles(uses), "\n".join(" - ".join(group) for group in circles(uses))
