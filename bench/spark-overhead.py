"""One archive through `chaff report` on two threads, and through Spark on two executors of one core each.

    npm run build && scripts/spark.sh        # makes cluster/.venv/spark
    cluster/.venv/spark/bin/python bench/spark-overhead.py ARCHIVE [--rounds 3] [--task-pages N] [--index crawl.cdxj]

Both take turns. CPU time is that of all processes but the Python workers, whose parent lets the system forget it: that of
the Node processes below them is listed separately. With `--index` the job is planned from the index of the archive (`chaff index`), as on a cluster; without, from the archive.
"""

import argparse
import ctypes
import glob
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CHAFF = os.environ.get("CHAFF", f"node {os.path.join(HERE, '..', 'dist', 'cli', 'bin.js')}").split()
DRIVER = os.path.join(HERE, "..", "cluster", "spark", "chaff_spark.py")
PR_SET_CHILD_SUBREAPER = 36


def write_wrapper(folder):
    """A chaff command whose `task` processes leave their CPU seconds in the folder."""
    wrapper = os.path.join(folder, "chaff")
    program, *args = CHAFF
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\n[ "$1" != task ] || export CHAFF_BENCH_USAGE={folder}/usage-$$.json\n')
        file.write(f'exec {program} --import {os.path.join(HERE, "child-usage.mjs")} {" ".join(args)} "$@"\n')
    os.chmod(wrapper, 0o755)
    return wrapper


def take_usage(folder):
    """CPU seconds that task processes have left in the folder since the last call."""
    seconds = 0
    for path in glob.glob(os.path.join(folder, "usage-*.json")):
        with open(path, encoding="utf-8") as file:
            seconds += json.load(file)["cpuSeconds"]
        os.remove(path)
    return seconds


def measure(command, folder):
    """Wall and CPU seconds of a command, its descendants and the task processes that it has started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    wall = time.monotonic() - began
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-2000:]}")
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used + take_usage(folder)


def spark_steps(source, job, task_pages, wrapper):
    submit = os.path.join(os.path.dirname(sys.executable), "spark-submit")
    return {
        "plan": [*CHAFF, "plan", source, "-o", job, "-q", "--workers", "2", *task_pages],
        "tasks on Spark": [
            *[submit, "--master", "local-cluster[2,1,1024]", "--conf", "spark.ui.enabled=false"],
            *[DRIVER, job, "--chaff", wrapper],
        ],
        "merge": [*CHAFF, "merge", job, "-q", "--workers", "2"],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archive")
    parser.add_argument("--index", help="plan from this CDXJ")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--task-pages", help="pages in a task of the job")
    options = parser.parse_args()
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # orphans come back to this process, which counts their time
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    folder = tempfile.mkdtemp(prefix="chaff-bench-")
    task_pages = ["--task-pages", options.task_pages] if options.task_pages else []
    wrapper = write_wrapper(folder)
    times = {}
    try:
        for number in range(options.rounds):
            source = options.index or options.archive
            local, job = (os.path.join(folder, f"{name}-{number}") for name in ("local", "spark"))
            steps = {"chaff report": [*CHAFF, "report", source, "-o", local, "-q", "--workers", "2"]}
            for name, command in {**steps, **spark_steps(source, job, task_pages, wrapper)}.items():
                times.setdefault(name, []).append(measure(command, folder))
                print(f"round {number + 1}, {name}: {times[name][-1][0]:.1f} s, CPU {times[name][-1][1]:.1f} s", file=sys.stderr)
            shutil.rmtree(local)
            shutil.rmtree(job)
    finally:
        shutil.rmtree(folder)
    medians = {name: [statistics.median(values) for values in zip(*pairs)] for name, pairs in times.items()}
    report = medians.pop("chaff report")
    medians["all of it"] = [sum(values) for values in zip(*medians.values())]
    print("| | wall s | CPU s |\n| --- | ---: | ---: |")
    for name, (wall, cpu) in {"`chaff report`, two threads": report, **medians}.items():
        print(f"| {name} | {wall:.1f} | {cpu:.1f} |")
    wall, cpu = (medians["all of it"][k] / report[k] - 1 for k in range(2))
    print(f"\nSpark takes {100 * wall:+.0f} % of wall time and {100 * cpu:+.0f} % of CPU time.")


if __name__ == "__main__":
    main()
