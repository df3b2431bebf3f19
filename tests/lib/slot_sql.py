"""docs/slot.sql beside what the merge makes of the same lines (kstar explain --csv): every part of
every node of a month."""

import csv
import io
import os
import subprocess
from collections import Counter
from decimal import Decimal
from pathlib import Path

from extent import tried

SLOT_SQL = Path(os.environ["KSTAR_SOURCE_DIR"]) / "docs" / "slot.sql"
NODES, OTHERS = tried(8, None), 3  # a page has 64 nodes that are alike, one 20,500 resources that are no nodes
COSTS = ("billed_cost", "effective_cost", "list_cost", "contracted_cost")


def tables(dsn, month, resources):
    """Of each resource the rows of its slots, weights and parts."""
    script = "".join("\\set resource '{}'\n\\i {}\n".format(resource.replace("'", "''"), SLOT_SQL) for resource in resources)
    done = subprocess.run(["psql", dsn, "-Xq", "--csv", "-v", "ON_ERROR_STOP=1", "-v", f"month={month}"], input=script, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    found = []
    for row in csv.reader(io.StringIO(done.stdout)):
        if row[0] == "slot":
            header = row
            found.append([])
        else:
            found[-1].append(dict(zip(header, row)))
    return list(zip(found[::3], found[1::3], found[2::3]))


def target_of(part):
    if part["target"] == "job":
        return "attempt"
    if part["attempt_id"]:
        return "refund"
    return "without records" if part["reason"] == "awaiting job records" else "idle"


def key(part, target, seconds):
    costs = tuple(Decimal(part[name]) for name in COSTS)
    return part["file"], part["line"], part["line_in_record"], target, part["attempt_id"], *costs, Decimal(seconds)


def parts_by_sql(dsn, month, resources):
    """The parts, and how much priced time each payer has of each source."""
    parts, priced = Counter(), Counter()
    for slots, weights, rows in tables(dsn, month, resources):
        priced_slots = {slot["slot"]: slot["source"] for slot in slots if slot["is_priced"] == "t"}
        seconds = {(row["slot"], row["target"], row["attempt_id"]): row["held_seconds"] for row in weights}
        for (slot, target, attempt), held in seconds.items():
            if slot in priced_slots:
                priced[priced_slots[slot], target, attempt] += Decimal(held)
        parts.update(key(row, row["target"], seconds[row["slot"], row["target"], row["attempt_id"]]) for row in rows)
    return parts, +priced


def check(dsn, month, explained):
    """`explained`: the month's rows of kstar explain --csv. Returns how many parts of nodes there
    are."""
    lines = [row for row in explained if row["kind"] == "line"]
    all_nodes = {row["resource_id"].lower() for row in lines if row["rule"] == "2"}
    nodes = sorted(all_nodes)[:NODES]
    merged, priced = Counter(), Counter()
    for row in lines:
        if row["rule"] == "2" and row["resource_id"].lower() in nodes:
            merged[key(row, target_of(row), row["seconds"])] += 1
            priced[row["source"], target_of(row), row["attempt_id"]] += Decimal(row["seconds"]) if row["is_priced"] == "t" else 0
    # of which slot.sql is to say nothing
    others = sorted({row["resource_id"].lower() for row in lines} - all_nodes - {""})
    by_sql, priced_by_sql = parts_by_sql(dsn, month, nodes + others[:OTHERS])
    assert by_sql == merged, f"{month}: slot.sql says {list((by_sql - merged).items())[:3]}, the merge {list((merged - by_sql).items())[:3]}"
    assert priced_by_sql == +priced, f"{month}: priced time: slot.sql says {priced_by_sql - priced}, the merge {priced - priced_by_sql}"
    return merged.total()
