"""All that a reader can see, as hashes: what "the same database and the same workbooks" means.

The run ledger (run_ledger, run_stage, run_delivery) is not in it: it says when a run was and how it
ended, so a night that was killed and run again has other rows there than one that was left alone.
Sequence numbers (delivery, load, file) may have gaps, so rows are compared under their natural
names."""

import hashlib
import shutil

import published
import saying

# The run's own numbers are omitted or replaced by names.
TABLES = {
    "lines": """SELECT path, to_jsonb(line) - '{load_id,file_id,delivery_id}'::text[]
                FROM current_billing_line AS line JOIN source_file USING (file_id)""",
    "quarantined": "SELECT path, to_jsonb(quarantined_row) - '{delivery_id,file_id}'::text[] FROM quarantined_row JOIN source_file USING (file_id)",
    "jobs": "SELECT to_jsonb(job) FROM job",
    "job_places": "SELECT attempt_id, label, line_number FROM job_place JOIN delivery USING (delivery_id)",
    "job_nodes": "SELECT to_jsonb(job_node) FROM job_node",
    "horizons": "SELECT to_jsonb(job_horizon) FROM job_horizon",
    "listings": "SELECT to_jsonb(job_listing) FROM job_listing",
    "measurements": "SELECT to_jsonb(measurement) - '{delivery_id,file_id}'::text[] FROM measurement",
} | {name: f"SELECT to_jsonb({name}) FROM {name}" for name in (
    "neighbour_bill charge class_charge shared_part statement_invoice statement_sum statement_detail job_result family_fit family_curve fit_of_jobs family_rate family_interruption family_waste serving_cost serving_size statement_note statement_price statement_idle finding statement "
    "cost_centre mapping_rule pool node_inventory reference_file account invoice resource sku commitment charge_kind "
    "charge_description tag_set").split()}


def psql(query):
    result = saying.psql(["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", query], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def database():
    """The hash of each table's rows, sorted."""
    hashes = [f"""SELECT '{name}', encode(sha256(convert_to(coalesce(string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C"), ''), 'UTF8')), 'hex')
                  FROM ({query}) AS t""" for name, query in TABLES.items()]
    rows = psql("SET search_path = kstar; " + " UNION ALL ".join(hashes))
    return dict(row.split("|") for row in rows.splitlines())


def workbooks(folder):
    """The hash of each file in OUT, journals too; what begins with a dot is not for readers."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("[!.]*"))}


def start_over(out=None):
    """A new database, as kstar init makes it; with it goes what stood in its OUT, which a night
    does not take for another's."""
    published.new_database("kstar")
    if out is not None:
        shutil.rmtree(out)
