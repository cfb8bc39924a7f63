"""Carries the tasks of a Chaff job on Spark.

    chaff plan crawl.warc.gz -o /shared/crawl.chaff
    spark-submit chaff_spark.py /shared/crawl.chaff
    chaff merge /shared/crawl.chaff

The job folder and the inputs must be at the same path on the driver and on all executors. Spark decides where tasks run,
retries them and speculates. A task commits at most once, so the result does not depend on these decisions.
"""

import argparse
import json
import os
import subprocess
import sys

from pyspark.sql import SparkSession

# Shares of a core, so that a slow one does not keep the others waiting, and the maximum of tasks of a share: a task takes some
# seconds, and the start of a Node process about as long.
SHARES = 3
MAX_TASKS = 16

# exit code of chaff task when no attempt can succeed; 75 and any other code but 0 mean: try again
PERMANENT = 65


class TaskFailed(Exception):
    """A task of this partition was not committed; Spark tries the partition again."""


class JobFailed(Exception):
    """Trying again does not help."""


def run_tasks(command, job, ids):
    """Runs tasks in one Node process and yields its report on each task.

    The exit code decides: a process that crashes reports fewer tasks than it was given, and must not pass for done.
    """
    ids = list(ids)
    if not ids:
        return
    done = subprocess.run(
        [*command, "task", job, "-"], input="\n".join(ids) + "\n", capture_output=True, text=True, check=False
    )
    if done.returncode == PERMANENT:
        # a row, not an exception: Spark would try the partition again
        yield {"error": done.stderr.strip()}
        return
    if done.returncode != 0:
        raise TaskFailed(f"exit code {done.returncode} for {', '.join(ids)}: {done.stderr.strip()}")
    for line in done.stdout.splitlines():
        yield json.loads(line)


def ready_tasks(command, job):
    """Names of the tasks that can run now."""
    done = subprocess.run([*command, "status", job, "--ready"], capture_output=True, text=True, check=True)
    return done.stdout.split()


def fair_share(tasks, cores):
    """Number of tasks that one Node process should run."""
    return max(1, min(MAX_TASKS, -(-tasks // (SHARES * cores))))


def run_job(spark, job, command=("chaff",), tasks_per_partition=None):
    """Runs stage after stage until no task is left. Returns the number of pages labelled or learnt from."""
    command = list(command)
    # executors that have not got this file import it from the driver
    spark.sparkContext.addPyFile(os.path.abspath(__file__))
    pages = 0
    before = []
    while ids := ready_tasks(command, job):
        if ids == before:
            raise JobFailed(f"tasks end without an error and are not committed, {ids[0]} first: is {job} one shared folder?")
        before = ids
        share = tasks_per_partition or fair_share(len(ids), spark.sparkContext.defaultParallelism)
        partitions = max(1, -(-len(ids) // share))
        results = (
            spark.sparkContext.parallelize(ids, partitions)
            .mapPartitions(lambda own: run_tasks(command, job, own))
            .collect()
        )
        errors = [result["error"] for result in results if "error" in result]
        if errors:
            raise JobFailed(errors[0])
        pages += sum(result["pages"] for result in results)
    return pages


def main():
    parser = argparse.ArgumentParser(description="Carry the tasks of a Chaff job on Spark.")
    parser.add_argument("job", help="the folder that chaff plan has written")
    parser.add_argument("--chaff", default="chaff", help="the command, with arguments separated by spaces")
    parser.add_argument(
        "--tasks-per-partition", type=int, help=f"tasks that one Node process runs (default: by the cores, at most {MAX_TASKS})"
    )
    options = parser.parse_args()
    spark = SparkSession.builder.appName("chaff").getOrCreate()
    try:
        pages = run_job(spark, options.job, options.chaff.split(), options.tasks_per_partition)
    except JobFailed as failure:
        sys.exit(f"chaff_spark: {failure}")
    finally:
        spark.stop()
    print(f"{pages} pages; next: {options.chaff} merge {options.job}")


if __name__ == "__main__":
    main()
