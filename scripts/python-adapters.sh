#!/bin/sh
# Installs datatrove and dolma from PyPI and runs the tests of the Python adapters and the Python example with them.
#
#   npm run build && scripts/python-adapters.sh
#
# The two need different versions of numpy, so each has a virtual environment of its own, in adapters/.venv or in the
# folder that CHAFF_VENVS names. An environment that has the pinned versions is used as it is. Needs Python 3.10 to 3.12
# with venv (CHAFF_PYTHON names another one); without it, or when PyPI cannot be reached, it exits with 77 and the reason.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
home=${CHAFF_VENVS:-$here/adapters/.venv}
python=${CHAFF_PYTHON:-python3}
export CHAFF="${CHAFF:-node $here/dist/cli/bin.js}"

skip() {
  echo "Python adapters are not tested: $1" >&2
  exit 77
}

if ! "$python" -c 'import sys, venv; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null; then
  skip "$python is not Python 3.10 to 3.12 with venv"
fi

# the interpreter of the environment NAME, installed first unless it has the pinned versions
environment() {
  folder=$home/$1
  wanted=$here/adapters/python/requirements-$1.txt
  if ! cmp -s "$wanted" "$folder/installed.txt"; then
    # all versions are pinned, so nothing is left to resolve
    "$python" -m venv --clear "$folder" >&2 &&
      "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --requirement "$wanted" >&2 ||
      skip "pip cannot install $wanted"
    cp "$wanted" "$folder/installed.txt"
  fi
  echo "$folder/bin/python"
}

datatrove=$(environment datatrove)
dolma=$(environment dolma)
cd "$here/adapters/python"
"$datatrove" -m unittest --quiet test_chaff_pipe test_chaff_datatrove
"$dolma" -m unittest --quiet test_chaff_dolma
"$datatrove" "$here/examples/python-corpus/check.py"
