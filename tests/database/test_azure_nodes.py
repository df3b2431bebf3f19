"""Azure's machines from bill to job: those of scale sets by what AdditionalInfo says of them, and
capacity that was reserved.

A night of its own: two daily lines of one scale set, the inventory as kubectl gives it, one job on
both machines for that day; and a machine that ran for six hours."""

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

import case_page
from saying import KSTAR, equals, it, sql

INBOX = Path(os.environ["WORK"]) / "inbox"
GROUP = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/MC_lab_westeurope/providers/Microsoft.Compute"
SET = "aks-gpu-31415926-vmss"
RESERVED = "5b1d6a52-93c7-4a6e-8f0d-2c9e7b40a118"
COLUMNS = ("BillingAccountId,Date,MeterCategory,Quantity,Cost,BillingCurrency,ResourceId,UnitOfMeasure,ChargeType,PricingModel,"
           "AdditionalInfo").split(",")


def machine(cost, resource, **additional):
    """A daily line of a machine, as one dataset has it."""
    values = {"BillingAccountId": "77", "Date": "2026-09-08", "MeterCategory": "Virtual Machines", "Quantity": "24", "Cost": cost,
              "BillingCurrency": "USD", "ResourceId": f"{GROUP}/{resource}", "UnitOfMeasure": "1 Hour", "ChargeType": "Usage",
              "PricingModel": "OnDemand", "AdditionalInfo": json.dumps(additional) if additional else ""}
    return [values[name] for name in COLUMNS]


def without_braces(line):
    return [*line[:-1], line[-1][1:-1]]


def for_six_hours(line):
    values = dict(zip(COLUMNS, line))
    return [*{**values, "Quantity": "6", "UnitOfMeasure": "Hours"}.values()]


case_page.write_common_reference(INBOX)
case_page.write_csv(INBOX / "reference" / "sources.csv", [["source", "kind", "format"], ["azure", "billing", "azure-actual"]])
case_page.write_csv(INBOX / "reference" / "pools.csv", [["pool", "component", "owner", "split"], ["spare", "unused_commitments", "P", "keep"]])
case_page.write_csv(INBOX / "reference" / "pool_rules.csv", [["priority", "match", "pattern", "pool"],
                                                             ["1", "capacity_reservation_status", "Unused", "spare"]])
case_page.write_csv(INBOX / "billing" / "azure" / "2026-09" / "actual.csv", [
    COLUMNS,
    machine("240.00", f"virtualMachineScaleSets/{SET}", UsageType="ComputeHR", VMName=f"{SET}_0", VCPUs=96),
    without_braces(machine("240.00", f"virtualMachineScaleSets/{SET}", VMProperties=None, VmName=f"{SET.upper()}_11")),
    machine("1.00", f"virtualMachineScaleSets/{SET}", VMName=f"{SET}_a1b2"),
    machine("2.00", f"virtualMachineScaleSets/{SET}", VMName="another-vmss_0"),
    machine("3.00", f"virtualMachineScaleSets/{SET}"),
    [*machine("4.00", f"virtualMachineScaleSets/{SET}")[:-1], f'{{"VMName": "{SET}_0"'],
    machine("50.00", "capacityReservationGroups/g1/capacityReservations/CR-1", UsageType="ComputeCR", VMCapacityReservationId=RESERVED),
    machine("60.00", "virtualMachines/vm-1", VMCapacityReservationId=RESERVED),
    machine("70.00", "virtualMachines/vm-2", VMCapacityReservationId=""),
    for_six_hours(machine("12.60", "virtualMachines/vm-3")),
])
machines = [(f"node-{number}", f"virtualMachineScaleSets/{SET}/virtualMachines/{number}") for number in (0, 11)] + [("alone", "virtualMachines/vm-3")]
nodes = [{"kind": "Node", "metadata": {"name": name, "creationTimestamp": "2026-09-01T00:00:00Z"},
          "spec": {"providerID": f"azure://{GROUP.replace('MC_', 'mc_')}/{place}"},
          "status": {"capacity": {"cpu": "96", "nvidia.com/gpu": "8"},
                     "conditions": [{"type": "Ready", "lastHeartbeatTime": "2026-09-30T00:00:00Z"}]}} for name, place in machines]
(INBOX / "nodes" / "aks").mkdir(parents=True)
(INBOX / "nodes" / "aks" / "nodes.json").write_text(json.dumps({"kind": "List", "items": nodes}))
case_page.write_input(["jobs", "aks"], [
    ["JobID", "Account", "Start", "End", "NodeList", "NNodes", "GPUs"],
    ["1", "a", "8 00:00", "9 00:00", "node-[0,11]", "2", "16"],
    ["3", "b", "8 06:00", "8 12:00", "alone", "1", "8"],
    ["2", "b", "10-01 00:00", "10-01 01:00", "node-0", "1", "8"]], INBOX)

done = subprocess.run([KSTAR, "nightly", str(INBOX), "--out", os.environ["WORK"] + "/out"], capture_output=True, text=True, check=False)
assert done.returncode in (0, 4), done.stdout + done.stderr

it("names the machine of a scale set where AdditionalInfo does, and leaves the others as they came")
equals("\n".join([f"1.00|{SET}", f"2.00|{SET}", f"240.00|{SET}/virtualMachines/0", f"240.00|{SET}/virtualMachines/11", f"3.00|{SET}", f"4.00|{SET}"]),
       sql(f"SELECT billed_cost, substr(resource_id, {len(GROUP) + len('/virtualMachineScaleSets/') + 1}) FROM current_billing_line "
           "JOIN resource USING (resource_key) WHERE resource_id LIKE '%ScaleSets%' ORDER BY billed_cost::text, 2"))

it("keeps what AdditionalInfo says besides")
equals("96", sql("SELECT (columns ->> 'AdditionalInfo')::jsonb ->> 'VCPUs' FROM current_billing_line JOIN custom_columns USING (custom_columns_key) "
                 "JOIN resource USING (resource_key) WHERE resource_id LIKE '%/virtualMachines/0'"))

it("gives both machines' cost to the job that held them for the day, and leaves no hour of it without a price")
equals("480.00", sql("SELECT (true_cost_minor / 100.0)::numeric(9, 2) FROM job_result JOIN job USING (attempt_id) WHERE job_id = '1'"))
equals("0", sql("SELECT count(*) FROM statement_note WHERE statement_month = '2026-09-01' AND kind LIKE 'unpriced%'"))

it("gives a daily line of six hours, in a unit without a number, to the job that held the machine for them, as hardware")
equals("unmeasured_hardware|12.60", sql("SELECT component, (sum(minor_units) / 100.0)::numeric(9, 2) FROM statement_row "
                                        "WHERE statement_month = '2026-09-01' AND cost_centre = 'B' GROUP BY 1"))

it("knows a reservation of capacity and the machines within it, used and unused")
equals(f"50.00|{RESERVED}|Unused\n60.00|{RESERVED}|Used\n70.00||", sql(
    "SELECT billed_cost, capacity_reservation_id, capacity_reservation_status FROM current_billing_line JOIN charge_kind USING (charge_kind_key) "
    "LEFT JOIN commitment USING (commitment_key) WHERE billed_cost >= 50 AND billed_cost < 100 ORDER BY billed_cost"))

it("finds a pool for it by its status")
equals("50.00", sql("SELECT (sum(minor_units) / 100.0)::numeric(9, 2) FROM statement_row WHERE statement_month = '2026-09-01' AND cost_centre = 'P'"))
print("ok")
