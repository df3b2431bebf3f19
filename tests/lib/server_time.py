"""What the processes of a PostgreSQL have worked, for benchmarks."""

import os
import pathlib

TICKS = os.sysconf("SC_CLK_TCK")


def stat_fields(pid):
    """Of /proc/PID/stat, from the state on: what is in brackets before it may hold anything."""
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def server_seconds(postmaster):
    """Processor seconds of a PostgreSQL since it was started: of itself, of its processes that have
    ended, and of those that live."""
    fields = stat_fields(postmaster)
    ticks = sum(int(field) for field in fields[11:15])  # utime, stime, cutime, cstime
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = stat_fields(process.name)
        except OSError:  # it has ended just now
            continue
        if int(fields[1]) == postmaster:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS
