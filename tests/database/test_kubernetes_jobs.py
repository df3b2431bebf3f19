"""Jobs of Kubernetes: each kind is the attempt that it is, pods give it nodes and time, and the
bill of a shared node follows them."""

import json
import os
import random
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

KSTAR, WORK = os.environ["KSTAR"], Path(os.environ["WORK"])
SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import workbooks
from saying import rows_of

BEGIN = datetime(2026, 9, 8, tzinfo=timezone.utc)


def ingest(name, objects, code=0, source="k8s", wrap=True):
    path = WORK / name
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}, indent=1) if wrap
                    else "".join(json.dumps(each) + "\n" for each in objects), encoding="utf-8")
    done = subprocess.run([KSTAR, "ingest", "jobs", "--accept", "--source", source, "--format", "kubernetes", str(path)], capture_output=True,
                          text=True, check=False)
    assert done.returncode == code, (name, done.returncode, done.stdout, done.stderr)
    return done


def stored(columns="job_id, state, to_char(start_time, 'HH24:MI'), to_char(end_time, 'HH24:MI'), node_count"):
    return rows_of(f"SELECT {columns} FROM kstar.job ORDER BY job_id, start_time")


def held():
    return rows_of("SELECT job_id, node, to_char(job_node.start_time, 'HH24:MI'), to_char(job_node.end_time, 'HH24:MI'), job_node.cpus::float8, "
                   "job_node.accelerators::float8 FROM kstar.job_node JOIN kstar.job USING (attempt_id) ORDER BY 1, 2, 3")


def forget():
    rows_of("TRUNCATE kstar.delivery CASCADE; DELETE FROM kstar.job_hold; DELETE FROM kstar.job; DELETE FROM kstar.job_horizon")


def at(clock):
    return f"2026-09-08T{clock}:00Z" if clock else None


def meta(name, owner=None, **more):
    owners = [{"uid": f"u-{owner[1]}", "name": owner[1], "kind": owner[0], "controller": True}] if owner else []
    return {"name": name, "namespace": "team-a", "uid": f"u-{name}", "creationTimestamp": at("00:00"), "ownerReferences": owners, **more}


def pod(name, owner=None, node="n1", start="01:00", end=None, gpus=8, cpu="96", phase=None, reason=None, **status):
    phase = phase or ("Succeeded" if end else "Running")
    ended = {"terminated": {"finishedAt": at(end), "reason": reason}} if end else {"running": {"startedAt": at(start)}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta(name, owner),
            "spec": {"nodeName": node, "containers": [{"resources": {"limits": {"nvidia.com/gpu": str(gpus)} if gpus else {},
                                                                     "requests": {"cpu": cpu} if cpu else {}}}]},
            "status": {"phase": phase, "startTime": at(start), "containerStatuses": [{"state": ended}], **status}}


def condition(kind, clock, status="True", reason=None):
    return {"type": kind, "status": status, "lastTransitionTime": at(clock), "reason": reason}


def workload(api, kind, name, spec, status, owner=None, **more):
    return {"apiVersion": api, "kind": kind, "metadata": meta(name, owner, **more), "spec": spec, "status": status}


def job(name, end=None, failed=None, parallelism=2, start="00:30", owner=None, reason=None, **more):
    conditions = [condition("Complete", end)] if end else [condition("Failed", failed, reason=reason)] if failed else []
    return workload("batch/v1", "Job", name, {"parallelism": parallelism, **more},
                    {"startTime": at(start), "completionTime": at(end), "conditions": conditions}, owner)


print("- a Job: its nodes and time are its pods'; one whose pods wait has not begun; a failed one ended when its condition turned")
ingest("jobs.json", [
    job("train", end="03:00"), pod("train-0", ("Job", "train"), "n1", "01:00", "02:59"), pod("train-1", ("Job", "train"), "n2", "01:05", "02:58"),
    job("waits"), pod("waits-0", ("Job", "waits"), None, None, phase="Pending"),
    job("killed", failed="02:00", reason="BackoffLimitExceeded"),
    pod("killed-0", ("Job", "killed"), "n3", "01:00", "02:00", phase="Failed", reason="OOMKilled"),
    job("late", failed="02:00", reason="DeadlineExceeded"),
    job("counts", end="02:00", parallelism=5),
    job("sleeps", suspend=True, start=None),
    {"apiVersion": "v1", "kind": "Service", "metadata": meta("service")}])
assert stored() == [("team-a/counts", "COMPLETED", "00:30", "02:00", "5"), ("team-a/killed", "OUT_OF_MEMORY", "01:00", "02:00", "1"),
                    ("team-a/late", "TIMEOUT", "00:30", "02:00", "2"), ("team-a/sleeps", "PENDING", "", "", "0"),
                    ("team-a/train", "COMPLETED", "01:00", "03:00", "2"), ("team-a/waits", "PENDING", "", "", "0")], stored()
assert held() == [("team-a/killed", "n3", "01:00", "02:00", "96", "8"), ("team-a/train", "n1", "01:00", "02:59", "96", "8"),
                  ("team-a/train", "n2", "01:05", "02:58", "96", "8")], held()
assert rows_of("SELECT account, cpus, accelerators FROM kstar.job WHERE job_id = 'team-a/train'") == [("team-a", "192.000000", "16.000000")]

print("- a sidecar among the init containers counts, one that prepares does not; CPUs of the pod as a whole are all that it has")
forget()
sidecar, whole = pod("sidecar", gpus=0, cpu="2"), pod("whole", node="n2", gpus=0, cpu=None)
sidecar["spec"]["initContainers"] = [{"resources": {"requests": {"cpu": cpu}}, **policy} for cpu, policy in (("1500m", {"restartPolicy": "Always"}), ("64", {}))]
whole["spec"]["resources"] = {"limits": {"cpu": "8"}}
ingest("shares.json", [sidecar, whole])
assert [row[:2] + row[4:] for row in held()] == [("team-a/sidecar", "n1", "4", "0"), ("team-a/whole", "n2", "8", "0")], held()

print("- every kind of the family")
forget()
REPLICAS = {"pytorchReplicaSpecs": {"Master": {"replicas": 1}, "Worker": {"replicas": 3}}}
RAN = {"startTime": at("01:00"), "completionTime": at("02:00"), "conditions": [condition("Succeeded", "02:00")]}
ingest("kinds.json", [
    workload("kubeflow.org/v1", "PyTorchJob", "pytorch", REPLICAS, RAN),
    workload("kubeflow.org/v1", "MPIJob", "mpi", {"mpiReplicaSpecs": {"Launcher": {"replicas": 1}, "Worker": {"replicas": 2}}}, RAN),
    workload("kubeflow.org/v1", "JAXJob", "jax", {"jaxReplicaSpecs": {"Worker": {}}},
             {**RAN, "completionTime": None, "conditions": [condition("Running", "01:00", "False"), condition("Failed", "01:30")]}),
    workload("trainer.kubeflow.org/v1alpha1", "TrainJob", "train", {"trainer": {"numNodes": 4}},
             {"conditions": [condition("Suspended", "01:00", "False"), condition("Complete", "02:00")]}),
    workload("jobset.x-k8s.io/v1alpha2", "JobSet", "set", {"replicatedJobs": [{"replicas": 2, "template": {"spec": {"parallelism": 3}}}]},
             {"conditions": [condition("Completed", "02:00")]}),
    workload("batch.volcano.sh/v1alpha1", "Job", "volcano", {"queue": "gold", "tasks": [{"replicas": 1}, {"replicas": 6}]},
             {"state": {"phase": "Aborted", "lastTransitionTime": at("02:00")}, "conditions": [
                 {"status": "Pending", "lastTransitionTime": at("00:10")}, {"status": "Running", "lastTransitionTime": at("01:00")}]}),
    workload("kueue.x-k8s.io/v1beta1", "Workload", "job-gone-1a2b", {"queueName": "silver", "podSets": [{"count": 9}]},
             {"admission": {"podSetAssignments": [{"count": 3}]},
              "conditions": [condition("Admitted", "01:00"), condition("Finished", "02:00", reason="Succeeded")]}, ("Job", "gone")),
    workload("kueue.x-k8s.io/v1beta1", "Workload", "job-lost-3c4d", {"queueName": "silver", "podSets": [{"count": 2}]},
             {"accumulatedPastExexcutionTimeSeconds": 1800, "conditions": [condition("Evicted", "02:00", reason="Preempted"),
                                                                           condition("Admitted", "02:00", "False")]}, ("Job", "lost")),
    workload("ray.io/v1", "RayJob", "ray", {"rayClusterSpec": {"workerGroupSpecs": [{"replicas": 2, "numOfHosts": 2}]}},
             {"startTime": at("01:00"), "endTime": at("02:00"), "jobStatus": "SUCCEEDED", "jobDeploymentStatus": "Running"}),
    workload("ray.io/v1", "RayJob", "ray-odd", {}, {"startTime": at("01:00"), "endTime": at("02:00"), "jobStatus": "PUZZLED"})])
assert stored("job_id, state, to_char(start_time, 'HH24:MI'), to_char(end_time, 'HH24:MI'), node_count, partition") == [
    ("team-a/gone", "COMPLETED", "01:00", "02:00", "3", "silver"), ("team-a/jax", "FAILED", "01:00", "01:30", "1", ""),
    ("team-a/lost", "PREEMPTED", "01:30", "02:00", "2", "silver"), ("team-a/mpi", "COMPLETED", "01:00", "02:00", "2", ""),
    ("team-a/pytorch", "COMPLETED", "01:00", "02:00", "4", ""), ("team-a/ray", "COMPLETED", "01:00", "02:00", "5", ""),
    ("team-a/ray-odd", "UNKNOWN", "01:00", "02:00", "1", ""), ("team-a/set", "COMPLETED", "00:00", "02:00", "6", ""),
    ("team-a/train", "COMPLETED", "01:00", "02:00", "4", ""), ("team-a/volcano", "CANCELLED", "01:00", "02:00", "7", "gold")], stored()

print("- what a job owns is part of it, through a chain of owners; services are no jobs; bare pods and pods of an absent owner are")
forget()
RAY = workload("ray.io/v1", "RayJob", "ray", {}, {"startTime": at("00:10"), "endTime": at("02:00"), "jobStatus": "SUCCEEDED"})
ingest("owned.json", [
    pod("step-0", ("Job", "train-node-0"), "n1", "01:00", "02:00"), pod("step-1", ("Job", "train-node-1"), "n2", "01:00", "02:00"),
    job("train-node-0", end="02:00", owner=("JobSet", "train")), job("train-node-1", end="02:00", owner=("JobSet", "train")),
    workload("jobset.x-k8s.io/v1alpha2", "JobSet", "train", {}, {"conditions": [condition("Completed", "02:00")]}, None),
    workload("kueue.x-k8s.io/v1beta1", "Workload", "w", {"podSets": [{"count": 9}]}, {"conditions": []}, ("JobSet", "train")),
    pod("head", ("RayCluster", "ray-c"), "n3", "00:30", gpus=0, cpu="500m"), pod("worker", ("RayCluster", "ray-c"), "n4", "00:40", "01:50"),
    workload("ray.io/v1", "RayCluster", "ray-c", {}, {}, ("RayJob", "ray")), RAY,
    pod("web-1", ("ReplicaSet", "web"), "n5"), pod("bare", None, "n6", "01:00", "01:20"),
    pod("argo-1", ("Workflow", "argo"), "n7", "01:00", "01:20"), pod("argo-2", ("Workflow", "argo"), "n7", "01:30", "01:50", phase="Failed"),
    job("nightly-1", end="02:00", owner=("CronJob", "nightly"), parallelism=1)])
assert stored() == [("team-a/argo", "FAILED", "01:00", "01:50", "1"), ("team-a/bare", "COMPLETED", "01:00", "01:20", "1"),
                    ("team-a/nightly-1", "COMPLETED", "00:30", "02:00", "1"), ("team-a/ray", "COMPLETED", "00:30", "02:00", "2"),
                    ("team-a/train", "COMPLETED", "01:00", "02:00", "2")], stored()
assert [row for row in held() if row[0] == "team-a/ray"] == [
    ("team-a/ray", "n3", "00:30", "02:00", "1", "0"), ("team-a/ray", "n4", "00:40", "01:50", "96", "8")], held()

print("- the same objects in another order, or one after the other, are the same attempts")
first, nodes = stored("attempt_id, state, start_time, end_time, node_count"), held()
forget()
items = json.loads((WORK / "owned.json").read_text())["items"]
random.Random(7).shuffle(items)
ingest("shuffled.jsonl", items, wrap=False)
assert (stored("attempt_id, state, start_time, end_time, node_count"), held()) == (first, nodes)

print("- pods that are gone held what they held; a node that a running job is seen on no more was held up to then")
forget()
TORCH = dict(api="kubeflow.org/v1", kind="PyTorchJob", name="torch", spec=REPLICAS)
ingest("evening.json", [workload(**TORCH, status={"startTime": at("00:30"), "conditions": []}),
                        pod("torch-0", ("PyTorchJob", "torch"), "n1"), pod("torch-1", ("PyTorchJob", "torch"), "n2"),
                        {"apiVersion": "v1", "kind": "Node", "metadata": meta("n1"), "status": {"conditions": [
                            {"type": "Ready", "lastHeartbeatTime": at("02:00")}]}}])
assert rows_of("SELECT to_char(horizon, 'HH24:MI') FROM kstar.job_horizon") == [("02:00",)]
assert held() == [("team-a/torch", "n1", "01:00", "", "96", "8"), ("team-a/torch", "n2", "01:00", "", "96", "8")], held()
ingest("moved.json", [workload(**TORCH, status={"startTime": at("00:30"), "conditions": []}),
                      pod("torch-0", ("PyTorchJob", "torch"), "n1"), pod("torch-2", ("PyTorchJob", "torch"), "n3", "02:30"),
                      pod("other", None, "n9", "03:00")])
assert held()[1:] == [("team-a/torch", "n1", "01:00", "", "96", "8"), ("team-a/torch", "n2", "01:00", "02:00", "96", "8"),
                      ("team-a/torch", "n3", "02:30", "", "96", "8")], held()
ingest("morning.json", [workload(**TORCH, status={"startTime": at("00:30"), "completionTime": at("04:00"),
                                                  "conditions": [condition("Succeeded", "04:00")]})])
assert stored()[1] == ("team-a/torch", "COMPLETED", "01:00", "04:00", "2"), stored()
assert held()[1:] == [("team-a/torch", "n1", "01:00", "", "96", "8"), ("team-a/torch", "n2", "01:00", "02:00", "96", "8"),
                      ("team-a/torch", "n3", "02:30", "", "96", "8")], held()


def node_seen(clock, name="n1"):
    """A Node whose heartbeat says when the snapshot was made."""
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "uid": f"u-{name}", "creationTimestamp": at("00:00")},
            "status": {"conditions": [{"type": "Ready", "lastHeartbeatTime": at(clock)}]}}


def within(space, *objects):
    for each in objects:
        each["metadata"]["namespace"] = space
    return list(objects)


def suspended(name, since=None, **more):
    conditions = [condition("Suspended", since, reason="JobSuspended")] if since else []
    return workload("batch/v1", "Job", name, {"parallelism": 1, "suspend": True, **more}, {"conditions": conditions})


def runs(name, node, start="10:00"):
    """A job of one worker, and its pod."""
    return [job(name, parallelism=1, start=start), pod(f"{name}-{node}", ("Job", name), node, start)]


print("- a run ends where its job is suspended, or is there no more; nobody is charged for what came after")
forget()
ingest("s1.json", [*runs("sus", "n31"), *runs("del", "n32"), node_seen("12:00")])
done = ingest("s2.json", [suspended("sus", "14:00")])
assert "event=jobs_gone" in done.stderr and "jobs=1 " in done.stderr.split("event=jobs_gone")[1], done.stderr
OVER = [("team-a/del", "UNKNOWN", "10:00", "12:00", "1"), ("team-a/sus", "PREEMPTED", "10:00", "14:00", "1")]
HELD = [("team-a/del", "n32", "10:00", "12:00", "96", "8"), ("team-a/sus", "n31", "10:00", "14:00", "96", "8")]
assert stored() == OVER, stored()
assert held() == HELD, held()
ingest("s3.json", [suspended("sus", "14:00"), *runs("other", "n31", "15:00"), node_seen("16:00")])
assert stored() == [OVER[0], ("team-a/other", "RUNNING", "15:00", "", "1"), OVER[1]], stored()
assert held() == [HELD[0], ("team-a/other", "n31", "15:00", "", "96", "8"), HELD[1]], held()
assert rows_of("SELECT provisional, elapsed_seconds FROM kstar.job WHERE job_id IN ('team-a/sus', 'team-a/del') ORDER BY 2") == [
    ("f", "7200"), ("f", "14400")]

print("- when it goes on, that is another attempt at the same result, whichever pods it has from then on")
OTHER = runs("other", "n31", "15:00")
ingest("s4.json", [*runs("sus", "n35", "17:00"), *OTHER, node_seen("18:00")])
ingest("s5.json", [job("sus", parallelism=1, start="17:00"), pod("sus-again", ("Job", "sus"), "n36", "18:30"), *OTHER, node_seen("19:00")])
ingest("s6.json", [job("sus", parallelism=1, start="16:59", end="20:00"), *OTHER])
assert stored()[2:] == [OVER[1], ("team-a/sus", "COMPLETED", "17:00", "20:00", "1")], stored()
assert held()[2:] == [HELD[1], ("team-a/sus", "n35", "17:00", "18:00", "96", "8"), ("team-a/sus", "n36", "18:30", "", "96", "8")], held()
assert rows_of("SELECT count(DISTINCT run_group), count(*) FROM kstar.job WHERE job_id = 'team-a/sus'") == [("1", "2")]

print("- one that is there again, because the file before showed less than all, runs on as if nothing had been")
ingest("s7.json", [*runs("del", "n32"), node_seen("21:00")])
assert stored()[0] == ("team-a/del", "RUNNING", "10:00", "", "1"), stored()
assert held()[0] == ("team-a/del", "n32", "10:00", "", "96", "8"), held()
ingest("s8.json", [job("del", parallelism=1, start="10:00", end="22:00")])
assert stored()[0] == ("team-a/del", "COMPLETED", "10:00", "22:00", "1"), stored()

print("- a job whose pods all wait for a node holds none meanwhile, and is the same attempt when they have one")
forget()
ingest("w1.json", [*runs("evicted", "n33"), node_seen("12:00")])
ingest("w2.json", [job("evicted", parallelism=1, start="10:00"), pod("evicted-b", ("Job", "evicted"), None, None, phase="Pending"), node_seen("13:00")])
assert stored() == [("team-a/evicted", "RUNNING", "10:00", "", "1")], stored()
assert held() == [("team-a/evicted", "n33", "10:00", "12:00", "96", "8")], held()
ingest("w3.json", [job("evicted", parallelism=1, start="10:00", end="15:00"), pod("evicted-b", ("Job", "evicted"), "n34", "13:30", "15:00")])
assert stored() == [("team-a/evicted", "COMPLETED", "10:00", "15:00", "1")], stored()
assert held() == [("team-a/evicted", "n33", "10:00", "12:00", "96", "8"), ("team-a/evicted", "n34", "13:30", "15:00", "96", "8")], held()

print("- what a file does not show at all is not over: another namespace, another kind, what could not be read, an older file")
forget()
START = [*runs("a", "n1"), *within("team-b", *runs("b", "n2")), *within("team-c", job("c", start="10:00"))]
RUNNING = [("team-a/a", "RUNNING"), ("team-b/b", "RUNNING"), ("team-c/c", "RUNNING")]
ingest("all.json", [*START, node_seen("12:00")])
TORCH_C = within("team-c", workload("kubeflow.org/v1", "PyTorchJob", "torch", REPLICAS, {"conditions": []}),
                 pod("service", ("ReplicaSet", "web"), "n9", "11:00"))
for name, objects, code in (
        ("other-namespace", runs("a", "n1"), 0),
        ("other-kind", [*runs("a", "n1"), *TORCH_C], 0),
        ("unread", [workload("batch/v1", "Job", "a", {}, {"startTime": at("10:00"), "completionTime": at("09:00"), "conditions": []}),
                    *runs("another", "n8")], 4),
        ("unread-pod", [pod("a-1", ("Job", "a"), "n1", None), *runs("another", "n8")], 4),
        ("unclear", [{"kind": "Job", "apiVersion": "batch/v1", "metadata": {"namespace": "team-a"}}, *runs("another", "n8")], 4)):
    done = ingest(f"{name}.json", [*objects, node_seen("13:00")], code)
    assert [row for row in stored("job_id, state") if row in RUNNING] == RUNNING, (name, stored())
    if name == "other-namespace":
        assert "event=jobs_unnamed" in done.stderr and "jobs=2 " in done.stderr.split("event=jobs_unnamed")[1], done.stderr
ingest("older.json", [*runs("old", "n7", "09:00"), node_seen("11:00")])
assert [row for row in stored("job_id, state") if row in RUNNING] == RUNNING, stored()

print("- the pods of a namespace tell of every job that held a node; beside those of kube-system they are the pods of all namespaces")
ingest("pods.json", [pod("lonely", None, "n5", "11:00"), node_seen("14:00")])
assert [row for row in stored("job_id, state, to_char(end_time, 'HH24:MI')") if row[0] == "team-a/a"] == [("team-a/a", "UNKNOWN", "13:00")], stored()
ingest("every.json", [pod("lonely", None, "n5", "11:00"), *within("kube-system", pod("proxy", ("DaemonSet", "proxy"), "n5", "00:10")),
                      node_seen("15:00")])
assert [row for row in stored("job_id, state, to_char(end_time, 'HH24:MI')") if row[0] in ("team-b/b", "team-c/c")] == [
    ("team-b/b", "UNKNOWN", "12:00"), ("team-c/c", "RUNNING", "")], stored()

print("- a pod made again on the same node takes nothing away of what its predecessor held")
forget()
PAIR = workload("kubeflow.org/v1", "PyTorchJob", "pair", {"pytorchReplicaSpecs": {"Master": {"replicas": 1}, "Worker": {"replicas": 1}}},
                {"startTime": at("01:00"), "conditions": []})
MASTER = pod("pair-0", ("PyTorchJob", "pair"), "n1")
ingest("k1.json", [PAIR, MASTER, pod("pair-1", ("PyTorchJob", "pair"), "n2"), node_seen("06:00")])
AGAIN = [("team-a/pair", "n1", "01:00", "", "96", "8"), ("team-a/pair", "n2", "01:00", "06:00", "96", "8"),
         ("team-a/pair", "n2", "08:05", "", "96", "8")]
for number, clock in enumerate(("12:00", "13:00")):
    ingest(f"k2-{number}.json", [PAIR, MASTER, pod("pair-2", ("PyTorchJob", "pair"), "n2", "08:05"), node_seen(clock)])
    assert held() == AGAIN, held()
    assert stored() == [("team-a/pair", "RUNNING", "01:00", "", "2")], stored()
ingest("k3.json", [PAIR, MASTER, pod("pair-2", ("PyTorchJob", "pair"), "n2", "05:30"), node_seen("14:00")])
assert held()[1:] == [("team-a/pair", "n2", "01:00", "05:30", "96", "8"), ("team-a/pair", "n2", "05:30", "", "96", "8")], held()

print("- a pod that was moved counts once, whether its job still runs or is over; nodes of a job's other pods are held to its end")
forget()
ingest("m1.json", [*runs("moved", "n21", "01:00"), *runs("done", "n23", "01:00"), PAIR, MASTER, pod("pair-1", ("PyTorchJob", "pair"), "n2"),
                   node_seen("06:00")])
ENDED = {**PAIR, "status": {"startTime": at("01:00"), "completionTime": at("20:00"), "conditions": [condition("Succeeded", "20:00")]}}
ingest("m2.json", [job("moved", parallelism=1, start="01:00"), pod("moved-b", ("Job", "moved"), "n22", "08:05"),
                   job("done", parallelism=1, start="01:00", end="20:00"), pod("done-b", ("Job", "done"), "n24", "08:05", "20:00"),
                   ENDED, pod("pair-9", ("PyTorchJob", "pair"), "n3", "08:05", "20:00"), node_seen("21:00")])
assert stored() == [("team-a/done", "COMPLETED", "01:00", "20:00", "1"), ("team-a/moved", "RUNNING", "01:00", "", "1"),
                    ("team-a/pair", "COMPLETED", "01:00", "20:00", "3")], stored()
assert held() == [("team-a/done", "n23", "01:00", "06:00", "96", "8"), ("team-a/done", "n24", "08:05", "20:00", "96", "8"),
                  ("team-a/moved", "n21", "01:00", "06:00", "96", "8"), ("team-a/moved", "n22", "08:05", "", "96", "8"),
                  ("team-a/pair", "n1", "01:00", "", "96", "8"), ("team-a/pair", "n2", "01:00", "", "96", "8"),
                  ("team-a/pair", "n3", "08:05", "20:00", "96", "8")], held()
assert rows_of("SELECT accelerators::float8 FROM kstar.job WHERE job_id = 'team-a/done'") == [("8",)]

print("- what cannot be read is quarantined with its line and member")
forget()
bad = [{"metadata": {"uid": "x"}}, {"kind": "Job", "apiVersion": "batch/v1", "metadata": {}}, pod("timeless", None, "n1", None),
       workload("trainer.kubeflow.org/v1alpha1", "TrainJob", "unknown", {}, {"conditions": [condition("Complete", "02:00")]}),
       job("backwards", end="00:10"), job("fine", end="02:00"), job("\N{CJK UNIFIED IDEOGRAPH-6F22}" * 400, end="02:00"),
       pod("far", None, "n" * 256)]
ingest("bad.jsonl", bad, code=4, wrap=False)
assert rows_of("SELECT line_number, column_name FROM kstar.quarantined_row ORDER BY 1") == [
    ("1", "kind"), ("2", "metadata.uid"), ("3", "status.startTime"), ("4", "workers"), ("5", "end"), ("7", "metadata.name"),
    ("8", "spec.nodeName")], rows_of(
            "SELECT line_number, column_name, reason FROM kstar.quarantined_row ORDER BY 1")
assert [row[0] for row in stored()] == ["team-a/fine"]
(WORK / "cut.json").write_text(json.dumps({"items": [job("a", end="02:00")]})[:-3], encoding="utf-8")
done = subprocess.run([KSTAR, "ingest", "jobs", "--source", "k8s", "--format", "kubernetes", str(WORK / "cut.json")], capture_output=True,
                      text=True, check=False)
assert done.returncode == 3 and "cut.json" in done.stderr, (done.returncode, done.stderr)


def random_jobs(draw):
    """Jobs of pods at random minutes, and what they held, minute by minute: {job: {node: {minute:
    accelerators}}}."""
    objects, expected = [], {}
    for number in range(30):
        name, minutes, end = f"job-{number}", {}, draw.randrange(100, 600)
        for index in range(draw.randrange(1, 12)):
            node, start = f"n{draw.randrange(6)}", draw.randrange(0, 700)
            stop, gpus = start + draw.randrange(1, 300), draw.randrange(1, 5)
            clock = [(BEGIN + timedelta(minutes=minute)).strftime("%H:%M") for minute in (start, stop)]
            objects.append(pod(f"{name}-{index}", ("Job", name), node, clock[0], clock[1], gpus))
            for minute in range(start, min(stop, end)):
                minutes.setdefault(node, {})
                minutes[node][minute] = minutes[node].get(minute, 0) + gpus
        objects.append(job(name, end=(BEGIN + timedelta(minutes=end)).strftime("%H:%M"), start="00:00"))
        expected[f"team-a/{name}"] = minutes
    draw.shuffle(objects)
    return objects, expected


print("- random pods: accelerator-minutes by node, and the most nodes and accelerators at one time, counted minute by minute")
for seed in range(3):
    forget()
    objects, expected = random_jobs(random.Random(seed))
    ingest(f"random-{seed}.json", objects, code=0)
    found = {(row[0], row[1]): float(row[2]) for row in rows_of(
            "SELECT job_id, node, sum(extract(epoch FROM coalesce(job_node.end_time, job.end_time) - job_node.start_time) / 60 "
            "* job_node.accelerators) FROM kstar.job_node JOIN kstar.job USING (attempt_id) GROUP BY 1, 2")}
    assert found == {(name, node): sum(minutes.values()) for name, nodes in expected.items() for node, minutes in nodes.items()}, seed
    most = {name: (max(sum(minute in minutes for minutes in nodes.values()) for minute in range(720)),
                   max(sum(minutes.get(minute, 0) for minutes in nodes.values()) for minute in range(720)))
            for name, nodes in expected.items() if nodes}
    counted = {row[0]: (int(row[1]), float(row[2])) for row in rows_of(
            "SELECT job_id, node_count, accelerators FROM kstar.job WHERE attempt_id IN (SELECT attempt_id FROM kstar.job_node)")}
    assert counted == most, (seed, {name: (counted.get(name), most[name]) for name in most if counted.get(name) != most[name]})

print("- one object's time more than a day after every other object's says nothing of when the snapshot was made, and the log names the object")
forget()
LONG = [*runs("long-a", "n51", "01:00"), *runs("long-b", "n52", "01:00"), node_seen("04:00")]


def waits(name, time):
    """A pod that holds no node; its condition turned at that time."""
    each = pod(name, None, None, None, phase="Pending", conditions=[condition("PodScheduled", "05:00", "False")])
    return json.loads(json.dumps(each).replace(at("05:00"), time))


def snapshot(source, *objects):
    """How far the source's records cover, and what the log names as beyond it."""
    done = ingest(f"{source}.json", objects, source=source.split("-")[0])
    covered = rows_of(f"SELECT to_char(horizon, 'YYYY-MM-DD HH24:MI:SS') FROM kstar.job_horizon WHERE source = '{source.split('-')[0]}'")[0][0]
    return covered, [line.split("event=time_beyond ")[1] for line in done.stderr.splitlines() if "event=time_beyond" in line]


covered, beyond = snapshot("month", waits("far", "2026-10-08T04:00:00Z"), *LONG)
assert covered == "2026-09-08 04:00:00", covered
assert rows_of("SELECT DISTINCT elapsed_seconds FROM kstar.job WHERE source = 'month' AND start_time IS NOT NULL") == [(str(3 * 3600),)]
assert len(beyond) == 1 and beyond[0].startswith(f'source="month" file="jobs/month/month.json" line=5 object="Pod team-a/far" '
                                                 'time=2026-10-08T04:00:00Z horizon=2026-09-08T04:00:00Z note="'), beyond
assert "horizon_gap_hours in settings.csv" in beyond[0], beyond
assert snapshot("day", waits("far", "2026-09-09T04:00:00Z"), *LONG) == ("2026-09-09 04:00:00", [])
covered, beyond = snapshot("second", waits("far", "2026-09-09T04:00:01Z"), *LONG)
assert covered == "2026-09-08 04:00:00" and len(beyond) == 1, (covered, beyond)
covered, beyond = snapshot("chain", waits("far", "2026-12-01T00:00:00Z"), waits("nearer", "2026-11-01T00:00:00Z"), *LONG)
assert covered == "2026-09-08 04:00:00" and len(beyond) == 2, (covered, beyond)
assert snapshot("both", waits("far", "2026-10-08T04:00:00Z"), waits("near", "2026-10-07T04:00:00Z"), *LONG) == ("2026-10-08 04:00:00", [])

print("- a time near what the source covered before is right as well, and so is the first of all; the setting moves the bound")
assert snapshot("old", *LONG[:2]) == ("2026-09-08 01:00:00", [])
assert snapshot("old-2", *LONG[:2], waits("late", "2026-09-09T01:00:00Z")) == ("2026-09-09 01:00:00", [])
assert snapshot("old-3", *LONG[:2], waits("late", "2026-09-10T01:00:00Z")) == ("2026-09-10 01:00:00", [])
covered, beyond = snapshot("old-4", *LONG[:2], waits("late", "2026-09-12T01:00:00Z"))
assert covered == "2026-09-10 01:00:00" and len(beyond) == 1, (covered, beyond)
(WORK / "gap").mkdir()
(WORK / "gap" / "settings.csv").write_text("parameter,value\nhorizon_gap_hours,48\n", encoding="utf-8")
assert subprocess.run([KSTAR, "ingest", "reference", str(WORK / "gap")], check=False).returncode == 0
assert snapshot("old-5", *LONG[:2], waits("late", "2026-09-12T01:00:00Z")) == ("2026-09-12 01:00:00", [])
(WORK / "gap" / "settings.csv").write_text("parameter,value\nhorizon_gap_hours,24\n", encoding="utf-8")
assert subprocess.run([KSTAR, "ingest", "reference", str(WORK / "gap")], check=False).returncode == 0

print("- the bill of a shared node follows the pods: four of eight accelerators for half of the hour are a quarter")
forget()
inbox = WORK / "inbox"
case_page.write_common_reference(inbox)
case_page.write_input(["bill", "cloud"], [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit"],
                                         ["8 01:00", "8 02:00", "80.00", "i-1", "1", "Hours"]], inbox)
case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id", "accelerators", "cpus", "idle_pool"],
                                              ["k8s", "n1", "i-1", "8", "96", "rest"]], inbox)
case_page.write_input(["reference", "pools"], [["pool", "component", "owner", "split"], ["rest", "idle", "P", "keep"]], inbox)
case_page.write_input(["reference", "mapping_rules"], [["priority", "match", "pattern", "cost_centre"], ["1", "job_account", "team-a", "A"]], inbox)
case_page.write_input(["reference", "sources"], [["source", "kind", "format"], ["k8s", "jobs", "kubernetes"], ["cloud", "billing", "focus"]], inbox)
(inbox / "jobs" / "k8s").mkdir(parents=True)
JOBS = inbox / "jobs" / "k8s" / "jobs.json"
JOBS.write_text(json.dumps({"items": [
    job("half", end="01:40"), pod("half-0", ("Job", "half"), "n1", "01:00", "01:30", gpus=2), pod("half-1", ("Job", "half"), "n1", "01:00", "01:30", gpus=2),
    job("rest", end="02:00"), pod("rest-0", ("Job", "rest"), "n1", "01:15", "01:45", gpus=4),
    job("killed", failed="02:00"), pod("killed-0", ("Job", "killed"), "n3", "01:00", "02:00", phase="Failed", reason="OOMKilled"),
    workload("ray.io/v1", "RayJob", "odd", {}, {"startTime": at("01:00"), "endTime": at("02:00"), "jobStatus": "PUZZLED"}),
    pod("end", None, "n1", "02:00", "02:30")]}), encoding="utf-8")
done = subprocess.run([KSTAR, "nightly", str(inbox), "--out", str(WORK / "out")], capture_output=True, text=True, check=False)
assert done.returncode == 0, done.stdout + done.stderr
assert rows_of("SELECT job_id, sum(amount)::numeric(9,2) FROM kstar.job_result JOIN kstar.job USING (attempt_id) JOIN kstar.statement_row "
               "USING (attempt_id) GROUP BY 1 ORDER BY 1") == [("team-a/half", "20.00"), ("team-a/rest", "20.00")], rows_of(
                   "SELECT * FROM kstar.statement_row")
assert rows_of("SELECT cost_centre, component, sum(amount)::numeric(9,2) FROM kstar.statement_row GROUP BY 1, 2 ORDER BY 1") == [
    ("A", "unmeasured_hardware", "40.00"), ("P", "idle", "40.00")]

print("- kstar explain takes the id that the sheets show, with or without the cluster's name before it")
for name in ("team-a/half", "k8s/team-a/half"):
    done = subprocess.run([KSTAR, "explain", "--period", "2026-09", "--job", name], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "20.00" in done.stdout, done.stdout + done.stderr

print("- failed attempts are listed by kstar's states, whatever Kubernetes calls them; so are attempts of an unknown state")
assert rows_of("SELECT state, attempts FROM kstar.failed_run_state WHERE outcome = 'failed'") == [("OUT_OF_MEMORY", "1")]
quality = workbooks.values(WORK / "out" / "chargeback-2026-09.xlsx")["Open items"]
unknown = [[cell.value for cell in row] for row in quality.iter_rows() if "unknown state" in [str(cell.value).lower() for cell in row]]
assert len(unknown) == 1 and 1 in unknown[0], (unknown, [[cell.value for cell in row][:4] for row in quality.iter_rows()])

print("- a job that runs is charged up to the snapshot, whatever one pod's far time says: half an hour of 80.00, and the rest awaits job records")
forget()
JOBS.write_text(json.dumps({"items": [*runs("half", "n1", "01:00"), node_seen("01:30"), waits("far", "2026-09-20T00:00:00Z")]}), encoding="utf-8")
done = subprocess.run([KSTAR, "nightly", str(inbox), "--out", str(WORK / "out")], capture_output=True, text=True, check=False)
assert "charged 40.00 + unallocated 40.00" in done.stdout and "USD 40.00 unallocated: awaiting job records" in done.stdout, done.stdout + done.stderr
forget()

print("- after a close the pods of a job turn out to have held their node for longer, and nothing else of it changes: it is adjusted")


def night(until):
    later = json.loads(json.dumps([pod("later", None, "n9", "02:00", "02:30"), node_seen("02:30")]).replace("2026-09-08", "2026-10-02"))
    JOBS.write_text(json.dumps({"items": [
        job("half", end="01:40"), pod("half-0", ("Job", "half"), "n1", "01:00", until, gpus=2), pod("half-1", ("Job", "half"), "n1", "01:00", until, gpus=2),
        job("rest", end="02:00"), pod("rest-0", ("Job", "rest"), "n1", "01:15", "01:45", gpus=4), *later]}), encoding="utf-8")
    again = subprocess.run([KSTAR, "nightly", str(inbox), "--out", str(WORK / "out")], capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stdout + again.stderr


night("01:30")
done = subprocess.run([KSTAR, "close", "2026-09", "--accept-incomplete", "the bill is of two hours"], capture_output=True, text=True, check=False)
assert done.returncode == 0, done.stdout + done.stderr
night("01:40")
adjusted = rows_of("SELECT cost_centre, component, minor_units FROM kstar.adjustment ORDER BY 1")
assert adjusted == [("A", "unmeasured_hardware", "667"), ("P", "idle", "-667")], adjusted
night("01:30")
assert rows_of("SELECT * FROM kstar.adjustment") == []
