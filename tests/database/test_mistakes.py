"""Usual mistakes and what kstar answers: mistakes.txt has a block for each, with the files that
somebody made, the commands, how the last one ends, and all that it prints. The answers write … for
times and runs, and {here} for the folder that the mistake was made in."""
import os, pathlib, re, shutil, subprocess, sys

KSTAR, WORK = os.environ["KSTAR"], pathlib.Path(os.environ["WORK"]) / "mistakes"
TABLE = pathlib.Path(__file__).with_name("mistakes.txt")


def blocks():
    """title, {path: content}, [command], the exit code and what is printed, of each mistake."""
    for block in TABLE.read_text(encoding="utf-8").split("=== ")[1:]:
        title, *lines = block.splitlines()
        files, commands, answer, into = {}, [], None, None
        for line in lines:
            if answer is not None:
                answer.append(line)
            elif line.startswith("--- "):
                into = files.setdefault(line[4:], [])
            elif line.startswith("$ "):
                commands.append(line[2:])
            elif line.startswith("=> "):
                answer = [line[3:]]
            else:
                into.append(line)
        yield title, files, commands, answer or ["?"]


def make(files):
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir()
    for path, lines in files.items():
        file = WORK / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes("".join(line + "\n" for line in lines).encode().decode("unicode_escape").encode("latin-1"))


wrong = 0
for title, files, commands, answer in blocks():
    # as root a folder of nobody's is hard to find; in some containers this one is read-only or not
    # mounted
    if any("/sys" in command for command in commands) and (not os.path.ismount("/sys") or os.statvfs("/sys").f_flag & os.ST_RDONLY):
        continue
    make(files)
    for command in commands:
        done = subprocess.run(command, shell=True, cwd=WORK, capture_output=True, text=True, check=False)
    printed = re.sub(r"run=\d+", "run=…", re.sub(r"time=\S+ ", "time=… ", done.stdout + done.stderr))
    shown = [str(done.returncode), *printed.replace(str(WORK), "{here}").splitlines()]
    if shown != answer:
        wrong += 1
        print("\n".join(["=== " + title, *("$ " + command for command in commands), "=> " + shown[0], *shown[1:]]))
sys.exit(f"{wrong} answers are not those of {TABLE.name}" if wrong else 0)
