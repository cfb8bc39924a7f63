#!/bin/sh
# Installs pyspark from PyPI and runs the tests of cluster/spark on a cluster of two executors on this machine.
#
#   npm run build && scripts/spark.sh
#
# The virtual environment is in cluster/.venv or in the folder that CHAFF_VENVS names; one that has the pinned versions
# is used as it is. Needs Java 17 (JAVA_HOME, on the path or below /usr/lib/jvm) and Python 3.8 to 3.12 with venv
# (CHAFF_PYTHON names another one); without them, or when pyspark cannot be downloaded, it exits with 77 and the
# reason.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
python=${CHAFF_PYTHON:-python3}
folder=${CHAFF_VENVS:-$here/cluster/.venv}/spark
wanted=$here/cluster/spark/requirements.txt
export CHAFF="${CHAFF:-node $here/dist/cli/bin.js}"

skip() {
  echo "Spark is not tested: $1" >&2
  exit 77
}

# the home of a Java 17, or nothing
java_home() {
  for home in "${JAVA_HOME:-}" "$(readlink -f "$(command -v java)" 2>/dev/null | sed 's|/bin/java$||')" /usr/lib/jvm/*17*; do
    if [ -n "$home" ] && "$home/bin/java" -version 2>&1 | grep -q ' version "17[."]'; then
      echo "$home"
      return
    fi
  done
}

if ! "$python" -c 'import sys, venv; sys.exit(not (3, 8) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null; then
  skip "$python is not Python 3.8 to 3.12 with venv"
fi
JAVA_HOME=$(java_home)
if [ -z "$JAVA_HOME" ]; then
  skip 'no Java 17 in JAVA_HOME, on the path or below /usr/lib/jvm'
fi
export JAVA_HOME

if ! cmp -s "$wanted" "$folder/installed.txt"; then
  # all versions are pinned, so nothing is left to resolve
  if ! { "$python" -m venv --clear "$folder" &&
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --requirement "$wanted"; } >&2; then
    skip 'pyspark cannot be installed'
  fi
  cp "$wanted" "$folder/installed.txt"
fi

# the executors are on this machine, and pyspark leaves sockets to the garbage collector
export SPARK_LOCAL_IP=127.0.0.1
cd "$here/cluster/spark"
# a cluster whose executors cannot start keeps its driver waiting
if ! "$folder/bin/python" - 2>/dev/null <<'EOT'
import signal
signal.alarm(300)
from test_chaff_spark import start_spark
spark = start_spark()
spark.sparkContext.parallelize([1, 2], 2).count()
spark.stop()
EOT
then
  skip 'two executors do not start on this machine'
fi
"$folder/bin/python" -W ignore::ResourceWarning -m unittest --quiet "$@"
