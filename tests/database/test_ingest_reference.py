"""Reference CSVs and measurements: all or nothing, and one clear error for each kind of mistake."""

import json
import os
from pathlib import Path

from saying import rows_of, run

WORK = Path(os.environ["WORK"])
GOOD = {
    "cost_centres.csv": "cost_centre,name,gl_account,owner,valid_from,valid_to\n"
                        "research,\"Research, core\",6400,ann,,\nplatform,Platform,6410,,,\n",
    "pools.csv": "pool,component,owner,split,basis\ncontrol,fixed_overhead,platform,proportional,wall_hours\n"
                 "idle,idle,platform,keep,\n",
    "mapping_rules.csv": "priority,match,pattern,cost_centre\n10,tag:team,research*,research\n20,job_account,r-*,research\n",
    "families.csv": "family,unit,accelerators_per_node,minimum_k,maximum_k,allowed_k,goal_work_constant,waiting_cost_per_hour\n"
                    "llm,accelerators,8,8,512,powers of two,yes,12.5\nvision,,,,,1 2 4 8,,\n",
    "nodes.csv": "cluster,node,resource_id,accelerators,cpus,idle_pool,valid_from,valid_to\n"
                 "a,n1,i-1,8,96,idle,,2026-09-10T12:00:00Z\na,n1,i-2,8,96,idle,2026-09-10T12:00:00Z,\n",
    "exchange_rates.csv": "rate_date,currency,statement_currency,rate\n2026-09-30,EUR,USD,1.08250000000000000001\n",
}


def folder(files):
    place = WORK / "reference"
    place.mkdir(exist_ok=True)
    for old in place.iterdir():
        old.unlink()
    for name, text in files.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


def state():
    return [rows_of(f"SELECT * FROM {table} ORDER BY 1, 2") for table in
            ("cost_centre", "pool", "mapping_rule", "family", "node_inventory", "exchange_rate", "reference_file")]


print("- files replace their tables; empty fields take the documented values; decimals keep every digit")
done = run("ingest", "reference", folder(GOOD))
assert done.returncode == 0 and "11 rows of 6 files" in done.stdout, done.stdout + done.stderr
assert rows_of("SELECT name, valid_from, valid_to FROM cost_centre WHERE cost_centre = 'research'") == \
    [("Research, core", "-infinity", "infinity")]
assert rows_of("SELECT unit, minimum_k, maximum_k, goal_work_constant, waiting_cost_per_hour FROM family ORDER BY family") == \
    [("accelerators", "8", "512", "t", "12.5"), ("nodes", "1", "", "f", "")]
assert rows_of("SELECT rate FROM exchange_rate") == [("1.08250000000000000001",)]
assert rows_of("SELECT resource_id, valid_from, valid_to FROM node_inventory ORDER BY 1") == \
    [("i-1", "-infinity", "2026-09-10 12:00:00+00"), ("i-2", "2026-09-10 12:00:00+00", "infinity")]

print("- the same files again change nothing")
before = state()
done = run("ingest", "reference", folder(GOOD))
assert done.returncode == 0 and "already in force" in done.stdout, done.stdout
assert state() == before

print("- a table whose file is not given stays, and is what the other files are checked against")
done = run("ingest", "reference", folder({"pool_rules.csv": "priority,match,pattern,pool\n1,service_name,EKS,control\n"}))
assert done.returncode == 0 and state()[:6] == before[:6], done.stderr
before = state()

MISTAKES = [  # file, text, what the error says behind the folder
    ("pools.csv", "pool,component,owner,split\ncontrol,fixed_overhead,platform,keep\nidle,idle,platform,evenly\n",
     'pools.csv, line 3, column split: "evenly" is not one of keep, even, proportional, fixed'),
    ("pools.csv", "pool,component,owner,split\ncontrol,idle,platform,keep\nidle,idle,nobody,keep\n",
     'pools.csv, line 3, column owner: "nobody" is no cost centre of cost_centres.csv'),
    ("pools.csv", "pool,component,owner,split,basis\ncontrol,idle,platform,keep,\nidle,idle,platform,even,node_hours\n",
     'pools.csv, line 3, column basis: "node_hours" does not go with split even'),
    ("pools.csv", "pool,component,owner,split,valid_from,valid_to\ncontrol,idle,platform,keep,,\n"
                  "idle,idle,platform,keep,2026-01-01,2026-03-01\nidle,idle,platform,even,2026-02-28,\n",
     'pools.csv, line 4: "idle" was declared for the same time in line 3'),
    ("pools.csv", "pool,component,owner,split,valid_from,valid_to\ncontrol,idle,platform,keep,,\n"
                  "idle,idle,platform,keep,2026-03-01,2026-03-01\n",
     'pools.csv, line 3, column valid_to: "2026-03-01" is not after valid_from 2026-03-01'),
    ("pools.csv", "pool,component,owner\nidle,idle,platform\n", "pools.csv, line 1: column split is missing"),
    ("mapping_rules.csv", "priority,match,pattern,cost_centre\n1,tags,x,research\n",
     'mapping_rules.csv, line 2, column match: "tags" is not one of tag:KEY, sub_account_id'),
    ("mapping_rules.csv", "priority,match,pattern,cost_centre\n1,source,x,research\n1,source,y,platform\n",
     'mapping_rules.csv, line 3: "1" was declared for the same time in line 2'),
    ("family_rules.csv", "priority,match,pattern,family\n1,job_name,llm-*,lm\n",
     'family_rules.csv, line 2, column family: "lm" is no family of families.csv'),
    ("family_rules.csv", "priority,match,pattern,family\n1,tag:team,x,llm\n",
     'family_rules.csv, line 2, column match: "tag:team" is not one of job_account'),
    ("cost_centres.csv", "cost_centre,name,gl_account\nplatform,P,1\n",
     'mapping_rules.csv (in force), column cost_centre: "research" is no cost centre of cost_centres.csv'),
    ("families.csv", "family,minimum_k,maximum_k\nllm,8,4\n", 'families.csv, line 2, column maximum_k: "4" is below minimum_k 8'),
    ("families.csv", "family\n*\n", 'families.csv, line 2, column family: "*" is what all of them together, or none, are called'),
    ("cost_centres.csv", "cost_centre,name,gl_account\n(none),N,1\n",
     'cost_centres.csv, line 2, column cost_centre: "(none)" is what all of them together, or none, are called'),
    ("families.csv", "family,allowed_k\nllm,1;2\n", 'families.csv, line 2, column allowed_k: "1;2" is neither a list'),
    ("families.csv", f"family,allowed_k\nllm,{' '.join(map(str, range(1, 66)))}\n", 'families.csv, line 2, column allowed_k: "1 2 3 4'),
    ("families.csv", "family,allowed_k\nllm,1 1048577\n",
     'families.csv, line 2, column allowed_k: "1 1048577" lists more than 64 node counts, or one above 1048576'),
    ("node_accelerators.csv", "node_type,gres_type,accelerator\np5,h100,H100\n", 'node_accelerators.csv, line 2, column gres_type: "h100" does not go with a node_type'),
    ("node_accelerators.csv", "gres_type,accelerator\ngpu:h100,H100\n", 'node_accelerators.csv, line 2, column gres_type: "gpu:h100" is not a type alone'),
    ("families.csv", "family,unit\nllm,accelerators\n", "families.csv, line 2, column accelerators_per_node: is needed by unit"),
    ("engineering.csv", "name,hours,hourly_rate,annual_cost,currency,carrier,valid_from,valid_to\n"
                        "x,10,,5,USD,platform,2026-09-01,2026-10-01\n",
     'engineering.csv, line 2, column hours: "10" give either hours and hourly_rate, or annual_cost and time_share'),
    ("settings.csv", "parameter,value\nstatment_currency,USD\n",
     'settings.csv, line 2, column parameter: "statment_currency" is not one of statement_currency'),
    ("settings.csv", "parameter,value\nfailed_run_window_months,100000\n",
     'settings.csv, line 2, column value: "100000" is larger than 1200'),
    ("overhead_rates.csv", "name,amount_per_hour,currency,carrier\nx,-1e25,USD,platform\n",
     'overhead_rates.csv, line 2, column amount_per_hour: "-1e25" is beyond 9,000,000,000,000, the most that kstar can hold'),
    ("engineering.csv", "name,hours,hourly_rate,currency,carrier,valid_from,valid_to\n"
                        "x,1000000000000000000,5,USD,platform,2026-09-01,2026-10-01\n",
     'engineering.csv, line 2, column hours: "1000000000000000000" is above 1,000,000,000 hours'),
    ("settings.csv", "parameter,value\nnear_k_star_share,5%\n",
     'settings.csv, line 2, column value: "5%" is not a decimal number'),
    ("sources.csv", "source,kind,format,time_zone\na,jobs,sacct,Europe/Zuerich\n",
     'sources.csv, line 2, column time_zone: "Europe/Zuerich" is no time zone'),
    ("sources.csv", "source,kind,format,expected_within_hours\na,jobs,sacct,0\n",
     'sources.csv, line 2, column expected_within_hours: "0" is below 1'),
    ("invoices.csv", "invoice_id,invoice_issuer_name,currency,net_amount,invoice_date\n7,AWS,USD,\"1,234.50\",2026-10-02\n",
     'invoices.csv, line 2, column net_amount: "1,234.50" is not a decimal number'),
    ("interruptions.csv", "family,capacity,rate_per_node_hour\n,spot,measured\n",
     'interruptions.csv, line 2, column rate_per_node_hour: "measured" is of failing nodes'),
    ("interruptions.csv", "family,capacity,rate_per_node_hour\nllm,on demand,often\n",
     'interruptions.csv, line 2, column rate_per_node_hour: "often" is not a decimal number'),
    ("interruptions.csv", "family,capacity,rate_per_node_hour\n,spot,0.01\nlm,spot,0.02\n",
     'interruptions.csv, line 3, column family: "lm" is no family of families.csv'),
    ("interruptions.csv", "family,capacity,rate_per_node_hour\n,spot,0.01\n,spot,0.02\n",
     'interruptions.csv, line 3: "spot" was declared for the same time in line 2'),
    ("centres.csv", "a\n", "centres.csv: unknown reference file"),
]
for name, text, message in MISTAKES:
    print(f"- {message}")
    done = run("ingest", "reference", folder({name: text}))
    expected = f"error: {message}" if "(in force)" in message else f"error: {WORK}/reference/{message}"
    assert done.returncode == 3 and expected in done.stderr, done.stderr
assert state() == before, "a refused file changed something"

print("- one bad file keeps all the others out")
done = run("ingest", "reference", folder({"cost_centres.csv": GOOD["cost_centres.csv"] + "vision,Vision,6420,,,\n",
                                          "pools.csv": "pool,component,owner,split\nidle,idle,vision,maybe\n"}))
assert done.returncode == 3 and state() == before, done.stderr

print("- a folder without a reference file is refused, and what of a folder is no reference file is named")
done = run("ingest", "reference", folder({}))
assert done.returncode == 3 and "reference: holds no reference file" in done.stderr, done.stderr
done = run("ingest", "reference", folder({"pools.csv.txt": "pool\n", "notes.md": ""}))
assert done.returncode == 3 and done.stderr.count("no *.csv and no review-*.xlsx") == 2, done.stderr
done = run("ingest", "reference", folder({"Pools.CSV": GOOD["pools.csv"]}))
assert done.returncode == 3 and "Pools.CSV: unknown reference file" in done.stderr, done.stderr
assert state() == before

print("- a name that is no text is refused as such")
done = run("ingest", "reference", folder({"review-2026-09 (M\udcfcller).xlsx": ""}))
assert done.returncode == 3 and "(M?ller).xlsx: the name is not UTF-8" in done.stderr, (done.returncode, done.stderr)

MEASURED = "family,job_id,k,metric,value,unit,scaling,accelerator,measured_at,method\n"


def measure(text):
    (WORK / "llm.csv").write_text(text, encoding="utf-8")
    return run("ingest", "efficiency", WORK / "llm.csv")


print("- measured times are stored in hours, whatever their unit")
done = measure(MEASURED + "llm,,1,run_time,90,min,,h100,2026-08-01,bench\nllm,,2,run_time,1.5,h,,h100,,\n"
               "llm,,4,step_time,1800,,weak,h100,,\nllm,,8,throughput,1184.5,,,h100,,\nllm,77,8,efficiency,0.5,,,,,\n")
assert done.returncode == 0 and "5 measurements" in done.stdout, done.stdout + done.stderr
assert rows_of("SELECT k, metric, value, scaling, accelerator, job_id FROM measurement ORDER BY line_number") == [
    ("1", "run_time", "1.5", "strong", "h100", ""), ("2", "run_time", "1.5", "strong", "h100", ""),
    ("4", "step_time", "0.5", "weak", "h100", ""), ("8", "throughput", "1184.5", "strong", "h100", ""),
    ("8", "efficiency", "0.5", "strong", "", "77")]

print("- a file replaces what it held before, and one bad row leaves that in force")
assert measure(MEASURED + "llm,,1,run_time,2,h,,,,\n").returncode == 0
assert rows_of("SELECT value FROM measurement") == [("2",)]
for row, message in (("llm,,0,run_time,2,h,,,,", 'column k: "0" is below 1'),
                     ("llm,,1,runtime,2,h,,,,", 'column metric: "runtime" is not one of run_time'),
                     ("llm,,1,run_time,0,h,,,,", 'column value: "0" is not above 0'),
                     ("llm,,1,run_time,2,days,,,,", 'column unit: "days" is not one of s, min, h'),
                     ("llm,,1,throughput,2,h,,,,", 'column unit: "h" goes with run_time and step_time alone'),
                     ("llm,,4,efficiency,81.37,,,,,", 'column value: "81.37" is not an efficiency: 1 is perfect, and 81 per cent are 0.81'),
                     ("llm,,1,compute_share,1.2,,,,,", 'column value: "1.2" is above 1'),
                     (",,1,run_time,2,h,,,,", "column family: is empty but is required"),
                     ("llm,,1,run_time,2,h,,,noon,", 'column measured_at: "noon" is not a time')):
    print(f"- {message}")
    done = measure(MEASURED + "llm,,1,run_time,3,h,,,,\n" + row + "\n")
    assert done.returncode == 3 and f"{WORK}/llm.csv, line 3, {message}" in done.stderr, done.stderr
assert rows_of("SELECT value FROM measurement") == [("2",)]

print("- a time or throughput of one job alone says nothing of its family, nor of the job's E: it is ignored, and reported")
done = measure(MEASURED + "llm,,1,run_time,2,h,,,,\nllm,78,8,run_time,1,h,,,,\nllm,79,8,step_time,1,s,,,,\nllm,80,8,throughput,9,,,,,\nllm,77,8,efficiency,0.5,,,,,\n"
               "llm,77,8,compute_share,0.6,,,,,\n")
assert done.returncode == 0, done.stderr
assert "llm.csv: 3 measurements; 3 ignored: run_time, step_time or throughput of one job alone (job_id)" in done.stdout, done.stdout
assert 'unused_measurements file="efficiency/llm.csv" rows=3 line=3 missing="" ' in done.stderr and done.stderr.count("unused_measurements") == 1, done.stderr
assert rows_of("SELECT metric, job_id FROM measurement ORDER BY line_number") == [("run_time", ""), ("efficiency", "77"), ("compute_share", "77")]
(WORK / "one.csv").write_text(MEASURED + "llm,78,8,run_time,1,h,,,,\n", encoding="utf-8")
result = json.loads(run("ingest", "efficiency", "--json", WORK / "one.csv").stdout)
assert (result["rows"], result["ignored"]) == (0, 1), result
done = measure(MEASURED + "llm,80,8,throughput,9,,,h100,2026-08-02,\n")
assert 'rows=1 line=2 missing="precision batch model sequence_length software" ' in done.stderr, done.stderr
done = measure(MEASURED + "llm,78,8,run_time,0,h,,,,\n")
assert done.returncode == 3 and 'line 2, column value: "0" is not above 0' in done.stderr, done.stderr
assert measure(MEASURED + "llm,,1,run_time,2,h,,,,\n").returncode == 0

print("- the same content again changes nothing; a header alone withdraws it")
assert "already there" in measure(MEASURED + "llm,,1,run_time,2,h,,,,\n").stdout
assert measure(MEASURED).returncode == 0
assert rows_of("SELECT count(*) FROM measurement") == [("0",)]

print("- the examples of docs/reference.md are one set, have every column there is, and load")
examples, name = {}, None
for line in (Path(os.environ["KSTAR_SOURCE_DIR"]) / "docs" / "reference.md").read_text(encoding="utf-8").splitlines():
    if line.startswith("## "):
        name, inside = line[3:], False
    elif name and line.startswith("```"):
        inside = line == "```csv"
    elif name and inside:
        examples[name] = examples.get(name, "") + line + "\n"
assert len(examples) == 33, sorted(examples)
done = run("ingest", "reference", folder(examples))
assert done.returncode == 0, done.stderr
# FOCUS has no others: a rule for another takes no line
CATEGORIES = {"Usage", "Purchase", "Tax", "Credit", "Adjustment"}
assert all(line.split(",")[2] in CATEGORIES for text in examples.values() for line in text.splitlines() if line.split(",")[1:2] == ["charge_category"])
columns = {name.split(".")[0]: text.split("\n")[0].split(",") for name, text in examples.items()}
tables = {"sources": "source_configuration", "settings": "setting", "nodes": "declared_node", "invoices": "invoice_amount",
          "engineering": "engineering_time", "families": "family", "run_groups": "declared_run_group", "commitments": "commitment_end"}
for file, header in columns.items():
    table = tables.get(file, file.removesuffix("s"))
    assert [(column,) for column in header] == rows_of(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = 'kstar'"
            f" AND table_name = '{table}' ORDER BY column_name IN ('valid_from', 'valid_to'), ordinal_position"), file
