"""A nightly that is killed at any moment and run again gives the same database and the same workbooks as one that was
left alone (design.md, section 4). The moments are drawn at random from the length of an undisturbed night; the seed is
printed and can be given as KSTAR_TEST_SEED. Sequence numbers (delivery, load, file) may have gaps, so rows are
compared under their natural names."""

import hashlib
import os
import pathlib
import random
import shutil
import subprocess
import time

KSTAR = os.environ["KSTAR"]
WORK = pathlib.Path(os.environ["WORK"])
INBOX = WORK / "inbox"
KILLS = int(os.environ.get("KSTAR_TEST_KILLS", "8"))
CLEAN = (0, 4)  # 4: the fixtures hold a row that waits for a person

# Everything that a reader can see; the run's own numbers are left out or replaced by names.
TABLES = {
    "lines": """SELECT path, to_jsonb(line) - '{load_id,file_id,delivery_id}'::text[]
                FROM current_billing_line AS line JOIN source_file USING (file_id)""",
    "rejected": "SELECT path, to_jsonb(rejected_row) - '{delivery_id,file_id}'::text[] FROM rejected_row JOIN source_file USING (file_id)",
    "jobs": "SELECT to_jsonb(job) - '{delivery_id,file_id}'::text[] FROM job",
    "job_nodes": "SELECT to_jsonb(job_node) FROM job_node",
    "horizons": "SELECT to_jsonb(job_horizon) FROM job_horizon",
    "measurements": "SELECT to_jsonb(measurement) - '{delivery_id,file_id}'::text[] FROM measurement",
    "parts": """SELECT path, to_jsonb(line_part) - '{load_id,file_id}'::text[]
                FROM line_part JOIN source_file USING (file_id)""",
} | {name: f"SELECT to_jsonb({name}) FROM {name}" for name in (
    "shared_part statement_invoice statement_row job_result family_fit family_curve family_rate family_interruption statement_note statement_price statement_idle finding statement "
    "cost_centre mapping_rule pool node_inventory reference_file account invoice resource sku commitment charge_kind "
    "charge_description tag_set").split()}


def psql(query):
    result = subprocess.run([KSTAR, "db", "psql", "--", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", query],
                            capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def database():
    """The hash of each table's rows, sorted."""
    rows = {}
    for name, query in TABLES.items():
        rows[name] = hashlib.sha256(
            psql(f"SET search_path = kstar; SELECT t::text FROM ({query}) AS t ORDER BY t::text COLLATE \"C\"").encode()).hexdigest()
    return rows


def workbooks(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.xlsx"))}


def night(folder):
    return subprocess.Popen([KSTAR, "nightly", str(INBOX), "--out", str(folder), "--quiet"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finish(folder):
    process = night(folder)
    _, errors = process.communicate()
    assert process.returncode in CLEAN, f"exit code {process.returncode}: {errors}"


def start_over():
    psql("DROP SCHEMA IF EXISTS kstar CASCADE")


shutil.copytree(pathlib.Path(os.environ["KSTAR_SOURCE_DIR"]) / "fixtures" / "inbox", INBOX)
subprocess.run([KSTAR, "db", "start"], check=True, capture_output=True)
begin = time.monotonic()
finish(WORK / "undisturbed")
length = time.monotonic() - begin
expected, expected_workbooks = database(), workbooks(WORK / "undisturbed")
assert expected_workbooks, "the night wrote no workbook"

seed = int(os.environ.get("KSTAR_TEST_SEED", "20260901"))
print(f"seed {seed}, an undisturbed night takes {length:.2f} s")
moments = random.Random(seed)
killed = 0
for number in range(KILLS):
    start_over()
    folder = WORK / f"killed-{number}"
    for _ in range(2):
        moment = moments.uniform(0, length)
        process = night(folder)
        try:
            process.communicate(timeout=moment)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += 1
    finish(folder)
    found = database()
    different = [name for name in TABLES if found[name] != expected[name]]
    assert not different, f"killed at {moment:.3f} s: {different} differ"
    assert workbooks(folder) == expected_workbooks, f"killed at {moment:.3f} s: workbooks differ"
print(f"{killed} kills survived")
assert killed > 0, "no night was caught alive: nothing was tested"
