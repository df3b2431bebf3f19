"""A disk that is full, or read-only: one line names it and says what to do, OUT shows whole files
alone, and once there is room the same night ends as one that nothing disturbed. The disks are small
file systems in memory; where mounting is not allowed, the test is skipped."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import everything  # noqa: E402
from nights import WORK, Undisturbed, check_failed, finish, small_company  # noqa: E402
from saying import it, run  # noqa: E402

FAILED, DATABASE = 1, 7
KIB, MIB = 1 << 10, 1 << 20


class Disk:
    """A file system of so many bytes on a folder of its own."""

    def __init__(self, name, size):
        self.folder = WORK / name
        self.folder.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=1777", "tmpfs", self.folder], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            print(f"skipped: {done.stderr.strip()}")
            sys.exit(77)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        subprocess.run(["umount", "--lazy", self.folder], check=False)

    def remount(self, options):
        subprocess.run(["mount", "-o", f"remount,{options}", self.folder], check=True)

    def fill(self, left):
        """Takes all but so many bytes of it."""
        found = os.statvfs(self.folder)
        with open(self.folder / ".ballast", "wb") as file:
            os.posix_fallocate(file.fileno(), 0, found.f_bavail * found.f_frsize - left)
            file.seek(0, os.SEEK_END)
            # it is full when it says so: what it tells of itself may be some pages behind
            while left == 0:
                try:
                    os.write(file.fileno(), bytes(4 * KIB))
                except OSError:
                    break

    def make_room(self):
        (self.folder / ".ballast").unlink()


with Disk("probe", MIB):
    pass  # else the test is skipped
small_company()
undisturbed = Undisturbed()

it("the database's disk is full in the middle of a night, or so that its server does not even start again: the line names it")
home = os.environ["KSTAR_DATA_DIR"]
run("db", "stop", "--force")
with Disk("data", 512 * MIB) as data:
    there = data.folder / "home"
    there.mkdir(mode=0o711)
    shutil.copy(f"{home}/local.conf", there)
    os.environ["KSTAR_DATA_DIR"] = str(there)
    try:
        run("db", "start")
        for left in (MIB, 24 * MIB):  # less than its log takes at a time, or more
            everything.psql("DROP SCHEMA IF EXISTS kstar CASCADE")  # which takes most of the room
            data.fill(left)
            folder = WORK / f"short-of-data-{left}"
            for _ in range(2):
                check_failed(finish(folder), DATABASE, "full", "make room")
            undisturbed.check_visible(folder)
            data.make_room()
            undisturbed.check_again(folder, "the database's disk was full")
        everything.start_over()
        run("db", "stop", "--force")
        data.fill(0)
        check_failed(finish(WORK / "does-not-start"), DATABASE, "No space left on device", "make room")
        data.make_room()
        undisturbed.check_again(WORK / "does-not-start", "the server did not start for want of room")
    finally:
        run("db", "stop", "--force")
os.environ["KSTAR_DATA_DIR"] = home
run("db", "start")

it("the disk of temporary files is full while bills are loaded, and while workbooks are written: the line names it")
everything.start_over()
for left in (4 * KIB, 128 * KIB): # the largest workbook needs about 400
    with Disk(f"temporary-{left}", left) as temporary:
        folder = WORK / f"short-of-temporary-{left}"
        there = {**os.environ, "TMPDIR": str(temporary.folder)}
        check_failed(finish(folder, env=there), FAILED, str(temporary.folder), "make room", "TMPDIR")
        undisturbed.check_visible(folder)
        temporary.remount("size=64m")
        undisturbed.check_again(folder, "the disk of temporary files was full", env=there)

it("OUT is full, or read-only: what is there is whole, and the line names it")
with Disk("out", 400 * KIB) as out:
    check_failed(finish(out.folder), FAILED, str(out.folder), "No space left on device", "make room")
    undisturbed.check_visible(out.folder)
    out.remount("size=64m,ro")
    check_failed(finish(out.folder), FAILED, str(out.folder), "Read-only file system", "name another folder")
    out.remount("size=64m,rw")
    undisturbed.check_again(out.folder, "OUT was full, then read-only")

it("the disk of a backup is full: the line names the cause, and nothing of the backup stays")
for size in (60 * KIB, 100 * KIB):
    with Disk(f"backup-{size}", size) as backup:
        done = run("db", "backup", backup.folder / "2026-10-02")
        check_failed((done.returncode, done.stderr), FAILED, "pg_dump", "No space left on device")
        assert not list(backup.folder.iterdir()), list(backup.folder.iterdir())
