"""kstar model --trace: breakdowns equal those made here microsecond by microsecond, and the
reference ones of real traces."""
import csv, gzip, json, os, pathlib, random, tempfile
from saying import kstar

SOURCES = pathlib.Path(os.environ["KSTAR_SOURCE_DIR"])
SHARED = pathlib.Path(os.environ.get("KSTAR_SHARED_DATA") or SOURCES.parent / "shared" / "data") / "efficiency" / "torch-trace"
FOLDER = tempfile.TemporaryDirectory()
WORK = pathlib.Path(FOLDER.name)
NAMES = {"void gemm_kernel": "compute", "ncclDevKernel_AllReduce": "communication", "hcclReduce": "communication",
         "x ncclKernel_y": "communication", "Memcpy HtoD": "memory", "Memset (Device)": "memory", "elementwise": "compute"}


def run(*arguments, code=0):
    return kstar("model", "--trace", *arguments, code=code)


def write(events, name="trace.json", rank=0, world_size=1, packed=False):
    path = WORK / name
    text = json.dumps({"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": world_size},
                       "traceEvents": events, "traceName": "x"})
    (gzip.open if packed else open)(path, "wt", encoding="utf-8").write(text)
    return path


def host(ts, dur, correlation=None, name="cudaLaunchKernel"):
    return {"ph": "X", "cat": "cuda_runtime", "name": name, "ts": ts, "dur": dur,
            "args": {} if correlation is None else {"correlation": correlation}}


def device(ts, dur, correlation, name):
    return {"ph": "X", "cat": "kernel", "name": name, "ts": ts, "dur": dur, "args": {"stream": 7, "correlation": correlation}}


def step(number, ts, dur):
    return {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{number}", "ts": ts, "dur": dur, "args": {}}


def invented(seed, steps=3):
    dice = random.Random(seed)
    events = [step(10 + i, 1000 + 500 * i, 480) for i in range(steps)]
    for correlation in range(1, 120):
        start = 1000 + dice.randrange(500 * max(steps, 1))
        events.append(host(start, 3, correlation))
        events.append(device(start + dice.randrange(40), dice.randrange(30), correlation, dice.choice(list(NAMES))))
    events.append(device(5, 5000, 100000, "launched by nobody"))
    events += [{"ph": "i", "name": "mark", "ts": 7}, {"ph": "X", "name": "no category", "ts": 1, "dur": 9000, "args": {"stream": 1}},
               {"ph": "X", "cat": "Trace", "name": "whole", "ts": 0, "dur": 9000, "args": {"stream": 1, "correlation": 5}}]
    dice.shuffle(events)
    return events


def expected(events, last_step=False):
    """Microsecond by microsecond."""
    steps = [event for event in events if event["name"].startswith("ProfilerStep#")]
    kept = [event for event in events if "dur" in event and "cat" in event and event["cat"] != "Trace"]
    if len({event["name"] for event in steps}) > 1:
        last = max(steps, key=lambda event: event["ts"])
        early = lambda ts: ts <= last["ts"] + last["dur"] if last_step else ts < last["ts"]
        launched = {event["args"].get("correlation") for event in kept if "stream" not in event["args"] and early(event["ts"])}
        kept = [event for event in kept if "stream" not in event["args"] or event["args"]["correlation"] in launched]
    ran = {"compute": set(), "communication": set(), "memory": set()}
    on_device = [event for event in kept if "stream" in event["args"]]
    for event in on_device:
        ran[NAMES.get(event["name"], "compute")].update(range(event["ts"], event["ts"] + event["dur"]))
    whole = max(event["ts"] + event["dur"] for event in on_device) - min(event["ts"] for event in on_device)
    everything = set.union(*ran.values())
    overlap = len(ran["compute"] & ran["communication"])
    return {"idle_us": whole - len(everything), "compute_us": len(ran["compute"]),
            "non_compute_us": len(everything) - len(ran["compute"]), "kernel_time_us": whole,
            "communication_us": len(ran["communication"]), "overlap_us": overlap,
            "exposed_communication_us": len(ran["communication"]) - overlap}


def breakdown(*arguments):
    answer = json.loads(run("--json", *arguments).stdout)
    return answer["ranks"], answer["compute_share"]


def share(parts):
    compute = sum(part["compute_us"] for part in parts) / len(parts)
    return compute / max(part["compute_us"] + part["exposed_communication_us"] + part["idle_us"] for part in parts)


def test_each_figure_is_that_of_counting():
    for seed in range(12):
        for steps in (0, 1, 3):
            events = invented(seed, steps)
            path = write(events, packed=seed % 2 == 0)
            for options, last in (((), False), (("--last-step",), True)):
                ranks, compute_share = breakdown(*options, path)
                wanted = expected(events, last)
                assert {name: ranks[0][name] for name in wanted} == wanted, (seed, steps, last, ranks, wanted)
                assert abs(compute_share - share([wanted])) < 1e-12


def test_a_host_that_waits_is_no_compute():
    """Kernels of 100 us with 800 us between them, in which the host waits: PyTorch writes that with
    stream -1."""
    wait = {"ph": "X", "cat": "cuda_sync", "name": "Context Sync", "ts": 1100, "dur": 800, "args": {"stream": -1, "correlation": 3}}
    ranks, compute_share = breakdown(write([device(1000, 100, 1, "gemm"), device(1900, 100, 2, "gemm"), wait]))
    assert (ranks[0]["compute_us"], ranks[0]["idle_us"], ranks[0]["kernel_time_us"]) == (200, 800, 1000), ranks
    assert abs(compute_share - 0.2) < 1e-12, compute_share


def test_an_annotation_on_the_device_is_no_work_and_no_step_of_the_host():
    """PyTorch repeats the steps and the collectives as spans on the device, where they begin later.
    Of three steps the third is dropped from the start of the host's own mark."""
    events, spans = invented(3), []
    for number in range(3):
        spans.append({**step(10 + number, 1300 + 500 * number, 480), "cat": "gpu_user_annotation", "args": {"External id": number}})
        spans.append({**spans[-1], "name": "nccl:all_reduce", "args": {"stream": 7, "correlation": 1}})
    for options, last in (((), False), (("--last-step",), True)):
        ranks, _ = breakdown(*options, write(events + spans))
        wanted = expected(events, last)
        assert {name: ranks[0][name] for name in wanted} == wanted, (last, ranks, wanted)


def test_a_host_that_launches_a_compiled_kernel_is_no_compute():
    """torch.compile notes the kernel's stream beside its launch on the host."""
    launch = {"ph": "X", "cat": "cpu_op", "name": "triton_poi_fused_add_0", "ts": 200, "dur": 700, "args": {"stream": 7, "kernel_backend": "triton"}}
    ranks, _ = breakdown(write([launch, device(1000, 100, 1, "triton_poi_fused_add_0"), device(1200, 100, 2, "gemm")]))
    assert (ranks[0]["compute_us"], ranks[0]["idle_us"], ranks[0]["kernel_time_us"]) == (200, 100, 300), ranks


def test_fractions_are_rounded_inwards():
    ranks, _ = breakdown(write([device(10.2, 5.5, 1, "gemm"), device(20, 4.7, 2, "gemm")]))
    assert (ranks[0]["compute_us"], ranks[0]["kernel_time_us"]) == (4 + 4, 13), ranks


def test_the_slowest_of_the_ranks_sets_the_pace():
    traces = [invented(seed, 1) for seed in (1, 2, 3)]
    paths = [write(events, f"rank-{rank}.json", rank, 3) for rank, events in enumerate(traces)]
    ranks, compute_share = breakdown(*paths)
    assert [rank["rank"] for rank in ranks] == [0, 1, 2]
    assert abs(compute_share - share([expected(events) for events in traces])) < 1e-12
    for options in ((), ("--json",)):
        logged = json.loads(run("--log-format", "json", *options, *paths[:2]).stderr)
        assert (logged["level"], logged["event"], logged["ranks"], logged["of"]) == ("warning", "trace", 2, 3), logged
    assert run(*paths).stderr == ""
    assert "both of rank 1" in run(paths[1], paths[1], code=3).stderr


def test_a_name_is_no_command_to_the_terminal():
    shown = run(write(invented(1), "a\x1b[31mb.json")).stdout
    assert f"  {WORK}/a?[31mb.json\n" in shown and "\x1b" not in shown, shown


def test_what_is_no_trace_is_reported():
    assert "no event on a device" in run(write([host(1, 2, 3)]), code=3).stderr
    cut = WORK / "cut.json"
    cut.write_text(write(invented(1)).read_text()[:2000])
    assert "cut.json" in run(cut, code=3).stderr
    assert "no file given" in run(code=2).stderr
    assert "nothing.json" in run(WORK / "nothing.json", code=3).stderr


def test_real_traces_give_the_reference_breakdown():
    if not SHARED.is_dir():
        print(f"skipped: shared data {SHARED.name} is absent")
        return
    with open(SHARED / "expected.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            ranks, _ = breakdown(*(["--last-step"] if row["include_last_step"] == "True" else []), SHARED / row["file"])
            for name in ranks[0].keys() - {"file", "rank"}:
                theirs = row.get(name, row[name.replace("communication", "comm")] if "communication" in name else None)
                assert str(ranks[0][name]) == theirs, (row, name, ranks)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
