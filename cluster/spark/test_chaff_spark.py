"""Runs jobs on a real Spark cluster of two executors and injects a fault into each.

Every merged folder must have the bytes of the folder that one process makes.
"""

import filecmp
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

from pyspark.sql import SparkSession

from chaff_spark import JobFailed, fair_share, ready_tasks, run_job

CHAFF = os.environ.get("CHAFF", "chaff").split()
FAULTS_OF_NODE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "test", "faults.mjs"))

# Shell scripts for the first process that Spark starts for tasks; `run` runs the tasks. Later processes run without a fault.
FAULTS = {
    "the process dies before it has begun": "kill -9 $$",
    "the process dies after its first task": 'run "$@" | head -n 1; kill -9 $$',
    "the executor dies and its orphan goes on": """
        parent=$PPID
        until grep -q CoarseGrainedExecutorBackend /proc/$parent/cmdline; do
          parent=$(sed 's/.*) . //; s/ .*//' /proc/$parent/stat)
        done
        kill -9 $parent; run "$@"; exit""",
    "an input is not mounted": 'mv "$INPUT" "$INPUT.away"; run "$@"; code=$?; mv "$INPUT.away" "$INPUT"; exit $code',
}


def start_spark():
    """A cluster of two executors with one core each, as processes of this machine."""
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.executorEnv.PATH", os.environ["PATH"])
        .config("spark.pyspark.python", sys.executable)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    return spark


def write_site(path, pages=120):
    with open(path, "w", encoding="utf-8") as rows:
        for k in range(pages):
            words = " ".join(f"word{(k * 37 + j * 11) % 991}" for j in range(60))
            html = f"<title>Page {k}</title><nav><a href=/>Home of the site</a></nav><p>{words}.</p><footer>All rights of it</footer>"
            rows.write(json.dumps({"url": f"http://site{k % 3}.example/{k}", "html": html}) + "\n")


def same_files(a, b):
    """Names of files that differ in content or are missing on one side. The timings in run.json may differ."""
    compared = filecmp.dircmp(a, b)
    _, different, errors = filecmp.cmpfiles(a, b, compared.common_files, shallow=False)
    found = compared.left_only + compared.right_only + errors + [name for name in different if name != "run.json"]
    for folder in compared.common_dirs:
        found += same_files(os.path.join(a, folder), os.path.join(b, folder))
    return found


class SparkJobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="chaff-spark-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.site = os.path.join(cls.folder, "site.jsonl")
        write_site(cls.site)
        cls.spark = start_spark()
        cls.addClassCleanup(cls.spark.stop)
        cls.one_process = cls.plan("one-process")
        while ids := ready_tasks(CHAFF, cls.one_process):
            subprocess.run([*CHAFF, "task", cls.one_process, *ids], check=True, stdout=subprocess.DEVNULL)
        cls.merge(cls.one_process)

    @classmethod
    def plan(cls, name):
        job = os.path.join(cls.folder, name.replace(" ", "-"))
        subprocess.run([*CHAFF, "plan", cls.site, "-o", job, "--task-pages", "10", "-q"], check=True)
        return job

    @classmethod
    def merge(cls, job, code=0):
        ended = subprocess.run([*CHAFF, "merge", job, "-q"], check=False)
        if ended.returncode != code:
            raise AssertionError(f"merge ended with {ended.returncode}")

    def faulty(self, fault, always=False):
        """Makes a command that logs its calls with tasks and has the fault in the first, or in all; returns command and log."""
        script = os.path.join(self.folder, f"chaff-{self.id()}-{len(os.listdir(self.folder))}")
        log = f"{script}.log"
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/bash\nINPUT={self.site}\nrun() {{ {' '.join(CHAFF)} \"$@\"; }}\n")
            file.write(f'if [ "$1" = task ]; then\n  echo called >> {log}\n')
            file.write(f"  if {'true' if always else f'mkdir {script}.once 2>/dev/null'}; then {fault}; fi\nfi\n")
            file.write('run "$@"\n')
        os.chmod(script, os.stat(script).st_mode | stat.S_IXUSR)
        return script, log

    def calls(self, log):
        with open(log, encoding="utf-8") as lines:
            return len(lines.readlines())

    def test_few_tasks_are_spread_over_the_cores_and_many_share_processes(self):
        self.assertEqual([fair_share(tasks, 2) for tasks in (1, 6, 7, 50, 1_000_000)], [1, 1, 2, 9, 16])
        self.assertEqual([fair_share(tasks, 64) for tasks in (100, 1000)], [1, 6])

    def test_spark_makes_the_folder_of_one_process(self):
        job = self.plan("spark")
        run_job(self.spark, job, CHAFF)
        self.merge(job)
        self.assertEqual(same_files(job, self.one_process), [])

    def test_nothing_is_lost_when_an_attempt_fails(self):
        for name, fault in FAULTS.items():
            with self.subTest(name):
                job = self.plan(name)
                command, log = self.faulty(fault)
                # one partition a stage, so that no other attempt runs while the fault lasts
                run_job(self.spark, job, [command], tasks_per_partition=1000)
                self.assertEqual(self.calls(log), 3, "two stages and one attempt again")
                self.merge(job)
                self.assertEqual(same_files(job, self.one_process), [])

    def test_a_capture_on_which_the_process_dies_is_left_out_the_third_time(self):
        job = self.plan("culprit")
        fault = f'export CHAFF_FAULT="kill at page 7" NODE_OPTIONS="--import file://{FAULTS_OF_NODE}"'
        command, log = self.faulty(fault, always=True)
        run_job(self.spark, job, [command], tasks_per_partition=1000)
        self.assertEqual(self.calls(log), 6, "two stages, and two attempts again in each")
        self.merge(job, code=3)
        with open(os.path.join(job, "problems.jsonl"), encoding="utf-8") as lines:
            named = {problem["url"] for problem in map(json.loads, lines) if problem["code"] == "unreadable"}
        self.assertEqual(len(named), 1)
        with open(os.path.join(job, "run.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["counts"]["pages"], 119)

    def test_a_task_that_cannot_succeed_ends_the_job_and_is_not_tried_again(self):
        job = self.plan("changed")
        command, log = self.faulty(":")
        original = f"{self.site}.original"
        os.rename(self.site, original)
        try:
            write_site(self.site, pages=121)
            with self.assertRaisesRegex(JobFailed, "has changed since the job was planned"):
                run_job(self.spark, job, [command], tasks_per_partition=1000)
        finally:
            os.replace(original, self.site)
        self.assertEqual(self.calls(log), 1)

    def test_tasks_that_are_not_committed_are_not_taken_for_done(self):
        job = self.plan("nothing")
        command, _ = self.faulty(":")
        lying = f"{command}-lying"
        with open(lying, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/bash\nif [ "$1" != task ]; then exec {command} "$@"; fi\n')
        os.chmod(lying, os.stat(command).st_mode)
        with self.assertRaisesRegex(JobFailed, "not committed"):
            run_job(self.spark, job, [lying], tasks_per_partition=1000)


if __name__ == "__main__":
    unittest.main()
