"""Node deliveries in the database: what is kept, how snapshots close nodes, and the inventory that
is made of it."""

import gzip
import json
import os
import random
from datetime import datetime, timedelta, timezone
from pathlib import Path

from saying import rows_of, run

WORK = Path(os.environ["WORK"])
HEADER = "Cluster|NodeName|TimeStart|TimeEnd|InstanceId|InstanceType|Extra"
BEGIN = datetime(2026, 9, 1, tzinfo=timezone.utc)


def deliver(source, name, text, code=0, *options):
    path = WORK / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    done = run("ingest", "nodes", "--source", source, *options, path)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done


def rows(*records):
    return "\n".join((HEADER, *records)) + "\n"


def reference(**files):
    folder = WORK / "reference"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    done = run("ingest", "reference", folder)
    assert done.returncode == 0, done.stderr


def inventory(where="true"):
    return rows_of("SELECT node, resource_id, to_char(valid_from, 'DD HH24:MI'), "
                   "CASE WHEN isfinite(valid_to) THEN to_char(valid_to, 'DD HH24:MI') END "
                   f"FROM node_inventory WHERE {where} ORDER BY node, valid_from")


def clock(day, hour=0):
    return f"2026-09-{day:02}T{hour:02}:00:00"


print("- the same content again changes nothing, and a later row counts; a recorded end stays recorded")
first = rows(f"c|n1|{clock(1)}|Unknown|i-1|p5|", f"c|n2|{clock(1)}|{clock(2)}|i-2|p5|")
assert "2 nodes of source a" in deliver("a", "a1.txt", first).stdout
assert "nothing done" in deliver("a", "a1.txt", first).stdout
assert inventory() == [("n1", "i-1", "01 00:00", ""), ("n2", "i-2", "01 00:00", "02 00:00")]
deliver("a", "a2.txt", rows(f"c|n1|{clock(1)}|{clock(3)}|i-1|p5|"))
deliver("a", "a3.txt", rows(f"c|n1|{clock(1)}|Unknown|i-1||"))
deliver("a", "a1.txt", rows(f"c|n3|{clock(4)}|Unknown|i-3|p5|"))
assert inventory() == [("n1", "i-1", "01 00:00", "03 00:00"), ("n2", "i-2", "01 00:00", "02 00:00"), ("n3", "i-3", "04 00:00", "")]
assert rows_of("SELECT count(*) FROM node_inventory WHERE node_type = 'p5'") == [("3",)]
print("- so does one that an earlier line of the same file has")
deliver("a", "a4.txt", rows(f"c|n4|{clock(1)}|{clock(3)}|i-4|p5|", f"c|n4|{clock(1)}|Unknown|i-4|p5|"))
assert inventory("node = 'n4'") == [("n4", "i-4", "01 00:00", "03 00:00")]

print("- records that cannot be read are quarantined, and a file of them alone is refused with what was there kept")
done = deliver("a", "bad.txt", rows("c|n7|yesterday|Unknown|i-7|p5|", f"c|n7|{clock(5)}|Unknown|i-7|p5|"), 4)
assert "1 quarantined" in done.stdout
for asked, words in ((("--source", "TYPO"), "there is no delivery of source TYPO"), (("--delivery", "999"), "there is no delivery 999"),
                     (("--source", "a", "--load", "999", "--json"), "there is no delivery with load 999 of source a")):
    done = run("ingest", "quarantine", *asked)
    assert done.returncode == 3 and words in done.stderr and done.stdout == "", (asked, done.stdout, done.stderr)
quarantined = run("ingest", "quarantine", "--source", "a").stdout
assert "TimeStart" in quarantined and "is not a time" in quarantined, quarantined
before = inventory()
done = deliver("a", "worse.txt", rows("c|n8|yesterday|Unknown|i-8|p5|"), 3)
assert "worse.txt, line 2, column TimeStart: is not a time" in done.stderr, done.stderr
deliver("a", "strict.txt", rows("c|n8|yesterday|Unknown|i-8|p5|", f"c|n8|{clock(5)}|Unknown|i-8|p5|"), 3, "--strict")
assert "no column NodeName" in deliver("a", "jobs.txt", "JobID|State\n1|COMPLETED\n", 3).stderr
assert "is not a format of node inventory" in deliver("a", "a9.txt", first, 3, "--format", "punched-cards").stderr
assert inventory() == before

print("- clock times are of the zone of the source, as nodes or else as jobs; other forms say UTC")
reference(sources="source,kind,format,time_zone,delimiter\nnorth,jobs,sacct,Europe/Oslo,|#\nwest,nodes,sacctmgr,America/New_York,;\n"
                  "west,jobs,sacct,UTC,|\n")
deliver("north", "north.txt", rows(f"north|n1|{clock(1, 12)}|Unknown|i-n||"))
deliver("west", "west.txt", rows(f"west|n1|{clock(1, 12)}|Unknown|i-w||").replace("|", ";"))
assert inventory("cluster = 'north'") == [("n1", "i-n", "01 10:00", "")]
assert inventory("cluster = 'west'") == [("n1", "i-w", "01 16:00", "")]
instances = {"instances": [{"cluster": "", "node_name": "n1", "instance_id": "i-r", "instance_type": "p5", "extra": "",
                            "time": {"time_start": int(BEGIN.timestamp()), "time_end": 0}}], "errors": []}
deliver("rest", "instances.json", gzip.compress(json.dumps(instances).encode()))
assert inventory("cluster = 'rest'") == [("n1", "i-r", "01 00:00", "")]

print("- once the zone is put right, every row of the source has it, also of files that are not read again; what says UTC stays")
deliver("moved", "old.txt", rows(f"moved|m1|{clock(1, 8)}|{clock(1, 10)}|i-m1||", f"moved|m2|{clock(1, 8)}+00:00|{clock(1, 9)}+00:00|i-m2||"))
clocks = rows(f"moved|m1|{clock(1, 10)}|{clock(1, 12)}|i-m3||", f"moved|m1|{clock(1, 12)}|Unknown|i-m4||")
deliver("moved", "new.txt", clocks)
reference(sources="source,kind,format,time_zone\nmoved,nodes,sacctmgr,America/New_York\n")
deliver("moved", "new.txt", clocks)
assert inventory("cluster = 'moved'") == [("m1", "i-m1", "01 12:00", "01 14:00"), ("m1", "i-m3", "01 14:00", "01 16:00"),
                                          ("m1", "i-m4", "01 16:00", ""), ("m2", "i-m2", "01 08:00", "01 09:00")], inventory("cluster = 'moved'")


def kubernetes(taken, *nodes):
    """A snapshot: nodes as (name, machine, day of creation)."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": [
        {"kind": "Node", "metadata": {"name": name, "creationTimestamp": clock(day) + "Z",
                                      "labels": {"node.kubernetes.io/instance-type": "p4"}},
         "spec": {"providerID": f"aws:///eu-west-1a/{machine}"},
         "status": {"capacity": {"cpu": "96", "nvidia.com/gpu": "8"},
                    "conditions": [{"type": "Ready", "lastHeartbeatTime": clock(*taken) + "Z"}]}}
        for name, machine, day in nodes]})


print("- a node of a snapshot is there until the first later one without it, in whichever order they come")
deliver("k", "k20.json", kubernetes((20, 2), ("k1", "i-k1", 1), ("k2", "i-k2", 2)))
assert inventory("cluster = 'k'") == [("k1", "i-k1", "01 00:00", ""), ("k2", "i-k2", "02 00:00", "")]
done = deliver("k", "k22.json", kubernetes((22, 2), ("k1", "i-k1", 1)))
assert "gone=1 of=2" in done.stderr and "same nodes" not in done.stderr, done.stderr
assert inventory("cluster = 'k'") == [("k1", "i-k1", "01 00:00", ""), ("k2", "i-k2", "02 00:00", "22 02:00")]
deliver("k", "k21.json", kubernetes((21, 2), ("k1", "i-k1", 1), ("k3", "i-k3", 21)))
assert inventory("cluster = 'k'") == [("k1", "i-k1", "01 00:00", ""), ("k2", "i-k2", "02 00:00", "21 02:00"),
                                      ("k3", "i-k3", "21 00:00", "22 02:00")]
deliver("k", "k24.json", kubernetes((24, 2), ("k2", "i-k2", 2), ("k1", "i-k9", 23)))
assert inventory("cluster = 'k'") == [("k1", "i-k1", "01 00:00", "23 00:00"), ("k1", "i-k9", "23 00:00", ""),
                                      ("k2", "i-k2", "02 00:00", ""), ("k3", "i-k3", "21 00:00", "22 02:00")]
assert rows_of("SELECT DISTINCT accelerators, cpus, node_type FROM node_inventory WHERE cluster = 'k'") == [("8", "96", "p4")]
deliver("k", "empty.json", kubernetes((30, 0)))
assert len(inventory("cluster = 'k' AND NOT isfinite(valid_to)")) == 2, "an empty one has no time"

print("- a snapshot of other nodes than the one before ends most of those, and the log says so")
deliver("o", "o1.json", kubernetes((1, 0), ("n1", "i-o1", 1), ("n2", "i-o2", 1), ("n3", "i-o3", 1)))
done = deliver("o", "o2.json", kubernetes((2, 0), ("m1", "i-o4", 1), ("m2", "i-o5", 1)))
assert "gone=3 of=5" in done.stderr and "same nodes" in done.stderr, done.stderr

print("- a source is needed, and a file")
assert run("ingest", "nodes", WORK / "o1.json").returncode == 2 and run("ingest", "nodes", "--source", "o").returncode == 2
result = json.loads(deliver("o", "o1.json", kubernetes((1, 0), ("n1", "i-o1", 1)), 0, "--json").stdout)
assert (result["source"], result["label"], result["unchanged"]) == ("o", "nodes/o/o1.json", False), result

print("- a snapshot never rewrites rows recorded as history")
deliver("h", "history.txt", rows(f"h|n1|{clock(1)}|{clock(9)}|i-h1||", f"h|n2|{clock(1)}|Unknown|i-h2||"))
deliver("h", "snapshot.json", kubernetes((20, 0), ("n1", "i-h1", 1), ("n2", "i-h2", 1), ("n3", "i-h3", 1)))
done = deliver("h", "later.json", kubernetes((25, 0), ("n4", "i-h4", 24)))
assert "gone=1 of=2" in done.stderr, done.stderr
assert inventory("cluster = 'h'") == [("n1", "i-h1", "01 00:00", "09 00:00"), ("n2", "i-h2", "01 00:00", ""),
                                      ("n3", "i-h3", "01 00:00", "25 00:00"), ("n4", "i-h4", "24 00:00", "")]

print("- at each hour a node is the instance that began last, whatever the rows and their order; nodes.csv takes precedence")
generator = random.Random(4)
HOURS, reported, declared = 100, [], []


def span(longest):
    start = generator.randrange(HOURS)
    return start, None if generator.random() < 0.2 else start + 1 + generator.randrange(longest)


while len(reported) < 150:
    start, end = span(12)
    row = (f"r{generator.randrange(8)}", f"i-r{generator.randrange(12)}", start, end)
    if not any(row[:3] == other[:3] for other in reported):
        reported.append(row)
for number in range(12):
    node, resource = f"r{number % 8}", f"i-r{generator.randrange(12)}"
    start, end = span(20)
    if not any((node, resource) == other[:2] for other in declared):
        declared.append((node, resource, start, end))


def at(hour):
    return (BEGIN + timedelta(hours=hour)).strftime("%Y-%m-%dT%H:%M:%S")


def table_of(some):
    return rows(*(f"r|{node}|{at(start)}|{at(end) if end is not None else 'Unknown'}|{resource}||" for node, resource, start, end in some))


def expected_at(hour):
    """(node, resource) pairs at half past the hour, from the rules as they are written, moment by
    moment."""
    merged = []
    for node, resource, start, end in sorted(reported, key=lambda row: (row[2], row[3] if row[3] is not None else 10 ** 6)):
        end = 10 ** 6 if end is None else end
        same = next((other for other in merged if other[:2] == [node, resource] and start <= other[3]), None)
        if same:
            same[3] = max(same[3], end)
        else:
            merged.append([node, resource, start, end])
    moment, found = hour + 0.5, set()
    for one in merged:
        begun = [other for other in merged if other[2] <= moment]
        last_of_node = max((o for o in begun if o[0] == one[0]), key=lambda o: (o[2], o[3], o[1]), default=None)
        last_of_resource = max((o for o in begun if o[1] == one[1]), key=lambda o: (o[2], o[3], o[0]), default=None)
        if one is last_of_node and one is last_of_resource and moment < one[3]:
            found.add((one[0], one[1]))
    named = [row for row in declared if row[2] <= moment and (row[3] is None or moment < row[3])]
    found = {pair for pair in found if not any(pair[0] == row[0] or pair[1] == row[1] for row in named)}
    return found | {row[:2] for row in named}


def found_at(hour):
    return set(rows_of("SELECT node, resource_id FROM node_inventory WHERE cluster = 'r' AND "
                       f"valid_from <= timestamptz '{at(hour)}Z' + interval '30 minutes' AND timestamptz '{at(hour)}Z' + interval '30 minutes' < valid_to"))


made = None
for order in range(3):
    run("db", "psql", "--", "-Xqc", "DELETE FROM kstar.delivered_node WHERE source = 'r'; DELETE FROM kstar.delivery WHERE source = 'r'")
    generator.shuffle(reported)
    if order == 1:
        reference(nodes="cluster,node,resource_id,valid_from\n")
    nodes_csv = "cluster,node,resource_id,valid_from,valid_to\n" + "".join(
        f"r,{node},{resource},{at(start)}Z,{at(end) + 'Z' if end is not None else ''}\n" for node, resource, start, end in declared)
    if order != 2:
        reference(nodes=nodes_csv)
    for part in range(3):
        deliver("r", f"r{part}.txt", table_of(reported[part::3]))
    if order == 2:
        reference(nodes=nodes_csv)
    now = inventory("cluster = 'r'")
    assert made is None or now == made, "the order of deliveries matters"
    made = now
for hour in range(0, HOURS + 30):
    assert expected_at(hour) == found_at(hour), (hour, expected_at(hour) ^ found_at(hour))
assert len(made) > 60, len(made)
assert rows_of("SELECT count(*) FROM node_inventory AS a JOIN node_inventory AS b USING (cluster) WHERE cluster = 'r' AND a.source IS NOT NULL "
               "AND (a.node = b.node OR a.resource_id = b.resource_id) AND a <> b AND a.valid_from < b.valid_to AND b.valid_from < a.valid_to") == [("0",)]
print("ok")
